"""Cases of every kind a learner takes; what judges said on them, and what makes it unusable."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import coo_array, csr_array

from askpoint.errors import InputError
from askpoint.unknowns.cases import (
    are_texts,
    as_cases,
    check_digest,
    labels_in_order,
    stack_cases,
)
from askpoint.unknowns.examination import ExaminationDesign, draw_examination

TEXTS = ["one", "two", "a longer three"]
FEATURES = np.arange(6.0).reshape(3, 2)


@pytest.mark.parametrize("cases", [TEXTS, tuple(TEXTS), np.array(TEXTS), pd.Series(TEXTS)])
def test_texts(cases):
    array = as_cases(cases)
    assert are_texts(array)
    assert array[np.array([2, 0])].tolist() == ["a longer three", "one"]
    assert stack_cases(array, as_cases(["four"])).tolist() == [*TEXTS, "four"]


@pytest.mark.parametrize("cases", [FEATURES, FEATURES.tolist(), coo_array(FEATURES)])
def test_features(cases):
    array = as_cases(cases)
    assert not are_texts(array)
    both = stack_cases(array, as_cases(FEATURES[:1]))
    dense = both.toarray() if hasattr(both, "toarray") else both
    assert dense.tolist() == [*FEATURES.tolist(), [0.0, 1.0]]
    assert stack_cases(as_cases(FEATURES), csr_array(FEATURES)).shape == (6, 2)


@pytest.mark.parametrize(
    ("first", "second"), [(TEXTS, FEATURES), (FEATURES, TEXTS), (FEATURES, FEATURES[:, :1])]
)
def test_kinds_do_not_mix(first, second):
    with pytest.raises(InputError, match="must be texts, or rows of the same features"):
        stack_cases(as_cases(first), as_cases(second))


@pytest.fixture
def drawn():
    rng = np.random.default_rng(1)
    return draw_examination(list("abcdefgh"), rng.random(8), ExaminationDesign("random", 4), rng)


def test_labels_come_in_the_order_of_the_examination(drawn):
    first, second, third, fourth = drawn.items
    rows = [third, first, fourth, second]
    assert labels_in_order(drawn, rows, ["ham", "spam", "ham", "ham"]) == (
        "spam",
        "ham",
        "ham",
        "ham",
    )
    assert labels_in_order(drawn, rows, [None, "spam", None, "ham"]) == ("spam", "ham")
    assert labels_in_order(drawn, [first, first], ["ham", "ham"]) == ("ham",)  # said twice alike
    assert labels_in_order(drawn, [], []) == ()


def test_several_judges_decide_by_majority(drawn):
    first, second = drawn.items[:2]
    items = [first, first, first, second, second]
    judges = ["Alice", "Bob", "Charlie", "Alice", "Bob"]
    labels = ["ham", "spam", "spam", "ham", "ham"]
    assert labels_in_order(drawn, items, labels, judges) == ("spam", "ham")
    # an undecided judge does not count
    assert labels_in_order(drawn, items, ["ham", None, None, "ham", None], judges) == ("ham", "ham")


def test_a_tie_needs_a_further_judge(drawn):
    first = drawn.items.tolist()[0]
    with pytest.raises(
        InputError, match=f"1 of the first 1 cases is tied between judges \\('{first}'\\)"
    ):
        labels_in_order(drawn, [first] * 2, ["ham", "spam"], ["Alice", "Bob"])


def test_a_case_judged_twice_with_other_labels_is_refused(drawn):
    first = drawn.items.tolist()[0]
    with pytest.raises(InputError, match=f"'{first}' was judged twice, as 'ham' and as 'spam'"):
        labels_in_order(drawn, [first] * 2, ["ham", "spam"])
    with pytest.raises(InputError, match="judged twice by 'Bob', as 'ham' and as 'spam'"):
        labels_in_order(drawn, [first] * 2, ["ham", "spam"], ["Bob", "Bob"])


def test_a_case_that_was_left_out_before_others_is_refused(drawn):
    with pytest.raises(
        InputError, match=f"2 of the first 4 cases are left out .'{drawn.items[1]}'"
    ):
        labels_in_order(drawn, drawn.items, ["ham", None, None, "spam"])


def test_a_case_that_was_not_drawn_is_refused(drawn):
    with pytest.raises(InputError, match="'z' was judged, but was not in the sample"):
        labels_in_order(drawn, ["z"], ["ham"])


def test_lists_of_other_lengths_are_refused(drawn):
    with pytest.raises(InputError, match="got 4, 1 and 4"):
        labels_in_order(drawn, drawn.items, ["ham"])


def test_an_examination_of_another_log_is_refused(drawn):
    check_digest(drawn, "")
    with pytest.raises(InputError, match="drawn from another log"):
        check_digest(drawn, "sha256:2")
