"""Questionnaires: question out, answer in, left, resumed and replayed."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, strategies as st

from askpoint.elicitation.questionnaire import Question, Questionnaire, QuestionStep
from askpoint.errors import InputError


def number_script(n_bits):
    """Find a number below 2 ** n_bits: the first outcome is better if the number is larger."""
    low, high = 0, 2**n_bits
    for left in range(n_bits, 0, -1):
        middle = (low + high) // 2
        question = Question(np.full((2, 2), middle), np.zeros((2, 2)), "the number", {"at": middle})
        answer = yield QuestionStep(question, (low, high), left)
        low, high = (middle, high) if answer else (low, middle)
    return low, high


def made(n_bits=4, data="data"):
    return Questionnaire(lambda: number_script(n_bits), {"bits": n_bits}, data)


@given(st.lists(st.sampled_from([True, False, None]), max_size=4))
def test_left_anywhere_and_resumed_it_is_the_same(answers):
    whole, resumed = made(), made()
    for answer in answers:
        whole.answer(answer)
    resumed.resume(whole.to_json())
    assert resumed.log == whole.log
    assert resumed.estimate == whole.estimate
    assert resumed.remaining == whole.remaining == 4 - len(answers)
    assert resumed.done == whole.done == (len(answers) == 4)
    assert (resumed.question is None) == whole.done
    replayed = made()
    replayed.replay(whole.log)
    assert replayed.to_json() == whole.to_json()


def test_an_oracle_answers_all_and_its_record_gives_the_same():
    class Larger:
        def prefers(self, first, _second):
            return bool(first[0, 0] <= 11)

    questionnaire = made()
    assert questionnaire.ask(Larger()) == (11, 12)
    assert [entry.answer for entry in questionnaire.log] == [True, False, True, True]
    again = made()
    again.replay(questionnaire.log)
    assert (again.done, again.estimate) == (True, (11, 12))


def test_the_log_cannot_be_changed_from_outside():
    questionnaire = made()
    questionnaire.answer(True)
    assert isinstance(questionnaire.log, tuple)
    with pytest.raises(AttributeError):
        questionnaire.log[0].answer = False


def test_an_answer_after_the_end_is_refused():
    questionnaire = made(1)
    questionnaire.answer(True)
    with pytest.raises(InputError, match="no further answer"):
        questionnaire.answer(True)
    with pytest.raises(InputError, match="no further answer"):
        made(1).replay(questionnaire.log * 2)
    assert len(questionnaire.log) == 1


@pytest.mark.parametrize("answer", ["yes", 1, 0.5])
def test_an_answer_of_another_kind_is_refused(answer):
    questionnaire = made()
    with pytest.raises(InputError, match="True, False or None"):
        questionnaire.answer(answer)
    assert questionnaire.log == ()


def test_a_log_from_other_data_or_settings_is_refused():
    saved = made()
    saved.answer(True)
    with pytest.raises(InputError, match="other labels or probabilities"):
        made(data="others").resume(saved.to_json())
    with pytest.raises(InputError, match="other settings"):
        made(3).resume(saved.to_json())
    with pytest.raises(InputError, match="answer 1 of the log belongs to another question"):
        made(3).replay(saved.log)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"settings": {}, "data": "", "log": [1]}'])
def test_a_text_that_is_no_questionnaire_is_refused(text):
    with pytest.raises(InputError, match="not a saved questionnaire"):
        made().resume(text)


def test_saved_as_plain_json():
    questionnaire = made()
    questionnaire.answer(None)
    content = json.loads(questionnaire.to_json())
    assert set(content) == {"settings", "data", "log"}
    assert content["log"] == [list(questionnaire.log[0])]
