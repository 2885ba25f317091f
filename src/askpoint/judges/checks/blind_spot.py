"""What an error that all judges share would change: it leaves no trace in votes.

If a share h_l of the items of label l looks to all judges like another label, votes are
distributed exactly as without it, with other prevalences and accuracies. So no statistic of
votes can tell, whatever the number of judges; the band says what such a blind spot would do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.checks.common_correlation import COMMON_CORRELATION
from askpoint.judges.evaluation import EvaluationIntervals
from askpoint.judges.methods.dawid_skene import ConfusionsEvaluation
from askpoint.measures.inputs import FloatArray
from askpoint.measures.intervals import Interval, binomial_interval

__all__ = [
    "BlindSpotBand",
    "blind_spot_band",
    "blind_spot_of_correlation",
    "own_intervals",
]

_MOST = 0.3
_COARSE, _STEP = 2e-3, 1e-4


@dataclass(frozen=True)
class BlindSpotBand:
    """Prevalences and accuracies under blind spots from none to `share`.

    Attributes
    ----------
    correlation : float or None
        The common error correlation behind `share`, None where the share itself was given.
    share : mapping of label to float
        h_l, the share of the label's items that would look to all judges like another.
    prevalence : mapping of label to Interval
    accuracy : mapping of judge to mapping of label to Interval
        Without judges who never voted.
    """

    correlation: float | None
    share: Mapping[str, float]
    prevalence: Mapping[str, Interval]
    accuracy: Mapping[str, Mapping[str, Interval]]


def blind_spot_of_correlation(
    on_label: FloatArray, on_rest: FloatArray, correlation: float
) -> float:
    """Return the least share that gives the label this error correlation, at most .3.

    rho(h) = h (1 - h) sum d_i d_j / sum sqrt(V_i V_j) over pairs of judges, pooled as in
    `effective_judges`, with d = P*_l + P*_rest - 1 and V = P_l(h) (1 - P_l(h)).
    """
    d = on_label + on_rest - 1

    def first(h: FloatArray) -> float | None:
        accuracy = (1 - h[:, None]) * on_label + h[:, None] * (1 - on_rest)
        deviation = np.sqrt(accuracy * (1 - accuracy))
        common = h * (1 - h) * (d.sum() ** 2 - (d**2).sum())
        alone = deviation.sum(axis=1) ** 2 - (deviation**2).sum(axis=1)
        reached = common >= correlation * alone
        return float(h[np.argmax(reached)]) if reached.any() else None

    near = first(np.arange(0, _MOST + _COARSE / 2, _COARSE))
    if near is None:
        return _MOST
    return first(np.arange(max(near - _COARSE, 0), near + _STEP / 2, _STEP)) or near


def blind_spot_band(
    evaluation: ConfusionsEvaluation,
    *,
    correlation: float = COMMON_CORRELATION,
    share: float | None = None,
    level: float = 0.95,
    own: EvaluationIntervals | None = None,
) -> BlindSpotBand:
    """Say how far prevalences and accuracies could be off if all judges shared a blind spot.

    Parameters
    ----------
    evaluation : ConfusionsEvaluation
        Of `evaluate_dawid_skene`, the most robust centre.
    correlation : float, default=0.32
        How strongly errors would correlate on the items of a label: as among model judges
        whose labels are known.
    share : float, optional
        The share of each label's items instead, between 0 and .45.
    level : float, default=0.95
        Of the evaluation's own intervals, whose half widths the band adds at its ends.
    own : EvaluationIntervals, optional
        These intervals, where they are at hand.

    Returns
    -------
    BlindSpotBand

    Raises
    ------
    InputError
        If a number is out of its range.

    Notes
    -----
    Not a guarantee: where most judges are worse than chance on a label, the truth lies outside.
    With more than two labels each one is set against the rest.

    Examples
    --------
    >>> import askpoint
    >>> from askpoint.judges.checks.blind_spot import blind_spot_band
    >>> votes = askpoint.VoteSketch(3, ["fail", "pass"])
    >>> votes.update_codes([[0, 0, 0], [1, 1, 1], [0, 1, 1], [0, 0, 1]], [400, 500, 60, 40])
    >>> band = blind_spot_band(askpoint.evaluate_dawid_skene(votes))
    >>> low, high = band.prevalence["pass"]
    >>> low < 0.56 < high
    True
    """
    if not 0 <= correlation < 1:
        raise InputError(f"correlation must be between 0 and 1; got {correlation}")
    if share is not None and not 0 <= share <= 0.45:
        raise InputError(f"the share of a blind spot must be between 0 and .45; got {share}")
    judges = list(evaluation.confusion)
    around = own_intervals(evaluation, level) if own is None else own
    shares: dict[str, float] = {}
    prevalence: dict[str, Interval] = {}
    accuracy: dict[str, dict[str, Interval]] = {judge: {} for judge in judges}
    for label in evaluation.labels:
        p = float(evaluation.prevalence[label])
        on_label, on_rest = _against_the_rest(evaluation, label)
        if share is None:
            h = blind_spot_of_correlation(on_label, on_rest, correlation)
            rest = blind_spot_of_correlation(on_rest, on_label, correlation)
        else:
            h = rest = share
        shares[label] = h
        corners = [(p - r) / (1 - a - r) for a in (0.0, h) for r in (0.0, rest)]
        prevalence[label] = _widen(corners, p, around.prevalence[label] or Interval(0.0, 1.0))
        hidden = (1 - h) * on_label + h * (1 - on_rest)
        for judge, stated, under in zip(judges, on_label, hidden, strict=True):
            beside = around.accuracy[judge][label] or Interval(0.0, 1.0)
            accuracy[judge][label] = _widen([stated, under], stated, beside)
    return BlindSpotBand(correlation if share is None else None, shares, prevalence, accuracy)


def own_intervals(evaluation: ConfusionsEvaluation, level: float = 0.95) -> EvaluationIntervals:
    """Return the evaluation's own intervals; for crowds too large for them, binomial ones."""
    try:
        return evaluation.interval(level)
    except NotEstimableError:
        n = evaluation.n_items
        return EvaluationIntervals(
            {label: _binomial(float(p), n, level) for label, p in evaluation.prevalence.items()},
            {
                judge: {
                    label: _binomial(matrix[label][label], votes, level)
                    for label, votes in row.items()
                }
                for (judge, matrix), row in zip(
                    evaluation.confusion.items(), evaluation.n_votes.values(), strict=True
                )
            },
        )


def _binomial(share: float, n: float, level: float) -> Interval:
    return binomial_interval(min(share * n, n), n, level=level, method="wilson")


def _against_the_rest(
    evaluation: ConfusionsEvaluation, label: str
) -> tuple[FloatArray, FloatArray]:
    """Accuracies on the label, and on all others taken together."""
    others = [other for other in evaluation.labels if other != label]
    mass = np.array([evaluation.prevalence[other] for other in others])
    mass = mass / mass.sum() if mass.sum() > 0 else np.full(len(others), 1 / len(others))
    matrices = evaluation.confusion.values()
    on_label = np.array([matrix[label][label] for matrix in matrices])
    said = np.array([[matrix[other][label] for other in others] for matrix in matrices])
    return on_label, 1 - said @ mass


def _widen(ends: list[float], stated: float, own: Interval) -> Interval:
    low = min(ends) - (stated - own.lower)
    high = max(ends) + (own.upper - stated)
    return Interval(float(min(max(low, 0), 1)), float(min(max(high, 0), 1)))
