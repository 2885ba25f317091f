"""Logs of an assistant's answers as tables of one answer and one confidence a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import polars as pl

from askpoint.errors import LogError
from askpoint.records.label_words import MOST_LABELS, spelling_key, truth_of
from askpoint.records.readers.evidence.grade_words import (
    grades_wrong,
    names_a_grade,
    names_an_opinion,
)
from askpoint.records.readers.evidence.words import hints_of, tokens_of
from askpoint.records.readers.grids import CellGrid
from askpoint.records.readers.reading import Choices, Doubt
from askpoint.records.readers.scores import split_score_name
from askpoint.records.readers.stated_confidence import (
    SampledAnswers,
    abstains,
    find_samples,
    numbers_of_words,
)
from askpoint.records.roles import ColumnFacts

__all__ = ["PlainAnswers", "as_plain_answers"]

_GRADES = ("right", "wrong")


class PlainAnswers(NamedTuple):
    """A table with an answer and a confidence a row, and what was done to make that of it.

    Attributes
    ----------
    grid : CellGrid
        Rows with an answer.
    choices : Choices
        Which of its columns are what.
    states : polars.Series
        Which rows were answered and which declined.
    """

    grid: CellGrid
    choices: Choices
    states: pl.Series


def as_plain_answers(
    grid: CellGrid,
    facts: Sequence[ColumnFacts],
    choices: Choices,
    prediction: str | None,
    label: str | None,
) -> PlainAnswers | None:
    """Return plain answers if some are missing, given several times, graded, or sure in words."""
    frame, said = grid.frame, list(grid.said)
    correct = None
    if choices.label is None and choices.prediction is None:
        correct = _correct(facts, prediction)
    if correct is None and label is None and prediction is None:
        correct = _not_yet_correct(facts)
    answer = prediction
    answer = None if answer == label else answer
    confidence = choices.confidence or _find_stated_confidence(facts)
    samples = None
    if label is not None or correct is not None:
        samples = find_samples(grid, facts, answer)
    if samples is not None:
        frame = frame.drop(samples.columns).with_columns(
            samples.answers.alias("\x00answer"), samples.confidence.alias("\x00confidence")
        )
        said.append(samples.said if choices.kind is not None else _ask_if_votes(samples))
        answer, confidence = "\x00answer", "\x00confidence"
    if confidence is None or (answer is None and correct is None):
        return None
    words = numbers_of_words(frame[confidence])
    if words is not None:
        frame = frame.with_columns(words.alias("\x00confidence"))
        said.append(
            Doubt(
                f"{confidence} in words, taken in their order from unsure to sure"
                + ("" if choices.confidence else f": say so with --confidence {confidence}"),
                "--confidence",
                must_be_settled=choices.confidence is None,
            )
        )
        confidence = "\x00confidence"
    states = pl.Series("state", ["answered"] * frame.height, dtype=pl.String)
    classes = choices.classes
    if answer is not None:
        texts = frame[answer].cast(pl.String)
        known = _classes(frame, label)
        none = [t for t in texts.unique() if abstains(t) and spelling_key(t or "") not in known]
        if none:
            gone = texts.is_null() | texts.is_in([text for text in none if text is not None])
            states = states.to_frame().select(
                pl.when(gone).then(pl.lit("declined")).otherwise("state").alias("state")
            )["state"]
            shown = ", ".join(sorted({repr(t) for t in none if t} or {"an empty cell"})[:4])
            said.append(Doubt(f"{shown} taken for no answer: {int(gone.sum())} rows abstain"))
            frame = frame.filter(~gone)
            if not frame.height:
                raise LogError(f"{grid.name}: the model answered nothing, {answer!r} is empty")
    if correct is not None and (label is None or not _are_classes(facts, label, answer)):
        right = frame[correct].cast(pl.String).to_list()
        says_wrong = grades_wrong(correct)
        graded = [None if t is None else truth_of(t) for t in right]
        frame = _grade_answers(frame, [None if g is None else g != says_wrong for g in graded])
        what = "says"
        if frame["\x00grade"].null_count() == frame.height:
            frame, what = frame.drop(correct), "is to say"
        kind = "wrong" if says_wrong else "right"
        told = f"{correct} {what} which answers were {kind}"
        if names_an_opinion(correct):
            told += "; leave it empty where nobody looked: a missing objection is not a check"
        said.append(Doubt(told, "--label"))
        label, answer, classes = "\x00grade", "\x00said", _GRADES
    elif label is not None and answer is not None and not _are_classes(facts, label, answer):
        if choices.scores != "compare":
            if _is_text(facts, label) and _is_text(facts, answer):
                raise LogError(
                    f"{grid.name}: {label!r} has too many different values for classes (more than "
                    f"{MOST_LABELS}): if {answer!r} are texts, --scores compare counts as right those "
                    "that are the same words, and a column called correct says which were right"
                )
            return None
        pairs = zip(frame[answer].cast(pl.String), frame[label].cast(pl.String), strict=True)
        frame = _grade_answers(frame, [None if t is None else _same(str(a), t) for a, t in pairs])
        said.append(Doubt(f"answers are right where {answer} is {label}, letter by letter"))
        label, answer, classes = "\x00grade", "\x00said", _GRADES
    if len(said) == len(grid.said) or answer is None or label is None:
        return None
    names = {answer: "model's answer", confidence: "how sure", label: "true label"}
    spelled = {old: new for old, new in names.items() if old.startswith("\x00")}
    frame = frame.rename(spelled)
    chosen = replace(
        choices,
        prediction=spelled.get(answer, answer),
        confidence=spelled.get(confidence, confidence),
        label=spelled.get(label, label),
        classes=classes,
        scores=None if choices.scores == "compare" else choices.scores,
    )
    return PlainAnswers(grid._replace(frame=frame, said=tuple(said)), chosen, states)


def _classes(frame: pl.DataFrame, label: str | None) -> set[str]:
    """Return the true labels, which are no abstentions however they are called."""
    if label is None:
        return set()
    known = frame[label].cast(pl.String).drop_nulls().unique()
    return {spelling_key(value) for value in known} - {""}


def _grade_answers(frame: pl.DataFrame, right: Sequence[bool | None]) -> pl.DataFrame:
    is_right, is_wrong = _GRADES
    grades = [None if one is None else is_right if one else is_wrong for one in right]
    return frame.with_columns(
        pl.Series("\x00grade", grades, dtype=pl.String), pl.lit(is_right).alias("\x00said")
    )


def _same(answer: str, truth: str) -> bool:
    """Say whether two texts are the same words, whatever their case, spaces and last full stop."""
    first, second = (" ".join(t.casefold().split()).rstrip(".!") for t in (answer, truth))
    return first == second


def _find_stated_confidence(facts: Sequence[ColumnFacts]) -> str | None:
    """Return a column of confidences by its name, whose cells are numbers or words.

    One alone may be called after whose it is (self_confidence), if that is no class.
    """
    named = [f for f in facts if "confidence" in hints_of(f.name) and f.role in ("label", "number")]
    for fact in named:
        if not split_score_name(fact.name) or not fact.is_number:
            return fact.name
    of = split_score_name(named[0].name) if len(named) == 1 else None
    classes = {spelling_key(value) for fact in facts for value in fact.counts or ()}
    return named[0].name if of is not None and spelling_key(of[1]) not in classes else None


def _ask_if_votes(samples: SampledAnswers) -> Doubt:
    """Ask whether numbered responses are one model's or several people's, where nothing tells."""
    first = tokens_of(samples.columns[0])
    if len(samples.columns) == 1 or first[0] not in ("response", "answer"):
        return samples.said
    return Doubt(
        f"{samples.said.what} (--kind predictions); or are they votes of judges (--judges "
        f"{','.join(samples.columns)})?",
        "--kind",
        must_be_settled=True,
    )


def _correct(facts: Sequence[ColumnFacts], answer: str | None) -> str | None:
    """Return a column that says of each answer whether it was right.

    Next to answers of yes and no, one of agreement may be what they are about.
    """
    said = next((f.counts for f in facts if f.name == answer), None)
    is_yes_or_no = bool(said) and None not in map(truth_of, said or ())
    for fact in facts:
        if not (names_a_grade(fact.name) and fact.counts) or fact.name == answer:
            continue
        if is_yes_or_no and names_an_opinion(fact.name):
            continue
        if None not in map(truth_of, fact.counts):
            return fact.name
    return None


def _not_yet_correct(facts: Sequence[ColumnFacts]) -> str | None:
    """Return a column that is to say it, where nobody looked at an answer yet."""
    return next((f.name for f in facts if f.role == "empty" and names_a_grade(f.name)), None)


def _are_classes(facts: Sequence[ColumnFacts], label: str | None, answer: str | None) -> bool:
    """Say whether the true labels are classes that the answers are of."""
    by_name = {fact.name: fact for fact in facts}
    truth, said = by_name.get(label or ""), by_name.get(answer or "")
    if truth is None or truth.counts is None or truth.different > MOST_LABELS:
        return False
    if truth.role != "label":
        return False
    if said is None:  # made of several
        return True
    known = {spelling_key(value) for value in truth.counts}
    return bool(said.counts) and any(spelling_key(value) in known for value in said.counts or ())


def _is_text(facts: Sequence[ColumnFacts], name: str) -> bool:
    return any(f.name == name and not f.is_number and f.role in ("text", "id") for f in facts) or (
        name.startswith("\x00")
    )
