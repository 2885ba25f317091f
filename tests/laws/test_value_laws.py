"""Laws of the value room: what must hold for every sample, whatever its numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import optimize

from askpoint.measures.exchange import ExchangeRate
from askpoint.value.curve import ValueCurve
from askpoint.value.limits import AskAtMost, MaxError

OMEGAS = np.array([0, 1e-3, 1 / 3, 0.5, 1, 1.5, 2, 9, 19, 1e6])

law = settings(deadline=None, max_examples=150)

rows = st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=1, max_size=40)
samples = rows.map(lambda s: (np.array([r for r, _ in s]), np.array([c for _, c in s])))


def steps(curve):
    """What a curve says but for the scale of its confidence and the number of cases."""
    return (
        (curve.right / curve.total).tolist(),
        (curve.wrong / curve.total).tolist(),
        curve.hull.tolist(),
        curve.breakpoints.tolist(),
        curve.position(OMEGAS).tolist(),
        curve.calibrated.tolist(),
    )


MAPS = {
    "probabilities": np.linspace(0.4, 1, 7),
    "single precision": np.linspace(0.4, 1, 7, dtype=np.float32),
    "negative": np.array([-1e9, -7, -2, -1, -0.5, -1e-9, -0.0]),
    "negative, single precision": np.float32([-9, -7, -2, -1, -0.5, -0.25, 0.0]),
    "mixed signs": np.array([-1e300, -3, -1e-300, 0, 1e-300, 3, 1e300]),
    "mixed signs, single precision": np.float32([-3, -2, -0.5, 0.0, 0.5, 2, 3]),
    "neighbours": np.nextafter(0.5, 1) + np.arange(7) * np.spacing(0.5),
    "logits": np.log(np.linspace(0.1, 0.9, 7) / np.linspace(0.9, 0.1, 7)),
    "whole numbers": np.arange(7) * 1000,
}


@pytest.mark.parametrize("values", MAPS.values(), ids=MAPS)
@law
@given(samples)
def test_strictly_monotone_maps_change_nothing(values, sample):
    right, level = sample
    plain = ValueCurve.from_outcomes(right, level)
    mapped = ValueCurve.from_outcomes(right, values[level])
    assert steps(mapped) == steps(plain)
    assert mapped.thresholds[1:].tolist() == values[plain.thresholds[1:].astype(int)].tolist()


@law
@given(samples, st.randoms(use_true_random=False))
def test_order_of_rows_changes_nothing(sample, random):
    right, level = sample
    order = random.sample(range(len(right)), len(right))
    plain, shuffled = (ValueCurve.from_outcomes(right[o], level[o]) for o in (slice(None), order))
    assert steps(shuffled) == steps(plain)
    assert (shuffled.aurc, shuffled.augrc) == (plain.aurc, plain.augrc)


@law
@given(samples, st.integers(2, 5))
def test_copies_of_every_row_change_nothing(sample, times):
    right, level = sample
    plain = ValueCurve.from_outcomes(right, level)
    copied = ValueCurve.from_outcomes(np.tile(right, times), np.tile(level, times))
    assert steps(copied) == steps(plain)
    assert copied.thresholds.tolist() == plain.thresholds.tolist()


@law
@given(samples)
def test_two_zeros_are_one(sample):
    right, level = sample
    signs = np.where(np.arange(len(level)) % 2, -1.0, 1.0)
    for shift in (0, 3, 6):
        score = (level - shift).astype(float)
        signed = np.where(score == 0, np.copysign(0, signs), score)
        assert steps(ValueCurve.from_outcomes(right, signed)) == steps(
            ValueCurve.from_outcomes(right, score)
        )


@law
@given(samples)
def test_weights_of_one_are_no_weights(sample):
    right, level = sample
    plain = ValueCurve.from_outcomes(right, level)
    ones = ValueCurve.from_outcomes(right, level, sample_weight=np.ones(len(right)))
    assert steps(ones) == steps(plain)
    assert (ones.aurc, ones.augrc, ones.band()) == (plain.aurc, plain.augrc, plain.band())


@law
@given(samples, st.data())
def test_whole_weights_are_repeated_rows(sample, data):
    right, level = sample
    times = data.draw(st.lists(st.integers(1, 4), min_size=len(right), max_size=len(right)))
    weighted = ValueCurve.from_outcomes(right, level, sample_weight=times)
    repeated = ValueCurve.from_outcomes(right.repeat(times), level.repeat(times))
    assert steps(weighted) == steps(repeated)
    assert weighted.total == repeated.total


@law
@given(samples, st.sampled_from([0.1, 1 / 3, 0.7, 1e-6]))
def test_equal_weights_are_no_weights(sample, weight):
    right, level = sample
    plain = ValueCurve.from_outcomes(right, level)
    curve = ValueCurve.from_outcomes(right, level, sample_weight=np.full(len(right), weight))
    assert curve.threshold(OMEGAS).tolist() == plain.threshold(OMEGAS).tolist()
    assert curve.value(OMEGAS) == pytest.approx(plain.value(OMEGAS), rel=1e-9, abs=1e-12)


@law
@given(samples)
def test_value_is_convex_and_falls_from_accuracy_to_no_less_than_nothing(sample):
    curve = ValueCurve.from_outcomes(*sample)
    omega = np.linspace(0, 5, 101)
    value = curve.value(omega)
    assert value[0] == curve.accuracy == sample[0].mean()
    assert (np.diff(value) <= 1e-15).all()
    assert (np.diff(value, 2) >= -1e-12).all()
    assert (value >= 0).all()  # never answering is a candidate
    assert (value >= curve.accuracy - omega * (1 - curve.accuracy) - 1e-15).all()  # so is always
    assert (np.diff(curve.breakpoints) < 0).all()


@law
@given(samples, st.fractions(0, 20, max_denominator=12))
def test_profit_is_value_in_another_unit(sample, omega):
    curve = ValueCurve.from_outcomes(*sample)
    rate = ExchangeRate(float(omega))
    rho = float(1 / (1 + omega))
    assert curve.expected_profit(rho) == pytest.approx(rate.profit(curve.value(rate.omega)))
    assert curve.expected_profit(rho) >= max(curve.accuracy, 1 - rho) - 1e-15


@law
@given(samples)
def test_between_breakpoints_one_threshold_is_best_and_at_one_the_next_is_as_good(sample):
    curve = ValueCurve.from_outcomes(*sample)
    for k, omega in enumerate(curve.breakpoints):
        asks_more, asks_less = curve.hull[k], curve.hull[k + 1]
        if np.isfinite(omega):
            exact = Fraction(int(curve.right[asks_less] - curve.right[asks_more])) / int(
                curve.wrong[asks_less] - curve.wrong[asks_more]
            )
            assert float(exact) == omega
            assert curve.position(omega) == asks_more
            assert curve.position(omega + 1e-9) == asks_more
        if omega > 0:
            assert curve.position(min(omega, 1e9) * (1 - 1e-9)) == asks_less


@law
@given(samples)
def test_calibrated_rates_are_isotonic_regression(sample):
    curve = ValueCurve.from_outcomes(*sample)
    size = np.diff(curve.items)
    oracle = optimize.isotonic_regression(
        np.diff(curve.right) / size, weights=size, increasing=False
    )
    assert curve.calibrated == pytest.approx(oracle.x, abs=1e-12)


@law
@given(samples)
def test_answering_where_the_calibrated_rate_pays_is_best(sample):
    curve = ValueCurve.from_outcomes(*sample)
    for omega in OMEGAS:
        t = ExchangeRate(omega).calibrated_threshold
        pays = curve.calibrated > t * (1 + 1e-12)  # at equality both are as good: ask
        assert curve.position(omega) == pays.sum()


@law
@given(samples)
def test_mean_profit_by_confidence_is_a_brier_score(sample):
    right, level = sample
    confidence = level / 6
    curve = ValueCurve.from_outcomes(right, confidence)
    ends = np.unique(np.concatenate([[0, 1], 1 - confidence]))
    middles = (ends[1:] + ends[:-1]) / 2  # in between the profit is a straight line
    profit = [curve.outcomes(1 - rho).expected_profit(rho) for rho in middles]
    brier = np.mean((confidence - right) ** 2)
    assert np.diff(ends) @ profit == pytest.approx(1 - (brier + 1 - right.mean()) / 2)


@law
@given(samples)
def test_mean_best_profit_is_the_calibrated_brier_score_and_the_discrimination(sample):
    right, level = sample
    curve = ValueCurve.from_outcomes(right, level)
    ends = np.unique(np.concatenate([[0, 1], 1 / (1 + curve.breakpoints)]))
    middles = (ends[1:] + ends[:-1]) / 2
    mean_profit = np.diff(ends) @ curve.expected_profit(middles)
    rate = curve.calibrated[np.searchsorted(-curve.thresholds[1:], -level)]
    error = 1 - right.mean()
    assert mean_profit == pytest.approx(1 - (np.mean((rate - right) ** 2) + error) / 2)
    discrimination = np.mean((0.5 - rate) ** 2)
    assert mean_profit == pytest.approx(7 / 8 + discrimination / 2 - error / 2)


@law
@given(samples, st.sampled_from([0.1, 0.5, 1.0, 2.0]))
def test_best_f_beta_is_best_profit_at_the_price_that_it_implies(sample, beta):
    curve = ValueCurve.from_outcomes(*sample)
    f = 0.0
    for _ in range(50):  # Dinkelbach: climb until the price confirms itself
        omega = ExchangeRate.from_f_beta(f, beta).omega
        better = curve.outcomes(curve.threshold(omega)).f_beta(beta)
        if better <= f:
            break
        f = better
    assert curve.f_beta(beta) == pytest.approx(f, abs=1e-12)
    assert curve.f_beta(beta) == pytest.approx(
        max(curve.outcomes(t).f_beta(beta) for t in curve.thresholds), abs=1e-15
    )
    place = np.searchsorted(-curve.thresholds, -curve.f_beta_threshold(beta))
    assert place in curve.hull


@law
@given(samples, st.integers(0, 40), st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9]))
def test_implied_price_is_the_shadow_price(sample, limit, risk):
    right, level = sample
    curve = ValueCurve.from_outcomes(right, level)
    points = [AskAtMost(limit).choose(curve)] if limit else []
    if (curve.wrong[1:] <= risk * curve.items[1:]).any():
        points.append(MaxError(risk).choose(curve))
    for point in points:
        k = int(np.searchsorted(-curve.thresholds, -point.threshold))
        omega = point.rate.omega
        worth = (curve.right - omega * curve.wrong) / curve.total
        further = worth[k + 1 :].max(initial=-np.inf)
        if k in curve.hull:  # the best at this price; at a lower one answering more is better
            assert worth[k] == pytest.approx(curve.value(omega), abs=1e-12)
        if k < len(curve.items) - 1:
            assert further == pytest.approx(curve.value(omega), abs=1e-12)
            assert curve.position(omega * (1 - 1e-9)) > k or omega == 0
