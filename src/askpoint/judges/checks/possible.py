"""The evaluations that the votes leave possible, whatever the truth."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from askpoint.errors import InputError, UnmetError
from askpoint.judges.checks.alarms import best_accuracy
from askpoint.judges.checks.feasible_labelings import FeasibleLabelings, Requirement, as_required
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.judges.sketch.voters import usable_judges
from askpoint.measures.intervals import Interval

__all__ = ["possible_accuracies", "possible_prevalence"]


def possible_accuracies(
    sketch: VoteSketch, n_by_label: Mapping[str, int]
) -> dict[str, dict[str, Interval | None]]:
    """Return how accurate each judge alone could be if so many items had each label.

    A judge who voted n times for a label that Q_l items have, and N - n times for others, is
    right on at least max(0, Q_l - (N - n)) and on at most min(Q_l, n) of them.
    """
    if set(n_by_label) != set(sketch.labels) or min(n_by_label.values()) < 0:
        raise InputError(
            f"say how many items have each of the labels {', '.join(sketch.labels)}; got "
            f"{dict(n_by_label)}"
        )
    if sum(n_by_label.values()) != sketch.n_items:
        raise InputError(
            f"the items of all labels add up to {sum(n_by_label.values())}, but "
            f"{sketch.n_items} were voted on"
        )
    votes, counts = sketch.cells()
    found: dict[str, dict[str, Interval | None]] = {}
    for i, judge in enumerate(sketch.judges):
        missing = int(counts @ (votes[:, i] < 0))
        row: dict[str, Interval | None] = {}
        for k, label in enumerate(sketch.labels):
            n, said = n_by_label[label], int(counts @ (votes[:, i] == k))
            other = sketch.n_items - said - missing
            least = max(n - missing, 1)  # he voted on as many of them at least
            row[label] = (
                Interval(max(0, least - other) / least, min(said, least) / least)
                if n and said + other
                else None
            )
        found[judge] = row
    return found


def possible_prevalence(sketch: VoteSketch, *, required: Requirement) -> dict[str, Interval]:
    """Return how common each label can be if all judges are as accurate as required."""
    asked = as_required(required, sketch)
    cells = sketch.cells()
    usable, _ = usable_judges(sketch, cells.votes, least=2)
    labelings = FeasibleLabelings(cells.votes[:, usable], cells.counts, len(sketch.labels))
    found = {}
    for k, label in enumerate(sketch.labels):
        ends = labelings.extent(asked[usable], k)
        if ends is None:
            raise UnmetError(
                "no true labels let all judges be as accurate as required; all of them could "
                f"reach at most {best_accuracy(sketch):.4g} on every label"
            )
        low, high = np.clip(np.array(ends) / sketch.n_items, 0, 1)
        found[label] = Interval(float(low), float(high))
    return found
