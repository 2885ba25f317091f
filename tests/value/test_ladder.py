"""A ladder learned from few labels: its laws, its guard, and rungs that are no good."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from askpoint.errors import NotEstimableError, ObjectiveError
from askpoint.value.ladder import choice as choice_module, learning, prospects
from askpoint.value.ladder.choice import choose_ladder, held_out_costs, held_out_walk
from askpoint.value.ladder.learning import LadderCases, learn_ladder, single_rung
from askpoint.value.ladder.outputs import RungOutputs, log_answers, share_right
from askpoint.value.ladder.pooling import pool
from askpoint.value.ladder.prospects import ladder_prospects
from askpoint.value.ladder.stages import ANSWER, ASK
from askpoint.value.posterior.rightness_model import RightnessModel
from value.ladder_worlds import make_cases


def with_prices(cases, *prices):
    return replace(cases, prices=np.array(prices))


def calls_of(cases, rng):
    return [share.mean for share in choose_ladder(cases, rng).prospects.calls]


def test_a_useful_ladder_is_used_and_saves_on_cases_it_did_not_see(rng):
    cases = make_cases(rng, (1.0, 2.5), (0.01, 0.25), n=4000, n_labelled=400)
    choice = choose_ladder(cases, rng)
    assert choice.guard.is_used
    unseen = np.arange(1000, 4000)
    true, alone = (
        held_out_costs(cases, rule, unseen).mean()
        for rule in (choice.learned, single_rung(learn_ladder(cases, rng), cases))
    )
    assert true < alone - 0.03
    low, high = choice.prospects.cost_per_1000[1:]
    assert low < 1000 * true < high


def test_a_ladder_of_one_is_the_threshold_of_its_posterior(rng):
    cases = make_cases(rng, (1.5,), (0.05,))
    learned = learn_ladder(cases, rng)
    p = np.exp(cases.outputs.log_p[0])
    confidence = p.max(axis=1) / p.sum(axis=1)
    known = cases.labelled
    q = (
        RightnessModel(scale="probability")
        .fit(confidence[known], p.argmax(axis=1)[known] == cases.label[known], confidence)
        .predict(confidence)
    )
    walk = learned.ladder.walk(cases.outputs)
    assert ((walk.action == ANSWER) == (20 * (1 - q) <= 1)).all()
    assert learned.cost == pytest.approx(0.05 + np.minimum(20 * (1 - q), 1).mean())
    choice = choose_ladder(cases, rng)
    assert not choice.guard.is_used
    assert choice.learned.ladder.first == 0


def test_a_copy_of_a_rung_is_not_paid_for(rng):
    cases = make_cases(rng, (1.5,), (0.02,))
    twice = RungOutputs(
        *(np.repeat(part, 2, axis=0) for part in (cases.outputs.log_p, cases.outputs.seen))
    )
    choice = choose_ladder(replace(cases, outputs=twice, prices=np.array([0.02, 0.1])), rng)
    assert choice.prospects.calls[1].mean == 0
    assert not choice.guard.is_used


def test_a_perfect_cheap_rung_is_called_alone_and_nobody_is_asked(rng):
    cases = make_cases(rng, (1.0, 400.0), (0.01, 0.02), n_labelled=600)
    choice = choose_ladder(cases, rng)
    assert choice.learned.ladder.first in (0, 1)
    assert choice.prospects.calls[1].mean > 0.5
    assert choice.prospects.asked.mean < 0.1


def test_a_rung_dearer_than_people_is_never_called(rng):
    calls = calls_of(with_prices(make_cases(rng), 0.01, 1.5), rng)
    assert calls[1] == 0


def test_where_every_rung_is_dearer_than_people_people_are_asked_at_once(rng):
    choice = choose_ladder(with_prices(make_cases(rng), 1.5, 2.0), rng)
    assert choice.learned.ladder.first == ASK
    assert choice.prospects.cost_per_1000 == (1000, 1000, 1000)
    assert choice.prospects.asked.mean == 1


def test_free_rungs_cost_mistakes_and_people_only(rng):
    cases = with_prices(make_cases(rng), 0.0, 0.0)
    told = choose_ladder(cases, rng).ladder
    assert told.cost_per_1000.mean >= 1000 * told.asked.mean


def test_a_rung_that_was_never_called_where_there_are_labels_is_refused(rng):
    cases = make_cases(rng)
    seen = cases.outputs.seen.copy()
    seen[1, cases.labelled] = False
    with pytest.raises(NotEstimableError, match="rung 2"):
        learn_ladder(replace(cases, outputs=RungOutputs(cases.outputs.log_p, seen)), rng)


@pytest.mark.parametrize("checks", [0.5, np.inf, np.nan])
def test_a_mistake_that_costs_less_than_a_check_is_refused(rng, checks):
    with pytest.raises(ObjectiveError, match="at least 1"):
        replace(make_cases(rng), checks=checks)


def test_more_rungs_never_raise_the_expected_cost(rng):
    cases = make_cases(rng, (0.8, 1.2, 2.0), (0.01, 0.05, 0.2))
    learned = learn_ladder(cases, rng)
    assert learned.cost <= single_rung(learned, cases).cost + 1e-12


def test_outputs_of_rungs_that_are_not_called_change_nothing(rng):
    cases = make_cases(rng)
    ladder = learn_ladder(cases, rng).ladder
    walk = ladder.walk(cases.outputs)
    skipped = walk.state == 1 << ladder.first
    other = cases.outputs.log_p.copy()
    other[1 - ladder.first, skipped] = other[1 - ladder.first, skipped][:, ::-1]
    again = ladder.walk(RungOutputs(other, cases.outputs.seen))
    for before, after in zip(walk, again, strict=True):
        assert (before == after).all()


def test_a_walk_stops_where_an_output_is_missing_and_goes_on_with_it(rng):
    cases = make_cases(rng)
    ladder = learn_ladder(cases, rng).ladder
    whole = ladder.walk(cases.outputs)
    seen = cases.outputs.seen.copy()
    seen[1 - ladder.first] = False
    part = ladder.walk(RungOutputs(cases.outputs.log_p, seen))
    waits = part.action >= 0
    assert waits.any()
    assert (part.action[waits] == 1 - ladder.first).all()
    assert (whole.state[waits] == 3).all()
    assert (part.action[~waits] == whole.action[~waits]).all()


def test_no_case_is_walked_by_a_rule_that_saw_its_label(rng):
    cases = make_cases(rng, n=400, n_labelled=120)
    rows, walk = held_out_walk(cases, np.random.default_rng(1), is_ladder=True)
    assert rows.tolist() == list(range(120))
    for case in (0, 17, 119):
        label = cases.label.copy()
        label[case] = 1 - label[case]
        _, again = held_out_walk(
            replace(cases, label=label), np.random.default_rng(1), is_ladder=True
        )
        assert all(a[case] == b[case] for a, b in zip(walk, again, strict=True))


def test_shares_are_counts_where_every_output_is_there(rng):
    cases = make_cases(rng)
    learned = learn_ladder(cases, rng)
    told = ladder_prospects(cases, learned, rng)
    walk = learned.ladder.walk(cases.outputs)
    assert told.asked.mean == pytest.approx((walk.action == ASK).mean())
    for rung, share in enumerate(told.calls):
        assert share.mean == pytest.approx((walk.state >> rung & 1).mean())


def test_outputs_on_a_sample_stand_for_the_others(rng):
    cases = make_cases(rng, n=6000, n_labelled=300)
    learned = learn_ladder(cases, rng)
    whole = ladder_prospects(cases, learned, np.random.default_rng(0))
    seen = cases.outputs.seen.copy()
    seen[1, 2000:] = False
    some = replace(cases, outputs=RungOutputs(cases.outputs.log_p, seen))
    again = learn_ladder(some, np.random.default_rng(0))
    told = ladder_prospects(some, again, np.random.default_rng(0))
    assert sum(share.mean for share in told.calls) > 1.2
    assert told.cost_per_1000.mean == pytest.approx(whole.cost_per_1000.mean, rel=0.12)
    assert told.asked.mean == pytest.approx(whole.asked.mean, abs=0.05)


def test_people_who_err_make_asking_dearer(rng):
    cases = make_cases(rng)
    few = choose_ladder(cases, rng).prospects.asked.mean
    fewer = choose_ladder(replace(cases, asking=1 + 20 * 0.1), rng).prospects.asked.mean
    assert fewer < few


def test_a_person_without_a_confidence_is_a_rung(rng):
    cases = make_cases(rng, (1.0,), (0.01,), n_labelled=400)
    said = np.where(rng.random(len(cases.label)) < 0.97, cases.label, 1 - cases.label)
    log_p = np.stack([cases.outputs.log_p[0], log_answers(said, 0.97, 2)])
    both = LadderCases(
        RungOutputs(log_p, np.ones(log_p.shape[:2], bool)),
        cases.labelled,
        cases.label,
        np.array([0.01, 0.3]),
        10.0,
    )
    told = choose_ladder(both, rng).prospects
    assert 0.05 < told.calls[1].mean < 1
    assert told.cost_per_1000.mean < 1000


def test_the_stated_cost_is_that_of_the_folds_where_it_is_dearer(rng):
    cases = make_cases(rng)
    learned = learn_ladder(cases, rng)
    told = ladder_prospects(cases, learned, rng)
    dearer = ladder_prospects(cases, learned, rng, at_least=1.0)
    assert dearer.cost_per_1000.mean == pytest.approx(1000)
    assert dearer.mistakes.mean > told.mistakes.mean
    assert (
        ladder_prospects(cases, learned, rng, at_least=0.0).cost_per_1000.mean
        == told.cost_per_1000.mean
    )


def test_cases_without_a_single_output_borrow_those_nearest(rng):
    cases = make_cases(rng, (1.0, 2.5), (0.01, 0.25), n=4000, n_labelled=400)
    learned = learn_ladder(cases, rng)
    calls = learned.ladder.walk(cases.outputs)
    assert learned.ladder.first == 0
    # the dear rung was run where the ladder answers at once, and nowhere else
    seen = cases.outputs.seen.copy()
    seen[1] = calls.state == 1
    some = replace(cases, outputs=RungOutputs(cases.outputs.log_p, seen))
    opinions = dict(learned.opinions)
    opinions[3] = learned.opinions[3]._replace(
        answer=learned.opinions[3].answer[seen[1]],
        confidence=learned.opinions[3].confidence[seen[1]],
    )
    told = ladder_prospects(some, replace(learned, opinions=opinions), rng)
    ends = told.asked.mean + told.mistakes.mean
    assert told.calls[1].mean == pytest.approx((calls.state == 3).mean())
    assert 0 < ends < 1


def test_bins_of_one_value_keep_their_own_mean():
    confidence = np.repeat([0.2, 0.5, 0.9], 20)
    cost = np.repeat([3.0, 2.0, 1.0], 20)
    mean = learning._MeanCost.of(confidence, cost)
    assert mean.at(np.array([0.0, 0.2, 0.5, 0.9, 1.0])).tolist() == [3, 3, 2, 1, 1]


def test_bins_of_several_values_are_smoothed_and_keep_the_whole_mean(rng):
    confidence, cost = rng.random(600), rng.random(600)
    mean = learning._MeanCost.of(confidence, cost)
    raw = np.array([cost[mean.at(confidence) == value].mean() for value in mean.mean])
    assert np.abs(np.diff(mean.mean)).mean() < 0.6 * np.abs(np.diff(raw)).mean()
    assert mean.mean.mean() == pytest.approx(cost.mean(), abs=0.02)


def test_outputs_are_taken_by_rung_and_case():
    outputs = RungOutputs.of([[[0.9, 0.1], None], [[0.0, 1.0], [0.5, 0.5]]], 2)
    assert outputs.seen.tolist() == [[True, False], [True, True]]
    assert np.exp(outputs.log_p[1, 0]) == pytest.approx([1e-4, 1])
    assert outputs.log_p[0, 1].tolist() == [0, 0]
    assert (outputs.n_rungs, outputs.n_items) == (2, 2)


def test_rungs_without_a_confidence_are_right_by_the_rule_of_succession():
    assert share_right(np.array([True, True, False])) == pytest.approx(3 / 5)
    assert share_right(np.zeros(0, bool)) == 0.5


def test_a_saving_within_its_standard_error_is_not_shown(rng, monkeypatch):
    cases = make_cases(rng, n=400, n_labelled=60)

    def costs(cases, learned, rows):
        if learned.ladder.stages.get(3) is None:  # the single rung
            return np.array([1 + 5 * (-1) ** int(row) + 0.01 for row in rows])
        return np.ones(len(rows))

    monkeypatch.setattr(choice_module, "held_out_costs", costs)
    guard = choose_ladder(cases, rng).guard
    assert guard.saved_by_model > 0.01
    assert 0 < guard.saved_by_labels < guard.error
    assert not guard.is_used


def test_mass_without_an_output_goes_to_cases_of_about_its_confidence():
    confidence = np.linspace(0, 1, 600)
    mass = np.where(confidence > 0.5, 1.0, 0.0)
    has_output = np.arange(600) % 3 == 0
    shifted = prospects._shift_to(mass, has_output, confidence)
    assert shifted.sum() == pytest.approx(mass.sum())
    assert not shifted[~has_output].any()
    upper = confidence > 0.75
    assert shifted[upper].sum() == pytest.approx(mass[upper].sum(), rel=0.05)


def test_an_opinion_is_judged_at_weights_of_other_folds(rng, monkeypatch):
    cases = make_cases(rng, n=300, n_labelled=100)
    used = []

    def weigh(log_p, label, prices):
        return np.full(len(log_p), 1.0 * len(label))

    def judge(log_p, weights):
        used.append((log_p.shape[1], int(weights[0])))
        return pool(log_p, weights / weights[0])

    monkeypatch.setattr(learning, "pool_weights", weigh)
    monkeypatch.setattr(learning, "pool", judge)
    learning._learn_state(cases, 3, np.arange(300) % 5)
    assert sorted(used) == [(20, 80)] * 5 + [(300, 100)]
