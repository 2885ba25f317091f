"""Learn from what was found: plainly, by capped weights, or by boosting.

The paper leaves it open, and warns: to oversample the cases where a model makes big mistakes can
be catastrophic. So what is found counts for little more than any other case unless it is asked
to, and `askpoint.unknowns.repair_outcomes` shows what a repair mended and what it broke.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from askpoint.errors import InputError
from askpoint.measures.estimators import class_probabilities
from askpoint.measures.inputs import FloatArray, as_choice, as_same_length
from askpoint.unknowns.cases import as_cases, stack_cases
from askpoint.unknowns.severity import MAX_SEVERITY, as_severities

__all__ = ["REPAIRS", "BoostedModel", "retrain", "weigh_findings"]

REPAIRS = ("plain", "capped", "boosted")


def weigh_findings(
    severities: ArrayLike, n_training: int, *, cap: float = 5.0, share: float = 0.2
) -> FloatArray:
    """Weigh what was found by its severity, with two limits."""
    array = as_severities(severities)
    if not (cap >= 1 and 0 < share < 1):
        raise InputError(f"cap must be at least 1 and share between 0 and 1: got {cap} and {share}")
    weights = 1 + (cap - 1) * array / MAX_SEVERITY
    most = share / (1 - share) * n_training
    return weights * min(1.0, most / max(float(weights.sum()), 1e-300))


class BoostedModel:
    """A weighted committee of models, each trained on what those before it got wrong.

    Made by `retrain`.

    Parameters
    ----------
    members : list of fitted classifiers
        With `predict_proba`.
    weights : array-like of shape (n_members,)
        How much each counts.
    classes : array-like of shape (n_classes,)
        All classes.
    """

    def __init__(self, members: list[Any], weights: ArrayLike, classes: ArrayLike) -> None:
        self.members = members
        self.weights = np.asarray(weights, dtype=np.float64)
        self.classes_: NDArray[Any] = np.asarray(classes)

    def predict_proba(self, cases: Any) -> FloatArray:
        """Return the members' mean probabilities."""
        total: FloatArray = sum(
            weight * _proba(member, cases, self.classes_)
            for weight, member in zip(self.weights, self.members, strict=True)
        ) / float(self.weights.sum())
        return total

    def predict(self, cases: Any) -> NDArray[Any]:
        """Return the class of greatest mean probability."""
        decided: NDArray[Any] = self.classes_[self.predict_proba(cases).argmax(axis=1)]
        return decided


def retrain(
    model: Any,
    cases: Any,
    labels: ArrayLike,
    found: Any,
    found_labels: ArrayLike,
    rng: np.random.Generator,
    *,
    method: str = "plain",
    severities: ArrayLike | None = None,
    cap: float = 5.0,
    share: float = 0.2,
    rounds: int = 10,
) -> Any:
    """Train a model again, on its training cases and on those that were found.

    Weights become copies of cases (their fractions by chance), so that every classifier can be
    retrained, also a pipeline whose steps know no weights.

    Parameters
    ----------
    model : scikit-learn classifier
        Cloned, never changed; with `predict_proba`.
    cases, found : sequences of str, or arrays of shape (n, n_features)
        What it learned from, and what was found and judged.
    labels, found_labels : array-like of shape (n,)
        Their true classes.
    rng : numpy.random.Generator
        Source of copies and of the rounds' samples.
    method : {"plain", "capped", "boosted"}
        "plain" lets a found case count like any other; "capped" weighs it by `weigh_findings`;
        "boosted" trains a committee whose members look more at what those before got wrong.
    severities : array-like of shape (n_found,), optional
        For "capped"; by default all are the severest.
    cap, share : float
        Limits of "capped", see `weigh_findings`.
    rounds : int, default=10
        Members of the committee, at most.

    Returns
    -------
    fitted classifier

    Raises
    ------
    InputError
        If lengths or kinds do not fit, the method is unknown, or there is no round.

    References
    ----------
    Attenberg, Ipeirotis and Provost, "Beat the Machine", ACM JDIQ 6 (2015), section 7; Zhu et
    al., "Multi-class AdaBoost", Statistics and Its Interface 2 (2009), with resampling.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from askpoint.unknowns.retraining import retrain
    >>> rng = np.random.default_rng(0)
    >>> known, island = rng.normal(0, 1, (200, 1)), rng.normal(-6, 0.5, (20, 1))
    >>> model = LogisticRegression().fit(known, known[:, 0] > 0)
    >>> better = retrain(model, known, known[:, 0] > 0, island, [False] * 20, rng)
    >>> bool(better.predict([[-6.0]])[0])
    False
    """
    as_choice(method, REPAIRS, "method")
    if rounds < 1:
        raise InputError(f"boosting needs at least one round; got {rounds}")
    old, new = as_cases(cases), as_cases(found)
    classes = np.asarray(labels), np.asarray(found_labels)
    for given, named, what in zip((old, new), classes, ("cases", "found cases"), strict=True):
        as_same_length(range(given.shape[0]), named, (what, "labels"))
    every, truth = stack_cases(old, new), np.concatenate(classes)
    if method == "boosted":
        return _boost(model, every, truth, rounds, rng)
    weights = np.ones(len(truth))
    if method == "capped":
        severe = np.full(len(classes[1]), MAX_SEVERITY) if severities is None else severities
        as_same_length(severe, classes[1], ("severities", "found cases"))
        weights[len(classes[0]) :] = weigh_findings(severe, len(classes[0]), cap=cap, share=share)
    copies = np.repeat(np.arange(len(truth)), _whole(weights, rng))
    return clone(model).fit(every[copies], truth[copies])


def _boost(
    model: Any, cases: Any, truth: NDArray[Any], rounds: int, rng: np.random.Generator
) -> BoostedModel:
    classes = np.unique(truth)
    weights = np.full(len(truth), 1 / len(truth))
    members: list[Any] = []
    says: list[float] = []
    for turn in range(rounds):
        # the first member learns from all as it is, so that one round is "plain"
        rows = np.arange(len(truth))
        if turn:
            rows = rng.choice(len(truth), len(truth), p=weights)
            if len(np.unique(truth[rows])) < len(classes):
                break
        member = clone(model).fit(cases[rows], truth[rows])
        wrong = classes[_proba(member, cases, classes).argmax(axis=1)] != truth
        error = float(weights[wrong].sum())
        if error >= 1 - 1 / len(classes) and members:
            break
        error = min(max(error, 1e-6), 1 - 1 / len(classes) - 1e-6)
        say = float(np.log((1 - error) / error) + np.log(len(classes) - 1))
        members.append(member)
        says.append(say)
        if not wrong.any():
            break
        weights = weights * np.exp(say * wrong)
        weights /= weights.sum()
    return BoostedModel(members, says, classes)


def _proba(model: Any, cases: Any, classes: NDArray[Any]) -> FloatArray:
    """Probabilities in the order of `classes`, all of which the model knows."""
    own = np.searchsorted(model.classes_, classes)
    proba: FloatArray = class_probabilities(model, cases)[:, own]
    return proba


def _whole(weights: FloatArray, rng: np.random.Generator) -> NDArray[np.int64]:
    return np.floor(weights + rng.random(len(weights))).astype(np.int64)
