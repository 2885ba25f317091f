"""What a repair mended and what it broke: before and after, on the stream and on islands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from askpoint.errors import InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.estimators import class_probabilities
from askpoint.measures.inputs import FloatArray, IntArray, as_codes
from askpoint.unknowns.case_costs import mistakes_only
from askpoint.unknowns.cases import as_cases

__all__ = ["RepairEffect", "repair_effects"]


@dataclass(frozen=True, kw_only=True)
class RepairEffect:
    """A model before and after a repair, on the same cases.

    Parameters
    ----------
    name : str
        What the cases are: a sample of the stream, an island.
    n_cases : int
        How many.
    mistakes_before, mistakes_after : float
        Share of wrong decisions.
    cost_before, cost_after : float
        Mean cost of the decisions beyond that of right ones.
    mended, broken : int
        Cases that were wrong and are right now, and the other way round.
    p_value : float
        How often chance alone makes mended and broken so unequal (McNemar, exact).
    """

    name: str
    n_cases: int
    mistakes_before: float
    mistakes_after: float
    cost_before: float
    cost_after: float
    mended: int
    broken: int
    p_value: float

    @property
    def harm(self) -> bool:
        """Whether more was broken than mended, beyond chance at one in twenty."""
        return self.broken > self.mended and self.p_value < 0.05


def repair_effects(
    before: Any, after: Any, sets: Mapping[str, tuple[Any, Any]], cost_matrix: CostMatrix
) -> tuple[RepairEffect, ...]:
    """Compare two models on several sets of cases that neither learned from.

    Both take the decision of least expected cost.

    Parameters
    ----------
    before, after : fitted classifiers
        With `predict_proba` and `classes_`.
    sets : mapping of str to (cases, labels)
        For example a sample of the stream, and islands held out.
    cost_matrix : CostMatrix
        Truths in rows, decisions in columns, over the models' classes.

    Returns
    -------
    tuple of RepairEffect
        In the order of `sets`.

    Raises
    ------
    InputError
        If a set is empty, or classes do not fit.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.dummy import DummyClassifier
    >>> from askpoint.measures.cost_matrix import CostMatrix
    >>> from askpoint.unknowns.repair_outcomes import repair_effects
    >>> x = np.zeros((4, 1))
    >>> never = DummyClassifier(strategy="constant", constant="ham").fit(x, ["ham", "spam"] * 2)
    >>> always = DummyClassifier(strategy="constant", constant="spam").fit(x, ["ham", "spam"] * 2)
    >>> sets = {"stream": (x, ["ham", "ham", "ham", "spam"])}
    >>> effect = repair_effects(never, always, sets, CostMatrix.zero_one(["ham", "spam"]))[0]
    >>> effect.mistakes_before, effect.mistakes_after, effect.mended, effect.broken
    (0.25, 0.75, 1, 3)
    """
    cost = mistakes_only(cost_matrix).cost
    effects = []
    for name, (cases, labels) in sets.items():
        truth = as_codes(labels, cost_matrix.classes)
        if not len(truth):
            raise InputError(f"{name} holds no case; give at least one")
        first, second = (_decide(model, cases, cost_matrix) for model in (before, after))
        wrong, still = first != truth, second != truth
        mended, broken = int((wrong & ~still).sum()), int((~wrong & still).sum())
        p_value = stats.binomtest(mended, mended + broken).pvalue if mended + broken else 1.0
        effects.append(
            RepairEffect(
                name=name,
                n_cases=len(truth),
                mistakes_before=float(wrong.mean()),
                mistakes_after=float(still.mean()),
                cost_before=float(cost[truth, first].mean()),
                cost_after=float(cost[truth, second].mean()),
                mended=mended,
                broken=broken,
                p_value=float(p_value),
            )
        )
    return tuple(effects)


def _decide(model: Any, cases: Any, cost_matrix: CostMatrix) -> IntArray:
    own = as_codes(model.classes_, cost_matrix.classes)
    given = class_probabilities(model, as_cases(cases))
    proba: FloatArray = np.zeros((len(given), len(cost_matrix.classes)))
    proba[:, own] = given
    decisions: IntArray = (proba @ cost_matrix.cost).argmin(axis=1)
    return decisions
