"""Votes from outside become positions of labels, or are refused in plain words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from askpoint.errors import InputError
from askpoint.judges.sketch.codes import (
    as_judges,
    as_labels,
    as_vote_codes,
    check_codes,
    judge_places,
    label_name,
)


def test_judges_are_named_or_counted():
    assert as_judges(2) == ("judge 1", "judge 2")
    assert as_judges(["ann", 7]) == ("ann", "7")
    assert as_judges("ann") == ("ann",)
    with pytest.raises(InputError, match="at least one"):
        as_judges(0)
    with pytest.raises(InputError, match="'ann' is named twice"):
        as_judges(["ann", "bob", "ann"])


def test_judges_are_found_by_name_in_the_order_asked():
    assert judge_places(("ann", "bob", "cid"), ["cid", "ann"]) == [2, 0]
    assert judge_places(("ann", "bob"), []) == []
    with pytest.raises(InputError, match="there is no judge 'dan' among ann, bob"):
        judge_places(("ann", "bob"), ["bob", "dan"])


def test_labels_are_texts_at_least_two_and_all_different():
    assert as_labels([0, 1.0, "x"]) == ("0", "1", "x")
    with pytest.raises(InputError, match="at least two"):
        as_labels("spam")
    with pytest.raises(InputError, match="'1' is named twice"):
        as_labels([1, "1"])
    with pytest.raises(InputError, match="missing or empty"):
        as_labels(["x", None])


@pytest.mark.parametrize("value", [None, float("nan"), pd.NA, pd.NaT, ""])
def test_missing_has_no_name(value):
    assert label_name(value) == ""


@pytest.mark.parametrize(
    "votes",
    [
        [["0", None], ["1", "0"]],
        [[0, None], [1, 0]],
        [[0.0, float("nan")], [1.0, 0.0]],
        [["0", ""], [1, 0.0]],
        np.array([["0", ""], ["1", "0"]]),
        np.array([[0, np.nan], [1, 0]]),
        np.ma.masked_array([[0, 1], [1, 0]], mask=[[0, 1], [0, 0]]),
        pd.DataFrame({"a": [0, 1], "b": [pd.NA, 0]}),
    ],
)
def test_votes_of_any_type_are_compared_as_texts(votes):
    assert as_vote_codes(votes, ("0", "1"), 2).tolist() == [[0, -1], [1, 0]]


@pytest.mark.parametrize("scale", [1, 1 << 20])
@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64])
def test_integers_are_looked_up(scale, dtype):
    values = np.array([[0, 1], [2, 0]]).astype(dtype)
    scaled = values * scale if dtype is np.int64 else values
    labels = [str(v) for v in (2 * int(scaled.max() // 2), int(scaled.max() // 2), 0)]
    codes = as_vote_codes(scaled, labels, 2)
    assert codes.tolist() == [[2, 1], [0, 2]]


def test_booleans_are_named_as_python_names_them():
    assert as_vote_codes(np.array([[True, False]]), ("False", "True"), 2).tolist() == [[1, 0]]


def test_no_items_are_no_votes():
    assert as_vote_codes(np.empty((0, 3), int), ("x", "y"), 3).shape == (0, 3)


@pytest.mark.parametrize(
    ("votes", "words"),
    [
        ([["spam", "egg"]], "'egg' in row 0 is not one of the labels 'ham', 'spam'"),
        ([[0, 1]], "'0' in row 0"),
        (np.array([[3_000_000, 5]]), "'3000000' in row 0"),
        ([["ham"]], "2 columns, one per judge; got 1 x 1"),
        (["ham", "ham"], "got 2"),
        ([["ham"], ["ham", "spam"]], "rows of other lengths"),
    ],
)
def test_other_votes_are_refused(votes, words):
    with pytest.raises(InputError, match=words):
        as_vote_codes(votes, ("ham", "spam"), 2)


@pytest.mark.parametrize("codes", [[[0, 2]], [[-2, 0]], [[0.5, 0]], [0, 1], [[0, 1, 1]]])
def test_codes_out_of_range_are_refused(codes):
    with pytest.raises(InputError, match="codes must"):
        check_codes(codes, 2, 2)
