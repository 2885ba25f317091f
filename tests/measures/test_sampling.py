"""Samples: every possible one enumerated in exact fractions, every allocation tried."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import InputError
from askpoint.measures.sampling import (
    effective_size,
    neyman_allocation,
)

WEIGHTS = st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=20)


# -------------------------------------------------------------------------- effective size


@settings(deadline=None)
@given(WEIGHTS)
def test_effective_size_is_kishs_fraction(weights):
    exact = [Fraction(w) for w in weights]
    expected = float(sum(exact) ** 2 / sum(w * w for w in exact))
    assert effective_size(weights) == pytest.approx(expected)
    assert 1 <= expected <= len(weights) * (1 + 1e-12)
    # the unit of the weights is of no matter, however large; duplicates count
    assert effective_size([w * 1e300 for w in weights]) == pytest.approx(expected)
    assert effective_size([w * 1e-300 for w in weights]) == pytest.approx(expected)
    assert effective_size(weights * 3) == pytest.approx(3 * expected)


def test_effective_size_of_equal_weights_is_their_number():
    assert effective_size(np.full(7, 0.25, dtype=np.float32)) == 7
    assert effective_size([]) == 0


def test_effective_size_takes_positive_weights():
    with pytest.raises(InputError, match=r"weights must be positive; got 0\.0 in row 1"):
        effective_size([1, 0])


# ---------------------------------------------------------------------------------- Neyman

STRATA = st.lists(
    st.tuples(st.integers(0, 6), st.sampled_from([0, 1, 10, 11, 13, 17, 20, 30])),
    min_size=1,
    max_size=4,
)


def variance(sizes, spreads, draws) -> Fraction:
    strata = zip(sizes, spreads, draws, strict=True)
    return sum((Fraction(size * spread) ** 2 / n for size, spread, n in strata if n), Fraction(0))


@settings(deadline=None, max_examples=150)
@given(STRATA, st.integers(1, 3), st.data())
def test_no_allocation_beats_neymans(strata, at_least, data):
    sizes, spreads = zip(*strata, strict=True)
    floors = [min(size, at_least) for size in sizes]
    n = data.draw(st.integers(sum(floors), sum(sizes)))
    found = neyman_allocation(sizes, spreads, n, at_least=at_least)
    assert found.dtype == np.int64
    assert found.sum() == n
    allowed = [range(low, high + 1) for low, high in zip(floors, sizes, strict=True)]
    assert all(k in ks for k, ks in zip(found.tolist(), allowed, strict=True))
    best = min(
        variance(sizes, spreads, draws) for draws in itertools.product(*allowed) if sum(draws) == n
    )
    assert variance(sizes, spreads, found.tolist()) == best
    # the unit of the deviations and the order of the strata are of no matter
    assert (neyman_allocation(sizes, np.array(spreads) / 1024, n, at_least=at_least) == found).all()
    turned = neyman_allocation(sizes[::-1], spreads[::-1], n, at_least=at_least)
    assert variance(sizes[::-1], spreads[::-1], turned.tolist()) == best


def test_two_strata_are_shared_best_at_every_ratio():
    size = 8
    for spreads in itertools.combinations(range(1, 13), 2):
        for n in range(2, 2 * size + 1):
            pairs = [(k, n - k) for k in range(1, size + 1) if 1 <= n - k <= size]
            best = min(variance([size] * 2, spreads, pair) for pair in pairs)
            found = neyman_allocation([size] * 2, spreads, n, at_least=1)
            assert variance([size] * 2, spreads, found.tolist()) == best


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(st.integers(1, 10**9), st.floats(1e-6, 1e3)), min_size=1, max_size=30),
    st.floats(0, 1),
)
def test_no_draw_is_better_placed_elsewhere_in_large_strata(strata, share):
    sizes, spreads = map(np.array, zip(*strata, strict=True))
    floor = np.minimum(sizes, 2)
    n = int(floor.sum() + share * (sizes.sum() - floor.sum()))
    found = neyman_allocation(sizes, spreads, n)
    assert found.sum() == n
    assert ((found >= floor) & (found <= sizes)).all()
    # what one more draw would gain, what the last draw gained: the variance is convex in both
    weight, more, fewer = (sizes * spreads) ** 2, found < sizes, found > floor
    gain = (weight / (found * (found + 1.0)))[more].max(initial=0)
    loss = (weight / (found * (found - 1.0)).clip(1))[fewer].min(initial=np.inf)
    assert gain <= loss * (1 + 1e-9)


def test_sure_strata_get_their_least_until_the_others_are_full():
    assert neyman_allocation([50, 50, 8], [0, 1, 0], 54, at_least=2).tolist() == [2, 50, 2]
    # what is left goes by size
    assert neyman_allocation([300, 10, 100], [0, 1, 0], 50).tolist() == [30, 10, 10]
    assert neyman_allocation([30, 10], [0, 0], 20, at_least=1).tolist() == [15, 5]


def test_limits_are_kept():
    assert neyman_allocation([5, 0, 1], [1, 1, 1], 6).tolist() == [5, 0, 1]
    assert neyman_allocation([5, 0, 1], [1, 1, 1], 3).tolist() == [2, 0, 1]
    assert neyman_allocation([], [], 0).tolist() == []
    assert neyman_allocation([4], [0], 2).tolist() == [2]


def test_many_large_strata_take_no_time():
    sizes = np.full(10_000, 10**7)
    found = neyman_allocation(sizes, np.linspace(0.01, 1, 10_000), 10**9)
    assert found.sum() == 10**9
    assert (np.diff(found) >= 0).all()


@pytest.mark.parametrize("n", [3, 21, math.nan])
def test_too_few_and_too_many_draws_are_refused(n):
    message = rf"n must be between 4 \(at least 2 in every stratum\) and 20 \(all items\); got {n}"
    with pytest.raises(InputError, match=message):
        neyman_allocation([10, 10], [1, 2], n)


@pytest.mark.parametrize(
    ("sizes", "deviations"), [([-1, 5], [1, 1]), ([2.5, 5], [1, 1]), ([5, 5], [1, -1])]
)
def test_strata_have_whole_sizes_and_deviations(sizes, deviations):
    with pytest.raises(
        InputError, match="sizes are whole numbers and deviations numbers, none negative"
    ):
        neyman_allocation(sizes, deviations, 5)


def test_strata_have_one_deviation_each():
    with pytest.raises(InputError, match="sizes and deviations must have one entry per item"):
        neyman_allocation([5, 5], [1], 5)


def test_a_stratum_without_a_draw_is_refused():
    with pytest.raises(
        InputError, match="at_least must be 1 or more; got 0: no draw tells nothing"
    ):
        neyman_allocation([5, 5], [1, 1], 5, at_least=0)
