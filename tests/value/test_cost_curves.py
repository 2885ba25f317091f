"""The cost curve against brute force over all thresholds, and against the value curve."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from askpoint.errors import CostsError, InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.exchange import ExchangeRate
from askpoint.measures.outcomes import Outcomes
from askpoint.value.cost_curves import (
    as_one_price,
    cheapest_decisions,
    cost_curve,
    decisions_and_savings,
)
from askpoint.value.priced import CheckCost
from askpoint.value.probabilities import value_curve

MAIL = CostMatrix(["ham", "spam"], [[0, 5], [1, 0]], reject_cost=0.5)


def eighths(rng, n, n_classes):
    """Probabilities in eighths, so that floats are exact and ties abound."""
    return rng.multinomial(8, np.full(n_classes, 1 / n_classes), n) / 8


def problem(rng, *, per_truth, diagonal):
    k, n = int(rng.integers(2, 5)), int(rng.integers(1, 25))
    cost = rng.integers(1, 9, (k, k)).astype(float)
    np.fill_diagonal(cost, rng.integers(0, 2, k) if diagonal else 0)
    cost = np.maximum(cost, np.diag(cost)[:, None])
    cost[0, 1] = cost[0, 0] + 3
    reject = rng.integers(1, 9, k) / 4 if per_truth else rng.integers(1, 17) / 8
    weight = rng.integers(1, 5, n) if rng.random() < 0.5 else None
    return (
        CostMatrix(range(k), cost, reject),
        eighths(rng, n, k),
        rng.integers(0, k, n),
        weight,
    )


@pytest.mark.parametrize("per_truth", [False, True])
@pytest.mark.parametrize("diagonal", [False, True])
def test_best_of_all_thresholds(per_truth, diagonal, rng):
    for _ in range(150):
        costs, p, truth, weight = problem(rng, per_truth=per_truth, diagonal=diagonal)
        curve = cost_curve(truth, p, costs, sample_weight=weight)
        w = [1] * len(truth) if weight is None else weight.tolist()
        c = [[Fraction(x) for x in row] for row in costs.cost.tolist()]
        q = [Fraction(x) for x in costs.reject_costs.tolist()]
        rows = [[Fraction(x) for x in row] for row in p.tolist()]
        classes = range(len(q))
        expected = [[sum(row[i] * c[i][j] for i in classes) for j in classes] for row in rows]
        decisions = [min(classes, key=e.__getitem__) for e in expected]
        savings = [
            sum(x * y for x, y in zip(row, q, strict=True)) - min(e)
            for row, e in zip(rows, expected, strict=True)
        ]
        items = list(zip(savings, decisions, truth.tolist(), w, strict=True))
        thresholds = [None, *sorted(set(savings), reverse=True)]
        totals = [
            sum(
                w * (c[true][decision] if t is not None and saving >= t else q[true])
                for saving, decision, true, w in items
            )
            for t in thresholds
        ]
        best = totals.index(min(totals))  # the first asks most
        assert curve.curve.thresholds[1:].tolist() == [float(t) for t in thresholds[1:]]
        assert curve.cost.tolist() == [float(t / sum(w)) for t in totals]
        assert curve.best == best
        point = curve.choose()
        assert point.threshold == (np.inf if best == 0 else float(thresholds[best]))
        assert point.outcomes.right == sum(
            w
            for saving, decision, true, w in items
            if decision == true and best and saving >= thresholds[best]
        )
        assert curve.asking[-1] == 0


def test_zero_one_costs_are_the_value_curve(rng):
    for _ in range(60):
        k, n = int(rng.integers(2, 6)), int(rng.integers(2, 40))
        p, truth = eighths(rng, n, k), rng.integers(0, k, n)
        for omega in (0.5, 1.0, 3.0):
            rate = ExchangeRate(omega)
            matrix = cost_curve(truth, p, CostMatrix.zero_one(range(k), rate.rho))
            plain = value_curve(truth, p, classes=range(k))
            assert matrix.choose().outcomes == plain.outcomes(plain.threshold(omega))
            assert 1 - matrix.cost.min() == pytest.approx(plain.expected_profit(rate.rho))
            if matrix.rate:
                assert matrix.rate.omega == pytest.approx(omega)


def test_all_reject_costs_at_once(rng):
    for _ in range(60):
        costs, p, truth, weight = problem(rng, per_truth=False, diagonal=False)
        curve = cost_curve(truth, p, costs, sample_weight=weight)
        ends = np.unique(np.append(curve.reject_cost_breakpoints, 0))
        assert (np.diff(curve.reject_cost_breakpoints) > 0).all()
        answered = curve.curve.right + curve.curve.wrong
        inner = np.append((ends[1:] + ends[:-1]) / 2, ends[-1] + 1)
        chosen = []
        for q in inner:
            other = CostMatrix(costs.classes, costs.cost, q)
            chosen.append(cost_curve(truth, p, other, sample_weight=weight).best)
            totals = curve.loss + q * (curve.curve.total - answered)
            assert totals[chosen[-1]] == pytest.approx(totals.min())
        assert len(set(chosen)) == len(chosen)  # a new threshold beyond each breakpoint
        assert chosen == sorted(chosen)


def test_round_off_splits_no_ties(rng):
    """0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1; to this curve it is, wherever the row stands."""
    p = np.array([rng.permutation([0.1, 0.2, 0.3, 0.4]) for _ in range(97)])
    costs = CostMatrix.zero_one(range(4), 0.3)
    curve = cost_curve(rng.integers(0, 4, 97), p, costs)
    assert len(curve.curve.thresholds) == 2
    _, all_rows = decisions_and_savings(p, costs)
    _, some_rows = decisions_and_savings(p[5:14], costs)
    assert some_rows.tolist() == all_rows[5:14].tolist()


def test_order_of_rows_changes_nothing(rng):
    p = rng.dirichlet(np.ones(5), 203)
    truth, order = rng.integers(0, 5, 203), rng.permutation(203)
    costs = CostMatrix(range(5), rng.random((5, 5)) * (1 - np.eye(5)), rng.random(5) / 3)
    plain, shuffled = cost_curve(truth, p, costs), cost_curve(truth[order], p[order], costs)
    assert shuffled.choose() == plain.choose()
    assert shuffled.cost == pytest.approx(plain.cost, rel=1e-12)


def test_decisions_weigh_costs():
    decisions, expected = cheapest_decisions([0.25, 0.75, 0.9], MAIL)
    assert decisions.tolist() == [0, 0, 1]
    assert expected.tolist() == pytest.approx([0.25, 0.75, 0.5])
    assert cheapest_decisions([5 / 6], MAIL)[0].tolist() == [0]  # a tie goes to the first


def test_threshold_applies_to_decisions_and_savings(rng):
    p = eighths(rng, 50, 2)
    truth = rng.integers(0, 2, 50)
    point = cost_curve(np.array(["ham", "spam"])[truth], p, MAIL).choose()
    decisions, saving = decisions_and_savings(p, MAIL)
    answered = saving >= point.threshold
    assert point.outcomes == Outcomes(
        (answered & (decisions == truth)).sum(),
        (answered & (decisions != truth)).sum(),
        (~answered).sum(),
    )


class TestRate:
    def test_mean_costs(self):
        costs = CostMatrix(["a", "b"], [[1, 9], [5, 1]], reject_cost=[2, 4])
        curve = cost_curve(["a", "b", "a", "b"], [0.2, 0.9, 0.9, 0.1], costs)
        # mistakes cost 9 and 5, right answers 1, asking 2 and 4
        assert curve.rate.rho == pytest.approx((3 - 1) / (7 - 1))
        assert curve.choose().rate == curve.rate

    @pytest.mark.parametrize(
        ("truth", "reject"),
        [(["ham", "spam"], 0.5), (["spam", "ham"], 0.5), (["ham", "ham"], 6), (["ham", "ham"], 0)],
        ids=["no mistake", "nothing right", "asking too dear", "asking free"],
    )
    def test_none(self, truth, reject):
        costs = CostMatrix(["ham", "spam"], [[0, 5], [1, 0]], reject_cost=reject)
        assert cost_curve(truth, [0.05, 0.95], costs).rate is None


class TestBadInput:
    def test_nothing_said_of_asking(self):
        costs = CostMatrix.zero_one(["a", "b"])
        for refused in (
            lambda: cost_curve(["a"], [0.5], costs),
            lambda: decisions_and_savings([0.5], costs),
        ):
            with pytest.raises(CostsError, match="say nothing of asking: give reject_cost"):
                refused()

    def test_breakpoints_of_several_reject_costs(self):
        costs = CostMatrix(["a", "b"], [[0, 1], [1, 0]], reject_cost=[0.25, 0.5])
        curve = cost_curve(["a", "b"], [0.4, 0.5], costs)
        with pytest.raises(CostsError, match="need one reject_cost for all truths"):
            _ = curve.reject_cost_breakpoints

    @pytest.mark.parametrize(
        ("labels", "p", "weight", "message"),
        [
            ([], [], None, "there is no labelled item"),
            (["ham"], [0.5, 0.6], None, "labels and probabilities .* got 1 and 2"),
            (["ham"], [[0.5, 0.25, 0.25]], None, "2 classes but 3 columns"),
            (["eggs"], [0.5], None, "'eggs' is not among the classes 'ham', 'spam'"),
            (["ham"], [1.5], None, "between 0 and 1"),
            (["ham"], [0.5], [0], "weights must be positive"),
        ],
    )
    def test_items(self, labels, p, weight, message):
        with pytest.raises(InputError, match=message):
            cost_curve(labels, p, MAIL, sample_weight=weight)


def test_costs_alike_for_all_classes_are_one_price():
    assert MAIL.one_price is None
    assert as_one_price(MAIL) is None
    alike = CostMatrix(["ham", "spam"], [[1, 9], [9, 1]], reject_cost=3)
    assert alike.one_price == (8, 2)  # beyond a right answer
    assert as_one_price(alike) == CheckCost(0.25)
    by_truth = CostMatrix(["ham", "spam"], [[0, 8], [8, 0]], reject_cost=[2, 3])
    assert by_truth.one_price is None
    assert as_one_price(by_truth) is None
    with pytest.raises(CostsError, match="give reject_cost"):
        CostMatrix(["ham", "spam"], [[0, 8], [8, 0]]).reject_costs  # noqa: B018
    assert as_one_price(CostMatrix(["ham", "spam"], [[0, 8], [8, 0]])) is None
    dear = CostMatrix(["ham", "spam"], [[0, 1], [1, 0]], reject_cost=2)
    assert as_one_price(dear) is None  # a check costs more than a mistake


def test_what_is_not_known_of_one_price_stays_if_it_is_alike_for_all_classes():
    def price(**interval):
        costs = CostMatrix(["ham", "spam"], [[0, 8], [8, 0]], reject_cost=2, interval=interval)
        return as_one_price(costs)

    both = {"ham": [3.0, 6.0], "spam": [3.0, 6.0]}
    assert price(checks=both) == CheckCost(0.25, (3.0, 6.0))
    assert price(checks={**both, "spam": [2.0, 6.0]}) == CheckCost(0.25)
    assert price(cost={"ham": [7.0, 9.0], "spam": [7.0, 9.0]}, checks=both) is None
    assert price(cost={"ham": [8.0, 8.0]}, checks="nothing") == CheckCost(0.25)
