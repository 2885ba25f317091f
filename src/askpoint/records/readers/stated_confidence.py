"""How sure a language model says that it is, or shows by answering several times; and abstentions."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import polars as pl

from askpoint.records.column_words import looks_like
from askpoint.records.label_words import MISSING_WORDS, spelling_key
from askpoint.records.readers.grids import CellGrid
from askpoint.records.readers.reading import Doubt
from askpoint.records.roles import ColumnFacts

__all__ = [
    "ABSTENTIONS",
    "SampledAnswers",
    "abstains",
    "find_samples",
    "numbers_of_words",
    "speak_of_sureness",
]

_WORDS = (
    ("very low", "none", "very unsure", "very uncertain", "almost no chance"),
    ("low", "unsure", "uncertain", "unlikely", "niedrig"),
    ("medium", "moderate", "somewhat", "even", "about even", "mittel", "somewhat sure"),
    ("high", "sure", "likely", "confident", "hoch"),
    ("very high", "very sure", "certain", "very confident", "very likely", "almost certain"),
)
_RANKS = {word: (rank + 0.5) / len(_WORDS) for rank, words in enumerate(_WORDS) for word in words}
_PLACES = re.compile(
    r"^(sample|sampled_answer|completion|generation|response|answer)[_\s\-]?\d+$", re.IGNORECASE
)
_LISTS = (
    "samples", "answers", "responses", "completions", "generations", "sampled_answers",
    "sampled_responses", "sample_answers",
)  # fmt: skip
_SURENESS = re.compile(r"sure|certain|likely|confident|chance")
_FEW = 3  # answers that a confidence can be made of

ABSTENTIONS = MISSING_WORDS | {
    "i don't know", "i dont know", "i do not know", "don't know", "dont know", "unknown", "unsure",
    "idk", "not sure", "cannot answer", "can't answer", "i cannot answer", "weiß nicht", "abstention",
    "keine angabe", "no idea", "i can't help with that", "i cannot help with that",
}  # fmt: skip


class SampledAnswers(NamedTuple):
    """What was answered most often, and how often that was.

    Attributes
    ----------
    answers, confidence : polars.Series
        The most frequent answer of each row, and its share of all.
    columns : tuple of str
        Where the answers stand.
    said : Doubt
        What was taken for what.
    """

    answers: pl.Series
    confidence: pl.Series
    columns: tuple[str, ...]
    said: Doubt


def abstains(answer: str | None) -> bool:
    """Say whether an answer is none: a refusal, or that the model does not know."""
    return answer is None or spelling_key(answer).rstrip(".!").strip() in ABSTENTIONS


def numbers_of_words(column: pl.Series) -> pl.Series | None:
    """Return numbers in the order of words such as low and high, or None if there are others."""
    if column.dtype != pl.String:
        return None
    words = [word for word in column.unique() if word is not None]
    if len(words) < 2 or not all(spelling_key(word) in _RANKS for word in words):
        return None
    numbers = [_RANKS[spelling_key(word)] for word in words]
    return column.replace_strict(words, numbers, default=None, return_dtype=pl.Float64)


def speak_of_sureness(words: Iterable[str]) -> bool:
    """Say whether words are about being sure, as likely is and low alone is not."""
    return any(_SURENESS.search(spelling_key(word)) for word in words)


def find_samples(
    grid: CellGrid, facts: Sequence[ColumnFacts], answer: str | None
) -> SampledAnswers | None:
    """Return repeated answers to the same question, from a column of lists or a column each."""
    columns: tuple[str, ...] = ()
    rows: list[list[str | None]] | None = None
    for fact in facts:
        if looks_like(fact.name, _LISTS) and (rows := _texts(grid.frame[fact.name])) is not None:
            columns = (fact.name,)
            break
    if rows is None:
        names = [f.name for f in facts if _PLACES.match(f.name) and f.role in ("label", "text")]
        if len(names) < _FEW:
            return None
        columns = tuple(names)
        rows = [list(row) for row in grid.frame.select(pl.col(names).cast(pl.String)).iter_rows()]
    if not all(rows) or max(map(len, rows)) < _FEW:
        return None
    given = None if answer is None else grid.frame[answer].cast(pl.String).to_list()
    said, shares = [], []
    for place, row in enumerate(rows):
        answers = [None if abstains(text) else str(text).strip() for text in row]
        best = Counter(answers).most_common(1)[0][0]
        if given is not None:
            own = given[place]
            best = None if abstains(own) else str(own).strip()
        said.append(best)
        shares.append(answers.count(best) / len(answers))
    least, most = min(map(len, rows)), max(map(len, rows))
    number = f"{most}" if least == most else f"{least} to {most}"
    return SampledAnswers(
        pl.Series("prediction", said, dtype=pl.String),
        pl.Series("confidence", shares, dtype=pl.Float64),
        columns,
        Doubt(
            f"{columns[0] if len(columns) == 1 else f'{columns[0]} to {columns[-1]}'} hold {number} "
            f"answers of one model to each question: "
            f"{'the most frequent is its answer' if answer is None else f'{answer} is its answer'}, "
            "its share the confidence",
            "--kind",
        ),
    )


def _texts(column: pl.Series) -> list[list[str | None]] | None:
    if isinstance(column.dtype, pl.List):
        if column.dtype.inner.is_nested() or column.null_count():
            return None
        found: list[list[str | None]] = column.cast(pl.List(pl.String)).to_list()
        return found
    if column.dtype != pl.String:
        return None
    rows = []
    for cell in column:
        try:
            row = json.loads(cell)
        except (TypeError, ValueError):
            return None
        if not isinstance(row, list) or not all(
            isinstance(x, str | int | float) or x is None for x in row
        ):
            return None
        rows.append([None if x is None else str(x) for x in row])
    return rows
