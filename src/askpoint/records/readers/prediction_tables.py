"""Tables of what a model predicted: the label, the probabilities of the classes, the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from askpoint.errors import LogError, UnknownColumnError
from askpoint.records.label_words import NO_LABEL_WORDS, same_labels, spelling_key, truth_of
from askpoint.records.readers.answer_tables import PlainAnswers, as_plain_answers
from askpoint.records.readers.evidence.words import Hint, hints_of
from askpoint.records.readers.grids import Grid
from askpoint.records.readers.reading import Choices, Doubt, Reading
from askpoint.records.readers.scores import Scores, find_scores, split_score_name
from askpoint.records.readers.vote_tables import SYSTEM_WORDS
from askpoint.records.roles import (
    MOST_LABELS,
    ColumnFacts,
    column_facts,
    looks_like,
    number_different,
    numbers_of,
)

__all__ = ["label_called", "read_predictions"]


def read_predictions(
    grid: Grid,
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
    prediction = choices.prediction or _find_by_name(facts, "answer")
    label = choices.label or label_called(facts, prediction)
    by_name = {fact.name: fact for fact in facts}
    named = any(split_score_name(fact.name) for fact in facts if fact.is_number)
    if not choices.proba and (not named or choices.confidence is not None or choices.label is None):
        plain = as_plain_answers(grid, facts, choices, prediction, label)
        if plain is not None:
            return _of_answers(plain, files)
    if prediction is not None and label is not None:
        _check_labels(by_name[label], grid)
    counts = None if label is None else by_name[label].counts
    confidence = choices.confidence
    scores = None
    if choices.confidence is None:
        others = [fact for fact in facts if fact.name not in (prediction, label)]
        scores = find_scores(grid, others, counts, choices)
    if scores is None and confidence is None and not _lacks_confidence(by_name, prediction, label):
        return None
    used = {prediction, confidence, *(scores.columns if scores is not None else ())}
    if label is None and choices.kind != "predictions":
        label = _label_of(grid, facts, used, scores, choices)
    if label is not None:
        _check_labels(by_name[label], grid)
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


def _powers(grid: Grid, name: str) -> Grid:
    """Return a table in which the logarithms of confidences are confidences."""
    numbers, _ = numbers_of(grid.frame[name], decimal_comma=grid.decimal_comma)
    said = Doubt(f"{name} is the logarithm of a confidence: exp({name}) is used", "--confidence")
    frame = grid.frame.with_columns(numbers.exp().alias(name))
    return grid._replace(frame=frame, said=(*grid.said, said))


def _lacks_confidence(
    by_name: Mapping[str, ColumnFacts], prediction: str | None, label: str | None
) -> bool:
    """Say whether an answer and a truth are named, and only how sure the model was is not there."""
    if prediction is None or label is None:
        return False
    answer, truth = by_name[prediction], by_name[label]
    if answer.is_number and not answer.whole:
        return True
    if any(f.different > 8 and f.different * 4 > f.given for f in (answer, truth)):
        return False  # texts
    return (
        answer.role == "label" and truth.role == "label"
        and not ({"judge"} & hints_of(prediction)) and not ({"person"} & hints_of(label))
    )  # fmt: skip


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


def _find_by_name(facts: Sequence[ColumnFacts], hint: Hint) -> str | None:
    """Return the first column whose name hints at a part, and at no other that excludes it."""
    people: set[Hint] = {
        "truth",
        "person",
        "confidence",
        "correct",
        "id",
        "time",
        "measure",
        "second",
    }
    found = [
        f.name for f in facts
        if hint in hints_of(f.name) and not (people - {hint}) & hints_of(f.name)
        and f.role in ("label", "text", "number", "id") and (f.role != "id" or not f.is_number)
        and not (split_score_name(f.name) and f.is_number)
    ]  # fmt: skip
    return found[0] if found else None


def label_called(facts: Sequence[ColumnFacts], prediction: str | None) -> str | None:
    """Return the column of true labels by its name: named for the truth, for people, or a label."""
    best: tuple[float, int] | None = None
    chosen = None
    for i, fact in enumerate(facts):
        hints = hints_of(fact.name)
        if fact.name == prediction or fact.role in ("time", "measure", "nested", "id"):
            continue
        if {"confidence", "correct", "answer", "second", "time", "measure"} & hints - (
            {"answer", "correct"} if {"truth", "person"} & hints else set()
        ) or (fact.is_number and split_score_name(fact.name)):
            continue
        weight = 2.0 * ("truth" in hints) + 1.5 * ("person" in hints) + ("label" in hints)
        if prediction is not None and fact.role == "label" and _is_within(fact.name, prediction):
            weight += 1.2
        if weight and (best is None or (weight, -i) > best):
            best, chosen = (weight, -i), fact.name
    return chosen


def _is_within(name: str, other: str) -> bool:
    short, long = name.casefold(), other.casefold()
    return 1 < len(short) < len(long) and short in long


def _label_of(
    grid: Grid,
    facts: Sequence[ColumnFacts],
    used: set[str | None],
    scores: Scores | None,
    choices: Choices,
) -> str | None:
    """Choose the column of labels by its content where no name tells."""
    possible = [
        f
        for f in facts
        if f.role == "label"
        and f.name not in used | {choices.id}
        and not looks_like(f.name, SYSTEM_WORDS)
    ]
    if scores is not None:
        classes = {spelling_key(name) for name in scores.classes}
        fitting = [f for f in possible if {spelling_key(v) for v in f.counts or ()} & classes]
        truths = [f for f in possible if f.counts and None not in map(truth_of, f.counts)]
        possible = fitting or (truths if len(scores.classes) == 1 else []) or possible
    several = [fact for fact in possible if fact.different > 1]
    possible = several if scores is not None and len(scores.classes) > 1 else several or possible
    if len(possible) > 1:
        names = ", ".join(fact.name for fact in possible)
        raise LogError(
            f"{grid.name}: which column is the true label, {names}? Name it with --label"
        )
    return possible[0].name if possible else None


def _check_labels(fact: ColumnFacts, grid: Grid) -> None:
    if fact.counts is not None and fact.different <= MOST_LABELS and fact.role != "number":
        return
    if fact.role == "empty":
        return
    if fact.is_number and not fact.whole:
        raise LogError(
            f"{grid.name}: the column {fact.name!r} holds continuous numbers ({fact.low:g} to "
            f"{fact.high:g}), a regression: askpoint is for classes; give --label a column of classes"
        )
    raise LogError(
        f"{grid.name}: the column {fact.name!r} has {'more than ' * (fact.counts is None)}"
        f"{fact.different} different values, too many for labels (at most {MOST_LABELS}); name "
        "another with --label"
    )


def _reading(
    grid: Grid,
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
    item, system = _ids(grid, facts, item or _find_repeated_id(facts), label)
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
    labels, counts, spellings = _labels(grid, by_name, label, choices)
    if spellings:
        pairs = ", ".join(f"{old!r} as {new!r}" for old, new in spellings.items())
        said.append(Doubt(f"labels read {pairs}", "--map"))
    classes: tuple[str, ...] = ()
    probabilities: dict[str, str] = {}
    if scores is not None:
        classes, values, more = _match_classes(grid, scores, counts, choices, label)
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
            matches = zip(sorted(answered), sorted(counts), strict=False)
            raise LogError(
                f"{grid.name}: the answers in {prediction!r} are {', '.join(sorted(answered)[:5])}, the labels in "
                f"{label!r} {', '.join(sorted(counts)[:5])}: which is which? Say it with --map ANSWER=LABEL, for "
                f"example {' '.join(f'--map {a}={b}' for a, b in matches)}"
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
            columns["confidence"] = _confidence(grid, confidence)
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


def _find_repeated_id(facts: Sequence[ColumnFacts]) -> str | None:
    """Return a column that names items, where several rows are of one."""
    return next((f.name for f in facts if looks_like(f.name, ("id", "item", "case"))), None)


def _ids(
    grid: Grid, facts: Sequence[ColumnFacts], item: str | None, label: str | None
) -> tuple[str | None, str | None]:
    """Return the column of ids, and of systems if there are several rows of one id, one a system."""
    if item is None:
        return None, None
    for fact in facts:
        if fact.role != "label" or fact.name == label or not looks_like(fact.name, SYSTEM_WORDS):
            continue
        pairs = grid.frame.select(item, fact.name)
        if fact.different > 1 and grid.frame[item].n_unique() < pairs.height == pairs.n_unique():
            return item, fact.name
    return item, None


def _confidence(grid: Grid, name: str) -> pl.Series:
    numbers, percent = numbers_of(grid.frame[name], decimal_comma=grid.decimal_comma)
    if numbers.null_count():
        row = int(numbers.is_null().to_numpy().argmax())
        raise LogError(
            f"{grid.name}: the column {name!r} holds no number in row {row} (counted from 0)"
        )
    high = float(numbers.max() or 0.0)  # type: ignore[arg-type]
    plain = not percent and 1.5 < high <= 100 and float(numbers.min() or 0.0) >= 0  # type: ignore[arg-type]
    return (numbers / 100 if percent or plain else numbers).alias("confidence")


def _labels(
    grid: Grid, by_name: Mapping[str, ColumnFacts], label: str | None, choices: Choices
) -> tuple[pl.Series | None, dict[str, int], dict[str, str]]:
    if label is None:
        return None, {}, {}
    words = NO_LABEL_WORDS if choices.missing is None else {"", *choices.missing}
    fact = by_name[label]
    kept = {word: n for word, n in fact.absent.items() if word.casefold() not in words}
    raw = {**(fact.counts or {}), **kept}
    spellings = {value: value.strip() for value in raw if value != value.strip()}
    spellings |= same_labels([raw]) if _needs_joining(raw) else {}
    spellings |= {old: new for old, new in choices.labels_map.items() if old in raw}
    texts = grid.frame[label]
    if texts.dtype == pl.Boolean:
        truth = {True: "True", False: "False"}
        texts = texts.replace_strict(truth, return_dtype=pl.String, default=None)
    texts = texts.cast(pl.String)
    if spellings or texts.null_count() < fact.rows - sum(raw.values()):
        gone: dict[str, str | None] = dict.fromkeys(
            (value for value in texts.unique() if value is not None and value not in raw), None
        )
        texts = texts.replace({**gone, **spellings})
    texts = texts.alias("label")
    counts: dict[str, int] = {}
    for value, count in raw.items():
        name = spellings.get(value, value)
        counts[name] = counts.get(name, 0) + count
    for word in kept:
        del fact.absent[word]
    return texts, counts, spellings


def _needs_joining(raw: Mapping[str, int]) -> bool:
    return len({spelling_key(value) for value in raw}) < len({value.strip() for value in raw})


def _match_classes(
    grid: Grid, scores: Scores, counts: Mapping[str, int], choices: Choices, label: str | None
) -> tuple[tuple[str, ...], np.ndarray, list[Doubt]]:
    """Return the classes as the labels spell them, and the probabilities of each."""
    if len(scores.classes) == 1:
        return _two_classes(grid, scores, counts, choices)
    spelled = {spelling_key(value): value for value in counts}
    classes = [spelled.get(spelling_key(name), name) for name in scores.classes]
    if choices.classes:
        if len(choices.classes) != len(classes):
            raise LogError(
                f"--classes names {len(choices.classes)} classes, but there are {len(classes)} "
                f"probabilities a row"
            )
        if scores.by_position or not set(choices.classes) <= set(classes):
            classes = list(choices.classes)
    strangers = [value for value in counts if value not in classes]
    said: list[Doubt] = []
    if strangers and set(classes) == {f"LABEL_{i}" for i in range(len(classes))}:
        classes = [name.removeprefix("LABEL_") for name in classes]
        strangers = [value for value in counts if value not in classes]
        said.append(Doubt("LABEL_0, LABEL_1, ... read as the labels 0, 1, ...", "--map"))
    if strangers:
        example = " ".join(
            f"--map {old}={new}" for old, new in zip(sorted(counts), classes, strict=False)
        )
        raise LogError(
            f"{grid.name}: the labels in {label!r} are {', '.join(sorted(counts)[:5])}, the classes "
            f"of {scores.columns[0]!r} are {', '.join(classes[:5])}: which is which? Say it with "
            f"--map LABEL=CLASS, for example {example}, or the other way round"
        )
    return tuple(classes), scores.values, said


def _two_classes(
    grid: Grid, scores: Scores, counts: Mapping[str, int], choices: Choices
) -> tuple[tuple[str, ...], np.ndarray, list[Doubt]]:
    column, name = scores.columns[0], scores.classes[0]
    seen = list(counts)
    if len(choices.classes) == 2:
        other, own = choices.classes
    elif len(seen) != 2:
        raise LogError(
            f"{grid.name}: {column!r} is a single column of probabilities, but the labels are "
            f"{', '.join(seen[:5]) or 'missing'}; name the two classes with --classes, its own last"
        )
    else:
        named = [value for value in seen if spelling_key(value) == spelling_key(name)]
        named = named or [value for value in seen if truth_of(value)]
        if len(named) != 1:
            raise LogError(
                f"{grid.name}: is {column!r} the probability of {seen[0]!r} or of {seen[1]!r}? Name "
                f"the classes with --classes, its own last, for example {seen[0]},{seen[1]}"
            )
        own = named[0]
        other = next(value for value in seen if value != own)
    values = np.column_stack([scores.values[:, 0], 1 - scores.values[:, 0]])
    said = [Doubt(f"{column} is the probability of {own}", "--classes")]
    return (own, other), values, said
