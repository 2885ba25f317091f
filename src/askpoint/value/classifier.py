"""A classifier that may ask: scikit-learn's interface, and `decide` beside `predict`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    check_is_fitted,
    column_or_1d,
)

from askpoint.errors import InputError, ObjectiveError, UnmetError
from askpoint.measures.confidence import ConfidenceMeasure, confidence_scores
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.exchange import Prices
from askpoint.measures.inputs import (
    BoolArray,
    FloatArray,
    IntArray,
    as_choice,
    as_codes,
    as_finite,
    as_probabilities,
    as_weights,
)
from askpoint.measures.outcomes import Outcomes
from askpoint.value.by_class import ByClass
from askpoint.value.cost_curves import (
    as_objective,
    cheapest_decisions,
    cost_curve,
    decisions_and_savings,
)
from askpoint.value.curve import ValueCurve
from askpoint.value.decisions import SelectiveDecisions
from askpoint.value.held_out import predict_held_out
from askpoint.value.labelled_cases import LabelledCases
from askpoint.value.objectives import Objective, OperatingPoint
from askpoint.value.posterior.cross_fitting import cross_fit, draw_folds
from askpoint.value.savings import best_gain_threshold, expected_savings
from askpoint.value.second_stage import SecondStage
from askpoint.value.threshold_choice import METHODS, choose_point

__all__ = ["SelectiveClassifier"]


class SelectiveClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Let a classifier answer where that is best, and ask where it is not.

    `predict` always answers; `decide` may ask. The threshold is chosen on predictions for
    cases that the model was not trained on.

    Parameters
    ----------
    estimator : classifier with ``predict_proba``
        Cloned and fitted; a fitted one inside `sklearn.frozen.FrozenEstimator` is used as it is.
    objective : Objective, ByClass, CostMatrix or Prices
        What to want: a price, a limit (with its promise on new cases, such as
        ``MaxError(0.05, delta=0.01)`` or ``MeanError(0.05)``), one of them for each predicted class,
        or a full cost matrix with a reject cost (then `predict` takes the cheapest decision).
        Promises are strict for a frozen estimator; with folds they concern the folds' models.
    confidence : str, callable or SecondStage, default="max_probability"
        Confidence measure, or a second model of "will it be right?" from any columns.
    method : {"posterior", "hindsight", "calibrated"}, default="posterior"
        How the threshold is found. "posterior": best in expectation for new cases, by a calibrated
        posterior of being right (`RightnessPosterior`) on the held-out predictions.
        "hindsight": exactly the best for the held-out predictions, which is a lucky one.
        "calibrated": omega / (1 + omega), trusting the probabilities. Promises, limits on
        people's work or on single classes, cost matrices and costs by case are met on the
        held-out predictions by either of the first two.
    cv : int, splitter or iterable, optional
        Folds for the held-out predictions; by default 5, stratified. Not used with a frozen
        estimator: then `fit` takes cases that it has not seen.
    n_jobs : int, optional
        Folds fitted at once.

    Attributes
    ----------
    estimator_ : classifier
        Fitted on all cases.
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    threshold_ : float, or ndarray of shape (n_classes,) with `ByClass`
        Answer where confidence >= threshold; infinity means never. With a cost matrix or
        costs by case it is compared with the expected saving against asking.
    value_curve_ : ValueCurve
        Of the held-out predictions.
    operating_point_ : OperatingPoint, or dict with `ByClass`
        The choice, with what it did to the held-out predictions.

    References
    ----------
    Chow, IEEE Transactions on Information Theory 16 (1970).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from askpoint import CheckCost, SelectiveClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = SelectiveClassifier(GaussianNB(), objective=CheckCost(0.05)).fit(X[:400], y[:400])
    >>> made = model.decide(X[400:])
    >>> made.outcomes(y[400:]).risk < 1 - model.score(X[400:], y[400:])
    True
    """

    def __init__(
        self,
        estimator: Any,
        *,
        objective: Objective | ByClass | CostMatrix | Prices,
        confidence: ConfidenceMeasure | SecondStage = "max_probability",
        method: str = "posterior",
        cv: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.objective = objective
        self.confidence = confidence
        self.method = method
        self.cv = cv
        self.n_jobs = n_jobs

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: ArrayLike | None = None,
        mistake_cost: ArrayLike | None = None,
        reject_cost: ArrayLike | None = None,
        **params: Any,
    ) -> SelectiveClassifier:
        """Fit the estimator and choose the threshold.

        Parameters
        ----------
        X : array-like of shape (n_items, n_features)
            Cases.
        y : array-like of shape (n_items,)
            Labels.
        sample_weight : array-like of shape (n_items,), optional
            Weights, for the threshold and, where it takes them, the estimator; rows of weight 0
            are left out, as elsewhere in scikit-learn.
        mistake_cost, reject_cost : array-like of shape (n_items,), optional
            What a mistake on each case costs (by default 1), and what asking about it costs
            (by default rho of the objective, a `MistakeCost` or `CheckCost`), in one unit.
        **params : dict
            Metadata for the estimator's ``fit``, by scikit-learn's routing.

        Returns
        -------
        SelectiveClassifier

        Raises
        ------
        InputError
            If data or parameters do not fit together.
        NotFittedError
            If a frozen estimator is not fitted.
        UnmetError, NotEstimableError
            If the objective cannot be met or promised; the message says the best that can.
        """
        as_choice(self.method, METHODS, "method")
        objective = self._resolve_objective()
        X, y = indexable(X, y)
        check_classification_targets(y)
        y = column_or_1d(y, warn=True)
        weight = None if sample_weight is None else _check_sample_weight(sample_weight, X)
        # a weight of 0 is scikit-learn's way to leave a row out
        kept = np.ones(len(y), np.bool_) if weight is None else weight != 0
        label_names = np.unique(y[kept])
        if len(label_names) < 2:
            raise InputError(
                f"the labels hold {len(label_names)} class {label_names.tolist()}; at least two classes are "
                "needed to decide anything"
            )
        p, fitted = predict_held_out(self, X, y, weight, params)
        self.estimator_ = fitted
        self.classes_ = fitted.classes_
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(fitted, name):
                setattr(self, name, getattr(fitted, name))
        truth = as_codes(y, self.classes_.tolist())
        weight = None if weight is None else as_weights(weight[kept], int(kept.sum()))
        self._costs_by_case = mistake_cost is not None or reject_cost is not None
        self._costs: CostMatrix | None = None
        if not isinstance(objective, ByClass) and objective.costs is not None:
            self._choose_by_matrix(objective, objective.costs, p[kept], truth[kept], weight)
            return self
        right = p.argmax(axis=1) == truth
        if isinstance(self.confidence, SecondStage):
            self._stage = SecondStage(self.confidence.classifier, cv=self.confidence.cv)
            confidence = self._stage.fit(X, p, right)
        else:
            confidence = confidence_scores(p, self.confidence)
        gain = None
        if self._costs_by_case:
            self._without_one_price(objective)
            mistake, reject = self._by_case(len(p), mistake_cost, reject_cost)
            confidence = expected_savings(confidence, mistake, reject)
            gain = np.where(right, reject, reject - mistake)[kept]
        predicted = p.argmax(axis=1)[kept]
        classes = tuple(self.classes_.tolist())
        cases = LabelledCases(classes, truth[kept], predicted, confidence[kept], weight)
        self.value_curve_ = ValueCurve.from_outcomes(
            right[kept], cases.confidence, sample_weight=weight, cases=cases
        )
        self._choose(objective, cases, gain)
        return self

    def _is_probability(self) -> bool:
        return isinstance(self.confidence, SecondStage) or self.confidence == "max_probability"

    def _confidence(self, X: Any, p: FloatArray) -> FloatArray:
        if isinstance(self.confidence, SecondStage):
            return self._stage.confidence(X, p)
        return confidence_scores(p, self.confidence)

    def _choose_by_matrix(
        self,
        objective: Objective,
        costs: CostMatrix,
        p: FloatArray,
        truth: IntArray,
        weight: FloatArray | None,
    ) -> None:
        self._without_one_price(objective)
        if self._costs_by_case:
            raise ObjectiveError("give a cost matrix or costs by case, not both")
        self._costs = ordered = costs.reorder(self.classes_.tolist())
        costly = cost_curve(self.classes_[truth], p, ordered, sample_weight=weight)
        self.value_curve_ = costly.curve
        self._keep(costly.choose())

    def _choose(
        self, objective: Objective | ByClass, cases: LabelledCases, gain: FloatArray | None
    ) -> None:
        if gain is not None:
            weight = 1.0 if cases.weight is None else cases.weight
            threshold = best_gain_threshold(gain * weight, cases.confidence)
            self._keep(OperatingPoint(threshold, self.value_curve_.outcomes(threshold), None))
        elif isinstance(objective, ByClass):
            self._without_one_price(objective)
            points = objective.choose_each(self.value_curve_)
            self.operating_point_: OperatingPoint | Mapping[Any, OperatingPoint] = points
            self.threshold_: float | FloatArray = np.array(
                [points[name].threshold if name in points else np.inf for name in cases.classes]
            )
        else:
            self._keep(self._choose_point(objective, self.value_curve_))

    def _choose_point(self, objective: Objective, curve: ValueCurve) -> OperatingPoint:
        return choose_point(
            objective, curve, method=self.method, is_probability=self._is_probability()
        )

    def _keep(self, point: OperatingPoint) -> None:
        self.operating_point_ = point
        self.threshold_ = point.threshold

    def cross_fitted_outcomes(self, rng: np.random.Generator, *, n_folds: int = 10) -> Outcomes:
        """What becomes of the held-out cases, each at a threshold chosen without it.

        `operating_point_` tells what the chosen threshold did to the very cases that chose it, and
        flatters; this does not.

        Parameters
        ----------
        rng : numpy.random.Generator
            Says which case lies in which part.
        n_folds : int, default=10
            Parts of the cases; the others choose the threshold of each.

        Returns
        -------
        Outcomes
            Right, wrong and asked cases, as many as were held out.

        Raises
        ------
        ObjectiveError
            If the threshold is not one for all cases by one objective.

        Examples
        --------
        >>> import numpy as np
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from askpoint import CheckCost, SelectiveClassifier
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> model = SelectiveClassifier(GaussianNB(), objective=CheckCost(0.05)).fit(X, y)
        >>> model.cross_fitted_outcomes(np.random.default_rng(0)).total
        569
        """
        check_is_fitted(self)
        objective = None if isinstance(self.objective, ByClass) else as_objective(self.objective)
        if objective is None or objective.costs is not None or self._costs_by_case:
            raise ObjectiveError(
                "outcomes are cross-fitted for one objective and one threshold; with classes, a cost "
                "matrix or costs by case look at new cases: decide(X).outcomes(y)"
            )
        cases = cast("LabelledCases", self.value_curve_.cases)
        folds = draw_folds(len(cases.truth), rng, n_folds=n_folds)

        def answer_fold(chosen_on: BoolArray, stated_on: BoolArray) -> FloatArray:
            curve = ValueCurve.from_cases(cases.take(chosen_on))
            try:
                threshold = self._choose_point(objective, curve).threshold
            except UnmetError:
                threshold = np.inf
            return (cases.confidence[stated_on] >= threshold).astype(np.float64)

        decided = cross_fit(folds, answer_fold) > 0
        right = cases.truth == cases.predicted
        weight = np.ones(len(right), dtype=np.int64) if cases.weight is None else cases.weight
        parts = (decided & right, decided & ~right, ~decided)
        return Outcomes(*(weight[rows].sum().item() for rows in parts))

    def _without_one_price(self, objective: object) -> None:
        if self.method == "calibrated":
            raise ObjectiveError(
                f"method {self.method!r} knows one price for all cases; with costs by case or "
                f"{type(objective).__name__} use 'posterior' or 'hindsight'"
            )

    def _by_case(
        self, n: int, mistake_cost: ArrayLike | None, reject_cost: ArrayLike | None
    ) -> tuple[FloatArray, FloatArray]:
        if not self._is_probability():
            raise ObjectiveError(
                "costs by case need a confidence that is a probability: 'max_probability' or a "
                "SecondStage"
            )
        mistake: FloatArray = (
            np.ones(n) if mistake_cost is None else as_finite(mistake_cost, "mistake_cost")
        )
        if reject_cost is not None:
            reject = as_finite(reject_cost, "reject_cost")
        else:
            reject = np.full(n, self._resolve_rho())
        for values, name in ((mistake, "mistake_cost"), (reject, "reject_cost")):
            if len(values) != n:
                raise InputError(f"{name} must have one entry per case: got {len(values)} for {n}")
            if (values < 0).any():
                raise InputError(f"{name} must not be negative; got {values.min():g}")
        return mistake, reject

    def _resolve_objective(self) -> Objective | ByClass:
        wish = self.objective
        return wish if isinstance(wish, ByClass) else as_objective(wish)

    def _resolve_rho(self) -> float:
        objective = self._resolve_objective()
        rate = None if isinstance(objective, ByClass) else objective.rate
        if rate is None:
            raise ObjectiveError(
                "mistake_cost alone needs an objective with a price (MistakeCost, CheckCost); "
                f"got {type(self.objective).__name__}: give reject_cost too"
            )
        return rate.rho

    def decide(
        self,
        X: Any,
        *,
        mistake_cost: ArrayLike | None = None,
        reject_cost: ArrayLike | None = None,
    ) -> SelectiveDecisions:
        """Answer, or ask.

        Parameters
        ----------
        X : array-like of shape (n_items, n_features)
            Cases.
        mistake_cost, reject_cost : array-like of shape (n_items,), optional
            Costs by case; needed if, and only if, `fit` had some.

        Returns
        -------
        Decisions

        Raises
        ------
        InputError
            If costs by case are given here and were not in `fit`, or the other way round.
        """
        check_is_fitted(self)
        has_costs = mistake_cost is not None or reject_cost is not None
        if has_costs != self._costs_by_case:
            raise InputError(
                "fit had costs by case: give mistake_cost or reject_cost of these cases too"
                if self._costs_by_case
                else "fit had no costs by case, so the threshold does not know what to do with them"
            )
        p = as_probabilities(self.estimator_.predict_proba(X))
        if self._costs is not None:
            codes, confidence = decisions_and_savings(p, self._costs)
        else:
            codes, confidence = p.argmax(axis=1), self._confidence(X, p)
        if has_costs:
            mistake, reject = self._by_case(len(p), mistake_cost, reject_cost)
            confidence = expected_savings(confidence, mistake, reject)
        threshold = np.broadcast_to(self.threshold_, len(self.classes_))
        return SelectiveDecisions(self.classes_[codes], confidence < threshold[codes], confidence)

    def predict(self, X: Any) -> NDArray[Any]:
        """Answer every case.

        Parameters
        ----------
        X : array-like of shape (n_items, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_items,)
            The most probable class, or with a cost matrix the cheapest decision.
        """
        check_is_fitted(self)
        p = self.predict_proba(X)
        if self._costs is not None:
            return np.asarray(self.classes_[cheapest_decisions(p, self._costs)[0]])
        return np.asarray(self.classes_[p.argmax(axis=1)])

    def predict_proba(self, X: Any) -> FloatArray:
        """Probabilities of the classes.

        Parameters
        ----------
        X : array-like of shape (n_items, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_items, n_classes)
        """
        check_is_fitted(self)
        return as_probabilities(self.estimator_.predict_proba(X))

    def get_metadata_routing(self) -> MetadataRouter:
        """Say which metadata goes where, for scikit-learn's routing.

        Returns
        -------
        MetadataRouter
        """
        mapping = MethodMapping().add(caller="fit", callee="fit")
        return (
            MetadataRouter(owner=self)
            .add_self_request(self)
            .add(estimator=self.estimator, method_mapping=mapping)
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = get_tags(self.estimator).input_tags.sparse
        return tags
