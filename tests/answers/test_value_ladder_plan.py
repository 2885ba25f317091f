"""How many labels more would show that a ladder saves."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from askpoint.answers.value.ladder_plan import plan_labels
from askpoint.value.ladder.choice import Guard


def answer_with(model, labels, error, n=100, *, used=False):
    seen = np.ones((2, 150), dtype=bool)
    seen[1, :20] = False
    return SimpleNamespace(
        choice=SimpleNamespace(guard=Guard(model, labels, error, n, is_used=used)),
        rungs=[SimpleNamespace(name="small"), SimpleNamespace(name="large")],
        log=SimpleNamespace(labelled=np.arange(150) < 100, outputs=SimpleNamespace(seen=seen)),
    )


def test_the_number_brings_the_standard_error_down_to_the_saving():
    plan = plan_labels(answer_with(0.05, 0.02, 0.05))
    assert plan.n_labels == 525  # 100 (.05 / .02)^2 = 625
    assert 0.05 * np.sqrt(100 / (100 + plan.n_labels)) == pytest.approx(0.02)
    assert plan.n_to_run == {"large": 20}


@pytest.mark.parametrize(
    ("guard", "says"),
    [
        ((0.05, 0.02, 0.01, 100, True), "used already"),
        ((-0.1, 0.02, 0.05), "no second call is expected to pay"),
        ((0.05, -0.02, 0.05), "show no saving"),
        ((0.05, 0.0, 0.0, 0), "show no saving"),
        ((0.05, 0.001, 0.05), "more than 5,000 labels"),
    ],
)
def test_where_there_is_no_number_that_is_said(guard, says):
    *numbers, used = guard if len(guard) == 5 else (*guard, False)
    plan = plan_labels(answer_with(*numbers, used=used))
    assert plan.n_labels is None
    assert says in plan.reason
