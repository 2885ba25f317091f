"""Votes from files: long, wide, counted in batches, with gold labels."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from askpoint.errors import InputError, LogError, UnknownColumnError
from askpoint.judges.sketch.tables import VoteNotes
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.records import vote_counts as room
from askpoint.records.vote_spellings import with_positive
from askpoint.records.votes import (
    VoteColumns,
    count_votes,
    read_clusters,
    read_gold,
    read_votes,
)

LONG = pl.DataFrame(
    {"worker": ["a", "b", "a", "b"], "task": [1, 1, 2, 3], "label": ["x", "y", "y", None]}
)
WIDE = pl.DataFrame(
    {"task": ["p", "q"], "ann": ["x", "y"], "bob": ["y", None], "truth": ["x", "x"]}
)


def test_a_file_with_worker_task_and_label_is_long(tmp_path):
    path = tmp_path / "votes.csv"
    LONG.write_csv(path)
    for source in (LONG, str(path)):
        table = read_votes(source)
        assert table.tasks == ("1", "2", "3")
        assert table.codes.tolist() == [[0, 1], [1, -1], [-1, -1]]
    renamed = LONG.rename({"worker": "who", "task": "what", "label": "said"})
    columns = VoteColumns("who", "what", "said", judges=["b"])
    assert read_votes(renamed, columns).judges == ("b",)


def test_any_other_file_is_wide():
    table = read_votes(WIDE, VoteColumns(gold="truth"), labels=["y", "x"])
    assert table.judges == ("ann", "bob")
    assert table.tasks == ("p", "q")
    assert table.labels == ("y", "x")
    assert read_votes(WIDE.drop("task")).judges == ("ann", "bob", "truth")
    with pytest.raises(UnknownColumnError, match="'cid'"):
        read_votes(WIDE, VoteColumns(judges=["cid"]))
    with pytest.raises(LogError, match="no column is left"):
        read_votes(WIDE.select("task"))


def test_counted_in_batches_is_counted(monkeypatch, rng_votes, tmp_path):
    monkeypatch.setattr(room, "_BATCH", 64)
    frame = pl.DataFrame(rng_votes, schema=["ann", "items", "cid"], orient="row")
    path = tmp_path / "votes.csv"
    frame.write_csv(path)
    told = []
    sketch, notes = count_votes(path, progress=told.append)
    assert notes == VoteNotes()
    assert told[-1] == len(rng_votes)
    assert sketch == VoteSketch.from_frame(frame)
    assert count_votes(path, labels=["1", "0"])[0].labels == ("1", "0")


@pytest.fixture
def rng_votes():
    rng = np.random.default_rng(4)
    votes = rng.integers(0, 2, (500, 3)).tolist()
    return [[None if rng.random() < 0.1 else vote for vote in row] for row in votes]


def test_votes_that_cannot_be_counted_are_named():
    with pytest.raises(InputError, match=r"one label only \('x'\)"):
        count_votes(pl.DataFrame({"ann": ["x"]}))
    with pytest.raises(InputError, match="no label;"):
        count_votes(pl.DataFrame({"ann": [None]}))
    with pytest.raises(InputError, match="the vote 'z' is not one of the labels 'x', 'y'"):
        count_votes(pl.DataFrame({"ann": ["x", "z"]}), labels=["x", "y"])
    with pytest.raises(LogError, match="not a single row"):
        count_votes(pl.DataFrame({"ann": []}))


def test_gold_labels_are_read_by_task():
    gold = pl.DataFrame({"task": [1, 2, 2, 4], "label": ["x", None, "y", "x"]})
    assert read_gold(gold) == {"1": "x", "2": "y", "4": "x"}
    assert read_gold(WIDE, VoteColumns(gold="truth")) == {"p": "x", "q": "x"}
    assert read_gold(WIDE.drop("task"), VoteColumns(gold="truth")) == {"0": "x", "1": "x"}
    with pytest.raises(InputError, match="both 'x' and 'y' of '1'"):
        read_gold(pl.DataFrame({"task": [1, 1], "label": ["x", "y"]}))
    with pytest.raises(LogError, match="'task' is not a column of the gold labels"):
        read_gold(pl.DataFrame({"label": ["x"]}))
    with pytest.raises(LogError, match="Name the column with --label"):
        read_gold(pl.DataFrame({"task": ["x"]}))


def test_one_label_stands_against_the_others():
    table = read_votes(pl.DataFrame({"ann": ["x", "y", "z"], "bob": ["z", None, "z"]}))
    of_z = with_positive(table, "z")
    assert of_z.labels == ("z", "not z")
    assert of_z.codes.tolist() == [[1, 0], [1, -1], [0, 0]]
    assert with_positive(read_votes(LONG), "y").labels == ("y", "x")
    with pytest.raises(InputError, match="no label 'w'"):
        with_positive(table, "w")


def test_clusters_of_items():
    frame = pl.DataFrame({"item": ["p", "q", "r"], "cluster": ["one", "one", None]})
    assert read_clusters(frame, "item") == {"p": "one", "q": "one"}
    with pytest.raises(UnknownColumnError, match="task"):
        read_clusters(frame)
    twice = pl.DataFrame({"task": ["p", "p"], "cluster": ["one", "two"]})
    with pytest.raises(InputError, match="'p' is in two clusters, 'one' and 'two'"):
        read_clusters(twice)
