"""Correlations of errors: the paper's identities hold exactly, the bias is a derivative."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from askpoint.errors import InputError
from askpoint.judges.checks.correlation import (
    error_correlations,
    first_order_bias,
)
from askpoint.judges.methods.algebra import TrioAlgebra
from askpoint.judges.sketch.vote_sketch import VoteSketch
from judges.cases import ADULT_A, ADULT_B, PATTERNS, evaluate_by_truth, sketch_of

counts8 = st.lists(st.integers(0, 40), min_size=8, max_size=8).filter(any)


def truth(of_a, of_b):
    by_label = {"a": sketch_of(of_a), "b": sketch_of(of_b)}
    point = evaluate_by_truth(by_label)
    return (
        by_label,
        point,
        np.array([[float(x) for x in of.values()] for of in point.accuracy.values()]),
    )


@given(counts8, counts8)
def test_moments_are_what_the_identities_say(of_a, of_b):
    by_label, point, P = truth(of_a, of_b)
    gamma = error_correlations(by_label)
    p = float(point.prevalence["a"])
    q, d = 1 - p, P.sum(axis=1) - 1
    trio = TrioAlgebra.from_cells([a + b for a, b in zip(of_a, of_b, strict=True)])
    Q = trio.n_items
    Ga, Gb = gamma.pairs
    shift = Gb - Ga
    for k, (i, j) in enumerate([(1, 2), (0, 2), (0, 1)]):
        delta = p * q * d[i] * d[j] + p * Ga[i, j] + q * Gb[i, j]
        assert trio.covariances[k] / Q**2 == pytest.approx(delta, abs=1e-12)
    T = p * q * (p - q) * d.prod() - p * gamma.triples[0] + q * gamma.triples[1]
    T += p * q * (d[0] * shift[1, 2] + d[1] * shift[0, 2] + d[2] * shift[0, 1])
    assert trio.third_moment / Q**3 == pytest.approx(T, abs=1e-12)


def test_the_bias_is_the_derivative_of_the_evaluator(rng):
    p, P = 0.3, np.array([[0.9, 0.8], [0.7, 0.85], [0.8, 0.75]])
    pairs = rng.normal(size=(2, 3, 3))
    pairs += pairs.transpose(0, 2, 1)
    triples = rng.normal(size=2)
    dp, dP = first_order_bias(p, P, pairs, triples)
    for size in (1e-5, 1e-6):
        counts = []
        for pattern in PATTERNS:
            total = 0.0
            for label, share in ((0, p), (1, 1 - p)):
                right = np.array([v == label for v in pattern])
                side = np.where(right, 1, -1)
                each = np.where(right, P[:, label], 1 - P[:, label])
                ways = each.prod() + size * triples[label] * side.prod()
                for i, j in itertools.combinations(range(3), 2):
                    k = 3 - i - j
                    ways += size * pairs[label, i, j] * side[i] * side[j] * each[k]
                total += share * ways
            counts.append(round(total * 10**18))
        q, accuracy = TrioAlgebra.from_cells(counts).point(1)
        assert abs((float(q) - p) / size - dp) < 1e3 * size * (1 + abs(dp)) * 10
        assert np.abs((np.array(accuracy, float) - P) / size - dP).max() < 1e5 * size


def test_truth_and_correlations_of_the_golden_case():
    by_label, point, _ = truth(ADULT_A, ADULT_B)
    assert point.prevalence["a"] == Fraction(5687, 36_842)
    assert round(float(point.prevalence["a"]), 5) == 0.15436
    gamma = error_correlations(by_label)
    n = np.array(ADULT_A)
    right = 1 - np.array(PATTERNS)
    mean = n @ right / n.sum()
    assert gamma.pair("ann", "cid", "a") == pytest.approx(
        n @ (right[:, 0] * right[:, 2]) / n.sum() - mean[0] * mean[2]
    )
    assert gamma.greatest == pytest.approx(
        max(
            abs(gamma.pair(*pair, label))
            for pair in itertools.combinations(("ann", "bob", "cid"), 2)
            for label in "ab"
        )
    )


def test_missing_votes_leave_out_only_their_items():
    x, y = (VoteSketch(["ann", "bob", "cid"], ["x", "y"]) for _ in range(2))
    x.update_codes([[0, 0, -1], [1, 1, -1], [0, -1, -1]])
    y.update_codes([[1, 1, 1]])
    by_label = {"x": x, "y": y}
    gamma = error_correlations(by_label)
    assert gamma.pair("ann", "bob", "x") == pytest.approx(0.25)
    assert gamma.pair("ann", "cid", "x") is None
    assert gamma.pair("ann", "bob", "y") == 0
    assert gamma.triples is None
    point = evaluate_by_truth(by_label)
    assert point.accuracy == {
        "ann": {"x": Fraction(2, 3), "y": 1},
        "bob": {"x": Fraction(1, 2), "y": 1},
        "cid": {"x": None, "y": 1},
    }
    assert point.undefined == {"cid": "voted on no item of x"}


def test_at_a_blind_spot_there_is_no_bias_but_an_error():
    pairs = np.zeros((2, 3, 3))
    for p, P in [(0.0, [[0.9, 0.9]] * 3), (0.5, [[0.9, 0.9], [0.5, 0.5], [0.9, 0.9]])]:
        with pytest.raises(InputError, match="blind"):
            first_order_bias(p, P, pairs)
