"""Where a table keeps what a model believes: columns, lists or objects, and on which scale."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from askpoint.errors import LogError
from askpoint.measures.inputs import FloatArray
from askpoint.measures.log_columns import find_columns
from askpoint.records.column_words import looks_like
from askpoint.records.label_words import spelling_key
from askpoint.records.readers.grids import CellGrid
from askpoint.records.readers.reading import Choices, Doubt
from askpoint.records.roles import ColumnFacts, numbers_of

__all__ = ["Scores", "find_scores", "rounding_of", "split_score_name"]

_WORD = r"pct|percent|percentage|prozent|proba?|probs|probability|probabilities|score|scores|logits?|softmax|wahrscheinlichkeit"
_PREFIX = re.compile(
    rf"^({_WORD}|p|conf|confidence|y_proba?|pred_proba?)(?:[\s_.:\-/(\[]+)(.+?)[)\]]?$",
    re.IGNORECASE,
)
_SUFFIX = re.compile(rf"^(.+?)[\s_.:\-/]+({_WORD}|p|confidence)$", re.IGNORECASE)
_UNIT = re.compile(r"[\s_.\-]*[\[(]?%[\])]?$")
_NUMBERS = {"0", "1", "0.0", "1.0", "true", "false"}  # how several labels a row are written
_OFF = 0.02  # how far rounding may bring a sum from 1
_NEARLY_ALL = 0.95
_EXACTLY, _COARSEST = 1e-6, 0.2
_ROWS_SORTED = 12  # rows from which lists that all fall are no accident


class Scores(NamedTuple):
    """What a model believes of each row.

    Attributes
    ----------
    classes : tuple of str
        The class that each column of `values` is for; one for a single column.
    columns : tuple of str
        Where they stand.
    values : ndarray of shape (n_rows, n_classes)
        Probabilities.
    said : tuple of Doubt
        What had to be done to make them probabilities.
    by_position : bool
        Whether classes are known by their position only.
    """

    classes: tuple[str, ...]
    columns: tuple[str, ...]
    values: FloatArray
    said: tuple[Doubt, ...] = ()
    by_position: bool = False


def split_score_name(name: str) -> tuple[str, str] | None:
    """Return the kind of score and the class that a column's name speaks of, or None."""
    full, name = name.strip(), _UNIT.sub("", name.strip())
    if match := _PREFIX.match(name):
        return match[1].casefold(), match[2]
    if match := _SUFFIX.match(name):
        return match[2].casefold(), match[1]
    return ("percent", name) if name and name != full else None


def find_scores(
    grid: CellGrid, facts: Sequence[ColumnFacts], labels: Mapping[str, int] | None, choices: Choices
) -> Scores | None:
    """Find the probabilities of a table, or None if there are none."""
    if choices.proba:
        return _find_named_scores(grid, choices)
    nested = _find_nested_scores(grid, facts, labels)
    if nested is not None:
        return nested
    known = {spelling_key(value) for value in labels or ()}
    groups: dict[str, dict[str, str]] = {}
    for fact in facts:
        parts = split_score_name(fact.name)
        if parts is not None and not fact.is_number and spelling_key(parts[1]) in known:
            _refuse_cell(grid, fact)
        if parts is None or not fact.is_number or fact.role in ("id", "time", "measure"):
            continue
        grades = fact.whole and not fact.percent and fact.role == "label"
        if grades and spelling_key(parts[1]) not in known:
            continue
        groups.setdefault(parts[0], {})[fact.name] = parts[1]
    plain = {
        fact.name: fact.name
        for fact in facts
        if fact.is_number and spelling_key(fact.name) in known and fact.role in ("number", "label")
    }
    if len(plain) > 1:
        groups["a column for each label"] = plain
    if not groups:
        return _bare_score(grid, facts, choices)
    if len(groups) > 1:
        fitting = {k: g for k, g in groups.items() if {spelling_key(c) for c in g.values()} & known}
        groups = fitting or groups
    if len(groups) > 1:
        shown = " or ".join(", ".join(list(group)[:3]) for group in groups.values())
        raise LogError(f"{grid.name} has several kinds of scores, {shown}: name one with --proba")
    kind, group = next(iter(groups.items()))
    return _scale_scores(grid, tuple(group), tuple(group.values()), kind, choices, facts)


def _refuse_cell(grid: CellGrid, fact: ColumnFacts) -> None:
    """Say which cell of a column that is called a class's score holds no number."""
    numbers, _ = numbers_of(grid.frame[fact.name], decimal_comma=grid.decimal_comma)
    row = int(numbers.is_null().to_numpy().argmax())
    raise LogError(
        f"{grid.name}: the column {fact.name!r} holds no number but {grid.frame[fact.name][row]!r} in "
        f"row {row} (counted from 0)"
    )


def _bare_score(grid: CellGrid, facts: Sequence[ColumnFacts], choices: Choices) -> Scores | None:
    """Return a single column that is called a probability, of which class is not said."""
    called = ("proba", "prob", "probability", "p", "y_proba", "y_prob", "pred_proba", "y_score")
    found = [f for f in facts if looks_like(f.name, called) and f.is_number and not f.whole]
    if len(found) != 1:
        return None
    return _scale_scores(grid, (found[0].name,), (found[0].name,), found[0].name, choices, facts)


def _find_named_scores(grid: CellGrid, choices: Choices) -> Scores:
    names = grid.frame.columns
    found = list(find_columns(names, label=None, proba=list(choices.proba)).proba)
    parts = [split_score_name(name) for name in found]
    classes = [name if part is None else part[1] for name, part in zip(found, parts, strict=True)]
    if len(choices.classes) == len(found):
        classes = list(choices.classes)
    kind = next((part[0] for part in parts if part is not None), "")
    scores = _scale_scores(grid, tuple(found), tuple(classes), kind, choices, ())
    if scores is None:
        raise LogError(
            f"{grid.name}: {', '.join(found)} do not sum to 1 in each row. Choose one column, or "
            "add --scores softmax."
        )
    return scores


def _scale_scores(
    grid: CellGrid,
    columns: tuple[str, ...],
    classes: tuple[str, ...],
    kind: str,
    choices: Choices,
    facts: Sequence[ColumnFacts],
) -> Scores | None:
    parts = [numbers_of(grid.frame[name], decimal_comma=grid.decimal_comma) for name in columns]
    for name, (numbers, _) in zip(columns, parts, strict=True):
        if gone := numbers.null_count():
            row = int(numbers.is_null().to_numpy().argmax())
            raise LogError(
                f"{grid.name}: the column {name!r} holds no number in row {row} (of {len(numbers)}, "
                f"counted from 0; {gone} rows in all): each row needs its probabilities"
            )
    values: FloatArray = np.empty((grid.frame.height, len(columns)), order="F")
    for i, (numbers, _) in enumerate(parts):
        values[:, i] = numbers.to_numpy()
    said: list[Doubt] = []
    low, high, sums = values.min(), values.max(), _row_sums(values)
    form = choices.scores
    if form is None and (any(part[1] for part in parts) or _are_hundred(values, sums, kind)):
        form = "percent"
        said.append(Doubt(f"{', '.join(columns)} are percent, divided by 100", "--scores"))
    if form == "percent":
        values = values / 100
        low, high, sums = values.min(), values.max(), _row_sums(values)
    if form is None and low >= 0 and 1 < high <= 100:
        _refuse_mixed(grid.name, columns, values)
    outside = np.zeros(1, np.bool_)
    if low < 0 or high > 1:
        outside = np.asarray(((values < 0) | (values > 1)).any(axis=1))
    if form is None and outside.any() and outside.mean() < 1 - _NEARLY_ALL and "logit" not in kind:
        row = int(outside.argmax())
        raise LogError(
            f"{grid.name}: row {row} (counted from 0) has a probability outside 0 to 1, and so have "
            f"{int(outside.sum())} of {len(outside)} rows: correct them"
        )
    if form == "softmax" or (form is None and (low < 0 or high > 1)):
        values = _softmax(values) if len(columns) > 1 else 1 / (1 + np.exp(-values))
        how = "softmax" if len(columns) > 1 else "the logistic function"
        said.append(
            Doubt(
                f"{', '.join(columns)} hold log scores ({low:.3g} to {high:.3g}), no "
                f"probabilities: {how} makes them such, if that is what the model does",
                "--scores softmax",
                must_be_settled=form is None,
            )
        )
        return Scores(classes, columns, values, tuple(said))
    if len(columns) == 1:
        return Scores(classes, columns, values, tuple(said))
    off = np.abs(sums - 1)
    allowed = rounding_of(values)
    if form is None and off.max() > allowed:
        if (off > allowed).mean() < 1 - _NEARLY_ALL:
            row = int((off > allowed).argmax())
            raise LogError(
                f"{grid.name}: the probabilities of row {row} (counted from 0) sum to "
                f"{sums[row]:.4g}, not to 1"
            )
        _refuse_multilabel(grid, columns, classes, facts)
        if "score" in kind or "conf" in kind:  # of judges, perhaps
            return None
        row, n = int((off > allowed).argmax()), int((off > allowed).sum())
        raise LogError(
            f"{grid.name}: {', '.join(columns[:4])} do not sum to 1 in {n} of {len(off)} rows, row "
            f"{row} (counted from 0) to {sums[row]:.4g}: name other columns with --proba, one for "
            "the second of two classes, or divide each row by its sum with --scores probabilities"
        )
    if off.max() > 1e-6:
        values = values / sums[:, None]
        if off.max() > 1e-5:
            said.append(Doubt(f"sums are off 1 by up to {off.max():.1g}, as rounded: made 1"))
    return Scores(classes, columns, values, tuple(said))


def rounding_of(values: FloatArray) -> float:
    """Return how far from 1 the sum of a row may be because its numbers were rounded when printed.

    `values` has shape (rows, classes). Numbers with one digit after the point are off by up to .05
    each.
    """
    coarse = np.abs(values * 10 - np.round(values * 10)).max() < _EXACTLY
    return min(max(_OFF, 0.05 * values.shape[1] + _EXACTLY), _COARSEST) if coarse else _OFF


def _row_sums(values: FloatArray) -> FloatArray:
    """Return sums of rows, column by column: many times faster than over rows."""
    sums = values[:, 0].copy()
    for column in values.T[1:]:
        sums += column
    return sums


def _refuse_mixed(name: str, columns: Sequence[str], values: FloatArray) -> None:
    """Refuse columns of which some are in per cent and the others from 0 to 1."""
    is_percent = values.max(axis=0) > 1
    mended = np.where(is_percent, values / 100, values)
    if is_percent.all() or np.mean(np.abs(_row_sums(mended) - 1) <= _OFF) < _NEARLY_ALL:
        return
    first = columns[int(is_percent.argmax())]
    other = columns[int((~is_percent).argmax())]
    raise LogError(
        f"{name}: {first} is in percent ({values[:, is_percent].min():.3g} to {values[:, is_percent].max():.3g}), {other} from 0 "
        f"to 1. Divide {first} by 100, or name one of them alone with --proba"
    )


def _are_hundred(values: FloatArray, sums: FloatArray, kind: str) -> bool:
    if "logit" in kind or values.min() < 0 or values.max() > 100 or values.max() <= 1:
        return False
    if values.shape[1] == 1:
        return bool(np.mean(values > 1) > 0.5)
    return bool((np.abs(sums - 100) < 100 * _OFF).all())


def _refuse_multilabel(
    grid: CellGrid, columns: tuple[str, ...], classes: tuple[str, ...], facts: Sequence[ColumnFacts]
) -> None:
    own = {
        spelling_key(fact.name): fact.name
        for fact in facts
        if fact.role == "label" and {spelling_key(value) for value in fact.counts or ()} <= _NUMBERS
    }
    matching = [
        (own[spelling_key(c)], p)
        for c, p in zip(classes, columns, strict=True)
        if spelling_key(c) in own
    ]
    if matching:
        label, proba = matching[0]
        raise LogError(
            f"{grid.name} has several labels a row ({', '.join(m[0] for m in matching)}), and "
            "probabilities that do not sum to 1: ask about one at a time, for example --label "
            f"{label} --proba {proba}"
        )


def _softmax(values: FloatArray) -> FloatArray:
    powers = np.exp(values - values.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _find_nested_scores(
    grid: CellGrid, facts: Sequence[ColumnFacts], labels: Mapping[str, int] | None
) -> Scores | None:
    found = []
    paired = _find_named_lists(grid)
    if paired is not None:
        return paired
    for fact in facts:
        cells = _lists(grid.frame[fact.name])
        if cells is None:
            continue
        pairs = _pairs(cells)
        if pairs is not None:
            found.append(_of_pairs(pairs, fact.name))
        elif (lists := _positions(cells, fact.name, labels)) is not None:
            found.append(lists)
    if len(found) > 1:
        names = ", ".join(scores.columns[0] for scores in found)
        raise LogError(
            f"{grid.name} has several lists of probabilities, {names}: name one with --proba"
        )
    return found[0] if found else None


def _lists(column: pl.Series) -> list[Any] | None:
    """Return the lists or objects of a column, or None if it holds neither."""
    if isinstance(column.dtype, pl.List | pl.Array):
        return column.to_list()
    if column.dtype != pl.String:
        return None
    first = column.drop_nulls().head(1).to_list()
    if not first or first[0].strip()[:1] not in ("[", "{"):
        return None
    try:
        return [json.loads(cell.replace("'", '"')) for cell in column]
    except (ValueError, AttributeError):
        return None


def _pairs(cells: list[Any]) -> dict[str, list[float]] | None:
    """Return the probabilities of each class where cells are objects, or lists of label and score."""
    rows: list[dict[str, float]] = []
    for cell in cells:
        if isinstance(cell, dict):
            row = cell
        elif isinstance(cell, list) and cell and all(isinstance(part, dict) for part in cell):
            keys = _pair_keys(cell[0])
            if keys is None:
                return None
            row = {str(part.get(keys[0])): part.get(keys[1]) for part in cell}
        else:
            return None
        if not all(isinstance(value, int | float) for value in row.values()):
            return None
        rows.append(row)
    classes = list(dict.fromkeys(name for row in rows for name in row))
    return {name: [row.get(name, 0.0) for row in rows] for name in sorted(classes)}


def _find_named_lists(grid: CellGrid) -> Scores | None:
    """Return the probabilities of a column of lists whose classes stand in another column of lists."""
    lists = {c.name: c.to_list() for c in grid.frame if isinstance(c.dtype, pl.List)}
    names = {
        name: rows for name, rows in lists.items()
        if all(row and all(isinstance(x, str) for x in row) for row in rows)
        and len({frozenset(row) for row in rows}) == 1 and len(set(rows[0])) == len(rows[0])
    }  # fmt: skip
    for column, rows in lists.items():
        if column in names or not all(
            row and all(isinstance(x, float | int) for x in row) for row in rows
        ):
            continue
        fitting = [
            (name, own) for name, own in names.items()
            if all(len(a) == len(b) for a, b in zip(own, rows, strict=True))
        ]  # fmt: skip
        if not fitting:
            continue
        _, own = min(fitting, key=lambda pair: all(x.isdigit() for x in pair[1][0]))
        cells = [dict(zip(a, b, strict=True)) for a, b in zip(own, rows, strict=True)]
        pairs = _pairs(cells)
        if (
            pairs is not None
            and (np.abs(np.column_stack(list(pairs.values())).sum(axis=1) - 1) <= _OFF).all()
        ):
            return _of_pairs(pairs, column)
    return None


def _pair_keys(part: dict[str, Any]) -> tuple[str, str] | None:
    """Return what the class and its probability are called in an object of two parts."""
    names = [key for key, value in part.items() if isinstance(value, str)]
    values = [key for key, value in part.items() if isinstance(value, float | int)]
    if "label" in part and "score" in part:
        return "label", "score"
    return (names[0], values[0]) if len(names) == len(values) == 1 else None


def _of_pairs(pairs: dict[str, list[float]], column: str) -> Scores:
    values = np.column_stack(list(pairs.values()))
    sums = values.sum(axis=1)
    if (np.abs(sums - 1) > _OFF).any():
        row = int((np.abs(sums - 1) > _OFF).argmax())
        raise LogError(
            f"the scores in {column!r} sum to {sums[row]:.4g} in row {row} (counted from 0), not to "
            "1: not all classes were kept, or several may be true at once"
        )
    return Scores(tuple(pairs), (column,), values / sums[:, None])


def _positions(cells: list[Any], name: str, labels: Mapping[str, int] | None) -> Scores | None:
    lengths = {len(cell) if isinstance(cell, list) else -1 for cell in cells}
    if len(lengths) != 1 or (width := lengths.pop()) < 2:
        return None
    try:
        values = np.array(cells, dtype=np.float64)
    except (ValueError, TypeError):
        return None
    sums = values.sum(axis=1)
    if (values < 0).any() or (np.abs(sums - 1) > _OFF).any():
        return None
    classes = _by_position(labels or {}, width)
    if classes is None:
        return None
    if len(values) >= _ROWS_SORTED and (np.diff(values, axis=1) <= 0).all():
        raise LogError(
            f"{name!r} lists probabilities from high to low, so their places do not tell the class: add a list of "
            "the classes in the same order, or name an answer and its confidence with --prediction and --confidence"
        )
    return Scores(classes, (name,), values / sums[:, None], by_position=True)


def _by_position(labels: Mapping[str, int], width: int) -> tuple[str, ...] | None:
    whole = [label for label in labels if label.lstrip("-").isdigit()]
    if labels and len(whole) == len(labels):
        if all(0 <= int(label) < width for label in whole):
            return tuple(str(i) for i in range(width))
        return None
    return tuple(sorted(labels)) if len(labels) == width else None
