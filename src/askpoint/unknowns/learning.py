"""Isolated outliers, or regularities? What two methods found, learned from: figure 5.

What can be learned is no accident. A model is trained on what one method found and tested
within the same set by cross-validation, and on what the other found. High within and low across
means that the methods find different parts of the problem space.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askpoint.errors import InputError
from askpoint.measures.inputs import BoolArray, IntArray, as_same_length
from askpoint.unknowns.cases import are_texts, as_cases
from askpoint.unknowns.duplicates import near_duplicate_groups

__all__ = ["CaseSet", "LearningCurve", "LearningPoint", "learning_curves", "text_model"]


@dataclass(frozen=True, eq=False)
class CaseSet:
    """Judged cases that one method found.

    Parameters
    ----------
    name : str
        The method.
    cases : sequence of str, or array of shape (n_cases, n_features)
        Texts or features.
    positive : array-like of bool of shape (n_cases,)
        Whether each case belongs to the sought class, as judged.

    Raises
    ------
    InputError
        If the lengths differ.

    Examples
    --------
    >>> from askpoint.unknowns.learning import CaseSet
    >>> CaseSet("players", ["you people", "good morning"], [True, False]).n_cases
    2
    """

    name: str
    cases: Any
    positive: BoolArray

    def __init__(self, name: str, cases: Any, positive: ArrayLike) -> None:
        wanted = np.asarray(positive, dtype=bool)
        array = as_cases(cases)
        if array.shape[0] != len(wanted):
            raise InputError(
                f"{name}: cases and labels need one entry each: got {array.shape[0]} and "
                f"{len(wanted)}"
            )
        for key, value in {"name": name, "cases": array, "positive": wanted}.items():
            object.__setattr__(self, key, value)

    @property
    def n_cases(self) -> int:
        """Cases."""
        return len(self.positive)


@dataclass(frozen=True)
class LearningPoint:
    """How well is learned from so many cases.

    Parameters
    ----------
    size : int
        Cases in the training set.
    auc : float or None
        Mean area under the ROC curve over the runs; None if not estimable.
    deviation : float or None
        Standard deviation over the runs.
    n_runs : int
        Runs with both classes in training and test.
    reason : str
        Why it is not estimable, and what to collect.
    """

    size: int
    auc: float | None
    deviation: float | None
    n_runs: int
    reason: str = ""


@dataclass(frozen=True)
class LearningCurve:
    """One line of the figure.

    Parameters
    ----------
    train, test : str
        Names of the sets; the same for cross-validation within one.
    points : tuple of LearningPoint
        By rising training size.
    """

    train: str
    test: str
    points: tuple[LearningPoint, ...]

    @property
    def name(self) -> str:
        """The line's label, like "players only" or "players on students"."""
        return f"{self.train} only" if self.train == self.test else f"{self.train} on {self.test}"


def text_model() -> Any:
    """Return the usual learner for texts: words by TF-IDF, and logistic regression."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    return make_pipeline(
        TfidfVectorizer(sublinear_tf=True),
        LogisticRegression(C=10.0, class_weight="balanced", max_iter=1000),
    )


def learning_curves(
    first: CaseSet,
    second: CaseSet,
    rng: np.random.Generator,
    *,
    model: Any = None,
    sizes: Sequence[int] | None = None,
    folds: int = 10,
    groups: tuple[ArrayLike, ArrayLike] | None = None,
) -> tuple[LearningCurve, LearningCurve, LearningCurve, LearningCurve]:
    """Learning curves within each of two sets and from each to the other.

    Parameters
    ----------
    first, second : CaseSet
        What two methods brought.
    rng : numpy.random.Generator
        Source of folds and training subsets.
    model : scikit-learn classifier, optional
        What learns; by default `text_model`, which takes texts.
    sizes : sequence of int, optional
        Training sizes; by default five steps up to the smaller set's share of training.
    folds : int, default=10
        Folds of the cross-validation, and runs across.
    groups : tuple of two array-likes, optional
        Group of each case of the first and second set: near-duplicates have the same group,
        stay on one side of a fold, and are not both learned from and tested. By default texts
        are grouped and features are not.

    Returns
    -------
    tuple of four LearningCurve
        First only, second only, first on second, second on first.

    Raises
    ------
    InputError
        If there are fewer than two folds, a training size is below 2, or both sets have one
        name.

    References
    ----------
    Attenberg, Ipeirotis and Provost, "Beat the Machine", ACM JDIQ 6 (2015), figure 5.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from askpoint.unknowns.learning import CaseSet, learning_curves
    >>> rng = np.random.default_rng(0)
    >>> x, z = rng.normal(size=(2, 200, 2))
    >>> players = CaseSet("players", x, x[:, 0] > 0)  # learned on one side ...
    >>> students = CaseSet("students", z, z[:, 1] > 0)  # ... of no use on the other
    >>> curves = learning_curves(players, students, rng, model=LogisticRegression(), sizes=[100])
    >>> [f"{curve.name}: {curve.points[0].auc:.1f}" for curve in curves]
    ['players only: 1.0', 'students only: 1.0', 'players on students: 0.5',
    'students on players: 0.5']
    """
    if folds < 2:
        raise InputError(f"cross-validation needs at least 2 folds; got {folds}")
    if first.name == second.name:
        raise InputError(f"the two sets need names of their own, both are called {first.name!r}")
    if sizes is None:
        most = min(first.n_cases, second.n_cases) * (folds - 1) // folds
        sizes = sorted({max(2, round(most * share)) for share in (0.1, 0.25, 0.5, 0.75, 1.0)})
    if min(sizes) < 2:
        raise InputError(f"a training set needs at least 2 cases; got {min(sizes)}")
    one, two = _groups(first, second) if groups is None else groups
    learner = text_model() if model is None else model
    a = _GroupedCases(first, np.asarray(one))
    b = _GroupedCases(second, np.asarray(two))
    ladder = sorted(sizes)
    return (
        _within(a, learner, ladder, folds, rng),
        _within(b, learner, ladder, folds, rng),
        _across(a, b, learner, ladder, folds, rng),
        _across(b, a, learner, ladder, folds, rng),
    )


class _GroupedCases:
    """A set whose near-duplicates are known."""

    def __init__(self, cases: CaseSet, groups: NDArray[Any]) -> None:
        as_same_length(groups, cases.positive, (f"groups of {cases.name}", "cases"))
        self.set = cases
        self.groups = groups

    def lack(self, folds: int) -> str:
        """Return why nothing can be estimated, or an empty text."""
        for wanted, name in ((True, "sought"), (False, "other")):
            rows = self.set.positive == wanted
            distinct = len(np.unique(self.groups[rows]))
            if distinct < folds:
                return (
                    f"{self.set.name} has {distinct} distinct cases of the {name} class "
                    f"({rows.sum()} with near-duplicates); collect at least {folds} of each"
                )
        return ""


def _within(
    grouped: _GroupedCases, model: Any, sizes: Sequence[int], folds: int, rng: np.random.Generator
) -> LearningCurve:
    runs: dict[int, list[float | None]] = {size: [] for size in sizes}
    lack = grouped.lack(folds)
    if not lack:
        from sklearn.model_selection import StratifiedGroupKFold

        splitter = StratifiedGroupKFold(folds, shuffle=True, random_state=_state(rng))
        parts = splitter.split(grouped.groups, grouped.set.positive, grouped.groups)
        for train, test in parts:
            order = _interleave(train, grouped.set.positive, rng)
            for size in sizes:
                if size <= len(train):
                    runs[size].append(_auc(model, grouped.set, order[:size], grouped.set, test))
    return _curve(grouped.set, grouped.set, runs, lack)


def _across(
    source: _GroupedCases,
    target: _GroupedCases,
    model: Any,
    sizes: Sequence[int],
    repeats: int,
    rng: np.random.Generator,
) -> LearningCurve:
    runs: dict[int, list[float | None]] = {size: [] for size in sizes}
    lack = source.lack(repeats) or target.lack(repeats)
    if not lack:
        for _ in range(repeats):
            order = _interleave(np.arange(source.set.n_cases), source.set.positive, rng)
            for size in sizes:
                if size <= source.set.n_cases:
                    rows = order[:size]
                    new = ~np.isin(target.groups, source.groups[rows])
                    test = np.flatnonzero(new)
                    runs[size].append(_auc(model, source.set, rows, target.set, test))
    return _curve(source.set, target.set, runs, lack)


def _interleave(rows: IntArray, positive: BoolArray, rng: np.random.Generator) -> IntArray:
    """Shuffle rows so that every beginning holds both classes in their proportion."""
    place = np.empty(len(rows))
    for wanted in (True, False):
        mine = positive[rows] == wanted
        place[mine] = (rng.permutation(mine.sum()) + rng.random()) / mine.sum()
    return rows[np.argsort(place, kind="stable")]


def _auc(
    model: Any, source: CaseSet, train: IntArray, target: CaseSet, test: IntArray
) -> float | None:
    learned, asked = source.positive[train], target.positive[test]
    if learned.all() or not learned.any() or asked.all() or not asked.any():
        return None
    from sklearn.base import clone
    from sklearn.metrics import get_scorer

    fitted = clone(model).fit(source.cases[train], learned)
    return float(get_scorer("roc_auc")(fitted, target.cases[test], asked))


def _curve(
    source: CaseSet, target: CaseSet, runs: dict[int, list[float | None]], lack: str
) -> LearningCurve:
    points = []
    for size, results in runs.items():
        areas = [area for area in results if area is not None]
        reason = ""
        if not areas:
            reason = lack or (
                f"{source.name} has too few cases to train on {size}"
                if not results
                else f"no {size} cases hold both classes in training and test"
            )
        points.append(
            LearningPoint(
                size,
                float(np.mean(areas)) if areas else None,
                float(np.std(areas)) if areas else None,
                len(areas),
                reason,
            )
        )
    return LearningCurve(source.name, target.name, tuple(points))


def _groups(first: CaseSet, second: CaseSet) -> tuple[IntArray, IntArray]:
    if are_texts(first.cases) and are_texts(second.cases):
        groups = near_duplicate_groups([*first.cases, *second.cases])
    else:
        groups = np.arange(first.n_cases + second.n_cases)
    return groups[: first.n_cases], groups[first.n_cases :]


def _state(rng: np.random.Generator) -> int:
    return int(rng.integers(2**31))
