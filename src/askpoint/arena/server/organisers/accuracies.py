"""How often each judge is right on each label, told from the votes of a campaign alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.rulings.records import queue_of
from askpoint.errors import NotEstimableError
from askpoint.judges.methods.dawid_skene import evaluate_dawid_skene
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.intervals import Interval
from askpoint.server.labelling.models import Vote

__all__ = ["Accuracies", "Accuracy", "accuracies_of"]

_LEAST_JUDGES = 3  # two who differ say nothing of who is right
_LEAST_COMMON = 20  # cases that a judge shares with others
_LEAST_OF_LABEL = 5  # cases of a label, as estimated, among a judge's votes


class Accuracy(NamedTuple):
    """How often a judge is right on a label's cases.

    Parameters
    ----------
    share : float
    interval : Interval
        At level 95%, for such cases in the long run.
    """

    share: float
    interval: Interval


class Accuracies(NamedTuple):
    """What the votes say of the judges.

    Parameters
    ----------
    labels : tuple of str
        The campaign's classes.
    n_cases : int
        Cases with two votes or more.
    by_judge : mapping of judge to tuple of Accuracy or None
        In the order of the labels; None where a judge saw too few of a label's cases. Judges who
        share too few cases with others are not in it.
    few_votes : tuple of str
        Judges in it with too few votes for intervals to be met as often as they say.
    reason : str
        Why nothing can be told; empty if it can.
    """

    labels: tuple[str, ...]
    n_cases: int
    by_judge: Mapping[str, tuple[Accuracy | None, ...]]
    few_votes: tuple[str, ...] = ()
    reason: str = ""

    def of(self, judge: str) -> tuple[Accuracy | None, ...]:
        """One judge's accuracies, all None where nothing can be told."""
        return self.by_judge.get(judge, (None,) * len(self.labels))


def accuracies_of(row: Campaign) -> Accuracies:
    """Estimate the judges' accuracies from their votes on players' and drawn cases.

    Votes on gold items stay out, so that gold remains a second opinion. A third vote exists
    only after the first two differed: what is missing depends on votes that are known, which a
    likelihood may ignore and a method of moments may not. Hence Dawid and Skene.

    Parameters
    ----------
    row : Campaign

    Returns
    -------
    Accuracies
    """
    labels = terms_of(row.terms).classes
    if row.kind == "tags":
        return Accuracies(labels, 0, {}, reason="each challenge has two labels of its own")
    votes = Vote.objects.filter(case__queue=queue_of(row.pk), void=False).exclude(
        case__purpose="gold"
    )
    cases: dict[str, dict[str, str]] = {}
    for case, judge, choice in votes.values_list("case", "reviewer", "choice"):
        cases.setdefault(case, {})[judge] = choice
    try:
        return _estimate(labels, list(cases.values()))
    except NotEstimableError as error:
        return Accuracies(labels, 0, {}, reason=str(error))


def _estimate(labels: tuple[str, ...], cases: list[dict[str, str]]) -> Accuracies:
    judges = _sharing(cases)
    # All votes are in the fit, as to leave a judge's out would hide why a third one exists.
    sketch = VoteSketch(sorted({judge for case in cases for judge in case}), labels)
    rows = [[case.get(judge) for judge in sketch.judges] for case in cases]
    sketch.update_many(np.array(rows, dtype=object))
    found = evaluate_dawid_skene(sketch)
    around = found.interval().accuracy
    told = {
        judge: tuple(
            Accuracy(found.confusion[judge][label][label], interval)
            if (interval := around[judge][label]) and found.n_votes[judge][label] >= _LEAST_OF_LABEL
            else None
            for label in labels
        )
        for judge in judges
    }
    few = tuple(judge for judge in found.few_votes if any(told.get(judge, ())))
    return Accuracies(labels, sum(len(case) > 1 for case in cases), told, few)


def _sharing(cases: list[dict[str, str]]) -> list[str]:
    """Return the judges who have enough cases in common with two others or more."""
    common: dict[str, list[set[str]]] = {judge: [] for case in cases for judge in case}
    if len(common) < _LEAST_JUDGES:
        raise NotEstimableError(
            f"votes can tell judges' accuracies only where {_LEAST_JUDGES} judges or more have "
            f"voted; here {len(common)} did; invite more judges, or use the gold cases"
        )
    for case in cases:
        for judge in case:
            if len(case) > 1:
                common[judge].append(set(case) - {judge})
    judges = [
        judge
        for judge, others in common.items()
        if len(others) >= _LEAST_COMMON and len(set().union(*others)) >= _LEAST_JUDGES - 1
    ]
    if len(judges) < _LEAST_JUDGES:
        raise NotEstimableError(
            f"votes can tell judges' accuracies only where {_LEAST_JUDGES} judges or more have "
            f"{_LEAST_COMMON} cases each in common with others, two of them or more; so far "
            f"{len(judges)} of {len(common)} have; let them judge more cases, or use the gold "
            "cases"
        )
    return judges
