"""Sketches of votes and of the items that people labelled."""

from __future__ import annotations

from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.sketch.vote_sketch import VoteSketch

__all__ = ["sketches"]


def sketches(votes, truth, checked, labels="ab", judges=None):
    sketch = VoteSketch(votes.shape[1] if judges is None else judges, list(labels))
    sketch.update_codes(votes)
    gold = GoldSketch(sketch.judges, list(labels))
    gold.update_codes(votes[checked], truth[checked])
    return sketch, gold
