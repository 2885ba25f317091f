"""The posterior of being right: laws, limits, and a slow quadrature beside it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.base import clone

from askpoint.errors import InputError, NotEstimableError
from askpoint.value.posterior.correction import bins_of_equal_mass, rising
from askpoint.value.posterior.prior import (
    LAPSES,
    LOG_SLOPES,
    PROBABILITIES,
    SCORES,
    SHIFTS,
    RightnessPrior,
)
from askpoint.value.posterior.rightness import RightnessPosterior
from askpoint.value.posterior.scale import NODES, LogitScale, RankScale, node

ALONE = RightnessPrior((0, 0.5), (0, 0.7), 0.3, (3, 1, 1, 1, 1, 1), degrees=4, local=1e12)


def on_nodes(rng, n):
    """Confidences that lie exactly on nodes, some of them tied."""
    z = NODES[rng.integers(node(np.array(0.0)), node(np.array(6.0)), n)]
    return 1 / (1 + np.exp(-z))


def slow_mean(prior, confidence, right, wanted):
    """Posterior mean of P(right | c) by a sum over the grid in plain Python."""
    (a0, sa), (b0, sb), r = prior.shift, prior.log_slope, prior.correlation
    total, held = 0.0, [0.0] * len(wanted)

    def q(c, shift, slope, lapse):
        z = math.log(c / (1 - c))
        return lapse / 2 + (1 - lapse) / (1 + math.exp(-(shift + slope * z)))

    for lapse, share in zip(LAPSES.tolist(), prior.lapse_weights, strict=True):
        for shift in SHIFTS.tolist():
            for log_slope in LOG_SLOPES.tolist():
                u, v = (shift - a0) / sa, (log_slope - b0) / sb
                distance = (u * u - 2 * r * u * v + v * v) / (1 - r * r)
                weight = share * (1 + distance / prior.degrees) ** (-(prior.degrees + 2) / 2)
                slope = math.exp(log_slope)
                for c, hit in zip(confidence, right, strict=True):
                    p = q(c, shift, slope, lapse)
                    weight *= p if hit else 1 - p
                total += weight
                for i, c in enumerate(wanted):
                    held[i] += weight * q(c, shift, slope, lapse)
    return [part / total for part in held]


def test_the_mean_is_that_of_a_slow_quadrature(rng):
    confidence = on_nodes(rng, 12)
    right = rng.random(12) < confidence
    wanted = np.unique(confidence)
    posterior = RightnessPosterior(prior=ALONE).fit(confidence, right)
    slow = slow_mean(ALONE, confidence.tolist(), right.tolist(), wanted.tolist())
    assert posterior.predict(wanted) == pytest.approx(slow, abs=1e-9)


def test_rounding_to_nodes_hardly_matters(rng):
    confidence = 1 - rng.beta(0.6, 2.2, 40) / 2
    right = rng.random(40) < confidence
    posterior = RightnessPosterior(prior=ALONE).fit(confidence, right)
    wanted = confidence[confidence < 0.9999][:4]
    slow = slow_mean(
        ALONE, confidence.clip(max=1 - 1e-12).tolist(), right.tolist(), wanted.tolist()
    )
    assert posterior.predict(wanted) == pytest.approx(slow, abs=5e-3)


@settings(max_examples=30)
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30), st.data())
def test_order_of_rows_does_not_matter_and_confidence_never_lowers_rightness(rows, data):
    mixed = data.draw(st.permutations(rows))
    first, second = (
        RightnessPosterior().fit([c for c, _ in part], [hit for _, hit in part])
        for part in (rows, mixed)
    )
    assert first.right_ == pytest.approx(second.right_, abs=1e-12)
    assert (np.diff(first.right_) >= -1e-12).all()
    assert ((first.right_ > 0) & (first.right_ < 1)).all()


def test_doubled_rows_are_the_square_of_the_likelihood(rng):
    confidence = on_nodes(rng, 30)
    right = rng.random(30) < confidence
    once = RightnessPosterior(power=1.0).fit(confidence, right)
    twice = RightnessPosterior(power=0.5).fit(np.tile(confidence, 2), np.tile(right, 2))
    assert twice._cautious == pytest.approx(once._cautious, rel=1e-9)
    assert twice.n_labelled_ == 2 * once.n_labelled_


def test_scores_count_by_their_ranks_only(rng):
    score = rng.normal(size=200)
    right = rng.random(200) < 0.8
    plain = RightnessPosterior().fit(score, right)
    moved = RightnessPosterior(scale="score").fit(np.exp(score), right)
    assert moved.right_ == pytest.approx(plain.right_, abs=1e-12)
    assert isinstance(plain.evidence_.scale, RankScale)
    assert plain._prior is SCORES
    between = plain.predict([score.min() - 1, score.max() + 1, np.median(score)])
    assert between[0] <= between[2] <= between[1]


def test_counts_are_the_rows_that_they_count(rng):
    confidence = np.round(rng.random(300) / 2 + 0.5, 2)
    right = rng.random(300) < confidence
    labelled = np.arange(300) < 120
    rows = RightnessPosterior().fit(confidence[labelled], right[labelled], confidence)
    groups = np.unique(confidence)
    hits, misses, rest = (
        [int((part & (confidence == c)).sum()) for c in groups]
        for part in (labelled & right, labelled & ~right, ~labelled)
    )
    counted = RightnessPosterior().fit_counts(groups, hits, misses, rest)
    assert counted.right_ == pytest.approx(rows.right_, abs=1e-12)
    assert counted.evidence_.n_cases == 300
    score = RightnessPosterior(scale="score").fit_counts(groups, hits, misses, rest)
    by_rows = RightnessPosterior(scale="score").fit(
        confidence[labelled], right[labelled], confidence
    )
    assert score.right_ == pytest.approx(by_rows.right_, abs=1e-12)


def test_unlabelled_rows_say_where_the_cases_lie(rng):
    posterior = RightnessPosterior().fit([0.9], [True], [0.6, 0.6, 0.9, 0.9, 0.9, 0.99])
    assert posterior.evidence_.mass == pytest.approx([2 / 6, 3 / 6, 1 / 6])
    assert posterior.evidence_.lowest.tolist() == [0.6, 0.9, 0.99]
    weighted = RightnessPosterior().fit([0.9], [True], [0.6, 0.9, 0.99], all_weight=[2.0, 3.0, 1.0])
    assert weighted.evidence_.mass == pytest.approx(posterior.evidence_.mass)
    assert weighted.evidence_.n_cases == pytest.approx(36 / 14)  # Kish


def test_weights_of_labels_tell_as_much_as_kish_says():
    even = RightnessPosterior().fit([0.9, 0.8], [1, 0], sample_weight=[3.0, 3.0])
    plain = RightnessPosterior().fit([0.9, 0.8], [1, 0])
    assert even.right_ == pytest.approx(plain.right_)
    uneven = RightnessPosterior().fit([0.9, 0.8], [1, 0], sample_weight=[3.0, 1.0])
    assert uneven.n_labelled_ == pytest.approx(16 / 10)


def test_without_labels_the_prior_speaks():
    posterior = RightnessPosterior().fit([], [], [0.6, 0.9, 0.99])
    assert posterior.n_labelled_ == 0
    assert posterior.grid_weights_ == pytest.approx(np.exp(PROBABILITIES.log_weights))
    assert np.exp(PROBABILITIES.log_weights).sum() == pytest.approx(1)


@pytest.mark.parametrize("right", [[True] * 50, [False] * 50])
def test_all_right_and_all_wrong_move_it_and_stay_inside(right, rng):
    confidence = np.linspace(0.5, 1, 50)
    before = RightnessPosterior().fit([], [], confidence).right_
    after = RightnessPosterior().fit(confidence, right)
    assert ((after.right_ > before) == right[0]).mean() > 0.9
    draws = after.draw_groups(50, rng)
    assert ((draws >= 0) & (draws <= 1)).all()


def test_one_confidence_for_all_is_one_rate(rng):
    posterior = RightnessPosterior().fit([0.8] * 100, [True] * 60 + [False] * 40, [0.8] * 500)
    assert len(posterior.right_) == 1
    assert 0.5 < posterior.right_[0] < 0.75
    assert np.ptp(posterior.predict([0.1, 0.8, 1.0])) == 0
    assert posterior.draw([0.1, 0.9], 30, rng).shape == (30, 2)


def test_many_labels_win_over_the_curve(rng):
    confidence = rng.random(40_000) / 2 + 0.5
    truth = np.where(confidence < 0.75, 0.55, 0.97)  # a step, which no sigmoid is
    right = rng.random(40_000) < truth
    found = RightnessPosterior().fit(confidence, right).predict([0.65, 0.7, 0.8, 0.9])
    assert found == pytest.approx([0.55, 0.55, 0.97, 0.97], abs=0.03)


def test_draws_vary_about_the_mean_and_less_with_more_labels(rng):
    confidence = 1 - rng.beta(0.6, 2.2, 4000) / 2
    right = rng.random(4000) < confidence
    few, many = (
        RightnessPosterior().fit(confidence[:n], right[:n], confidence).draw([0.7, 0.95], 500, rng)
        for n in (20, 4000)
    )
    assert (many.std(axis=0) < few.std(axis=0)).all()
    assert many.mean(axis=0) == pytest.approx([0.7, 0.95], abs=0.05)


def test_intervals_hold_where_the_truth_comes_from_the_prior():
    rng = np.random.default_rng(20261122)
    inside = []
    for _ in range(150):
        shift, slope = rng.normal(0, 0.4), np.exp(rng.normal(0, 0.5))
        confidence = 1 - rng.beta(0.6, 2.2, 500) / 2
        z = np.log(confidence / (1 - confidence).clip(1e-12))
        truth = 1 / (1 + np.exp(-(shift + slope * z)))
        posterior = RightnessPosterior().fit(
            confidence[:60], rng.random(60) < truth[:60], confidence
        )
        mean = posterior.draw(confidence, 200, rng).mean(axis=1)
        low, high = np.quantile(mean, [0.025, 0.975])
        inside.append(low <= truth.mean() <= high)
    assert 0.9 <= np.mean(inside) <= 1.0


def test_a_confidence_of_one_lies_beyond_the_nearest_below():
    scale = LogitScale.of(np.array([0.5, 0.999, 1.0]))
    assert scale.z([1.0, 0.9995])[0] == pytest.approx(scale.z([1.0, 0.9995])[1])
    assert LogitScale.of(np.array([1.0, 1.0])).z([1.0]) == pytest.approx(np.log(39))  # all alike
    assert node(NODES).tolist() == list(range(len(NODES)))


def test_bins_hold_equal_shares_and_never_part_a_group():
    assert bins_of_equal_mass(np.full(10, 0.1), 5).tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert bins_of_equal_mass(np.array([0.05, 0.9, 0.05]), 20).tolist() == [0, 1, 2]
    assert rising(np.array([3.0, 1.0, 5.0]), np.array([1.0, 3.0, 1.0])).tolist() == [1.5, 1.5, 5.0]


def test_a_normal_prior_is_the_limit_of_students():
    near = RightnessPrior((0, 0.5), (0, 0.7), 0.3, (1,) * 6, degrees=1e7)
    limit = RightnessPrior((0, 0.5), (0, 0.7), 0.3, (1,) * 6)
    assert near.log_weights == pytest.approx(limit.log_weights, abs=1e-3)


def test_odd_input_is_refused_by_name():
    with pytest.raises(NotEstimableError, match="no case"):
        RightnessPosterior().fit([], [])
    with pytest.raises(NotEstimableError, match="no case"):
        RightnessPosterior().fit_counts([0.5], [0], [0])
    with pytest.raises(InputError, match="one entry per item"):
        RightnessPosterior().fit([0.5, 0.6], [True])
    with pytest.raises(InputError, match="wrong must hold one count, 0 or more"):
        RightnessPosterior().fit_counts([0.5], [1], [-1])
    with pytest.raises(InputError, match="scale='score' for scores"):
        RightnessPosterior(scale="probability").fit([0.5, 3.0], [1, 1])
    with pytest.raises(InputError, match="scale must be one of"):
        RightnessPosterior(scale="odd").fit([0.5], [1])
    with pytest.raises(InputError, match="missing or infinite"):
        RightnessPosterior().fit([0.5, np.nan], [1, 1])


def test_it_is_an_estimator():
    assert clone(RightnessPosterior(power=0.7)).get_params()["power"] == 0.7
