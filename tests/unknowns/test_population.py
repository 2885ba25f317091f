"""Estimates from stratified samples: unbiased, exact where all is known, honest intervals."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.intervals import binomial_interval
from askpoint.unknowns.population import looking_interval, population_mean


def test_the_estimate_is_unbiased_over_all_samples():
    # every sample of 2 of 4 and 3 of 5, by enumeration
    first, second = [0.0, 1.0, 0.5, 0.0], [1.0, 0.0, 0.0, 0.2, 0.7]
    estimates = [
        population_mean([*a, *b], [0, 0, 1, 1, 1], [4, 5]).value
        for a, b in product(combinations(first, 2), combinations(second, 3))
    ]
    assert np.mean(estimates) == pytest.approx(np.mean(first + second))


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 2), st.floats(0, 1)), min_size=1, max_size=30))
def test_laws_of_the_interval(sample):
    sample += [(0, 0.0), (1, 1.0), (2, 0.5)]
    strata, values = zip(*sample, strict=True)
    sizes = [400, 50, 90]
    mean, (lower, upper) = population_mean(values, strata, sizes)
    assert 0 <= lower <= mean <= upper <= 1
    # values in another unit, and the complement
    scaled = population_mean(np.array(values) * 7, strata, sizes, largest=7)
    assert [scaled.value, *scaled.interval] == pytest.approx([7 * mean, 7 * lower, 7 * upper])
    other = population_mean(1 - np.array(values), strata, sizes)
    assert [other.value, *other.interval] == pytest.approx(
        [1 - mean, 1 - upper, 1 - lower], abs=1e-9
    )
    # the order does not matter, nor an empty stratum
    again = population_mean(values[::-1], strata[::-1], [*sizes, 0])
    assert [again.value, *again.interval] == pytest.approx([mean, lower, upper])
    # and a higher level, too
    surer = population_mean(values, strata, sizes, level=0.99).interval
    assert surer.lower <= lower + 1e-12
    assert surer.upper >= upper - 1e-12


def test_the_more_of_a_population_was_judged_the_less_is_open():
    values, strata = np.arange(100) % 10 == 0, np.arange(100) % 2
    sizes = [(50, 50), (60, 60), (100, 100), (1000, 1000), (10**6, 10**6)]
    intervals = [population_mean(values, strata, size).interval for size in sizes]
    intervals.append(population_mean(values, strata, sizes[-1], finite=False).interval)
    widths = [upper - lower for lower, upper in intervals]
    assert widths == sorted(widths)
    assert widths[-1] == pytest.approx(widths[-2], rel=1e-3)


def test_a_few_that_agree_are_no_certainty():
    lower, upper = population_mean([1] * 4 + [0] * 50, [0] * 4 + [1] * 50, [500, 500]).interval
    assert lower < 0.4  # of the first stratum, whose four were mistakes, a fifth may be right
    assert upper > 0.5


def test_what_was_judged_whole_is_known():
    assert population_mean([1, 0, 0, 0], [0] * 4, [4]) == (0.25, (0.25, 0.25))
    mean, interval = population_mean([1, 1, 0, 0], [0, 0, 1, 1], [2, 1000])
    assert interval.lower >= 2 / 1002
    assert mean == pytest.approx(2 / 1002)


@pytest.mark.parametrize("found", [0, 1, 3, 10, 40, 97, 100])
def test_one_stratum_is_near_the_exact_interval_of_a_proportion(found):
    # the mid-p gamma interval lies inside Clopper-Pearson's, which is too wide, but not by much
    values = np.arange(100) < found
    lower, upper = population_mean(values, [0] * 100, [100], finite=False).interval
    exact = binomial_interval(found, 100)
    assert exact.lower - 0.012 <= lower
    assert upper <= exact.upper + 0.012
    assert upper - lower >= 0.75 * (exact.upper - exact.lower)


def draw(rng, rates, sizes, planned):
    """A judged sample in random order, and the true mean of its population."""
    truth = [np.arange(size) < round(rate * size) for rate, size in zip(rates, sizes, strict=True)]
    values = np.concatenate(
        [rng.choice(y, n, replace=False) for y, n in zip(truth, planned, strict=True)]
    )
    strata = np.repeat(np.arange(len(sizes)), planned)
    order = rng.permutation(len(values))
    return values[order], strata[order], np.concatenate(truth).mean()


def test_the_interval_covers_as_often_as_it_says():
    rng = np.random.default_rng(8)
    sizes, planned = [20_000, 3000, 400], [600, 300, 100]
    hits = 0
    for _ in range(400):
        values, strata, mean = draw(rng, [0.01, 0.1, 0.4], sizes, planned)
        lower, upper = population_mean(values, strata, sizes).interval
        hits += lower <= mean <= upper
    assert 0.925 <= hits / 400 <= 0.98


@pytest.mark.no_cover
@pytest.mark.whole
def test_the_looking_interval_holds_at_all_moments_at_once():
    rng = np.random.default_rng(9)
    sizes, planned = [2000, 300, 40], [60, 30, 40]  # the last one whole
    failed = 0
    for _ in range(200):
        values, strata, mean = draw(rng, [0.03, 0.1, 0.4], sizes, planned)
        for seen in range(10, 131, 10):
            lower, upper = looking_interval(values[:seen], strata[:seen], planned, sizes)
            if not lower <= mean <= upper:
                failed += 1
                break
    assert failed <= 15  # 10 are allowed on average; a naive interval fails 60 to 100 times


def test_the_looking_interval_narrows_and_ends_at_the_truth():
    rng = np.random.default_rng(10)
    sizes = [300, 100]
    values, strata, mean = draw(rng, [0.1, 0.3], sizes, sizes)
    widths = []
    for seen in (0, 100, 200, 300, 400):
        lower, upper = looking_interval(values[:seen], strata[:seen], sizes, sizes)
        assert lower <= mean <= upper
        widths.append(upper - lower)
    assert widths == sorted(widths, reverse=True)
    assert widths[0] == 1
    assert widths[-1] == pytest.approx(0, abs=1e-12)


def test_the_looking_interval_scales_with_the_unit():
    rng = np.random.default_rng(11)
    values, strata, _ = draw(rng, [0.1, 0.3], [300, 100], [60, 40])
    lower, upper = looking_interval(values, strata, [60, 40], [300, 100])
    scaled = looking_interval(values * 20.0, strata, [60, 40], [300, 100], largest=20)
    assert list(scaled) == pytest.approx([20 * lower, 20 * upper])


def test_a_stratum_drawn_empty_leaves_its_cases_open():
    # the last 100 cases cannot be reached: the upper bound must keep them
    lower, upper = looking_interval([0] * 50, [0] * 50, [50, 0], [900, 100])
    assert lower == 0
    assert upper > 0.1


def test_bad_input_is_named():
    with pytest.raises(NotEstimableError, match="no case of stratum 1 was judged"):
        population_mean([1], [0], [10, 5])
    with pytest.raises(InputError, match="stratum 0 holds 1 cases, but 2"):
        population_mean([1, 0], [0, 0], [1])
    with pytest.raises(InputError, match="between 0 and the largest, 1"):
        population_mean([2], [0], [10])
    with pytest.raises(InputError, match="numbered from 0 to 0; got 3"):
        population_mean([1], [3], [10])
    with pytest.raises(InputError, match="sizes must not be negative"):
        population_mean([1], [0], [0])
    with pytest.raises(InputError, match="at most its size planned"):
        looking_interval([0, 0], [0, 0], [1], [10])
    with pytest.raises(InputError, match="at most its size planned"):
        looking_interval([0], [0], [11], [10])
