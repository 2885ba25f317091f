"""Scorers through `decide`, for grid searches and cross-validation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike
from sklearn.pipeline import Pipeline

from askpoint.errors import ObjectiveError
from askpoint.measures.outcomes import Outcomes
from askpoint.value.decisions import SelectiveDecisions
from askpoint.value.objectives import Objective

__all__ = ["DecisionScorer"]


_RATES: dict[object, Callable[[Outcomes], float]] = {
    "coverage": lambda outcomes: outcomes.coverage,
    "risk": lambda outcomes: -(outcomes.risk or 0.0),
}


@dataclass(frozen=True)
class DecisionScorer:
    """Score what a `SelectiveClassifier` decides; more is better.

    Parameters
    ----------
    objective : MistakeCost, CheckCost, FBeta or {"coverage", "risk"}
        The measure: V(omega), EP_rho, F_beta, the share answered, or minus the share of mistakes
        among the answers (0 where nothing is answered).

    Raises
    ------
    ObjectiveError
        If it is another one: a constraint is no measure.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from askpoint import CheckCost, DecisionScorer, SelectiveClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SelectiveClassifier(GaussianNB(), objective=CheckCost(0.2))
    >>> bool(cross_val_score(model, X, y, scoring=DecisionScorer(CheckCost(0.2))).min() > 0.9)
    True
    """

    objective: Objective | str

    def __post_init__(self) -> None:
        if self.objective in _RATES:
            return
        if not (isinstance(self.objective, Objective) and self.objective.is_measure):
            raise ObjectiveError(
                "a scorer takes MistakeCost, CheckCost, FBeta, 'coverage' or 'risk'; "
                f"got {self.objective!r}"
            )

    def __call__(
        self, estimator: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Score an estimator on labelled cases.

        Parameters
        ----------
        estimator : SelectiveClassifier
            Anything with `decide`, or a pipeline that ends in it.
        X, y : array-like
            Labelled cases.
        sample_weight : array-like, optional
            Positive weights.

        Returns
        -------
        float
        """
        return self.measure(_decide(estimator, X).outcomes(y, sample_weight))

    def measure(self, outcomes: Outcomes) -> float:
        """Score outcomes.

        Parameters
        ----------
        outcomes : Outcomes
            Right, wrong and asked.

        Returns
        -------
        float
        """
        if isinstance(self.objective, Objective):
            return self.objective.measure(outcomes)
        return _RATES[self.objective](outcomes)


def _decide(estimator: Any, X: Any) -> SelectiveDecisions:
    """Decide; a pipeline hands on its last step's methods, but not `decide`."""
    if isinstance(estimator, Pipeline):
        for _, step in estimator.steps[:-1]:
            X = X if step in (None, "passthrough") else step.transform(X)
        return _decide(estimator.steps[-1][1], X)
    made: SelectiveDecisions = estimator.decide(X)
    return made
