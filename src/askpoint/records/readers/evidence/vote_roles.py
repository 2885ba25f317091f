"""Which columns are judges' votes and which are labels by people; rows that are votes; turned tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from askpoint.records.readers.evidence.columns import Column
from askpoint.records.readers.evidence.relations import (
    agreement,
    is_majority,
    is_twin,
    shares_labels,
)

__all__ = ["LongRoles", "families", "gold_among", "is_turned", "long_roles", "not_votes"]

_FAMILIES = 40  # columns among which pairs are looked at
_CLEAR = 2.5
_FEWEST_GOLD = 20  # labels of a column that only its empty cells show to be people's


def not_votes(labels: Sequence[Column], flags: dict[str, str]) -> dict[str, str]:
    """Return the columns of labels that are made of others, and how."""
    found = {name: f"says where {what}" for name, what in flags.items()}
    plain = [c for c in labels if c.name not in found][:_FAMILIES]
    for number in plain:
        twin = next((w for w in plain if w is not number and is_twin(number, w)), None)
        if twin is not None:
            found[number.name] = f"says what {twin.name} says, as a number"
    plain = [c for c in plain if c.name not in found]
    for column in plain:
        others = [
            c for c in plain
            if c is not column and shares_labels(c, column) and c.filled > 0.5
            and not ({"derived", "truth"} & c.hints)
        ]  # fmt: skip
        if len(others) > 1 and "derived" in column.hints:
            found[column.name] = "named for an aggregate of the others"
        elif _stands_apart(column, others) and is_majority(column, others):
            found[column.name] = "is what most of the others say, on every row"
    return found


def _stands_apart(column: Column, others: Sequence[Column]) -> bool:
    """Say whether the others are called alike, as annotator 1 to 3 are, and this one is not."""
    if {"judge", "person", "truth"} & column.hints or column.filled < 0.9:
        return False
    stems = {_stem(c) for c in others}
    return len(stems) == 1 and stems != {()} and _stem(column) not in stems


def families(labels: Sequence[Column]) -> list[list[Column]]:
    """Group columns of one vocabulary; words such as 0 and yes need more than that in common."""
    groups: list[list[Column]] = []
    for column in labels:
        near = [g for g in groups if any(_belongs(column, other) for other in g)]
        joined = [c for g in near for c in g]
        groups = [g for g in groups if not any(g is n for n in near)]
        groups.append([*joined, column])
    for group in groups:
        group.sort(key=lambda c: c.place)
    return groups


def _belongs(a: Column, b: Column) -> bool:
    if not shares_labels(a, b):
        return False
    if not (a.is_plain and b.is_plain):
        return True
    if any({"judge", "person", "truth", "answer"} & c.hints for c in (a, b)):
        return True
    if a.labels == b.labels and not a.all_truths:
        return True
    if _stem(a) == _stem(b):
        return True
    how = agreement(a, b)
    return abs(how.z) > _CLEAR or how.n < 20


def _stem(column: Column) -> tuple[str, ...]:
    words = [t for t in column.tokens if not t.isdigit()]
    return tuple(words if len(words) > 1 or len(words[:1] and words[0]) > 1 else ())


def gold_among(family: Sequence[Column]) -> tuple[list[Column], str]:
    """Return the columns of a family that may be labels by people, and why; the first is the best."""
    if len(family) < 2:
        return [], ""
    stems = {_stem(c) for c in family}
    if len(stems) == 1 and stems != {()}:
        return [], "one kind of column"
    named = [
        c for c in family if {"person", "truth"} & c.hints and "answer" not in c.hints - c.hints
    ]
    judges = [c for c in family if c not in named]
    if named and judges:
        by_truth = [c for c in named if "truth" in c.hints and "judge" not in c.hints]
        by_truth = by_truth if len(by_truth) == 1 else named
        clear = [c for c in by_truth if "judge" not in c.hints] or by_truth
        return list(clear), "named for people or the truth"
    sparse = [c for c in family if c.filled < 0.7 and c.fact.given >= _FEWEST_GOLD]
    full = [c for c in family if c.filled > 0.85]
    if len(sparse) == 1 and len(full) == len(family) - 1 and "judge" not in sparse[0].hints:
        return sparse, f"filled on {sparse[0].filled:.0%} of the rows, the others on nearly all"
    called = [c for c in family if "label" in c.hints]
    if len(called) == 1 and len(family) > 1 and not ({"judge", "answer"} & called[0].hints):
        others = [c for c in family if c is not called[0]]
        if not any("label" in c.hints for c in others):
            return called, "called a label"
    return [], ""


class LongRoles(NamedTuple):
    """Columns of a table with one row per vote."""

    worker: str
    item: str
    vote: str
    gold: str | None
    weight: float


def long_roles(columns: Sequence[Column], labels: Sequence[Column]) -> LongRoles | None:
    """Return who voted what on which item, if a table has one row per vote."""
    workers = [
        c for c in columns
        if _may_be_worker(c) and not any(o is not c and c.labels & o.labels for o in labels)
    ]  # fmt: skip
    best: LongRoles | None = None
    for worker in workers:
        for item in columns:
            if item is worker or not _may_be_item(item, worker):
                continue
            votes = [c for c in labels if c not in (worker, item) and len(c.labels) > 1]
            found = _best_vote(worker, item, votes)
            if found is not None and (best is None or found.weight > best.weight):
                best = found
    return best


def _may_be_worker(column: Column) -> bool:
    if "judge" not in column.hints or not column.fact.counts:
        return False
    n = column.fact.different
    return 1 < n <= max(column.fact.rows / 3, 2) and not column.is_fraction


def _may_be_item(item: Column, worker: Column) -> bool:
    fact = item.fact
    if fact.role in ("time", "nested", "empty") or item.is_fraction:
        return False
    values = item.texts
    if values.null_count():
        return False
    n, rows = values.n_unique(), len(values)
    if not 1 < n < rows or n < 3:
        return False
    del worker
    return n >= rows / 60


def _best_vote(worker: Column, item: Column, votes: Sequence[Column]) -> LongRoles | None:
    names = np.array(item.texts.to_list(), dtype=object)
    who = np.array(worker.texts.to_list(), dtype=object)
    pairs = len(set(zip(names, who, strict=True)))
    unique = pairs / len(names)
    items = len(set(names))
    if unique < 0.2 or items < 3:
        return None
    weight = (
        3.0 * unique + (1.0 if "id" in item.hints else 0.0) - (0.5 if "time" in item.hints else 0)
    )
    differing: list[tuple[Column, float]] = []
    constant: list[tuple[Column, float]] = []
    for vote in votes:
        seen: dict[object, set[object]] = {}
        for name, key in zip(names, vote.keys, strict=True):
            if key is not None:
                seen.setdefault(name, set()).add(key)
        if not seen:
            continue
        share = np.mean([len(v) > 1 for v in seen.values()])
        (differing if share > 0 else constant).append((vote, float(share)))
    differing = [
        (v, s) for v, s in differing
        if not ({"system", "time", "measure"} & v.hints and not {"label", "judge"} & v.hints)
        and v.fact.role == "label"
    ]  # fmt: skip
    if not differing:
        return None
    chosen = max(differing, key=lambda p: (_vote_name(p[0]), p[1], -p[0].place))[0]
    golds = [
        v for v, _ in constant
        if shares_labels(v, chosen) and ({"truth", "person"} & v.hints or v.filled < 0.9)
    ]  # fmt: skip
    named = [v for v in golds if {"truth", "person"} & v.hints]
    golds = named or [v for v in golds if agreement(v, chosen).z > 0]
    gold = golds[0].name if golds else None
    weight += _vote_name(chosen)
    return LongRoles(worker.name, item.name, chosen.name, gold, weight)


def _vote_name(column: Column) -> float:
    words = {"vote", "verdict", "rating", "answer", "score", "judgement", "judgment", "value", "response",
             "choice", "opinion", "stimme", "avis", "voto", "stem", "note", "nota"}  # fmt: skip
    return 2.0 * bool(words & set(column.tokens)) + 1.0 * ("label" in column.hints)


def is_turned(columns: Sequence[Column], family: Sequence[Column]) -> str | None:
    """Say why the rows of a table look like judges and its columns like items."""
    if len(family) < 8 or len(family) < 0.5 * len(columns):
        return None
    rows = family[0].fact.rows
    if rows > 2 * len(family) or rows < 2:
        return None
    table = np.array([c.keys for c in family], dtype=object)
    values = sorted({v for v in table.ravel() if v is not None})
    hits = np.array(
        [[v == values[0] if v is not None else np.nan for v in row] for row in table], float
    )
    of_column = _spread(hits)
    of_row = _spread(hits.T)
    who = next((c.name for c in columns if c not in family and _names_people(c)), None)
    if who is not None and of_column > of_row:
        return f"{who} names a person in each row, and the columns differ more than the rows"
    if of_column > 2 * of_row and of_column > 2.0:
        return "the columns differ far more than the rows, as items do, not judges"
    return None


def _spread(hits: np.ndarray) -> float:
    """Return the variance of rows' means over that of chance."""
    means = np.array([np.nanmean(row) if not np.isnan(row).all() else np.nan for row in hits])
    means = means[~np.isnan(means)]
    p = float(np.nanmean(hits))
    n = hits.shape[1]
    return float(np.var(means) / max(p * (1 - p) / n, 1e-9))


def _names_people(column: Column) -> bool:
    if {"person", "judge"} & column.hints:
        return True
    texts = [t for t in column.texts.head(50).to_list() if t]
    return bool(texts) and all("@" in t for t in texts)
