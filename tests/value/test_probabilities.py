"""From labels and probabilities to the curve, and what cannot be used."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from askpoint.errors import InputError
from askpoint.measures.confidence_measures import CONFIDENCE_MEASURES
from askpoint.value.curve import ValueCurve
from askpoint.value.probabilities import value_curve

THREE = np.array([[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.3, 0.3, 0.4], [0.1, 0.8, 0.1]])


def test_right_and_confidence_are_those_of_the_most_probable_class():
    curve = value_curve(["a", "c", "c", "b"], THREE)
    same = ValueCurve.from_outcomes([1, 0, 1, 1], [0.7, 0.5, 0.4, 0.8])
    assert curve.thresholds.tolist() == same.thresholds.tolist()
    assert curve.right.tolist() == same.right.tolist()
    assert curve.cases.classes == ("a", "b", "c")
    assert curve.cases.truth.tolist() == [0, 2, 2, 1]
    assert curve.cases.predicted.tolist() == [0, 1, 2, 1]
    assert curve.cases.weight is None


def test_a_tie_goes_to_the_first_class_for_two_classes_as_for_three():
    assert value_curve(["a", "b"], [[0.5, 0.5], [0.5, 0.5]]).accuracy == 0.5
    tied = value_curve(["b", "c"], [[0, 0.5, 0.5]] * 2, classes=["a", "b", "c"])
    assert tied.cases.predicted.tolist() == [1, 1]


def test_one_column_is_the_second_class():
    one = value_curve([0, 1, 1], [0.25, 0.75, 0.5])
    two = value_curve([0, 1, 1], [[0.75, 0.25], [0.25, 0.75], [0.5, 0.5]])
    assert one.thresholds.tolist() == two.thresholds.tolist()
    assert one.right.tolist() == two.right.tolist() == [0, 2, 2]


@pytest.mark.parametrize("labels", [["x", "y", "y"], [True, False, True], [2, 1, 2], [2.5, 1, 2.5]])
def test_labels_of_any_kind(labels):
    names = sorted(set(labels))
    p = np.array([[0.1, 0.9], [0.2, 0.8], [0.3, 0.7]])
    for given in (labels, np.array(labels), pd.Series(labels), pd.Series(labels, dtype=object)):
        curve = value_curve(given, p)
        assert curve.accuracy == pytest.approx(2 / 3)
        assert list(curve.cases.classes) == names


def test_classes_may_be_named_and_some_may_have_no_case():
    curve = value_curve(["c", "c", "c", "b"], THREE, classes=["a", "b", "c"])
    assert curve.right[-1] == 2
    assert value_curve(["a"], [[0.9, 0.1]], classes=["a", "b"]).accuracy == 1


@pytest.mark.parametrize("measure", CONFIDENCE_MEASURES)
def test_measures_are_chosen_by_name(measure):
    curve = value_curve(["a", "c", "c", "b"], THREE, confidence=measure)
    phi = CONFIDENCE_MEASURES[measure](THREE)
    assert curve.thresholds[1:].tolist() == sorted(set(phi.tolist()), reverse=True)


def test_two_classes_give_one_curve_whatever_the_measure(rng):
    p = rng.random(200)
    truth = rng.random(200) < p
    curves = [value_curve(truth, p, confidence=measure) for measure in CONFIDENCE_MEASURES]
    assert len({tuple(curve.right) for curve in curves}) == 1


def test_a_measure_of_ones_own_and_weights():
    curve = value_curve(
        ["a", "c", "c", "b"], THREE, confidence=lambda p: p[:, 1], sample_weight=[1, 2, 3, 4]
    )
    assert curve.thresholds[1:].tolist() == [0.8, 0.5, 0.3, 0.2]
    assert curve.right.tolist() == [0, 4, 4, 7, 8]
    assert curve.cases.weight.tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("labels", "p", "options", "message"),
    [
        ([], [], {}, "there is no labelled item"),
        ([], np.empty((0, 2)), {"classes": ["a", "b"]}, "there is no labelled item"),
        (["a", None], [0.1, 0.2], {}, "labels are missing .None., or not all of one kind"),
        (["a", 1], [[0.9, 0.1]] * 2, {"classes": ["a", "b"]}, "the label '?1'? is not among"),
        ([0.0, 1.0, np.nan], [0.1, 0.2, 0.3], {}, "labels are missing .NaN."),
        (
            pd.Series([0, 1, np.nan], dtype=object),
            [[0.2, 0.2, 0.6]] * 3,
            {},
            "labels are missing .NaN.",
        ),
        (pd.Series(["a", pd.NA], dtype="string"), [0.1, 0.2], {}, "labels are missing"),
        (["a", None], [0.1, 0.2], {"classes": ["a", "b"]}, "the label None is not among"),
        (["a", "a"], [0.1, 0.2], {}, "hold 1 class but there are 2 columns.*name the classes"),
        (["a", "b"], THREE[:2], {}, "hold 2 classes but there are 3 columns"),
        (["a", "b"], [0.1, 0.2], {"classes": ["a"]}, "1 classes but 2 columns"),
        (["a", "b"], [0.1, 0.2], {"classes": ["a", "a"]}, "the class 'a' is named twice"),
        (["a", "z"], [0.1, 0.2], {"classes": ["a", "b"]}, "the label 'z' is not among"),
        (["a", "b", "a"], [0.1, 0.2], {}, "labels and probabilities .* got 3 and 2"),
        ([["a"], ["b"]], [0.1, 0.2], {}, "labels must have 1 dimension; got 2"),
        (["a", "b"], [0.1, 1.2], {}, "between 0 and 1; got 1.2 in row 1"),
        (["a", "b"], [[0.9, 0.3], [0.5, 0.5]], {}, "row 0 sums to 1.2, off by 0.2"),
        (["a", "b"], [0.1, np.nan], {}, "probabilities holds 1 missing"),
        (["a", "b"], [0.1, 0.2], {"confidence": "entropy"}, "confidence must be one of"),
        (["a", "b"], [0.1, 0.2], {"confidence": lambda p: p[:1, 0]}, "got 1 for 2 rows"),
        (["a", "b"], [0.1, 0.2], {"sample_weight": [1, -1]}, "weights must be positive"),
    ],
)
def test_bad_input(labels, p, options, message):
    with pytest.raises(InputError, match=message):
        value_curve(labels, p, **options)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
@pytest.mark.parametrize("prefix", ["", "proba_", "model.p "])
def test_a_dataframes_columns_are_found_by_their_names(make, prefix):
    rng = np.random.default_rng(3)
    p = rng.dirichlet([1, 1, 1], 200)
    labels = np.array(["ham", "eggs", "spam"])[[rng.choice(3, p=row) for row in p]]
    named = {f"{prefix}{name}": p[:, k] for k, name in enumerate(["ham", "eggs", "spam"])}
    expected = value_curve(labels, p, classes=["ham", "eggs", "spam"])
    shuffled = make({name: named[name] for name in sorted(named, reverse=True)})
    for settings in ({}, {"classes": ["spam", "ham", "eggs"]}):
        found = value_curve(labels, shuffled, **settings)
        assert found.accuracy == expected.accuracy
        assert (found.right == expected.right).all()


def test_columns_that_name_other_classes_are_refused():
    p = pd.DataFrame({"proba_ham": [0.9, 0.2], "proba_egg": [0.1, 0.8]})
    with pytest.raises(InputError, match="name some of the classes eggs, ham, but not all"):
        value_curve(["ham", "eggs"], p)


def test_columns_without_names_of_classes_keep_their_order():
    p = np.array([[0.9, 0.1], [0.2, 0.8]])
    for frame in (pd.DataFrame(p), pd.DataFrame(p, columns=["first", "second"])):
        assert value_curve([0, 1], frame).accuracy == 1
        assert value_curve(["a", "b"], frame).accuracy == 1
    assert value_curve([0, 1], pd.DataFrame({"p": [0.1, 0.8]})).accuracy == 1
    # polars and pandas number the columns of an array: the classes are as the user says
    assert value_curve([0, 1], pl.DataFrame(p[:, ::-1]), classes=[1, 0]).accuracy == 1
    assert value_curve([0, 1], pd.DataFrame(p[:, ::-1]), classes=[1, 0]).accuracy == 1
    # numbers that count columns from 0 say nothing of classes that count from 1
    assert value_curve([1, 2], pd.DataFrame(p)).accuracy == 1
