"""Which labels votes hold: spellings of one label, slips, words that are no vote, and the label of interest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from askpoint.errors import InputError
from askpoint.judges.sketch.codes import MISSING, as_labels
from askpoint.judges.sketch.tables import VoteNotes, VoteTable
from askpoint.records.label_words import MISSING_WORDS, MOST_LABELS, same_labels, spelling_key

__all__ = ["at_least_two", "settle_labels", "spell_gold", "with_positive"]

_SLIPS = 3  # votes, among at least so many times ...
_RARE = 10_000
_FOREIGN = 1000  # one vote in so many may be none of the labels that were named
_FEW = 8  # labels may be as many as votes only up to here


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
            f"{MOST_LABELS}): is a column no judge's? Name the items' column with --task, or the "
            "judges with --judges"
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
                    f"the vote {value!r} is not one of the labels {', '.join(map(repr, found))}; name "
                    "all labels in their order, or leave it out with --missing"
                )
    doubtful = {
        k: n for k, n in together.items() if k in found and spelling_key(k) in MISSING_WORDS
    }
    mapping |= dict.fromkeys([*gone, *slips], "")
    return found, mapping, VoteNotes(joined, slips, gone, {} if labels is not None else doubtful)


def at_least_two(labels: tuple[str, ...]) -> tuple[str, ...]:
    """Return labels, of which there must be two."""
    if len(labels) < 2:
        raise InputError(
            f"the votes hold {'one label only' if labels else 'no label'}"
            f"{f' ({labels[0]!r})' if labels else ''}; name all that judges could choose"
        )
    return labels


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


def with_positive(table: VoteTable, positive: str) -> VoteTable:
    """Put one label first, and all others together if there are more than two."""
    near = (label for label in table.labels if spelling_key(label) == spelling_key(positive))
    positive = positive if positive in table.labels else next(near, positive)
    if positive not in table.labels:
        raise InputError(
            f"there is no label {positive!r} among {', '.join(map(repr, table.labels))}"
        )
    rest = [label for label in table.labels if label != positive]
    other = rest[0] if len(rest) == 1 else f"not {positive}"
    place = table.labels.index(positive)
    codes = np.where(table.codes == MISSING, MISSING, table.codes != place).astype(np.int16)
    return replace(table, labels=(positive, other), codes=codes)
