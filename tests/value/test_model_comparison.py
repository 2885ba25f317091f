"""The best of several models at every price, against brute force in exact fractions."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import askpoint
from askpoint.errors import InputError
from askpoint.value.curve import ValueCurve
from askpoint.value.model_comparison import best_ranges, paired_difference

MODEL = st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=1, max_size=8)


def exact_value(rows, omega):
    """Greatest value per case over all thresholds, in fractions."""
    best = Fraction(0)
    for threshold in {score for _, score in rows}:
        answered = [right for right, score in rows if score >= threshold]
        worth = sum(Fraction(1) if right else -omega for right in answered)
        best = max(best, worth / len(rows))
    return best


@pytest.mark.no_cover
@settings(max_examples=300, deadline=None)
@given(st.lists(MODEL, min_size=1, max_size=4), st.fractions(0, 20, max_denominator=40))
def test_the_named_model_is_best(models, omega):
    curves = {
        str(i): ValueCurve.from_outcomes([r for r, _ in rows], [float(s) for _, s in rows])
        for i, rows in enumerate(models)
    }
    ranges = best_ranges(curves)
    assert ranges[0].lower == 0
    assert ranges[-1].upper == np.inf
    assert all(a.upper == b.lower for a, b in itertools.pairwise(ranges))
    assert all(a.model != b.model for a, b in itertools.pairwise(ranges))
    inside = next(r for r in ranges if r.lower <= float(omega) <= r.upper)
    values = [exact_value(rows, omega) for rows in models]
    assert float(values[int(inside.model)]) == pytest.approx(float(max(values)), abs=1e-9)


def test_at_least_one_model():
    with pytest.raises(InputError, match="at least one curve"):
        best_ranges({})


def test_paired_intervals_cover_the_true_difference():
    rng = np.random.default_rng(5)
    hits, runs, n = 0, 400, 400
    for _ in range(runs):
        truth = rng.integers(0, 2, n)
        easy = rng.random(n) < 0.8  # both models are right where it is easy
        first = np.where(easy | (rng.random(n) < 0.5), truth, 1 - truth)
        second = np.where(easy | (rng.random(n) < 0.2), truth, 1 - truth)
        cases = [
            askpoint.value_curve(truth, np.where(answer == 1, 0.9, 0.1)).cases
            for answer in (first, second)
        ]
        _, (lower, upper) = paired_difference(*cases, 1.0, thresholds=(0.0, 0.0))
        hits += lower <= 0.2 * (0.5 - 0.2) * 2 <= upper
    assert 0.92 <= hits / runs <= 0.98


def test_weights_count_and_labels_must_agree():
    first = askpoint.value_curve([1, 0], [0.9, 0.9], sample_weight=[3.0, 1.0]).cases
    second = askpoint.value_curve([1, 0], [0.4, 0.1], sample_weight=[3.0, 1.0]).cases
    result = paired_difference(first, second, 2.0, thresholds=(0.5, 2.0))
    assert result.difference == pytest.approx((3 * 1 - 1 * 2) / 4)
    other = askpoint.value_curve([0, 1], [0.4, 0.1]).cases
    with pytest.raises(InputError, match="same cases"):
        paired_difference(first, other, 1.0, thresholds=(0.5, 0.5))


def test_models_that_cross_outside_a_stretch_are_ranked_within_it():
    """Small cases, each price of a fine grid in fractions."""
    rng = np.random.default_rng(2)
    for _ in range(30):
        models = [
            [(bool(rng.random() < 0.6), Fraction(int(rng.integers(1, 9)), 9)) for _ in range(6)]
            for _ in range(3)
        ]
        curves = {
            str(i): ValueCurve.from_outcomes([r for r, _ in rows], [float(s) for _, s in rows])
            for i, rows in enumerate(models)
        }
        ranges = best_ranges(curves)
        assert (ranges[0].lower, ranges[-1].upper) == (0, np.inf)
        for step in range(1, 60):
            omega = Fraction(step, 12) + Fraction(1, 97)
            inside = next(r for r in ranges if r.lower <= float(omega) <= r.upper)
            values = [exact_value(rows, omega) for rows in models]
            assert values[int(inside.model)] == max(values)
