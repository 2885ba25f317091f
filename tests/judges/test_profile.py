"""Intervals by profile likelihood, against an optimiser that knows nothing of ours."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
import pytest
from scipy import optimize, special, stats

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.methods.latent_class import LatentClass, maximise
from askpoint.judges.methods.profile import near_failure, profile_intervals
from askpoint.judges.sketch.vote_sketch import VoteSketch

SEEN = [450, 60, 40, 30, 55, 25, 35, 105]  # of aaa, aab, ... bbb


def sketch(counts=SEEN, judges=3):
    votes = VoteSketch(judges, ["a", "b"])
    votes.update_codes(list(product((0, 1), repeat=judges)), counts)
    return votes


def drawn(prevalence, of_a, of_b, n, seed, missing=0.0):
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < prevalence
    luck = rng.random((n, len(of_a)))
    codes = np.where(truth[:, None], luck >= of_a, luck < of_b).astype(int)
    codes[rng.random(codes.shape) < missing] = -1
    votes = VoteSketch(len(of_a), ["a", "b"])
    votes.update_codes(codes)
    return votes, truth, codes


def loss(shares, votes, counts):
    """Minus the log-likelihood, written out pattern by pattern."""
    k = votes.shape[1]
    p, of_a, of_b = shares[0], shares[1 : 1 + k], shares[1 + k :]
    total = 0.0
    for row, n in zip(votes, counts, strict=True):
        like_a = prod((a if v == 0 else 1 - a) for a, v in zip(of_a, row, strict=True) if v >= 0)
        like_b = prod((b if v == 1 else 1 - b) for b, v in zip(of_b, row, strict=True) if v >= 0)
        total -= n * np.log(p * like_a + (1 - p) * like_b)
    return total


def plain_end(place, side, votes, counts):
    """The end of the likelihood set by scipy's constrained optimiser, in shares."""
    k = votes.shape[1]
    start = np.concatenate([[0.5], np.full(2 * k, 0.7)])
    bounds = [(1e-6, 1 - 1e-6)] * len(start)
    best = optimize.minimize(loss, start, (votes, counts), method="L-BFGS-B", bounds=bounds)
    enough = best.fun + stats.chi2.ppf(0.95, 1) / 2
    found = optimize.minimize(
        lambda x: -side * x[place],
        best.x,
        bounds=bounds,
        constraints={"type": "ineq", "fun": lambda x: enough - loss(x, votes, counts)},
        method="SLSQP",
        options={"maxiter": 500},
    )
    return found.x[place]


def test_ends_are_those_of_a_constrained_optimiser():
    votes = sketch()
    found = profile_intervals(votes)
    cells = votes.cells()
    low, high = found.prevalence["a"]
    assert low == pytest.approx(plain_end(0, -1, *cells), abs=1e-3)
    assert high == pytest.approx(plain_end(0, 1, *cells), abs=1e-3)
    low, high = found.accuracy["judge 2"]["b"]
    assert low == pytest.approx(plain_end(5, -1, *cells), abs=1e-3)
    assert high == pytest.approx(plain_end(5, 1, *cells), abs=1e-3)


def test_gradient_and_curvature_are_those_of_differences():
    votes, counts = sketch().cells()
    fit = LatentClass(votes, counts)
    x = np.array([0.3, 1.0, 0.5, 2.0, 0.7, 1.5, -0.2])
    value, gradient, curvature = fit.expand(x)
    assert value == pytest.approx(loss(special.expit(x), votes, counts))
    steps = 1e-5 * np.eye(7)
    assert gradient == pytest.approx(
        [(fit.expand(x + h)[0] - fit.expand(x - h)[0]) / 2e-5 for h in steps], rel=1e-4
    )
    assert curvature == pytest.approx(
        np.array([(fit.expand(x + h)[1] - fit.expand(x - h)[1]) / 2e-5 for h in steps]), abs=1e-4
    )


@pytest.mark.no_cover
def test_labels_and_judges_may_change_their_order():
    votes = sketch()
    plain = profile_intervals(votes)
    moved = profile_intervals(votes.select(["judge 3", "judge 1", "judge 2"]))
    swapped = VoteSketch(3, ["b", "a"])
    swapped.update_codes([[1 - v for v in row] for row in product((0, 1), repeat=3)], SEEN)
    other = profile_intervals(swapped)
    for label in "ab":
        assert moved.prevalence[label] == pytest.approx(plain.prevalence[label], abs=1e-3)
        assert other.prevalence[label] == pytest.approx(plain.prevalence[label], abs=1e-3)
        for judge in votes.judges:
            own = plain.accuracy[judge][label]
            assert moved.accuracy[judge][label] == pytest.approx(own, abs=1e-3)
            assert other.accuracy[judge][label] == pytest.approx(own, abs=1e-3)


def test_a_higher_level_is_wider():
    low, high = profile_intervals(sketch()).prevalence["a"]
    lower, higher = profile_intervals(sketch(), level=0.99).prevalence["a"]
    assert lower < low < high < higher


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("prevalence", "of_a", "of_b", "n", "missing"),
    [
        (0.05, [0.8, 0.75, 0.85], [0.95, 0.95, 0.97], 300, 0.0),  # a rare label
        pytest.param(
            *(0.1, [0.8, 0.75, 0.85, 0.8, 0.7], [0.9, 0.95, 0.9, 0.85, 0.9], 150, 0.0),
            marks=pytest.mark.soak,
        ),
        pytest.param(  # votes missing
            *(0.5, [0.85, 0.9, 0.8], [0.9, 0.85, 0.8], 300, 0.25), marks=pytest.mark.whole
        ),
    ],
)
def test_intervals_hold_the_truth_of_the_sample(prevalence, of_a, of_b, n, missing):
    held = told = 0
    for seed in range(10):
        votes, truth, codes = drawn(prevalence, of_a, of_b, n, seed, missing)
        found = profile_intervals(votes)
        shares = [(found.prevalence["a"], truth.mean())]
        for place, judge in enumerate(votes.judges):
            for label, of_label, code in (("a", truth, 0), ("b", ~truth, 1)):
                own = of_label & (codes[:, place] >= 0)
                shares.append((found.accuracy[judge][label], np.mean(codes[own, place] == code)))
        for interval, share in shares:
            if interval is not None:
                told += 1
                held += interval.lower - 1e-3 <= share <= interval.upper + 1e-3
    assert told > 50
    assert held / told > 0.9


def test_judges_that_are_nearly_blind_tell_nothing():
    votes, _, _ = drawn(0.5, [0.6] * 3, [0.6] * 3, 300, 0)
    found = profile_intervals(votes)
    assert found.prevalence["a"] is None
    assert found.prevalence["b"] is None
    assert found.reasons["a"] == found.reasons["b"]
    assert "fit" in found.reasons["a"]


@pytest.mark.no_cover
@pytest.mark.whole
def test_what_is_swapped_is_said_and_what_is_wide_is_kept():
    said, wide = set(), 0.0
    for seed in range(4):
        votes, _, _ = drawn(0.5, [0.62] * 3, [0.62] * 3, 600, seed)
        found = profile_intervals(votes)
        said |= set(found.reasons.values())
        known = [one for of in found.accuracy.values() for one in of.values() if one is not None]
        wide = max([wide, *(one.upper - one.lower for one in known)])
    assert said == {"the votes fit both a label and its opposite"}
    assert wide > 0.5


def test_a_label_of_a_few_items_has_no_interval():
    votes = sketch([300, 2, 2, 0, 2, 0, 1, 2])
    found = profile_intervals(votes)
    assert found.prevalence == {"a": None, "b": None}
    assert set(found.accuracy["judge 1"].values()) == {None}
    assert found.reasons["judge 1, a"] == "fewer than 5 items of 'b' are expected"


def test_an_end_of_the_range_is_told_as_such():
    votes = sketch([300, 0, 0, 0, 30, 0, 0, 60])  # judges 2 and 3 never differ
    found = profile_intervals(votes)
    assert found.accuracy["judge 2"]["a"].upper == 1.0
    assert found.accuracy["judge 3"]["b"].upper == 1.0


@pytest.mark.parametrize(
    ("prevalence", "accuracy", "n", "expected"),
    [
        (0.5, [[0.9, 0.9], [0.8, 0.8], [0.7, 0.9]], 1000, False),
        (0.5, [[0.9, 0.9], [0.8, 0.8], [0.6, 0.6]], 1000, True),  # d = .2
        (0.01, [[0.9, 0.9], [0.8, 0.8], [0.7, 0.9]], 1000, True),  # 10 items
        (0.5, [[1.0, 0.9], [0.8, 0.8], [0.7, 0.9]], 1000, True),  # at its edge
        (1.02, [[0.9, 0.9], [0.8, 0.8], [0.7, 0.9]], 1000, True),  # outside
    ],
)
def test_near_failure(prevalence, accuracy, n, expected):
    assert near_failure(prevalence, np.array(accuracy), n) is expected


@pytest.mark.parametrize(
    ("votes", "error", "words"),
    [
        (VoteSketch(2, ["a", "b"]), InputError, "3 to 10 judges and two labels; got 2 and 2"),
        (VoteSketch(13, ["a", "b"]), InputError, "got 13 and 2"),
        (VoteSketch(3, ["a", "b", "c"]), InputError, "got 3 and 3"),
        (VoteSketch(3, ["a", "b"]), NotEstimableError, "nobody voted"),
    ],
)
def test_what_cannot_be_told(votes, error, words):
    with pytest.raises(error, match=words):
        profile_intervals(votes)


def test_a_climb_that_is_cut_short_has_come_nearer(monkeypatch):
    """A top where the curvature changes on the way: each step counts, the last one, too."""
    top = np.array([1.0, -0.5])

    def expand(x):
        away = x - top
        return float((away**4 + away**2).sum()), 4 * away**3 + 2 * away, np.diag(12 * away**2 + 2)

    free, losses = np.array([True, True]), []
    for steps in (0, 1, 2, 50):
        monkeypatch.setattr("askpoint.judges.methods.latent_class._NEWTON", steps)
        x, loss = maximise(expand, np.zeros(2), free)
        assert loss == expand(x)[0]
        losses.append(loss)
    assert losses[0] > losses[1] > losses[2] > losses[3]
    assert x == pytest.approx(top, abs=1e-4)
    held, _ = maximise(expand, np.zeros(2), np.array([True, False]))
    assert held == pytest.approx([1.0, 0.0], abs=1e-4)
