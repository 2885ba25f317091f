"""Calls of a ladder's rungs: how many the decisions bought, and what a call costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["BETWEEN", "add_calls", "call_prices", "checks_bought", "count_calls"]

BETWEEN = "+"
"""Between the rungs of a path, which is the group of a ladder's decisions."""


def call_prices(model: Mapping[str, Any]) -> dict[str, float]:
    """Return what a call of each rung costs, in checks, by its name; nothing where the policy is of one model."""
    ladder = model.get("ladder")
    if ladder is None:
        return {}
    names = [rung["name"] for rung in ladder["reader"]["rungs"]]
    return dict(zip(names, ladder.get("prices") or [0.0] * len(names), strict=True))


def count_calls(model: Mapping[str, Any], cases: Mapping[str | None, int]) -> tuple[int, ...]:
    """Return how often each rung was called, by the number of cases of each path; empty for one model."""
    called = dict.fromkeys(call_prices(model), 0)
    for path, n in cases.items():
        for name in (path or "").split(BETWEEN):
            if name in called:
                called[name] += n
    return tuple(called.values())


def checks_bought(model: Mapping[str, Any], cases: Mapping[str | None, int]) -> float:
    """Return what the calls of the cases of each path cost, in checks."""
    calls = count_calls(model, cases)
    return float(
        sum(n * price for n, price in zip(calls, call_prices(model).values(), strict=True))
    )


def add_calls(
    before: tuple[int, ...], model: Mapping[str, Any], paths: Sequence[str | None]
) -> tuple[int, ...]:
    """Return how often each rung was called, with those of further decisions."""
    more = count_calls(model, Counter(paths))
    return tuple(a + b for a, b in zip(before or (0,) * len(more), more, strict=True))
