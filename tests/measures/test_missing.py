"""What counts as missing: every library's word for it, and nothing else."""

from __future__ import annotations

import decimal

import numpy as np
import pandas as pd
import pytest

from askpoint.errors import InputError
from askpoint.measures.missing import distinct_labels, is_missing


@pytest.mark.parametrize(
    "value",
    [None, float("nan"), np.nan, np.float32("nan"), pd.NA, pd.NaT, np.datetime64("NaT")],
)
def test_missing(value):
    assert is_missing(value)


@pytest.mark.parametrize(
    "value",
    ["", "nan", "None", 0, False, np.False_, np.int8(0), 0.0, float("inf"), decimal.Decimal(0)],
)
def test_not_missing(value):
    assert not is_missing(value)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["b", "a", "b"], ["a", "b"]),
        (np.array([2, 0, 2], dtype=np.int8), [0, 2]),
        (pd.Series([True, False]), [False, True]),
        ([], []),
    ],
)
def test_labels_that_occur_are_sorted(labels, expected):
    assert distinct_labels(labels) == expected


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (["a", None], "None"),
        (pd.Series(["a", pd.NA], dtype="string"), "not all of one kind"),
        (np.array(["a", 1], dtype=object), "not all of one kind"),
        ([1.0, np.nan], "NaN"),
        (np.array(["2026-01-01", "NaT"], dtype="datetime64[D]"), "NaN"),
    ],
)
def test_missing_labels_are_refused(labels, words):
    with pytest.raises(InputError, match=f"{words}.*; leave out what has no label"):
        distinct_labels(labels)
