"""Which columns are judges' votes and which are labels by people; rows that are votes; turned tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from askpoint.records.readers.evidence.columns import Column
from askpoint.records.readers.evidence.relations import (
    agreement,
    is_majority,
    is_twin,
    shares_labels,
)

__all__ = ["LongRoles", "families", "gold_among", "is_turned", "long_roles", "not_votes", "stem_of"]

_USERS = frozenset(
    {
        "user",
        "users",
        "email",
        "benutzer",
        "nutzer",
        "utilisateur",
        "usuario",
        "utente",
        "gebruiker",
    }
)
_MACHINES = frozenset(
    [
        "judge",
        "judges",
        "grader",
        "graders",
        "evaluator",
        "scorer",
        "critic",
        "juge",
        "juez",
        "giudice",
        "juiz",
        "rechter",
        "richter",
    ]
)
_BY = frozenset({"by", "von", "durch", "par", "por", "door"})
_WITH_VOTER = 0.8  # share of rows from which a column may say who voted
_PER_CONSENT = 6.0  # what agreement of all rows of an item weighs against a name
_FAMILIES = 40  # columns among which pairs are looked at
_HARDLY, _CLEAR, _CLEARLY = 2.0, 2.5, 3.5  # standard errors
_NEARLY = 0.9  # share of rows that a majority is said of
_SPLIT = 30  # divided votes on which the majority is never wrong: no truth, whatever its name
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
        elif column.filled >= _NEARLY and (
            is_majority(column, _find_namesakes(column, others))
            or ("truth" in column.hints and is_majority(column, others, fewest_split=_SPLIT))
        ):
            found[column.name] = "is what most of the others say, on every row"
    return found


def _find_namesakes(column: Column, others: Sequence[Column]) -> list[Column]:
    """Return others that are called alike, as annotator 1 to 3 are, and unlike this one."""
    if {"judge", "person", "truth"} & column.hints:
        return []
    kinds: dict[tuple[str, ...], list[Column]] = {}
    for other in others:
        kinds.setdefault(stem_of(other), []).append(other)
    stem, alike = max(kinds.items(), key=lambda kind: len(kind[1]), default=((), []))
    return alike if stem not in ((), stem_of(column)) else []


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
    if not a.labels & b.labels:
        # 0 and 1 beside pass and fail: any flag is written so
        named = all({"judge", "person", "truth", "answer"} & c.hints for c in (a, b))
        return named or stem_of(a) == stem_of(b) != () or abs(agreement(a, b).z) > _CLEARLY
    if not (a.is_plain and b.is_plain):
        return True
    hinted = [bool({"judge", "person", "truth", "answer"} & c.hints) for c in (a, b)]
    alike = len(a.tokens) > 1 and a.tokens[:-1] == b.tokens[:-1]  # scores.gpt and scores.claude
    if all(hinted) or alike:
        return True
    if any(hinted):
        how = agreement(a, b)
        return abs(how.z) > _HARDLY or how.n < 20
    if a.labels == b.labels and not a.all_truths:
        return True
    if stem_of(a) == stem_of(b):
        return True
    how = agreement(a, b)
    return abs(how.z) > _CLEAR or how.n < 20


def stem_of(column: Column) -> tuple[str, ...]:
    """Return the words of a name without its number: what annotator 1 to 3 have in common."""
    words = [t for t in column.tokens if not t.isdigit()]
    return tuple(words if len(words) > 1 or len(words[:1] and words[0]) > 1 else ())


def gold_among(family: Sequence[Column]) -> tuple[list[Column], str]:
    """Return the columns of a family that may be labels by people, and why; the first is the best."""
    if len(family) < 2:
        return [], ""
    stems = {stem_of(c) for c in family}
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
    hired = [c for c in judges if "judge" in c.hints and not _may_be_machine(c)]
    hired = [c for c in hired if not c.tokens[-1].isdigit()]  # one of several
    if (
        len(hired) == 1
        and len(family) > 1
        and all("answer" in c.hints for c in judges if c not in hired)
    ):
        return hired, "named for one who labels, the others for models"
    sparse = [c for c in family if c.filled < 0.7 and c.fact.given >= _FEWEST_GOLD]
    full = [c for c in family if c.filled > 0.85]
    alike = len(sparse) == 1 and any("judge" in c.hints & sparse[0].hints for c in full)
    if len(sparse) == 1 and len(full) == len(family) - 1 and not alike:
        return sparse, f"filled on {sparse[0].filled:.0%} of the rows, the others on nearly all"
    called = [c for c in family if "label" in c.hints]
    if len(called) == 1 and len(family) > 1 and not ({"judge", "answer"} & called[0].hints):
        others = [c for c in family if c is not called[0]]
        if not any("label" in c.hints for c in others):
            return called, "called a label"
    return [], ""


def _may_be_machine(column: Column) -> bool:
    """Say whether a name that speaks of a judge may well be a model's."""
    return "answer" in column.hints or bool(_MACHINES & set(column.tokens))


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
        if _may_be_worker(c)
        and not any(o is not c and c.labels & o.labels and "id" not in o.hints for o in labels)
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
    if not column.fact.counts or not ("judge" in column.hints or _is_user(column)):
        return False
    n = column.fact.different
    named = column.filled >= _WITH_VOTER  # a vote has a voter; a label may be missing
    return named and 1 < n <= max(column.fact.rows / 3, 2) and not column.is_fraction


def _is_user(column: Column) -> bool:
    by = len(column.tokens) > 1 and column.tokens[-1] in _BY
    return (by or "person" in column.hints or bool(_USERS & set(column.tokens))) and not (
        {"answer", "truth", "time"} & column.hints
    )


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
    if "judge" not in worker.hints and (pairs < len(names) or pairs < 2 * items):
        return None  # a user votes once on an item, and an item has several
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
        divided = any(len(v) > 1 for v in seen.values())
        (differing if divided else constant).append((vote, _consent(names, vote)))
    differing = [
        (v, s) for v, s in differing
        if not ({"system", "time", "measure"} & v.hints and not {"label", "judge"} & v.hints)
        and v.fact.role == "label"
    ]  # fmt: skip
    if not differing:
        return None
    chosen = max(differing, key=lambda p: (_vote_name(p[0]) + _PER_CONSENT * p[1], -p[0].place))[0]
    golds = [
        v for v, _ in constant
        if shares_labels(v, chosen) and ({"truth", "person"} & v.hints or v.filled < 0.9)
    ]  # fmt: skip
    named = [v for v in golds if {"truth", "person"} & v.hints]
    golds = named or [v for v in golds if agreement(v, chosen).z > 0]
    gold = golds[0].name if golds else None
    weight += _vote_name(chosen)
    return LongRoles(worker.name, item.name, chosen.name, gold, weight)


def _consent(names: np.ndarray, vote: Column) -> float:
    """Return how far beyond chance rows of one item say the same (kappa)."""
    said = pl.DataFrame({"item": [str(n) for n in names], "vote": vote.keys.tolist()}).drop_nulls()
    sizes = said.group_by("item").len()["len"].to_numpy()
    same = said.group_by("item", "vote").len()["len"].to_numpy()
    shares = said["vote"].value_counts(normalize=True, name="\x00")["\x00"].to_numpy()
    pairs, chance = (sizes * (sizes - 1)).sum(), (shares**2).sum()
    if not pairs or chance >= 1:
        return 0.0
    return float(((same * (same - 1)).sum() / pairs - chance) / (1 - chance))


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
