"""Spark draws what Python draws."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from askpoint.errors import InputError
from askpoint.live.draws import audit_draws
from askpoint.records.deployments.spark import draw_expression
from value.test_frames import to_spark

KEYS = ["a", "", "post-7", "ключ", "'quoted' `one`", *map(str, range(2000))]


@pytest.mark.parametrize("secret", [b"sixteen or more!", b"k" * 64, bytes(range(100))])
def test_spark_draws_the_same(secret):
    frame = to_spark(pl.DataFrame({"key": KEYS}))
    drawn = frame.selectExpr(draw_expression(secret, "posts") + " as drawn").collect()
    assert np.array_equal([row.drawn for row in drawn], audit_draws(secret, "posts", KEYS))


def test_a_short_secret_is_refused():
    with pytest.raises(InputError, match="at least 16 bytes; got 5"):
        draw_expression(b"short", "posts")
