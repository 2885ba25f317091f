"""Answers that were declined or failed, said beside those that were judged: none leaves in silence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from askpoint.reports.document import Grid, Notice, Section
from askpoint.reports.words import plural, share

__all__ = ["outcomes_object", "outcomes_section"]

_STATES = ("answered", "declined", "failed")


def outcomes_section(states: Mapping[str, Mapping[str, int]]) -> Section | None:
    """Return how many answers of each system were judged, declined and failed, if not all were judged."""
    if not any(of["declined"] + of["failed"] for of in states.values()):
        return None
    rows = []
    for name, of in states.items():
        n = sum(of.values())
        rows.append((
            name or "the system", str(n), *(f"{of[state]} ({share(of[state] / n)})" for state in _STATES)
        ))  # fmt: skip
    grid = Grid(
        "What became of each run",
        ("system", "in all", "answered and judged", "declined", "failed"),
        tuple(rows),
        "All other numbers are about the answers that were judged. A refusal is not a mistake, and "
        "a failed run is not an answer: they count neither as right nor as wrong. --declined as-voted "
        "counts refusals as the judges voted.",
    )
    return Section("What is not in these numbers", (grid, *_unequal(states)))


def _unequal(states: Mapping[str, Mapping[str, int]]) -> tuple[Notice, ...]:
    if len(states) < 2:
        return ()
    shares = {name: 1 - of["answered"] / sum(of.values()) for name, of in states.items()}
    more, less = max(shares, key=lambda n: shares[n]), min(shares, key=lambda n: shares[n])
    if shares[more] - shares[less] < 0.02:
        return ()
    gone = sum(states[more].values()) - states[more]["answered"]
    return (
        Notice(
            f"{more} left {plural(gone, 'item', 'items')} without an answer, more than {less}: "
            "a system that declines or fails on hard items looks better on the rest."
        ),
    )


def outcomes_object(states: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """Return the same counts as JSON."""
    return {name or "system": dict(of) for name, of in states.items()}
