"""Any number of judges, two labels: the moments of all pairs and trios, correlated pairs left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import special

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.evaluation import Evaluation, EvaluationIntervals, Number, name_evaluation
from askpoint.judges.families import families_of_judges, same_family
from askpoint.judges.methods.moments import VoteMoments, trio_gradient, vote_moments
from askpoint.judges.methods.rank_one import RankOneFit, fit_rank_one, has_trio
from askpoint.judges.sketch.vote_sketch import VoteCells, VoteSketch
from askpoint.judges.sketch.voters import usable_judges
from askpoint.measures.inputs import FloatArray, as_level
from askpoint.measures.intervals import Interval

__all__ = ["EnsembleEvaluation", "FlaggedPair", "evaluate_ensemble"]


@dataclass(frozen=True)
class FlaggedPair:
    """Two judges whose votes agree more, or less, than their accuracies explain.

    Attributes
    ----------
    judges : tuple of two str
    residual : float
        Covariance beyond what accuracies explain, as a correlation of votes.
    deviations : float
        The same in robust deviations; more than 4, or less than -4.
    """

    judges: tuple[str, str]
    residual: float
    deviations: float


@dataclass(frozen=True)
class EnsembleEvaluation(Evaluation):
    """What `evaluate_ensemble` answers: see `Evaluation`, and beside it:

    Attributes
    ----------
    flagged : tuple of FlaggedPair
        Pairs of judges that are not error-independent, the worst first; left out of the fit.
    residuals : ndarray of shape (n_judges, n_judges)
        What accuracies do not explain of each pair's covariance, as a correlation of votes;
        0 on the diagonal, where two judges share no item, and inside a family.
    clipped : tuple of str
        Judges of whom an accuracy came out below 0 or above 1, and was set to that bound: the
        votes contradict independence.
    families : mapping of str to tuple of str
        Members of each family of two judges or more; no pair of them was taken to err
        independently.
    """

    flagged: tuple[FlaggedPair, ...] = ()
    residuals: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))
    clipped: tuple[str, ...] = ()
    families: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    _deviations: FloatArray = field(default_factory=lambda: np.zeros(0), repr=False)

    def interval(self, level: float = 0.95) -> EvaluationIntervals:
        """Intervals for the shares among these items, as far as the judges are independent."""
        as_level(level, "level")
        half, judges = self._deviations[0], self._deviations[1:].reshape(-1, 2)
        return EvaluationIntervals(
            {label: _share_interval(p, half, level) for label, p in self.prevalence.items()},
            {
                judge: {
                    label: None if share is None else _share_interval(share, deviation, level)
                    for (label, share), deviation in zip(row.items(), deviations, strict=True)
                }
                for (judge, row), deviations in zip(self.accuracy.items(), judges, strict=True)
            },
        )


def evaluate_ensemble(
    sketch: VoteSketch, *, families: Mapping[str, str] | None = None, robust: bool = True
) -> EnsembleEvaluation:
    """Evaluate three or more judges of two labels from their votes alone.

    Judges whose errors are independent have covariances Delta_ij = v_i v_j with
    v_i = sqrt(pq) (P_ia + P_ib - 1), and third moments g v_i v_j v_k with
    g = (p - q) / sqrt(pq). The fit weighs down pairs that break the first form, then leaves out
    those more than 4 robust deviations off, and every trio with one of them. A missing vote
    takes its item out of the moments that need it.

    Parameters
    ----------
    sketch : VoteSketch
        Votes on two labels; at least three judges must have voted.
    families : mapping of judge to family, optional
        Judges made from one model, or runs of one judge: pairs inside a family are left out of
        the fit, and so is every trio with one of them. Who is not named stands alone.
    robust : bool, default=True
        Weigh down pairs that the rest does not explain, and leave them out; without, it is the
        plain rank-one form of Parisi et al.

    Returns
    -------
    EnsembleEvaluation
        Most judges are taken to be better than chance.

    Raises
    ------
    InputError
        If there are more than two labels, or somebody in a family is no judge.
    NotEstimableError
        If fewer than three judges, or judges of fewer than three families, voted, or their votes do not vary together at all.

    References
    ----------
    Parisi, Strino, Nadler and Kluger, PNAS 111 (2014); Jaffe, Nadler and Kluger, AISTATS 2015;
    for three judges it is the independent evaluator of "Streaming algorithms for evaluating
    noisy judges on unlabeled data" (Hui and Walter, Biometrics 36 (1980), in epidemiology).

    Examples
    --------
    >>> from askpoint.judges.methods.ensemble import evaluate_ensemble
    >>> from askpoint.judges.sketch.vote_sketch import VoteSketch
    >>> sketch = VoteSketch(["ann", "bob", "cy"], ["ham", "spam"])
    >>> sketch.update_codes(
    ...     [
    ...         [0, 0, 0],
    ...         [0, 0, 1],
    ...         [0, 1, 0],
    ...         [1, 0, 0],
    ...         [0, 1, 1],
    ...         [1, 0, 1],
    ...         [1, 1, 0],
    ...         [1, 1, 1],
    ...     ],
    ...     [520, 140, 140, 140, 60, 60, 60, 80],
    ... )
    >>> evaluation = evaluate_ensemble(sketch)
    >>> evaluation.n_items, evaluation.flagged
    (1200, ())
    """
    if len(sketch.labels) != 2:
        raise InputError(
            f"the ensemble is evaluated for two labels; got {len(sketch.labels)} "
            f"({', '.join(sketch.labels)}); evaluate_confusions and evaluate_dawid_skene take more"
        )
    cells = sketch.cells()
    usable, undefined = usable_judges(sketch, cells.votes)
    moments = vote_moments(VoteCells(cells.votes[:, usable], cells.counts))
    related = same_family(sketch.judges, families)[np.ix_(usable, usable)]
    if not has_trio(~related & ~np.eye(len(related), dtype=bool), (0,)):
        raise NotEstimableError(
            "the judges who voted are of fewer than three families, and judges of one family do "
            "not err independently; add judges of another, or label some items"
        )
    fit = fit_rank_one(moments, robust=robust, related=related)
    v, masked = fit.factor, fit.masked | related
    weight = moments.counts @ trio_gradient(moments.cast * np.square(v), masked)
    if float(weight @ np.square(v)) < 1e-12 * moments.counts.sum():  # 3 sum over trios of (vvv)^2
        raise NotEstimableError(
            "the votes of no three judges vary together: nothing tells accurate judges from "
            "constant or guessing ones; add judges or label some items"
        )
    g, influence = _skewness(moments, fit, masked)
    root = float(np.sqrt(4 + g * g))
    up, down = (root + g) / 2, (root - g) / 2
    p = (1 + g / root) / 2
    shares = np.column_stack([1 - moments.means + v * down, moments.means + v * up])
    # of each item, on p and on (P_ia, P_ib) of each judge
    by_mean = moments.centred / moments.n_votes
    by_v, by_g = influence
    rise, fall = (g / root + 1) / 2, (g / root - 1) / 2
    by_b = by_mean + up * by_v + np.outer(by_g, v * rise)
    by_a = -by_mean + down * by_v + np.outer(by_g, v * fall)
    by_p = by_g * 2 / root**3
    bounded = shares.clip(0, 1)
    kin = 1 + related.sum(axis=1)
    deviations = _deviations(
        moments=moments,
        votes=cells.votes[:, usable],
        kin=kin,
        p=p,
        shares=bounded,
        by_p=by_p,
        by_a=by_a,
        by_b=by_b,
    )

    accuracy = np.full((len(sketch.judges), 2), np.nan)
    accuracy[usable] = bounded
    residuals = np.zeros((len(usable), len(usable)))
    residuals[np.ix_(usable, usable)] = fit.residuals
    every = np.zeros((len(usable), 2))
    every[usable] = deviations[1:].reshape(-1, 2)
    names = [judge for judge, used in zip(sketch.judges, usable, strict=True) if used]
    answer = name_evaluation(sketch, np.array([p, 1 - p]), accuracy, undefined)
    return EnsembleEvaluation(
        **vars(answer),
        flagged=_list_flagged(names, fit),
        residuals=residuals,
        clipped=tuple(
            name
            for name, moved in zip(names, np.abs(bounded - shares) > 1e-9, strict=True)
            if moved.any()
        ),
        families=families_of_judges(sketch.judges, families),
        _deviations=np.concatenate([deviations[:1], every.ravel()]),
    )


def _share_interval(share: Number, deviation: float, level: float) -> Interval:
    """Interval for a share from the standard deviation of its error, kept between 0 and 1."""
    half = deviation * -float(special.ndtri((1 - level) / 2))
    return Interval(max(0.0, float(share) - half), min(1.0, float(share) + half))


def _list_flagged(names: list[str], fit: RankOneFit) -> tuple[FlaggedPair, ...]:
    pairs = [
        FlaggedPair((names[i], names[j]), float(fit.residuals[i, j]), float(fit.deviations[i, j]))
        for i, j in np.argwhere(np.triu(fit.masked))
    ]
    return tuple(sorted(pairs, key=lambda pair: -abs(pair.deviations)))


def _skewness(
    moments: VoteMoments, fit: RankOneFit, masked: NDArray[np.bool_]
) -> tuple[float, tuple[FloatArray, FloatArray]]:
    """G = (p - q) / sqrt(pq) from all trios, and what each item adds to the errors of v and g."""
    v, counts = fit.factor, moments.counts
    centred, cast = moments.centred, moments.cast
    own, squares = centred * v, cast * np.square(v)
    by_own, by_squares = trio_gradient(own, masked), trio_gradient(squares, masked)
    skewness = (own * by_own).sum(axis=1) / 3
    expected = (squares * by_squares).sum(axis=1) / 3
    total = float(counts @ expected)
    g = float(counts @ skewness) / total

    score = centred * ((centred * v) @ fit.weights) - cast * v * (
        (cast * np.square(v)) @ fit.weights
    )
    curvature = fit.weights * moments.n_common * np.outer(v, v)
    np.fill_diagonal(curvature, (fit.weights * moments.n_common) @ np.square(v))
    by_v = score @ np.linalg.pinv(curvature, hermitian=True)
    move_mean = -(counts @ (by_own * cast)) * v
    move_v = counts @ (by_own * centred) - 2 * g * v * (counts @ (by_squares * cast))
    by_mean = centred / moments.n_votes
    by_g = (skewness - g * expected + by_mean @ move_mean + by_v @ move_v) / total
    return g, (by_v, by_g)


def _deviations(
    moments: VoteMoments,
    votes: NDArray[np.int16],
    kin: NDArray[np.int_],
    p: float,
    shares: FloatArray,
    by_p: FloatArray,
    by_a: FloatArray,
    by_b: FloatArray,
) -> FloatArray:
    """Standard deviations of estimate less truth on these very items, over what may be the truth.

    A family of `kin` judges has one voice in what may be the truth, not so many.
    """
    chance = np.empty((len(votes), 2))  # of each pattern with each true label
    share = shares.clip(1e-9, 1 - 1e-9)
    for true, prior in ((0, p), (1, 1 - p)):
        says = np.where(votes == true, share[:, true], 1 - share[:, true])
        chance[:, true] = max(prior, 1e-9) * np.where(votes >= 0, says ** (1 / kin), 1.0).prod(
            axis=1
        )
    chance *= (moments.counts / chance.sum(axis=1))[:, None]
    n = chance.sum()
    variance = np.zeros((1 + votes.shape[1], 2))
    for true in (0, 1):
        variance[0] += chance[:, true] @ np.square(by_p - ((true == 0) - p) / n)
        for label, by in ((0, by_a), (1, by_b)):
            here = np.zeros_like(by)
            if true == label:
                mine = chance[:, true] @ moments.cast
                here = moments.cast * ((votes == label) - shares[:, label]) / np.maximum(mine, 1)
            variance[1:, label] += chance[:, true] @ np.square(by - here)
    deviation = np.sqrt(variance)
    return np.concatenate([deviation[0, :1], deviation[1:].ravel()])
