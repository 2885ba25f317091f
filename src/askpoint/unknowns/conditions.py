"""Readable conditions on cases: a column's value or range, or a word in a segment of text.

Each segment of a text (title, body, metadata) keeps its own name space: a word in the title is
another condition than the same word in the body.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from askpoint.errors import InputError
from askpoint.measures.inputs import IntArray

if TYPE_CHECKING:
    from scipy.sparse import csc_array

__all__ = ["Condition", "condition_table", "word_stem", "words_of"]

_WORD = re.compile(r"[^\W_]{2,}")
_DECILES = np.arange(1, 10) / 10
_COMMON = 0.5  # a word that half of the texts have sets nothing apart


@dataclass(frozen=True)
class Condition:
    """One condition on a case.

    Parameters
    ----------
    column : str
        The column of features or segment of text.
    relation : {"is", "is missing", "at most", "above", "has"}
        How it is compared.
    value : object
        With what; None for "is missing".
    """

    column: str
    relation: str
    value: Any = None

    def __str__(self) -> str:
        if self.relation == "is missing":
            return f"{self.column} is missing"
        shown = f"{self.value:g}" if isinstance(self.value, float) else repr(self.value)
        return f"{self.column} {self.relation} {shown}"

    def holds(
        self, columns: Mapping[str, Any], texts: Mapping[str, Sequence[str]]
    ) -> NDArray[np.bool_]:
        """Say where the condition holds."""
        if self.relation == "has":
            return np.array([self.value in words_of(text) for text in texts[self.column]])
        values = np.asarray(columns[self.column])
        if self.relation == "at most":
            return np.asarray(values <= self.value)
        if self.relation == "above":
            return np.asarray(values > self.value)
        # "is missing" compares with None
        return np.asarray(_names(values) == self.value)


def word_stem(word: str) -> str:
    """Return an English word without the ending of its plural.

    References
    ----------
    Harman, JASIS 42 (1991), the S stemmer.
    """
    if len(word) > 4 and word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("es") and not word.endswith(("aes", "ees", "oes")):
        return word[:-1]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("us", "ss")):
        return word[:-1]
    return word


def words_of(text: str) -> set[str]:
    """Return the different words of a text, in lower case and without plurals."""
    return {word_stem(word) for word in _WORD.findall(text.casefold())}


def condition_table(
    columns: Mapping[str, Any],
    texts: Mapping[str, Sequence[str]],
    rows: IntArray,
    *,
    least: int,
) -> tuple[tuple[Condition, ...], csc_array]:
    """Make all conditions that some rows suggest, and say where they hold."""
    from scipy.sparse import csc_array, hstack

    lengths = {name: len(values) for name, values in [*columns.items(), *texts.items()]}
    if not lengths:
        raise InputError("regions are sought in columns or in texts: give at least one of them")
    if len(lengths) < len(columns) + len(texts) or len(set(lengths.values())) > 1:
        raise InputError(
            "columns and texts need different names and one entry a case: got "
            + ", ".join(f"{name} ({length})" for name, length in lengths.items())
        )
    parts = [_of_column(name, np.asarray(values), rows) for name, values in columns.items()]
    parts += [_of_text(name, texts[name], rows, least) for name in texts]
    conditions = [condition for part, _ in parts for condition in part]
    table = csc_array(hstack([table for _, table in parts], format="csc"), dtype=np.float64)
    held = np.asarray(table[rows].sum(axis=0)).reshape(-1)
    kept = np.flatnonzero((held >= least) & (len(rows) - held >= least))
    return tuple(conditions[i] for i in kept), table[:, kept]


def _names(values: NDArray[Any]) -> NDArray[Any]:
    """Return the values as texts, None where one is missing."""
    return np.array(
        [None if v is None or v != v else str(v) for v in values.tolist()], dtype=object
    )


def _of_column(
    name: str, values: NDArray[Any], rows: IntArray
) -> tuple[list[Condition], csc_array]:
    from scipy.sparse import csc_array

    texts = _names(values)
    missing = texts == None  # noqa: E711 - element by element
    conditions, masks = [Condition(name, "is missing")], [missing]
    present = values[rows][~missing[rows]]
    if values.dtype.kind in "iuf":
        for cut in (
            np.unique(np.quantile(present, _DECILES, method="lower")) if present.size else ()
        ):
            below = values <= cut
            conditions += [
                Condition(name, "at most", cut.item()),
                Condition(name, "above", cut.item()),
            ]
            masks += [below, ~(below | missing)]
    else:
        for value in sorted(set(texts[rows][~missing[rows]])):
            conditions.append(Condition(name, "is", value))
            masks.append(texts == value)
    return conditions, csc_array(np.column_stack(masks), dtype=np.float64)


def _of_text(
    name: str, texts: Sequence[str], rows: IntArray, least: int
) -> tuple[list[Condition], csc_array]:
    from scipy.sparse import csc_array
    from sklearn.preprocessing import MultiLabelBinarizer

    binarizer = MultiLabelBinarizer(sparse_output=True)
    table = csc_array(binarizer.fit_transform([words_of(text) for text in texts]), dtype=np.float64)
    held = np.asarray(table[rows].sum(axis=0)).reshape(-1)
    kept = np.flatnonzero((held >= least) & (held <= _COMMON * len(rows)))
    words = binarizer.classes_[kept].tolist()
    return [Condition(name, "has", word) for word in words], table[:, kept]
