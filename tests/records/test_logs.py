from __future__ import annotations

import polars as pl

from askpoint.records.logs import read_log


def test_a_null_label_is_masked_before_comparing():
    log = read_log(
        pl.DataFrame(
            {"label": ["a", None, "b"], "proba_a": [0.9, 0.9, 0.9], "proba_b": [0.1, 0.1, 0.1]}
        )
    )
    assert log.right.tolist() == [True, False]
    assert log.labelled.tolist() == [True, False, True]
