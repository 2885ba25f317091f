"""Scores of a table: columns that sum to 1, a confidence, the probability of one class."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from askpoint.records.label_words import truth_of
from askpoint.records.readers.evidence.columns import Column, label_key
from askpoint.records.readers.evidence.relations import equal_labels, follows, ranking

__all__ = [
    "Group",
    "ScoreTest",
    "class_score",
    "groups_that_sum",
    "keeps_to_floor",
    "reaches_from_floor",
    "test_score",
]

_OFF, _NEARLY = 0.02, 0.98
_ENOUGH_ROWS, _NEAR_FLOOR, _NEAR_ONE = (
    25,
    0.12,
    0.9,
)  # where the largest probability begins and ends
_WIDEST = 200  # probabilities a row
_CLEAR = 2.5  # standard errors
_KNOWS = 0.985  # area from which a score must have been made with the truth
_GENERIC = frozenset(
    [
        "label",
        "class",
        "score",
        "conf",
        "confidence",
        "prob",
        "proba",
        "y",
        "p",
        "is",
        "the",
        "of",
        "pred",
        "predicted",
    ]
)


class Group(NamedTuple):
    """Columns that sum to 1 in each row.

    Attributes
    ----------
    columns : tuple of Column
        In their order.
    classes : tuple of str
        The class that each is for.
    of : Column or None
        A column of labels whose labels the classes are.
    """

    columns: tuple[Column, ...]
    classes: tuple[str, ...]
    of: Column | None

    def best(self) -> NDArray[np.object_]:
        """Return the key of the most probable class of each row."""
        places = self._values().argmax(axis=1)
        names = np.array([label_key(name) for name in self.classes], dtype=object)
        return np.asarray(names[places], dtype=object)

    def expected_mistakes(self, rows: NDArray[np.bool_]) -> float:
        """Return how many of some rows have another label, by the probabilities."""
        return float(np.sum(1.0 - self._values()[rows].max(axis=1)))

    def _values(self) -> NDArray[np.float64]:
        values = np.column_stack([column.scores for column in self.columns])
        return np.where(np.isnan(values), -1.0, values)


def groups_that_sum(columns: Sequence[Column], labels: Sequence[Column]) -> list[Group]:
    """Find columns beside each other that sum to 1 in nearly every row."""
    found: list[Group] = []
    start = 0
    while start < len(columns):
        group = _run(columns[start : start + _WIDEST])
        if group is None:
            start += 1
            continue
        found.append(_classes(group, labels))
        start += len(group)
    return found


def _run(columns: Sequence[Column]) -> tuple[Column, ...] | None:
    total: NDArray[np.float64] | None = None
    for i, column in enumerate(columns):
        if column.score_scale is None and not _is_share(column):
            return None
        if i and column.place != columns[i - 1].place + 1:
            return None
        total = column.scores if total is None else total + column.scores
        known = total[~np.isnan(total)]
        if not known.size:
            return None
        if i and np.mean(np.abs(known - 1) <= _OFF) >= _NEARLY:
            rest = columns[i + 1 : i + 2]
            if rest and rest[0].score_scale and np.nanmax(rest[0].scores) <= _OFF:
                continue  # a class that is hardly ever probable
            return tuple(columns[: i + 1])
        if np.mean(known > 1 + _OFF) > 1 - _NEARLY:
            return None
    return None


def _is_share(column: Column) -> bool:
    fact = column.fact
    return fact.is_number and fact.low == 0.0 and fact.high in (0.0, 1.0) and fact.role == "label"


def _classes(columns: tuple[Column, ...], labels: Sequence[Column]) -> Group:
    names = [column.name for column in columns]
    best: tuple[int, int] | None = None
    chosen: tuple[tuple[str, ...], Column | None] = (_ends(names), None)
    for label in labels:
        known = {label_key(v): v for v in (*(label.fact.counts or ()), *label.fact.absent) if v}
        named = _match_names(names, known)
        if named is None:
            continue
        fit = (len(set(map(label_key, named)) & label.labels), -len(label.labels))
        if best is None or fit > best:
            best, chosen = fit, (named, label)
    return Group(columns, *chosen)


def _match_names(names: Sequence[str], known: dict[str, str]) -> tuple[str, ...] | None:
    """Return the label that each name speaks of, if all speak of another one."""
    ends = [label_key(end) for end in _ends(names)]
    if set(known) and len(set(ends)) == len(ends) and set(ends) & set(known):
        return tuple(known.get(end, raw) for end, raw in zip(ends, _ends(names), strict=True))
    found = []
    for name in names:
        fitting = [key for key in known if _speaks_of(name.casefold(), key)]
        if not fitting:
            return None
        found.append(known[max(fitting, key=len)])
    return tuple(found) if len(set(found)) == len(found) else None


def _speaks_of(name: str, key: str) -> bool:
    return (
        re.search(rf"(?<![^\W_]){re.escape(key)}(?![^\W_])", name.replace("_", " ")) is not None
        or (key.isdigit() and re.search(rf"(?<!\d){key}(?!\d)", name) is not None)
        or re.search(rf"(?<![^\W_]){re.escape(key)}(?![^\W_])", name) is not None
    )


def _ends(names: Sequence[str]) -> tuple[str, ...]:
    """Return names without what all of them begin and end with."""
    if len(names) < 2:
        return tuple(names)
    head = _common([re.split(r"(?<=[\W_])|(?<=[a-zA-Z])(?=\d)", name) for name in names])
    cut = [name[len(head) :] for name in names]
    tail = _common([re.split(r"(?=[\W_])", name)[::-1] for name in cut], backwards=True)
    ends = [name[: len(name) - len(tail)] if tail else name for name in cut]
    return tuple(ends) if all(ends) else tuple(names)


def _common(parts: Sequence[Sequence[str]], *, backwards: bool = False) -> str:
    found: list[str] = []
    for pieces in zip(*parts, strict=False):
        if len(set(pieces)) > 1:
            break
        found.append(pieces[0])
    return "".join(found[::-1] if backwards else found)


class ScoreTest(NamedTuple):
    """What a score is of an answer.

    Attributes
    ----------
    weight : float
        Evidence that it is one, in nats.
    of_class : str or None
        The key of the class that it is the probability of; None if it is of the answer.
    level : float
        Where the answers cut the probability of a class.
    why : str
        The evidence in words.
    knows : bool
        Whether it must have been made with the truth, so that it is no confidence.
    measured : bool
        Whether values, not names, tell.
    """

    weight: float
    of_class: str | None
    level: float
    why: str
    knows: bool = False
    measured: bool = False


def test_score(score: Column, answer: Column, truth: Column | None) -> ScoreTest:
    """Test whether a column is the confidence of an answer, or the probability of one class."""
    values = np.exp(score.numbers) if score.is_log else score.scores
    weight, why = _by_name(score, answer, truth)
    knows = measured = False
    if reaches_from_floor(score, answer):
        weight += 1.6
        why = "from one in the number of labels up to 1, as the largest probability does"
    elif keeps_to_floor(values, answer):
        weight += 0.7  # as the largest of that many probabilities must be
    cut = follows(values, answer)
    if cut is not None:
        value, level = cut
        side = f"above {level:.2g} exactly where {answer.name} is {value}"
        return ScoreTest(weight + (5 if level == 0.5 else 3), value, level, side, measured=True)
    if truth is not None:
        both, same = equal_labels(answer, truth)
        rank = ranking(values[both], same[both])
        if rank.area >= _KNOWS and min(rank.yes, rank.no) >= 8:
            knows = True
        if rank.z >= _CLEAR:
            weight += min(rank.z, 6.0)
            measured = True
            why = (
                f"higher where {answer.name} is {truth.name}: in {rank.area:.0%} of pairs, "
                f"{rank.z:.1f} standard errors above half"
            )
        elif rank.z >= 1:
            weight += rank.z / 2
        elif rank.z <= -_CLEAR:
            weight -= 3
            why = f"lower where {answer.name} is right"
    return ScoreTest(weight, None, 0.5, why, knows=knows, measured=measured)


def keeps_to_floor(values: NDArray[np.float64], answer: Column) -> bool:
    """Say whether a number is nowhere below 1 in the number of labels, as the largest of their probabilities."""
    known = values[~np.isnan(values)]
    return bool(
        known.size and len(answer.labels) > 1 and known.min() >= 1 / len(answer.labels) - _OFF
    )


def reaches_from_floor(score: Column, answer: Column) -> bool:
    """Say whether a number goes from 1 in the number of labels to 1, as the largest of their probabilities."""
    if score.score_scale is None or len(answer.labels) < 2:
        return False
    values = score.scores[~np.isnan(score.scores)]
    least = 1 / len(answer.labels)
    return bool(
        values.size >= _ENOUGH_ROWS
        and least - _OFF <= values.min() <= least + _NEAR_FLOOR
        and values.max() >= _NEAR_ONE
    )


def _by_name(score: Column, answer: Column, truth: Column | None) -> tuple[float, str]:
    weight, reasons = 0.0, []
    if {"confidence", "log"} & score.hints:
        weight += 1.5
        reasons.append("its name")
    elif score.tokens in (("p",), ("pr",)):  # too short a name to say it alone
        weight += 0.8
        reasons.append("its name")
    own = {t for t in score.tokens if len(t) > 1 or not t.isascii()}
    own &= set(answer.tokens) - _GENERIC
    if own - set(truth.tokens if truth is not None else ()):
        weight += 1.5
        reasons.append(f"named like {answer.name}")
    if score.place == answer.place + 1:
        weight += 0.5
        reasons.append(f"stands next to {answer.name}")
    if {"measure", "time", "id", "derived", "feature"} & score.hints and not (
        {"confidence"} & score.hints
    ):
        weight -= 3
    if {"id", "second"} & score.hints:
        weight -= 2
    return weight, ", ".join(reasons) or "its values"


def class_score(score: Column, truth: Column) -> tuple[float, str, str, bool] | None:
    """Test whether a score is the probability of one of two true labels.

    Returns the weight of the evidence, the class, the evidence in words, and whether values tell.
    """
    if len(truth.labels) != 2:
        return None
    first, second = sorted(truth.labels)
    values = np.exp(score.numbers) if score.is_log else score.scores
    known = np.array([k in truth.labels for k in truth.keys]) & ~np.isnan(values)
    is_second = truth.keys[known] == second
    rank = ranking(values[known], is_second)
    own = second if rank.area >= 0.5 else first
    weight, measured = 0.0, False
    why = "its name"
    if {"confidence", "log", "answer"} & score.hints:
        weight += 1.5
    named = [v for v in (first, second) if _speaks_of(score.name.casefold(), v) and not v.isdigit()]
    stems = {t for t in score.tokens if len(t) > 3 and any(t[:5] == u[:5] for u in truth.tokens)}
    if len(named) == 1:
        own, weight, why = named[0], weight + 2, f"named for {named[0]}"
    elif stems:
        weight, why = weight + 1, f"named like {truth.name}"
    if {"measure", "id", "time", "derived", "feature"} & score.hints and not named:
        weight -= 3
    if abs(rank.z) >= _CLEAR:
        share = values[known] if own == second else 1 - values[known]
        gain = _gain(share, is_second)
        weight += min(abs(rank.z), 5.0) / 2 + (2 if gain > 0.1 else 0)
        measured = True
        why = f"follows {truth.name}: higher where it is {own} in {max(rank.area, 1 - rank.area):.0%} of pairs"
        if len(named) == 1 and (rank.area >= 0.5) != (own == second):
            weight -= 4
    elif len(named) != 1:
        truths = [v for v in (first, second) if truth_of(v)]
        if len(truths) != 1:
            return weight, "", why, False
        own = truths[0]
    return weight, own, why, measured


def _gain(share: NDArray[np.float64], holds: NDArray[np.bool_]) -> float:
    """Return by how much a probability beats the base rate, in nats a row."""
    p = np.clip(share, 1e-3, 1 - 1e-3)
    rate = float(np.clip(holds.mean(), 1e-3, 1 - 1e-3))
    own = float(np.mean(np.where(holds, np.log(p), np.log(1 - p))))
    return own - (rate * float(np.log(rate)) + (1 - rate) * float(np.log(1 - rate)))
