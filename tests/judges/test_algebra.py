"""The trio's algebra against every finite test, and against the equations it solves."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st

from askpoint.judges.methods.algebra import OUTCOMES, TrioAlgebra
from judges.cases import ADULT_A, ADULT_B, PATTERNS, integer_tests

counts8 = st.lists(st.integers(0, 60), min_size=8, max_size=8).filter(any)


def as_tuple(point):
    p, accuracy = point
    return (p, *(a for a, _ in accuracy), *(b for _, b in accuracy))


def predicted(point):
    """The frequencies of all patterns by theorem 1."""
    p, accuracy = point
    return [
        p * math.prod((1 - a) if v else a for v, (a, _) in zip(pattern, accuracy, strict=True))
        + (1 - p)
        * math.prod(b if v else (1 - b) for v, (_, b) in zip(pattern, accuracy, strict=True))
        for pattern in PATTERNS
    ]


@pytest.mark.parametrize("n_items", [2, 3, 4, 6, 8])
def test_every_finite_test_is_evaluated_exactly(n_items):
    explanations = defaultdict(set)
    for counts, truth in integer_tests(n_items):
        explanations[counts].add(truth)
    n_inside = 0
    for counts, truths in explanations.items():
        trio = TrioAlgebra.from_cells(counts)
        if trio.outcome == "positive-dimensional":
            continue
        assert trio.outcome == "inside"  # never a false alarm
        assert {as_tuple(trio.point(sign)) for sign in (1, -1)} == truths
        n_inside += 1
    assert n_inside or n_items < 4


@given(counts8)
@settings(max_examples=300)
@example([1, 0, 0, 1, 1, 0, 0, 1])
@example([0, 3, 0, 0, 0, 0, 5, 0])
def test_points_solve_the_equations_and_outcomes_are_true(counts):
    trio = TrioAlgebra.from_cells(counts)
    assert trio.outcome in OUTCOMES
    if trio.outcome in ("inside", "outside"):
        for sign in (1, -1):
            point = trio.point(sign)
            error = [
                f - Fraction(n, sum(counts)) for f, n in zip(predicted(point), counts, strict=True)
            ]
            scale = max(abs(x) for x in as_tuple(point)) ** 4
            assert (
                max(map(abs, error)) == 0
                if trio.is_square
                else max(map(abs, error)) < 1e-12 * scale
            )
            numbers = as_tuple(point)
            if trio.is_square or min(min(abs(x), abs(1 - x)) for x in numbers) > 1e-9:
                assert (trio.outcome == "inside") == all(0 <= x <= 1 for x in numbers)
        (p, one), (q, other) = trio.point(1), trio.point(-1)
        assert float(p + q) == pytest.approx(1)
        assert np.allclose(
            np.array(one, float) + np.array(other, float)[:, ::-1], 1, atol=1e-9 * float(scale)
        )


@given(counts8)
def test_an_outcome_is_what_the_ideal_says(counts):
    """A Groebner-free check: solutions of Delta_ij = p q d_i d_j and T = p q (p - q) d_1 d_2 d_3."""
    trio = TrioAlgebra.from_cells(counts)
    Q = trio.n_items
    delta = [Fraction(A, Q * Q) for A in trio.covariances]
    T = Fraction(trio.third_moment, Q**3)
    if all(delta):
        # (p - q)^2 / (p q) = T^2 / (D12 D13 D23): solvable in real p unless it is -4 or below
        ratio = T * T / math.prod(delta)
        expected = (
            "empty" if ratio == -4 else "complex" if (ratio + 4) * math.prod(delta) < 0 else None
        )
        if expected:
            assert trio.outcome == expected
        else:
            assert trio.outcome in ("inside", "outside")
    else:
        # one zero means p q d_i d_j = 0, and then a second zero and T = 0 follow
        assert trio.outcome == (
            "positive-dimensional" if delta.count(0) > 1 and T == 0 else "empty"
        )


def test_the_golden_case_of_the_field():
    trio = TrioAlgebra.from_cells([a + b for a, b in zip(ADULT_A, ADULT_B, strict=True)])
    assert trio.n_items == 36_842
    assert trio.outcome == "inside"
    assert not trio.is_square
    assert round(trio.point(1)[0], 5) == 0.16711


def test_the_sign_of_table_1_gives_the_other_label():
    Q = sum(ADULT_A) + sum(ADULT_B)
    f = np.array([a + b for a, b in zip(ADULT_A, ADULT_B, strict=True)]) / Q
    votes = np.array(PATTERNS)
    f1, f2, f3 = f @ votes
    f12, f13, f23 = (
        f @ (votes[:, i] * votes[:, j]) for i, j in itertools.combinations(range(3), 2)
    )
    d12, d13, d23 = f12 - f1 * f2, f13 - f1 * f3, f23 - f2 * f3
    T = f[7] - (f1 * f2 * f3 + f1 * d23 + f2 * d13 + f3 * d12)
    as_printed = 0.5 - 0.5 * T / math.sqrt(4 * d12 * d13 * d23 + T * T)
    assert as_printed == pytest.approx(1 - 0.16711, abs=1e-5)


def test_large_counts_lose_no_digit():
    counts = [n * 10**15 for n in (12, 5, 4, 3, 4, 3, 6, 30)]
    small = TrioAlgebra.from_cells([n // 10**15 for n in counts])
    assert as_tuple(TrioAlgebra.from_cells(counts).point(1)) == as_tuple(small.point(1))
