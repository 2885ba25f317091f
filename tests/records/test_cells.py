"""Cells become arrays; what is not a number, no name or no probability is told with its row."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import LogError
from askpoint.records.cells import (
    as_ids,
    as_numbers,
    as_parts,
    as_propensity,
    check_one_row_per_case,
)
from askpoint.records.predictions import Parts


@pytest.mark.parametrize(
    ("column", "kind", "expected"),
    [
        (pl.Series([0.1, 0.5], dtype=pl.Float32), np.float32, np.float32([0.1, 0.5])),
        (pl.Series([0.1, 0.5]), np.float64, [0.1, 0.5]),
        (pl.Series([0, 1]), np.float64, [0, 1]),
        (pl.Series([0, None, 1]), np.float64, [0, np.nan, 1]),
        (pl.Series([None, None]), np.float64, [np.nan, np.nan]),
        (pl.Series([True, False]), np.float64, [1, 0]),
        (pl.Series([" .1", "1e-3 ", "-2", None]), np.float64, [0.1, 0.001, -2, np.nan]),
    ],
)
def test_numbers(column, kind, expected):
    numbers = as_numbers(column)
    assert numbers.dtype == kind
    np.testing.assert_array_equal(numbers, expected)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20))
@settings(deadline=None, max_examples=200)
def test_texts_of_numbers_are_exact(values):
    assert as_numbers(pl.Series([repr(x) for x in values])).tolist() == values


def test_what_is_no_number():
    with pytest.raises(LogError, match=r"'p' must hold numbers; got 'NA' in row 1$"):
        as_numbers(pl.Series("p", ["0.5", "NA", "?"]))
    with pytest.raises(LogError, match=r"'p' must hold numbers, not List\(Float64\)$"):
        as_numbers(pl.Series("p", [[0.5]]))


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pl.Series([3, 1]), [3, 1]),
        (pl.Series([3.0, 1.0]), [3, 1]),
        (pl.Series([3, 1], dtype=pl.UInt64), [3, 1]),
        (pl.Series(["3", "-1"]), [3, -1]),
        (pl.Series(["3", "01"]), ["3", "01"]),
        (pl.Series(["3", "1.0"]), ["3", "1.0"]),
        (pl.Series([3.5, 1.0]), ["3.5", "1.0"]),
        (pl.Series(["a", "3"], dtype=pl.Categorical), ["a", "3"]),
        (pl.Series([2**64 - 1, 0], dtype=pl.UInt64), ["18446744073709551615", "0"]),
        (pl.Series(["18446744073709551615", "0"]), ["18446744073709551615", "0"]),
    ],
)
def test_ids(column, expected):
    ids = as_ids(column)
    assert ids.tolist() == expected
    assert ids.dtype == (np.int64 if isinstance(expected[0], int) else object)


def test_a_missing_id():
    with pytest.raises(LogError, match="the column 'id' names no case in row 1"):
        as_ids(pl.Series("id", [4, None]))


def test_one_row_per_case_and_model():
    ids = pl.Series("id", ["x", "y", "x"])
    with pytest.raises(LogError, match="'id' names the case 'x' more than once: a log has one"):
        check_one_row_per_case(ids, None)
    check_one_row_per_case(ids, Parts(("a", "b"), np.array([0, 0, 1])))
    with pytest.raises(LogError, match="'x' more than once under the model 'b': a log has one"):
        check_one_row_per_case(ids, Parts(("a", "b"), np.array([1, 0, 1])))


def test_rows_without_a_part_are_a_part():
    assert as_parts(pl.Series(["b", "a"])).names == ("a", "b")
    names, codes = as_parts(pl.Series(["b", None, "a", ""]))
    assert [names[code] for code in codes] == ["b", None, "a", None]


def test_propensities_belong_to_labelled_rows():
    labelled = np.array([True, False, True])
    assert as_propensity(pl.Series([1.0, None, 0.25]), labelled).tolist() == [1, 0.25]
    assert as_propensity(pl.Series(["1", "0", ".25"]), labelled).tolist() == [1, 0.25]


@pytest.mark.parametrize(
    ("value", "got"), [(0, "0"), (1.5, "1.5"), (-0.1, "-0.1"), (None, "none"), (np.inf, "inf")]
)
def test_propensities_outside_their_range(value, got):
    expected = f"at most 1; got {got} in row 2 of the column 'q'"
    with pytest.raises(LogError, match=expected.replace(".", r"\.")):
        as_propensity(pl.Series("q", [0.5, 7.0, value]), np.array([True, False, True]))
