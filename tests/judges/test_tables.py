"""Tables of votes from any dataframe, wide or long."""

from __future__ import annotations

from collections import Counter

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from askpoint.errors import InputError, UnknownColumnError
from askpoint.judges.sketch.tables import patterns_from_frame, table_from_columns, table_from_frame

WIDE = {"ann": ["y", "x", "y"], "bob": [None, "x", None]}
LONG = {
    "who": ["bob", "ann", "bob", "cid"],
    "what": ["t2", "t1", "t1", "t2"],
    "said": [1.0, 0.0, None, 1.0],
}
NAMES = {"worker": "who", "task": "what", "label": "said"}


def to_duckdb(columns):
    import duckdb

    return duckdb.from_arrow(pa.table(columns))


ENGINES = [pl.DataFrame, pl.LazyFrame, pd.DataFrame, pa.table, to_duckdb]


@pytest.mark.parametrize("engine", ENGINES)
def test_any_engine_counts_equal_rows(engine):
    table, counts = patterns_from_frame(engine(WIDE))
    assert table.judges == ("ann", "bob")
    assert table.labels == ("x", "y")
    found = dict(zip(map(tuple, table.codes.tolist()), counts.tolist(), strict=True))
    assert found == {(1, -1): 2, (0, 0): 1}


@pytest.mark.parametrize("engine", ENGINES)
def test_any_engine_brings_long_votes(engine):
    table = table_from_frame(engine(LONG), **NAMES)
    assert table.tasks == ("t2", "t1")
    assert table.judges == ("bob", "ann", "cid")
    assert table.labels == ("0", "1")
    assert table.codes.tolist() == [[1, -1, 1], [-1, 0, -1]]


def test_wide_rows_keep_their_names():
    table = table_from_frame(pl.DataFrame({"id": ["p", "q", "r"], **WIDE}), task="id")
    assert table.tasks == ("p", "q", "r")
    assert table.judges == ("ann", "bob")
    assert table_from_frame(pl.DataFrame(WIDE)).tasks == ("0", "1", "2")
    assert table_from_frame(
        pl.DataFrame(WIDE), judges=["bob"], labels=["x", "y"]
    ).codes.tolist() == [
        [-1],
        [0],
        [-1],
    ]


def test_some_workers_can_be_chosen():
    table = table_from_frame(pl.DataFrame(LONG), judges=["ann", "nobody"], **NAMES)
    assert table.judges == ("ann", "nobody")
    assert table.codes.tolist() == [[-1, -1], [0, -1]]


@pytest.mark.parametrize(("repeats", "said"), [("first", 0), ("last", 1)])
def test_repeated_pairs_are_settled_as_told(repeats, said):
    frame = pl.DataFrame({"who": ["a"] * 3, "what": ["t"] * 3, "said": ["x", "y", "y"]})
    table = table_from_frame(frame, repeats=repeats, **NAMES)
    assert table.codes.tolist() == [[said]]
    assert table.n_repeats == 2


def test_repeated_pairs_are_refused_unless_told():
    frame = pl.DataFrame({"who": ["b", "a", "a"], "what": ["s", "t", "t"], "said": ["x", "y", "y"]})
    with pytest.raises(InputError, match=r"1 votes repeat .* the first 'a' on 't'"):
        table_from_frame(frame, **NAMES)
    with pytest.raises(InputError, match="repeats must be one of"):
        table_from_frame(frame, repeats="mean", **NAMES)


def test_faults_are_named():
    with pytest.raises(UnknownColumnError, match="'anne'; did you mean 'ann'"):
        patterns_from_frame(pl.DataFrame(WIDE), ["anne"])
    with pytest.raises(UnknownColumnError, match="'whom'"):
        table_from_frame(pl.DataFrame(LONG), worker="whom", task="what", label="said")
    with pytest.raises(InputError, match="all three"):
        table_from_frame(pl.DataFrame(LONG), worker="who")
    with pytest.raises(InputError, match="a dataframe is needed"):
        table_from_frame([[1, 2]])
    with pytest.raises(InputError, match=r"1 label .*'x'"):
        table_from_frame(pl.DataFrame({"ann": ["x", "x"]}))
    with pytest.raises(InputError, match=r"0 labels .none"):
        table_from_frame(pl.DataFrame({"ann": [None, None]}))
    with pytest.raises(InputError, match="'y' in row 0 is not one of the labels"):
        table_from_frame(pl.DataFrame(WIDE), labels=["x", "z"])
    with pytest.raises(InputError, match="'what' must hold a name in every row"):
        table_from_frame(pl.DataFrame({**LONG, "what": ["t1", None, "t2", "t2"]}), **NAMES)


def test_types_may_be_mixed_between_columns():
    frame = pl.DataFrame({"ann": [0, 1], "bob": ["1", "0"], "cid": [1.0, None]})
    table, counts = patterns_from_frame(frame)
    assert table.labels == ("0", "1")
    assert sorted(map(tuple, table.codes.tolist())) == [(0, 1, 1), (1, 0, -1)]
    assert counts.tolist() == [1, 1]


def test_a_narwhals_frame_is_a_frame():
    assert np.array_equal(patterns_from_frame(nw.from_native(pl.DataFrame(WIDE)))[1].sum(), 3)


LATE = 10_050  # after the rows in which values are looked up


@pytest.mark.parametrize(
    "late", [None, "z", "x"], ids=["a vote that misses", "a new label", "nothing new"]
)
@pytest.mark.parametrize("n_judges", [2, 5, 6])
def test_patterns_are_counted_as_one_by_one(n_judges, late):
    rng = np.random.default_rng(n_judges)
    votes = rng.choice(["x", "y"], (LATE + 5, n_judges)).astype(object)
    votes[LATE, 0] = late
    columns = {f"judge {j}": column.tolist() for j, column in enumerate(votes.T)}
    table, counts = patterns_from_frame(pl.LazyFrame(columns))
    found = {
        tuple(table.labels[code] if code >= 0 else None for code in row): count
        for row, count in zip(table.codes.tolist(), counts.tolist(), strict=True)
    }
    assert found == Counter(map(tuple, votes.tolist()))


@pytest.mark.parametrize(
    ("kind", "votes"),
    [
        (pl.Int64, [0, 1, None, 1]),
        (pl.Boolean, [True, False, None, False]),
        (pl.Float64, [1.0, 2.0, float("nan"), 2.0]),
        (pl.Categorical, ["x", "y", None, "y"]),
    ],
)
def test_patterns_of_any_kind_of_column(kind, votes):
    table, counts = patterns_from_frame(pl.LazyFrame({"ann": pl.Series(votes, dtype=kind)}))
    assert dict(zip(table.codes[:, 0].tolist(), counts.tolist(), strict=True)) == (
        {0: 2, 1: 1, -1: 1} if kind == pl.Boolean else {0: 1, 1: 2, -1: 1}
    )


def test_no_rows_have_no_patterns():
    empty = pl.LazyFrame(schema={"ann": pl.Int8, "bob": pl.Int8})
    assert len(patterns_from_frame(empty, labels=[0, 1])[1]) == 0


def test_plain_lists_are_read_as_a_frame_is():
    wide, long = table_from_columns(WIDE), table_from_columns(LONG, **NAMES)
    for found, frame in (
        (wide, table_from_frame(pl.DataFrame(WIDE))),
        (long, table_from_frame(pl.DataFrame(LONG), **NAMES)),
    ):
        assert (found.tasks, found.judges, found.labels) == (
            frame.tasks,
            frame.judges,
            frame.labels,
        )
        assert found.codes.tolist() == frame.codes.tolist()
    assert long.codes.tolist() == [[1, -1, 1], [-1, 0, -1]]
