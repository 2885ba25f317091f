"""Conditions on columns and words, and the table of where they hold."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from askpoint.errors import InputError
from askpoint.unknowns.conditions import Condition, condition_table, word_stem, words_of

AGE = np.array([20, 30, 40, 50, np.nan, 60])
SEX = np.array(["m", "f", None, "m", "f", np.nan], dtype=object)
TITLE = ["Asians and jobs", "stories", "the asian story", "", "A story, a job!", "Jobs"]


def test_the_table_says_where_each_condition_holds():
    conditions, table = condition_table(
        {"age": AGE, "sex": SEX}, {"title": TITLE}, np.arange(6), least=1
    )
    columns, texts = {"age": AGE, "sex": SEX}, {"title": TITLE}
    for j, condition in enumerate(conditions):
        held = table[:, [j]].toarray().reshape(-1) == 1
        assert (held == condition.holds(columns, texts)).all(), condition
        assert 1 <= held.sum() <= 5
    assert {str(c) for c in conditions} >= {
        "age is missing",
        "age at most 30",
        "age above 50",
        "sex is 'f'",
        "sex is missing",
        "title has 'asian'",
        "title has 'story'",
        "title has 'job'",
    }


def test_values_are_those_of_the_rows_given_and_places_those_of_all():
    conditions, table = condition_table({"sex": SEX}, {}, np.array([0, 3]), least=1)
    assert conditions == ()  # "m" holds for both
    conditions, table = condition_table({"sex": SEX}, {}, np.array([0, 1, 3]), least=1)
    assert [str(c) for c in conditions] == ["sex is 'f'", "sex is 'm'"]
    assert table.toarray()[:, 0].tolist() == [0, 1, 0, 0, 1, 0]


def test_rare_and_common_conditions_are_left_out():
    words = ["common rare", *["common word"] * 4, "common other word"]
    conditions, _ = condition_table({}, {"body": words}, np.arange(6), least=2)
    assert conditions == ()
    conditions, _ = condition_table(
        {}, {"body": [*words, "one", "two", "odd", "x y"]}, np.arange(10), least=2
    )
    assert [c.value for c in conditions] == ["word"]


def test_segments_keep_their_own_name_spaces():
    conditions, table = condition_table(
        {}, {"title": ["asian", "x1", "x2"], "body": ["y1", "asian", "y2"]}, np.arange(3), least=1
    )
    places = {str(c): table.toarray()[:, j].tolist() for j, c in enumerate(conditions)}
    assert places["title has 'asian'"] == [1, 0, 0]
    assert places["body has 'asian'"] == [0, 1, 0]


@pytest.mark.parametrize(
    "values",
    [pd.Series([1, 2, 3, 4]), pl.Series([1, 2, 3, 4]), [1, 2, 3, 4], np.float32([1, 2, 3, 4])],
)
def test_columns_of_any_kind(values):
    conditions, _ = condition_table({"n": values}, {}, np.arange(4), least=2)
    assert [str(c) for c in conditions] == ["n at most 2", "n above 2"]


def test_booleans_are_values_and_an_empty_column_suggests_only_that_it_is():
    conditions, _ = condition_table({"b": [True, False, True, False]}, {}, np.arange(4), least=2)
    assert [str(c) for c in conditions] == ["b is 'False'", "b is 'True'"]
    conditions, _ = condition_table(
        {"n": [np.nan, np.nan, 1.0, 2.0]}, {}, np.array([0, 1]), least=1
    )
    assert conditions == ()


def test_words_and_stems():
    assert words_of("Women's RIGHTS: women, a_b, 2020!") == {"women", "right", "2020"}
    assert words_of("Ünïcode wörter, слова") == {"ünïcode", "wörter", "слова"}
    stems = {"cities": "city", "houses": "house", "glass": "glass", "bus": "bus", "trees": "tree"}
    assert {word: word_stem(word) for word in stems} == stems
    assert str(Condition("text", "is missing")) == "text is missing"


def test_bad_input_is_named():
    with pytest.raises(InputError, match="in columns or in texts"):
        condition_table({}, {}, np.arange(2), least=1)
    with pytest.raises(
        InputError, match="different names and one entry a case: got a \\(2\\), b \\(1\\)"
    ):
        condition_table({"a": [1, 2]}, {"b": ["x"]}, np.arange(2), least=1)
    with pytest.raises(InputError, match="different names"):
        condition_table({"a": [1, 2]}, {"a": ["x", "y"]}, np.arange(2), least=1)
