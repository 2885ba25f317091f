"""Which label people care about, where its word says so: pass, right, positive; not the alphabet."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.records.label_words import spelling_key, truth_of

__all__ = ["label_of_interest", "label_to_tell", "stray_labels"]

_OPPOSITES = (
    ("positive", "negative"),
    ("good", "bad"),
    ("accept", "reject"),
    ("accepted", "rejected"),
    ("relevant", "irrelevant"),
    ("supported", "unsupported"),
    ("pos", "neg"),
)
_STRAY = 0.01  # of the votes: such a label is a slip more often than a question
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
    labels: Sequence[str],
    asked: str | None,
    prevalence: Mapping[str, float] | None,
    stray: Collection[str] = (),
) -> str:
    """Return the label that is told first: as asked, else what its word says, else the rarest that decides.

    A stray label is told first only where it was asked for, or its word says yes.
    """
    told = asked or label_of_interest(labels)
    if told is not None:
        return told
    common = [label for label in labels if label not in stray] or list(labels)
    firm = [label for label in common if spelling_key(label) not in _UNDECIDED] or common
    return firm[0] if prevalence is None else min(firm, key=prevalence.__getitem__)


def stray_labels(sketch: VoteSketch) -> dict[str, int]:
    """Return the labels of less than 1% of the votes, and how many votes each has."""
    cells = sketch.cells()
    votes = {
        label: int(((cells.votes == code).sum(axis=1) * cells.counts).sum())
        for code, label in enumerate(sketch.labels)
    }
    total = sum(votes.values())
    return {label: n for label, n in votes.items() if n < _STRAY * total}
