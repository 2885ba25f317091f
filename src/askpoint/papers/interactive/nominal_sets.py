"""The 31 data sets of table 1, as the paper prepared them: complete rows, numbers cut into intervals."""

from __future__ import annotations

import functools
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import polars as pl

from askpoint.errors import InputError
from askpoint.measures.inputs import IntArray
from askpoint.papers.data_files import Data
from askpoint.papers.interactive.discretisation import discretise
from askpoint.papers.uci_files import UCI_FILES

__all__ = [
    "COPIES",
    "FOLDS",
    "INDEPENDENT_SETS",
    "QUICK_SETS",
    "SETS",
    "NominalSet",
    "folds",
    "nominal_set",
    "without_copies",
]

SETS = tuple(line.split()[0] for line in UCI_FILES.strip().splitlines())
"""Names, in the order of table 1."""

COPIES = {
    "crx": "australian",
    "DNA-nominal": "splice",
    "glass2": "glass",
    "heart": "cleve",
    "pima": "diabetes",
}
"""Sets whose rows are, but for a few, those of another; the other has at least as many rows."""

INDEPENDENT_SETS = tuple(name for name in SETS if name not in COPIES)
"""One of each pair: rank tests assume that data sets are independent."""


QUICK_SETS = ("glass", "heart", "hepatitis", "iris", "lymphography")
"""Small ones, three with more than two classes."""

FOLDS = 5
_MISSING_IS_A_VALUE = ("mushroom", "vote")  # table 1 counts all their rows
_NOMINAL_CODES = {"australian": ("A4", "A5", "A6", "A12")}  # UCI: "labels changed to numbers"


def without_copies(names: Collection[str]) -> list[str]:
    """Return data sets without those whose rows another of them has."""
    return [name for name in names if COPIES.get(name) not in names]


@dataclass(frozen=True, eq=False)
class NominalSet:
    """A data set whose attributes are all nominal.

    Parameters
    ----------
    codes : ndarray of int of shape (n, n_attributes)
        Each attribute's value, by number from 0.
    n_values : tuple of int
        How many values each attribute has.
    y : ndarray of int of shape (n,)
        The class, by number from 0.
    n_classes : int
        How many there are.
    """

    codes: IntArray
    n_values: tuple[int, ...]
    y: IntArray
    n_classes: int


@functools.lru_cache(maxsize=2)
def nominal_set(data: Data, name: str) -> NominalSet:
    """Read a data set and prepare it as the paper did."""
    frame = data.frame(name)
    if name in _MISSING_IS_A_VALUE:
        frame = frame.with_columns(pl.col(pl.String).fill_null("?"))
    frame = frame.drop_nulls()
    y = _number_values(frame.to_series(-1))
    columns = []
    for column in frame.iter_columns():
        if column.name == frame.columns[-1]:
            break
        if (
            column.dtype == pl.String
            or column.n_unique() <= 2
            or column.name in _NOMINAL_CODES.get(name, ())
        ):
            columns.append(_number_values(column))
        else:
            columns.append(discretise(column.to_numpy().astype(np.float64), y))
    codes = np.column_stack(columns)
    n_values = tuple(int(column.max()) + 1 for column in columns)
    return NominalSet(codes, n_values, y, int(y.max()) + 1)


def _number_values(column: pl.Series) -> IntArray:
    return np.unique(column.cast(pl.String).to_numpy(), return_inverse=True)[1].astype(np.int64)


def folds(y: IntArray, name: str, partition: int) -> IntArray:
    """Return the fold of each row: shuffled, each class spread evenly; the same for all classifiers."""
    from sklearn.model_selection import StratifiedKFold

    sizes = np.bincount(y)
    if len(y) < FOLDS or sizes.max() < FOLDS:
        raise InputError(
            f"{name} has {len(y)} complete rows, {sizes.max()} of its largest class; {FOLDS} folds need "
            f"at least {FOLDS} of one class"
        )
    fold = np.empty(len(y), dtype=np.int64)
    split = StratifiedKFold(FOLDS, shuffle=True, random_state=partition)
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # that a class has fewer rows than folds: shuttle, lymphography
        for number, (_, test) in enumerate(split.split(np.zeros(len(y)), y)):
            fold[test] = number
    return fold
