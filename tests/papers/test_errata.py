"""The page of errata: each names tests that exist; some of them are here."""

from __future__ import annotations

import itertools
import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from scipy import stats
from scipy.optimize import linprog

from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.outcomes import Outcomes
from askpoint.papers.interactive.paper_numbers import MACRO, VERDICTS
from askpoint.papers.interactive.ways_to_ask import RHOS
from askpoint.papers.multiclass_elicitation.printed import PRINTED_WEIGHTS, law_of_labels
from askpoint.unknowns.case_costs import expected_cost, minimum_cost
from askpoint.unknowns.inspection import random_inspection
from askpoint.value.curve import ValueCurve

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "evidence" / "errata.md").read_text()


def test_every_erratum_names_tests_that_exist():
    for erratum in re.findall(r"^\*\*.*?(?=^\*\*|^## |\Z)", PAGE, re.DOTALL | re.MULTILINE):
        named = re.findall(r"`(test_\w+)`\s+in\s+`(tests/[\w/.]+)`", erratum)
        assert named, erratum
        for name, file in named:
            assert f"def {name}(" in (ROOT / file).read_text()


COUNTS = st.integers(0, 30)
MONEY = st.fractions(-5, 5, max_denominator=10)


@given(COUNTS, COUNTS, COUNTS, MONEY, *(st.fractions(Fraction(1, 10), 5) for _ in range(2)))
def test_abstaining_everywhere_is_worth_nothing(right, wrong, asked, abstain, gain, loss):
    """With the corrected numerator V is (C - omega W) / N, as the library has it; as printed it is not."""
    n = right + wrong + asked
    assume(n > 0)
    omega = loss / gain
    total = right * (abstain + gain) + asked * abstain + wrong * (abstain - loss)
    corrected = (total - n * abstain) / (n * gain)
    assert corrected == Fraction(right) / n - omega * wrong / n
    assert Outcomes(right, wrong, asked).value(float(omega)) == pytest.approx(float(corrected))
    printed = (total - abstain) / (n * gain)
    assert (printed == corrected) == (abstain == 0 or n == 1)
    twice = (2 * total - abstain) / (2 * n * gain)
    assert (twice == printed) == (abstain == 0)


def test_a_threshold_may_pay_where_chosen_and_lose_elsewhere():
    omega = 1.0
    confidence = np.array([0.9, 0.8, 0.7])
    curve = ValueCurve.from_outcomes(np.array([True, True, False]), confidence)
    answered = confidence >= curve.threshold(omega)
    new = np.array([False, False, True])
    assert curve.value(omega) > 0
    assert np.where(new, 1, -omega)[answered].sum() < 0


@given(st.lists(st.integers(1, 6), min_size=1, max_size=12))
def test_cases_at_the_minimum_are_asked(scores):
    """The paper's rule at its least alpha asks somebody, always; here never and always are both there."""
    confidence = np.array(scores) / 10
    assert (confidence <= confidence.min()).any()
    curve = ValueCurve.from_outcomes(np.ones(len(scores), dtype=bool), confidence)
    asked = [curve.outcomes(t).asked for t in (curve.thresholds[0], curve.thresholds[-1])]
    assert asked == [len(scores), 0]


def test_discrimination_alone_orders_no_value_curves():
    """Two calibrated laws of confidence in exact fractions."""
    sure = {Fraction(19, 20): Fraction(2, 3), Fraction(1, 2): Fraction(1, 3)}
    split = {Fraction(1): Fraction(1, 5), Fraction(3, 4): Fraction(4, 5)}

    def mean(law, f):
        return sum(share * f(c) for c, share in law.items())

    def value(law, omega):
        return mean(law, lambda c: max(c - omega * (1 - c), 0))

    assert mean(sure, lambda c: c) == mean(split, lambda c: c) == Fraction(4, 5)
    discriminations = [mean(law, lambda c: (c - Fraction(1, 2)) ** 2) for law in (sure, split)]
    assert discriminations == [Fraction(135, 1000), Fraction(1, 10)]
    assert value(sure, 4) > value(split, 4)
    assert value(sure, 13) == value(split, 13)  # from here on the less discriminating is worth more
    assert value(sure, 12) > value(split, 12)
    assert value(sure, 14) < value(split, 14)
    assert value(sure, 19) == 0 < value(split, 19)


@given(st.fractions(0, 1, max_denominator=30), *(st.fractions(0, 4, max_denominator=9),) * 2)
def test_expcost_is_the_cost_of_a_decision_drawn_at_random(p, c_01, c_10):
    assume(c_01 > 0 and c_10 > 0)
    shares, cost = (p, 1 - p), ((0, c_01), (c_10, 0))
    drawn = sum(shares[i] * shares[j] * cost[i][j] for i in (0, 1) for j in (0, 1))
    made = min(sum(shares[i] * cost[i][j] for i in (0, 1)) for j in (0, 1))
    matrix = CostMatrix([0, 1], [[float(x) for x in row] for row in cost])
    proba = [[float(p), float(1 - p)]]
    assert expected_cost(proba, matrix) == pytest.approx(float(drawn))
    assert minimum_cost(proba, matrix) == pytest.approx(float(made))
    assert drawn >= made


def test_twenty_thousand_pages_are_a_mean():
    pages = stats.geom(0.001 * 0.05)
    assert pages.mean() == pytest.approx(random_inspection(0.001, 0.05).inspected)
    assert pages.sf(20_000) == pytest.approx(0.37, abs=0.005)
    assert [pages.ppf(0.5), pages.ppf(0.95)] == [13_863, 59_914]


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


def test_the_printed_random_column_asks_half_of_the_cases():
    """EP = A + s (1 - rho - A) falls by s for each unit of rho; the share that table 11 prints does not fit."""
    rho = np.array(RHOS)
    chance, share = np.array([line[5:] for line in MACRO["EP"].values()]).T
    slopes = -np.diff(chance[1:]) / np.diff(rho[1:])
    assert ((slopes > 0.5) & (slopes < 0.54)).all()
    assert share[1:].max() < 22
    accuracy = 0.8672
    for s, fits in ((0.52, True), (0.1936, False)):
        said = accuracy + s * (1 - rho - accuracy)
        assert (np.abs(said - chance)[4:].max() < 0.005) == fits


@given(*(st.fractions(0, 1, max_denominator=20) for _ in range(3)))
def test_a_blind_spot_is_a_judge_who_is_blind(p, of_a, of_b):
    f_b = p * (1 - of_a) + (1 - p) * of_b
    assert of_b - f_b == p * (of_a + of_b - 1)
    assert of_a - (1 - f_b) == (1 - p) * (of_a + of_b - 1)


def test_two_points_need_judges_that_see():
    """Two independent trios fit given frequencies; if one judge is blind, a whole line does."""

    def frequencies(p, of_b_on_a, of_b_on_b):
        sides = ((p, of_b_on_a), (1 - p, of_b_on_b))
        return [
            sum(
                share
                * math.prod(x if vote else 1 - x for x, vote in zip(rates, votes, strict=True))
                for share, rates in sides
            )
            for votes in itertools.product((0, 1), repeat=3)
        ]

    # judges 2 and 3 keep f_2, f_3 and p (1 - p) d_2 d_3 while p and d_2 move; judge 1 is blind
    blind, f, d_3 = Fraction(3, 10), Fraction(1, 2), Fraction(1, 2)
    found = set()
    for p in (Fraction(1, 2), Fraction(2, 5), Fraction(1, 3)):
        d_2 = Fraction(1, 20) / (p * (1 - p) * d_3)
        on_a = (blind, f - (1 - p) * d_2, f - (1 - p) * d_3)
        on_b = (blind, f + p * d_2, f + p * d_3)
        assert all(0 <= x <= 1 for x in on_a + on_b)
        found.add(tuple(frequencies(p, on_a, on_b)))
    assert len(found) == 1


def test_the_printed_f_of_random_asking_is_too_low():
    """Table 10 at .5: the least that shares of 5 to 95% with the printed mean leave, by a linear programme."""
    printed, mean_share = MACRO["F"]["0.5"][5:]
    weight = 1.25
    shares, accuracies = np.linspace(0.05, 0.95, 19), np.linspace(0, 1, 101)
    A, s = (grid.ravel() for grid in np.meshgrid(accuracies, shares))
    worst = linprog(
        A * weight * (1 - s) / (weight - s),
        A_eq=[np.ones_like(A), A, s],
        b_eq=[1, 0.8672, mean_share / 100],
        bounds=(0, None),
    )
    assert worst.fun == pytest.approx(0.728, abs=0.001)
    assert printed == 0.6972 < worst.fun - 0.03


def test_table_5_speaks_for_asking_up_to_04():
    better, seemingly, worse, much_worse = (
        dict(zip(RHOS, row, strict=True)) for row in VERDICTS["EP"]
    )
    assert (better[0.4], seemingly[0.4], worse[0.4]) == (25, 5, 0)
    assert (better[0.5], seemingly[0.5], worse[0.5], much_worse[0.5]) == (0, 21, 9, 0)


def test_remark_1_is_flat_and_convex_in_places():
    """Classes 1 and 2 of row 1, weight m of the first from 0 to 1."""
    eta = law_of_labels(3, 4000)
    ratio = eta[:, 0] / eta[:, 1]
    assert ratio.min() == pytest.approx(math.exp(-2), rel=0.001)
    assert ratio.max() == pytest.approx(math.exp(2), rel=0.001)
    first, second, _ = PRINTED_WEIGHTS[0].truth
    steps = np.linspace(0, 1, 401)
    psi = []
    for m in steps:
        takes_first = m * eta[:, 0] > (1 - m) * eta[:, 1]
        psi.append(np.where(takes_first, first * eta[:, 0], second * eta[:, 1]).mean())
    change = np.diff(psi)
    assert (change == 0).sum() == 94
    # convex: over 20 steps it bends upwards, by much more than what the grid of x does
    assert np.diff(psi[::20], n=2).max() > 1e-3


def test_no_question_finds_rows_2_to_4_under_the_printed_law():
    for row, weight in zip(PRINTED_WEIGHTS[1:], (0.652, 0.591, 0.293), strict=True):
        eta = law_of_labels(len(row.truth), 4000, "printed")
        ratio = eta[:, 0] / eta[:, 1]
        assert (ratio.min().round(2), ratio.max().round(2)) == (0.75, 5.67)
        assert row.truth[1] / row.truth[0] == pytest.approx(weight, abs=5e-4)
        assert weight < ratio.min()  # class 1 is taken before class 2 everywhere
