"""Labels, and the classes of probabilities as the labels spell them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from askpoint.errors import LogError
from askpoint.records.label_words import NO_LABEL_WORDS, same_labels, spelling_key, truth_of
from askpoint.records.readers.grids import CellGrid
from askpoint.records.readers.reading import Choices, Doubt
from askpoint.records.readers.scores import Scores
from askpoint.records.roles import ColumnFacts

__all__ = ["match_classes", "read_labels"]


def read_labels(
    grid: CellGrid, by_name: Mapping[str, ColumnFacts], label: str | None, choices: Choices
) -> tuple[pl.Series | None, dict[str, int], dict[str, str]]:
    """Return the labels, how many there are of each, and which were spelled otherwise."""
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


def match_classes(
    grid: CellGrid, scores: Scores, counts: Mapping[str, int], choices: Choices, label: str | None
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
        labels = sorted(counts)
        lead = (
            f"{grid.name}: the labels in {label!r} are {', '.join(labels[:5])}, but the classes of "
            f"{scores.columns[0]!r} are {', '.join(classes[:5])}. "
        )
        if classes == [str(i) for i in range(len(classes))]:
            order = ",".join(labels) if len(labels) == len(classes) else "A,B,C"
            raise LogError(
                f"{lead}Name the classes in the order of the columns, for example "
                f'--classes "{order}".'
            )
        raise LogError(
            f'{lead}Name the class of each label, for example --map "{labels[0]}={classes[0]}".'
        )
    return tuple(classes), scores.values, said


def _two_classes(
    grid: CellGrid, scores: Scores, counts: Mapping[str, int], choices: Choices
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
