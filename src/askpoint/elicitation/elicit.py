"""Find out a metric by asking an oracle: one function for each family of metrics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from numpy.typing import ArrayLike

from askpoint.elicitation.chord import chord_diagonal
from askpoint.elicitation.elicited import Elicited
from askpoint.elicitation.oracles import Oracle
from askpoint.elicitation.questionnaire import Questionnaire, Script, ask
from askpoint.elicitation.samples import Sample
from askpoint.measures.inputs import as_choice, as_level

__all__ = ["diagonal_questionnaire", "elicit_diagonal"]

_DIAGONAL: dict[str, Callable[..., Script[Elicited]]] = {"chord": chord_diagonal}


def diagonal_questionnaire(
    y: ArrayLike,
    proba: ArrayLike,
    *,
    method: str = "chord",
    tolerance: float = 0.01,
    classes: Sequence[Any] | None = None,
    **options: Any,
) -> Questionnaire[Elicited]:
    """Questions that find out what a right answer on each class is worth.

    Parameters
    ----------
    y : array-like of shape (n,)
        True labels.
    proba : array-like of shape (n, k) or (n,)
        Predicted probabilities; one column means the second of two classes.
    method : {"chord"}
        How the next question is chosen.
    tolerance : float, default=0.01
        Where to stop: greatest width of the last interval of a weight beside another, as a share
        of both (symbol epsilon).
    classes : sequence of length k, optional
        In the order of the columns; by default the sorted labels.
    **options
        Further settings of the method, numbers and texts.

    Returns
    -------
    Questionnaire
        Its estimate is an `Elicited`.

    Raises
    ------
    InputError
        If labels, probabilities and settings do not fit together.
    NotEstimableError
        If a class has no labelled case, or the probabilities do not tell two classes apart.

    Examples
    --------
    >>> from askpoint.elicitation.elicit import diagonal_questionnaire
    >>> questionnaire = diagonal_questionnaire([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.5])
    >>> questionnaire.remaining
    7
    """
    make = _DIAGONAL[as_choice(method, list(_DIAGONAL), "method")]
    as_level(tolerance, "tolerance")
    sample = Sample.of(y, proba, classes=classes)
    settings = {"kind": "diagonal", "method": method, "tolerance": tolerance, **options}
    return Questionnaire(lambda: make(sample, tolerance, **options), settings, sample.digest)


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
    questionnaire = diagonal_questionnaire(
        y, proba, method=method, tolerance=tolerance, classes=classes, **options
    )
    return replace(ask(questionnaire, oracle), log=questionnaire.log)
