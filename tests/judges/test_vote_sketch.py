"""The vote sketch counts exactly, adds up, and comes back from bytes."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import InputError, SketchError
from askpoint.judges.sketch import patterns
from askpoint.judges.sketch.patterns import DENSE_CELLS, HashedPatterns
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.sketch_bytes import pack_arrays

LABELS = ("ham", "spam", "eggs")


def tables(n_judges: int, n_labels: int = 3):
    row = st.lists(st.integers(-1, n_labels - 1), min_size=n_judges, max_size=n_judges)
    return st.lists(row, max_size=30).map(lambda rows: np.array(rows).reshape(-1, n_judges))


def counted(codes, n_judges=3, labels=LABELS):
    sketch = VoteSketch(n_judges, labels)
    sketch.update_codes(codes.astype(np.int64))
    return sketch


@pytest.mark.no_cover
@given(tables(3) | tables(9))  # 4^9 patterns are hashed
def test_it_counts_each_pattern(codes):
    sketch = counted(codes, codes.shape[1])
    votes, counts = sketch.cells()
    assert dict(zip(map(tuple, votes.tolist()), counts.tolist(), strict=True)) == Counter(
        map(tuple, codes.tolist())
    )
    assert votes.tolist() == sorted(votes.tolist())
    assert votes.dtype == np.int16
    assert counts.dtype == np.int64
    assert sketch.n_items == len(codes)


@pytest.mark.no_cover
@given(tables(3) | tables(9), st.data())
def test_a_merge_is_the_sketch_of_all_items(codes, data):
    cut = data.draw(st.integers(0, len(codes)))
    whole, first, second = (
        counted(part, codes.shape[1]) for part in (codes, codes[:cut], codes[cut:])
    )
    assert first + second == second + first == whole
    first.merge(second)
    assert first == whole
    assert whole.to_bytes() == first.to_bytes()
    assert VoteSketch.from_bytes(whole.to_bytes()) == whole


@given(tables(2), tables(2), tables(2))
@settings(max_examples=25)
def test_merging_is_associative(a, b, c):
    a, b, c = (counted(codes, 2) for codes in (a, b, c))
    assert (a + b) + c == a + (b + c)


def test_one_and_many_and_codes_count_alike():
    one, many, codes = (VoteSketch(["ann", "bob"], LABELS) for _ in range(3))
    for votes in (["ham", None], ["spam", "ham"], ["ham", None]):
        one.update(votes)
    many.update_many([["ham", None], ["spam", "ham"], ["ham", None]])
    codes.update_codes([[0, -1], [1, 0], [1, 1]], [2, 1, 0])
    assert one == many == codes
    assert one.cells().counts.tolist() == [2, 1]


def test_many_items_are_counted_in_chunks(monkeypatch):
    monkeypatch.setattr(patterns, "_CHUNK", 4)
    codes = np.arange(90).reshape(-1, 3) % 3
    weights = np.arange(30) + 1
    assert counted(codes).cells().counts.sum() == 30
    sketch = VoteSketch(3, LABELS)
    sketch.update_codes(codes, weights)
    assert sketch.cells().counts.sum() == weights.sum()


def test_many_judges_are_hashed(rng):
    sketch = VoteSketch(20, ["a", "b"])
    assert isinstance(sketch._patterns, HashedPatterns)
    assert DENSE_CELLS < 3**20
    codes = rng.integers(0, 2, (500, 20))
    sketch.update_codes(codes)
    sketch.update_codes(codes, np.full(500, 4))
    sketch.update_codes(codes[:1], np.array([10], object))
    assert sketch.n_items == 2510
    assert set(sketch.cells().counts % 5) == {0}


def test_a_hashed_sketch_may_be_empty():
    assert VoteSketch(20, ["a", "b"]).cells().votes.shape == (0, 20)


def test_equality_sees_judges_labels_and_counts():
    base = counted(np.array([[0, 1, 2]]))
    assert base != VoteSketch(3, LABELS)
    assert VoteSketch(3, LABELS) != VoteSketch(3, LABELS[::-1])
    assert VoteSketch(3, LABELS) != VoteSketch(["a", "b", "c"], LABELS)
    assert base != counted(np.array([[0, 1, 1]]))
    assert base != "sketch"
    with pytest.raises(TypeError):
        hash(base)
    with pytest.raises(TypeError):
        base + 1
    assert "n_items=1" in repr(base)
    assert repr(VoteSketch(9, LABELS)).count("judge") == 6


def test_some_judges_can_be_selected(rng):
    codes = rng.integers(-1, 3, (200, 5))
    part = counted(codes, 5).select(["judge 4", "judge 1"])
    expected = VoteSketch(["judge 4", "judge 1"], LABELS)
    expected.update_codes(codes[:, [3, 0]])
    assert part == expected
    with pytest.raises(InputError, match="no judge 'bob'"):
        part.select(["bob"])


def test_sketches_of_others_are_not_merged():
    with pytest.raises(SketchError, match="other judges"):
        VoteSketch(2, LABELS).merge(VoteSketch(3, LABELS))
    with pytest.raises(SketchError, match="other labels"):
        VoteSketch(2, LABELS).merge(VoteSketch(2, ["x", "y"]))


def test_counts_end_before_two_to_the_63():
    most = 2**63 - 1
    sketch = VoteSketch(2, ["a", "b"])
    sketch.update_codes([[0, 0], [0, 1]], [most - 1, 1])
    assert sketch.n_items == most
    for more in ([1], [most], np.array([2**64 - 1], np.uint64), [2**70]):
        with pytest.raises(SketchError, match="2\\^63"):
            sketch.update_codes([[1, 1]], more)
    with pytest.raises(SketchError, match="2\\^63"):
        sketch.update(["a", "a"])
    with pytest.raises(SketchError, match="2\\^63"):
        sketch + sketch
    assert sketch.n_items == most
    assert VoteSketch.from_bytes(sketch.to_bytes()) == sketch


@pytest.mark.parametrize("counts", [[-1], [0.5], [1, 2], [[1]], ["x"]])
def test_counts_are_natural_numbers(counts):
    with pytest.raises(InputError, match="natural numbers"):
        VoteSketch(2, LABELS).update_codes([[0, 0]], counts)


def test_a_refused_batch_counts_nothing():
    sketch = VoteSketch(2, ["a", "b"])
    with pytest.raises(InputError, match="'c' in row 1"):
        sketch.update_many([["a", "a"], ["a", "c"]])
    assert sketch.n_items == 0


@given(st.integers(0, 2000), st.integers(1, 255))
def test_changed_bytes_are_noticed(place, flip):
    data = bytearray(counted(np.array([[0, 1, 2], [0, 1, -1]])).to_bytes())
    data[place % len(data)] ^= flip
    with pytest.raises(SketchError):
        VoteSketch.from_bytes(bytes(data))
    with pytest.raises(SketchError):
        VoteSketch.from_bytes(bytes(data[: place % len(data)]))


@pytest.mark.parametrize(
    ("header", "arrays"),
    [
        ({"judges": ["a"]}, [np.array([[0]]), np.array([1])]),
        ({"judges": ["a"], "labels": ["x", "y"]}, [np.array([[2]]), np.array([1])]),
        ({"judges": ["a"], "labels": ["x", "y"]}, [np.array([[1]]), np.array([-1])]),
        ({"judges": ["a"], "labels": ["x", "y"]}, [np.array([[1]])]),
        ({"judges": 2, "labels": ["x"]}, [np.array([[1]]), np.array([1])]),
        ({"judges": None, "labels": ["x", "y"]}, [np.array([[1]]), np.array([1])]),
    ],
)
def test_bytes_that_hold_no_votes_are_refused(header, arrays):
    with pytest.raises(SketchError, match="not a vote sketch"):
        VoteSketch.from_bytes(pack_arrays("vote sketch", header, *arrays))


def test_frames_wide_and_long_count_alike():
    wide = pl.DataFrame({"ann": ["x", "y", "y"], "bob": ["x", None, "x"]})
    long = pl.DataFrame(
        {
            "worker": ["ann", "bob", "ann", "ann", "bob"],
            "task": [1, 1, 2, 3, 3],
            "label": ["x", "x", "y", "y", "x"],
        }
    )
    names = {"worker": "worker", "task": "task", "label": "label"}
    sketch = VoteSketch.from_frame(wide)
    assert sketch == VoteSketch.from_frame(long, **names)
    assert sketch == VoteSketch.from_frame(wide.lazy(), judges=["ann", "bob"], labels=["x", "y"])
    assert sketch == VoteSketch.from_frame(wide.with_row_index("id"), task="id")
    bob = VoteSketch.from_frame(long.filter(pl.col("task") != 2), judges=["bob"], **names)
    assert bob.cells().counts.tolist() == [2]  # of the tasks that are in the frame
