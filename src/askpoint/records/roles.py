"""What a table's columns are: ids, times, texts, labels or numbers, judged by name and content."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from askpoint.records.column_words import is_called_id
from askpoint.records.label_words import MISSING_WORDS, MOST_LABELS

__all__ = [
    "ColumnFacts",
    "Role",
    "column_facts",
    "number_different",
    "numbers_of",
]

_SAMPLE = 10_000
_VERY_FEW = 8
_NEARLY_ALL = 0.95
_LONG = 40.0  # characters of a cell that is a text, on average

Role = Literal["empty", "nested", "id", "time", "measure", "label", "number", "text"]

_START = r"(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))"  # of a word: "sentiment" holds no time, "candidate" no date
_TIME = re.compile(_START + r"(?i:time|date|created|updated|datum)|(?i:time|timestamp|datum)$|_at$")
_MEASURE = re.compile(
    _START + r"(?i:cost|price|usd(?![a-z])|eur(?![a-z])|euro|latency|duration|elapsed|runtime|token|seconds|bytes"
    r"|length|n_chars|n_words|amount|temperature|seed(?![a-z]))"
    r"|(?i:cost|costs|price|latency|duration|tokens|bytes|length|amount|_ms|_secs?|runtime)$"
)  # fmt: skip
_ISO = r"^\d{4}-\d\d?-\d\d?([T ]\d\d?:\d\d.*)?$|^\d\d?[./]\d\d?[./]\d{2,4}( \d\d?:\d\d.*)?$"


@dataclass(frozen=True)
class ColumnFacts:
    """What a look at a column's name and cells says.

    Parameters
    ----------
    name : str
        Its name.
    role : str
        What it is by name and content.
    rows, given : int
        Cells, and those that hold something.
    different : int
        Different values; beyond a few hundred, those of a sample.
    counts : dict of str to int, or None
        How often each value occurs, if they are few; missing ones are left out.
    absent : dict of str to int
        How often the column holds nothing, by the word that says so.
    low, high : float or None
        Range of the numbers, if all values are numbers.
    whole, percent : bool
        Whether all numbers are whole; whether they are written with a percent sign.
    """

    name: str
    role: Role
    rows: int
    given: int
    different: int
    counts: dict[str, int] | None
    absent: dict[str, int]
    low: float | None = None
    high: float | None = None
    whole: bool = False
    percent: bool = False

    @property
    def is_number(self) -> bool:
        """Whether all values are numbers."""
        return self.low is not None

    @property
    def is_nearly_unique(self) -> bool:
        """Whether hardly a value occurs twice."""
        return self.different > _NEARLY_ALL * min(self.given, _SAMPLE)


def numbers_of(column: pl.Series, *, decimal_comma: bool = False) -> tuple[pl.Series, bool]:
    """Return a column's numbers, null where a cell holds none, and whether it writes percent."""
    if column.dtype != pl.String:
        if column.dtype.is_numeric():
            return column.cast(pl.Float64).fill_nan(None), False
        return pl.Series(column.name, [None] * len(column), dtype=pl.Float64), False
    direct = column.cast(pl.Float64, strict=False)
    if direct.null_count() <= column.null_count():
        return direct.fill_nan(None), False
    texts = column.str.strip_chars()
    percent = bool(texts.head(_SAMPLE).str.ends_with("%").any())
    if percent:
        texts = texts.str.strip_suffix("%").str.strip_chars()
    if decimal_comma:
        texts = texts.str.replace(",", ".", literal=True)
    return texts.cast(pl.Float64, strict=False).fill_nan(None), percent


def number_different(column: pl.Series) -> int:
    """Return how many different values a column has; fast where no two are equal."""
    if not column.dtype.is_nested() and column.hash().n_unique() == len(column):
        return len(column)  # equal values have equal hashes
    return column.n_unique()


def _count_values(column: pl.Series, sample: pl.Series) -> list[tuple[str | None, int]]:
    """Count each value; a look for each is faster than groups where they are few."""
    seen = sample.unique().to_list()
    if column.dtype == pl.String and len(seen) <= _VERY_FEW:
        counts = [
            (value, column.null_count() if value is None else int((column == value).sum()))
            for value in seen
        ]
        if sum(count for _, count in counts) == len(column):
            return counts
    found = column.value_counts(name="\x00n")
    return list(zip(_texts(found[column.name]), found.to_series(1), strict=True))


def column_facts(
    column: pl.Series, *, decimal_comma: bool = False, missing: Sequence[str] | None = None
) -> ColumnFacts:
    """Look at a column."""
    rows = len(column)
    if column.dtype.is_nested() or column.dtype in (pl.Object, pl.Binary):
        return ColumnFacts(column.name, "nested", rows, rows - column.null_count(), rows, None, {})
    words = MISSING_WORDS if missing is None else {"", *(word.casefold() for word in missing)}
    sample = column if rows <= _SAMPLE else column.gather_every(rows // _SAMPLE)
    if sample.n_unique() > 8 * MOST_LABELS:
        return _many(column, _texts(sample), decimal_comma=decimal_comma)
    counts: dict[str, int] = {}
    absent: dict[str, int] = {}
    for value, count in _count_values(column, sample):
        text = value or ""
        word = text.strip()
        target = absent if word.casefold() in words else counts
        key = word if target is absent else text
        target[key] = target.get(key, 0) + count
    given = sum(counts.values())
    values = pl.Series(column.name, list(counts), dtype=pl.String)
    low, high, whole, percent = _range(values, decimal_comma=decimal_comma)
    facts = ColumnFacts(
        name=column.name, role="label", rows=rows, given=given, different=len(counts), counts=dict(sorted(counts.items())),
        absent=dict(sorted(absent.items())), low=low, high=high, whole=whole, percent=percent,
    )  # fmt: skip
    return _with_role(facts, values)


def _many(column: pl.Series, sample: pl.Series, *, decimal_comma: bool) -> ColumnFacts:
    gone = column.null_count()
    given = sample.drop_nulls()
    low, high, whole, percent = _range(given, decimal_comma=decimal_comma)
    facts = ColumnFacts(
        name=column.name, role="text", rows=len(column), given=len(column) - gone, different=given.n_unique(), counts=None,
        absent={"": gone} if gone else {}, low=low, high=high, whole=whole, percent=percent,
    )  # fmt: skip
    return _with_role(facts, given)


def _texts(column: pl.Series) -> pl.Series:
    if column.dtype == pl.String:
        return column
    if column.dtype == pl.Boolean:
        words = {True: "True", False: "False"}
        return column.replace_strict(words, return_dtype=pl.String, default=None)
    if column.dtype.is_float():
        column = column.fill_nan(None)
    return column.cast(pl.String)


def _range(
    values: pl.Series, *, decimal_comma: bool
) -> tuple[float | None, float | None, bool, bool]:
    numbers, percent = numbers_of(values, decimal_comma=decimal_comma)
    numbers = numbers.drop_nulls()
    if not len(values) or len(numbers) < _NEARLY_ALL * len(values):
        return None, None, False, False
    low, high = float(numbers.min()), float(numbers.max())  # type: ignore[arg-type]
    return low, high, bool((numbers == numbers.round()).all()), percent


def _with_role(facts: ColumnFacts, values: pl.Series) -> ColumnFacts:
    return ColumnFacts(**{**facts.__dict__, "role": _role(facts, values)})


def _role(facts: ColumnFacts, values: pl.Series) -> Role:
    if not facts.given:
        return "empty"
    name = facts.name.strip()
    if is_called_id(name) and facts.is_nearly_unique and (facts.whole or not facts.is_number):
        return "id"
    if not facts.is_number and bool(values.str.contains(_ISO).all()):
        return "time"
    if facts.is_number and _TIME.search(name) and facts.different > MOST_LABELS:
        return "time"
    if facts.is_number and _MEASURE.search(name):
        return "measure"
    few = facts.counts is not None and facts.different <= MOST_LABELS
    if few and facts.is_number and not facts.whole and facts.different > 12:
        return "number"
    long = _mean_length(values) > _LONG
    if (
        few
        and not (long and facts.is_nearly_unique)
        and (facts.different < facts.given or facts.given <= 3)
    ):
        return "text" if long else "label"
    if facts.is_number:
        nearly_all_whole = facts.whole and facts.is_nearly_unique and facts.given > MOST_LABELS
        return "id" if nearly_all_whole else "number"
    if facts.is_nearly_unique and not long and not bool(values.str.contains(r"\s").any()):
        return "id"
    return "text"


def _mean_length(values: pl.Series) -> float:
    mean = values.str.len_chars().mean()
    return float(mean) if isinstance(mean, int | float) else 0.0
