"""A price that is known as an interval only: every interval and the verdict allow for it."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from askpoint.answers.value.verdict import answer_value
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.records.logs import read_log
from askpoint.reports.value.document import value_document
from askpoint.value.reviewer_errors import CheckWork, ReviewerErrors


def log(n=2000, *, looked=0.0):
    rng = np.random.default_rng(0)
    p = rng.beta(0.6, 0.6, n)
    label = (rng.random(n) < p).astype(int)
    said = np.where(rng.random(n) < 0.9, label, 1 - label)
    people = [int(x) if y else None for x, y in zip(said, rng.random(n) < looked, strict=True)]
    return pl.DataFrame({"label": label, "proba": p, "reviewer": people})


def width(expected):
    return expected.high - expected.low


def test_an_interval_of_costs_widens_the_cost_and_may_undo_the_verdict():
    rows = read_log(log(400))
    sure, unsure = (
        answer_value(
            rows, CostMatrix(["0", "1"], [[0, 1], [1, 0]], 0.3, interval=interval)
        ).tomorrow
        for interval in (None, {"level": 0.9, "checks": {"0": [0.5, 24.0], "1": [0.5, 24.0]}})
    )
    assert width(unsure.best.cost_per_1000) > 1.5 * width(sure.best.cost_per_1000)
    assert unsure.best.asked.mean > sure.best.asked.mean  # dear mistakes weigh more than cheap ones
    for chance in ("cheaper_than_asking", "cheaper_than_answering"):
        assert getattr(sure.best, chance) > 0.9
    assert min(unsure.best.cheaper_than_asking, unsure.best.cheaper_than_answering) < 0.9
    assert sure.best.decided
    costs = CostMatrix(
        ["0", "1"], [[0, 1], [1, 0]], 0.3, interval={"checks": {"0": [1, 9], "1": [1, 9]}}
    )
    assert "It may be worth 1 to 9 checks" in repr(value_document(answer_value(rows, costs), "log"))
    assert not unsure.best.decided


def test_what_few_cases_tell_of_people_widens_the_cost():
    few = answer_value(read_log(log(2000, looked=0.02), people="reviewer"), CheckWork(0.05))
    rate = float(few.people.right[0])
    assert few.people.cases == (sum(few.people.cases),)
    said = answer_value(read_log(log(2000)), ReviewerErrors([], [rate], 0.05))
    assert width(few.tomorrow.best.cost_per_1000) > 1.2 * width(said.tomorrow.best.cost_per_1000)
    assert width(few.tomorrow.ask_all.cost_per_1000) > 0
    assert width(said.tomorrow.ask_all.cost_per_1000) == pytest.approx(0)
