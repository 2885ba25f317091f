"""The paper's algorithms: counts of questions, and what its searches lose; its tables: tests/papers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.elicitation.algorithms.paper import on_sphere
from askpoint.elicitation.families import diagonal_questionnaire, linear_questionnaire
from askpoint.elicitation.metrics import cost_metric, diagonal_metric
from askpoint.elicitation.respondents import ExactRespondent, NoisyRespondent
from askpoint.elicitation.rules import pair_score
from askpoint.errors import InputError
from askpoint.papers.multiclass_elicitation.printed import PRINTED_WEIGHTS, law_of_labels


def sampled(k, n=120, seed=0):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.ones(k), n)
    return np.array([*range(k), *(rng.choice(k, p=p) for p in proba[k:])]), proba


@pytest.mark.parametrize(("k", "count"), [(2, 28), (3, 56), (4, 84), (6, 140)])
def test_the_count_of_questions(k, count):
    questionnaire = diagonal_questionnaire(*sampled(k), method="paper")
    oracle = ExactRespondent(diagonal_metric(np.ones(k)))
    while (question := questionnaire.question) is not None:
        assert questionnaire.remaining == count - len(questionnaire.log)
        questionnaire.answer(oracle.prefers(question.first, question.second))
    assert len(questionnaire.log) == count


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize("make", [diagonal_questionnaire, linear_questionnaire])
def test_the_remaining_questions_are_never_too_few(make, short):
    questionnaire = make(*sampled(2), method="paper", short=short)
    total = questionnaire.remaining
    while not questionnaire.done:
        left = questionnaire.remaining
        questionnaire.answer(len(questionnaire.log) % 3 == 0)
        assert questionnaire.remaining < left
    assert len(questionnaire.log) <= total
    assert len(questionnaire.log) == total or short


@pytest.mark.no_cover
@settings(deadline=None, max_examples=5)
@given(st.integers(0, 10**6))
def test_two_questions_decide_as_four_do_where_nothing_ties(seed):
    """On the population, where every point of the boundary is its own and the metric unimodal."""
    a = np.random.default_rng(seed).dirichlet(np.ones(3))
    law = law_of_labels(3, 4000)
    oracle = ExactRespondent(diagonal_metric(a))
    four, two = (
        diagonal_questionnaire(law, law, method="paper", tolerance=0.05, short=short).ask(oracle)
        for short in (False, True)
    )
    assert (four.weights == two.weights).all()
    b = -np.random.default_rng(seed).dirichlet(np.ones(6))
    four, two = (
        linear_questionnaire(*sampled(3), method="paper", short=short).ask(
            ExactRespondent(cost_metric(b))
        )
        for short in (False, True)
    )
    assert (four.weights == two.weights).all()


def test_both_methods_agree_on_the_population():
    law = law_of_labels(4, 4000)
    oracle = ExactRespondent(diagonal_metric(PRINTED_WEIGHTS[2].truth))
    paper, chord = (
        diagonal_questionnaire(law, law, method=m).ask(oracle) for m in ("paper", "chord")
    )
    assert paper.weights == pytest.approx(chord.weights, abs=0.01)
    assert (paper.n_queries, chord.n_queries) == (84, 21)


def test_no_interval_and_the_reason():
    found = diagonal_questionnaire(*sampled(3), method="paper").ask(ExactRespondent(np.trace))
    assert found.interval is None
    assert "no interval" in found.warnings[0]
    assert "fewer than 5 cases" in found.warnings[1]


def test_error_grows_with_the_square_root_of_the_noise():
    rng = np.random.default_rng(0)
    law = law_of_labels(3, 4000)
    omegas = np.array([0.0003, 0.001, 0.003, 0.01])
    means = []
    for omega in omegas:
        errors = []
        for _ in range(20):
            a = rng.dirichlet(np.ones(3) * 3)
            oracle = NoisyRespondent(diagonal_metric(a), omega, rng)
            found = diagonal_questionnaire(
                law, law, method="paper", tolerance=1e-3, short=True
            ).ask(oracle)
            errors.append(np.abs(found.weights - a).max())
        means.append(np.mean(errors))
    slope = np.polyfit(np.log(omegas), np.log(means), 1)[0]
    assert 0.35 < slope < 0.65


@given(st.lists(st.floats(0, 6.3), min_size=1, max_size=8))
def test_angles_give_unit_vectors(angles):
    vector = on_sphere(np.array(angles))
    assert np.linalg.norm(vector) == pytest.approx(1)
    for i in range(len(angles)):
        expected = np.prod([np.sin(a) for a in angles[:i]]) * np.cos(angles[i])
        assert vector[i] == pytest.approx(expected)


def test_more_cycles_do_better_with_twelve_kinds_of_mistakes():
    y, proba = sampled(4)
    rng = np.random.default_rng(1)
    errors = {2: [], 3: []}
    for _ in range(2):
        a = -np.abs(rng.normal(size=12))
        a /= np.linalg.norm(a)
        for cycles, found in errors.items():
            oracle = ExactRespondent(cost_metric(a))
            estimate = linear_questionnaire(
                y, proba, method="paper", cycles=cycles, short=True
            ).ask(oracle)
            found.append(np.linalg.norm(estimate.weights - a))
            assert any("cycles=3" in text for text in estimate.warnings) == (cycles == 2)
    assert np.mean(errors[3]) < np.mean(errors[2])


def test_no_cycle_and_noise():
    with pytest.raises(InputError, match="cycle"):
        linear_questionnaire(*sampled(2), method="paper", cycles=0)
    oracle = ExactRespondent(np.trace)
    noisy = linear_questionnaire(*sampled(2), method="paper", noise=0.01).ask(oracle)
    assert any("noise 0.01" in text for text in noisy.warnings)


def test_a_question_shows_the_boundary():
    y, proba = sampled(3)
    question = diagonal_questionnaire(y, proba, method="paper").question
    m = question.details["m"][0]
    takes_first = pair_score(proba, 0, 1) >= 1 - m
    assert question.first[0, 0] == pytest.approx(np.mean((y == 0) & takes_first))
