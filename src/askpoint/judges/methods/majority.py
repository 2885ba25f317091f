"""Evaluate by majority vote: the answer that always looks right (section 2 of the paper)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from askpoint.errors import NotEstimableError
from askpoint.judges.evaluation import Evaluation
from askpoint.judges.sketch.codes import MISSING
from askpoint.judges.sketch.vote_sketch import VoteCells, VoteSketch

__all__ = ["MajorityEvaluation", "evaluate_majority"]


@dataclass(frozen=True)
class MajorityEvaluation(Evaluation):
    """What the judges' own majority says of them, in exact Fractions: see `Evaluation`.

    Attributes
    ----------
    n_items : int
        Items with a majority: what all numbers are about.
    n_ties, n_unjudged : int
        Items left out: the judges were divided equally, or nobody voted.
    """

    n_ties: int = 0
    n_unjudged: int = 0


def evaluate_majority(sketch: VoteSketch) -> MajorityEvaluation:
    """Take the majority's label of each item for the truth, and evaluate judges against it.

    It needs judges who err independently and less than half of the time, and gives no sign
    where they do not: every answer is a seemingly correct one.

    Parameters
    ----------
    sketch : VoteSketch
        Votes of any number of judges on any number of labels.

    Returns
    -------
    MajorityEvaluation
        For three judges and two labels the paper's numbers. Ties are left out and counted.
        A judge who did not vote on any item of a label has no accuracy on it: None.

    Raises
    ------
    NotEstimableError
        If no item has a majority.

    References
    ----------
    "Streaming algorithms for evaluating noisy judges on unlabeled data", eqs. 5-7.

    Examples
    --------
    >>> from askpoint.judges.methods.majority import evaluate_majority
    >>> from askpoint.judges.sketch.vote_sketch import VoteSketch
    >>> sketch = VoteSketch(["ann", "bob", "cid"], ["x", "y"])
    >>> sketch.update_many([["x", "x", "y"], ["x", "x", "x"], ["y", "y", "y"]])
    >>> evaluation = evaluate_majority(sketch)
    >>> evaluation.prevalence["x"], evaluation.accuracy["cid"]["x"]
    (Fraction(2, 3), Fraction(1, 2))
    """
    votes, counts = sketch.cells()
    n_labels = len(sketch.labels)
    tally = np.stack([(votes == label).sum(axis=1) for label in range(n_labels)], axis=1)
    most = tally.max(axis=1, initial=0)
    judged = (votes != MISSING).any(axis=1)
    decided = judged & ((tally == most[:, None]).sum(axis=1) == 1)
    answer = tally.argmax(axis=1)
    n_items = _total(counts[decided])
    if not n_items:
        raise NotEstimableError(
            f"none of {sketch.n_items} items has a majority; let more judges vote on each"
        )
    prevalence = {}
    accuracy: dict[str, dict[str, Fraction | float | None]] = {j: {} for j in sketch.judges}
    for code, label in enumerate(sketch.labels):
        of_label = decided & (answer == code)
        prevalence[label] = Fraction(_total(counts[of_label]), n_items)
        here = VoteCells(votes[of_label], counts[of_label])
        n_votes, n_agreed = here.votes_cast().tolist(), here.votes_cast(code).tolist()
        for judge, voted, agreed in zip(sketch.judges, n_votes, n_agreed, strict=True):
            accuracy[judge][label] = Fraction(agreed, voted) if voted else None
    undefined = {
        judge: "voted on no item whose majority is "
        + " or ".join(label for label, share in of.items() if share is None)
        for judge, of in accuracy.items()
        if None in of.values()
    }
    return MajorityEvaluation(
        prevalence,
        accuracy,
        n_items,
        undefined,
        _total(counts[judged & ~decided]),
        _total(counts[~judged]),
    )


def _total(counts: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> int:
    return int(counts.sum())
