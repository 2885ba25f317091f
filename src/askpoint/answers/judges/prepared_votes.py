"""Votes before they are evaluated: abstentions are no votes, redundant judges stand aside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from askpoint.judges.sketch.codes import MISSING
from askpoint.judges.sketch.tables import VoteTable
from askpoint.records.label_words import MISSING_WORDS, spelling_key

__all__ = ["abstaining_labels", "never_labelled", "with_judges", "without_labels"]

_ENOUGH = 30  # labels, without one of a kind: spec J20
_NO_VERDICT = MISSING_WORDS | {
    "tie", "draw", "unsure", "unclear", "both", "neither", "undecided", "unknown", "cannot say",
    "can't tell", "not sure",
}  # fmt: skip


def never_labelled(labels: Sequence[str], gold: Mapping[str, str]) -> tuple[str, ...]:
    """Return the labels that no gold label names; none without gold labels."""
    seen = set(gold.values())
    return tuple(label for label in labels if label not in seen) if gold else ()


def abstaining_labels(labels: Sequence[str], gold: Mapping[str, str]) -> tuple[str, ...]:
    """Return the labels that are no verdict: called tie, unsure, error, and never given by people.

    Thirty gold labels or more must be there, and two other labels left.
    """
    found = tuple(
        label
        for label in never_labelled(labels, gold)
        if spelling_key(label) in _NO_VERDICT and len(gold) >= _ENOUGH
    )
    return found if len(labels) - len(found) >= 2 else ()


def without_labels(table: VoteTable, labels: Sequence[str]) -> VoteTable:
    """Take votes for some labels for no votes."""
    kept = [label for label in table.labels if label not in labels]
    codes = [kept.index(label) if label in kept else MISSING for label in table.labels]
    place = np.array([*codes, MISSING], dtype=np.int16)  # the last is MISSING's, at -1
    return replace(table, labels=tuple(kept), codes=place[table.codes])


def with_judges(table: VoteTable, judges: Sequence[str]) -> VoteTable:
    """Return the votes of some of the judges on all items."""
    places = [table.judges.index(judge) for judge in judges]
    return replace(table, judges=tuple(judges), codes=table.codes[:, places])
