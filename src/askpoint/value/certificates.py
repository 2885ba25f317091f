"""How often such a log certifies anything, and what a certificate that it gave is worth.

A promise at delta is broken in at most a share delta of all logs, those that certify nothing
included. Where certificates are rare most of those given may be false: luck certifies, too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from askpoint.value.curve import ValueCurve
from askpoint.value.guarantees import fixed_sequences
from askpoint.value.posterior.rightness_model import RightnessModel

__all__ = ["CertificateOdds", "certificate_odds", "certificate_worth"]


class CertificateOdds(NamedTuple):
    """What `learn_then_test` does to logs of the same cases, labelled afresh.

    Attributes
    ----------
    given : float
        Probability that a threshold is certified.
    broken : float
        Probability that one is, and breaks its promise.
    true_if_given : float or None
        Probability that a certificate holds, of those given; None where none was.
    """

    given: float
    broken: float
    true_if_given: float | None


def certificate_odds(
    posterior: RightnessModel,
    curve: ValueCurve,
    risk: float,
    delta: float,
    rng: np.random.Generator,
    *,
    n_models: int = 1,
    n_draws: int = 200,
) -> CertificateOdds:
    """Draw curves and labels from the posterior of a log, and certify each anew.

    Call with the posterior fitted on the log whose `curve` was certified, with the same risk,
    delta and number of models.
    """
    items = np.diff(curve.items)
    sequences = fixed_sequences(curve, risk, delta, n_models=n_models)
    rates = 1 - posterior.draw(curve.thresholds[1:], n_draws, rng)
    n_given = broken = 0
    for rate in rates:
        wrong = np.append(0, np.cumsum(rng.binomial(items, rate)))
        step = max(sequence.last_pass(wrong) for sequence in sequences)
        n_given += step > 0
        broken += bool(step and (items * (rate - risk))[:step].sum() > 0)
    return CertificateOdds(
        n_given / n_draws, broken / n_draws, 1 - broken / n_given if n_given else None
    )


def certificate_worth(
    posterior: RightnessModel,
    threshold: float,
    risk: float,
    rng: np.random.Generator,
    *,
    n_draws: int = 1000,
) -> float:
    """Probability, given the labels, that the answers from `threshold` on err at most at `risk`.

    It weighs the certificate together with what real models are like, so it may be well below
    1 - delta where certificates are rare.
    """
    evidence = posterior.evidence_
    answered = evidence.mass * (evidence.lowest >= threshold)
    if not answered.any():
        return 1.0
    wrong = (1 - posterior.draw_groups(n_draws, rng)) @ answered
    return float(np.mean(wrong <= risk * answered.sum()))
