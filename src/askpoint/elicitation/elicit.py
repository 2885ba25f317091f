"""Find out a metric by asking an oracle: one function for each family of metrics."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from askpoint.elicitation.believed import bayesian_diagonal
from askpoint.elicitation.chord import chord_diagonal
from askpoint.elicitation.elicited import Elicited
from askpoint.elicitation.fractional import ElicitedFraction, chord_fraction, paper_fraction
from askpoint.elicitation.linear import chord_linear
from askpoint.elicitation.oracles import Oracle
from askpoint.elicitation.paper import paper_diagonal, paper_linear
from askpoint.elicitation.questionnaire import Questionnaire, Script, ask
from askpoint.elicitation.samples import Sample
from askpoint.errors import InputError
from askpoint.measures.inputs import as_choice, as_level

__all__ = [
    "diagonal_questionnaire",
    "elicit_diagonal",
    "elicit_linear",
    "elicit_linear_fractional",
    "elicit_local",
    "fraction_questionnaire",
    "linear_questionnaire",
    "resume_questionnaire",
]

_E = TypeVar("_E")
_Makers = dict[str, Callable[..., Script[_E]]]

_DIAGONAL: _Makers[Elicited] = {
    "chord": chord_diagonal,
    "paper": paper_diagonal,
    "bayesian": bayesian_diagonal,
}
_LINEAR: _Makers[Elicited] = {"chord": chord_linear, "paper": paper_linear}
_FRACTION: _Makers[ElicitedFraction] = {"chord": chord_fraction, "paper": paper_fraction}


def _made(
    makers: _Makers[_E],
    kind: str,
    y: ArrayLike,
    proba: ArrayLike,
    method: str,
    tolerance: float,
    classes: Sequence[Any] | None,
    options: dict[str, Any],
) -> Questionnaire[_E]:
    make = makers[as_choice(method, list(makers), "method")]
    as_level(tolerance, "tolerance")
    allowed = inspect.getfullargspec(make).kwonlyargs
    for name in options:
        if name not in allowed:
            raise InputError(
                f"the method {method!r} takes {', '.join(allowed) or 'no further setting'}; got {name}"
            )
    sample = Sample.of(y, proba, classes=classes)
    plain = {n: np.asarray(value).tolist() for n, value in options.items() if n != "rng"}
    settings = {"kind": kind, "method": method, "tolerance": tolerance, **plain}
    if "rng" in allowed:
        if "rng" not in options:
            raise InputError(f"the method {method!r} draws: give it a numpy Generator (rng=...)")
        settings["draw"] = int(options["rng"].integers(2**31))
    return Questionnaire(lambda: make(sample, tolerance, **options), settings, sample.digest)


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
    y : array-like of shape (n,) or (n, k)
        True labels; or the weight of each class on each case, where the law of the labels is known.
    proba : array-like of shape (n, k) or (n,)
        Predicted probabilities; one column means the second of two classes.
    method : {"chord", "paper", "bayesian"}
        How the next question is chosen: chord bisection, the paper's algorithm 1, or, for people, by
        what it is expected to tell.
    tolerance : float, default=0.01
        Where to stop: greatest width of the last interval of a weight beside another, as a share
        of both (symbol epsilon); with "bayesian" the radius of the 90 % region.
    classes : sequence of length k, optional
        In the order of the columns; by default the sorted labels.
    **options
        Further settings of the method: short=True with "paper" leaves out the two of four questions
        that never decide; "bayesian" needs rng (a numpy Generator) and takes n_questions (20).

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
    return _made(_DIAGONAL, "diagonal", y, proba, method, tolerance, classes, options)


def linear_questionnaire(
    y: ArrayLike,
    proba: ArrayLike,
    *,
    method: str = "chord",
    tolerance: float = 0.01,
    classes: Sequence[Any] | None = None,
    **options: Any,
) -> Questionnaire[Elicited]:
    """Questions that find out what each kind of mistake costs.

    Parameters
    ----------
    y, proba, classes
        As in `diagonal_questionnaire`.
    method : {"chord", "paper"}
        Chords in two kinds of mistakes, or the paper's algorithm 2 on a sphere.
    tolerance : float, default=0.01
        Greatest width of the last interval of the angle between two weights (symbol epsilon).
    **options
        Further settings of the method. "chord" takes groups (a k x k table of names: mistakes of
        equal name share one weight), share (below 1, pairs lie near the deployed classifier);
        "paper" takes cycles and short; both take noise (the oracle's, for a warning).

    Returns
    -------
    Questionnaire
        Its estimate is an `Elicited`.

    Raises
    ------
    InputError
        If labels, probabilities and settings do not fit together.
    NotEstimableError
        If a class has no labelled case, or the probabilities do not tell it from the others.

    Examples
    --------
    >>> from askpoint.elicitation.elicit import linear_questionnaire
    >>> linear_questionnaire([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.5]).question.topic
    '0 as 1 against 1 as 0'
    """
    return _made(_LINEAR, "linear", y, proba, method, tolerance, classes, options)


def fraction_questionnaire(
    y: ArrayLike,
    proba: ArrayLike,
    *,
    method: str = "chord",
    tolerance: float = 0.001,
    classes: Sequence[Any] | None = None,
    **options: Any,
) -> Questionnaire[ElicitedFraction]:
    """Questions that find out a linear-fractional metric, such as an F-measure.

    Parameters
    ----------
    y, proba, classes
        As in `linear_questionnaire`.
    method : {"chord", "paper"}
        Gradients at two points by chords, or the best and the worst point of a sphere.
    tolerance : float, default=0.001
        Greatest width of the last interval of an angle (symbol epsilon). Finer than for linear
        metrics, as both gradients carry on to outcomes far away.
    **options
        Further settings: "chord" takes groups, "paper" takes cycles and short.

    Returns
    -------
    Questionnaire
        Its estimate is an `ElicitedFraction`.

    Raises
    ------
    InputError
        If labels, probabilities and settings do not fit together.
    NotEstimableError
        If a class has no labelled case, or the probabilities do not tell it from the others.

    Examples
    --------
    >>> from askpoint.elicitation.elicit import fraction_questionnaire
    >>> fraction_questionnaire([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.5]).remaining
    23
    """
    return _made(_FRACTION, "fraction", y, proba, method, tolerance, classes, options)


def resume_questionnaire(
    text: str,
    y: ArrayLike,
    proba: ArrayLike,
    *,
    classes: Sequence[Any] | None = None,
    rng: np.random.Generator | None = None,
) -> Questionnaire[Any]:
    """Go on with a questionnaire where it was left.

    Parameters
    ----------
    text : str
        What its ``to_json`` returned.
    y, proba, classes
        The same as when it began.
    rng : numpy Generator, optional
        Seeded as when it began, for the method "bayesian".

    Returns
    -------
    Questionnaire

    Raises
    ------
    InputError
        If the text is no saved questionnaire, or one with other data.

    Examples
    --------
    >>> from askpoint.elicitation.elicit import diagonal_questionnaire, resume_questionnaire
    >>> data = [0, 1, 1, 0], [0.2, 0.9, 0.4, 0.5]
    >>> questionnaire = diagonal_questionnaire(*data)
    >>> questionnaire.answer(True)
    >>> resume_questionnaire(questionnaire.to_json(), *data).remaining
    6
    """
    try:
        settings = dict(json.loads(text)["settings"])
        make = _QUESTIONNAIRES[settings.pop("kind")]
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(f"this text is no saved questionnaire: {error!r}") from None
    if settings.pop("draw", None) is not None:
        settings |= {} if rng is None else {"rng": rng}
    questionnaire = make(y, proba, classes=classes, **settings)
    questionnaire.resume(text)
    return questionnaire


_QUESTIONNAIRES: dict[str, Callable[..., Questionnaire[Any]]] = {
    "diagonal": diagonal_questionnaire,
    "linear": linear_questionnaire,
    "fraction": fraction_questionnaire,
}


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
    questionnaire = linear_questionnaire(
        y, proba, method=method, tolerance=tolerance, classes=classes, **options
    )
    return replace(ask(questionnaire, oracle), log=questionnaire.log)


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
        An order of confusion matrices; the metric's own scale can not be told by comparing.

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
    questionnaire = fraction_questionnaire(
        y, proba, method=method, tolerance=tolerance, classes=classes, **options
    )
    return replace(ask(questionnaire, oracle), log=questionnaire.log)


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
