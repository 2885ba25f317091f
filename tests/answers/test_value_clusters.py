"""Cases that belong together: four copies of each say what one says."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.verdict import answer_question
from askpoint.errors import LogError
from askpoint.records.logs import read_log
from askpoint.records.streams import sketch_log
from askpoint.records.tables import open_table
from askpoint.value.limits import AskAtMost
from askpoint.value.priced import CheckCost


def frame(copies=1, n=600, seed=0):
    rng = np.random.default_rng(seed)
    p = rng.beta(0.5, 0.5, n)
    one = pl.DataFrame({"case": np.arange(n), "label": rng.random(n) < p, "proba": p})
    one = one.with_columns(region=pl.Series(["a", "b"] * (n // 2)))
    return pl.concat([one] * copies).with_columns(label=pl.col("label").cast(pl.Int64))


def answered(copies, objective=CheckCost(0.1), **columns):  # noqa: B008
    return answer_question(read_log(frame(copies), **columns), ValueQuestion(objective))


def width(interval):
    return interval[1] - interval[0]


def test_four_copies_say_what_one_says():
    one = answered(1, group="region")
    naive = answered(4, group="region")
    four = answered(4, cluster="case", group="region")
    assert four.tomorrow.best.threshold == one.tomorrow.best.threshold
    for name in ("asked", "mistakes", "cost_per_1000"):
        first, other = getattr(one.tomorrow.best, name), getattr(four.tomorrow.best, name)
        copied = getattr(naive.tomorrow.best, name)
        assert other.mean == pytest.approx(first.mean, rel=0.05)
        # wider still, for new cases come in fours, too
        assert width(other[1:]) > 0.95 * width(first[1:]) > 0.9 * width(copied[1:])
    assert four.n_effective == pytest.approx(one.n_effective, rel=0.01)
    assert width(four.coverage_interval) == pytest.approx(width(one.coverage_interval), rel=0.02)
    assert width(four.intervals.risk) > 0.9 * width(one.intervals.risk)
    for group, alone in zip(four.groups, one.groups, strict=True):
        assert width(group.risk_interval) > 0.9 * width(alone.risk_interval)
    assert four.band is None


def test_clusters_of_one_change_nothing():
    alone = answered(1, cluster="case")
    assert alone.tomorrow.best == answered(1).tomorrow.best


def test_rows_without_a_cluster_are_of_their_own():
    some = frame(1).with_columns(
        case=pl.when(pl.col("case") < 300).then(pl.col("case") // 2).otherwise(None)
    )
    log = read_log(some, cluster="case")
    assert len(np.unique(log.cluster)) == 150 + 300


def test_the_share_asked_by_a_capacity_knows_of_clusters():
    one, four = answered(1, AskAtMost(0.3)), answered(4, AskAtMost(0.3), cluster="case")
    assert four.tomorrow.best.threshold == one.tomorrow.best.threshold


def test_a_sketch_does_not_keep_clusters_or_times():
    with pytest.raises(LogError, match="which rows belong together"):
        sketch_log(open_table(frame(1)), cluster="case")
