"""Which column names the items: by its values first, by its own name second."""

from __future__ import annotations

import polars as pl
import pytest

from askpoint.errors import LogError, UnknownColumnError
from askpoint.records.item_names import find_item_column, find_matching_column
from askpoint.records.votes import VoteColumns, names_of_items, read_gold

THREE = ["p", "q", "r"]


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        ({"id": THREE}, "id"),
        ({"id": [1, 2, 3]}, "id"),
        ({"pair": THREE}, "pair"),  # by its values alone
        ({"pair": [1, 2, 3]}, None),  # numbers may be anything
        ({"id": ["p", "p", "q"], "pair": THREE}, "pair"),  # a name is no evidence
        ({"id": ["p", None, "r"]}, None),
        ({"pair": THREE, "other": THREE}, None),  # which one?
        ({"remark": ["it is p", "it is q", "it is r"]}, None),
        ({"remark": [letter * 60 for letter in THREE]}, None),
        ({"uuid": THREE, "item_id": THREE}, "item_id"),  # the items' own name first
        ({"": [0, 1, 2], "case key": THREE}, "case key"),
        ({"Unnamed: 0": [4, 7, 9]}, "Unnamed: 0"),
        ({"id": ["p"]}, None),
        ({}, None),
    ],
)
def test_a_value_of_its_own_in_each_row_names_it(columns, found):
    assert find_item_column(columns) == found


@pytest.mark.parametrize(
    ("columns", "items", "found"),
    [
        ({"task": ["x"], "id": THREE}, THREE, "task"),  # called as in the votes
        ({"who": ["ann", "ann"], "pair": ["p", "q"]}, THREE, "pair"),
        ({"some": ["p", "x", "y"], "most": ["p", "q", "x"]}, THREE, "most"),
        ({"half": ["p", "x"]}, THREE, None),
        ({"score": [0, 1], "key": [1, 2]}, "012", "key"),  # a score of 1 is no item 1
        ({"score": [0, 1]}, "012", None),
        (
            {"id": ["x", "y"]},
            THREE,
            "id",
        ),  # for want of anything better, so that what it says is refused
        ({"id": ["p"]}, None, "id"),
        ({"name": ["p"]}, None, None),
    ],
)
def test_another_table_names_the_same_items(columns, items, found):
    known = None if items is None else lambda: list(items)
    names = list(columns)
    assert find_matching_column(names, lambda _: columns, "task", known) == found


WIDE = pl.DataFrame({"pair": THREE, "ann": ["x", "y", "x"], "bob": ["x", "y", "y"]})


def test_votes_find_the_column_of_their_items():
    rows = pl.concat([WIDE.with_columns(pair=pl.format("{}{}", "pair", i)) for i in range(9)])
    columns = VoteColumns().with_items(rows)
    assert columns.task == "pair"
    assert set(names_of_items(rows, columns)) == {f"{p}{i}" for p in THREE for i in range(9)}
    assert names_of_items(WIDE, VoteColumns()) == ["0", "1", "2"]
    assert VoteColumns(judges=["ann", "bob", "pair"]).with_items(rows).task == "task"
    assert VoteColumns().with_items(rows.rename({"pair": "task"})).task == "task"
    assert VoteColumns().with_items(rows.select("ann", "bob")).task == "task"
    assert VoteColumns(judges=["ann", "bob"]).with_items(rows.select("ann", "bob")).task == "task"
    with pytest.raises(UnknownColumnError, match="no column 'pear'; did you mean 'pair'"):
        VoteColumns(task="pear").with_items(rows)


def test_each_system_has_rows_of_its_own():
    both = pl.concat([WIDE.with_columns(arm=pl.lit(arm), id="pair") for arm in ("old", "new")])
    assert VoteColumns().with_items(both).task == "task"
    assert VoteColumns().with_items(both, "arm").task == "id"


def test_gold_labels_name_the_items_of_the_votes():
    gold = pl.DataFrame({"seal": ["s", "s"], "of": ["p", "q"], "verdict": ["x", "y"]})
    assert read_gold(gold, items=lambda: THREE) == {"p": "x", "q": "y"}
    assert read_gold(gold.rename({"verdict": "human"}), items=lambda: THREE) == {"p": "x", "q": "y"}
    with pytest.raises(LogError, match="none of these names items as the votes do, such as 'a'"):
        read_gold(gold.rename({"verdict": "human"}), items=lambda: ["a", "b"])
