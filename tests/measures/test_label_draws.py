"""P-values of label draws against every draw there is."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from askpoint.measures import label_draws
from askpoint.measures.label_draws import ODD, SELECTED, cut_parts, draw_p_value


def test_one_score_against_all_subsets():
    score = np.array([0.0, 1.0, 4.0])
    items = np.array([3, 4, 2])
    cases = np.repeat(score, items)
    for labelled in ([0, 1, 2], [2, 1, 0], [1, 1, 1], [0, 3, 0]):
        own = abs(np.dot(labelled, score) - 3 * cases.mean())
        all_ = [abs(sum(one) - 3 * cases.mean()) for one in combinations(cases, 3)]
        exact = np.mean([off >= own - 1e-9 for off in all_])
        rng = np.random.default_rng(1)
        told = draw_p_value(items, np.array(labelled), rng, scores=[score], parts=[])
        assert told == pytest.approx(exact, abs=0.02)


def test_two_statistics_count_twice_and_strata_keep_their_labels():
    items, labelled = np.array([50, 50, 50, 50]), np.array([20, 20, 0, 0])
    score, parts = np.array([0.0, 1.0, 2.0, 3.0]), np.array([0, 0, 1, 1])
    rng = np.random.default_rng(0)
    one = draw_p_value(items, labelled, rng, scores=[score], parts=[])
    two = draw_p_value(items, labelled, rng, scores=[score], parts=[parts])
    assert one == 1e-4
    assert two == 2e-4
    inside = draw_p_value(items, labelled, rng, scores=[score], parts=[parts], stratum=parts)
    assert inside == 1.0  # each stratum's labels are spread evenly


def test_fifths_keep_ties_together():
    value = np.array([1, 1, 2, 3, 3, 9])
    parts = cut_parts(value, np.array([10, 10, 10, 10, 10, 100]))
    assert parts[0] == parts[1]
    assert parts[3] == parts[4]
    assert (np.diff(parts) >= 0).all()


def test_to_stop_early_changes_no_verdict(monkeypatch):
    """All draws, of which those seen are the first, agree on both bounds, and on every p-value below them."""
    told = {True: [], False: []}
    for stops, p_values in told.items():
        if not stops:
            monkeypatch.setattr(label_draws, "ODD", math.inf)
        for seed in range(200):
            rng = np.random.default_rng(seed)
            items = rng.integers(1, 20, 5)
            # from chances that are equal to those of which each score leaves little to doubt
            labelled = rng.binomial(items, np.linspace(0.3, 0.3 + seed / 300, 5))
            p_values.append(
                draw_p_value(
                    items,
                    labelled,
                    rng,
                    scores=[np.arange(5.0), rng.random(5)],
                    parts=[np.array([0, 0, 1, 1, 1])],
                )
            )
    early, whole = np.array(told[True]), np.array(told[False])
    for bound in (SELECTED, ODD):
        np.testing.assert_array_equal(early < bound, whole < bound)
        assert 10 < (whole < bound).sum() < 190
    np.testing.assert_array_equal(early[whole < ODD], whole[whole < ODD])
    assert (early != whole).sum() > 50  # most stop early
    np.testing.assert_allclose(early, whole, rtol=0.5)
