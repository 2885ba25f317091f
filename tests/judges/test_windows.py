"""Windows and decay over periods, from exact integers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from askpoint.errors import InputError
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.judges.sketch.windows import DecayedSketch, SketchRing


def filled(rng, n_periods=4):
    ring = SketchRing(3, ["a", "b"], n_periods)
    parts = []
    for period in range(10, 20):
        votes = rng.integers(-1, 2, (20, 3))
        ring.at(period).update_codes(votes)
        part = VoteSketch(3, ["a", "b"])
        part.update_codes(votes)
        parts.append(part)
    return ring, parts


def test_a_window_is_the_sum_of_its_periods(rng):
    ring, parts = filled(rng)
    assert ring.periods == (16, 17, 18, 19)
    assert ring.window() == parts[6] + parts[7] + parts[8] + parts[9]
    assert ring.window(2) == parts[8] + parts[9]
    assert ring.window(0) == VoteSketch(3, ["a", "b"])


def test_late_items_are_counted_in_their_period_while_it_is_kept(rng):
    ring, _ = filled(rng)
    ring.at(17).update(["a", "a", "b"])
    assert ring.window().n_items == 81
    with pytest.raises(InputError, match="period 15 is forgotten: the ring keeps 16 to 19"):
        ring.at(15)
    ring.at(10**9)
    assert ring.periods[-1] == 10**9
    assert ring.window().n_items == 0


def test_decay_weighs_each_period_by_its_age(rng):
    ring, parts = filled(rng)
    decayed = ring.decayed(half_life=1)
    weights = dict(zip(map(tuple, decayed.cells()[0].tolist()), decayed.cells()[1], strict=True))
    expected = {}
    for age, part in enumerate(parts[:5:-1]):
        votes, counts = part.cells()
        for pattern, n in zip(map(tuple, votes.tolist()), counts.tolist(), strict=True):
            expected[pattern] = expected.get(pattern, 0) + Fraction(n, 2**age)
    assert weights == expected  # halves are exact in binary
    assert list(weights) == sorted(weights)
    w = np.repeat([1, 0.5, 0.25, 0.125], 20)
    assert decayed.n_items == w.sum()
    assert decayed.effective_size == pytest.approx(w.sum() ** 2 / (w**2).sum())


def test_rings_and_half_lives_are_positive():
    with pytest.raises(InputError, match="at least one period"):
        SketchRing(3, ["a", "b"], 0)
    ring = SketchRing(3, ["a", "b"], 2)
    assert ring.periods == ()
    with pytest.raises(InputError, match="holds no period"):
        ring.decayed(1)
    ring.at(-5)
    assert ring.periods == (-5,)
    with pytest.raises(InputError, match="positive"):
        ring.decayed(0)
    assert DecayedSketch([ring.window()], [1]).effective_size == 0
