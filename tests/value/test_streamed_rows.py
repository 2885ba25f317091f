"""Rows that polars streams are counted as they are in arrays, many batches of them."""

import numpy as np
import polars as pl
import pytest

from askpoint.errors import InputError
from askpoint.value.sketch import streamed_rows
from askpoint.value.sketch.bins import DistinctBins, LinearBins, RelativeBins
from askpoint.value.sketch.score_sketch import ScoreSketch


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(streamed_rows, "_ROWS", 100)
    monkeypatch.setattr(streamed_rows, "_PIECE", 30)


def a_log(n=1234):
    rng = np.random.default_rng(5)
    p = rng.beta(0.3, 0.3, n).astype(np.float32)
    labels = [
        None if unknown else int(one)
        for unknown, one in zip(p > 0.9, rng.random(n) < p, strict=True)
    ]
    return pl.DataFrame({"label": labels, "p": p})


@pytest.mark.parametrize("bins", [RelativeBins(), LinearBins(n_bins=1 << 20), DistinctBins()])
def test_batches_and_arrays_are_counted_alike(bins):
    log = a_log()
    found = ScoreSketch.from_frame(log.lazy(), proba="p", bins=bins)
    p = log["p"].to_numpy()
    says = (p > 1 - p).astype(int)
    right = [None if y is None else y == s for y, s in zip(log["label"], says, strict=True)]
    expected = ScoreSketch(bins=bins)
    expected.update_many(right, np.maximum(p, 1 - p))
    assert found == expected
    assert found.n_items == len(log)


def test_a_row_in_a_late_batch_that_must_not_be_is_named():
    log = a_log().with_columns(p=pl.when(pl.int_range(pl.len()) == 1200).then(1.5).otherwise("p"))
    with pytest.raises(InputError, match=r"between 0 and 1; got 1\.5"):
        ScoreSketch.from_frame(log.lazy(), proba="p")
