"""The search for judges who err nearly independently, and how large a test must be (section 4.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askpoint.errors import InputError
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.judges.trios.batch import TrioEvaluations, evaluate_moments
from askpoint.judges.trios.counts import TrioMoments
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray

__all__ = ["TrioSearch", "failure_rates", "feature_partitions", "search_trios"]

_PATTERNS = np.array([[i >> 2 & 1, i >> 1 & 1, i & 1] for i in range(8)])
_BESIDE = np.array([[1, 2], [0, 2], [0, 1]])


@dataclass(frozen=True)
class TrioSearch:
    """What became of candidate trios, each trained on disjoint features, at each test size.

    Attributes
    ----------
    sizes : tuple of int
        Held-out items of each label in a test.
    is_inside : ndarray of bool of shape (n_sizes, n_partitions, n_repeats)
        Whether the independent evaluator's answer was seemingly correct.
    counts : ndarray of int64 of shape (n_sizes, n_partitions, n_repeats, 2, 8)
        Items of each label with each vote pattern, from 0 (aaa) to 7 (bbb).
    error, majority_error : ndarray of float64 of shape (n_sizes, n_partitions, n_repeats)
        Mean absolute error of the six accuracies, of the independent evaluator (infinite where
        its answer was not seemingly correct) and of majority voting.
    """

    sizes: tuple[int, ...]
    counts: IntArray
    is_inside: BoolArray
    error: FloatArray
    majority_error: FloatArray

    @property
    def share_inside(self) -> FloatArray:
        """Share of tests with a seemingly correct answer, by size: figure 2a."""
        shares: FloatArray = self.is_inside.mean(axis=(1, 2))
        return shares

    @property
    def share_never(self) -> FloatArray:
        """Share of partitions none of whose tests had one, by size: figure 2b."""
        shares: FloatArray = 1 - self.is_inside.any(axis=2).mean(axis=1)
        return shares


def feature_partitions(
    n_features: int, n_partitions: int, rng: np.random.Generator
) -> list[list[IntArray]]:
    """Divide features at random into three disjoint parts of nearly one size, many times.

    Parameters
    ----------
    n_features, n_partitions : int
        How many there are.
    rng : numpy Generator
        Where the randomness comes from.

    Returns
    -------
    list of lists of three arrays of int

    Raises
    ------
    InputError
        If there are fewer than three features.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint import feature_partitions
    >>> [len(part) for part in feature_partitions(8, 1, np.random.default_rng(0))[0]]
    [3, 3, 2]
    """
    if n_features < 3:
        raise InputError(f"three judges need three features at least; got {n_features}")
    return [np.array_split(rng.permutation(n_features), 3) for _ in range(n_partitions)]


def search_trios(
    classifier: Any,
    X: NDArray[Any] | Sequence[NDArray[Any]],
    y: ArrayLike,
    partitions: Sequence[Sequence[IntArray]],
    *,
    sizes: Sequence[int],
    rng: np.random.Generator,
    n_train: int = 200,
    n_repeats: int = 10,
    progress: Callable[[float], None] | None = None,
) -> TrioSearch:
    """Train three judges on disjoint features and items, and evaluate them without labels.

    Parameters
    ----------
    classifier : scikit-learn classifier
        What each judge is, cloned.
    X : array of shape (n_items, n_columns), or one such array a feature
        Encoded features; with several arrays a partition divides the arrays, so that a
        one-hot feature stays whole.
    y : array-like of shape (n_items,)
        0 and 1.
    partitions : sequence of three arrays each
        From `feature_partitions`.
    sizes : sequence of int
        Held-out items of each label; each test is drawn anew.
    rng : numpy Generator
        Where the randomness comes from.
    n_train : int, default=200
        Training items of each label for each judge; the judges' are disjoint.
    n_repeats : int, default=10
        How often each partition is trained and tested.
    progress : callable, optional
        Called with the share of partitions that is done.

    Returns
    -------
    TrioSearch

    Raises
    ------
    InputError
        If a label has too few items for three training sets and the greatest test.

    References
    ----------
    Section 4.1 and figure 2 of "Streaming algorithms for evaluating noisy judges on unlabeled
    data".

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from askpoint.judges.trios.search import feature_partitions, search_trios
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 500)
    >>> X = rng.normal(size=(1000, 6)) + y[:, None]
    >>> parts = feature_partitions(6, 2, rng)
    >>> search = search_trios(
    ...     GaussianNB(), X, y, parts, sizes=[100], rng=rng, n_train=50, n_repeats=1
    ... )
    >>> search.share_inside.tolist()
    [1.0]
    """
    columns = [X[:, [i]] for i in range(X.shape[1])] if isinstance(X, np.ndarray) else list(X)
    labels = np.asarray(y)
    items = [np.flatnonzero(labels == label) for label in (0, 1)]
    needed = 3 * n_train + max(sizes)
    if min(map(len, items)) < needed:
        raise InputError(
            f"each label needs {needed} items, three times {n_train} to train and {max(sizes)} to "
            f"test; got {len(items[0])} and {len(items[1])}"
        )
    shape = (len(sizes), len(partitions), n_repeats)
    tests = np.zeros((*shape, 2, 8), dtype=np.int64)
    for number, partition in enumerate(partitions):
        for repeat in range(n_repeats):
            patterns = _train_trio(classifier, columns, items, partition, n_train, rng)
            for place, size in enumerate(sizes):
                for label, found in enumerate(patterns):
                    chosen = rng.choice(found, size, replace=False)
                    tests[place, number, repeat, label] = np.bincount(chosen, minlength=8)
        if progress is not None:
            progress((number + 1) / len(partitions))
    return _compare(tuple(sizes), tests)


def failure_rates(
    sketch: VoteSketch,
    sizes: Sequence[int],
    rng: np.random.Generator,
    *,
    n_draws: int = 1000,
) -> FloatArray:
    """Say how often smaller tests of the same three judges would fail."""
    if len(sketch.judges) != 3 or len(sketch.labels) != 2:
        raise InputError(
            f"this is about three judges and two labels; got {len(sketch.judges)} and "
            f"{len(sketch.labels)}; choose three with select"
        )
    votes, counts = sketch.cells()
    full = (votes >= 0).all(axis=1)
    cells = np.zeros(8, dtype=np.int64)
    cells[votes[full] @ np.array([4, 2, 1])] = counts[full]
    if not sizes or min(sizes) < 1 or max(sizes) > cells.sum():
        raise InputError(f"sizes must be between 1 and {cells.sum()}; got {list(sizes)}")
    rates = np.empty(len(sizes))
    for place, size in enumerate(sizes):
        drawn = rng.multivariate_hypergeometric(cells, size, size=n_draws, method="marginals")
        rates[place] = 1 - _evaluate(drawn).share_inside
    return rates


def _train_trio(
    classifier: Any,
    columns: Sequence[NDArray[Any]],
    items: Sequence[IntArray],
    partition: Sequence[IntArray],
    n_train: int,
    rng: np.random.Generator,
) -> list[IntArray]:
    """Patterns, from 0 (aaa) to 7 (bbb), of the held-out items of each label."""
    from sklearn.base import clone

    shuffled = [rng.permutation(of_label) for of_label in items]
    held_out = [of_label[3 * n_train :] for of_label in shuffled]
    patterns: list[IntArray] = [np.zeros(len(of_label), np.int64) for of_label in held_out]
    for judge, features in enumerate(partition):
        part = np.hstack([columns[feature] for feature in features])
        own = slice(judge * n_train, (judge + 1) * n_train)
        model = clone(classifier)
        model.fit(
            np.concatenate([part[of_label[own]] for of_label in shuffled]),
            np.repeat([0, 1], n_train),
        )
        for label, of_label in enumerate(held_out):
            patterns[label] += model.predict(part[of_label]) * (4 >> judge)
    return patterns


def _evaluate(counts: NDArray[np.int64]) -> TrioEvaluations:
    """Evaluate trios from their eight counts, one row each."""
    pairs = np.stack([_PATTERNS[:, pair].prod(axis=1) for pair in _BESIDE], axis=1)
    return evaluate_moments(
        TrioMoments(
            np.broadcast_to(np.arange(3), (len(counts), 3)),
            counts.sum(axis=1),
            counts @ _PATTERNS,
            counts @ pairs,
            counts[:, 7],
        )
    )


def _compare(sizes: tuple[int, ...], tests: NDArray[np.int64]) -> TrioSearch:
    """Evaluate tests from their counts by label, and compare with the truth that these show."""
    of_a, of_b = (tests[..., label, :].reshape(-1, 8) for label in (0, 1))
    total = of_a + of_b
    truth = np.stack(list(_accuracies(of_a, of_b)), axis=2)
    evaluations = _evaluate(total)
    inside = evaluations.is_inside
    error = np.full(len(total), np.inf)
    kept = inside[evaluations.rows]
    error[evaluations.rows[kept]] = np.abs(evaluations.accuracy - truth[evaluations.rows])[
        kept
    ].mean(axis=(1, 2))
    is_b = _PATTERNS.sum(axis=1) > 1
    majority = np.stack(list(_accuracies(total * ~is_b, total * is_b)), axis=2)
    shape = tests.shape[:3]
    return TrioSearch(
        sizes,
        tests,
        inside.reshape(shape),
        error.reshape(shape),
        np.abs(majority - truth).mean(axis=(1, 2)).reshape(shape),
    )


def _accuracies(of_a: IntArray, of_b: IntArray) -> Iterator[FloatArray]:
    """Each judge's accuracy on items of a, then of b; 1 where there is none."""
    for counts, right in ((of_a, 1 - _PATTERNS), (of_b, _PATTERNS)):
        n = counts.sum(axis=1, keepdims=True)
        yield np.where(n > 0, counts @ right / np.maximum(n, 1), 1.0)
