"""A questionnaire for each family of metrics, and how one is taken up again where it was left."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from askpoint.elicitation.algorithms.bisection import bisect_diagonal
from askpoint.elicitation.algorithms.fractional import (
    ElicitedFraction,
    bisect_fraction,
    paper_fraction,
)
from askpoint.elicitation.algorithms.linear import bisect_linear
from askpoint.elicitation.algorithms.paper import paper_diagonal, paper_linear
from askpoint.elicitation.algorithms.posterior_bisection import posterior_diagonal
from askpoint.elicitation.bayesian_weights import bayesian_diagonal
from askpoint.elicitation.elicited_weights import ElicitedWeights
from askpoint.elicitation.questionnaire import Questionnaire, Script, read_saved
from askpoint.elicitation.samples import Sample
from askpoint.errors import InputError
from askpoint.measures.inputs import as_choice, as_level

__all__ = [
    "diagonal_questionnaire",
    "fraction_questionnaire",
    "linear_questionnaire",
    "resume_questionnaire",
]

_E = TypeVar("_E", ElicitedWeights, ElicitedFraction)
_Makers = dict[str, Callable[..., Script[_E]]]

_DIAGONAL: _Makers[ElicitedWeights] = {
    "chord": bisect_diagonal,
    "paper": paper_diagonal,
    "bayesian": bayesian_diagonal,
    "posterior": posterior_diagonal,
}
_LINEAR: _Makers[ElicitedWeights] = {"chord": bisect_linear, "paper": paper_linear}
_FRACTION: _Makers[ElicitedFraction] = {"chord": bisect_fraction, "paper": paper_fraction}


def _make_questionnaire(
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
    return Questionnaire(
        lambda: make(sample, tolerance, **options),
        settings,
        sample.digest,
        with_log=lambda estimate, log: replace(estimate, log=log),
    )


def diagonal_questionnaire(
    y: ArrayLike,
    proba: ArrayLike,
    *,
    method: str = "chord",
    tolerance: float = 0.01,
    classes: Sequence[Any] | None = None,
    **options: Any,
) -> Questionnaire[ElicitedWeights]:
    """Questions that find out what a right answer on each class is worth.

    Parameters
    ----------
    y : array-like of shape (n,) or (n, k)
        True labels; or the weight of each class on each case, where the law of the labels is known.
    proba : array-like of shape (n, k) or (n,)
        Predicted probabilities; one column means the second of two classes.
    method : {"chord", "paper", "bayesian", "posterior"}
        How the next question is chosen: chord bisection, the paper's algorithm 1, or, for people, by
        what it is expected to tell; "posterior" the same for answers that are turned round at random.
    tolerance : float, default=0.01
        Where to stop: greatest width of the last interval of a weight beside another, as a share
        of both (symbol epsilon); with "bayesian" and "posterior" the radius of the 90% region.
    classes : sequence of length k, optional
        In the order of the columns; by default the sorted labels.
    **options
        Further settings of the method: short=True with "paper" leaves out the two of four questions
        that never decide; "bayesian" needs rng (a numpy Generator) and takes n_questions (20);
        "posterior" needs rng and takes flips (the probability that an answer is turned round, 0) and
        n_questions (60).

    Returns
    -------
    Questionnaire
        Its estimate is an `ElicitedWeights`.

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
    >>> from askpoint.elicitation.families import diagonal_questionnaire
    >>> questionnaire = diagonal_questionnaire([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.5])
    >>> questionnaire.remaining
    7
    """
    return _make_questionnaire(
        makers=_DIAGONAL,
        kind="diagonal",
        y=y,
        proba=proba,
        method=method,
        tolerance=tolerance,
        classes=classes,
        options=options,
    )


def linear_questionnaire(
    y: ArrayLike,
    proba: ArrayLike,
    *,
    method: str = "chord",
    tolerance: float = 0.01,
    classes: Sequence[Any] | None = None,
    **options: Any,
) -> Questionnaire[ElicitedWeights]:
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
        "paper" takes cycles and short; both take noise (the respondent's, for a warning).

    Returns
    -------
    Questionnaire
        Its estimate is an `ElicitedWeights`.

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
    >>> from askpoint.elicitation.families import linear_questionnaire
    >>> linear_questionnaire([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.5]).question.topic
    '0 as 1 against 1 as 0'
    """
    return _make_questionnaire(
        makers=_LINEAR,
        kind="linear",
        y=y,
        proba=proba,
        method=method,
        tolerance=tolerance,
        classes=classes,
        options=options,
    )


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

    References
    ----------
    Hiranandani, Boodaghians, Mehta and Koyejo, Multiclass Performance Metric Elicitation,
    NeurIPS 2019, section 7; the reconstruction and the chords are this project's.

    Examples
    --------
    >>> from askpoint.elicitation.families import fraction_questionnaire
    >>> fraction_questionnaire([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.5]).remaining
    23
    """
    return _make_questionnaire(
        makers=_FRACTION,
        kind="fraction",
        y=y,
        proba=proba,
        method=method,
        tolerance=tolerance,
        classes=classes,
        options=options,
    )


def resume_questionnaire(
    text: str,
    y: ArrayLike,
    proba: ArrayLike,
    *,
    classes: Sequence[Any] | None = None,
    rng: np.random.Generator | None = None,
) -> Questionnaire[Any]:
    """Continue a questionnaire where it was left.

    Parameters
    ----------
    text : str
        What its ``to_json`` returned.
    y, proba, classes
        The same as when it began.
    rng : numpy Generator, optional
        Seeded as when it began, for the methods "bayesian" and "posterior".

    Returns
    -------
    Questionnaire

    Raises
    ------
    InputError
        If the text is no saved questionnaire, or one with other data.

    Examples
    --------
    >>> from askpoint.elicitation.families import diagonal_questionnaire, resume_questionnaire
    >>> data = [0, 1, 1, 0], [0.2, 0.9, 0.4, 0.5]
    >>> questionnaire = diagonal_questionnaire(*data)
    >>> questionnaire.answer(True)
    >>> resume_questionnaire(questionnaire.to_json(), *data).remaining
    6
    """
    settings = dict(read_saved(text).settings)
    make = _QUESTIONNAIRES[
        as_choice(
            str(settings.pop("kind", None)), list(_QUESTIONNAIRES), "the kind of questionnaire"
        )
    ]
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
