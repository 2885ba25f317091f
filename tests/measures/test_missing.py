"""What counts as missing: every library's word for it, and nothing else."""

from __future__ import annotations

import decimal

import numpy as np
import pandas as pd
import pytest

from askpoint.measures.missing import is_missing


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
