"""`askpoint value`: what it says of a log, in words and as JSON, and what it refuses."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from askpoint.cli.main import main


def test_capacity_is_counted_on_cases_without_a_label_too(tmp_path):
    rng = np.random.default_rng(0)
    confidence = np.round(rng.uniform(0.5, 1, 400), 2)  # ties
    right = rng.random(400) < confidence
    labelled = rng.random(400) < 0.5
    frame = pl.DataFrame(
        {
            "prediction": ["spam", "ham"] * 200,
            "confidence": confidence,
            "label": [
                (("spam", "ham")[(i + (not ok)) % 2] if known else None)
                for i, (ok, known) in enumerate(zip(right, labelled, strict=True))
            ],
        }
    )
    frame.write_parquet(tmp_path / "log.parquet")
    for limit, allowed in ((0, 0), (50, 50), (0.3, 120), (399, 399), (1000, 400)):
        result = CliRunner().invoke(
            main, ["value", str(tmp_path / "log.parquet"), "--json", "--ask-at-most", str(limit)]
        )
        content = json.loads(result.stdout)
        counts = [(confidence < c).sum() for c in [*np.unique(confidence), np.inf]]
        assert content["asked"] == max(n for n in counts if n <= allowed)
        assert content["coverage"] == pytest.approx(1 - content["asked"] / 400)
