"""The value curve: golden cases, other libraries' answers, the band, and what it refuses."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import accuracy_score, confusion_matrix_at_thresholds

from askpoint.errors import InputError, ObjectiveError
from askpoint.measures.outcomes import Outcomes
from askpoint.value.curve import ValueCurve

FIVE = ValueCurve.from_outcomes([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5])


def test_arrays():
    assert FIVE.thresholds.tolist() == [math.inf, 0.9, 0.8, 0.7, 0.6, 0.5]
    assert FIVE.right.tolist() == [0, 1, 2, 2, 3, 3]
    assert FIVE.wrong.tolist() == [0, 0, 0, 1, 1, 2]
    assert FIVE.items.tolist() == [0, 1, 2, 3, 4, 5]
    assert FIVE.hull.tolist() == [0, 2, 4, 5]
    assert FIVE.breakpoints.tolist() == [math.inf, 1, 0]
    assert (FIVE.n_items, FIVE.total, FIVE.accuracy) == (5, 5, 0.6)
    assert repr(FIVE) == "ValueCurve(5 items, 5 thresholds, accuracy 0.6)"
    for array in (FIVE.thresholds, FIVE.right, FIVE.wrong, FIVE.items):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_one_price_gives_numbers_and_many_give_arrays():
    many = np.array([[0.5, 1.5], [0.0, 1.0]])
    for method in (FIVE.value, FIVE.threshold, FIVE.coverage):
        assert type(method(1.5)) is float
        assert method(many).shape == many.shape
        assert method(many)[0, 1] == method(1.5)
    assert type(FIVE.expected_profit(0.5)) is float
    assert FIVE.expected_profit(1 / (1 + many))[0, 1] == pytest.approx(FIVE.expected_profit(0.4))
    assert FIVE.position(1.5) == 2


def test_ties_ask_more():
    assert FIVE.threshold(1.0) == 0.8
    assert FIVE.threshold(1 - 1e-9) == 0.6
    assert FIVE.threshold(0.0) == 0.6  # the last, wrong one adds nothing
    tied = ValueCurve.from_outcomes([1, 0], [0.5, 0.5])
    assert (tied.threshold(1.0), tied.value(1.0)) == (math.inf, 0.0)


@pytest.mark.parametrize("checks", [3, 10, 20, 49, 93, 98, 103, 1000])
def test_prices_that_are_no_binary_fractions_tie_too(checks):
    right = [True] * (checks - 1) + [False]
    tied = ValueCurve.from_outcomes(right, [0.5] * checks)
    assert tied.threshold(checks - 1) == math.inf
    assert tied.threshold(checks - 1.001) == 0.5
    assert tied.expected_profit(1 / checks) == pytest.approx(1 - 1 / checks)
    assert tied.f_beta_threshold(0.1) == 0.5


def test_equal_f_beta_asks_more():
    """F_0.2 of (1 right, 9 asked) and of (6 right, 2 wrong, 2 asked) is 26/35, but not in floats."""
    score = [0.9] + [0.8] * 7 + [0.7] * 2
    curve = ValueCurve.from_outcomes([1] * 6 + [0] * 4, score)
    assert curve.outcomes(0.8).f_beta(0.2) > curve.outcomes(0.9).f_beta(0.2)
    assert curve.f_beta_threshold(0.2) == 0.9


def test_nothing_answered():
    hopeless = ValueCurve.from_outcomes([0, 0, 1], [0.9, 0.8, 0.8])
    assert hopeless.threshold(2.0) == math.inf
    assert (hopeless.value(2.0), hopeless.coverage(2.0)) == (0, 0)
    assert hopeless.risk(2.0) is None
    assert hopeless.risk(0.4) == pytest.approx(2 / 3)
    assert hopeless.expected_profit(0.25) == 0.75


def test_nothing_right():
    """F_beta is 0 however little is asked, so all is asked; the seed calls it coherent there."""
    wrong = ValueCurve.from_outcomes([0, 0], [0.9, 0.8])
    assert (wrong.value(0.0), wrong.threshold(0.0)) == (0, math.inf)
    assert (wrong.f_beta(1.0), wrong.f_beta_threshold(1.0)) == (0, math.inf)
    assert wrong.breakpoints.tolist() == [0]


def test_all_right():
    right = ValueCurve.from_outcomes([1, 1], [0.9, 0.8])
    assert right.threshold(1e9) == 0.8
    assert (right.value(1e9), right.f_beta(0.5), right.expected_profit(1e-9)) == (1, 1, 1)
    assert right.implied_omega(math.inf) == math.inf


def test_surest_of_a_hundred_wrong_does_not_end_the_search():
    curve = ValueCurve.from_outcomes([False] + [True] * 99, np.linspace(1, 0.5, 100))
    assert curve.threshold(19.0) == 0.5
    assert curve.coverage(19.0) == 1
    assert curve.risk(19.0) == 0.01


def test_paper_definitions_at_a_threshold():
    """Seed 001, equations 1 and 2, by hand: three right, one wrong, one asked."""
    outcomes = FIVE.outcomes(0.6)
    assert outcomes == Outcomes(3, 1, 1)
    assert outcomes.f_beta(0.5) == pytest.approx(1.25 * 3 / (1.25 * 5 - 1))
    assert outcomes.expected_profit(0.5) == pytest.approx((3 + 0.5) / 5)


@pytest.mark.parametrize("weighted", [False, True])
def test_scikit_learn_counts_the_same(weighted, rng):
    for _ in range(30):
        n = int(rng.integers(5, 200))
        right, score = rng.random(n) < 0.7, rng.integers(-20, 20, n) / 8
        right[:2] = True, False  # scikit-learn wants both
        weight = rng.integers(1, 9, n) / 4 if weighted else None
        _, fps, _, tps, thresholds = confusion_matrix_at_thresholds(
            right, score, sample_weight=weight
        )
        curve = ValueCurve.from_outcomes(right, score, sample_weight=weight)
        assert curve.thresholds[1:].tolist() == thresholds.tolist()
        assert curve.right[1:].tolist() == tps.tolist()
        assert curve.wrong[1:].tolist() == fps.tolist()
        assert curve.accuracy == accuracy_score(right, np.ones(n), sample_weight=weight)
        for omega in (0.25, 1.0, 3.0):
            value = max(0, (tps - omega * fps).max() / curve.total)
            assert curve.value(omega) == pytest.approx(value, abs=1e-15)


def test_scikit_learn_calibrates_the_same(rng):
    right, score = rng.random(300) < 0.7, rng.integers(0, 90, 300) / 90
    curve = ValueCurve.from_outcomes(right, score)
    oracle = IsotonicRegression().fit(score, right)
    assert curve.calibrated == pytest.approx(oracle.predict(curve.thresholds[1:]), abs=1e-12)


def test_weights_by_definition_in_fractions(rng):
    for _ in range(200):
        n = int(rng.integers(1, 15))
        right, score = rng.random(n) < 0.6, rng.integers(0, 4, n) / 4
        weight = rng.integers(1, 33, n) / 8
        curve = ValueCurve.from_outcomes(right, score, sample_weight=weight)
        for omega in (Fraction(1, 2), Fraction(1), Fraction(7, 3)):
            worth = {
                t: sum(
                    Fraction(w) * (1 if r else -omega)
                    for r, c, w in zip(right, score, weight, strict=True)
                    if c >= t
                )
                / Fraction(weight.sum())
                for t in (math.inf, *sorted(set(score), reverse=True))
            }
            best = max(worth.values())
            assert curve.value(float(omega)) == pytest.approx(float(best), abs=1e-12)
            # on a tie the one that asks more, which comes first
            assert curve.threshold(float(omega)) == next(t for t, v in worth.items() if v == best)


def test_a_weight_that_vanishes_beside_the_others():
    curve = ValueCurve.from_outcomes([1, 1], [0.9, 0.5], sample_weight=[1.0, 1e-30])
    assert curve.calibrated.tolist() == [1, 1]
    assert curve.value(2.0) == 1


class TestOutcomesAtAThreshold:
    def test_between_and_beyond_the_confidences(self):
        assert FIVE.outcomes(0.75) == FIVE.outcomes(0.8) == Outcomes(2, 0, 3)
        assert FIVE.outcomes(0.91) == FIVE.outcomes(math.inf) == Outcomes(0, 0, 5)
        assert FIVE.outcomes(-math.inf) == FIVE.outcomes(0.1) == Outcomes(3, 2, 0)

    def test_in_the_precision_of_the_confidences(self):
        """As NumPy compares: float32(0.7) >= 0.7 holds, though it lies below 0.7."""
        score = np.array([0.9, 0.7], dtype=np.float32)
        curve = ValueCurve.from_outcomes([1, 1], score)
        assert curve.outcomes(0.7).answered == (score >= 0.7).sum() == 2
        assert curve.outcomes(1e300).answered == 0

    def test_asked_is_nothing_where_all_is_answered(self):
        for weight in ([0.1, 0.2, 0.3], [0.7, 0.1, 0.1], [1e-9, 1e9, 3.3]):
            curve = ValueCurve.from_outcomes([1, 0, 1], [3, 2, 1], sample_weight=weight)
            assert curve.outcomes(1).asked == 0

    def test_not_a_number(self):
        for method in (FIVE.outcomes, FIVE.implied_omega):
            with pytest.raises(InputError, match="got nan"):
                method(math.nan)


def test_implied_price():
    prices = [FIVE.implied_omega(t) for t in FIVE.thresholds]
    assert prices == [math.inf, math.inf, 1, 1, 0, 0]


class TestBand:
    def test_width(self):
        assert FIVE.band(0.05) == pytest.approx(math.sqrt(math.log(4 / 0.05) / 10))
        assert FIVE.band() == FIVE.band(0.05)

    def test_holds_all_thresholds_and_prices_at_once(self, rng):
        """Profit is a straight line in rho, so its greatest error lies at rho = 0 or rho = 1."""
        share = rng.dirichlet(np.ones(25))
        rate = np.linspace(0.99, 0.4, 25)
        cells = np.concatenate([share * rate, share * (1 - rate)])
        n, runs, delta = 60, 2000, 0.05
        drawn = rng.multinomial(n, cells, size=runs) / n - cells
        right, wrong = drawn[:, :25].cumsum(axis=1), drawn[:, 25:].cumsum(axis=1)
        error = np.maximum(np.abs(right), np.abs(wrong)).max(axis=1)
        width = ValueCurve.from_outcomes([True] * n, range(n)).band(delta)
        violations = (error > width).mean()
        assert 0 < violations <= delta

    @pytest.mark.parametrize("weight", [[2.0, 2.0], [0.5, 1.5]])
    def test_refuses_weights(self, weight):
        curve = ValueCurve.from_outcomes([1, 0], [0.9, 0.5], sample_weight=weight)
        assert curve.is_weighted
        with pytest.raises(InputError, match="unweighted"):
            curve.band()

    def test_refuses_an_impossible_delta(self):
        with pytest.raises(InputError, match="delta"):
            FIVE.band(1.0)


class TestBadInput:
    @pytest.mark.parametrize("omega", [-1, math.nan, math.inf, [1, -1e-9]])
    def test_omega(self, omega):
        for method in (FIVE.value, FIVE.threshold, FIVE.coverage, FIVE.position):
            with pytest.raises(InputError, match="omega must be a finite number, 0 or more"):
                method(omega)

    @pytest.mark.parametrize("rho", [0, -0.5, 1.5, math.nan, [0.5, 0]])
    def test_rho(self, rho):
        with pytest.raises(InputError, match="rho must be above 0 and at most 1"):
            FIVE.expected_profit(rho)

    @pytest.mark.parametrize("beta", [0, -1, math.nan, math.inf])
    def test_beta(self, beta):
        for method in (FIVE.f_beta, FIVE.f_beta_threshold):
            with pytest.raises(ObjectiveError, match="beta must be a finite number above 0"):
                method(beta)

    @pytest.mark.parametrize(
        ("right", "confidence", "weight", "message"),
        [
            ([], [], None, "there is no labelled item"),
            ([1, 2], [0.5, 0.5], None, "booleans, or zeros and ones"),
            ([1, math.nan], [0.5, 0.5], None, "1 missing or infinite value, the first in row 1"),
            ([1, 0], [0.5, math.nan], None, "confidence holds 1 missing or infinite value"),
            ([1, 0], [0.5], None, "one entry per item: got 2 and 1"),
            ([1, 0], [[0.5], [0.6]], None, "confidence must have 1 dimension; got 2 x 1"),
            ([1, 0], ["sure", "not"], None, "confidence must be numbers"),
            ([1, 0], [0.5, 0.6], [1], "weights must have one entry per item: got 1 for 2"),
            ([1, 0], [0.5, 0.6], [1, 0], "weights must be positive; got 0.0 in row 1"),
            ([1, 0], [0.5, 0.6], [-1, 1], "weights must be positive; got -1.0 in row 0"),
        ],
    )
    def test_items(self, right, confidence, weight, message):
        with pytest.raises(InputError, match=message):
            ValueCurve.from_outcomes(right, confidence, sample_weight=weight)
