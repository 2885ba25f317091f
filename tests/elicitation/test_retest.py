"""Questions put again: the same ones, turned round, each once, and counted as people mean it."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.elicitation.abstention import AbstentionOffer
from askpoint.elicitation.disagreement import disagreement_of
from askpoint.elicitation.mistakes import mistakes_questionnaire
from askpoint.elicitation.questionnaire import Question
from askpoint.elicitation.retest import retest_questionnaire
from askpoint.errors import InputError
from askpoint.measures.intervals import Interval, binomial_interval


def interview(answers):
    rng = np.random.default_rng(0)
    proba = rng.dirichlet(np.ones(3), 200)
    y = [rng.choice(3, p=p) for p in proba]
    first = mistakes_questionnaire(y, proba, rng, n_questions=len(answers))
    for answer in answers:
        first.answer(answer)
    return first.asked


def test_who_answers_as_before_agrees_and_who_turns_round_does_not():
    asked = interview([True, False, True, None, True, True])
    before = {question.second.tobytes(): answer for question, answer in asked}
    for turned, agreeing in ((False, 5), (True, 0)):
        again = retest_questionnaire(asked, np.random.default_rng(1), n_questions=20)
        seen = set()
        while (question := again.question) is not None:
            seen.add(question.digest)
            said = before[question.first.tobytes()]  # what was the second is the first now
            again.answer(said if turned else not said)
        assert len(seen) == 5  # what was about equal is not put again
        assert (again.estimate.n, again.estimate.agreeing) == (5, agreeing)
        assert again.estimate.interval == binomial_interval(agreeing, 5, level=0.9)


def test_about_equal_agrees_with_either_and_a_question_put_twice_counts_once():
    ((question, _),) = interview([True])
    swapped = Question(question.second, question.first, question.topic, question.details)
    again = retest_questionnaire([(question, True), (swapped, True)], np.random.default_rng(0))
    assert again.remaining == 1
    again.answer(None)
    assert again.estimate.agreeing == 1


def test_offers_have_no_sides():
    offer = AbstentionOffer(20, 14).question()
    again = retest_questionnaire([(offer, True)], np.random.default_rng(0))
    assert (again.question.first == offer.first).all()
    again.answer(True)
    assert again.estimate.agreeing == 1


def test_nothing_to_put_again_is_refused():
    with pytest.raises(InputError, match="none to put again"):
        retest_questionnaire(interview([None]), np.random.default_rng(0))
    with pytest.raises(InputError, match="at least one question; got 0"):
        retest_questionnaire(interview([True]), np.random.default_rng(0), n_questions=0)


def test_people_share_what_lies_in_all_their_intervals():
    people = [("a", 4.0, Interval(2, 9)), ("b", 8.0, Interval(5, 12)), ("c", 2.0, Interval(1, 6))]
    found = disagreement_of(people)
    assert (found.least[0], found.most[0], found.factor) == ("c", "b", 4.0)
    assert found.shared == Interval(5, 6)
    assert disagreement_of([*people, ("d", 20.0, Interval(15, 30))]).shared is None
    with pytest.raises(InputError, match="takes two people; got 1"):
        disagreement_of(people[:1])
