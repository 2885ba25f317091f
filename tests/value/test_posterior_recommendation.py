"""From the posterior to an answer: brute force, limits and the verdict."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from askpoint.errors import InputError, ObjectiveError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.intervals import Interval
from askpoint.value.by_class import MinRecall
from askpoint.value.limits import AskAtMost, MaxError
from askpoint.value.posterior.price import Price, draw_checks, draw_costs, draw_people_wrong
from askpoint.value.posterior.prospects import Prospects, draw_prospects, new_cases
from askpoint.value.posterior.recommendation import (
    at_threshold,
    by_capacities,
    by_capacity,
    by_error,
    by_price,
    recommend,
    recommend_at_limit,
)
from askpoint.value.posterior.rightness import RightnessPosterior
from askpoint.value.priced import CheckCost, FBeta, MistakeCost


def certain(right, mass, n_draws=50, n_cases=1e9, n_labelled=1000):
    """Prospects whose draws are all alike: what is expected is known."""
    right, mass = np.array(right), np.array(mass)
    thresholds = np.append(np.linspace(0.5, 0.9, len(mass)), np.inf)
    return Prospects(thresholds, mass, n_cases, n_labelled, right, np.tile(right, (n_draws, 1)))


@pytest.fixture
def log(rng):
    confidence = 1 - rng.beta(0.6, 2.2, 5000) / 2
    return confidence, rng.random(5000) < confidence


def test_the_threshold_is_where_the_mean_of_rightness_crosses_the_price(log, rng):
    confidence, right = log
    posterior = RightnessPosterior().fit(confidence[:200], right[:200], confidence)
    found = draw_prospects(posterior, rng, n_draws=100)
    for checks in (2, 5, 20, 100):
        said = by_price(found, Price(checks), rng)
        answered = posterior.evidence_.lowest >= said.threshold
        assert (answered == (posterior.right_ > 1 - 1 / checks)).all()


def test_shares_and_cost_are_sums_over_the_cases(rng):
    found = certain([0.6, 0.9, 0.99], [0.2, 0.3, 0.5])
    said = by_price(found, Price(20), rng)
    assert said.threshold == found.thresholds[2]
    assert said.asked.mean == pytest.approx(0.5)
    assert said.mistakes.mean == pytest.approx(0.005)
    assert said.risk.mean == pytest.approx(0.01)
    assert said.cost_per_1000.mean == pytest.approx(500 + 20 * 5)
    assert said.saving_per_1000 == pytest.approx(400)
    assert (said.cheaper_than_asking, said.cheaper_than_answering) == (1.0, 1.0)
    assert said.decided
    assert said.reason is None


def test_intervals_are_those_of_new_cases(rng):
    found = certain([0.6, 0.9, 0.99], [0.2, 0.3, 0.5], n_draws=4000)
    few, many = (by_price(found, Price(20), rng, n_new=n) for n in (100, 10_000))
    assert few.asked.low < many.asked.low < 0.5 < many.asked.high < few.asked.high
    assert many.asked.high - many.asked.low == pytest.approx(2 * 1.96 * 0.5 / 100, rel=0.1)
    hardly_seen = by_price(dataclasses.replace(found, n_cases=30), Price(20), rng, n_new=10_000)
    assert hardly_seen.asked.high - hardly_seen.asked.low > 0.2


def test_a_useless_model_is_decided_and_so_is_a_perfect_one(rng):
    useless = by_price(certain([0.4, 0.5], [0.5, 0.5]), Price(20), rng)
    assert (useless.threshold, useless.decided) == (math.inf, True)
    assert useless.asked.mean == 1
    assert useless.risk is None
    perfect = by_price(certain([0.999, 0.999], [0.5, 0.5]), Price(20), rng)
    assert (perfect.threshold, perfect.decided) == (0.5, True)


def test_a_close_question_is_not_decided(rng):
    right = np.array([0.9, 0.952])
    draws = np.column_stack([np.full(200, 0.9), rng.normal(0.952, 0.02, 200).clip(0, 1)])
    found = Prospects(np.array([0.5, 0.9, np.inf]), np.array([0.5, 0.5]), 1e6, 50, right, draws)
    said = by_price(found, Price(20), rng)
    assert (said.decided, said.reason) == (False, "close")
    assert 0.3 < said.cheaper_than_asking < 0.8


def test_one_group_has_nothing_between_its_ends(rng):
    said = by_price(certain([0.99], [1.0]), Price(20), rng)
    assert (said.threshold, said.decided) == (0.5, True)


def test_without_labels_everybody_is_asked_and_nothing_is_decided(log, rng):
    found = draw_prospects(RightnessPosterior().fit([], [], log[0]), rng, n_draws=100)
    for objective in (CheckCost(0.05), MistakeCost(3), FBeta(1), MaxError(0.05)):
        said = recommend(found, objective, rng)
        assert (said.threshold, said.decided, said.reason) == (math.inf, False, "no labels")
    capacity = recommend(found, AskAtMost(0.3), rng)
    assert capacity.reason == "no labels"
    assert capacity.asked.mean <= 0.3


def test_an_uncertain_price_widens_what_is_said_and_can_undo_a_verdict(log, rng):
    confidence, right = log
    posterior = RightnessPosterior().fit(confidence[:400], right[:400], confidence)
    found = draw_prospects(posterior, rng, n_draws=2000)
    sure = by_price(found, Price(20), rng)
    drawn = draw_checks(Interval(5, 80), 2000, rng)
    assert np.quantile(drawn, [0.025, 0.5, 0.975]) == pytest.approx([5, 20, 80], rel=0.15)
    unsure = by_price(found, Price(drawn), rng)
    assert unsure.cost_per_1000.high > sure.cost_per_1000.high
    assert unsure.cheaper_than_asking <= sure.cheaper_than_asking
    assert draw_checks(Interval(20, 20), 5, rng) == pytest.approx(20)
    stated = draw_checks(Interval(5, 80), 2000, rng, middle=10)
    assert np.median(stated) == pytest.approx(10, rel=0.1)
    assert np.log(stated).std() == pytest.approx(np.log(drawn).std(), rel=0.1)
    with pytest.raises(InputError, match="one price, or one for each of 2000 draws; got 3"):
        by_price(found, Price([2, 3, 4]), rng)


def test_people_who_err_are_asked_less(rng):
    found = certain([0.9, 0.97], [0.5, 0.5])
    assert by_price(found, Price(20), rng).asked.mean == 0.5
    erring = by_price(found, Price(20, 0.2), rng)
    assert erring.asked.mean == 0  # people would be wrong more often than the model
    at = at_threshold(found, 2, Price(20, [0.2, 0.0]), rng)
    assert at.cost_per_1000.mean == pytest.approx(1000 * (0.5 * (1 + 20 * 0.2) + 0.5))
    wrong = draw_people_wrong([80, 99], [100, 100], [0.7], np.array([0.5, 0.9]), 3000, rng)
    assert wrong.mean(axis=0) == pytest.approx([20.5 / 101, 1.5 / 101], rel=0.1)
    drawn = by_price(certain([0.9, 0.97], [0.5, 0.5], n_draws=3000), Price(20, wrong), rng)
    assert drawn.asked.mean == 0


def test_f_beta_is_the_greatest_by_brute_force(rng):
    found = certain([0.3, 0.6, 0.9, 0.99], [0.1, 0.2, 0.3, 0.4])
    for beta in (0.3, 0.6, 1, 2):
        said = recommend(found, FBeta(beta), rng)
        scores = {}
        for k, threshold in enumerate(found.thresholds):
            right = sum(found.mass[k:] * found.right[k:])
            scores[threshold] = (1 + beta**2) * right / (1 + beta**2 - sum(found.mass[:k]))
        assert said.threshold == max(scores, key=scores.get)
        assert said.decided


def test_capacity_asks_the_most_that_fits(rng):
    found = certain([0.6, 0.8, 0.9, 0.99], [0.1, 0.2, 0.3, 0.4])
    assert by_capacity(found, 0.35, rng).asked.mean == pytest.approx(0.3)
    assert by_capacity(found, 0.05, rng).asked.mean == 0
    assert by_capacity(found, 1.0, rng).asked.mean == 1
    few = dataclasses.replace(found, n_cases=20)  # a share of 30% may well be 35% tomorrow
    assert by_capacity(few, 0.35, rng).asked.mean == pytest.approx(0.1)
    number = recommend(dataclasses.replace(found, n_cases=1000), AskAtMost(350), rng)
    assert number.asked.mean == pytest.approx(0.3)
    assert number.kept >= 0.9
    with pytest.raises(ObjectiveError, match="share of cases from 0 to 1"):
        by_capacity(found, 2, rng)


def test_a_share_of_mistakes_is_kept_with_probability_or_in_expectation(rng):
    found = certain([0.6, 0.8, 0.9, 0.99], [0.1, 0.2, 0.3, 0.4])
    kept = by_error(found, 0.05, rng)
    assert kept.asked.mean == pytest.approx(0.3)  # (.03 + .004) / .7 = .0486
    assert (kept.kept, kept.decided) == (1.0, True)
    none = by_error(found, 0.005, rng)
    assert (none.threshold, none.decided) == (math.inf, True)
    draws = found.right_draws.copy()
    draws[::5] -= 0.3  # with probability .2 far worse
    unsure = by_error(dataclasses.replace(found, right_draws=draws), 0.05, rng)
    assert unsure.threshold == kept.threshold
    assert (unsure.kept, unsure.reason) == (pytest.approx(0.8), "close")


def test_what_needs_classes_or_counts_is_refused(rng):
    found = certain([0.6, 0.9], [0.5, 0.5])
    for objective in (MinRecall(1, 0.9), MaxError(0.05, delta=0.05)):
        with pytest.raises(ObjectiveError, match="not answered from the posterior of all cases"):
            recommend(found, objective, rng)


def test_odd_prices_are_refused(rng):
    with pytest.raises(ObjectiveError, match="must be at least 1"):
        Price(0.5)
    with pytest.raises(ObjectiveError, match="between 0 and 1"):
        Price(20, -0.1)
    with pytest.raises(ObjectiveError, match="two finite ends above 0"):
        draw_checks(Interval(0, 3), 5, rng)


def costs_with(interval):
    return CostMatrix(["a", "b"], [[0, 2], [1, 0]], 0.1, interval=interval)


def test_costs_are_drawn_by_their_intervals(rng):
    bounds = {"a": [1.0, 4.0], "b": [0.5, 2.0]}
    wide = {"a": [10.0, 40.0], "b": [5.0, 20.0]}
    factor, common = draw_costs(costs_with({"level": 0.9, "cost": bounds}), 4000, rng)
    assert np.quantile(factor, [0.05, 0.95], axis=0) == pytest.approx(
        np.array([[0.5, 0.5], [2, 2]]), rel=0.05
    )
    assert (common == 1).all()
    factor, common = draw_costs(costs_with({"checks": wide}), 4000, rng)
    assert (factor == 1).all()
    assert np.quantile(common, [0.05, 0.95]) == pytest.approx([0.5, 2], rel=0.06)
    _, common = draw_costs(costs_with({"checks": wide, "cost": bounds}), 9, rng)
    assert (common == 1).all()  # all that is not known of the checks is not known of the costs


@pytest.mark.parametrize(
    "content",
    [
        None,
        {"cost": 3},
        {"cost": {"a": [1, 2]}},
        {"cost": {"a": [1, 2], "b": [1]}},
        {"cost": {"a": [1, 2], "b": ["x", "y"]}},
        {"cost": {"a": [1, 2], "b": [0, 1]}},
        {"cost": {"a": [1, 2], "b": [2, 1]}},
    ],
)
def test_what_is_no_interval_of_costs_is_not_taken_for_one(content, rng):
    assert draw_costs(costs_with(content), 5, rng) is None


def test_clusters_make_the_number_of_new_cases_vary_by_their_effect(rng):
    found = dataclasses.replace(certain([0.6, 0.9], [0.5, 0.5]), n_cases=1e9)
    alone, _ = new_cases(found, 1, 1000, rng)
    together, _ = new_cases(dataclasses.replace(found, asked_effect=9.0), 1, 1000, rng)
    draws = len(found.right_draws)
    assert together.mean() == pytest.approx(alone.mean(), abs=4 * 50 / np.sqrt(draws))
    assert together.var() / alone.var() == pytest.approx(9, rel=0.4)


def test_groups_without_a_case_are_left_out():
    counted = RightnessPosterior().fit_counts([0.6, 0.7, 0.9], [3, 0, 5], [2, 0, 1])
    plain = RightnessPosterior().fit_counts([0.6, 0.9], [3, 5], [2, 1])
    np.testing.assert_array_equal(counted.right_, plain.right_)


def counted(labels, wrong, n_labelled=100):
    found = certain([0.6, 0.99], [0.5, 0.5], n_labelled=n_labelled)
    return dataclasses.replace(found, labels=np.array(labels), labels_wrong=np.array(wrong))


def test_answering_all_is_ruled_out_by_labels_and_not_by_the_prior(rng):
    said = by_price(counted([30.0, 70.0], [12.0, 1.0]), Price(5), rng)
    assert (said.decided, said.asked_labels) == (True, (30, 12))
    # P(rate > 1/5) of Beta(w + 1/2, n - w + 1/2), by quadrature
    rates = (np.arange(200_000) + 0.5) / 200_000
    for n, wrong in ((0, 0), (3, 0), (3, 1), (3, 2), (10, 2), (10, 4), (40, 8), (40, 11)):
        density = rates ** (wrong - 0.5) * (1 - rates) ** (n - wrong - 0.5)
        tested = density[rates > 0.2].sum() / density.sum() >= 0.8
        said = by_price(counted([float(n), 100.0 - n], [float(wrong), 1.0]), Price(5), rng)
        assert said.decided == tested, (n, wrong)
        assert said.reason == (None if tested else "untested")
    uncounted = by_price(certain([0.6, 0.99], [0.5, 0.5]), Price(5), rng)
    assert (uncounted.decided, uncounted.asked_labels) == (True, None)


def test_where_people_err_asking_must_beat_more(rng):
    found = counted([40.0, 60.0], [12.0, 0.0])
    assert by_price(found, Price(5), rng).decided
    assert not by_price(found, Price(5, 0.1), rng).decided  # a check costs 1.5: .3 against .3


@pytest.mark.parametrize(("n", "reason"), [(0, "no labels"), (9, "few labels"), (10, None)])
def test_fewer_than_ten_labels_decide_nothing(n, reason, rng):
    found = certain([0.4, 0.5], [0.5, 0.5], n_labelled=n)
    for said in (
        by_price(found, Price(20), rng),
        by_capacity(found, 1.0, rng),
        by_error(found, 0.9, rng),
        recommend(found, FBeta(1), rng),
    ):
        assert said.reason in ((reason,) if reason else (None, "close"))
        assert said.decided == (said.reason is None)
    assert by_price(found, Price(20), rng).reason == reason


def test_several_capacities_are_each_what_one_alone_is(log):
    confidence, right = log
    posterior = RightnessPosterior().fit(confidence[:400], right[:400], confidence)
    found = draw_prospects(posterior, np.random.default_rng(1), n_draws=100)
    limits = (0.05, 0.3, 0.7)
    together = by_capacities(found, limits, np.random.default_rng(8))
    assert together == [by_capacity(found, limit, np.random.default_rng(8)) for limit in limits]
    asked = [one.asked.mean for one in together]
    assert asked == sorted(asked)


def test_at_the_threshold_of_a_limit_no_price_is_said(log):
    confidence, right = log
    posterior = RightnessPosterior().fit(confidence[:400], right[:400], confidence)
    found = draw_prospects(posterior, np.random.default_rng(1), n_draws=100)
    step = len(found.mass) // 2
    priced = at_threshold(found, step, Price(7), np.random.default_rng(8))
    for settled in (True, False):
        said = recommend_at_limit(found, step, 0.93, np.random.default_rng(8), settled=settled)
        assert (said.decided, said.reason) == (settled, None if settled else "close")
        assert (said.threshold, said.kept) == (found.thresholds[step], 0.93)
        assert (said.asked.mean, said.mistakes.mean) == (priced.asked.mean, priced.mistakes.mean)
        assert said.risk == priced.risk
        costs = (said.cost_per_1000, said.cheaper_than_asking, said.cheaper_than_answering)
        assert (*costs, said.saving_per_1000, said.checks) == (None,) * 5
    few = dataclasses.replace(found, n_labelled=3)
    assert not recommend_at_limit(few, step, None, np.random.default_rng(8), settled=True).decided
