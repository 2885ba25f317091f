"""Hulls against every pair of points in exact fractions, and PAV against scikit-learn."""

from __future__ import annotations

import itertools
import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.isotonic import isotonic_regression

from askpoint.errors import NotEstimableError
from askpoint.measures.hulls import hull_slopes, isotonic_rates, upper_hull

STEPS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(any), min_size=1, max_size=25
)


def staircase(steps, dtype=np.int64) -> tuple[np.ndarray, np.ndarray]:
    x, y = np.array([(0, 0), *steps], dtype=dtype).cumsum(axis=0).T
    return x, y


def vertices(x, y) -> list[int]:
    """The points that lie above each chord that spans them: for small cases."""
    points = [(Fraction(float(a)), Fraction(float(b))) for a, b in zip(x, y, strict=True)]
    kept = [0]
    for i, (u, v) in enumerate(points[1:-1], start=1):
        chords = itertools.product(points[:i], points[i + 1 :])
        if all((b - a) * (v - c) > (d - c) * (u - a) for (a, c), (b, d) in chords):
            kept.append(i)
    return [*kept, len(points) - 1]


@settings(deadline=None, max_examples=200)
@given(STEPS, st.sampled_from([np.int64, np.float64, np.float32]))
def test_the_hull_is_what_no_chord_covers(steps, dtype):
    x, y = staircase(steps, dtype)
    assert upper_hull(x, y).tolist() == vertices(x, y)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(250, 40_000), st.sampled_from([1, 2, 3, 50]))
def test_the_hull_of_many_points_is_the_same_hull(seed, n, largest):
    # the way of a single chain, as for few points
    rng = np.random.default_rng(seed)
    tilt = np.linspace(0, 1, n)
    right = rng.binomial(largest, 1 - tilt)
    x, y = staircase(np.column_stack([largest - right, right]))
    chain: list[int] = []
    for i in range(n + 1):
        while len(chain) > 1:
            a, b = chain[-2:]
            if (x[b] - x[a]) * (y[i] - y[a]) < (y[b] - y[a]) * (x[i] - x[a]):
                break
            chain.pop()
        chain.append(i)
    assert upper_hull(x, y).tolist() == chain


@pytest.mark.parametrize("repeats", [1, 300])
def test_the_hull_of_huge_counts_is_exact(repeats):
    big = 1_500_000_000  # (big - 1) / (big - 2) and big / (big - 1) are one float64
    x, y = np.repeat([[0, big - 2, 2 * big - 3], [0, big - 1, 2 * big - 1]], repeats, axis=1)
    assert float(big - 1) / float(big - 2) == float(big) / float(big - 1)
    hull = upper_hull(x, y)
    assert x[hull].tolist() == [0, big - 2, 2 * big - 3]
    turned = upper_hull(x[-1] - x[::-1], y[-1] - y[::-1])
    assert len(turned) == 2


def test_the_hull_of_counts_whose_products_need_more_than_64_bits():
    rng = np.random.default_rng(0)
    x, y = np.sort(rng.integers(0, 1000, (2, 400)), axis=1)
    assert upper_hull(x * 2**40, y * 2**40).tolist() == upper_hull(x, y).tolist()


def test_the_hull_of_one_point_and_of_none():
    assert upper_hull(np.array([0]), np.array([0])).tolist() == [0]
    assert upper_hull(np.array([]), np.array([])).tolist() == []


def test_points_in_a_line_have_two_vertices():
    line = np.arange(1000)
    assert upper_hull(line, line).tolist() == [0, 999]
    assert upper_hull(line, 0 * line).tolist() == [0, 999]
    assert upper_hull(0 * line, line).tolist() == [0, 999]


def test_of_equal_points_one_is_left():
    for repeats in (2, 300):
        x, y = np.repeat([[0, 1, 3], [0, 2, 3]], repeats, axis=1)
        hull = upper_hull(x, y)
        assert list(zip(x[hull], y[hull], strict=True)) == [(0, 0), (1, 2), (3, 3)]


@settings(deadline=None)
@given(STEPS)
def test_slopes_fall_from_edge_to_edge(steps):
    x, y = staircase(steps)
    hull = upper_hull(x, y)
    slopes = hull_slopes(x, y, hull)
    assert len(slopes) == len(hull) - 1
    assert (slopes[:-1] > slopes[1:]).all()
    for slope, a, b in zip(slopes, hull[:-1], hull[1:], strict=True):
        run, rise = x[b] - x[a], y[b] - y[a]
        assert slope == (rise / run if run else np.inf)
    # the best point at every price is a vertex
    for omega in [0, 0.5, 1, 7]:
        assert (y - omega * x).max() == (y[hull] - omega * x[hull]).max()


@settings(deadline=None, max_examples=100)
@given(STEPS, st.sampled_from([np.int64, np.float64]))
def test_isotonic_rates_are_those_of_scikit_learn(steps, dtype):
    wrong, right = staircase(steps, dtype)
    gained, n = np.diff(right), np.diff(right) + np.diff(wrong)
    expected = isotonic_regression(gained / n, sample_weight=n, increasing=False)
    assert isotonic_rates(right, wrong) == pytest.approx(expected, abs=1e-12)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=25))
def test_steps_without_counts_change_no_other_rate(steps):
    wrong, right = staircase(steps)
    counted = np.array([any(step) for step in steps])
    if not counted.any():
        with pytest.raises(
            NotEstimableError, match="no step holds a right or wrong answer: give labelled items"
        ):
            isotonic_rates(right, wrong)
        return
    rates = isotonic_rates(right, wrong)
    without = isotonic_rates(*(np.append(0, a[1:][counted]) for a in (right, wrong)))
    assert len(rates) == len(steps)
    assert rates[counted].tolist() == without.tolist()
    assert (np.diff(rates) <= 0).all()


def test_a_million_points_take_no_time():
    rng = np.random.default_rng(0)
    right = rng.random(10**6) < np.linspace(1, 0.3, 10**6)
    x, y = np.append(0, np.cumsum(~right)), np.append(0, np.cumsum(right))
    start = time.perf_counter()
    hull = upper_hull(x, y)
    assert time.perf_counter() - start < 1
    assert (np.diff(hull_slopes(x, y, hull)) < 0).all()
