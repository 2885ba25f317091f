"""A second look at a reading: what it leaves unexplained, and what nothing but a name speaks for."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from askpoint.records.readers.evidence.columns import Column, label_key
from askpoint.records.readers.evidence.relations import (
    agreement,
    equal_labels,
    follows,
    ranking,
    shares_labels,
)
from askpoint.records.readers.evidence.scores_found import reaches_from_floor
from askpoint.records.readers.evidence.vote_roles import stem_of
from askpoint.records.readers.evidence.words import Hint
from askpoint.records.readers.reading import Doubt, Reading
from askpoint.records.readers.stated_confidence import numbers_of_words

__all__ = ["look_again"]

_MOST = 8  # columns of each kind among which relations are looked for
_SUPPORT = 2.5  # standard errors beyond chance from which an unnamed column votes on the same
_CHANCE = 1.5  # below as many, what two columns say has nothing in common
_FEW_ROWS = 20
_GENERIC = frozenset({"label", "class", "score", "pred", "prediction", "the", "y", "p", "is", "of"})
_OTHER: set[Hint] = {"id", "measure", "time", "derived", "feature", "second", "system", "tool"}
_MODELS = frozenset(
    [
        "claude",
        "sonnet",
        "haiku",
        "opus",
        "mistral",
        "mixtral",
        "llama",
        "gemini",
        "gemma",
        "qwen",
        "deepseek",
        "grok",
        "phi",
        "command",
    ]
)
_CALLED: set[Hint] = {"judge", "person", "truth", "answer"}


def look_again(reading: Reading, columns: Sequence[Column], made: Sequence[str]) -> Doubt | None:
    """Return what must be asked about a reading that names and values do not force, or None.

    Parameters
    ----------
    reading : Reading
        What a table was read as.
    columns : sequence of Column
        All its columns.
    made : sequence of str
        Columns that are known to be made of others: no votes, and no scores.
    """
    if reading.open_doubt is not None:
        return None
    by_name = {column.name: column for column in columns}
    if reading.kind == "votes":
        voters = [by_name[name] for name in reading.judges if name in by_name]
        gold = by_name.get(reading.gold.source) if reading.gold is not None else None
        used = {*reading.judges, reading.id, gold.name if gold is not None else None, *made}
        free = [c for c in columns if c.name not in used]
        return next(_doubts_of_votes(voters, gold, free, asked=reading.gold is not None), None)
    label = by_name.get(reading.label) if reading.label is not None else None
    answer = by_name.get(reading.prediction) if reading.prediction is not None else None
    scores = [c for c in columns if c.name in {reading.confidence, *reading.probabilities.values()}]
    used = {reading.label, reading.prediction, reading.id, *made, *(c.name for c in scores)}
    free = [c for c in columns if c.name not in used]
    return next(_doubts_of_predictions(label, answer, scores, free, reading), None)


def _doubts_of_votes(
    judges: Sequence[Column], gold: Column | None, free: Sequence[Column], *, asked: bool
) -> Iterator[Doubt]:
    numbers = [c for c in free if _may_be_score(c)]
    yield from _knowing(judges, gold, numbers)
    yield from _ask_in_words(judges, gold, free)
    units = [c for c in numbers if c.score_scale == 1.0]
    plain = [c for c in judges if not ({"judge", "person"} & c.hints)]
    if len(judges) == 2 and not asked and len(plain) == 2:
        for unit in units:
            if not _is_ruled_out(unit, judges[0], judges[1]):
                yield _answer_or_vote(judges[0], judges[1], unit)
    own = [c for c in units if _is_called_score(c, judges)]
    if own and len(own) < len(judges):
        of = next((j for j in judges if _share_names(own[0], j)), judges[0])
        other = gold or next((j for j in judges if j is not of), None)
        if other is not None:
            yield _answer_or_vote(of, other, own[0])
    yield from _ask_left_out(judges, gold, [c for c in free if c.is_label])
    yield from _ask_unsupported(judges, gold, alone=not units)
    yield from _apart(judges, gold)


def _knowing(
    judges: Sequence[Column], gold: Column | None, numbers: Sequence[Column]
) -> Iterator[Doubt]:
    """Ask about a number that is higher where two columns agree, or at one of two labels."""
    several = len(judges) > 2
    numbers = [c for c in numbers if not several or c.score_scale == 1.0][:_MOST]
    family = [*([gold] if gold is not None else []), *judges[:_MOST]]
    pairs = list(combinations(family, 2))[: 2 * _MOST]
    level = _level(len(numbers) * (len(pairs) + len(family)))
    for number in numbers:
        for first, second in pairs:
            both, same = equal_labels(first, second)
            if ranking(number.numbers[both], same[both]).z > level:
                yield _answer_or_vote(first, second, number)
        for column in family if not several else ():
            if len(column.labels) != 2:
                continue
            holds = column.keys == min(column.labels)
            known = np.array([key is not None for key in column.keys])
            if abs(ranking(number.numbers[known], holds[known]).z) > level:
                yield _class_or_vote(column, number, [c for c in family if c is not column])


def _ask_in_words(
    judges: Sequence[Column], gold: Column | None, free: Sequence[Column]
) -> Iterator[Doubt]:
    """Ask about words such as low and high in a column that is called a confidence."""
    family = [*judges, *([gold] if gold is not None else [])]
    for column in free:
        if "confidence" in column.hints and numbers_of_words(column.texts) is not None:
            of = next((j for j in judges if _share_names(column, j)), judges[0])
            other = gold or next((c for c in family if c is not of), None)
            if other is not None:
                yield _answer_or_vote(of, other, column)
                return


def _is_ruled_out(number: Column, first: Column, second: Column) -> bool:
    """Say whether enough rows show that a number has nothing to do with where two agree."""
    both, same = equal_labels(first, second)
    rank = ranking(number.numbers[both], same[both])
    return min(rank.yes, rank.no) >= _FEW_ROWS and rank.z < 1


def _ask_left_out(
    judges: Sequence[Column], gold: Column | None, labels: Sequence[Column]
) -> Iterator[Doubt]:
    """Ask about a column of the judges' labels that is named for a judge, or the only one left."""
    for column in labels:
        alike = [c for c in judges if shares_labels(c, column)]
        other = bool(_OTHER & column.hints)
        named = not other and (_CALLED & column.hints or (len(judges) == 1 and gold is None))
        level = _SUPPORT if other else 1
        if alike and (named or any(agreement(c, column).z > level for c in alike[:_MOST])):
            names = ",".join(c.name for c in judges)
            yield Doubt(
                f"is {column.name} one more judge (--judges {names},{column.name}), or not (--judges {names})?",
                "--judges", must_be_settled=True,
            )  # fmt: skip
            return


def _level(tests: int) -> float:
    """Return the standard errors that one of so many tests passes by chance once in 200 tables."""
    return math.sqrt(2 * math.log(200 * max(tests, 1)))


def _answer_or_vote(answer: Column, truth: Column, score: Column) -> Doubt:
    if "answer" in truth.hints - answer.hints or {"truth", "person"} & answer.hints - truth.hints:
        answer, truth = truth, answer
    return Doubt(
        f"does {score.name} say how sure {answer.name} was, and is {truth.name} the true label (--label {truth.typed} "
        f"--prediction {answer.typed} --confidence {score.typed}), or are they votes of judges (--kind votes)?",
        "--kind", must_be_settled=True,
    )  # fmt: skip


def _class_or_vote(label: Column, score: Column, family: Sequence[Column]) -> Doubt:
    if score.score_scale is None and score.fact.low is not None and score.fact.low < 0:
        how = f" (--label {label.typed} --proba {score.typed} --scores softmax)"
    else:
        how = f" (--label {label.typed} --proba {score.typed})"
    judges = ", ".join(c.name for c in family) or label.name
    return Doubt(
        f"{score.name} tells the label in {label.name}: is it a model's score{how}, or are {judges} votes of "
        "judges (--kind votes)?", "--kind", must_be_settled=True,
    )  # fmt: skip


def _ask_unsupported(
    judges: Sequence[Column], gold: Column | None, *, alone: bool
) -> Iterator[Doubt]:
    """Ask about a column that is called nothing and says nothing in common with the others."""
    if len(judges) + (gold is not None) < 2:
        return
    others = [*judges, *([gold] if gold is not None else ())]
    some = any(agreement(a, b).z >= _SUPPORT for a, b in combinations(others[:_MOST], 2))
    if alone and not some and not all(c.all_truths for c in judges):
        return  # labels that nobody writes but judges, and no one column is odd
    for column in judges:
        near = [c for c in others if c is not column][: 4 * _MOST]
        words = {word for word in column.tokens if not word.isdigit()}
        if _CALLED & column.hints or words & _MODELS or any(words & set(c.tokens) for c in near):
            continue
        if all(agreement(column, c).z < _SUPPORT for c in near):
            rest = ",".join(c.name for c in judges if c is not column)
            yield Doubt(
                f"{column.name} says nothing in common with {near[0].name}{' and others' * (len(near) > 1)}: is it a "
                f"judge (--kind votes), or not (--judges {rest})?", "--judges", must_be_settled=True,
            )  # fmt: skip


def _apart(judges: Sequence[Column], gold: Column | None) -> Iterator[Doubt]:
    """Ask about one column named for people or the truth beside others that are called alike."""
    stems = [stem_of(c) for c in judges]
    for column, own in zip(judges, stems, strict=True):
        rest = {stem for c, stem in zip(judges, stems, strict=True) if c is not column}
        alone = len(judges) > 2 and len(rest) == 1 and own not in rest and () not in rest
        if gold is None and alone and {"person", "truth", "derived"} & column.hints:
            yield Doubt(
                f"is {column.name} the truth (--gold {column.typed}), or one more judge (--kind votes)?",
                "--gold",
                must_be_settled=True,
            )


def _doubts_of_predictions(
    label: Column | None,
    answer: Column | None,
    scores: Sequence[Column],
    free: Sequence[Column],
    reading: Reading,
) -> Iterator[Doubt]:
    labels = [c for c in free if c.is_label and not (_OTHER & c.hints) and "correct" not in c.hints]
    classes = {label_key(name) for name in reading.classes}
    of = answer if answer is not None and answer not in scores else None
    if label is None:
        known = [c for c in labels if c.labels <= classes or (of and shares_labels(c, of))]
        known = [c for c in known if of is None or agreement(c, of).z > _SUPPORT]
        if known:
            yield Doubt(
                f"is {known[0].name} the true label (--label {known[0].typed}), or has no case a label yet (--kind "
                "predictions)?", "--label", must_be_settled=True,
            )  # fmt: skip
        elif of is not None and not ({"answer", "judge"} & of.hints) and not reading.confidence:
            yield Doubt(
                f"is {of.name} the true label (--label {of.typed}), or what the model answered (--prediction {of.typed})?",
                "--label", must_be_settled=True,
            )  # fmt: skip
        return
    of = of if of is not None and shares_labels(of, label) else None
    if of is not None and agreement(of, label).n >= _FEW_ROWS and agreement(of, label).z < _CHANCE:
        better = [c for c in labels if shares_labels(c, of) and agreement(c, of).z > _SUPPORT]
        unnamed = not ({"truth", "person", "label"} & label.hints and "answer" in of.hints)
        if better or unnamed:
            names = [label.name, *(c.name for c in better)]
            yield Doubt(
                f"{of.name} says nothing in common with {label.name}: which column is the true label, "
                f"{' or '.join(names)}? Name it with --label", "--label", must_be_settled=True,
            )  # fmt: skip
    if (
        len(scores) == 1
        and of is not None
        and "judge" in label.hints
        and not ({"truth", "person", "label"} & label.hints or "confidence" in scores[0].hints)
    ):
        yield _answer_or_vote(of, label, scores[0])
    if len(scores) == 1 and not _is_backed(scores[0], of, label):
        yield Doubt(
            f"nothing but its place says that {scores[0].name} is how sure the model was: name it with "
            f"--{'proba' if of is None else 'confidence'} {scores[0].name}, or name another column",
            "--proba" if of is None else "--confidence", must_be_settled=True,
        )  # fmt: skip


def _is_backed(score: Column, answer: Column | None, label: Column) -> bool:
    """Say whether a name, or its values, speak for a score."""
    if {"confidence", "log", "percent"} & score.hints or score.tokens[:1] in (("p",), ("pr",)):
        return True
    if answer is not None and (_share_names(score, answer) or follows(score.scores, answer)):
        return True
    if answer is not None and reaches_from_floor(score, answer):
        return not _is_ruled_out(score, answer, label)
    if answer is not None:
        both, same = equal_labels(answer, label)
        return ranking(score.numbers[both], same[both]).z > _SUPPORT
    if len(label.labels) != 2:
        return True
    known = np.array([key is not None for key in label.keys])
    holds = label.keys == min(label.labels)
    return abs(ranking(score.numbers[known], holds[known]).z) > _SUPPORT


def _may_be_score(column: Column) -> bool:
    fact = column.fact
    if not fact.is_number or fact.role in ("id", "time") or fact.different < 5:
        return False
    return "confidence" in column.hints or not _OTHER & column.hints


def _is_called_score(column: Column, judges: Sequence[Column]) -> bool:
    return "confidence" in column.hints or any(_share_names(column, j) for j in judges)


def _share_names(score: Column, other: Column) -> bool:
    return bool(set(score.tokens) & set(other.tokens) - _GENERIC)
