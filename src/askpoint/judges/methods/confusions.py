"""More than two labels: confusion matrices of three judges by eigenvectors, then all judges by EM."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np

from askpoint.errors import NotEstimableError
from askpoint.judges.methods.dawid_skene import ConfusionsEvaluation, as_confusions, fit_labels
from askpoint.judges.sketch.vote_sketch import VoteCells, VoteSketch
from askpoint.judges.sketch.voters import usable_judges
from askpoint.measures.inputs import FloatArray

__all__ = ["evaluate_confusions", "trio_confusions"]

_DIRECTIONS = 20
_TRIOS = 20
_MOST_LABELS = 50


def trio_confusions(joint: FloatArray) -> tuple[FloatArray, FloatArray] | None:
    """Return prevalences and confusion matrices of three independent judges, in closed form.

    ``N_theta M12^-1 = A1 diag(A3^T theta) A1^-1`` with ``N_theta = sum_k theta_k T_..k``: the
    eigenvectors, normalised, are the columns of A1; pi = A1^-1 m1; A2 and A3 follow by
    regression. Of 20 directions theta the one that keeps the eigenvalues farthest apart counts.

    References
    ----------
    Anandkumar, Hsu and Kakade, COLT 2012; Zhang, Chen, Zhou and Jordan, JMLR 17 (2016).
    """
    r = len(joint)
    pairs = joint.sum(axis=2)
    if np.linalg.cond(pairs) > 1e8:
        return None
    inverse = np.linalg.inv(pairs)
    best, gap = None, 0.0
    # a fixed, even spread of directions: what comes out must not depend on chance
    steps = np.arange(1, _DIRECTIONS + 1)[:, None] * np.sqrt(np.arange(2, r + 2))
    for theta in np.cos(2 * np.pi * steps):
        values, vectors = np.linalg.eig(joint @ theta @ inverse)
        distance = np.abs(values[:, None] - values) + np.where(np.eye(r), np.inf, 0)
        apart = float(distance.min() / np.abs(values).max())
        if np.isreal(values).all() and apart > gap:
            best, gap = np.real(vectors), apart
    if best is None or gap < 1e-9 or (np.abs(best.sum(axis=0)) < 1e-9).any():
        return None
    first = best / best.sum(axis=0)
    prevalence = np.linalg.solve(first, joint.sum(axis=(1, 2)))
    if (prevalence <= 0).any():
        return None
    # M12 = A1 diag(pi) A2^T
    scaled = np.linalg.inv(first * prevalence)
    columns = [first, (scaled @ pairs).T, (scaled @ joint.sum(axis=1)).T]
    order = (
        max(permutations(range(r)), key=lambda p: sum(np.trace(a[:, p]) for a in columns))
        if (r <= 6)
        else tuple(np.argsort([int(column.argmax()) for column in first.T]).tolist())
    )
    matrices = np.array([a[:, order].T for a in columns])
    return prevalence[list(order)], matrices


def evaluate_confusions(sketch: VoteSketch) -> ConfusionsEvaluation:
    """Evaluate three or more judges of any number of labels by their confusion matrices.

    The trio with the most items in common that determines the matrices gives the start, EM over
    all judges and items polishes it. Of this start and the majority's the more likely answer
    counts. Judges are taken to err independently, most of them to be better than chance.

    Parameters
    ----------
    sketch : VoteSketch
        At least three judges must have voted.

    Returns
    -------
    ConfusionsEvaluation

    Raises
    ------
    NotEstimableError
        If fewer than three judges voted, or no vote ever differs.

    References
    ----------
    Zhang, Chen, Zhou and Jordan, "Spectral methods meet EM", JMLR 17 (2016).

    Examples
    --------
    >>> from askpoint.judges.methods.confusions import evaluate_confusions
    >>> from askpoint.judges.sketch.vote_sketch import VoteSketch
    >>> sketch = VoteSketch(["ann", "bob", "cy"], ["a", "b", "c"])
    >>> sketch.update_codes([[0, 0, 0], [1, 1, 1], [2, 2, 2], [0, 0, 1]], [50, 30, 20, 5])
    >>> round(evaluate_confusions(sketch).prevalence["b"], 2)
    0.29
    """
    cells = sketch.cells()
    usable, undefined = usable_judges(sketch, cells.votes)
    own = VoteCells(cells.votes[:, usable], cells.counts)
    r = len(sketch.labels)
    if len(np.unique(own.votes[own.votes >= 0])) < 2:
        raise NotEstimableError(
            "all votes are for one label: nothing tells accurate judges from constant ones; label "
            "some items"
        )
    models = [fit_labels(own, r)]
    for trio in _trios(own) if r <= _MOST_LABELS else []:  # the joint votes of a trio are r cubed
        confusions = trio_confusions(_joint(own, trio, r))
        if confusions is not None:
            models.append(fit_labels(own, r, _posterior(own, trio, *confusions)))
            break
    best = max(models, key=lambda model: model.log_likelihood)
    return as_confusions(sketch, own, best, usable, undefined)


def _trios(cells: VoteCells) -> list[tuple[int, int, int]]:
    """Trios with the most items in common, among the judges who voted most."""
    cast = cells.votes >= 0
    busiest = np.argsort(-(cells.counts @ cast), kind="stable")[:8].tolist()
    common = {
        trio: int(cells.counts @ cast[:, trio].all(axis=1)) for trio in combinations(busiest, 3)
    }
    ranked = sorted((trio for trio in common if common[trio]), key=lambda trio: -common[trio])
    return ranked[:_TRIOS]


def _joint(cells: VoteCells, trio: tuple[int, int, int], r: int) -> FloatArray:
    votes = cells.votes[:, trio]
    all_three = (votes >= 0).all(axis=1)
    joint: FloatArray = np.zeros((r, r, r))
    np.add.at(joint, tuple(votes[all_three].T), cells.counts[all_three])
    joint /= joint.sum()
    return joint


def _posterior(
    cells: VoteCells, trio: tuple[int, int, int], prevalence: FloatArray, confusion: FloatArray
) -> FloatArray:
    chance: FloatArray = np.tile(prevalence, (len(cells.votes), 1))
    for matrix, judge in zip(confusion.clip(0.01, 1), trio, strict=True):
        votes = cells.votes[:, judge]
        chance *= np.where(votes[:, None] >= 0, matrix.T[votes], 1.0)
    chance /= chance.sum(axis=1, keepdims=True)
    return chance
