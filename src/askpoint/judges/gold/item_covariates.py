"""What is known of items beside votes, such as length or topic, as levels that a curve can use."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askpoint.errors import InputError
from askpoint.judges.sketch.codes import label_name
from askpoint.measures.inputs import FloatArray

__all__ = ["ItemCovariate", "bin_covariate", "level_columns"]

_PARTS = 5  # quintiles of numbers: spec J21
_MOST = 8  # texts with a level of their own
_MOST_TEXTS = 50
_NO_VALUE, _OTHERS = "no value", "others"


@dataclass(frozen=True, kw_only=True)
class ItemCovariate:
    """A column of the items in a few levels; a missing value is a level of its own.

    Attributes
    ----------
    name : str
    levels : tuple of str
        In order where the values are numbers; "no value" last.
    codes : ndarray of int16 of shape (n_items,)
        Each item's level.
    is_number : bool
    """

    name: str
    levels: tuple[str, ...]
    codes: NDArray[np.int16]
    is_number: bool

    @property
    def n_valued(self) -> int:
        """Levels that are values."""
        return len(self.levels) - (_NO_VALUE in self.levels)


def bin_covariate(name: str, values: Sequence[Any]) -> ItemCovariate:
    """Cut numbers into quintiles; leave texts as they are, rare ones together.

    Raises
    ------
    InputError
        If no item has a value, or there are more than 50 different texts.

    Examples
    --------
    >>> from askpoint.judges.gold.item_covariates import bin_covariate
    >>> bin_covariate("topic", ["law", "art", None, "law"]).levels
    ('art', 'law', 'no value')
    """
    texts = [label_name(value) for value in values]
    texts = ["" if text.casefold() in ("nan", "null") else text for text in texts]
    if not any(texts):
        raise InputError(f"the covariate {name!r} must have values; got none. Leave it out.")
    numbers = [_number(text) for text in texts]
    if all(number is not None for number, text in zip(numbers, texts, strict=True) if text):
        filled = [math.nan if number is None else number for number in numbers]
        return _bin_numbers(name, np.array(filled))
    return _name_texts(name, texts)


def level_columns(covariates: Sequence[ItemCovariate], codes: NDArray[np.int16]) -> FloatArray:
    """Return a column of 0 and 1 for each level that sets rows of codes apart."""
    columns = [
        codes[:, place] == level
        for place, covariate in enumerate(covariates)
        for level in range(len(covariate.levels))
        if len(covariate.levels) > 1
    ]
    return np.column_stack([np.empty((len(codes), 0)), *columns]).astype(np.float64)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _bin_numbers(name: str, values: FloatArray) -> ItemCovariate:
    known = np.isfinite(values)
    distinct = np.unique(values[known])
    if len(distinct) <= _PARTS:
        cuts, names = distinct[:-1], [f"{value:g}" for value in distinct]
    else:
        shares = np.arange(1, _PARTS) / _PARTS
        cuts = np.unique(np.quantile(values[known], shares, method="inverted_cdf"))
        cuts = cuts[cuts < distinct[-1]] if cuts[0] < distinct[-1] else distinct[-2:-1]
        ends = [f"{cut:g}" for cut in cuts]
        middle = [f"{low} to {high}" for low, high in pairwise(ends)]
        names = [f"up to {ends[0]}", *middle, f"above {ends[-1]}"]
    codes = np.searchsorted(cuts, values, side="left").astype(np.int16)
    return _with_missing(name, names, codes, known, is_number=True)


def _name_texts(name: str, texts: Sequence[str]) -> ItemCovariate:
    counts = Counter(text for text in texts if text)
    if len(counts) > _MOST_TEXTS:
        raise InputError(
            f"the covariate {name!r} must hold numbers or at most {_MOST_TEXTS} different texts; got "
            f"{len(counts)}. Join them, or leave it out."
        )
    common = sorted(counts, key=lambda text: (-counts[text], text))
    kept = sorted(common if len(common) <= _MOST + 1 else common[:_MOST])
    names = kept if len(kept) == len(counts) else [*kept, _OTHERS]
    place = {text: code for code, text in enumerate(kept)}
    codes = np.array([place.get(text, len(names) - 1) for text in texts], dtype=np.int16)
    known = np.array([bool(text) for text in texts])
    return _with_missing(name, names, codes, known, is_number=False)


def _with_missing(
    name: str,
    names: Sequence[str],
    codes: NDArray[np.int16],
    known: NDArray[np.bool_],
    *,
    is_number: bool,
) -> ItemCovariate:
    levels = tuple(names) if known.all() else (*names, _NO_VALUE)
    codes = np.where(known, codes, len(levels) - 1).astype(np.int16)
    return ItemCovariate(name=name, levels=levels, codes=codes, is_number=is_number)
