"""How often the model is right where it is so sure: a posterior that departs from its curve."""

from __future__ import annotations

from sklearn.base import BaseEstimator

from askpoint.value.posterior.rightness_model import RightnessModel

__all__ = ["RightnessPosterior"]


class RightnessPosterior(RightnessModel, BaseEstimator):  # type: ignore[misc]
    """Posterior of q(c) = P(right | confidence c), from a prior learned on real models.

    Parameters
    ----------
    scale : {"auto", "probability", "score"}, default="auto"
        Whether confidences are probabilities, of which the logit counts, or scores, which are
        standardised. "auto": probabilities where all lie between 0 and 1.
    prior : RightnessPrior, optional
        What is known before the first label; without, that of `askpoint.value.posterior.prior`
        for the scale.
    power : float, default=0.8
        Power of the likelihood in draws, so that they are as far apart as real logs are from the
        curves of three numbers; the point keeps the whole likelihood.

    Attributes
    ----------
    evidence_ : Evidence
        The cases in groups of about equal rank, and their labels.
    right_ : ndarray of shape (n_groups,)
        Posterior mean of q in each group; it may fall as confidence rises.
    n_labelled_ : float
        Number of labels (with weights: of as many as tell as much).
    law_weights_ : ndarray of shape (5,)
        Posterior probability that nothing departs from the curve, and of each way to depart.

    Notes
    -----
    logit q = f(z) + d(u) in groups of cases by rank u. f is one of 48 curves
    e/2 + (1 - e) sigmoid(A + B z) that stand for a grid of shift A, slope B and lapse e, on two
    scales: the logit of the confidence and the probit of its rank. The deviation d is a Markov
    chain along 64 segments of the ranks: zero, a slow walk, or a walk with jumps. Where 2% of the
    cases are tied, the tie may have a rate of its own. All sums are exact given the 48 curves.

    References
    ----------
    Platt, Advances in Large Margin Classifiers (1999), for the curve. Rabiner, Proceedings of
    the IEEE 77 (1989), for the forward and backward passes.

    Examples
    --------
    >>> from askpoint.value.posterior.rightness import RightnessPosterior
    >>> posterior = RightnessPosterior().fit([0.99, 0.9, 0.8, 0.6], [1, 1, 0, 1])
    >>> bool(posterior.predict([0.95])[0] > posterior.predict([0.7])[0])
    True
    """
