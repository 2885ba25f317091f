"""Areas under risk-coverage curves against their definition, item by item."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate

from askpoint.value import areas
from askpoint.value.areas import risk_areas
from askpoint.value.curve import ValueCurve


def by_definition(right, confidence):
    """Mean over k of the expected errors among the k surest, ties in random order; exact."""
    n, seen, missed = len(right), 0, Fraction(0)
    aurc = augrc = Fraction(0)
    for level in sorted(set(confidence), reverse=True):
        group = [bool(r) for r, c in zip(right, confidence, strict=True) if c == level]
        rate = Fraction(group.count(False), len(group))
        for _ in group:
            seen, missed = seen + 1, missed + rate
            aurc, augrc = aurc + missed / seen, augrc + missed / n
    return aurc / n, augrc / n


@pytest.mark.parametrize("n_levels", [1, 2, 5, 40])
def test_definition_with_ties(n_levels, rng):
    for _ in range(60):
        n = int(rng.integers(1, 41))
        right, confidence = rng.random(n) < 0.7, rng.integers(0, n_levels, n) / 64
        aurc, augrc = by_definition(right, confidence)
        curve = ValueCurve.from_outcomes(right, confidence)
        assert curve.aurc == pytest.approx(float(aurc), rel=1e-12, abs=1e-15)
        assert curve.augrc == pytest.approx(float(augrc), rel=1e-12, abs=1e-15)


def test_random_orders_of_tied_rows_give_these_areas_on_average(rng):
    right, confidence = rng.random(60) < 0.7, rng.integers(0, 4, 60) / 4
    curve = ValueCurve.from_outcomes(right, confidence)
    broken = [
        ValueCurve.from_outcomes(right, confidence + 1e-9 * rng.permutation(60))
        for _ in range(3000)
    ]
    for name in ("aurc", "augrc"):
        values = np.array([getattr(c, name) for c in broken])
        assert getattr(curve, name) == pytest.approx(
            values.mean(), abs=4 * values.std() / 3000**0.5
        )


def test_all_tied_at_80_percent(rng):
    curve = ValueCurve.from_outcomes(rng.permutation([True] * 80 + [False] * 20), [0.8] * 100)
    assert curve.aurc == pytest.approx(0.2, abs=1e-15)


@pytest.mark.parametrize("right", [True, False])
def test_all_right_and_all_wrong(right, rng):
    curve = ValueCurve.from_outcomes([right] * 50, rng.random(50))
    assert curve.aurc == (0 if right else 1)
    assert curve.augrc == pytest.approx(0 if right else 51 / 100)


def test_stretches_change_nothing(monkeypatch, rng):
    right, confidence = rng.random(500) < 0.7, rng.integers(0, 90, 500) / 64
    curve = ValueCurve.from_outcomes(right, confidence)
    monkeypatch.setattr(areas, "_STRETCH", 7)
    again = risk_areas(curve.right, curve.wrong, curve.items)
    assert again == pytest.approx((curve.aurc, curve.augrc), rel=1e-13)


def test_scaled_weights_change_nothing(rng):
    right, confidence = rng.random(80) < 0.7, rng.integers(0, 30, 80) / 64
    weight = rng.random(80) + 0.5
    one, two = (
        ValueCurve.from_outcomes(right, confidence, sample_weight=w) for w in (weight, 8 * weight)
    )
    plain = ValueCurve.from_outcomes(right, confidence)
    same = ValueCurve.from_outcomes(right, confidence, sample_weight=np.full(80, 0.25))
    assert (one.aurc, one.augrc) == (two.aurc, two.augrc)
    assert (same.aurc, same.augrc) == pytest.approx((plain.aurc, plain.augrc), rel=1e-13)


def test_many_copies_approach_the_integral(rng):
    right, confidence = rng.random(30) < 0.7, rng.integers(0, 12, 30) / 64
    curve = ValueCurve.from_outcomes(right, confidence)
    answered = (curve.right + curve.wrong) / curve.total
    share_wrong = curve.wrong / curve.total

    def area(height):
        return integrate.quad(height, 0, 1, points=answered[1:-1], limit=200)[0]

    copies = ValueCurve.from_outcomes(np.tile(right, 4000), np.tile(confidence, 4000))
    aurc = area(lambda x: np.interp(x, answered, share_wrong) / x)
    assert copies.aurc == pytest.approx(aurc, abs=1e-4)
    augrc = area(lambda x: np.interp(x, answered, share_wrong))
    assert copies.augrc == pytest.approx(augrc, abs=1e-4)
