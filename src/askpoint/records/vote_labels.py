"""Which labels votes hold: spellings of one label, slips, and words that are no vote."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from askpoint.errors import InputError
from askpoint.judges.sketch.codes import as_labels, label_name
from askpoint.judges.sketch.tables import VoteNotes
from askpoint.records.label_words import MISSING_WORDS, same_labels, spelling_key
from askpoint.records.roles import MOST_LABELS, column_facts, looks_like

__all__ = ["count_texts", "no_judges", "respell", "settle_labels", "spell_gold"]

_SLIPS = 3  # votes, among at least so many times ...
_RARE = 10_000
_FOREIGN = 1000  # one vote in so many may be none of the labels that were named
_FEW = 8  # labels may be as many as votes only up to here
_ENOUGH_ROWS = 20  # to tell by its cells that a column is no judge's
_NO_JUDGES = (
    "id", "item", "item_id", "task", "task_id", "index", "row", "text", "prompt", "question", "answer",
    "comment", "document", "doc_id", "url", "timestamp", "date", "time",
)  # fmt: skip


def no_judges(frame: pl.DataFrame, columns: Sequence[str]) -> dict[str, str]:
    """Return which columns hold names of items, texts or times instead of votes, and which."""
    found: dict[str, str] = {}
    for name in columns:
        role = column_facts(frame[name]).role
        if role in ("id", "text", "time", "nested") and (
            frame.height >= _ENOUGH_ROWS or looks_like(name, _NO_JUDGES)
        ):
            found[name] = role
    return found


def count_texts(columns: Iterable[pl.Series]) -> list[dict[str, int]]:
    """Count each column's values as texts; missing ones are empty."""
    counted = []
    for column in columns:
        counts: dict[str, int] = {}
        for value, count in column.value_counts().iter_rows():
            name = label_name(value)
            counts[name] = counts.get(name, 0) + count
        counted.append(counts)
    return counted


def settle_labels(
    columns: Sequence[Mapping[str, int]],
    labels: Sequence[str] | None = None,
    missing: Sequence[str] = (),
) -> tuple[tuple[str, ...], dict[str, str], VoteNotes]:
    """Return the labels in order, what each other text stands for ("" for no vote), and what to say.

    Raises
    ------
    InputError
        If there are more than 50 labels, or nearly as many as votes, or a vote that is not a slip
        is none of the labels that were named.
    """
    counts: dict[str, int] = {}
    for column in columns:
        for value, count in column.items():
            counts[value] = counts.get(value, 0) + count
    counts.pop("", None)
    total = sum(counts.values())
    words = {word.casefold() for word in missing}
    gone = {value: n for value, n in counts.items() if spelling_key(value) in words}
    counts = {value: n for value, n in counts.items() if value not in gone}
    if labels is None and (
        len(counts) > MOST_LABELS or (len(counts) > _FEW and 2 * len(counts) > total)
    ):
        some = ", ".join(repr(_short(value)) for value in list(counts)[:3])
        raise InputError(
            f"the votes hold {len(counts)} different labels ({some}, ...), too many for votes (at most "
            f"{MOST_LABELS}): is a column no judge's? Name the items' column by --task, or the judges "
            "by --judges"
        )
    if labels is None:
        mapping = same_labels([counts])
    else:
        labels = as_labels(labels)
        named = {spelling_key(label): label for label in labels}
        near = {value: named.get(spelling_key(value)) for value in counts if value not in labels}
        mapping = {value: label for value, label in near.items() if label is not None}
    joined: dict[str, tuple[str, ...]] = {}
    for value, label in mapping.items():
        joined[label] = (*joined.get(label, ()), value)
    together: dict[str, int] = {}
    for value, n in counts.items():
        label = mapping.get(value, value)
        together[label] = together.get(label, 0) + n
    if labels is None:
        slips = {k: n for k, n in together.items() if n <= _SLIPS and n * _RARE <= total}
        if len(together) - len(slips) < 2:
            slips = {}
        found = tuple(sorted(set(together) - set(slips)))
    else:
        found = tuple(labels)
        slips = {k: n for k, n in together.items() if k not in found}
        for value, n in slips.items():
            if n * _FOREIGN > total:
                raise InputError(
                    f"the vote {value!r} is none of the labels {', '.join(map(repr, found))}; name all "
                    "labels in their order, or take it for no vote by --missing"
                )
    doubtful = {
        k: n for k, n in together.items() if k in found and spelling_key(k) in MISSING_WORDS
    }
    mapping |= dict.fromkeys([*gone, *slips], "")
    return found, mapping, VoteNotes(joined, slips, gone, {} if labels is not None else doubtful)


def respell(column: pl.Series, mapping: Mapping[str, str]) -> pl.Series:
    """Return a column's votes as texts, by what they stand for."""
    values = column.unique()
    texts = [label_name(value) for value in values]
    new = [mapping.get(text, text) or None for text in texts]
    return (
        pl.DataFrame({column.name: column})
        .join(
            pl.DataFrame({column.name: values, "new": pl.Series(new, dtype=pl.String)}),
            on=column.name,
            how="left",
            nulls_equal=True,
            maintain_order="left",
        )["new"]
        .alias(column.name)
    )


def spell_gold(gold: Mapping[str, str], labels: Sequence[str], notes: VoteNotes) -> dict[str, str]:
    """Return true labels as the votes spell them; the rest of a label set apart is the rest."""
    known = {spelling_key(label): label for label in labels}
    for label, spellings in notes.joined.items():
        known |= {spelling_key(value): label for value in (label, *spellings)}
    rest = labels[1] if labels[1] == f"not {labels[0]}" else None
    spelled = {task: known.get(spelling_key(label), label) for task, label in gold.items()}
    return {
        task: rest if rest is not None and label != labels[0] else label
        for task, label in spelled.items()
    }


def _short(value: str) -> str:
    return value if len(value) <= 20 else f"{value[:19]}..."
