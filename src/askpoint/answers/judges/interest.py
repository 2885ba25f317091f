"""Which label people care about, where its word says so: pass, right, positive; not the alphabet."""

from __future__ import annotations

from collections.abc import Sequence

from askpoint.records.label_words import spelling_key, truth_of

__all__ = ["label_of_interest"]

_OPPOSITES = (
    ("positive", "negative"),
    ("good", "bad"),
    ("accept", "reject"),
    ("accepted", "rejected"),
    ("relevant", "irrelevant"),
    ("supported", "unsupported"),
    ("pos", "neg"),
)


def label_of_interest(labels: Sequence[str]) -> str | None:
    """Return the one of two labels that says yes, or None where their words do not tell."""
    if len(labels) != 2:
        return None
    truths = [truth_of(label) for label in labels]
    if set(truths) == {True, False}:
        return labels[truths.index(True)]
    words = tuple(spelling_key(label) for label in labels)
    for yes, no in _OPPOSITES:
        if set(words) == {yes, no}:
            return labels[words.index(yes)]
    for word, label, other in zip(words, labels, words[::-1], strict=True):
        if other in {f"not {word}", f"not_{word}", f"not-{word}", f"non-{word}"}:
            return label
    return None
