"""Which columns of a log are numbers, categories and texts."""

from __future__ import annotations

import numpy as np
import polars as pl

from askpoint.records.features import features_of


def test_kinds_of_columns():
    n = 200
    frame = pl.DataFrame(
        {
            "age": np.arange(n),
            "typed": [str(i / 4) if i else None for i in range(n)],
            "place": ["north", "south"] * (n // 2),
            "flag": [True, False] * (n // 2),
            "text": [f"one text of {i} words" if i else None for i in range(n)],
            "name": [f"user {i}" for i in range(n)],
            "list": [[1]] * n,
            "empty": pl.Series([None] * n, dtype=pl.String),
        }
    )
    found = features_of(frame)
    assert set(found.columns) == {"age", "typed", "place", "flag", "empty"}
    assert found.columns["age"].dtype.kind == found.columns["typed"].dtype.kind == "f"
    assert np.isnan(found.columns["typed"][0])
    assert found.columns["typed"][3] == 0.75
    assert found.columns["place"][1] == "south"
    assert found.texts["text"][0] == ""
    assert found.skipped == ("name", "list")
