"""What a model said, as expressions for the engine behind a dataframe, and what must not be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import narwhals as nw

from askpoint.errors import InputError
from askpoint.measures.inputs import ROUND_OFF, SUM_TOLERANCE, as_choice, as_classes
from askpoint.value.sketch.bins import Precision
from askpoint.value.sketch.frame_columns import FrameColumns
from askpoint.value.sketch.frame_measures import FRAME_MEASURES, ROUNDED_MEASURES, sum_of

__all__ = [
    "Fault",
    "FrameAnswers",
    "SpelledClasses",
    "answers_from_predictions",
    "any_of",
    "most_probable",
    "spell_classes",
]

_CHAIN = 8  # conditions asked one after the other
_OF_TWO = ("margin", "euclidean_distance")
_MOST_CLASSES = 60  # whose two greatest are told: the expression grows with their square


class SpelledClasses(NamedTuple):
    """A column of classes, and how each class stands in it.

    Attributes
    ----------
    column : str
        Its name.
    values : tuple of tuple
        The values that mean each class.
    """

    column: str
    values: tuple[tuple[Any, ...], ...]


class Fault(NamedTuple):
    """What must hold of each row, and what to say of the value in a column where it does not.

    `sound` is true where it holds, false or missing elsewhere: so no engine looks at a cell twice.
    """

    sound: nw.Expr
    column: str
    text: str


class FrameAnswers(NamedTuple):
    """A frame of labels and confidences of some precision, and which rows are right.

    `sound` is true of the rows that have none of the `faults`, in fewer words than these: an engine on a
    cluster is told each of them through a socket, and asks them of every row. `is_probable` says that
    the confidence of a sound row lies between 0 and 1.
    """

    frame: nw.LazyFrame[Any]
    precision: Precision
    right: nw.Expr
    faults: list[Fault]
    sound: nw.Expr
    is_probable: bool


def answers_from_predictions(
    columns: FrameColumns,
    label: str | SpelledClasses,
    prediction: str | SpelledClasses | None,
    confidence: str | None,
    keys: Sequence[str] = (),
) -> FrameAnswers:
    """Take the model's answer and how sure it is from their columns."""
    if prediction is None or confidence is None:
        raise InputError("name prediction and confidence, or proba: what the model said")
    says, truth = _name(prediction), _name(label)
    is_spelled = isinstance(label, SpelledClasses) and isinstance(prediction, SpelledClasses)
    if not is_spelled and columns.kind(truth) != columns.kind(says):
        raise InputError(
            f"the column {truth!r} holds {columns.schema[truth]}, but {says!r} holds "
            f"{columns.schema[says]}: cast one of them, so that they can be compared"
        )
    precision = columns.precision([confidence])
    frame = columns.table.select(
        *_key_columns(keys),
        label=columns.plain(truth),
        answer=columns.plain(says),
        confidence=columns.as_precise(confidence, precision),
    )
    missing = f"the column {says!r} must hold an answer in every row; one has none"
    fault = Fault(_is_given(columns, says, "answer"), "answer", missing)
    right = _agree(label, prediction).fill_null(value=False)
    return FrameAnswers(frame, precision, right, [fault], fault.sound, is_probable=False)


def most_probable(
    columns: FrameColumns,
    label: SpelledClasses,
    proba: Sequence[str],
    measure: str,
    *,
    prediction: SpelledClasses | None = None,
    confidence: str | None = None,
    of_first: bool = False,
    keys: Sequence[str] = (),
) -> FrameAnswers:
    """Take the most probable class, the first of several, unless the model's answer is given.

    A single column is of the second of two classes, or `of_first`. A column of the model's own
    confidence replaces what the probabilities say.
    """
    phi = FRAME_MEASURES[as_choice(measure, tuple(FRAME_MEASURES), "measure")]
    n = len(label.values)
    if measure in _OF_TWO and n > _MOST_CLASSES:
        raise InputError(
            f"an engine computes the {measure.replace('_', ' ')} of at most {_MOST_CLASSES} classes; got {n}"
        )
    precision = columns.precision(proba)
    scored = {f"p{i}": columns.as_precise(name, precision) for i, name in enumerate(proba)}
    columns_of = list(scored) if len(proba) > 1 or of_first else ["p1"]
    limits = [
        Fault(
            nw.col(key).is_between(-ROUND_OFF, 1 + ROUND_OFF),
            key,
            f"probabilities must be between 0 and 1; got {{}} in the column {name!r}",
        )
        for key, name in zip(columns_of, proba, strict=True)
    ]
    one, zero = nw.lit(1.0, precision), nw.lit(0.0, precision)
    if len(proba) == 1:
        rest = {"p1" if of_first else "p0": one - scored["p0"]}
        scored = rest | {"p0" if of_first else "p1": scored["p0"]}
    names = [f"p{i}" for i in range(n)]
    spoken = {} if prediction is None else {"answer": columns.plain(prediction.column)}
    score = precision
    if confidence is not None:
        score = columns.precision([confidence])
        spoken["sure"] = columns.as_precise(confidence, score)
    p = [nw.col(name) for name in names]
    truth = _first_true([_is_one(nw.col("label"), values) for values in label.values], n)
    extremes = {}
    if len(proba) > 1:
        extremes["least"] = nw.min_horizontal(*names)
        extremes["sum"] = sum_of(p)
    frame = columns.table.select(
        *_key_columns(keys), label=columns.plain(label.column), **spoken, **scored
    ).with_columns(top=nw.max_horizontal(*p), truth=truth, **extremes)
    sure = phi(p, precision) if confidence is None else nw.col("sure")
    answer = nw.col("answer") if prediction is not None else None
    faults, sound = limits, limits[0].sound
    if extremes:
        whole = (nw.col("sum") - 1).abs() <= SUM_TOLERANCE  # missing where one of them is
        sound = (nw.col("least") >= -ROUND_OFF) & (nw.col("top") <= 1 + ROUND_OFF) & whole
        message = "the probabilities of a row must sum to 1, one sums to {}; normalise them before"
        faults = [*limits, Fault(whole, "sum", message)]
    faults = [*faults, _stranger(columns, label, "label")]
    sound &= (nw.col("truth") < n) | ~_is_given(columns, label.column, "label")
    if prediction is None or answer is None:
        best = [nw.col(name) == nw.col("top") for name in names]
        code = _first_true(best[:-1], n - 1)
        frame = frame.with_columns(confidence=sure, code=code)
    else:
        is_class = [_is_one(answer, values) for values in prediction.values]
        own = [
            nw.when(is_said).then(nw.col(name)).otherwise(zero)
            for name, is_said in zip(names, is_class, strict=True)
        ]
        own_p = nw.max_horizontal(*own)
        frame = frame.with_columns(confidence=sure, code=_first_true(is_class, n), own=own_p)
        missing = f"the column {prediction.column!r} must hold an answer in every row; one has none"
        of_answer = [
            Fault(_is_given(columns, prediction.column, "answer"), "answer", missing),
            _stranger(columns, prediction, "answer"),
            Fault(
                nw.col("own") >= nw.col("top"),
                "answer",
                f"the column {prediction.column!r} says {{}} where another class is more probable; name "
                "proba alone, or prediction and confidence",
            ),
        ]
        faults += of_answer
        sound = nw.all_horizontal(sound, *(fault.sound for fault in of_answer), ignore_nulls=False)
    return FrameAnswers(
        frame,
        score,
        nw.col("truth") == nw.col("code"),
        faults,
        sound,
        is_probable=confidence is None and measure not in ROUNDED_MEASURES,
    )


def spell_classes(
    columns: FrameColumns, label: str, names: Sequence[str], classes: Sequence[Any] | None
) -> SpelledClasses:
    """Check classes that are named as they are written in the column of labels."""
    text = columns.kind(label) == "text"
    if classes is None and (text or len(names) > 1):
        raise InputError(
            "name the classes in the order of the columns of probabilities, as they are written "
            f"in the column {label!r}"
        )
    known = as_classes((0, 1) if classes is None else classes)
    if len(known) != max(len(names), 2):
        raise InputError(
            f"{len(names)} columns of probabilities, but {len(known)} classes; name one class for "
            "each column in their order, or two for a single column"
        )
    if any(isinstance(name, str) != text for name in known):
        raise InputError(
            f"the column {label!r} holds {columns.schema[label]}, but the classes are "
            f"{', '.join(map(repr, known[:10]))}: name them as they are written in the column"
        )
    # booleans are numbers here
    return SpelledClasses(label, tuple((name if text else name + 0,) for name in known))


def any_of(conditions: Iterable[nw.Expr]) -> nw.Expr:
    """Say whether one of some conditions holds; halved again and again, for they may be thousand."""
    some = list(conditions)
    if len(some) == 1:
        return some[0]
    middle = len(some) // 2
    return any_of(some[:middle]) | any_of(some[middle:])


def _first_true(conditions: Sequence[nw.Expr], none: int) -> nw.Expr:
    """Return the number of the first condition that holds; side by side, for they may be thousand."""
    some = []
    for start in range(0, len(conditions), _CHAIN):
        first = nw.lit(none)
        for i, condition in reversed(list(enumerate(conditions))[start : start + _CHAIN]):
            first = nw.when(condition).then(nw.lit(i)).otherwise(first)
        some.append(first)
    return some[0] if len(some) == 1 else nw.min_horizontal(*some)


def _agree(label: str | SpelledClasses, prediction: str | SpelledClasses) -> nw.Expr:
    """Say whether label and answer mean one class."""
    truth, answer = nw.col("label"), nw.col("answer")
    if isinstance(label, str) or isinstance(prediction, str):
        return truth == answer
    if all(
        len(set(one + two)) < 2 for one, two in zip(label.values, prediction.values, strict=True)
    ):
        return truth == answer
    return any_of(
        _is_one(truth, one) & _is_one(answer, two)
        for one, two in zip(label.values, prediction.values, strict=True)
    )


def _is_one(cell: nw.Expr, values: Sequence[Any]) -> nw.Expr:
    """Say whether a cell is one of some values; missing, or false, for a missing one."""
    if not values:
        return cell.is_null() & ~cell.is_null()
    return any_of(cell == value for value in values)


def _stranger(columns: FrameColumns, spelled: SpelledClasses, cell: str) -> Fault:
    values = [value for of_class in spelled.values for value in of_class]
    shown = ", ".join(map(repr, values[:10])) + (", ..." if len(values) > 10 else "")
    return Fault(
        ~_is_given(columns, spelled.column, cell) | _is_one(nw.col(cell), values),
        cell,
        f"the column {spelled.column!r} says {{}}, which is not among the classes {shown}",
    )


def _is_given(columns: FrameColumns, column: str, cell: str) -> nw.Expr:
    return columns.is_known(column, cell)


def _name(column: str | SpelledClasses) -> str:
    return column if isinstance(column, str) else column.column


def _key_columns(keys: Sequence[str]) -> list[nw.Expr]:
    return [nw.col(name).alias(f"key{i}") for i, name in enumerate(keys)]
