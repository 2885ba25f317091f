"""The page of errata: each names tests that exist; some of them are here."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import linprog

from askpoint.value.curve import ValueCurve

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "errata.md").read_text()


def test_every_erratum_names_tests_that_exist():
    for erratum in re.findall(r"^\*\*.*?(?=^\*\*|^## |\Z)", PAGE, re.DOTALL | re.MULTILINE):
        named = re.findall(r"`(test_\w+)` in `(tests/[\w/.]+)`", erratum)
        assert named, erratum
        for name, file in named:
            assert f"def {name}(" in (ROOT / file).read_text()


def test_abstaining_everywhere_is_worth_nothing():
    """V of n abstentions is n times one; only the corrected numerator is then 0, for every n."""
    one = Fraction(-3)
    for n in (1, 2, 50):
        total = n * one
        assert total - n * one == 0
        assert (total - one == 0) == (n == 1)


def test_a_threshold_may_pay_where_chosen_and_lose_elsewhere():
    omega = 1.0
    confidence = np.array([0.9, 0.8, 0.7])
    curve = ValueCurve.from_outcomes(np.array([True, True, False]), confidence)
    answered = confidence >= curve.threshold(omega)
    new = np.array([False, False, True])
    assert curve.value(omega) > 0
    assert np.where(new, 1, -omega)[answered].sum() < 0


def test_cases_at_the_minimum_are_asked():
    confidence = np.array([0.5, 0.5, 0.9])
    assert (confidence <= confidence.min()).sum() == 2


def test_random_asking_cannot_cost_what_is_printed():
    """The greatest mean of s (A - .5) over sets of data with the printed means of A and s."""
    mean_accuracy, mean_share, printed = 0.8672, 0.1913, 0.6779
    accuracies, shares = np.linspace(0.5, 1, 51), np.linspace(0.05, 0.95, 19)
    A, s = (grid.ravel() for grid in np.meshgrid(accuracies, shares))
    worst = linprog(
        -s * (A - 0.5),
        A_eq=[np.ones_like(A), A, s],
        b_eq=[1, mean_accuracy, mean_share],
        bounds=(0, None),
    )
    lowest = mean_accuracy + worst.fun
    assert lowest == pytest.approx(0.778, abs=0.001)
    assert lowest > printed + 0.09


@given(*(st.fractions(0, 1, max_denominator=20) for _ in range(3)))
def test_a_blind_spot_is_a_judge_who_is_blind(p, of_a, of_b):
    f_b = p * (1 - of_a) + (1 - p) * of_b
    assert of_b - f_b == p * (of_a + of_b - 1)
    assert of_a - (1 - f_b) == (1 - p) * (of_a + of_b - 1)
