"""Questions for people: what comes out, what is put twice, and that a log brings it all back."""

from __future__ import annotations

import json

import numpy as np
import pytest
from unexpected_people import AnchoredPerson

from askpoint.elicitation.families import diagonal_questionnaire
from askpoint.elicitation.metrics import diagonal_metric
from askpoint.elicitation.mistakes import (
    DeployedPairs,
    class_groups,
    mistakes_questionnaire,
)
from askpoint.elicitation.respondents import ExactRespondent
from askpoint.elicitation.samples import Sample
from askpoint.elicitation.simulated_people import SimulatedPerson
from askpoint.errors import InputError, NotEstimableError


def sampled(k, n=500, seed=0):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.ones(k), n)
    return np.array([rng.choice(k, p=p) for p in proba]), proba


DATA = {k: sampled(k) for k in (2, 3, 4)}


def start(k, seed=0, **settings):
    return mistakes_questionnaire(*DATA[k], np.random.default_rng(seed), **settings)


def errors(k, people, **settings):
    """Greatest errors of shares, over a few people."""
    found = []
    for seed in range(people):
        rng = np.random.default_rng(seed)
        a = rng.dirichlet(np.ones(k))
        person = SimulatedPerson(np.diag(a), rng)
        belief = mistakes_questionnaire(*DATA[k], rng, aim="shares", **settings).ask(person)
        found.append(np.abs(belief.cloud.weights - a).max())
    return np.array(found)


@pytest.mark.no_cover
def test_people_are_understood():
    assert np.quantile(errors(3, 12), 0.8) < 0.1


def test_without_mistakes_it_comes_close(rng):
    oracle = ExactRespondent(diagonal_metric([0.7, 0.2, 0.1]))
    belief = mistakes_questionnaire(*DATA[3], rng, n_questions=40).ask(oracle)
    assert belief.cloud.weights == pytest.approx([0.7, 0.2, 0.1], abs=0.04)
    assert belief.reliability.is_good
    low, high = belief.cloud.ratio(0, 2)[1]
    assert low < 7 < high


def test_severities_a_thousand_apart_are_told(rng):
    oracle = ExactRespondent(diagonal_metric([1000, 1]))
    belief = mistakes_questionnaire(*DATA[2], rng, n_questions=30).ask(oracle)
    assert 500 < belief.cloud.ratio(0, 1)[0] < 2000


def test_about_equal_is_worth_an_answer(rng):
    oracle = ExactRespondent(diagonal_metric([0.5, 0.5]), indifference=0.03)
    belief = mistakes_questionnaire(*DATA[2], rng, n_questions=12).ask(oracle)
    assert belief.cloud.weights[0] == pytest.approx(0.5, abs=0.08)


def test_every_tenth_question_is_an_earlier_one_swapped():
    questionnaire = start(3, n_questions=30)
    oracle = ExactRespondent(diagonal_metric([0.5, 0.3, 0.2]))
    asked = []
    while not questionnaire.done:
        question = questionnaire.question
        asked.append(question)
        questionnaire.answer(oracle.prefers(question.first, question.second))
    assert len(asked) == 30
    for place in (9, 19, 29):
        repeat = asked[place]
        assert any(
            np.array_equal(repeat.first, old.second)
            and np.array_equal(repeat.second, old.first)
            and repeat.classifiers == old.classifiers[::-1]
            for old in asked[: place - 3]
        )
    reliability = questionnaire.estimate.reliability
    assert (reliability.n_repeats, reliability.n_agreeing) == (3, 3)


def test_no_question_comes_three_times():
    oracle = ExactRespondent(
        diagonal_metric([1000, 1])
    )  # so that the first question is the plainest
    questionnaire = start(2, n_questions=40)
    asked = []
    while not questionnaire.done:
        question = questionnaire.question
        asked.append(question.details["m"])
        questionnaire.answer(oracle.prefers(question.first, question.second))
    places = (9, 19, 29, 39)
    repeated = [asked[place] for place in places]
    assert len(set(repeated)) == 4
    assert set(repeated) <= {m for i, m in enumerate(asked) if i not in places}


def test_no_two_other_questions_are_the_same():
    questionnaire = start(2, n_questions=9)
    oracle = ExactRespondent(diagonal_metric([0.5, 0.5]))
    questionnaire.ask(oracle)
    assert len({entry.digest for entry in questionnaire.log}) == 9


def test_both_sides_hold_either_class():
    questionnaire = start(2, n_questions=20)
    sides = set()
    while not questionnaire.done:
        question = questionnaire.question
        sides.add(bool(question.first[0, 0] > question.second[0, 0]))
        questionnaire.answer(bool(question.first[0, 0] > 2 * question.second[0, 0]))
    assert sides == {True, False}


@pytest.mark.no_cover
def test_contradictions_throughout_are_a_signal_and_no_crash():
    named = 0
    for seed in range(6):  # a coin may be lucky, six are not
        questionnaire = start(3, seed, n_questions=30, n_checks=4)
        coin = np.random.default_rng(seed)
        while not questionnaire.done:
            questionnaire.answer(bool(coin.random() < 0.5))
        belief = questionnaire.estimate
        named += not belief.reliability.is_good
        assert np.isfinite(belief.cloud.log_weights).all()
    assert named >= 5


def test_only_about_equal_is_no_crash():
    questionnaire = start(3, n_questions=25)
    while not questionnaire.done:
        questionnaire.answer(None)
    assert np.isfinite(questionnaire.estimate.cloud.weights).all()


def test_it_stops_at_a_radius():
    oracle = ExactRespondent(diagonal_metric([0.7, 0.2, 0.1]))
    questionnaire = start(3, n_questions=200, radius=0.1)
    belief = questionnaire.ask(oracle)
    assert len(questionnaire.log) < 40
    assert belief.cloud.radius() < 0.1


def test_checks_at_the_end_confirm_steady_answers(rng):
    oracle = ExactRespondent(diagonal_metric([0.6, 0.3, 0.1]))
    questionnaire = start(3, n_checks=4)
    assert questionnaire.remaining == 24
    belief = questionnaire.ask(oracle)
    assert len(questionnaire.log) == 24
    assert (belief.reliability.n_checks, belief.reliability.n_confirmed) == (4, 4)


def test_whoever_turns_round_at_the_end_is_refuted():
    oracle = ExactRespondent(diagonal_metric([0.6, 0.3, 0.1]))
    questionnaire = start(3, n_checks=4)
    for _ in range(20):
        question = questionnaire.question
        questionnaire.answer(oracle.prefers(question.first, question.second))
    while not questionnaire.done:
        question = questionnaire.question
        questionnaire.answer(not oracle.prefers(question.first, question.second))
    assert "contradicts" in questionnaire.estimate.reliability.signals


def test_left_and_resumed_it_goes_on_as_if_nothing_had_been():
    oracle = ExactRespondent(diagonal_metric([0.6, 0.3, 0.1]))
    whole = start(3, seed=5)
    whole.ask(oracle)
    part = start(3, seed=5)
    for _ in range(7):
        part.answer(oracle.prefers(part.question.first, part.question.second))
    resumed = start(3, seed=5)
    resumed.resume(part.to_json())
    resumed.ask(oracle)
    assert resumed.to_json() == whole.to_json()
    assert np.array_equal(resumed.estimate.cloud.log_weights, whole.estimate.cloud.log_weights)


def test_a_log_from_other_data_or_another_draw_is_refused():
    part = start(3, seed=5)
    part.answer(True)
    other = mistakes_questionnaire(*sampled(3, seed=9), np.random.default_rng(5))
    with pytest.raises(InputError, match="other labels or probabilities"):
        other.resume(part.to_json())
    with pytest.raises(InputError, match="other settings"):
        start(3, seed=6).resume(part.to_json())
    content = json.loads(part.to_json())
    content["log"][0][0] = "0" * 16
    with pytest.raises(InputError, match="answer 1 of the log belongs to another question"):
        start(3, seed=5).resume(json.dumps(content))


def test_an_answer_after_the_end_is_refused():
    questionnaire = start(2, n_questions=1)
    questionnaire.answer(True)
    assert questionnaire.question is None
    with pytest.raises(InputError, match="takes no further answer"):
        questionnaire.answer(True)


# The pairs


def test_pairs_are_what_their_classifiers_do_to_the_sample():
    y, proba = DATA[4]
    sample = Sample.of(y, proba)
    questionnaire = start(4)
    for _ in range(5):
        question = questionnaire.question
        for rule, confusion in zip(
            question.classifiers, (question.first, question.second), strict=True
        ):
            assert sample.confusion(rule) == pytest.approx(confusion, abs=1e-12)
        questionnaire.answer(True)


def test_pairs_trade_two_classes_and_leave_the_others_right_as_often():
    y, proba = DATA[4]
    pairs = DeployedPairs(Sample.of(y, proba), ((0,), (1,), (2,), (3,)))
    from askpoint.elicitation.acquisition import Exchange

    question = pairs(Exchange(3, 1, np.log(4)))
    change = np.diag(question.first - question.second)
    assert change[[0, 2]] == pytest.approx([0, 0], abs=1e-12)
    assert change[3] > 0
    assert change[1] == pytest.approx(-4 * change[3])  # four of class 1 for one of class 3


def test_grouped_classes_share_a_weight(rng):
    oracle = ExactRespondent(diagonal_metric([0.4, 0.1, 0.1, 0.4]))
    belief = mistakes_questionnaire(*DATA[4], rng, groups=[[0, 3], [2, 1]], n_questions=30).ask(
        oracle
    )
    assert belief.cloud.weights == pytest.approx([0.8, 0.2], abs=0.05)


@pytest.mark.parametrize(
    ("groups", "reason"),
    [
        ([["a", "x"]], "no class 'x' to group; there are: a, b, c"),
        ([["a"], ["a", "b"]], "each class is in one group only"),
        ([["a", "a"]], "each class is in one group only"),
        ([[]], "a group names one class at least"),
        ([["c", "a", "b"]], "all classes are in one group"),
    ],
)
def test_impossible_groups_are_refused(groups, reason):
    with pytest.raises(InputError, match=reason):
        class_groups(groups, ["a", "b", "c"])


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"n_questions": 0}, "at least one question"),
        ({"n_checks": -1}, "no negative number of checks"),
        ({"aim": "fame"}, "aim"),
    ],
)
def test_impossible_settings_are_refused(settings, reason):
    with pytest.raises(InputError, match=reason):
        start(2, **settings)


def test_probabilities_that_tell_nothing_are_refused(rng):
    with pytest.raises(NotEstimableError, match=r"do not tell class 0 from class 1"):
        mistakes_questionnaire([0, 1, 0, 1], [0.5] * 4, rng)


# As a method of diagonal_questionnaire


def test_a_person_s_weights_come_with_intervals(rng):
    person = SimulatedPerson(np.diag([0.6, 0.3, 0.1]), rng)
    found = diagonal_questionnaire(*DATA[3], method="bayesian", rng=rng, n_questions=40).ask(person)
    assert found.n_queries == 40
    assert found.weights.sum() == pytest.approx(1)
    assert found.weights == pytest.approx([0.6, 0.3, 0.1], abs=0.08)
    low, high = found.interval.T
    assert ((low < found.weights) & (found.weights < high)).all()
    assert found.warnings == ()
    assert found.metric(np.eye(3) / 3) == pytest.approx(1 / 3)


def test_unreliable_answers_are_a_warning(rng):
    first = AnchoredPerson(ExactRespondent(np.trace), 1.0, rng)
    found = diagonal_questionnaire(*DATA[3], method="bayesian", rng=rng, tolerance=0.001).ask(first)
    assert "the answers look unreliable: " in found.warnings[0]
    assert "first" in found.warnings[0]


def test_a_wide_tolerance_stops_early(rng):
    oracle = ExactRespondent(diagonal_metric([0.6, 0.3, 0.1]))
    found = diagonal_questionnaire(*DATA[3], method="bayesian", rng=rng, tolerance=0.3).ask(oracle)
    assert found.n_queries < 15
    assert found.details["radius"] < 0.3


def test_randomness_is_asked_for():
    with pytest.raises(InputError, match="rng"):
        diagonal_questionnaire(*DATA[2], method="bayesian").ask(ExactRespondent(np.trace))
