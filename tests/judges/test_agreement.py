"""Agreement statistics against textbook cases, scikit-learn and counts by hand."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from askpoint.errors import InputError
from askpoint.judges.checks.agreement import (
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    measure_agreement,
)
from askpoint.judges.sketch.vote_sketch import VoteSketch

# Fleiss (1971), as worked out in many textbooks: 10 items, 14 raters, 5 categories
FLEISS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
# Krippendorff's own example of three coders with gaps
KRIPPENDORFF = [
    [0, 0, 0, 0, 0, 3, 4, 1, 2, 1, 1, 3, 3, 0, 3],
    [1, 0, 2, 1, 3, 3, 4, 3, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 2, 1, 3, 4, 4, 0, 2, 1, 1, 3, 3, 0, 4],
]


def counted(codes, n_labels=2):
    sketch = VoteSketch(np.shape(codes)[1], list(range(n_labels)))
    sketch.update_codes(codes)
    return sketch


def test_fleiss_case():
    rows = [np.repeat(np.arange(5), row) for row in FLEISS]
    assert fleiss_kappa(counted(rows, 5)) == pytest.approx(0.210, abs=5e-4)


def test_krippendorffs_case():
    votes = np.array(KRIPPENDORFF).T - 1
    assert krippendorff_alpha(counted(votes, 4)) == pytest.approx(0.691, abs=5e-4)


def test_cohen_is_scikit_learns(rng):
    votes = rng.integers(0, 3, (200, 2))
    assert cohen_kappa(counted(votes, 3), "judge 1", "judge 2") == pytest.approx(
        cohen_kappa_score(*votes.T)
    )


def test_alpha_is_a_count_of_pairs(rng):
    votes = rng.integers(-1, 3, (60, 4))
    units = [row[row >= 0] for row in votes]
    units = [unit for unit in units if len(unit) > 1]
    every = np.concatenate(units)
    observed = sum(
        sum(a != b for a, b in itertools.permutations(unit, 2)) / (len(unit) - 1) for unit in units
    ) / len(every)
    n = len(every)
    expected = sum(a != b for a, b in itertools.permutations(every, 2)) / (n * (n - 1))
    assert krippendorff_alpha(counted(votes, 3)) == pytest.approx(1 - observed / expected)
    found = measure_agreement(counted(votes, 3))
    pairs = [a == b for unit in units for a, b in itertools.permutations(unit, 2)]
    assert found.observed == pytest.approx(np.mean(pairs))
    assert len(found.cohen) == 6


def test_what_is_undefined_has_a_reason():
    constant = measure_agreement(counted([[0, 0, 0]] * 3))
    assert (constant.observed, constant.fleiss, constant.krippendorff) == (1, None, None)
    assert "one label" in constant.reasons["fleiss"]
    assert "one label" in constant.reasons["krippendorff"]
    assert set(constant.cohen.values()) == {None}
    assert "cohen" in constant.reasons
    lonely = measure_agreement(counted([[0, -1, -1], [-1, 1, -1]]))
    assert (lonely.observed, lonely.fleiss, lonely.krippendorff) == (None, None, None)
    assert lonely.reasons["krippendorff"] == "no item has two votes"
    uneven = measure_agreement(counted([[0, 0, -1], [1, 1, 1]]))
    assert uneven.fleiss is None
    assert "different numbers" in uneven.reasons["fleiss"]
    assert "2 pairs" in measure_agreement(counted([[0, 1, 0]]), most_pairs=2).reasons["cohen"]
    assert fleiss_kappa(VoteSketch(3, ["x", "y"])) is None
    with pytest.raises(InputError, match="no judge 'zoe'"):
        cohen_kappa(counted([[0, 1]]), "judge 1", "zoe")
