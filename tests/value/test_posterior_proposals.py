"""Which cases to label next, and what their labels would bring."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.errors import InputError, NotEstimableError
from askpoint.value.posterior.more_labels import saving_of_labels
from askpoint.value.posterior.proposals import propose_cases
from askpoint.value.posterior.rightness import RightnessPosterior


@pytest.fixture
def log(rng):
    confidence = 1 - rng.beta(0.6, 2.2, 3000) / 2
    return confidence, rng.random(3000) < confidence


def logit(c):
    return np.log(c / (1 - c).clip(1e-12))


def test_the_first_labels_are_spread_over_the_range_of_z(log, rng):
    confidence, _ = log
    posterior = RightnessPosterior().fit([], [], confidence)
    chosen = propose_cases(posterior, confidence, 20, rng, checks=20)
    z, all_z = logit(confidence[chosen.rows]).clip(max=8), logit(confidence).clip(max=8)
    stretch = (z - all_z.min()) / np.ptp(all_z)
    counts = np.histogram(stretch, bins=5, range=(0, 1))[0]
    assert (counts >= 1).all()
    assert chosen.chances.max() > 3 * chosen.chances.min()  # where cases lie thinly, most


def test_later_labels_follow_the_boundary(log, rng):
    confidence, right = log
    posterior = RightnessPosterior().fit(confidence[:300], right[:300], confidence)
    boundary = confidence[posterior.predict(confidence) > 0.95].min()
    chosen = propose_cases(posterior, confidence[300:], 50, rng, checks=20)
    distance = np.abs(logit(confidence[300:][chosen.rows]) - logit(boundary))
    every = np.abs(logit(confidence[300:]) - logit(boundary))
    assert np.median(distance) < np.median(every) / 2


@pytest.mark.no_cover
def test_cases_are_different_and_their_chances_are_those_of_inclusion(rng):
    confidence = np.linspace(0.51, 0.99, 40)
    posterior = RightnessPosterior().fit(confidence[::2], [True] * 20, confidence)
    times = np.zeros(40)
    weighted = []
    for _ in range(1000):  # 2% is 3.5 standard errors
        chosen = propose_cases(posterior, confidence, 8, rng, checks=10)
        assert len(set(chosen.rows.tolist())) == 8
        times[chosen.rows] += 1
        weighted.append((confidence[chosen.rows] / chosen.chances).sum())
    all_chosen = propose_cases(posterior, confidence, 40, rng, checks=10)
    assert all_chosen.chances == pytest.approx(1)
    assert sorted(all_chosen.rows.tolist()) == list(range(40))
    assert np.mean(weighted) == pytest.approx(confidence.sum(), rel=0.02)  # Horvitz-Thompson
    assert times.min() > 0  # the uniform share leaves none out
    assert times.sum() == 8 * 1000


def test_all_cases_can_be_proposed_however_sums_are_rounded(rng):
    for n in range(2, 60):
        confidence = 1 - rng.beta(0.6, 2.2, 2 * n) / 2
        posterior = RightnessPosterior().fit(confidence[n:], rng.random(n) < 0.9, confidence)
        chosen = propose_cases(posterior, confidence[:n], n, rng, checks=20)
        assert sorted(chosen.rows) == list(range(n))
        assert (chosen.chances == 1).all()


@pytest.mark.parametrize("checks", [1, 2, 1e9])
def test_any_price_has_its_boundary(checks, log, rng):
    confidence, right = log
    posterior = RightnessPosterior().fit(confidence[:50], right[:50], confidence)
    chosen = propose_cases(posterior, confidence[50:], 10, rng, checks=checks)
    assert ((chosen.chances > 0) & (chosen.chances <= 1)).all()


def test_one_confidence_for_all_and_scores_are_proposed_from_too(rng):
    alike = RightnessPosterior().fit([0.8] * 30, [True] * 30, [0.8] * 100)
    assert len(propose_cases(alike, [0.8] * 70, 5, rng, checks=20).rows) == 5
    none = RightnessPosterior().fit([], [], [0.8] * 100)
    assert len(set(propose_cases(none, [0.8] * 100, 5, rng, checks=20).rows.tolist())) == 5
    scores = rng.normal(size=200)
    ranked = RightnessPosterior().fit(scores[:30], [True, False] * 15, scores)
    assert len(propose_cases(ranked, scores[30:], 5, rng, checks=20).rows) == 5


def test_proposals_that_cannot_be_made_are_refused(log, rng):
    confidence, right = log
    posterior = RightnessPosterior().fit(confidence, right)
    with pytest.raises(NotEstimableError, match="every case has a label"):
        propose_cases(posterior, [], 5, rng, checks=20)
    with pytest.raises(InputError, match="from 1 to 3 cases"):
        propose_cases(posterior, [0.5, 0.6, 0.7], 4, rng, checks=20)
    with pytest.raises(InputError, match="at least 1; got 0"):
        propose_cases(posterior, [0.5], 1, rng, checks=0)


def test_more_labels_bring_more_and_never_more_than_all(log, rng):
    confidence, right = log
    posterior = RightnessPosterior().fit(confidence[:30], right[:30], confidence)
    few, many = (
        saving_of_labels(posterior, n, np.random.default_rng(1), checks=20, n_draws=100)
        for n in (10, 3000)
    )
    assert few.mean < many.mean <= many.at_most
    assert many.mean > 0.5 * many.at_most
    known = RightnessPosterior().fit(confidence, right)
    assert saving_of_labels(known, 100, rng, checks=20).at_most < many.at_most
    nowhere = np.zeros(len(posterior.right_))
    nowhere[0] = 1  # all labels where nothing is in doubt
    useless = saving_of_labels(posterior, 10, rng, checks=20, shares=nowhere)
    assert useless.mean < many.mean
    with pytest.raises(InputError, match="at least 1 label in 2 draws"):
        saving_of_labels(posterior, 0, rng, checks=20)


def test_where_the_verdict_hangs_on_groups_half_follow_what_may_be_lost(log, rng):
    confidence, right = log
    posterior = RightnessPosterior().fit(confidence[:300], right[:300], confidence)
    regret = np.zeros(2700)
    regret[:300] = 2.0
    chosen = propose_cases(posterior, confidence[300:], 60, rng, checks=20, regret=regret)
    inside = chosen.rows < 300
    expected = np.where(inside, 60 * (0.5 / 300 + 0.5 / 2700), 60 * 0.5 / 2700)
    assert chosen.chances == pytest.approx(expected, rel=1e-9)
    assert inside.sum() == pytest.approx(60 * (0.5 + 0.5 / 9), abs=10)
