"""The posterior of being right: laws, limits, and slow sums beside it."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import special
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from askpoint.errors import InputError, NotEstimableError
from askpoint.value.posterior.correction import rising
from askpoint.value.posterior.curves import choose_curves
from askpoint.value.posterior.deviation import DRAWN, LIKELY, STATES, ZERO, chain_laws
from askpoint.value.posterior.evidence import Evidence
from askpoint.value.posterior.prior import (
    LAPSES,
    LOG_SLOPES,
    PROBABILITIES,
    SCORES,
    SHIFTS,
    RightnessPrior,
)
from askpoint.value.posterior.rightness import RightnessPosterior
from askpoint.value.posterior.scale import NODES, LinearScale, LogitScale, node

UNTIED = ([0.6, 0.8, 0.95], [1, 0, 1])
TIED = ([0.7, 0.7, 0.7, 0.9, 1.0, 1.0], [1, 0, 0, 1, 1, 0])


def slow_posterior(confidence, right, prior_of_laws, power):
    """Mean of q in each group by a sum over every path of the deviation, law by law.

    Labels are right or wrong in groups of one value; the base curves are those of the posterior.
    """
    values = sorted(set(confidence))
    counts = [
        [
            sum(c == v and hit == side for c, hit in zip(confidence, right, strict=True))
            for v in values
        ]
        for side in (1, 0)
    ]
    tied = [confidence.count(v) >= 2 for v in values]
    posterior = RightnessPosterior().fit(confidence, right)
    curves = choose_curves(posterior.evidence_)
    laws = chain_laws()
    n = len(values)
    paths = np.array(np.meshgrid(*[range(len(STATES))] * n, indexing="ij")).reshape(n, -1)
    none = np.full((n, 1), ZERO)
    logs, means = [], []
    for law in range(5):
        taken = paths if law else none
        if law:
            chance = laws.start[law - 1].astype(float)[taken[0]]
            for before, after in itertools.pairwise(taken):
                chance = chance * laws.step[law - 1].astype(float)[before, after]
        else:
            chance = np.ones(1)
        for logits, weight in zip(curves.logits, curves.log_weights, strict=True):
            likelihood, q = chance.copy(), np.empty(taken.shape)
            for t in range(n):
                hits, misses = counts[0][t], counts[1][t]
                on_curve = 1 / (1 + np.exp(-(logits[t] + STATES[taken[t]])))
                seen = on_curve**hits * (1 - on_curve) ** misses
                q[t] = on_curve
                if tied[t]:
                    near = 1 / (1 + math.exp(-min(max(logits[t], -3.5), 3.5)))
                    a, b, own = (
                        (7, 0.55, 0.5) if values[t] >= 0.9999 else (4 * near, 4 - 4 * near, 0.3)
                    )
                    alone = special.beta(a + hits, b + misses) / special.beta(a, b)
                    both = (1 - own) * seen + own * alone
                    share = own * alone / both
                    q[t] = (1 - share) * on_curve + share * (a + hits) / (a + b + hits + misses)
                    seen = both
                likelihood = likelihood * seen
            logs.append(math.log(prior_of_laws[law]) + weight + power * math.log(likelihood.sum()))
            means.append(q @ likelihood / likelihood.sum())
    weights = np.exp(np.array(logs) - max(logs))
    return weights @ np.array(means) / weights.sum()


@pytest.mark.parametrize(("confidence", "right"), [UNTIED, TIED])
def test_the_mean_is_that_of_a_sum_over_every_path(confidence, right):
    posterior = RightnessPosterior().fit(confidence, right)
    slow = slow_posterior(confidence, right, LIKELY, 1)
    assert posterior.right_ == pytest.approx(slow, abs=1e-5)


@pytest.mark.parametrize(("confidence", "right"), [UNTIED, TIED])
def test_draws_are_of_the_cautious_posterior(confidence, right, rng):
    posterior = RightnessPosterior().fit(confidence, right)
    drawn = posterior.draw_groups(40_000, rng)
    slow = slow_posterior(confidence, right, DRAWN, 0.8)
    assert drawn.mean(axis=0) == pytest.approx(slow, abs=5 * 0.3 / 200)
    assert ((drawn >= 0) & (drawn <= 1)).all()


def slow_curve(prior, z, right, wanted):
    """Posterior mean of P(right | z) by a sum over the grid in plain Python; and the evidence."""
    (a0, sa), (b0, sb), r = prior.shift, prior.log_slope, prior.correlation
    prior_total, total, held = 0.0, 0.0, [0.0] * len(wanted)

    def q(z, shift, slope, lapse):
        return lapse / 2 + (1 - lapse) / (1 + math.exp(-(shift + slope * z)))

    for lapse, share in zip(LAPSES.tolist(), prior.lapse_weights, strict=True):
        for shift in SHIFTS.tolist():
            for log_slope in LOG_SLOPES.tolist():
                u, v = (shift - a0) / sa, (log_slope - b0) / sb
                distance = (u * u - 2 * r * u * v + v * v) / (1 - r * r)
                weight = share * (1 + distance / prior.degrees) ** (-(prior.degrees + 2) / 2)
                prior_total += weight
                slope = math.exp(log_slope)
                for place, hit in zip(z, right, strict=True):
                    p = q(place, shift, slope, lapse)
                    weight *= p if hit else 1 - p
                total += weight
                for i, place in enumerate(wanted):
                    held[i] += weight * q(place, shift, slope, lapse)
    return np.array(held) / total, total / prior_total


@pytest.mark.parametrize("n", [0, 12, 60])
def test_few_curves_stand_for_the_grid(n, rng):
    confidence = 1 - rng.beta(0.6, 2.2, 300) / 2
    right = rng.random(n) < confidence[:n]
    posterior = RightnessPosterior().fit(confidence[:n], right, confidence)
    evidence = posterior.evidence_
    curves = choose_curves(evidence)
    q = special.expit(curves.logits)
    told = np.log(q) @ evidence.right + special.log_expit(-curves.logits) @ evidence.wrong
    weights = special.softmax(curves.log_weights + told)
    group = evidence.group_of(confidence[:n])
    some = [0, len(evidence.mass) // 2, len(evidence.mass) - 1]
    own, evidence_own = slow_curve(PROBABILITIES, evidence.z[group], right, evidence.z[some])
    ranks, evidence_ranks = slow_curve(SCORES, evidence.z_rank[group], right, evidence.z_rank[some])
    parts = 0.85 * evidence_own, 0.15 * evidence_ranks
    slow = (parts[0] * own + parts[1] * ranks) / sum(parts)
    assert weights @ q[:, some] == pytest.approx(slow, abs=0.03)


@settings(max_examples=30)
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30), st.data())
def test_order_of_rows_does_not_matter(rows, data):
    mixed = data.draw(st.permutations(rows))
    first, second = (
        RightnessPosterior().fit([c for c, _ in part], [hit for _, hit in part])
        for part in (rows, mixed)
    )
    assert first.right_ == pytest.approx(second.right_, abs=1e-12)
    assert ((first.right_ > 0) & (first.right_ < 1)).all()


def test_copies_of_unlabelled_rows_change_nothing(rng):
    confidence = 1 - rng.beta(0.6, 2.2, 700) / 2
    right = rng.random(100) < confidence[:100]
    once, twice = (
        RightnessPosterior().fit(confidence[:100], right, np.tile(confidence, copies))
        for copies in (1, 2)
    )
    assert twice.right_ == pytest.approx(once.right_, abs=1e-12)
    assert twice.evidence_.n_cases == 2 * once.evidence_.n_cases


def test_scores_count_by_their_ranks_and_linearly(rng):
    score = rng.normal(size=200)
    right = rng.random(200) < 0.8
    plain = RightnessPosterior().fit(score, right)
    moved = RightnessPosterior(scale="score").fit(5 + 3 * score, right)
    assert moved.right_ == pytest.approx(plain.right_, abs=1e-9)
    assert isinstance(plain.evidence_.scale, LinearScale)
    bent = RightnessPosterior(scale="score").fit(np.exp(score), right).evidence_
    for name in ("mass", "z_rank", "segment", "is_tie", "right", "wrong"):
        assert (getattr(bent, name) == getattr(plain.evidence_, name)).all()
    quartiles = np.quantile(score, [0.25, 0.75], method="inverted_cdf")
    z = LinearScale.of(score).z([np.median(score), *quartiles])
    assert z == pytest.approx([2, 2 - 0.67, 2 + 0.67], abs=0.1)
    assert LinearScale.of(np.array([0.0] * 9 + [5.0])).z([0.0, 5.0]).tolist()[0] == 2
    assert LinearScale.of(np.ones(3)).z([1.0, 50.0]).tolist() == [2, 10]


def test_groups_follow_the_ranks_and_ties_stay_whole(rng):
    confidence = np.concatenate([rng.random(9_700) / 2 + 0.5, np.full(300, 0.8)])
    evidence = Evidence.of_cases(LogitScale.of(confidence), confidence, None, 10_000)
    assert evidence.mass.sum() == pytest.approx(1)
    tie = evidence.group_of(np.array([0.8]))[0]
    assert evidence.is_tie[tie]
    assert evidence.is_tie.sum() == 1
    assert evidence.mass[tie] == pytest.approx(0.03)
    assert (evidence.segment == evidence.segment[tie]).sum() == 1
    others = np.delete(evidence.mass, tie)
    assert others.max() < 1.1 / 256
    assert evidence.mass[-2:] == pytest.approx([1 / 1024] * 2, rel=0.15)
    assert (np.diff(evidence.lowest) > 0).all()
    assert set(np.diff(evidence.segment)) == {0, 1}
    assert evidence.segment[-1] + 1 in (64, 65, 66)  # the tie lies within one, or begins one
    sums = np.bincount(evidence.group_of(confidence), minlength=len(evidence.mass)) / 10_000
    assert sums == pytest.approx(evidence.mass)


def test_laws_of_the_deviation_are_probabilities_and_spread_as_said():
    laws = chain_laws()
    assert laws.start.sum(axis=1) == pytest.approx(1)
    assert laws.step.sum(axis=2) == pytest.approx(1)
    assert LIKELY.sum() == pytest.approx(1)
    assert DRAWN.sum() == pytest.approx(1)
    # the slow walk: a variance of .5 squared over 64 segments, from the middle
    paths = np.linalg.matrix_power(laws.step[0].astype(float), 64)[ZERO]
    assert paths @ STATES**2 == pytest.approx(0.25, rel=0.02)
    assert paths @ STATES == pytest.approx(0, abs=1e-6)
    # far states are only reached by a jump, of which the third law has three times as many
    far = laws.step[1:3, ZERO][:, np.abs(STATES) > 3].sum(axis=1)
    assert far[1] == pytest.approx(3 * far[0], rel=0.02)


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
    posterior = RightnessPosterior().fit(confidence, right)
    assert posterior.predict([0.65, 0.7, 0.8, 0.9]) == pytest.approx(
        [0.55, 0.55, 0.97, 0.97], abs=0.06
    )
    assert posterior.predict(np.linspace(0.55, 0.74, 50)).mean() == pytest.approx(0.55, abs=0.02)
    assert posterior.predict(np.linspace(0.76, 1, 50)).mean() == pytest.approx(0.97, abs=0.01)


def test_draws_vary_about_the_mean_and_less_with_more_labels(rng):
    confidence = 1 - rng.beta(0.6, 2.2, 4000) / 2
    right = rng.random(4000) < confidence
    few, many = (
        RightnessPosterior().fit(confidence[:n], right[:n], confidence).draw([0.7, 0.95], 500, rng)
        for n in (20, 4000)
    )
    assert (many.std(axis=0) < few.std(axis=0)).all()
    assert many.mean(axis=0) == pytest.approx([0.7, 0.95], abs=0.05)


@pytest.mark.whole
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


def test_rising_values_are_the_nearest_by_weighted_squares():
    assert rising(np.array([3.0, 1.0, 5.0]), np.array([1.0, 3.0, 1.0])).tolist() == [1.5, 1.5, 5.0]


def test_a_rate_that_falls_is_followed_down(rng):
    confidence = rng.random(6000) / 2 + 0.5
    truth = np.where(confidence < 0.9, 0.95, 0.5)
    found = RightnessPosterior().fit(confidence[:2000], rng.random(2000) < truth[:2000], confidence)
    assert found.predict([0.7, 0.85]) == pytest.approx([0.95, 0.95], abs=0.03)
    assert found.predict([0.93, 0.98]) == pytest.approx([0.5, 0.5], abs=0.12)


def test_a_tie_has_a_rate_of_its_own(rng):
    confidence = np.concatenate([rng.random(4000) / 2 + 0.5, np.full(1000, 0.9)])
    truth = np.where(confidence == 0.9, 0.4, confidence)
    rows = rng.permutation(5000)[:600]
    found = RightnessPosterior().fit(confidence[rows], rng.random(600) < truth[rows], confidence)
    assert found.predict([0.9])[0] == pytest.approx(0.4, abs=0.1)
    assert found.predict([0.895, 0.905]) == pytest.approx([0.9, 0.9], abs=0.08)


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


def test_another_one_with_the_same_settings_has_learned_nothing():
    fitted = RightnessPosterior(scale="score", power=0.5).fit([1.0, 2.0, 3.0], [False, True, True])
    fresh = fitted.copy_settings()
    assert fresh.get_params() == fitted.get_params()
    with pytest.raises(NotFittedError, match="This RightnessPosterior is not fitted: call fit"):
        fresh.predict([1.5])
    with pytest.raises(NotFittedError, match="This RightnessPosterior is not fitted: call fit"):
        fresh.draw_departures(3, np.random.default_rng(0))
    again = fresh.fit([1.0, 2.0, 3.0], [False, True, True])
    assert again.predict([1.5]).tolist() == fitted.predict([1.5]).tolist()
