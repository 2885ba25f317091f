"""Columns of several models and people, read as rungs."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from askpoint.errors import InputError, LogError, UnknownColumnError
from askpoint.records.ladder_rungs import LadderReader, RungRequest, read_ladder

ROWS = pl.DataFrame(
    {
        "label": ["spam", "ham", None, "spam"],
        "p_small": [0.75, 0.25, 0.5, None],
        "p_large_ham": [0.125, None, 0.5, 0.25],
        "p_large_spam": [0.875, None, 0.5, 0.75],
        "said": ["spam", "ham", "ham", None],
        "sure": [0.875, 0.75, 0.625, None],
        "junior": ["spam", "spam", None, "spam"],
    }
)


def proba_of(log, rung):
    return [
        np.exp(row).round(9).tolist() if seen else None
        for row, seen in zip(log.outputs.log_p[rung], log.outputs.seen[rung], strict=True)
    ]


def test_each_form_of_columns_becomes_probabilities():
    rungs = [
        RungRequest("small", "p_small", 0.01),
        RungRequest("large", "p_large_*", 0.1, 2.0),
        RungRequest("judge", "said+sure", 0.05),
        RungRequest("junior", "junior", 0.4),
    ]
    log = read_ladder(ROWS, rungs, classes=["ham", "spam"])
    assert log.reader.classes == ("ham", "spam")
    assert proba_of(log, 0) == [[0.25, 0.75], [0.75, 0.25], [0.5, 0.5], None]
    assert proba_of(log, 1) == [[0.125, 0.875], None, [0.5, 0.5], [0.25, 0.75]]
    assert proba_of(log, 2) == [[0.125, 0.875], [0.75, 0.25], [0.625, 0.375], None]
    # two of its three labelled answers are right: (2 + 1) / (3 + 2)
    assert proba_of(log, 3) == [[0.4, 0.6], [0.4, 0.6], None, [0.4, 0.6]]
    assert log.labelled.tolist() == [True, True, False, True]
    assert log.label[log.labelled].tolist() == [1, 0, 1]


def test_what_was_read_is_read_alike_from_plain_values():
    log = read_ladder(
        ROWS,
        [RungRequest("small", "p_small", 0), RungRequest("junior", "junior", 1)],
        classes=["ham", "spam"],
    )
    again = LadderReader.from_dict(log.reader.to_dict())
    assert again == log.reader
    outputs = again.read(ROWS)
    assert (outputs.log_p == log.outputs.log_p).all()
    assert (outputs.seen == log.outputs.seen).all()


def test_a_batch_without_the_columns_of_a_rung_has_not_called_it():
    rungs = [RungRequest("small", "p_small", 0), RungRequest("large", "p_large_*", 1)]
    reader = read_ladder(ROWS, rungs, classes=["ham", "spam"]).reader
    assert reader.read(ROWS.select("p_small")).seen.tolist() == [
        [True, True, True, False],
        [False] * 4,
    ]
    with pytest.raises(UnknownColumnError, match="p_large_spam"):
        reader.read(ROWS.select("p_small", "p_large_ham"))


def test_columns_stand_in_the_order_of_the_classes_whatever_theirs():
    log = read_ladder(
        ROWS, [RungRequest("large", "p_large_spam,p_large_ham", 0.1)], classes=["ham", "spam"]
    )
    assert proba_of(log, 0)[0] == [0.125, 0.875]


def test_labels_of_0_and_1_are_told_from_probabilities():
    frame = pl.DataFrame({"label": [0, 1, 1], "p": [0.1, 0.9, 1.0], "vote": [0, 1, 0]})
    log = read_ladder(frame, [RungRequest("model", "p", 0), RungRequest("person", "vote", 0.5)])
    assert [rung.kind for rung in log.reader.rungs] == ["probabilities", "answer"]


@pytest.mark.parametrize(
    ("rungs", "said"),
    [
        (
            [("a", "p_small", -1.0)],
            "price of the rung 'a' must be a finite number, 0 or more; got -1",
        ),
        (
            [("a", "p_small", np.inf)],
            "price of the rung 'a' must be a finite number, 0 or more; got inf",
        ),
        (
            [("a", "p_small", 0.1, -2.0)],
            "time of the rung 'a' must be a finite number, 0 or more; got -2",
        ),
        ([("a", "p_small", 0.1), ("a", "junior", 0.2)], "two rungs are called 'a'"),
        ([("ask", "p_small", 0.1)], "not an action"),
        ([("a+b", "p_small", 0.1)], "no + in it"),
        ([(f"r{i}", "p_small", 0.1) for i in range(6)], "at most 5 rungs; got 6"),
    ],
)
def test_rungs_that_are_none_are_refused(rungs, said):
    with pytest.raises(InputError) as caught:
        read_ladder(ROWS, [RungRequest(*rung) for rung in rungs])
    assert said in str(caught.value)


def test_a_column_that_is_not_there_is_named():
    for columns, missing in (("q_small", "q_small"), ("said+sur", "sur"), ("sai+sure", "sai")):
        with pytest.raises(UnknownColumnError, match=missing):
            read_ladder(ROWS, [RungRequest("a", columns, 0.1)])
    with pytest.raises(UnknownColumnError, match="truth"):
        read_ladder(ROWS, [RungRequest("a", "p_small", 0.1)], label="truth")


def test_half_an_output_is_refused():
    frame = ROWS.with_columns(sure=pl.Series([0.9, None, 0.6, None]))
    with pytest.raises(LogError, match="only in part in row 1"):
        read_ladder(frame, [RungRequest("judge", "said+sure", 0.1)])


def test_a_confidence_that_is_no_probability_is_refused():
    frame = ROWS.with_columns(sure=pl.Series([87.0, 75.0, 60.0, None]))
    with pytest.raises(InputError, match="goes from 60 to 87"):
        read_ladder(frame, [RungRequest("judge", "said+sure", 0.1)])


def test_a_log_without_labels_or_with_one_class_is_refused():
    with pytest.raises(LogError, match="no row has a label"):
        read_ladder(
            ROWS.with_columns(label=pl.lit(None, pl.String)), [RungRequest("a", "p_small", 0.1)]
        )
    one = pl.DataFrame({"label": ["spam", "spam"], "junior": ["spam", "spam"]})
    with pytest.raises(LogError, match="only one class occurs"):
        read_ladder(one, [RungRequest("a", "junior", 0.1)])


def test_rungs_of_other_classes_are_refused():
    frame = ROWS.with_columns(p_big_eggs=0.5, p_big_bacon=0.5)
    with pytest.raises(
        LogError, match="for the classes eggs, bacon, and another rung for ham, spam"
    ):
        read_ladder(
            frame,
            [
                RungRequest("large", "p_large_*", 0.1),
                RungRequest("big", "p_big_eggs,p_big_bacon", 0.1),
            ],
        )


def single(n, *, low_is, classes=("complaint", "other"), seed=0):
    """One column, high where the label is `classes[1]`, or low there."""
    rng = np.random.default_rng(seed)
    second = rng.integers(0, 2, n)
    p = np.clip(0.5 + 0.35 * (2 * second - 1) + rng.normal(0, 0.2, n), 0.01, 0.99)
    label = [classes[code] for code in second]
    return pl.DataFrame({"label": label, "p_small": 1 - p if low_is == classes[1] else p})


def accuracy(log):
    return (log.outputs.log_p[0].argmax(axis=1) == log.label).mean()


@pytest.mark.parametrize("low_is", ["complaint", "other"])
def test_a_single_column_is_read_for_the_class_where_it_is_high_and_this_is_said(low_is):
    log = read_ladder(single(60, low_is=low_is), [RungRequest("small", "p_small", 0.01)])
    high = "other" if low_is == "complaint" else "complaint"
    assert log.reader.classes[log.reader.rungs[0].second] == high
    assert log.notes == (
        f"p_small is read as the probability of {high!r}: it is highest where that is the label",
    )
    assert accuracy(log) > 0.8


def test_classes_that_the_labels_contradict_are_refused_with_the_way_out():
    frame, rungs = single(60, low_is="other"), [RungRequest("small", "p_small", 0.01)]
    with pytest.raises(InputError, match="Add --classes other,complaint"):
        read_ladder(frame, rungs, classes=["complaint", "other"])
    log = read_ladder(frame, rungs, classes=["other", "complaint"])
    assert accuracy(log) > 0.8
    assert log.notes == ()


def test_a_name_that_the_labels_contradict_is_refused():
    frame = single(60, low_is="other").rename({"p_small": "p_other"})
    with pytest.raises(InputError, match="p_other is read as the probability of 'other'"):
        read_ladder(frame, [RungRequest("small", "p_other", 0.01)])
    named = single(60, low_is="complaint").rename({"p_small": "p_other"})
    assert read_ladder(named, [RungRequest("small", "p_other", 0.01)]).notes == ()


def test_a_column_that_knows_nothing_must_be_told_unless_labels_are_yes_and_no():
    rng = np.random.default_rng(5)
    noise = pl.DataFrame({"label": ["a", "b"] * 10, "p_small": rng.random(20)})
    with pytest.raises(InputError, match="cannot be seen from 20 labels: name the classes"):
        read_ladder(noise, [RungRequest("small", "p_small", 0)])
    yes = noise.with_columns(label=pl.Series([0, 1] * 10))
    log = read_ladder(yes, [RungRequest("small", "p_small", 0)])
    assert log.reader.classes == ("0", "1")
    assert log.reader.rungs[0].second == 1
