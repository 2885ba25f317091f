"""Simpler policies on the same cases, against sums by hand."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.answers.value.baselines import matrix_baselines, price_baselines
from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.verdict import answer_question
from askpoint.errors import InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.exchange import Prices
from askpoint.records.logs import read_log
from askpoint.reports.value.document import value_sections
from askpoint.value.by_class import MinPrecision
from askpoint.value.cost_curves import CostCurve, GreatestWorth, LeastCost, cost_curve
from askpoint.value.curve import ValueCurve
from askpoint.value.limits import MaxError
from askpoint.value.objectives import OperatingPoint
from askpoint.value.priced import CheckCost

NAMES = ["threshold", "ask_all", "answer_all", "default", "upper_limit"]
cells = st.integers(0, 6)


def test_by_a_price_in_checks_and_in_money():
    curve = ValueCurve.from_outcomes([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5])
    point = CheckCost(0.25).choose(curve)
    found = price_baselines(curve, point, ("spam", 3), MaxError(0.5))
    assert [b.name for b in found] == NAMES
    assert [b.cost for b in found] == [600, 1000, 1600, 1600, 400]
    money = price_baselines(curve, point, ("spam", 3), GreatestWorth(Prices(2, 0, -5)))
    assert [b.cost for b in money] == pytest.approx([-800, 0, 800, 800, -1200])
    assert [part.label for part in found] == [None, None, None, "spam", None]


def test_without_a_price_nothing_is_priced():
    curve = ValueCurve.from_outcomes([1, 1], [0.9, 0.8])
    point = OperatingPoint(0.9, curve.outcomes(0.9), None)
    assert {b.cost for b in price_baselines(curve, point, ("spam", 1), MaxError(0.5))} == {None}
    assert MinPrecision("spam", 1).level == 1


@given(
    st.tuples(cells, cells, cells, cells),
    st.tuples(cells, cells),
    st.lists(
        st.tuples(st.booleans(), st.integers(0, 8), st.integers(1, 3)), min_size=1, max_size=12
    ),
    st.sampled_from(["ham", "spam"]),
)
@settings(deadline=None)
def test_by_a_matrix_case_by_case(matrix, reject, rows, default):
    a, b, c, d = matrix
    if a + b == 0 or a + d == 0:
        return
    table = np.array([[a, a + b], [c + d, c]], dtype=float)
    if (table == np.diag(table)[:, None]).all():
        return
    costs = CostMatrix(["ham", "spam"], table, reject_cost=list(reject))
    truth, score, weight = (np.array(column) for column in zip(*rows, strict=True))
    p = score / 8
    costly = cost_curve(
        np.array(["ham", "spam"])[truth.astype(int)],
        np.column_stack([1 - p, p]),
        costs,
        sample_weight=weight.astype(float),
    )
    point = costly.choose()
    found = {b.name: b for b in matrix_baselines(costly, point, default)}
    assert list(found) == NAMES
    cases = costly.curve.cases

    def total(decide):
        """Cost of a rule, case by case; None asks."""
        return sum(
            w * (reject[t] if (d := decide(i)) is None else table[t, d])
            for i, (t, w) in enumerate(zip(cases.truth, weight, strict=True))
        )

    def unless(i):
        decision = cases.predicted[i]
        return decision if table[cases.truth[i], decision] <= reject[cases.truth[i]] else None

    rules = {
        "threshold": lambda i: (
            cases.predicted[i] if cases.confidence[i] >= point.threshold else None
        ),
        "ask_all": lambda _: None,
        "answer_all": lambda i: cases.predicted[i],
        "default": lambda _: ["ham", "spam"].index(default),
        "upper_limit": unless,
    }
    for name, rule in rules.items():
        assert found[name].cost == pytest.approx(1000 * total(rule) / weight.sum())
        decided = [rule(i) for i in range(len(rows))]
        asked = sum(w for w, d in zip(weight, decided, strict=True) if d is None)
        right = sum(w for w, d, t in zip(weight, decided, cases.truth, strict=True) if d == t)
        assert found[name].outcomes.asked == pytest.approx(asked)
        assert found[name].outcomes.right == pytest.approx(right)
    others = [found[name].cost for name in ("ask_all", "answer_all")]
    assert found["upper_limit"].cost <= found["threshold"].cost + 1e-9
    assert found["threshold"].cost <= min(others) + 1e-9


def test_a_cost_curve_without_its_cases_is_refused():
    costs = CostMatrix.zero_one(["ham", "spam"], reject_cost=0.5)
    made = cost_curve(["ham"], [[0.9, 0.1]], costs)
    curve = made.curve
    bare = ValueCurve(curve.thresholds, curve.right, curve.wrong, curve.items)
    stripped = CostCurve(bare, made.loss, made.asking, made.right_loss, costs)
    with pytest.raises(InputError, match="does not know its cases"):
        matrix_baselines(stripped, made.choose(), "ham")


def test_cases_without_a_label_are_asked_and_cost_like_those_with_one():
    """Where 626 of 1,000 were asked of all rows, the table said 550, those of the labelled ones."""
    rng = np.random.default_rng(0)
    p = rng.beta(0.6, 0.6, 3000)
    known = rng.random(3000) < 0.2
    label = [int(x) if k else None for x, k in zip(rng.random(3000) < p, known, strict=True)]
    log = read_log(pl.DataFrame({"label": label, "proba": p}))
    costs = CostMatrix(["0", "1"], [[0, 2], [1, 0]], reject_cost=0.25)
    answer = answer_question(log, ValueQuestion(LeastCost(costs)))
    line = answer.baselines[0]
    share = answer.asked / answer.n_items
    assert line.outcomes.asked / line.outcomes.total == pytest.approx(share)
    assert line.outcomes.total == pytest.approx(answer.curve.total)
    answered = answer.curve.outcomes(answer.point.threshold)
    assert line.outcomes.risk == pytest.approx(answered.risk)
    asked_part = 250 * share
    assert line.cost > asked_part
    assert abs(answered.asked / answered.total - share) > 1e-4  # the labelled ones alone differ
    words = value_sections(answer)
    table = next(
        block
        for part in words
        for block in part.blocks
        if getattr(block, "title", "") == "Per 1,000 cases"
    )
    assert table.columns[-1] == "cost, checks"
    assert table.rows[1][3] == "1,000"  # a check costs one check
