"""Chains of thresholds: brute force row by row, and promises that hold at every look."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import InputError
from askpoint.measures.chains import ThresholdChains, coverage_grid, thresholds_in_order
from askpoint.measures.eprocess import log_risk_evidence


def test_the_grid_covers_what_it_says():
    confidence = np.random.default_rng(0).permutation(np.arange(10_000) / 10_000)
    grid = coverage_grid(confidence)
    covered = [(confidence >= threshold).mean() for threshold in grid]
    assert covered == pytest.approx(np.linspace(0.08, 0.98, 32), abs=2e-4)


@pytest.mark.no_cover
@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000))
def test_a_log_is_walked_as_row_by_row(seed):
    rng = np.random.default_rng(seed)
    confidence = rng.random(120).round(2)
    wrong = rng.random(120) < 0.3 * (1 - confidence)
    grid = np.array([0.9, 0.7, 0.5, 0.3, 0.1])
    chains = ThresholdChains(0.5, (0, 2), (0.5, 0.5))
    places, n, w, found = np.array([0, 2]), np.zeros(5), np.zeros(5), []
    for c, e in zip(confidence, wrong, strict=True):
        n += c >= grid
        w += (c >= grid) & e
        places = chains.advance(places, log_risk_evidence(w, n, 0.2))
        best = chains.boldest_passed(places)
        found.append(-1 if best is None else best)
    walked = thresholds_in_order(confidence, wrong, grid, 0.2, chains)
    assert walked.tolist() == found
    assert (np.diff(walked) >= 0).all()


def test_a_chain_stops_at_the_first_threshold_that_is_short():
    chains = ThresholdChains(0.05, (0, 3), (0.5, 0.5))
    evidence = np.array([9.0, 9.0, 0.0, 9.0, 9.0])
    places = chains.advance(np.array([0, 3]), evidence)
    assert places.tolist() == [2, 5]
    assert chains.boldest_passed(places) == 4
    # a pass is for good, and whoever waits waits
    assert chains.advance(places, np.zeros(5)).tolist() == [2, 5]
    assert chains.boldest_passed(np.array([0, 3])) is None
    assert chains.boldest_passed(np.array([1, 3])) == 0


def test_certified_thresholds_break_the_limit_no_more_often_than_promised():
    # the risk at every bold threshold lies just above the limit: hardest to tell
    rng, runs, limit, delta = np.random.default_rng(1), 400, 0.1, 0.2
    grid = np.array([0.9, 0.6, 0.3, 0.0])
    chains = ThresholdChains(delta, (0, 1), (0.5, 0.5))
    broken = 0
    for _ in range(runs):
        confidence = rng.random(600)
        wrong = rng.random(600) < np.where(confidence >= 0.9, 0.01, 0.115)  # .01, above: > .1
        risk = [0.01, 0.08875, 0.1, 0.1045]
        best = thresholds_in_order(confidence, wrong, grid, limit, chains)[-1]
        broken += best >= 0 and max(risk[: best + 1]) > limit
    assert broken / runs <= delta


@pytest.mark.parametrize(
    ("starts", "weights"),
    [((0, 1), (1.0,)), ((), ()), ((0,), (0.0,)), ((0, 1), (0.9, 0.2)), ((-1,), (1.0,))],
)
def test_impossible_chains_are_refused(starts, weights):
    with pytest.raises(InputError, match="weights"):
        ThresholdChains(0.05, starts, weights)


def test_delta_is_a_probability():
    with pytest.raises(InputError, match="delta must be strictly between 0 and 1"):
        ThresholdChains(1)
