"""Texts whatever the type: 1, 1.0 and "1" are one class, and nothing missing is one."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import LogError
from askpoint.measures.class_spellings import class_codes, plain_class_name
from askpoint.records.texts import as_names, class_names

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=4)


def spelled(names):
    """Each row's text again, None where it is missing."""
    texts = iter([names.names[code] for code in names.codes])
    return [next(texts) if there else None for there in names.given]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pl.Series(["b", None, "", "a", "b"]), ["b", None, None, "a", "b"]),
        (pl.Series([1, None, -20]), ["1", None, "-20"]),
        (pl.Series([1.0, None, float("nan"), 2.5]), ["1", None, None, "2.5"]),
        (pl.Series([0.1, 3.0], dtype=pl.Float32), ["0.1", "3"]),
        (pl.Series([True, None, False]), ["true", None, "false"]),
        (pl.Series(["x", None, "y"], dtype=pl.Categorical), ["x", None, "y"]),
        (pl.Series(["x", "y"], dtype=pl.Enum(["y", "x"])), ["x", "y"]),
        (pl.Series([Decimal("1.00"), Decimal("1.25")]), ["1", "1.25"]),
        (pl.Series([date(2026, 1, 2)]), ["2026-01-02"]),
        (pl.Series([None, None]), [None, None]),
    ],
)
def test_columns_of_all_types(column, expected):
    assert spelled(as_names(column)) == expected


@given(st.lists(st.none() | TEXTS, min_size=1, max_size=30))
@settings(deadline=None, max_examples=100)
def test_every_row_keeps_its_text(texts):
    names = as_names(pl.Series(texts, dtype=pl.String))
    assert spelled(names) == texts
    assert len(set(names.names)) == len(names.names)


@given(st.lists(st.none() | st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=30))
@settings(deadline=None, max_examples=100)
def test_every_row_keeps_its_number(numbers):
    names = as_names(pl.Series(numbers, dtype=pl.Int64))
    assert spelled(names) == [None if x is None else str(x) for x in numbers]


@pytest.mark.parametrize("far", [0, 10**6, 2**62])
@pytest.mark.parametrize("kind", [pl.Int64, pl.UInt64])
def test_whole_numbers_near_each_other_and_far_apart_are_read_alike(kind, far):
    numbers = [7, None, 3, 7, 12 + far]
    names, codes, given = as_names(pl.Series("x", numbers, dtype=kind))
    assert names == ("3", "7", str(12 + far))
    assert codes.tolist() == [1, 0, 1, 2]
    assert codes.dtype == "int32"
    assert given.tolist() == [True, False, True, True, True]


def test_numbers_are_sorted_by_size_and_texts_by_code_point():
    assert as_names(pl.Series(["10", "9", "-1", "2.5"])).names == ("-1", "2.5", "9", "10")
    assert as_names(pl.Series(["10", "9", "b"])).names == ("10", "9", "b")
    assert as_names(pl.Series(["10", "9", "nan"])).names == ("10", "9", "nan")


@pytest.mark.parametrize(
    "column",
    [pl.Series("x", [[1]]), pl.Series("x", [{"a": 1}]), pl.Series("x", [b"a"])],
    ids=["list", "struct", "binary"],
)
def test_lists_structures_and_bytes_are_no_texts(column):
    with pytest.raises(LogError, match="the column 'x' must hold texts or numbers, not "):
        as_names(column)


def test_plain_names():
    assert [plain_class_name(x) for x in ("1.", "01.0", "-2.000", "1.5", "TRUE", "False", "NA", "v1.0")] == [
        "1", "01", "-2", "1.5", "true", "false", "NA", "v1.0",
    ]  # fmt: skip


def test_classes_of_labels_and_answers_are_plain():
    labels, answers = as_names(pl.Series([1, 0, None])), as_names(pl.Series(["2.0", "1.0", "10"]))
    assert class_names([*labels.names, *answers.names]) == ("0", "1", "2", "10")


@pytest.mark.parametrize(
    ("names", "classes", "codes"),
    [
        (["1", "1.0", "01"], ["0", "1"], [1, 1, None]),
        (["0", "1"], ["0.0", "1.0"], [0, 1]),
        (["true", "False"], ["False", "True"], [1, 0]),
        (["True", "false"], ["0", "1"], [1, 0]),
        (["0", "1.0"], ["false", "true"], [0, 1]),
        (["true"], ["0", "1", "2"], [None]),
        (["1"], ["false", "true", "maybe"], [None]),
        # what differs only in its plain form is compared as it is
        (["1", "1.0", "1.00"], ["1", "1.0"], [0, 1, None]),
        (["Ham", " ham"], ["ham", "spam"], [None, None]),
    ],
)
def test_names_are_found_among_the_classes(names, classes, codes):
    assert class_codes(names, classes) == codes


@given(st.lists(TEXTS, min_size=1, max_size=6, unique=True))
@settings(deadline=None, max_examples=200)
def test_every_class_finds_itself(classes):
    assert class_codes(classes, classes) == list(range(len(classes)))
