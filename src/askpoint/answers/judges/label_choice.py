"""Which label people care about, where its word says so: pass, right, positive; not the alphabet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from askpoint.records.label_words import spelling_key, truth_of

__all__ = ["label_of_interest", "label_to_tell"]

_OPPOSITES = (
    ("positive", "negative"),
    ("good", "bad"),
    ("accept", "reject"),
    ("accepted", "rejected"),
    ("relevant", "irrelevant"),
    ("supported", "unsupported"),
    ("pos", "neg"),
)
_UNDECIDED = {"tie", "draw", "equal", "both", "neither", "neutral", "unsure", "unclear", "same"}


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


def label_to_tell(
    labels: Sequence[str], asked: str | None, prevalence: Mapping[str, float] | None
) -> str:
    """Return the label that is told first: as asked, else what its word says, else the rarest that decides."""
    told = asked or label_of_interest(labels)
    if told is not None or prevalence is None:
        return told or labels[0]
    firm = [label for label in labels if spelling_key(label) not in _UNDECIDED]
    return min(firm or labels, key=prevalence.__getitem__)
