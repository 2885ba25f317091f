"""Which columns are a model's answer, how sure it was, and the truth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np

from askpoint.records.readers.evidence.columns import Column, label_key
from askpoint.records.readers.evidence.relations import (
    agreement,
    is_correctness,
    shares_labels,
)
from askpoint.records.readers.evidence.scores_found import (
    Group,
    ScoreTest,
    class_score,
    groups_that_sum,
    test_score,
)
from askpoint.records.readers.reading import Choices

__all__ = ["Cast", "answer_weight", "casts_of", "correctness_flags", "truth_weight"]

_ENOUGH = 1.4  # nats from which a score is one
_SURELY = (
    3.0  # standard errors beyond the most frequent label from which probabilities know a truth
)
_TOO_MANY = 10.0  # mistakes that probabilities expect, of which labels by others show not one


class Cast(NamedTuple):
    """One way in which columns are an answer, a score and a truth.

    Attributes
    ----------
    answer, truth, score : Column or None
        Who is what.
    group : Group or None
        Probabilities of all classes.
    test : ScoreTest or None
        What the score is.
    of_class : str or None
        The class that a single score is the probability of.
    weight : float
        Evidence, in nats.
    names : float
        The part of it that names give to who is the answer and who the truth.
    """

    answer: Column | None
    truth: Column | None
    score: Column | None
    group: Group | None
    test: ScoreTest | None
    of_class: str | None
    weight: float
    names: float


def answer_weight(column: Column, other: Column | None) -> float:
    """Return the evidence of a name and of filled rows that a column is a machine's answer."""
    weight = 0.0
    people = bool({"truth", "person"} & column.hints)
    if "answer" in column.hints:
        weight += 0.0 if people else 2.0
    elif people:
        weight -= 2.0
    if "second" in column.hints:
        weight -= 4.0
    if other is not None:
        if not people and _contains(column, other):
            weight += 1.5
        if column.filled > 0.95 and other.filled < 0.9:
            weight += 1.5
        elif column.filled < 0.9 and other.filled > 0.95:
            weight -= 1.5
    return weight


def truth_weight(column: Column) -> float:
    """Return the evidence of a name that a column is what people or the world say."""
    if "second" in column.hints:
        return -4.0
    if {"truth", "person"} & column.hints:
        return 2.0
    if "answer" in column.hints:
        return -2.0
    return 0.5 if "label" in column.hints else 0.0


def _contains(column: Column, other: Column) -> bool:
    own, short = column.name.casefold(), other.name.casefold()
    return len(own) > len(short) > 1 and short in own


def correctness_flags(labels: Sequence[Column], marks: Sequence[Column]) -> dict[str, str]:
    """Return the columns that only say where two others are equal, and of which two."""
    found: dict[str, str] = {}

    @cache
    def are_linked(first: int, second: int) -> bool:
        a, b = labels[first], labels[second]
        return shares_labels(a, b) and agreement(a, b).z > 0

    for flag in marks:
        is_named = "correct" in flag.hints
        if {"truth", "person"} & flag.hints and not is_named:
            continue
        others = [  # each once for a flag, and only then in pairs: a wide table has many
            i
            for i, a in enumerate(labels)
            if is_named or not flag.labels or not shares_labels(flag, a)
        ]
        pairs = (
            (labels[i], labels[j])
            for i in others
            for j in range(i + 1, len(labels))
            if are_linked(i, j)
        )
        for a, b in pairs:
            if flag in (a, b) or {a.name, b.name} & set(found):
                continue
            if is_correctness(flag, a, b):
                found[flag.name] = f"{a.name} is {b.name}"
                break
    return found


def casts_of(
    columns: Sequence[Column], labels: Sequence[Column], scores: Sequence[Column], choices: Choices
) -> list[Cast]:
    """Return all ways in which columns are an answer, a score and a truth, best first."""
    found = [c for c in _all(columns, labels, scores) if _fits(c, choices)]
    return sorted(found, key=lambda c: -c.weight)


def _fits(cast: Cast, choices: Choices) -> bool:
    for column, name in ((cast.answer, choices.prediction), (cast.truth, choices.label)):
        if name is not None and (column is None or column.name != name):
            return False
    if choices.confidence is not None:
        return cast.score is not None and cast.score.name == choices.confidence
    return True


def _all(
    columns: Sequence[Column], labels: Sequence[Column], scores: Sequence[Column]
) -> Iterator[Cast]:
    groups = groups_that_sum(columns, labels)
    grouped = {c.name for g in groups for c in g.columns}
    singles = [s for s in scores if s.name not in grouped]
    couples: list[tuple[Column | None, Column | None]] = [
        (a, t) for a, t in permutations(labels, 2) if shares_labels(a, t)
    ]
    couples += [(a, None) for a in labels] + [(None, t) for t in labels] + [(None, None)]
    for answer, truth in couples:
        names = (answer_weight(answer, truth) if answer is not None else 0.0) + (
            truth_weight(truth) if truth is not None else 0.0
        )
        common = names
        if answer is not None and truth is not None:
            how = agreement(answer, truth)
            common += 1.0 + (1.0 if how.z > 3 else -1.0 if how.n >= 20 and how.z < 0 else 0.0)
        elif answer is not None:
            # labels that nobody checked: more must speak for an answer
            common -= 0.5
        for group in groups:
            yield from _of_group(group, answer, truth, common, names)
        for score in (s for s in singles if s not in (answer, truth)):
            yield from _of_single(score, answer, truth, common, names)


def _of_group(
    group: Group, answer: Column | None, truth: Column | None, common: float, names: float
) -> Iterator[Cast]:
    weight = common + 3.0
    best = group.best()
    classes = {label_key(name) for name in group.classes}
    named = any(c.hints & {"confidence", "percent", "answer", "log"} for c in group.columns)
    if answer is not None:
        known = np.array([k is not None for k in answer.keys])
        if not answer.labels <= classes or not known.any():
            return
        exact = float(np.mean(best[known] == answer.keys[known]))
        weight += 5.0 if exact > 0.97 else -4.0
    if truth is not None:
        if len(truth.labels & classes) * 2 < len(truth.labels):
            if truth.labels & classes or not named:
                return
            weight -= 1.0
        else:
            known = np.array([k is not None for k in truth.keys])
            chance = (
                max(np.mean(truth.keys[known] == v) for v in truth.labels) if known.any() else 1
            )
            right = float(np.mean(best[known] == truth.keys[known])) if known.any() else 0.0
            noise = _SURELY * np.sqrt(chance * (1 - chance) / max(known.sum(), 1))
            weight += 3.0 + (2.0 if right > chance + max(0.05, noise) else 0.0)
            if answer is None and right == 1 and group.expected_mistakes(known) > _TOO_MANY:
                weight -= 8.0  # the answers themselves
    elif answer is None and not named:
        return
    yield Cast(
        answer=answer,
        truth=truth,
        score=None,
        group=group,
        test=None,
        of_class=None,
        weight=weight,
        names=names,
    )


def _of_single(
    score: Column, answer: Column | None, truth: Column | None, common: float, names: float
) -> Iterator[Cast]:
    if answer is not None:
        test = test_score(score, answer, truth)
        weight = test.weight
        if truth is None:
            hint = "answer" in answer.hints or "confidence" in score.hints
            weight -= 0.0 if hint or test.measured else 2.0
        if weight >= _ENOUGH:
            yield Cast(
                answer=answer,
                truth=truth,
                score=score,
                group=None,
                test=test,
                of_class=test.of_class,
                weight=common + weight,
                names=names,
            )
    elif truth is not None:
        found = class_score(score, truth)
        if found is None:
            return
        weight, of_class, why, measured = found
        named = bool({"confidence", "log", "answer"} & score.hints)
        if weight >= _ENOUGH and (named or weight > 5.5):
            test = ScoreTest(weight, of_class or None, 0.5, why, measured=measured)
            yield Cast(
                answer=None,
                truth=truth,
                score=score,
                group=None,
                test=test,
                of_class=of_class or None,
                weight=common + weight - 1.0,
                names=names,
            )
