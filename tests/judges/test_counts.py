"""Counts of all trios: bits, matrices and plain loops agree."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import InputError
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.judges.trios import counts as room
from askpoint.judges.trios.counts import pack_votes, trio_moments


def counted(codes, counts=None):
    sketch = VoteSketch(np.shape(codes)[1], ["a", "b"])
    sketch.update_codes(codes, counts)
    return sketch


def by_hand(codes, weights):
    for trio in itertools.combinations(range(codes.shape[1]), 3):
        full = (codes[:, trio] >= 0).all(axis=1)
        x, y, z = codes[full][:, trio].T
        w = weights[full]
        singles = [w @ x, w @ y, w @ z]
        pairs = [w @ (y * z), w @ (x * z), w @ (x * y)]
        yield w.sum(), singles, pairs, w @ (x * y * z)


@given(st.integers(0, 2**32), st.sampled_from([0, -1]), st.sampled_from([1, 9, 2**56]))
@settings(max_examples=40)
def test_trios_are_counted_as_by_hand(seed, low, most):
    rng = np.random.default_rng(seed)
    codes = rng.integers(low, 2, (40, 5))
    weights = rng.integers(1, most + 1, 40)
    found = trio_moments(counted(codes, weights))
    for row, (n_items, singles, pairs, triple) in enumerate(by_hand(codes, weights)):
        assert found.n_items[row] == n_items
        assert found.singles[row].tolist() == singles
        assert found.pairs[row].tolist() == pairs
        assert found.triples[row] == triple


def test_words_are_counted_in_chunks(rng, monkeypatch):
    monkeypatch.setattr(room, "_CHUNK", 2)
    codes = rng.integers(0, 2, (700, 4))
    packed = pack_votes(codes)
    assert packed.triples().tolist() == [
        int(codes[:, trio].all(axis=1).sum()) for trio in itertools.combinations(range(4), 3)
    ]
    three = pack_votes(codes[:, :3])
    assert three.cells().tolist() == np.bincount(codes[:, :3] @ [4, 2, 1], minlength=8).tolist()
    with pytest.raises(InputError, match="three judges; got 4"):
        packed.cells()


@pytest.mark.parametrize("n_items", [0, 1, 7, 8, 63, 64, 65])
def test_any_number_of_items_is_packed(n_items, rng):
    codes = rng.integers(0, 2, (n_items, 3))
    packed = pack_votes(codes)
    assert packed.cells().sum() == n_items
    assert np.bitwise_count(packed.words).sum(axis=1).tolist() == codes.sum(axis=0).tolist()


def test_progress_is_told(rng):
    codes = rng.integers(0, 2, (30, 5))
    for votes in (codes, np.where(rng.random(codes.shape) < 0.1, -1, codes)):
        told = []
        trio_moments(counted(votes, np.full(30, 3)), told.append)
        assert told == sorted(told)
        assert told[-1] == 1


def test_faults_are_named():
    with pytest.raises(InputError, match="at least three judges and two labels; got 2 and 2"):
        trio_moments(VoteSketch(2, ["a", "b"]))
    with pytest.raises(InputError, match="got 3 and 3"):
        trio_moments(VoteSketch(3, ["a", "b", "c"]))
    for votes in ([[0, -1]], [[2]], [0, 1]):
        with pytest.raises(InputError, match="zeros and ones"):
            pack_votes(votes)


def test_an_empty_sketch_counts_nothing():
    found = trio_moments(VoteSketch(4, ["a", "b"]))
    assert not found.n_items.any()
    assert not found.triples.any()
