"""Objectives against brute force over all thresholds, and what an answer says of itself."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from askpoint.errors import InputError, NotEstimableError, ObjectiveError, UnmetError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.exchange import ExchangeRate, Prices
from askpoint.measures.outcomes import Outcomes
from askpoint.value.by_class import MinPrecision, MinRecall
from askpoint.value.cost_curves import GreatestWorth, LeastCost, as_objective, cost_curve
from askpoint.value.curve import ValueCurve
from askpoint.value.limits import AskAtMost, MaxError, MeanError
from askpoint.value.objectives import OperatingPoint
from askpoint.value.priced import CheckCost, FBeta, MistakeCost
from askpoint.value.probabilities import value_curve
from askpoint.value.reviewer_errors import CheckWork

FIVE = ValueCurve.from_outcomes([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5])


def classified(rng, n_classes=3):
    """Labels, decisions and a confidence of few levels, as a curve and as bare arrays."""
    n = int(rng.integers(1, 30))
    p = rng.dirichlet(np.ones(n_classes), n).round(1)
    p[:, -1] = 1 - p[:, :-1].sum(axis=1)
    p = np.abs(p.round(1))
    truth = np.where(rng.random(n) < 0.6, p.argmax(axis=1), rng.integers(0, n_classes, n))
    weight = rng.integers(1, 5, n) if rng.random() < 0.5 else None
    curve = value_curve(truth, p, classes=range(n_classes), sample_weight=weight)
    weight = np.ones(n, dtype=int) if weight is None else weight
    return curve, truth, p.argmax(axis=1), p.max(axis=1), weight


def share(weight, part, whole):
    """Weight of `part` in that of `whole`, exact; None where there is nothing."""
    total = int(weight[whole].sum())
    return Fraction(int(weight[part & whole].sum()), total) if total else None


@pytest.mark.parametrize("limit", [0, 0.1, 0.29, 1 / 3, 0.5, 0.99, 1, 2, 7, 1000])
def test_ask_at_most(limit, rng):
    for _ in range(40):
        curve, truth, predicted, confidence, weight = classified(rng)
        allowed = Fraction(limit).limit_denominator(1000)
        allowed *= int(weight.sum()) if limit < 1 else 1
        mistakes = {
            t: int(weight[(confidence >= t) & (truth != predicted)].sum())
            for t in curve.thresholds.tolist()
            if int(weight[confidence < t].sum()) <= allowed
        }
        ok = [t for t, n in mistakes.items() if n == min(mistakes.values())]
        assert AskAtMost(limit).choose(curve).threshold == ok[-1]


@pytest.mark.parametrize("risk", [0, 0.05, 0.1, 0.25, 1 / 3, 0.5, 0.99])
def test_max_error(risk, rng):
    met, bound = 0, Fraction(risk).limit_denominator(1000)
    for _ in range(60):
        curve, truth, predicted, confidence, weight = classified(rng)
        error = {
            t: share(weight, truth != predicted, confidence >= t)
            for t in curve.thresholds[1:].tolist()
        }
        ok = [t for t, e in error.items() if e <= bound]
        if ok:
            met += 1
            assert MaxError(risk).choose(curve).threshold == ok[-1]
        else:
            lowest = float(min(error.values()))
            with pytest.raises(UnmetError, match=f"the lowest error is {lowest:.4g}, with"):
                MaxError(risk).choose(curve)
    assert met


@pytest.mark.parametrize("level", [0.1, 0.5, 2 / 3, 0.7, 0.9, 1])
def test_min_recall(level, rng):
    bound = Fraction(level).limit_denominator(1000)
    for _ in range(60):
        curve, truth, predicted, confidence, weight = classified(rng)
        label = int(rng.integers(0, 3))
        lost = {
            t: share(weight, (confidence >= t) & (predicted != label), truth == label)
            for t in curve.thresholds.tolist()
        }
        if lost[math.inf] is None:
            with pytest.raises(NotEstimableError, match=f"no case has the label {label}"):
                MinRecall(label, level).choose(curve)
            continue
        ok = [t for t, v in lost.items() if 1 - v >= bound]
        assert MinRecall(label, level).choose(curve).threshold == ok[-1]


@pytest.mark.parametrize(("level", "delta"), [(0.3, 0.25), (0.5, 0.1), (0.7, 0.2), (0.9, 0.05)])
def test_a_promised_recall(level, delta, rng):
    """As many lost as a recall at the level shows with a chance of at most delta: summed up in fractions."""
    promised, loses = 0, Fraction(1) - Fraction(level).limit_denominator(1000)
    for _ in range(60):
        curve, truth, predicted, confidence, weight = classified(rng)
        label, objective = 1, MinRecall(1, level, delta)
        n = int(weight[truth == label].sum())
        if not n:
            continue
        chances = itertools.accumulate(math.comb(n, k) * loses**k * (1 - loses) ** (n - k) for k in range(n + 1))  # fmt: skip
        accepted = sum(chance <= delta for chance in chances) - 1
        if accepted < 0:
            least = next(m for m in itertools.count(1) if (1 - loses) ** m <= delta)
            with pytest.raises(UnmetError, match=f"^{n} cases? 1 .* of {level:g}: label {least} or more"):  # fmt: skip
                objective.choose(curve)
            continue
        promised += 1
        wrong = (truth == label) & (predicted != label)
        lost = {t: int(weight[wrong & (confidence >= t)].sum()) for t in curve.thresholds.tolist()}
        ok = [t for t, many in lost.items() if many <= accepted]
        assert objective.choose(curve).threshold == ok[-1]
    assert promised


def test_a_recall_is_promised_by_its_delta():
    assert (MinRecall(1, 0.9).is_promised, MinRecall(1, 0.9).promise_delta) == (False, None)
    assert (MinRecall(1, 0.9, 0.1).is_promised, MinRecall(1, 0.9, 0.1).promise_delta) == (True, 0.1)
    assert MinRecall(1, 1).level == 1
    with pytest.raises(
        ObjectiveError, match="no number of labels promises a recall of 1: state less"
    ):
        MinRecall(1, 1, 0.1)
    with pytest.raises(InputError, match="delta must be"):
        MinRecall(1, 0.9, 1.5)


@pytest.mark.parametrize("between", [(0, 5), (-1, 5), (5, 4), (5, math.inf), (math.nan, 5)])
def test_an_interval_of_a_price_has_two_ends(between):
    assert CheckCost(0.1, between=(4, 25)).checks_between == (4, 25)
    assert CheckCost(0.1).checks_between is None is MistakeCost(2).checks_between
    assert MaxError(0.1).checks_between is None
    with pytest.raises(ObjectiveError, match="an interval of a price has two finite ends above 0"):
        CheckCost(0.1, between=between)


@pytest.mark.parametrize("level", [0.1, 0.5, 2 / 3, 0.7, 0.9, 1])
def test_min_precision(level, rng):
    met, bound = 0, Fraction(level).limit_denominator(1000)
    for _ in range(60):
        curve, truth, predicted, confidence, weight = classified(rng)
        label = int(rng.integers(0, 3))
        cases = predicted == label
        precision = {
            t: share(weight, truth == label, cases & (confidence >= t))
            for t in curve.thresholds.tolist()
        }
        ok = [t for t, v in precision.items() if v is not None and v >= bound]
        if not cases.any():
            assert MinPrecision(label, level).choose(curve).outcomes.asked == 0
        elif ok:
            met += 1
            assert MinPrecision(label, level).choose(curve).threshold == ok[-1]
        else:
            best = float(1 - max(v for v in precision.values() if v is not None))
            with pytest.raises(
                UnmetError, match=f"answers {label} .*the lowest error is {best:.4g},"
            ):
                MinPrecision(label, level).choose(curve)
    assert met


@pytest.mark.parametrize("omega", [Fraction(0), Fraction(1, 3), Fraction(1), Fraction(4)])
def test_prices_choose_the_best_of_all_thresholds(omega, rng):
    for _ in range(40):
        curve, *_ = classified(rng)
        worth = [
            Fraction(o.right) - omega * Fraction(o.wrong)
            for o in map(curve.outcomes, curve.thresholds.tolist())
        ]
        best = float(curve.thresholds[worth.index(max(worth))])
        by_omega = MistakeCost(float(omega)).choose(curve)
        by_rho = CheckCost(float(1 / (1 + omega))).choose(curve)
        assert by_omega.threshold == by_rho.threshold == best
        assert by_omega.outcomes == by_rho.outcomes == curve.outcomes(best)
        assert by_omega.rate == ExchangeRate(float(omega))
        assert by_rho.rate.omega == pytest.approx(float(omega), abs=1e-15)


@pytest.mark.parametrize("beta", [0.1, 0.5, 1, 2, 10])
def test_f_beta_chooses_the_best_and_says_the_price(beta, rng):
    for _ in range(40):
        curve, *_ = classified(rng)
        point = FBeta(beta).choose(curve)
        values = [curve.outcomes(t).f_beta(beta) for t in curve.thresholds.tolist()]
        best = point.outcomes.f_beta(beta)
        assert best == pytest.approx(max(values), abs=1e-15)
        if best:  # else every price would do
            assert point.rate.rho == pytest.approx(1 - best / (1 + beta * beta))
            assert point.value == pytest.approx(curve.value(point.rate.omega), abs=1e-12)


def test_a_tiny_beta_on_a_perfect_model_still_has_a_price():
    point = FBeta(1e-9).choose(ValueCurve.from_outcomes([1, 1], [0.9, 0.8]))
    assert point.rate.omega == pytest.approx(1e18)


def test_extreme_betas_are_precision_and_recall():
    curve = ValueCurve.from_outcomes([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5])
    assert curve.f_beta(1e-300) == curve.f_beta(1e-9) == 1
    assert curve.f_beta_threshold(1e300) == curve.f_beta_threshold(1e9) == 0.6
    assert curve.f_beta(1e300) == 3 / 5
    hopeless = ValueCurve.from_outcomes([0, 0], [0.9, 0.8])
    assert [FBeta(b).choose(hopeless).threshold for b in (1e-300, 1e300)] == [math.inf] * 2


def test_an_answer_says_its_worth_and_its_price():
    point = AskAtMost(2).choose(FIVE)
    assert point == OperatingPoint(0.6, Outcomes(3, 1, 1), ExchangeRate(0.0))
    point = AskAtMost(3).choose(FIVE)
    assert point == OperatingPoint(0.8, Outcomes(2, 0, 3), ExchangeRate(1.0))
    assert point.value == 2 / 5
    assert point.expected_profit == (2 + 0.5 * 3) / 5
    assert point.rate.checks_per_mistake == 2
    assert OperatingPoint.at(FIVE, 0.75) == OperatingPoint(
        0.75, Outcomes(2, 0, 3), ExchangeRate(1.0)
    )


def test_no_finite_price_makes_needless_asking_best():
    point = OperatingPoint.at(FIVE, 0.9)
    assert (point.outcomes, point.rate) == (Outcomes(1, 0, 4), None)
    assert point.value is point.expected_profit is None


def test_a_limit_that_floats_fall_short_of_is_met():
    """0.29 of 100 is 28.999999999999996 in floats."""
    half = ValueCurve.from_outcomes([1] * 71 + [0] * 29, [0.9] * 71 + [0.5] * 29)
    assert AskAtMost(0.29).choose(half).outcomes.asked == 29
    tied = ValueCurve.from_outcomes([1] * 71 + [0] * 29, [0.9] * 100)
    assert MaxError(0.29).choose(tied).outcomes.asked == 0


def test_only_the_surest_of_a_hundred_wrong():
    curve = ValueCurve.from_outcomes([0] + [1] * 99, range(100, 0, -1))
    assert MaxError(0.05).choose(curve).outcomes.coverage == 1


def test_labels_are_found_by_equality():
    curve = value_curve(["yes", "no", "no"], [0.9, 0.8, 0.1])
    assert curve.cases.classes == ("no", "yes")
    assert MinPrecision("yes", 1).choose(curve).outcomes == Outcomes(2, 0, 1)
    assert MinPrecision(np.str_("yes"), 1).choose(curve).outcomes == Outcomes(2, 0, 1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MistakeCost(-1), "omega must be a finite number, 0 or more; got -1"),
        (lambda: MistakeCost(math.nan), "omega must be"),
        (lambda: CheckCost(0), "rho must be above 0 and at most 1; got 0"),
        (lambda: CheckCost(1.01), "rho must be above 0 and at most 1; got 1.01"),
        (lambda: FBeta(0), "beta must be a finite number above 0; got 0"),
        (lambda: AskAtMost(-1), "ask-at-most must be .* got -1"),
        (lambda: AskAtMost(2.5), "ask-at-most must be .* got 2.5"),
        (lambda: AskAtMost(math.inf), "ask-at-most must be .* got inf"),
        (lambda: AskAtMost(math.nan), "ask-at-most must be .* got nan"),
        (lambda: MaxError(1), "max-error must be at least 0 and below 1; got 1"),
        (lambda: MaxError(math.nan), "max-error must be at least 0 and below 1; got nan"),
        (lambda: MinRecall("a", 0), "min-recall must be above 0 and at most 1; got 0"),
        (lambda: MinRecall("a", 1.1), "min-recall must be above 0 and at most 1; got 1.1"),
        (lambda: MinPrecision("a", -1), "min-precision must be above 0 and at most 1; got -1"),
        (lambda: MinPrecision("a", math.nan), "min-precision must be .* got nan"),
    ],
)
def test_parameters_outside_their_range(make, message):
    with pytest.raises(ObjectiveError, match=message):
        make()


@pytest.mark.parametrize("risk", [0, 1, math.nan])
def test_no_promise_is_made_of_none_and_of_all(risk):
    with pytest.raises(InputError, match=f"strictly between 0 and 1; got {risk}"):
        MaxError(risk, 0.05)


@pytest.mark.parametrize("objective", [MinRecall("a", 0.9), MinPrecision("a", 0.9)])
def test_classes_are_needed(objective):
    with pytest.raises(InputError, match="make it with value_curve"):
        objective.choose(FIVE)
    with pytest.raises(InputError, match="the label 'a' is not among the classes 0, 1"):
        objective.choose(value_curve([0, 1], [0.1, 0.9]))


@pytest.mark.parametrize(
    ("objective", "score"),
    [
        (MistakeCost(3), (5 - 3 * 2) / 10),
        (CheckCost(0.25), (5 + 0.75 * 3) / 10),
        (FBeta(1), 2 * 5 / (10 + 7)),
        (GreatestWorth(Prices(2, -1, -4)), (10 - 3 - 8) / 10),
    ],
)
def test_a_price_measures_outcomes(objective, score):
    assert objective.is_measure
    assert objective.measure(Outcomes(5, 2, 3)) == pytest.approx(score)


def test_a_limit_measures_nothing():
    for limit in (AskAtMost(3), MaxError(0.1), MeanError(0.1)):
        assert limit.is_limit
        with pytest.raises(ObjectiveError, match="is a limit"):
            limit.measure(Outcomes(5, 2, 3))


def test_what_is_no_objective_is_refused():
    with pytest.raises(ObjectiveError, match=r"a CostMatrix or Prices; got 0\.05"):
        as_objective(0.05)
    assert as_objective(Prices(1, 0, -1)) == GreatestWorth(Prices(1, 0, -1))


def test_costs_are_chosen_as_their_curve_chooses():
    costs = CostMatrix(["ham", "spam"], [[0, 5], [1, 0]], reject_cost=0.5)
    p = np.random.default_rng(0).beta(0.5, 0.5, 300)
    truth = np.where(np.random.default_rng(1).random(300) < p, "spam", "ham")
    costly = cost_curve(truth, p, costs)
    assert LeastCost(costs).choose(costly.curve) == costly.choose()
    with pytest.raises(InputError, match="look at the cases"):
        LeastCost(costs).choose(ValueCurve.from_outcomes([1, 0], [0.9, 0.8]))


def test_people_whose_accuracy_is_not_known_cannot_be_asked_for():
    curve = value_curve([1, 1, 0, 0], [0.9, 0.4, 0.1, 0.3])
    with pytest.raises(ObjectiveError, match="reviewer accuracy is missing"):
        CheckWork(0.1).choose(curve)
    stated = CheckWork(0.1, people_right=1.0).choose(curve)
    assert stated.threshold == CheckCost(0.1).choose(curve).threshold


@pytest.mark.parametrize("risk", [0, 1, -0.1, float("nan")])
def test_a_mean_error_lies_between_0_and_1(risk):
    with pytest.raises(ObjectiveError, match="between 0 and 1"):
        MeanError(risk)
