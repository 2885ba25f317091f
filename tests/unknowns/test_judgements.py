"""What judges said: majorities, and what makes a judged examination unusable."""

import numpy as np
import pytest

from askpoint.errors import InputError
from askpoint.unknowns.examination import ExaminationDesign, draw_examination
from askpoint.unknowns.judgements import check_digest, judged_labels


@pytest.fixture
def drawn():
    rng = np.random.default_rng(1)
    return draw_examination(list("abcdefgh"), rng.random(8), ExaminationDesign("random", 4), rng)


def test_labels_come_in_the_order_of_the_examination(drawn):
    first, second, third, fourth = drawn.items
    rows = [third, first, fourth, second]
    assert judged_labels(drawn, rows, ["ham", "spam", "ham", "ham"]) == (
        "spam",
        "ham",
        "ham",
        "ham",
    )
    assert judged_labels(drawn, rows, [None, "spam", None, "ham"]) == ("spam", "ham")
    assert judged_labels(drawn, [first, first], ["ham", "ham"]) == ("ham",)  # said twice alike
    assert judged_labels(drawn, [], []) == ()


def test_several_judges_decide_by_majority(drawn):
    first, second = drawn.items[:2]
    items = [first, first, first, second, second]
    judges = ["Alice", "Bob", "Charlie", "Alice", "Bob"]
    labels = ["ham", "spam", "spam", "ham", "ham"]
    assert judged_labels(drawn, items, labels, judges) == ("spam", "ham")
    # an undecided judge does not count
    assert judged_labels(drawn, items, ["ham", None, None, "ham", None], judges) == ("ham", "ham")


def test_a_tie_needs_a_further_judge(drawn):
    first = drawn.items.tolist()[0]
    with pytest.raises(
        InputError, match=f"1 of the first 1 cases is tied between judges \\('{first}'\\)"
    ):
        judged_labels(drawn, [first] * 2, ["ham", "spam"], ["Alice", "Bob"])


def test_a_case_judged_twice_with_other_labels_is_refused(drawn):
    first = drawn.items.tolist()[0]
    with pytest.raises(InputError, match=f"'{first}' was judged twice, as 'ham' and as 'spam'"):
        judged_labels(drawn, [first] * 2, ["ham", "spam"])
    with pytest.raises(InputError, match="judged twice by 'Bob', as 'ham' and as 'spam'"):
        judged_labels(drawn, [first] * 2, ["ham", "spam"], ["Bob", "Bob"])


def test_a_case_that_was_left_out_before_others_is_refused(drawn):
    with pytest.raises(
        InputError, match=f"2 of the first 4 cases are left out .'{drawn.items[1]}'"
    ):
        judged_labels(drawn, drawn.items, ["ham", None, None, "spam"])


def test_a_case_that_was_not_drawn_is_refused(drawn):
    with pytest.raises(InputError, match="'z' was judged, but it is none of those drawn"):
        judged_labels(drawn, ["z"], ["ham"])


def test_lists_of_other_lengths_are_refused(drawn):
    with pytest.raises(InputError, match="got 4, 1 and 4"):
        judged_labels(drawn, drawn.items, ["ham"])


def test_an_examination_of_another_log_is_refused(drawn):
    check_digest(drawn, "")
    with pytest.raises(InputError, match="drawn from another log"):
        check_digest(drawn, "sha256:2")
