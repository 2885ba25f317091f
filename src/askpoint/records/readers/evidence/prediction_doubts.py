"""What must be asked about a reading as predictions that names and values do not force."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from askpoint.records.readers.evidence.columns import Column, label_key
from askpoint.records.readers.evidence.machine_words import is_named_for_a_machine
from askpoint.records.readers.evidence.relations import (
    agreement,
    equal_labels,
    follows,
    ranking,
    shares_labels,
)
from askpoint.records.readers.evidence.scores_found import keeps_to_floor, reaches_from_floor
from askpoint.records.readers.evidence.words import Hint
from askpoint.records.readers.reading import Doubt, Reading

__all__ = [
    "OTHER",
    "answer_or_vote",
    "are_letters",
    "doubts_of_predictions",
    "falls_where_equal",
    "is_ruled_out",
    "share_names",
    "unsure_or_vote",
]

_SUPPORT = 2.5  # standard errors beyond chance from which two columns have something in common
_CHANCE = 1.5  # below as many, what two columns say has nothing in common
_FEW_ROWS = 20
_ENOUGH = 25  # rows from which it is no accident that a score cuts the answers at one half
_OTHERWISE = (
    0.1  # share of rows from which answers are not those of a probability that is cut at one half
)
_DIFFERENT = 5  # values from which a number may be a confidence
_GENERIC = frozenset({"label", "class", "score", "pred", "prediction", "the", "y", "p", "is", "of"})
OTHER: set[Hint] = {"id", "measure", "time", "derived", "feature", "second", "system", "tool"}


def doubts_of_predictions(
    label: Column | None,
    answer: Column | None,
    scores: Sequence[Column],
    free: Sequence[Column],
    reading: Reading,
    *,
    letters: bool,
) -> Iterator[Doubt]:
    """Yield what must be asked about a reading as predictions, what matters most first.

    Parameters
    ----------
    label, answer : Column or None
        What was taken for the true label and for the model's answer.
    scores : sequence of Column
        What was taken for how sure the model was.
    free : sequence of Column
        Columns that the reading does not use.
    reading : Reading
        The reading.
    letters : bool
        Whether the columns are called by letters, so that y and p are no names.
    """
    labels = [c for c in free if c.is_label and not (OTHER & c.hints) and "correct" not in c.hints]
    of = answer if answer is not None and answer not in scores else None
    if label is None:
        yield from _doubts_without_label(of, labels, reading)
        return
    if of is not None and _is_called_truth(of) and not _is_called_truth(label):
        yield _which_label(of, [label], f"{of.name} is named for the true label")
    if of is not None and len(scores) == 1:
        score = scores[0]
        own = share_names(score, of) or reading.confidence is None
        if share_names(score, label) and not own:
            yield _which_label(of, [label], f"{score.name} is named after {label.name}")
    if is_named_for_a_machine(label) and not ({"truth", "person", "judge"} & label.hints):
        yield Doubt(
            f"{label.name} is named for a model's answer: is it the true label all the same (--label {label.typed})? If not, "
            "name the column that is", "--label", must_be_settled=True,
        )  # fmt: skip
    if of is not None and label.filled and not shares_labels(of, label):
        yield _which_label(of, [label], f"no answer in {of.name} is a label in {label.name}")
        of = None
    if of is not None:
        yield from _doubts_of_answer(label, of, labels)
        yield from _ask_other_model(label, of, scores, labels, free)
    else:
        empty = any(c.fact.role == "empty" for c in free)
        yield from _doubts_of_label(label, scores, labels, empty=empty)
    if len(scores) == 1 and of is not None and "confidence" not in scores[0].hints:
        hired = [c for c in (label, *labels) if "judge" in c.hints and shares_labels(c, of)]
        if len(hired) > 1 or (hired == [label] and not {"truth", "person", "label"} & label.hints):
            yield answer_or_vote(of, label, scores[0])
    if len(scores) == 1 and of is None and "confidence" not in scores[0].hints:
        yield from _ask_alike(label, scores[0], free)
    if len(scores) == 1 and of is not None:
        yield from _ask_other_score(of, scores[0], free, reading, letters=letters)
    if len(scores) == 1 and not _is_backed(scores[0], of, label, letters=letters):
        yield Doubt(
            f"nothing but its place says that {scores[0].name} is how sure the model was: name it with "
            f"--{'proba' if of is None else 'confidence'} {scores[0].name}, or name another column",
            "--proba" if of is None else "--confidence", must_be_settled=True,
        )  # fmt: skip


def are_letters(columns: Sequence[Column]) -> bool:
    """Say whether columns are called by letters, beside y, p and x, which mathematics gives a sense."""
    return any(len(c.name) == 1 and c.name.isalpha() and c.name not in "ypxYPX" for c in columns)


def _doubts_without_label(
    of: Column | None, labels: Sequence[Column], reading: Reading
) -> Iterator[Doubt]:
    classes = {label_key(name) for name in reading.classes}
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


def _doubts_of_answer(label: Column, of: Column, labels: Sequence[Column]) -> Iterator[Doubt]:
    """Ask where an answer has nothing in common with its label, or less than another column has."""
    own = agreement(of, label).z
    named = {"truth", "person", "label"} & label.hints and "answer" in of.hints
    if own < _CHANCE:
        better = [c for c in labels if shares_labels(c, of) and agreement(c, of).z > _SUPPORT]
        if better or not named:
            yield _which_label(
                of, [label, *better], f"{of.name} says nothing in common with {label.name}"
            )
    if "answer" in of.hints:
        return
    for column in labels:
        if shares_labels(column, label) and agreement(column, label).z > own:
            yield Doubt(
                f"{column.name} says more in common with {label.name} than {of.name} does: which column holds the "
                f"model's answers? Name it with --prediction {column.typed} or --prediction {of.typed}",
                "--prediction", must_be_settled=True,
            )  # fmt: skip


def _ask_other_model(
    label: Column,
    of: Column,
    scores: Sequence[Column],
    labels: Sequence[Column],
    free: Sequence[Column],
) -> Iterator[Doubt]:
    """Ask whose answers are meant where another column of answers has a confidence named after it."""
    for column in labels:
        if {"truth", "person", "judge"} & column.hints or not shares_labels(column, label):
            continue
        own = [c for c in free if c.score_scale is not None and "confidence" in c.hints]
        own = [c for c in own if share_names(c, column) and not share_names(c, of)]
        if own and scores:
            one, other = (of, scores[0]), (column, own[0])
            yield Doubt(
                f"answers of two models, {of.name} with {scores[0].name} and {column.name} with {own[0].name}: name "
                + " or ".join(f"--prediction {a.typed} --confidence {s.typed}" for a, s in (one, other))
                + f", or compare them as judges with --judges {of.typed},{column.typed}",
                "--prediction", must_be_settled=True,
            )  # fmt: skip
            return


def _doubts_of_label(
    label: Column, scores: Sequence[Column], labels: Sequence[Column], *, empty: bool
) -> Iterator[Doubt]:
    """Ask which column is the label where scores alone say nothing of it, or nothing more than of another one.

    A column that is `empty` may be the one in which nobody has written yet.
    """
    if _is_called_truth(label):
        return
    bar = _SUPPORT if empty else _CHANCE
    tells = any(_separation(s, label) > bar for s in scores)
    if "label" not in label.hints and scores and not tells:
        yield Doubt(
            f"the probabilities say nothing of {label.name}: is it the true label all the same (--label {label.typed})? "
            "If not, name the column that is",
            "--label", must_be_settled=True,
        )  # fmt: skip
    for column in labels:
        if shares_labels(column, label) and not _tell_more(scores, label, column):
            yield _which_label(
                label, [label, column], f"the probabilities fit {column.name} as well"
            )


def _ask_alike(label: Column, score: Column, free: Sequence[Column]) -> Iterator[Doubt]:
    """Ask whether scores that are called alike are those of several judges, where one alone was used."""
    alike = [c for c in free if c.score_scale == 1.0 and share_names(c, score)]
    if alike:
        names = ",".join(c.name for c in (score, *alike))
        yield Doubt(
            f"is {score.name} alone a model's probability (--label {label.typed} --proba {score.typed}), or are "
            f"these scores of judges (--judges {names} --pass-at 0.5)?", "--judges", must_be_settled=True,
        )  # fmt: skip


def _ask_other_score(
    of: Column, score: Column, free: Sequence[Column], reading: Reading, *, letters: bool
) -> Iterator[Doubt]:
    """Ask where another number is named for a confidence, or keeps to what one must be, and the one that was taken does not."""
    values = score.scores
    if reading.confidence is None and _cuts_otherwise(score, of):
        yield Doubt(
            f"{of.name} does not say where {score.name} is above 0.5: is {score.name} how sure {of.name} was "
            f"(--prediction {of.typed} --confidence {score.typed}), or the probability of one class (--proba {score.typed})?",
            "--confidence", must_be_settled=True,
        )  # fmt: skip
    if {"confidence", "log", "percent"} & score.hints or share_names(score, of):
        return
    if _is_called_p(score, letters=letters) or (len(values) >= _ENOUGH and follows(values, of)):
        return
    fits = reading.confidence is not None and keeps_to_floor(values, of)
    for column in free:
        if column.score_scale != 1.0 or OTHER & column.hints or column.fact.different < _DIFFERENT:
            continue
        if "confidence" in column.hints or (keeps_to_floor(column.scores, of) and not fits):
            yield Doubt(
                f"which column says how sure {of.name} was, {score.name} or {column.name}? Name it with --confidence",
                "--confidence", must_be_settled=True,
            )  # fmt: skip
            return


def _cuts_otherwise(score: Column, of: Column) -> bool:
    """Say whether answers often are not those of two labels whose probability is above one half."""
    if len(of.labels) != 2 or score.score_scale is None:
        return False
    known = np.array([key is not None for key in of.keys]) & ~np.isnan(score.scores)
    said = of.keys[known] == min(of.labels)
    above = float(np.mean(said == (score.scores[known] >= 0.5))) if known.any() else 1.0
    return _OTHERWISE < above < 1 - _OTHERWISE


def _tell_more(scores: Sequence[Column], label: Column, other: Column) -> bool:
    """Say whether scores clearly know a label better than they know another one."""
    return any(_separation(s, label) - _separation(s, other) > _SUPPORT for s in scores)


def _separation(score: Column, label: Column) -> float:
    """Return by how many standard errors a score tells one of the labels from the others."""
    known = np.array([key is not None for key in label.keys])
    return max(
        abs(ranking(score.numbers[known], label.keys[known] == value).z) for value in label.labels
    )


def _is_called_truth(column: Column) -> bool:
    return bool({"truth", "person"} & column.hints) and "answer" not in column.hints


def _which_label(of: Column, columns: Sequence[Column], why: str) -> Doubt:
    found = dict.fromkeys(c.name for c in (*columns, of))
    names = " or ".join(found)
    return Doubt(
        f"which column is the true label, {names}? {why}; name it with --label",
        "--label", must_be_settled=True,
    )  # fmt: skip


def _is_backed(score: Column, answer: Column | None, label: Column, *, letters: bool) -> bool:
    """Say whether a name, or its values, speak for a score."""
    if _is_called_p(score, letters=letters) or {"confidence", "log", "percent"} & score.hints:
        return True
    if answer is not None and (share_names(score, answer) or follows(score.scores, answer)):
        return True
    if answer is not None and reaches_from_floor(score, answer):
        return not is_ruled_out(score, answer, label)
    if answer is not None:
        both, same = equal_labels(answer, label)
        return ranking(score.numbers[both], same[both]).z > _SUPPORT
    if len(label.labels) != 2:
        return True
    known = np.array([key is not None for key in label.keys])
    holds = label.keys == min(label.labels)
    return abs(ranking(score.numbers[known], holds[known]).z) > _SUPPORT


def _is_called_p(score: Column, *, letters: bool) -> bool:
    return score.tokens[:1] in (("p",), ("pr",)) and not (letters and len(score.name) == 1)


def answer_or_vote(answer: Column, truth: Column, score: Column) -> Doubt:
    """Ask whether two columns are an answer and its truth, with a confidence, or two judges."""
    if "answer" in truth.hints - answer.hints or {"truth", "person"} & answer.hints - truth.hints:
        answer, truth = truth, answer
    return Doubt(
        f"does {score.name} say how sure {answer.name} was, and is {truth.name} the true label (--label {truth.typed} "
        f"--prediction {answer.typed} --confidence {score.typed}), or are they votes of judges (--kind votes)?",
        "--kind", must_be_settled=True,
    )  # fmt: skip


def falls_where_equal(number: Column, first: Column, second: Column) -> bool:
    """Say whether a number is lower where two columns agree."""
    both, same = equal_labels(first, second)
    return bool(ranking(number.numbers[both], same[both]).z < -_SUPPORT)


def unsure_or_vote(first: Column, second: Column, number: Column) -> Doubt:
    """Ask about a number that is lower where two columns agree."""
    return Doubt(
        f"{number.name} is lower where {first.name} and {second.name} agree: does it say how unsure a model was (make a column "
        f"of the opposite, and name it with --confidence), or are they votes of judges (--kind votes)?",
        "--kind", must_be_settled=True,
    )  # fmt: skip


def is_ruled_out(number: Column, first: Column, second: Column) -> bool:
    """Say whether enough rows show that a number has nothing to do with where two agree."""
    both, same = equal_labels(first, second)
    rank = ranking(number.numbers[both], same[both])
    return min(rank.yes, rank.no) >= _FEW_ROWS and rank.z < 1


def share_names(score: Column, other: Column) -> bool:
    """Say whether a score is named after a column of labels."""
    common = set(score.tokens) & set(other.tokens) - _GENERIC
    return any(len(word) > 1 or not word.isascii() for word in common)
