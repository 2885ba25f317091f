"""Tables of what a model predicted: the label, the probabilities of the classes, the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from askpoint.errors import LogError, UnknownColumnError
from askpoint.records.label_words import spelling_key
from askpoint.records.readers.answer_tables import PlainAnswers, as_plain_answers
from askpoint.records.readers.grids import CellGrid
from askpoint.records.readers.prediction_classes import match_classes, read_labels
from askpoint.records.readers.prediction_columns import (
    check_labels,
    choose_label,
    find_by_name,
    find_ids,
    find_label,
    lacks_confidence,
)
from askpoint.records.readers.reading import Choices, Doubt, Reading
from askpoint.records.readers.scores import Scores, find_scores, split_score_name
from askpoint.records.roles import ColumnFacts, column_facts, number_different, numbers_of

__all__ = ["read_predictions"]

_MARKS = 20.0  # up to here numbers are marks, as 1 to 5 or 0 to 10; above they are percent


def read_predictions(
    grid: CellGrid,
    facts: Sequence[ColumnFacts],
    choices: Choices,
    files: Sequence[str],
    *,
    form: str | None = None,
    flags: Mapping[str, str] | None = None,
) -> Reading | None:
    """Read a table of predictions; None if it is none.

    What `choices` leave open is taken from the names of columns, where no values tell. `form` is
    "logarithm" where the confidence is the logarithm of one; `flags` are columns that only say
    whether two others are equal.
    """
    for name in (choices.label, choices.prediction, choices.confidence, choices.id):
        if name is not None and name not in grid.frame.columns:
            raise UnknownColumnError(name, grid.frame.columns)
    facts = [fact for fact in facts if fact.name not in (flags or {})]
    if form == "logarithm" and choices.confidence is not None:
        grid = _powers(grid, choices.confidence)
    prediction = choices.prediction or find_by_name(facts, "answer")
    label = choices.label or find_label(facts, prediction)
    by_name = {fact.name: fact for fact in facts}
    named = any(split_score_name(fact.name) for fact in facts if fact.is_number)
    if not choices.proba and (not named or choices.confidence is not None or choices.label is None):
        plain = as_plain_answers(grid, facts, choices, prediction, label)
        if plain is not None:
            return _of_answers(plain, files)
    if prediction is not None and label is not None:
        texts = by_name[prediction].role == by_name[label].role == "text"
        if texts and (choices.label, choices.prediction, choices.kind) == (None, None, None):
            return None  # what was answered and what was expected, in words: no classes
        check_labels(by_name[label], grid)
    counts = None if label is None else by_name[label].counts
    confidence = choices.confidence
    scores = None
    if choices.confidence is None:
        others = [fact for fact in facts if fact.name not in (prediction, label)]
        scores = find_scores(grid, others, counts, choices)
    if scores is None and confidence is None and not lacks_confidence(by_name, prediction, label):
        return None
    used = {prediction, confidence, *(scores.columns if scores is not None else ())}
    if label is None and choices.kind != "predictions":
        label = choose_label(grid, facts, used, scores, choices)
    if label is not None:
        check_labels(by_name[label], grid)
    return _reading(
        grid=grid,
        facts=facts,
        by_name=by_name,
        choices=choices,
        files=files,
        label=label,
        prediction=prediction,
        confidence=confidence,
        scores=scores,
    )


def _powers(grid: CellGrid, name: str) -> CellGrid:
    """Return a table in which the logarithms of confidences are confidences."""
    numbers, _ = numbers_of(grid.frame[name], decimal_comma=grid.decimal_comma)
    said = Doubt(f"{name} is the logarithm of a confidence: exp({name}) is used", "--confidence")
    frame = grid.frame.with_columns(numbers.exp().alias(name))
    return grid._replace(frame=frame, said=(*grid.said, said))


def _of_answers(plain: PlainAnswers, files: Sequence[str]) -> Reading | None:
    """Read a table that was made one of an answer and a confidence a row."""
    facts = [
        column_facts(column, decimal_comma=plain.grid.decimal_comma, missing=plain.choices.missing)
        for column in plain.grid.frame
    ]
    reading = read_predictions(plain.grid, facts, plain.choices, files)
    if reading is None:
        return None
    declined = len(plain.states) - plain.grid.frame.height
    return replace(reading, items=reading.items + declined, states=plain.states)


def _reading(
    grid: CellGrid,
    facts: Sequence[ColumnFacts],
    by_name: Mapping[str, ColumnFacts],
    choices: Choices,
    files: Sequence[str],
    label: str | None,
    prediction: str | None,
    confidence: str | None,
    scores: Scores | None,
) -> Reading:
    said = [*grid.said, *(scores.said if scores is not None else ())]
    columns: dict[str, pl.Series] = {}
    item = choices.id or grid.item or next((f.name for f in facts if f.role == "id"), None)
    systems: tuple[str, ...] = ()
    item, system = find_ids(grid, facts, item, label)
    if item is not None:
        ids = grid.frame[item]
        columns["id"] = (ids if ids.dtype.is_integer() else ids.cast(pl.String)).alias("id")
        if system is not None:
            columns["system"] = grid.frame[system].cast(pl.String).alias("system")
            systems = tuple(columns["system"].unique(maintain_order=True))
        elif number_different(columns["id"]) < len(ids) or ids.null_count():
            said.append(Doubt(f"the ids in {item!r} repeat, so rows are numbered", "--id"))
            item = None
            del columns["id"]
    labels, counts, spellings = read_labels(grid, by_name, label, choices)
    if spellings:
        pairs = ", ".join(f"{old!r} as {new!r}" for old, new in spellings.items())
        said.append(Doubt(f"labels read {pairs}", "--map"))
    classes: tuple[str, ...] = ()
    probabilities: dict[str, str] = {}
    if scores is not None:
        classes, values, more = match_classes(grid, scores, counts, choices, label)
        said += more
        names = scores.columns
        if len(names) < len(classes):
            names = tuple(names[0] for _ in classes)
        for i, name in enumerate(classes):
            columns[f"proba_{name}"] = pl.Series(f"proba_{name}", values[:, i])
        single = len(scores.classes) == 1
        probabilities = {classes[0]: names[0]} if single else dict(zip(classes, names, strict=True))
        if scores.by_position:
            said.append(
                Doubt(
                    f"{names[0]} lists the classes in the order {', '.join(classes)}", "--classes"
                )
            )
    if labels is not None:
        columns["label"] = labels
    if prediction is not None and scores is None:
        answers = grid.frame[prediction].cast(pl.String).str.strip_chars()
        own = {old: new for old, new in choices.labels_map.items() if new in counts}
        columns["prediction"] = answers.replace({**own, **spellings}).alias("prediction")
        answered = columns["prediction"].drop_nulls().unique()
        if (
            counts
            and len(answered)
            and not {spelling_key(v) for v in answered} & set(map(spelling_key, counts))
        ):
            raise LogError(
                f"{grid.name}: the answers in {prediction!r} are {', '.join(sorted(answered)[:5])}, but the labels in "
                f"{label!r} are {', '.join(sorted(counts)[:5])}. Name the label of each answer, for example "
                f'--map "{min(answered)}={min(counts)}".'
            )
        classes = tuple(sorted({*counts, *answered, *choices.classes}))
        if confidence is None:
            said.append(
                Doubt(
                    f"{prediction} are the answers, but no column says how sure the model was",
                    "--confidence",
                    must_be_settled=True,
                )
            )
        else:
            columns["confidence"], scale = _confidence(grid, confidence)
            said += scale
            if len(classes) > 2:
                said.append(
                    Doubt(
                        f"{confidence} is for the answer alone; those of the other classes are "
                        "not known"
                    )
                )
    time = next((fact.name for fact in facts if fact.role == "time"), None)
    for name in grid.frame.columns:
        if name not in columns and name not in (label, prediction, confidence, item):
            columns[name] = grid.frame[name]
    gone = {} if label is None else by_name[label].absent
    return Reading(
        "predictions",
        "table",
        tuple(files),
        pl.DataFrame(columns),
        items=columns["id"].n_unique() if systems else grid.frame.height,
        systems=systems,
        id=item,
        label=label,
        prediction=prediction,
        confidence=confidence if scores is None else None,
        time=time,
        probabilities=probabilities,
        classes=classes,
        label_counts=dict(sorted(counts.items())),
        missing={label: gone} if label is not None and gone else {},
        one_label=spellings,
        doubts=tuple(said),
    )


def _confidence(grid: CellGrid, name: str) -> tuple[pl.Series, list[Doubt]]:
    """Return how sure the model was, from 0 to 1 or on a scale of its own, and which is said."""
    numbers, percent = numbers_of(grid.frame[name], decimal_comma=grid.decimal_comma)
    if numbers.null_count():
        row = int(numbers.is_null().to_numpy().argmax())
        raise LogError(
            f"{grid.name}: the column {name!r} holds no number in row {row} (counted from 0)"
        )
    low, high = float(numbers.min() or 0.0), float(numbers.max() or 0.0)  # type: ignore[arg-type]
    if percent:
        return (numbers / 100).alias("confidence"), []
    if low < 0 or not 1.5 < high <= 100:
        return numbers.alias("confidence"), []
    if high > _MARKS:
        said = Doubt(f"{name} is percent ({low:g} to {high:g}), divided by 100")
        return (numbers / 100).alias("confidence"), [said]
    said = Doubt(
        f"{name} is a scale of its own ({low:g} to {high:g}), no probability: more is surer"
    )
    return numbers.alias("confidence"), [said]
