"""Drift between periods: scipy's chi-square where nothing is pooled, calibrated where nothing drifts."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from askpoint.errors import InputError, SketchError
from askpoint.judges.checks.drift import drift_test
from askpoint.judges.sketch.vote_sketch import VoteSketch


def counted(votes, n_judges=2):
    sketch = VoteSketch(n_judges, ["a", "b"])
    sketch.update_codes(votes)
    return sketch


def test_it_is_the_chi_square_test_of_homogeneity(rng):
    old, new = rng.integers(0, 2, (400, 2)), (rng.random((300, 2)) < 0.6).astype(int)
    drift = drift_test([counted(old), counted(new)])
    table = np.array([np.bincount(2 * v[:, 0] + v[:, 1], minlength=4) for v in (old, new)])
    assert drift.patterns == pytest.approx(chi2_contingency(table, correction=False).pvalue)
    alone = sorted(
        chi2_contingency([np.bincount(v[:, i]) for v in (old, new)], correction=False).pvalue
        for i in range(2)
    )
    holm = [min(1, 2 * alone[0]), max(min(1, 2 * alone[0]), alone[1])]
    assert sorted(drift.judges.values()) == pytest.approx(holm)


def test_it_is_calibrated_and_finds_who_changed(rng):
    quiet = [
        drift_test(
            [counted((rng.random((100, 6)) < 0.1).astype(int), 6) for _ in range(3)]
        ).patterns
        for _ in range(200)
    ]
    assert np.mean(np.array(quiet) < 0.05) < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)
    old, new = (rng.integers(0, 2, (2000, 3)) for _ in range(2))
    new[:, 1] |= rng.random(2000) < 0.2
    drift = drift_test([counted(old, 3), counted(new, 3)])
    assert drift.patterns < 1e-6
    assert drift.judges["judge 2"] < 1e-6
    assert min(drift.judges["judge 1"], drift.judges["judge 3"]) > 1e-6


def test_rare_patterns_are_pooled_never_dropped():
    old, new = counted([[0, 0]] * 50 + [[0, 1]] * 3), counted([[0, 0]] * 50 + [[1, 0]] * 3)
    drift = drift_test([old, new])
    assert drift.patterns is None or drift.patterns == 1  # all that is rare is one kind
    many = drift_test(
        [counted([[0, 0]] * 90 + [[0, 1]] * 10), counted([[0, 0]] * 90 + [[1, 0]] * 10)]
    )
    assert many.patterns < 0.01


def test_too_little_is_no_answer():
    empty, one = counted(np.empty((0, 2), int)), counted([[0, 0], [1, 1]])
    assert drift_test([empty, empty]).patterns is None
    assert drift_test([empty, one]).judges == {"judge 1": None, "judge 2": None}
    assert drift_test([one, one]).patterns is None
    with pytest.raises(InputError, match="at least two periods"):
        drift_test([one])
    with pytest.raises(SketchError, match="other judges"):
        drift_test([one, counted([[0, 1, 1]], 3)])
