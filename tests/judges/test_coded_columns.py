"""A column's texts are those of its cells one by one, whatever holds them."""

from __future__ import annotations

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import example, given, strategies as st

from askpoint.errors import InputError
from askpoint.judges.sketch.coded_columns import code_column
from askpoint.judges.sketch.codes import label_name
from askpoint.judges.sketch.tables import table_from_frame
from askpoint.judges.sketch.vote_sketch import VoteSketch


def texts_of(native):
    texts, places = code_column(nw.from_native(native, series_only=True))
    return [texts[place] for place in places]


COLUMNS = st.one_of(
    st.tuples(st.lists(st.none() | st.integers(-3, 300)), st.just(pl.Int16)),
    st.tuples(st.lists(st.none() | st.integers(-(2**63), 2**63 - 1)), st.just(pl.Int64)),
    st.tuples(st.lists(st.none() | st.integers(2**64 - 9, 2**64 - 1)), st.just(pl.UInt64)),
    st.tuples(st.lists(st.none() | st.booleans()), st.just(pl.Boolean)),
    st.tuples(
        st.lists(st.none() | st.sampled_from(["", "a", "b", "1.0", "é"])), st.just(pl.String)
    ),
    st.tuples(st.lists(st.none() | st.sampled_from([0.5, 1.0, float("nan")])), st.just(pl.Float64)),
)


@given(COLUMNS)
@example(([None, None], pl.Int64))
def test_each_cell_keeps_its_text(column):
    cells, kind = column
    assert texts_of(pl.Series("a", cells, dtype=kind)) == [label_name(cell) for cell in cells]


@given(st.lists(st.sampled_from(["x", "y", ""])))
def test_other_dataframes_give_the_same(cells):
    assert texts_of(pd.Series(cells, dtype=object)) == texts_of(pl.Series(cells, dtype=pl.String))


def test_a_vote_that_is_no_label_is_named_with_its_row():
    frame = pl.DataFrame({"ann": ["a", "b", "b"], "bob": ["a", "b", "c"]})
    with pytest.raises(InputError, match="the vote 'c' in row 2 is not one of the labels 'a', 'b'"):
        table_from_frame(frame, labels=["a", "b"])


def test_a_sketch_of_many_judges_is_that_of_their_codes():
    rng = np.random.default_rng(0)
    codes = rng.integers(-1, 3, (200, 14))
    frame = pl.DataFrame({f"j{i}": pl.Series(codes[:, i]).replace(-1, None) for i in range(14)})
    sketch = VoteSketch([*frame.columns], ["0", "1", "2"])
    sketch.update_codes(codes)
    assert VoteSketch.from_frame(frame) == sketch


@pytest.mark.parametrize("n_labels", [2, 127, 128, 300])
def test_votes_for_any_number_of_labels_come_back(n_labels):
    rng = np.random.default_rng(1)
    codes = rng.integers(-1, n_labels, (150, 20))
    codes[:2] = [[-1] * 20, [n_labels - 1] * 20]
    labels = [f"{i:03}" for i in range(n_labels)]
    texts = np.array([*labels, None], dtype=object)[codes]
    sketch = VoteSketch.from_frame(
        pl.DataFrame(
            {f"j{i}": pl.Series(texts[:, i].tolist(), dtype=pl.String) for i in range(20)}
        ),
        labels=labels,
    )
    votes, counts = sketch.cells()
    rows, often = np.unique(codes, axis=0, return_counts=True)
    assert votes.dtype == np.int16
    np.testing.assert_array_equal(votes, rows)
    np.testing.assert_array_equal(counts, often)
