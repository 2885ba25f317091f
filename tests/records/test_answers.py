"""What people answered, beside the labels."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from askpoint.errors import LogError, UnknownColumnError
from askpoint.records.logs import read_log

FRAME = pl.DataFrame(
    {
        "label": ["ham", None, "spam", "spam"],
        "proba_ham": [0.9, 0.2, 0.4, 0.3],
        "proba_spam": [0.1, 0.8, 0.6, 0.7],
        "who": ["ham", "spam", None, "ham"],
    }
)


def test_answers_are_positions_in_the_classes_where_somebody_looked():
    log = read_log(FRAME, people="who")
    assert log.people.given.tolist() == [True, True, False, True]
    assert log.people.codes.tolist() == [0, 1, 0]
    assert read_log(FRAME).people is None


@pytest.mark.parametrize("rows", [[3, 0], [2], [], [1, 1, 3]])
def test_some_rows_keep_their_answers(rows):
    part = read_log(FRAME, people="who").take(np.array(rows, dtype=int))
    expected = [FRAME["who"][i] for i in rows]
    codes = iter(part.people.codes.tolist())
    assert [part.classes[next(codes)] if given else None for given in part.people.given] == expected


def test_a_class_that_only_people_name_is_a_class():
    frame = pl.DataFrame(
        {"label": ["a", "b"], "prediction": ["a", "b"], "confidence": [1, 2], "who": ["a", "c"]}
    )
    assert read_log(frame, people="who").classes == ("a", "b", "c")


def test_bad_input():
    with pytest.raises(LogError, match="'who' says 'eggs' in row 3"):
        read_log(FRAME.with_columns(who=pl.Series(["ham", "spam", None, "eggs"])), people="who")
    with pytest.raises(UnknownColumnError, match="'whom'; did you mean 'who'"):
        read_log(FRAME, people="whom")
