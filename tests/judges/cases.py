"""Tests with known truth: counts of patterns by label, and votes drawn from a model."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from askpoint.judges.evaluation import Evaluation
from askpoint.judges.sketch.codes import MISSING
from askpoint.judges.sketch.vote_sketch import VoteSketch

PATTERNS = list(itertools.product((0, 1), repeat=3))

# UCI adult, Q = 36,842: counts by true label, in the order aaa, aab, ..., bbb
ADULT_A = [715, 161, 2406, 455, 290, 94, 1335, 231]
ADULT_B = [271, 469, 3395, 7517, 272, 399, 6377, 12455]


def sketch_of(counts, judges=("ann", "bob", "cid"), labels=("a", "b")) -> VoteSketch:
    """The sketch of the eight counts n_aaa, n_aab, ..., n_bbb."""
    sketch = VoteSketch(judges, labels)
    sketch.update_codes(PATTERNS, [int(n) for n in counts])
    return sketch


def exact_counts(n_label: int, correct: tuple[int, int, int], label: int) -> list[Fraction]:
    """Counts by pattern of one label's items if errors are exactly independent."""
    counts = []
    for pattern in PATTERNS:
        ways = 1
        for vote, right in zip(pattern, correct, strict=True):
            ways *= right if vote == label else n_label - right
        counts.append(Fraction(ways, n_label**2))
    return counts


def integer_tests(n_items: int) -> Iterator[tuple[tuple[int, ...], tuple[Fraction, ...]]]:
    """All exactly independent tests of some size with both labels: counts, and the truth."""
    for n_a in range(1, n_items):
        sides = []
        for label, n_label in enumerate((n_a, n_items - n_a)):
            side = []
            for correct in itertools.product(range(n_label + 1), repeat=3):
                counts = exact_counts(n_label, correct, label)
                if all(n.denominator == 1 for n in counts):
                    side.append((tuple(map(int, counts)), [Fraction(c, n_label) for c in correct]))
            sides.append(side)
        for (of_a, right_a), (of_b, right_b) in itertools.product(*sides):
            total = tuple(a + b for a, b in zip(of_a, of_b, strict=True))
            yield total, (Fraction(n_a, n_items), *right_a, *right_b)


def drawn_votes(rng, n_items: int, p: float, accuracy: np.ndarray):
    """Truth and votes of judges who err independently; `accuracy` has a row (a, b) a judge."""
    truth = (rng.random(n_items) >= p).astype(np.int16)
    right = rng.random((n_items, len(accuracy))) < accuracy.T[truth]
    return truth, np.where(right, truth[:, None], 1 - truth[:, None]).astype(np.int16)


def truth_of(truth: np.ndarray, votes: np.ndarray):
    """p and the accuracies that a test has in fact."""
    of_a, of_b = truth == 0, truth == 1
    return of_a.mean(), np.column_stack(
        [(votes[of_a] == 0).mean(axis=0), (votes[of_b] == 1).mean(axis=0)]
    )


def evaluate_by_truth(by_label):
    """Evaluate judges where the truth is known: the point all evaluators aim at."""
    n_items = sum(sketch.n_items for sketch in by_label.values())
    prevalence = {}
    judges = next(iter(by_label.values())).judges
    accuracy = {judge: {} for judge in judges}
    for label, sketch in by_label.items():
        prevalence[label] = Fraction(sketch.n_items, n_items)
        votes, counts = sketch.cells()
        for i, judge in enumerate(sketch.judges):
            voted = int(counts[votes[:, i] != MISSING].sum())
            right = int(counts[votes[:, i] == sketch.labels.index(label)].sum())
            accuracy[judge][label] = Fraction(right, voted) if voted else None
    undefined = {
        judge: "voted on no item of "
        + " or ".join(label for label, share in of.items() if share is None)
        for judge, of in accuracy.items()
        if None in of.values()
    }
    return Evaluation(prevalence, accuracy, n_items, undefined)
