"""What mistakes cost beside each other: questions for people, around the model that is deployed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from askpoint.elicitation.acquisition import Aim, Exchange
from askpoint.elicitation.algorithms.trade_offs import ClassifierOutcome, Staircase, TradeOff
from askpoint.elicitation.bayesian import WeightBelief, bayesian_script
from askpoint.elicitation.posterior import DirichletPrior, Prior, SeverityPrior
from askpoint.elicitation.questionnaire import Question, Questionnaire
from askpoint.elicitation.rules import CostRule, Mixture
from askpoint.elicitation.samples import Sample
from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray, as_choice

__all__ = [
    "DeployedPairs",
    "class_groups",
    "mistakes_questionnaire",
]

_SHARE = 0.3
_DEFAULT_QUESTIONS = 20


def class_groups(
    groups: Sequence[Sequence[Any]] | None, classes: Sequence[Any]
) -> tuple[tuple[int, ...], ...]:
    """Check groups of classes on which mistakes cost the same."""
    names = list(classes)
    found: list[tuple[int, ...]] = []
    for group in groups or ():
        unknown = [name for name in group if name not in names]
        if unknown:
            raise InputError(
                f"there is no class {unknown[0]!r} to group; there are: {', '.join(map(str, names))}"
            )
        found.append(tuple(sorted(names.index(name) for name in group)))
    members = [i for group in found for i in group]
    if len(set(members)) < len(members) or not all(found):
        raise InputError("a group names one class at least, and each class is in one group only")
    found += [(i,) for i in range(len(names)) if i not in members]
    if len(found) < 2:
        raise InputError("all classes are in one group: then there is nothing to compare")
    return tuple(sorted(found))


class DeployedPairs:
    """Makes pairs of outcomes that trade two groups of classes and do all else alike.

    In both outcomes most cases are decided as they are now, for the most probable class; a part
    is decided between two classes only, in one outcome more often for the one, in the other for
    the other.

    Parameters
    ----------
    sample : Sample
        Labels and probabilities.
    groups : tuple of tuples of int
        Classes on which mistakes cost the same; the largest class of a group stands for it.
    share : float, default=0.3
        Share of the cases that are decided otherwise than now.
    """

    def __init__(
        self, sample: Sample, groups: tuple[tuple[int, ...], ...], share: float = _SHARE
    ) -> None:
        rule = CostRule.most_probable(sample.k)
        self.deployed = ClassifierOutcome(Mixture((rule,), (1.0,)), sample.confusion(rule))
        self.features: FloatArray = np.stack([np.diag(np.isin(range(sample.k), g)) for g in groups])
        self.features = self.features.astype(np.float64)
        self._share = share
        zeta = sample.zeta
        self._largest = [max(group, key=lambda i: zeta[i]) for group in groups]
        self._trade_offs = {
            (i, j): TradeOff.of(Staircase.of(sample, i, j), sample.classes)
            for i, j in combinations(sorted(self._largest), 2)
        }

    def __call__(self, exchange: Exchange) -> Question:
        """Make the question of an exchange between two groups."""
        i, j = self._largest[exchange.first], self._largest[exchange.second]
        if i < j:
            more_first, more_second = self._trade_offs[i, j].pair(exchange.m)
        else:
            more_second, more_first = self._trade_offs[j, i].pair(1 - exchange.m)
        first, second = self._mix_in(more_first), self._mix_in(more_second)
        return Question(
            first.confusion,
            second.confusion,
            f"classes {i} and {j}",
            {"classes": [i, j], "m": round(exchange.m, 9)},
            (first.rule, second.rule),
        )

    def _mix_in(self, outcome: ClassifierOutcome) -> ClassifierOutcome:
        share, kept = self._share, 1 - self._share
        rule = Mixture.of([(kept, self.deployed.rule), (share, outcome.rule)])
        return ClassifierOutcome(rule, kept * self.deployed.confusion + share * outcome.confusion)


def mistakes_questionnaire(
    y: ArrayLike,
    proba: ArrayLike,
    rng: np.random.Generator,
    *,
    classes: Sequence[Any] | None = None,
    groups: Sequence[Sequence[Any]] | None = None,
    n_questions: int = _DEFAULT_QUESTIONS,
    n_checks: int = 0,
    radius: float = 0.0,
    aim: str = "ratios",
) -> Questionnaire[WeightBelief]:
    """Questions that find out what a mistake on each class costs compared with the others.

    Parameters
    ----------
    y : array-like of shape (n,)
        True labels.
    proba : array-like of shape (n, k) or (n,)
        Predicted probabilities; one column means the second of two classes.
    rng : numpy Generator
        Draws particles, sides and repeats.
    classes : sequence of length k, optional
        In the order of the columns; by default the sorted labels.
    groups : sequence of sequences of class names, optional
        Classes on which mistakes cost the same, so that fewer questions are needed.
    n_questions : int, default=20
        At most; a tenth of them is put twice.
    n_checks : int, default=0
        Clear choices at the end, beyond that, to see whether the weights foresee them.
    radius : float, default=0
        Stop when with 90% probability no share lies farther than this from its estimate.
    aim : {"ratios", "shares"}
        What is to become certain: how many times one cost is another, wherever they lie from 1
        to 1,000; or the costs as shares of one whole, where small ones matter little.

    Returns
    -------
    Questionnaire
        Its estimate is a `WeightBelief`, one weight for each group.

    Raises
    ------
    InputError
        If labels, probabilities, groups and settings do not fit together.
    NotEstimableError
        If a class has no labelled case, or the probabilities do not tell two classes apart.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.elicitation.mistakes import mistakes_questionnaire
    >>> rng = np.random.default_rng(0)
    >>> questionnaire = mistakes_questionnaire([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.5], rng)
    >>> questionnaire.remaining, questionnaire.question.topic
    (20, 'classes 0 and 1')
    """
    if n_questions < 1 or n_checks < 0:
        raise InputError(
            f"there must be at least one question and no negative number of checks; got "
            f"{n_questions} and {n_checks}"
        )
    as_choice(aim, ["ratios", "shares"], "aim")
    sample = Sample.of(y, proba, classes=classes)
    members = class_groups(groups, sample.classes)
    pairs = DeployedPairs(sample, members)
    k = len(members)
    wished: Aim = "ratios" if aim == "ratios" else "shares"
    prior: Prior = SeverityPrior((0.0,) * k) if wished == "ratios" else DirichletPrior(k)
    settings = {
        "kind": "mistakes",
        "method": "bayesian",
        "groups": members,
        "n_questions": n_questions,
        "n_checks": n_checks,
        "radius": radius,
        "aim": aim,
        "draw": int(rng.integers(2**31)),
    }
    return Questionnaire(
        lambda: bayesian_script(
            pairs,
            pairs.features,
            prior,
            rng,
            budget=n_questions,
            radius=radius,
            n_checks=n_checks,
            aim=wished,
        ),
        settings,
        sample.digest,
    )
