"""How columns go together: the same labels, one made of others, sums, and scores that know."""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from askpoint.records.label_words import truth_of
from askpoint.records.readers.evidence.columns import Column

__all__ = [
    "Agreement",
    "Ranking",
    "agreement",
    "equal_labels",
    "follows",
    "is_correctness",
    "is_majority",
    "is_twin",
    "ranking",
    "shares_labels",
]

_EXACT = 0.99  # share of rows on which a relation must hold to be taken for exact
_FEW = 10


class Agreement(NamedTuple):
    """On how many rows two columns say the same, and how far that is beyond chance.

    Attributes
    ----------
    n, same : int
        Rows on which both say something, and those on which they say the same.
    kappa : float
        Cohen's kappa.
    z : float
        Standard errors beyond what their frequencies alone would give.
    """

    n: int
    same: int
    kappa: float
    z: float


def shares_labels(a: Column, b: Column) -> bool:
    """Say whether two columns hold labels of one vocabulary."""
    if a.labels and b.labels and (a.labels <= b.labels or b.labels <= a.labels):
        return True
    if a.labels & b.labels:
        own = [
            sum(n for v, n in c.label_counts.items() if v in o.labels) for c, o in ((a, b), (b, a))
        ]
        sizes = [max(c.label_counts.total(), 1) for c in (a, b)]
        return all(n * 2 >= size for n, size in zip(own, sizes, strict=True))
    return a.all_truths and b.all_truths


def equal_labels(a: Column, b: Column) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return on which rows both columns say something, and where that is the same."""
    _, first, second = _common(a, b)
    both = (first >= 0) & (second >= 0)
    return both, both & (first == second)


def _common(a: Column, b: Column) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
    """Code both columns alike, -1 for nothing, and return the number of codes.

    Words such as yes and 1 are one label only where all labels of both columns are such words.
    """
    (own, first), (others, second) = a.coded, b.coded
    if a.all_truths and b.all_truths:
        first, second = (
            np.array([*(int(bool(truth_of(name))) for name in names), -1])[codes]
            for names, codes in ((own, first), (others, second))
        )
        return 2, first, second
    places = {name: place for place, name in enumerate(dict.fromkeys((*own, *others)))}
    moved = np.array([*(places[name] for name in others), -1], dtype=np.int64)
    return len(places), first, moved[second]


def agreement(a: Column, b: Column) -> Agreement:
    """Measure how often two columns of labels say the same, beyond chance."""
    n_codes, first, second = _common(a, b)
    both = (first >= 0) & (second >= 0)
    n = int(both.sum())
    if not n:
        return Agreement(0, 0, 0.0, 0.0)
    first, second = first[both], second[both]
    left, right = (np.bincount(codes, minlength=n_codes).tolist() for codes in (first, second))
    chance = sum(map(operator.mul, left, right)) / n**2
    count = int((first == second).sum())
    if chance >= 1:
        return Agreement(n, count, 0.0, 0.0)
    z = (count - n * chance) / math.sqrt(n * chance * (1 - chance) + 1e-9) if chance else 0.0
    return Agreement(n, count, (count / n - chance) / (1 - chance), z if chance else -1.0)


def is_correctness(flag: Column, answer: Column, truth: Column) -> bool:
    """Say whether a column only says where two others are equal, or where they differ."""
    both, same = equal_labels(answer, truth)
    if both.sum() < _FEW or same[both].all() or not same[both].any():
        return False
    counts = flag.fact.counts or {}
    given = np.array([k is not None for k in flag.keys])
    if len(counts) == 1:  # a mark on one of the kinds of rows
        return bool(np.mean(given[both] == same[both]) >= _EXACT) or bool(
            np.mean(given[both] != same[both]) >= _EXACT
        )
    if len(counts) != 2:
        return False
    both = both & given
    if both.sum() < _FEW:
        return False
    one = np.array([k == flag.keys[both][0] for k in flag.keys])
    return bool(np.mean(one[both] == same[both]) >= _EXACT) or bool(
        np.mean(one[both] != same[both]) >= _EXACT
    )


def is_twin(number: Column, word: Column) -> bool:
    """Say whether a column of numbers says what a column of words says, under a common name."""
    if not number.fact.is_number or word.fact.is_number or number.fact.counts is None:
        return False
    common = set(number.tokens) & set(word.tokens)
    if not common or len(number.fact.counts) > 2 * len(word.labels):
        return False
    pairs = Counter(zip(word.keys, number.keys, strict=True))
    best: dict[object, int] = {}
    back: dict[object, set[object]] = {}
    total = 0
    for (w, v), n in pairs.items():
        if w is None or v is None:
            continue
        total += n
        best[w] = max(best.get(w, 0), n)
        if n > 1:
            back.setdefault(v, set()).add(w)
    return (
        total >= _FEW
        and sum(best.values()) >= _EXACT * total
        and len(best) > 1
        and all(len(words) == 1 for words in back.values())
    )


def is_majority(column: Column, others: Sequence[Column], *, fewest_split: int = 5) -> bool:
    """Say whether a column is what most of the others say, on every row where one word leads.

    False if they are divided on fewer than `fewest_split` of these rows.
    """
    if len(others) < 3:
        return False
    rows = list(zip(*(other.keys for other in others), strict=True))
    checked = split = 0
    for own, row in zip(column.keys, rows, strict=True):
        votes = Counter(v for v in row if v is not None).most_common(2)
        if own is None or not votes or (len(votes) > 1 and votes[0][1] == votes[1][1]):
            continue
        checked += 1
        split += len(votes) > 1
        if votes[0][0] != own:
            return False
    return checked >= _FEW and split >= fewest_split


class Ranking(NamedTuple):
    """Whether a score is higher where something holds.

    Attributes
    ----------
    area : float
        Chance that a row where it holds has the higher score (a tie counts half).
    z : float
        Standard errors beyond one half (Mann-Whitney).
    yes, no : int
        Rows where it holds and where not.
    """

    area: float
    z: float
    yes: int
    no: int


def ranking(scores: NDArray[np.float64], holds: NDArray[np.bool_]) -> Ranking:
    """Measure whether scores are higher where something holds."""
    known = ~np.isnan(scores)
    scores, holds = scores[known], holds[known]
    yes, no = int(holds.sum()), int((~holds).sum())
    if not yes or not no:
        return Ranking(0.5, 0.0, yes, no)
    values, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    del values
    ends = np.cumsum(counts)
    ranks = (ends - (counts - 1) / 2)[inverse]
    area = float((ranks[holds].sum() - yes * (yes + 1) / 2) / (yes * no))
    n = yes + no
    ties = float((counts.astype(float) ** 3 - counts).sum()) / (n * max(n - 1, 1))
    variance = (n + 1 - ties) / (12 * yes * no)
    return Ranking(area, (area - 0.5) / math.sqrt(max(variance, 1e-12)), yes, no)


def follows(scores: NDArray[np.float64], answer: Column) -> tuple[str, float] | None:
    """Return which of two answers is given where a score is above a level, and that level.

    None unless the answers cut the score in two without a row on the wrong side (1 in 100 may be).
    """
    values = sorted(answer.labels)
    if len(values) != 2:
        return None
    known = ~np.isnan(scores) & np.array([k in answer.labels for k in answer.keys])
    if known.sum() < _FEW:
        return None
    own = answer.keys[known] == values[1]
    part = scores[known]
    if own.all() or not own.any():
        return None
    for value, side in ((values[1], own), (values[0], ~own)):
        low, high = np.quantile(part[side], 0.01), np.quantile(part[~side], 0.99)
        if low >= high and part[side].mean() > part[~side].mean():
            at_half = (
                np.mean((part >= 0.5) == side) >= _EXACT or np.mean((part > 0.5) == side) >= _EXACT
            )
            return value, 0.5 if at_half else float((low + high) / 2)
    return None
