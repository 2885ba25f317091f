"""The geometry of two classes: brute force over thresholds, and the laws of chords."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st
from scipy.spatial import ConvexHull

from askpoint.elicitation.algorithms.trade_offs import Staircase, TradeOff
from askpoint.elicitation.metrics import diagonal_metric
from askpoint.elicitation.rules import PairRule
from askpoint.elicitation.samples import Sample
from askpoint.errors import NotEstimableError


@st.composite
def samples(draw, k=3):
    """Labels and coarse probabilities, so that scores tie; each class is there."""
    n = draw(st.integers(k, 30))
    y = [*range(k), *draw(st.lists(st.integers(0, k - 1), min_size=n - k, max_size=n - k))]
    shares = np.array(
        draw(st.lists(st.tuples(*[st.integers(0, 3)] * k).filter(any), min_size=n, max_size=n))
    )
    return Sample.of(y, shares / shares.sum(axis=1, keepdims=True))


def made(sample, i=0, j=1):
    """Return stairs and trade-off, or give the case up where nothing discriminates."""
    stairs = Staircase.of(sample, i, j)
    try:
        return stairs, TradeOff.of(stairs, sample.classes)
    except NotEstimableError:
        assume(False)


def brute_points(sample, i, j):
    """Every threshold and its complement as exact fractions (d_i, d_j)."""
    n = len(sample.proba)
    points = []
    cuts = {p[i] / (p[i] + p[j]) if p[i] + p[j] else 0.5 for p in sample.proba} | {2}
    for cut in cuts:
        for reverse in (False, True):
            matrix = sample.mass.T @ PairRule(i, j, cut, reverse).chances(sample.proba)
            points.append((Fraction(int(matrix[i, i]), n), Fraction(int(matrix[j, j]), n)))
    return points


@settings(deadline=None, max_examples=40)
@given(samples(), st.floats(0, 1))
def test_nu_is_what_its_rule_does_and_no_threshold_is_better_believing_the_scores(sample, m):
    stairs = Staircase.of(sample, 0, 1)
    outcome = stairs.outcome(m)
    assert outcome.confusion == pytest.approx(sample.confusion(outcome.rule), abs=1e-15)
    assert stairs.nu(m) == pytest.approx(outcome.confusion.diagonal()[:2])
    p = sample.proba[:, :2]
    takes_first = outcome.rule.chances(sample.proba)[:, 0] == 1
    certain = np.abs(m * p[:, 0] - (1 - m) * p[:, 1]) > 1e-12
    assert (takes_first == (m * p[:, 0] >= (1 - m) * p[:, 1]))[certain].all()


def test_the_ends_of_the_boundary_are_the_vertices():
    rng = np.random.default_rng(0)
    proba = rng.dirichlet(np.ones(3), 50)
    sample = Sample.of(rng.integers(0, 3, 50), proba)
    stairs = Staircase.of(sample, 0, 2)
    assert stairs.nu(1).tolist() == [sample.zeta[0], 0]
    assert stairs.nu(0).tolist() == [0, sample.zeta[2]]


@settings(deadline=None, max_examples=40)
@given(samples())
def test_every_step_counts_what_its_rule_does(sample):
    stairs = Staircase.of(sample, 2, 0)
    for step in range(len(stairs.scores) + 1):
        expected = sample.confusion(stairs.rule(step))
        assert stairs.confusion(step) == pytest.approx(expected, abs=1e-15)


@settings(deadline=None, max_examples=40)
@given(samples(), st.floats(0, 1), st.floats(0, 1))
def test_cases_between_two_weights(sample, one, other):
    low, high = sorted((one, other))
    stairs = Staircase.of(sample, 0, 1)
    one, other = (stairs.outcome(m).rule.chances(sample.proba)[:, 0] for m in (low, high))
    of_either = sample.mass[:, :2].sum(axis=1) > 0
    assert stairs.n_between(low, high) == ((one != other) & of_either).sum()


@settings(deadline=None, max_examples=40)
@given(samples())
def test_the_boundary_is_the_hull_of_thresholds_and_complements(sample):
    _, trade_off = made(sample)
    points = np.array(brute_points(sample, 0, 1), dtype=float)
    expected = points[ConvexHull(points).vertices]
    upper = trade_off.vertices * [-1, 1] + [sample.zeta[0], 0]
    drawn = np.concatenate([upper, sample.zeta[:2] - upper])
    area = ConvexHull(drawn).volume
    assert area == pytest.approx(ConvexHull(expected).volume, rel=1e-9)
    assert {tuple(p) for p in drawn.round(12)} >= {tuple(p) for p in expected.round(12)}


@settings(deadline=None, max_examples=40)
@given(samples(), st.floats(0, 1))
def test_a_pair_trades_two_classes_at_m_and_nothing_else(sample, m):
    _, trade_off = made(sample)
    p, q = trade_off.pair(m)
    difference = (p.confusion - q.confusion).diagonal()
    assert abs(difference[0] * m + difference[1] * (1 - m)) <= 1e-12 * np.abs(difference).max()
    assert difference[0] > -1e-15 < -difference[1]  # round-off at m = 0 and 1
    assert np.abs(difference).max() > 1e-3  # wide enough to tell
    centre = (p.confusion + q.confusion).diagonal() / 2
    assert centre[:2] == pytest.approx(sample.zeta[:2] / 2)
    for outcome in (p, q):
        assert outcome.confusion == pytest.approx(sample.confusion(outcome.rule), abs=1e-9)
        assert len(outcome.rule.parts) <= 2


@settings(deadline=None, max_examples=40)
@given(samples(), st.floats(0.01, 0.99))
def test_no_wider_pair_exists(sample, m):
    """Push the pair out by a thousandth: some edge of the brute-force hull is crossed."""
    _, trade_off = made(sample)
    p, q = (outcome.confusion.diagonal()[:2] for outcome in trade_off.pair(m))
    hull = ConvexHull(np.array(brute_points(sample, 0, 1), dtype=float))
    for inner, outer in ((p, q), (q, p)):
        beyond = inner + 1e-3 * (inner - outer)
        assert (hull.equations @ [*inner, 1]).max() <= 1e-9
        assert (hull.equations @ [*beyond, 1]).max() > 1e-9


@settings(deadline=None, max_examples=40)
@given(samples(), st.floats(0.05, 0.95), st.floats(0, 1))
def test_the_answer_turns_exactly_at_the_ratio_of_the_weights(sample, share, third):
    _, trade_off = made(sample)
    metric = diagonal_metric([share, 1 - share, third])
    for m, better in ((share - 1e-6, "p"), (share + 1e-6, "q")):
        p, q = (metric(outcome.confusion) for outcome in trade_off.pair(m))
        assert (p > q) == (better == "p")


def test_chords_at_the_ends_and_through_the_corner():
    sample = Sample.of([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    _, trade_off = made(sample)
    for m in (0.0, 0.5, 1.0):  # with equal classes m = 1/2 runs through both constants
        p, q = trade_off.pair(m)
        d = (p.confusion - q.confusion).diagonal()
        assert d[0] * m == pytest.approx(-d[1] * (1 - m), abs=1e-15)
    p, q = trade_off.pair(0.5)
    assert p.confusion.tolist() == [[0.5, 0], [0.5, 0]]
    assert q.confusion.tolist() == [[0, 0.5], [0, 0.5]]


def test_a_model_that_is_always_wrong_tells_classes_apart_too():
    right = Sample.of([0, 0, 1, 1], [0.1, 0.3, 0.6, 0.9])
    wrong = Sample.of([1, 1, 0, 0], [0.1, 0.3, 0.6, 0.9])
    for m in (0.2, 0.7):
        a, b = (made(sample)[1].pair(m)[0].confusion.diagonal() for sample in (right, wrong))
        assert a == pytest.approx(b)


@pytest.mark.parametrize("score", [[0.5, 0.5, 0.5, 0.5], [0.2, 0.7, 0.2, 0.7]])
def test_probabilities_that_tell_nothing_are_refused_by_name(score):
    sample = Sample.of(["cat", "cat", "dog", "dog"], score)
    stairs = Staircase.of(sample, 0, 1)
    with pytest.raises(NotEstimableError, match="do not tell class 'cat' from class 'dog'"):
        TradeOff.of(stairs, sample.classes)


@settings(deadline=None, max_examples=30)
@given(samples(), st.integers(2, 4), st.floats(0, 1))
def test_duplicated_rows_change_nothing(sample, times, m):
    _, once = made(sample)
    copies = Sample.of(
        np.tile(sample.mass, (times, 1)), np.tile(sample.proba, (times, 1)), classes=sample.classes
    )
    _, again = made(copies)
    for one, other in zip(once.pair(m), again.pair(m), strict=True):
        assert one.confusion == pytest.approx(other.confusion, abs=1e-14)
        assert one.rule.parts == other.rule.parts
