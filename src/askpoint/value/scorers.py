"""Scorers through `decide`, for grid searches and cross-validation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from askpoint.errors import ObjectiveError
from askpoint.measures.outcomes import Outcomes
from askpoint.value.objectives import CheckCost, FBeta, MistakeCost

__all__ = ["DecisionScorer"]


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

    objective: MistakeCost | CheckCost | FBeta | str

    def __post_init__(self) -> None:
        if self.objective not in ("coverage", "risk") and not isinstance(
            self.objective, MistakeCost | CheckCost | FBeta
        ):
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
            Anything with `decide`.
        X, y : array-like
            Labelled cases.
        sample_weight : array-like, optional
            Positive weights.

        Returns
        -------
        float
        """
        return self.measure(estimator.decide(X).outcomes(y, sample_weight))

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
        if isinstance(self.objective, MistakeCost):
            return outcomes.value(self.objective.omega)
        if isinstance(self.objective, CheckCost):
            return outcomes.expected_profit(self.objective.rho)
        if isinstance(self.objective, FBeta):
            return outcomes.f_beta(self.objective.beta)
        if self.objective == "coverage":
            return outcomes.coverage
        return -(outcomes.risk or 0.0)
