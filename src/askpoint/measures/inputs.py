"""Arrays from outside: checked once, at the door, with errors that say what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askpoint.errors import InputError

__all__ = [
    "ROUND_OFF",
    "SUM_TOLERANCE",
    "BoolArray",
    "FloatArray",
    "IntArray",
    "as_choice",
    "as_classes",
    "as_codes",
    "as_finite",
    "as_level",
    "as_probabilities",
    "as_right",
    "as_same_length",
    "as_weights",
]

FloatArray = NDArray[np.floating[Any]]
IntArray = NDArray[np.integer[Any]]
BoolArray = NDArray[np.bool_]

SUM_TOLERANCE = 1e-3  # logs often carry three decimals
ROUND_OFF = 1e-6  # averages of float32 probabilities end a little above 1


def _as_array(values: ArrayLike, name: str) -> NDArray[Any]:
    try:
        return np.asarray(values)
    except ValueError:  # numpy refuses nested lists of different lengths
        raise InputError(f"all rows of {name} must have the same length") from None
    except (TypeError, RuntimeError) as error:  # a tensor on another device, or with a gradient
        line = " ".join(str(error).split("\n\n")[0].split())
        raise InputError(
            f"{name} must be an array that NumPy can read; got {type(values).__name__} ({line}). Of a "
            "tensor, pass tensor.detach().cpu()"
        ) from None


def as_finite(values: ArrayLike, name: str, *, ndim: int = 1) -> FloatArray:
    """Return `values` as a floating array of `ndim` dimensions without NaN or infinity."""
    array = _as_array(values, name)
    if array.dtype not in (np.float32, np.float64):
        try:
            # numbers written as text pass; complex numbers and the ticks of moments do not
            array = array.astype(
                np.float64, casting="unsafe" if array.dtype.kind in "OUST" else "same_kind"
            )
        except (TypeError, ValueError, OverflowError) as error:
            raise InputError(f"{name} must be numbers: {error}") from None
    if array.ndim != ndim:
        shape = " x ".join(map(str, array.shape)) or "a scalar"
        raise InputError(f"{name} must have {ndim} dimension{'s' * (ndim > 1)}; got {shape}")
    # NaN and infinity survive min and max, which need no temporary array
    if array.size and not (np.isfinite(array.min()) and np.isfinite(array.max())):
        bad = int(np.flatnonzero(~np.isfinite(array).reshape(len(array), -1).all(axis=1))[0])
        n_bad = int((~np.isfinite(array)).sum())
        raise InputError(
            f"{name} holds {n_bad} missing or infinite value{'s' * (n_bad > 1)}, "
            f"the first in row {bad}; fill or remove such rows before"
        )
    return array


def as_same_length(first: Any, second: Any, names: tuple[str, str]) -> None:
    """Check that two arrays have one entry per item each."""
    if len(first) != len(second):
        raise InputError(
            f"{names[0]} and {names[1]} must have one entry per item: "
            f"got {len(first)} and {len(second)}"
        )


def as_choice(value: Any, allowed: Sequence[str], name: str) -> str:
    """Check that `value` is one of a few allowed words."""
    if value not in allowed:
        raise InputError(f"{name} must be one of {', '.join(allowed)}; got {value!r}")
    return str(value)


def as_level(value: float, name: str) -> float:
    """Check that a level or an error probability lies strictly between 0 and 1."""
    if not 0 < value < 1:
        raise InputError(f"{name} must be strictly between 0 and 1; got {value}")
    return float(value)


def as_weights(weights: ArrayLike | None, n_items: int) -> FloatArray | None:
    """Check sample weights: one positive finite number per item."""
    if weights is None:
        return None
    array = as_finite(weights, "weights")
    if len(array) != n_items:
        raise InputError(f"weights must have one entry per item: got {len(array)} for {n_items}")
    if array.size and array.min() <= 0:
        bad = int(np.flatnonzero(array <= 0)[0])
        raise InputError(
            f"weights must be positive; got {array[bad]} in row {bad}; "
            "remove rows that should not count"
        )
    return array


def as_right(right: ArrayLike) -> BoolArray:
    """Check outcomes: whether each answer was right, as booleans or zeros and ones."""
    array = _as_array(right, "right")
    if array.dtype != np.bool_ or array.ndim != 1:
        numbers = as_finite(array, "right")
        array = numbers == 1
        if not (array | (numbers == 0)).all():
            bad = int(np.flatnonzero(~array & (numbers != 0))[0])
            raise InputError(
                f"right must hold booleans, or zeros and ones; got {numbers[bad]} in row {bad}"
            )
    if not array.size:
        raise InputError("there is no labelled item; give at least one")
    return array


def as_classes(classes: Sequence[Any] | NDArray[Any]) -> tuple[Any, ...]:
    """Check class names: at least two, all different."""
    names = (
        tuple(np.asarray(classes).tolist()) if isinstance(classes, np.ndarray) else tuple(classes)
    )
    if len(names) < 2:
        raise InputError(
            f"a classifier decides between at least two classes; got {len(names)}"
            + (f" ({names[0]!r})" if names else "")
        )
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"the class {twice!r} is named twice")
    return names


def as_codes(labels: ArrayLike, classes: Sequence[Any]) -> IntArray:
    """Return each label's position in `classes`."""
    array = _as_array(labels, "labels")
    if array.ndim != 1:
        raise InputError(f"labels must have 1 dimension; got {array.ndim}")
    names = np.asarray(classes)
    if array.dtype == object or names.dtype == object or array.dtype.kind != names.dtype.kind:
        position = {name: i for i, name in enumerate(classes)}
        codes = np.fromiter((position.get(x, -1) for x in array.tolist()), np.int64, len(array))
    elif names.dtype.kind in "iu" and np.array_equal(names, np.arange(len(names))):
        codes = np.where((array >= 0) & (array < len(names)), array, -1).astype(np.int64)
    else:
        order = np.argsort(names, kind="stable")
        place = np.searchsorted(names[order], array).clip(max=len(names) - 1)
        codes = np.where(names[order][place] == array, order[place], -1)
    if codes.size and codes.min() < 0:
        bad = array[int(np.flatnonzero(codes < 0)[0])]
        bad = bad.item() if isinstance(bad, np.generic) else bad
        shown = ", ".join(map(repr, list(classes)[:10])) + (", ..." if len(classes) > 10 else "")
        raise InputError(f"the label {bad!r} is not among the classes {shown}")
    return codes


def _is_within_one(array: NDArray[Any]) -> bool:
    """Say of most sound probabilities that they are sound, at one look for the least and the greatest."""
    if array.dtype not in (np.float32, np.float64) or array.ndim not in (1, 2) or not array.size:
        return False
    return bool(array.min() >= 0 and array.max() <= 1)  # NaN is neither


def as_probabilities(y_proba: ArrayLike, *, n_classes: int | None = None) -> FloatArray:
    """Check predicted probabilities: one row per item, one column per class."""
    array = _as_array(y_proba, "probabilities")
    within = _is_within_one(array)
    if not within:
        array = as_finite(array, "probabilities", ndim=min(array.ndim, 2) or 1)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if not within and array.size and (array.min() < 0 or array.max() > 1):
        outside = np.argwhere((array < -ROUND_OFF) | (array > 1 + ROUND_OFF))
        if len(outside):
            raise InputError(
                f"probabilities must be between 0 and 1; got {array[tuple(outside[0])]} in row "
                f"{outside[0][0]}; normalise scores before"
            )
        array = array.clip(0, 1)
    if array.ndim == 1:
        array = np.column_stack([1 - array, array])
    elif len(array):
        sums = array.sum(axis=1)
        if max(sums.max() - 1, 1 - sums.min()) > SUM_TOLERANCE:
            error = np.abs(sums - 1)
            row = int(error.argmax())
            n_bad = int((error > SUM_TOLERANCE).sum())
            raise InputError(
                f"the probabilities of a row must sum to 1: row {row} sums to {sums[row]:.6g}, "
                f"off by {error[row]:.2g} ({n_bad} of {len(sums)} rows are off by more than "
                f"{SUM_TOLERANCE}); normalise them before"
            )
    if n_classes is not None and array.shape[1] != n_classes:
        raise InputError(
            f"there are {n_classes} classes but {array.shape[1]} columns of probabilities; "
            "name one class for each column, in their order"
        )
    return array
