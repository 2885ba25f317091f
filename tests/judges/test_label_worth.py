"""What judges are worth in labels: against the closed form without votes, and planted good and bad judges."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.errors import InputError
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.gold.label_worth import measure_worth
from askpoint.judges.gold.labelled_patterns import label_patterns
from askpoint.judges.sketch.vote_sketch import VoteSketch


def panel(accuracies, seed=0, n=2000, n_gold=200):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    right = rng.random((n, len(accuracies))) < accuracies
    votes = np.where(right, truth[:, None], 1 - truth[:, None])
    names = [f"j{i}" for i in range(len(accuracies))]
    sketch, gold = VoteSketch(names, ["fail", "pass"]), GoldSketch(names, ["fail", "pass"])
    sketch.update_codes(votes)
    drawn = rng.choice(n, n_gold, replace=False)
    gold.update_codes(votes[drawn], truth[drawn])
    return label_patterns(sketch, gold)


@pytest.mark.parametrize("seed", range(4))
def test_judges_who_know_nothing_are_worth_nothing(seed):
    found = measure_worth(panel([0.5, 0.5, 0.5], seed), "pass")
    assert found.n_gold == 200
    assert found.factor == pytest.approx(1, abs=0.12)
    assert all(abs(loss) < 0.15 * 200 for loss in found.judges.values())


@pytest.mark.parametrize("seed", range(4))
def test_the_only_good_judge_is_worth_most(seed):
    found = measure_worth(panel([0.93, 0.55, 0.55], seed), "pass")
    assert found.factor > 1.8  # 1 / (1 - r^2) with r = .86 is 3.8
    losses = found.judges
    assert losses["j0"] > 100 > max(abs(losses["j1"]), abs(losses["j2"]))
    assert losses["j0"] == max(losses.values())


def test_a_factor_follows_from_the_correlation_of_one_judge():
    """A regression on one judge leaves 1 - r^2 of the variance, so labels count 1 / (1 - r^2) times."""
    accuracy = 0.85
    found = np.mean([measure_worth(panel([accuracy], s), "pass").factor for s in range(8)])
    correlation = 2 * accuracy - 1
    plain = 1 / (1 - correlation**2)
    # of 2,000 items 200 are labelled: what is left of the finite population
    finite = 1 / ((1 / 200 - 1 / 2000) * (1 / plain) + 1 / 2000) / 200
    assert found == pytest.approx(finite, rel=0.15)


def test_one_judge_has_no_others_and_many_are_not_measured():
    assert measure_worth(panel([0.8]), "pass").judges == {"j0": None}
    many = measure_worth(panel([0.7] * 21, n=500, n_gold=60), "pass")
    assert set(many.judges.values()) == {None}


def test_a_label_that_is_none_is_refused():
    with pytest.raises(InputError, match="label must be one of fail, pass; got 'x'"):
        measure_worth(panel([0.8, 0.7]), "x")
