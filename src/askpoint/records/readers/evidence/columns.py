"""The columns of a table as evidence needs them: coded labels, numbers, and what names hint at."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from askpoint.records.label_words import MOST_LABELS, spelling_key, truth_of
from askpoint.records.readers.evidence.abstentions import is_no_answer
from askpoint.records.readers.evidence.words import Hint, hints_of, tokens_of
from askpoint.records.readers.grids import CellGrid
from askpoint.records.roles import ColumnFacts, numbers_of

__all__ = ["Column", "columns_of", "label_key"]

_ROWS = 5_000  # rows from which relations between columns are measured
_FILLED = 2_000  # further rows, where a column of labels is mostly empty
_FEWEST = 3
_MARKS = 20  # whole numbers up to here may be marks of how sure somebody was, as 1 to 5 or 0 to 10
_SCORED = re.compile(r"\b(p?scores?|punt\w*|pontuacao|indice)\b")
_WORDS, _REPEATED = 8, 4  # beyond 8 labels each must occur four times, or they are texts
_PLAIN = frozenset(
    [
        "true",
        "false",
        "yes",
        "no",
        "y",
        "n",
        "t",
        "f",
        "ja",
        "nein",
        "oui",
        "non",
        "si",
        "sí",
        "no",
        "sim",
        "não",
        "nao",
        "on",
        "off",
    ]
)
_ONE_WORD = re.compile(r"[\w.,:/@+%=-]+")  # a name that a shell takes as one word


def label_key(value: str) -> str:
    """Return what several spellings of a label have in common: case, spaces, and 1.0 for 1."""
    key = spelling_key(value)
    if key[-2:] == ".0" and key[:-2].lstrip("-").isdigit():
        return key[:-2]
    return key


@dataclass(frozen=True)
class Column:
    """A column, as relations between columns are measured on it.

    Parameters
    ----------
    fact : ColumnFacts
        What a look at it says.
    place : int
        Where it stands, from 0.
    cells : polars.Series
        Its cells, or those of a sample of rows that is the same for all columns.
    decimal_comma : bool
        Whether numbers are written with a comma.
    """

    fact: ColumnFacts
    place: int
    cells: pl.Series
    decimal_comma: bool = False

    @property
    def name(self) -> str:
        """Its name."""
        return self.fact.name

    @property
    def typed(self) -> str:
        """Its name as it is typed behind an option: in quotes where a shell would take it apart."""
        return self.name if _ONE_WORD.fullmatch(self.name) else shlex.quote(self.name)

    @cached_property
    def hints(self) -> frozenset[Hint]:
        """What the name hints at."""
        return hints_of(self.name)

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The words of the name."""
        return tokens_of(self.name)

    @property
    def filled(self) -> float:
        """Share of rows that hold something."""
        return self.fact.given / max(self.fact.rows, 1)

    @cached_property
    def texts(self) -> pl.Series:
        """Cells as texts."""
        if self.fact.role == "nested":
            return pl.Series(self.name, [None] * len(self.cells), dtype=pl.String)
        if self.cells.dtype == pl.Boolean:
            words = {True: "True", False: "False"}
            return self.cells.replace_strict(words, return_dtype=pl.String, default=None)
        return self.cells.cast(pl.String, strict=False)

    @cached_property
    def keys(self) -> NDArray[np.object_]:
        """The label of each row, however it is spelled; None where there is none."""
        values = self.texts.unique().to_list()
        known = self.fact.counts or {}
        keyed = {v: label_key(v) for v in values if v is not None and v in known}
        found = self.texts.replace_strict(
            list(keyed), list(keyed.values()), default=None, return_dtype=pl.String
        )
        return np.array(found.to_list(), dtype=object)

    @cached_property
    def labels(self) -> frozenset[str]:
        """The different labels, without those that say that there is none."""
        return frozenset(label_key(v) for v in self.fact.counts or () if not is_no_answer(v))

    @cached_property
    def all_truths(self) -> bool:
        """Whether all labels are words such as yes and 0."""
        return bool(self.labels) and all(truth_of(v) is not None for v in self.labels)

    @cached_property
    def label_counts(self) -> Counter[str]:
        """How often each label stands there, however it is spelled."""
        found: Counter[str] = Counter()
        for value, n in (self.fact.counts or {}).items():
            if label_key(value) in self.labels:
                found[label_key(value)] += n
        return found

    @cached_property
    def coded(self) -> tuple[tuple[str, ...], NDArray[np.int64]]:
        """The labels, and the place of each row's among them; -1 where there is none."""
        names = tuple(sorted(self.labels))
        places = {name: place for place, name in enumerate(names)}
        return names, np.array([places.get(key, -1) for key in self.keys], dtype=np.int64)

    @cached_property
    def is_plain(self) -> bool:
        """Whether all labels are whole numbers or words such as yes, which any column may hold."""
        return all(v in _PLAIN or v.lstrip("-").isdigit() for v in self.labels)

    @cached_property
    def is_label(self) -> bool:
        """Whether the column holds few labels that occur several times."""
        if self.fact.role != "label" or not self.labels or len(self.labels) > MOST_LABELS:
            return False
        if len(self.labels) > _WORDS and len(self.labels) * _REPEATED > self.fact.given:
            return False
        return not self.is_fraction

    @cached_property
    def is_fraction(self) -> bool:
        """Whether all values are numbers or percent, and not all of them whole numbers."""
        return self.fact.is_number and (not self.fact.whole or self.fact.percent)

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The numbers; NaN where there is none."""
        numbers, percent = numbers_of(self.cells, decimal_comma=self.decimal_comma)
        values = numbers.fill_null(float("nan")).to_numpy().astype(np.float64)
        return values / 100 if percent else values

    @cached_property
    def score_scale(self) -> float | None:
        """What the numbers are to be divided by to lie in [0, 1]; None if they are no scores."""
        fact = self.fact
        if not fact.is_number or fact.role not in ("number", "label", "measure", "text", "id"):
            return None
        low, high = float(fact.low or 0), float(fact.high or 0)
        if fact.percent:
            return 1.0 if low >= 0 and high <= 100 else None
        if fact.whole and high <= 1:
            return None
        if low >= 0 and high <= 1:
            return 1.0 if fact.different >= min(_FEWEST, fact.given) else None
        if fact.whole and 0 <= low < high <= _MARKS and fact.different >= 3 and self._is_sure:
            return high
        percent_like = low >= 0 and 20 < high <= 100 and fact.different >= _FEWEST
        return 100.0 if percent_like and {"confidence", "percent"} & self.hints else None

    @property
    def _is_sure(self) -> bool:
        """Whether the name speaks of being sure; marks that are called scores may be votes."""
        return "confidence" in self.hints and not _SCORED.search(" ".join(self.tokens))

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """The numbers as scores in [0, 1]."""
        return self.numbers / (self.score_scale or 1.0)

    @cached_property
    def is_log(self) -> bool:
        """Whether the numbers are at most 0 and can be logarithms of probabilities."""
        fact = self.fact
        return (
            fact.is_number and not fact.whole and float(fact.high or 0) <= 0 and "log" in self.hints
        )


def columns_of(grid: CellGrid, facts: Sequence[ColumnFacts]) -> list[Column]:
    """Return the columns of a table, each with the same sample of its rows."""
    frame = grid.frame
    if frame.height > 2 * _ROWS:
        rows = pl.int_range(0, frame.height, -(-frame.height // _ROWS), eager=True)
        for fact in facts:
            if fact.role == "label" and fact.given * 5 < fact.rows:
                rows = rows.append(frame[fact.name].is_not_null().arg_true().head(_FILLED))
        frame = frame[rows.unique().sort()]
    return [
        Column(fact, place, frame[fact.name], grid.decimal_comma)
        for place, fact in enumerate(facts)
    ]
