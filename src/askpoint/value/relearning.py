"""Learning again from the labels that asking brought, without believing that all cases are hard.

People are asked about the cases that the model was unsure of. Added as they are, they make the
hard region look as large as people's diligence. Here each region keeps the share that it has in
the stream: the labelled cases in which the model asks share the weight of all cases in which
it asks, and so do the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.exchange import ExchangeRate
from askpoint.measures.inputs import BoolArray, FloatArray
from askpoint.measures.intervals import Interval
from askpoint.measures.outcomes import Outcomes
from askpoint.value.classifier import SelectiveClassifier
from askpoint.value.labelled_cases import LabelledCases
from askpoint.value.model_comparison import paired_difference

__all__ = ["BeforeAfter", "before_after", "region_weights", "relearn"]


def region_weights(asked: BoolArray, share_asked: float) -> FloatArray:
    """Weights that give labelled cases the shares that their regions have in the stream."""
    if not 0 <= share_asked <= 1:
        raise InputError(f"the share asked must be between 0 and 1; got {share_asked}")
    n, hard = len(asked), int(asked.sum())
    for cases, share, what in ((hard, share_asked, "asks"), (n - hard, 1 - share_asked, "answers")):
        if share > 0 and not cases:
            raise NotEstimableError(
                f"the model {what} in {share:.1%} of the stream, but no such case is labelled: "
                "label some"
            )
    weights = np.ones(n)
    weights[asked] = n * share_asked / max(hard, 1)
    weights[~asked] = n * (1 - share_asked) / max(n - hard, 1)
    positive = weights > 0
    return np.where(positive, weights, weights[positive].min())


def relearn(
    model: SelectiveClassifier,
    X: Any,
    y: ArrayLike,
    X_asked: Any,
    y_asked: ArrayLike,
    *,
    share_asked: float,
    correct: bool = True,
) -> SelectiveClassifier:
    """Fit again on the training cases and the cases that people answered.

    Parameters
    ----------
    model : SelectiveClassifier
        Fitted on `X` and `y`.
    X, y : array-like
        The training cases and their labels: drawn like the stream.
    X_asked, y_asked : array-like
        Cases about which `model` asked, and what people said.
    share_asked : float
        Share of the stream's cases about which it asked.
    correct : bool, default=True
        Whether to give each region its share of the stream (`region_weights`). A model of
        classes (naive Bayes) needs it; a model of the border between them (logistic
        regression, trees) mostly learns more without, as weights cost precision. Only with it
        does `value_curve_` say what the stream is worth.

    Returns
    -------
    SelectiveClassifier
        A new one, with the same settings, its threshold chosen on the same cases.

    Raises
    ------
    NotEstimableError
        If the stream has cases of a kind of which none is labelled.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from askpoint import CheckCost, SelectiveClassifier
    >>> from askpoint.value.relearning import relearn
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(600, 2))
    >>> y = (X.sum(axis=1) + rng.normal(size=600) > 0).astype(int)
    >>> model = SelectiveClassifier(LogisticRegression(), objective=CheckCost(0.2))
    >>> model = model.fit(X[:200], y[:200])
    >>> asked = model.decide(X[200:]).asked
    >>> again = relearn(
    ...     model, X[:200], y[:200], X[200:][asked], y[200:][asked], share_asked=asked.mean()
    ... )
    >>> again.value_curve_.n_items == 200 + int(asked.sum())
    True
    """
    check_is_fitted(model)
    features = np.concatenate([np.asarray(X), np.asarray(X_asked)])
    labels = np.concatenate([np.asarray(y), np.asarray(y_asked)])
    hard = np.concatenate(
        [model.decide(X).asked, np.ones(len(np.asarray(y_asked)), dtype=np.bool_)]
    )
    weights = region_weights(hard, share_asked) if correct else None
    again: SelectiveClassifier = clone(model)
    return again.fit(features, labels, sample_weight=weights)


@dataclass(frozen=True)
class BeforeAfter:
    """What a change did, on cases that neither model has seen.

    Parameters
    ----------
    before, after : Outcomes
        On the same cases.
    gain : float
        Rise in V(omega) per case.
    interval : Interval
        For the gain, paired item by item, 95%.
    """

    before: Outcomes
    after: Outcomes
    gain: float
    interval: Interval


def before_after(
    before: SelectiveClassifier,
    after: SelectiveClassifier,
    X: Any,
    y: ArrayLike,
    rate: ExchangeRate,
) -> BeforeAfter:
    """Compare two fitted models on held-out cases.

    Parameters
    ----------
    before, after : SelectiveClassifier
        Fitted, with the same classes and one threshold each.
    X, y : array-like
        Labelled cases that neither has seen, drawn like the stream.
    rate : ExchangeRate
        Price of a mistake.

    Returns
    -------
    BeforeAfter

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from askpoint import CheckCost, ExchangeRate, SelectiveClassifier
    >>> from askpoint.value.relearning import before_after
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SelectiveClassifier(GaussianNB(), objective=CheckCost(0.2)).fit(X, y)
    >>> before_after(model, model, X, y, ExchangeRate(4)).gain
    0.0
    """
    truth = np.searchsorted(before.classes_, np.asarray(y))
    cases = []
    for model in (before, after):
        made = model.decide(X)
        predicted = np.searchsorted(model.classes_, made.labels)
        answered = np.where(made.asked, 0.0, 1.0)
        cases.append(LabelledCases(tuple(model.classes_), truth, predicted, answered, None))
    difference = paired_difference(cases[1], cases[0], rate.omega, thresholds=(0.5, 0.5))
    return BeforeAfter(
        before.decide(X).outcomes(y),
        after.decide(X).outcomes(y),
        difference.difference,
        difference.interval,
    )
