"""A few gold labels: the labelled sketch."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import InputError, SketchError
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.sketch.tables import table_from_frame
from askpoint.judges.sketch.vote_sketch import VoteSketch

items = st.lists(
    st.tuples(st.integers(-1, 2), st.integers(-1, 2), st.integers(0, 2)), max_size=30
).map(lambda rows: np.array(rows, dtype=int).reshape(-1, 3))


@settings(deadline=None, max_examples=50)
@given(items, items)
def test_a_labelled_sketch_adds_up(first, second):
    def of(rows):
        gold = GoldSketch(["x", "y"], ["a", "b", "c"])
        gold.update_codes(rows[:, :2], rows[:, 2])
        return gold

    both, merged = of(np.concatenate([first, second])), of(first)
    merged.merge(of(second))
    assert merged == both
    assert (merged == of(first)) == (len(second) == 0)
    assert GoldSketch.from_bytes(both.to_bytes()) == both
    assert both.n_items == len(first) + len(second)
    votes, counts = both.cells()
    rows = np.concatenate([first, second])
    for pattern, row in zip(votes, counts, strict=True):
        same = (rows[:, :2] == pattern).all(axis=1)
        assert row.tolist() == np.bincount(rows[same, 2], minlength=3).tolist()


def test_a_labelled_sketch_speaks_in_labels():
    gold = GoldSketch(["x", "y"], [0, 1])
    gold.update([0, None], 1)
    gold.update_many([[0, 1], [0, 1]], [1.0, "0"])
    assert gold.cells().votes.tolist() == [[0, -1], [0, 1]]
    assert gold.cells().counts.tolist() == [[0, 1], [1, 1]]
    assert repr(gold) == "GoldSketch(judges=('x', 'y'), labels=('0', '1'), n_items=3)"
    assert gold != 3


def test_gold_of_a_table():
    frame = pl.DataFrame({"w": ["x", "y", "x"], "t": [1, 1, 2], "l": ["a", "b", "b"]})
    table = table_from_frame(frame, worker="w", task="t", label="l")
    gold = GoldSketch.from_table(table, {1: "a", "2": "b", 3: None})
    assert gold.n_items == 2
    with pytest.raises(InputError, match=r"nobody judged 1 of 2 tasks .* the first '9'"):
        GoldSketch.from_table(table, {1: "a", 9: "b"})
    assert GoldSketch.from_table(table, {1: "a", 9: "b"}, unjudged="leave out").n_items == 1
    with pytest.raises(InputError, match="'c' in row 0 is not one of the labels"):
        GoldSketch.from_table(table, {1: "c"})


def test_what_a_labelled_sketch_refuses():
    gold = GoldSketch(["x", "y"], ["a", "b"])
    with pytest.raises(InputError, match="2 items and 1"):
        gold.update_many([["a", "a"], ["a", "b"]], ["a"])
    with pytest.raises(InputError, match="truth of item 1 is missing"):
        gold.update_many([["a", "a"], ["a", "b"]], ["a", None])
    with pytest.raises(SketchError, match="other judges"):
        gold.merge(GoldSketch(["x", "z"], ["a", "b"]))
    with pytest.raises(SketchError, match="without true labels"):
        GoldSketch.from_bytes(VoteSketch(2, ["a", "b"]).to_bytes())
    with pytest.raises(InputError, match="give that one another name"):
        GoldSketch(["the true label"], ["a", "b"])
    with pytest.raises(SketchError):
        GoldSketch.from_bytes(gold.to_bytes()[:-1])
