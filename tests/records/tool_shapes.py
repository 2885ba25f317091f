"""What made files of tools share: rows of predictions, and how they are written and counted."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Iterator
from typing import Any

__all__ = ["N", "Rows", "binary", "counted", "lines", "many", "of", "table"]

N = 120
Rows = list[dict[str, Any]]


def table(rows: Rows, separator: str = ",") -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0], delimiter=separator, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def lines(rows: Rows) -> str:
    return "\n".join(map(json.dumps, rows)) + "\n"


def binary(rng: random.Random, n: int = N) -> Iterator[tuple[int, float, int]]:
    """Yield a number, a probability of 1, and the truth that it foretells."""
    for i in range(n):
        p = round(rng.betavariate(0.7, 0.8), 4)
        p = p if abs(p - 0.5) > 0.002 else 0.51
        yield i, p, int(rng.random() < p)


def many(
    rng: random.Random, classes: str = "abc", n: int = N
) -> Iterator[tuple[int, dict[str, float], str, str]]:
    """Yield a number, probabilities, the best class, and the truth."""
    for i in range(n):
        weights = [rng.gammavariate(0.5, 1) + 1e-2 for _ in classes]
        p = {c: round(w / sum(weights), 4) for c, w in zip(classes, weights, strict=True)}
        yield i, p, max(p, key=p.__getitem__), rng.choices(list(p), list(p.values()))[0]


def counted(values: list[Any]) -> dict[str, int]:
    texts = [str(v) for v in values if v not in (None, "")]
    return {v: texts.count(v) for v in sorted(set(texts))}


def of(rows: Rows, name: str) -> dict[str, int]:
    return counted([row.get(name) for row in rows])
