"""Dataframes of any library, and what is none."""

from __future__ import annotations

import narwhals as nw
import pandas as pd
import polars as pl
import pytest

from askpoint.errors import InputError
from askpoint.measures.dataframes import as_lazy

COLUMNS = {"label": ["ham", "spam"], "proba": [0.25, 0.75]}


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pl.LazyFrame])
def test_any_dataframe_is_taken_lazily(make):
    table = as_lazy(make(COLUMNS))
    assert isinstance(table, nw.LazyFrame)
    assert table.collect().to_dict(as_series=False) == COLUMNS


@pytest.mark.parametrize("value", [COLUMNS, [1, 2], "log.csv", None, pl.Series([1])])
def test_what_is_no_dataframe_is_refused(value):
    with pytest.raises(InputError, match=f"a dataframe is needed .* got {type(value).__name__}"):
        as_lazy(value)
