"""Find out a metric by asking an oracle: one function for each family of metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

from numpy.typing import ArrayLike

from askpoint.elicitation.algorithms.fractional import ElicitedFraction
from askpoint.elicitation.elicited import Elicited
from askpoint.elicitation.families import (
    diagonal_questionnaire,
    fraction_questionnaire,
    linear_questionnaire,
)
from askpoint.elicitation.oracles import Oracle
from askpoint.elicitation.questionnaire import Questionnaire, ask

__all__ = ["elicit_diagonal", "elicit_linear", "elicit_linear_fractional", "elicit_local"]

_E = TypeVar("_E", Elicited, ElicitedFraction)


def elicit_diagonal(
    y: ArrayLike,
    proba: ArrayLike,
    oracle: Oracle,
    *,
    method: str = "chord",
    tolerance: float = 0.01,
    classes: Sequence[Any] | None = None,
    **options: Any,
) -> Elicited:
    """Find out what a right answer on each class is worth.

    Parameters
    ----------
    y : array-like of shape (n,)
        True labels.
    proba : array-like of shape (n, k) or (n,)
        Predicted probabilities; one column means the second of two classes.
    oracle : Oracle
        Who says which of two confusion matrices is better.
    method, tolerance, classes, **options
        As in `diagonal_questionnaire`.

    Returns
    -------
    Elicited
        Weights a-hat with sum 1 of the metric psi(d) = <a, d>, d the diagonal.

    Raises
    ------
    InputError
        If labels, probabilities and settings do not fit together.
    NotEstimableError
        If a class has no labelled case, or the probabilities do not tell two classes apart.

    References
    ----------
    Hiranandani, Boodaghians, Mehta and Koyejo, Multiclass Performance Metric Elicitation,
    NeurIPS 2019; chord bisection is this project's.

    Examples
    --------
    >>> from askpoint.elicitation.elicit import elicit_diagonal
    >>> from askpoint.elicitation.metrics import diagonal_metric
    >>> from askpoint.elicitation.oracles import ExactOracle
    >>> oracle = ExactOracle(diagonal_metric([0.8, 0.2]))
    >>> found = elicit_diagonal([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.5], oracle)
    >>> found.n_queries, found.weights.round(2)
    (7, array([0.8, 0.2]))
    """
    questions = diagonal_questionnaire(
        y, proba, method=method, tolerance=tolerance, classes=classes, **options
    )
    return _asked(questions, oracle)


def elicit_linear(
    y: ArrayLike,
    proba: ArrayLike,
    oracle: Oracle,
    *,
    method: str = "chord",
    tolerance: float = 0.01,
    classes: Sequence[Any] | None = None,
    **options: Any,
) -> Elicited:
    """Find out what each kind of mistake costs.

    Parameters
    ----------
    y, proba, oracle
        As in `elicit_diagonal`.
    method, tolerance, classes, **options
        As in `linear_questionnaire`.

    Returns
    -------
    Elicited
        Weights a-hat of Euclidean length 1 of the metric phi(c) = <a, c>, c the rates of mistakes
        row by row; none is positive.

    Raises
    ------
    InputError
        If labels, probabilities and settings do not fit together.
    NotEstimableError
        If a class has no labelled case, or the probabilities do not tell it from the others.

    References
    ----------
    Hiranandani, Boodaghians, Mehta and Koyejo, Multiclass Performance Metric Elicitation,
    NeurIPS 2019; chord bisection is this project's.

    Examples
    --------
    >>> from askpoint.elicitation.elicit import elicit_linear
    >>> from askpoint.elicitation.metrics import cost_metric
    >>> from askpoint.elicitation.oracles import ExactOracle
    >>> oracle = ExactOracle(cost_metric([-0.6, -0.8]))
    >>> found = elicit_linear([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.5], oracle)
    >>> found.n_queries, found.weights.round(2)
    (8, array([-0.6, -0.8]))
    """
    questions = linear_questionnaire(
        y, proba, method=method, tolerance=tolerance, classes=classes, **options
    )
    return _asked(questions, oracle)


def elicit_linear_fractional(
    y: ArrayLike,
    proba: ArrayLike,
    oracle: Oracle,
    *,
    method: str = "chord",
    tolerance: float = 0.001,
    classes: Sequence[Any] | None = None,
    **options: Any,
) -> ElicitedFraction:
    """Find out a linear-fractional metric, such as an F-measure: how it orders all outcomes.

    Parameters
    ----------
    y, proba, oracle
        As in `elicit_diagonal`.
    method, tolerance, classes, **options
        As in `fraction_questionnaire`.

    Returns
    -------
    ElicitedFraction
        An order of confusion matrices; the metric's own scale cannot be told by comparing.

    Raises
    ------
    InputError
        If labels, probabilities and settings do not fit together.
    NotEstimableError
        If a class has no labelled case, or the probabilities do not tell it from the others.

    References
    ----------
    Hiranandani, Boodaghians, Mehta and Koyejo, Multiclass Performance Metric Elicitation,
    NeurIPS 2019, section 7; the reconstruction and the chords are this project's.

    Examples
    --------
    >>> from askpoint.elicitation.elicit import elicit_linear_fractional
    >>> from askpoint.elicitation.metrics import LinearFractionalMetric
    >>> from askpoint.elicitation.oracles import ExactOracle
    >>> f1 = LinearFractionalMetric([[0, 0], [0, 2]], [[0, 1], [1, 2]])
    >>> found = elicit_linear_fractional([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.5], ExactOracle(f1))
    >>> one, other = [[0.4, 0.1], [0.2, 0.3]], [[0.3, 0.2], [0.1, 0.4]]
    >>> found.n_queries, found.prefers(one, other), f1(one) > f1(other)
    (23, False, False)
    """
    questions = fraction_questionnaire(
        y, proba, method=method, tolerance=tolerance, classes=classes, **options
    )
    return _asked(questions, oracle)


def elicit_local(
    y: ArrayLike,
    proba: ArrayLike,
    oracle: Oracle,
    *,
    share: float = 0.1,
    tolerance: float = 0.01,
    classes: Sequence[Any] | None = None,
    **options: Any,
) -> Elicited:
    """Approximate any metric that falls with mistakes by a linear one, near the deployed classifier.

    Parameters
    ----------
    y, proba, oracle
        As in `elicit_diagonal`.
    share : float, default=0.1
        How far the pairs lie from the deployed classifier: so much of both guesses. The less, the
        more local; the error falls with its square.
    tolerance, classes, **options
        As in `linear_questionnaire` with "chord".

    Returns
    -------
    Elicited
        The direction of the metric's gradient.

    Raises
    ------
    InputError
        If labels, probabilities and settings do not fit together.
    NotEstimableError
        If a class has no labelled case, or the probabilities do not tell it from the others.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.elicitation.elicit import elicit_local
    >>> from askpoint.elicitation.oracles import ExactOracle
    >>> g_mean = ExactOracle(lambda confusion: np.prod(np.diag(confusion) / 0.5) ** 0.5)
    >>> elicit_local([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.5], g_mean).weights.round(1)
    array([-0.5, -0.9])
    """
    return elicit_linear(
        y, proba, oracle, tolerance=tolerance, classes=classes, share=share, **options
    )


def _asked(questionnaire: Questionnaire[_E], oracle: Oracle) -> _E:
    return replace(ask(questionnaire, oracle), log=questionnaire.log)
