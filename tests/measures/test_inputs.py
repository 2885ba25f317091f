"""Arrays at the door: what passes, bit for bit, and what each refusal says."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import InputError
from askpoint.measures.inputs import (
    as_choice,
    as_classes,
    as_codes,
    as_finite,
    as_level,
    as_probabilities,
    as_right,
    as_same_length,
    as_weights,
)

# ------------------------------------------------------------------------------- as_finite


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats_pass_without_a_copy(dtype):
    array = np.array([0.5, -1], dtype=dtype)
    assert as_finite(array, "x") is array


@pytest.mark.parametrize(
    "values",
    [
        [1, 2],
        (1.0, 2.0),
        np.array([1, 2], dtype=np.uint8),
        np.array([1, 2], dtype=np.float16),
        np.array([1, 2], dtype=np.longdouble),
        [Decimal(1), Fraction(2)],
        ["1", "2.0"],
        np.array(["1", "2"], dtype=np.dtypes.StringDType()),
        pd.Series([1, 2], dtype="Int64"),
        pl.Series([1, 2]),
    ],
)
def test_all_other_numbers_become_float64(values):
    found = as_finite(values, "x")
    assert found.dtype == np.float64
    assert found.tolist() == [1.0, 2.0]


def test_nothing_is_finite():
    assert as_finite([], "x").shape == (0,)
    assert as_finite(np.empty((0, 3)), "x", ndim=2).shape == (0, 3)


@pytest.mark.parametrize(
    ("values", "ndim", "message"),
    [
        ([1, "much"], 1, "x must be numbers: could not convert string to float: .*'much'"),
        ([1, {}], 1, "x must be numbers: "),
        ([1 + 2j], 1, "x must be numbers: Cannot cast array data"),
        (np.array(["2024-01-01"], dtype="M8[D]"), 1, "x must be numbers: Cannot cast array data"),
        ([10**400], 1, "x must be numbers: int too large"),
        ([[1, 2], [3]], 2, "all rows of x must have the same length"),
        (3, 1, "x must have 1 dimension; got a scalar"),
        ([1, 2], 2, "x must have 2 dimensions; got 2"),
        ([[1, 2, 3]], 1, "x must have 1 dimension; got 1 x 3"),
        ([0, np.nan, 1], 1, "x holds 1 missing or infinite value, the first in row 1; fill or rem"),
        ([0, 1, np.inf, np.nan], 1, "x holds 2 missing or infinite values, the first in row 2"),
        ([0, None], 1, "x holds 1 missing or infinite value, the first in row 1"),
        (pd.Series([1, None], dtype="Int64"), 1, "x holds 1 missing or infinite value"),
        (pl.Series([1, None]), 1, "x holds 1 missing or infinite value"),
        (
            [[0, 1], [np.nan, -np.inf]],
            2,
            "x holds 2 missing or infinite values, the first in row 1",
        ),
    ],
)
def test_what_is_not_finite_is_refused(values, ndim, message):
    with pytest.raises(InputError, match=message):
        as_finite(values, "x", ndim=ndim)


# ----------------------------------------------------------------------------- small checks


def test_lengths_agree():
    as_same_length([1, 2], np.zeros((2, 5)), ("a", "b"))
    with pytest.raises(InputError, match="a and b must have one entry per item: got 1 and 2"):
        as_same_length([1], [1, 2], ("a", "b"))


def test_a_choice_is_one_of_the_words():
    assert as_choice("a", ["a", "b"], "measure") == "a"
    with pytest.raises(InputError, match="measure must be one of a, b; got 'c'"):
        as_choice("c", ["a", "b"], "measure")
    with pytest.raises(InputError, match="measure must be one of a, b; got None"):
        as_choice(None, ["a", "b"], "measure")


@pytest.mark.parametrize("value", [1e-12, 0.5, np.float32(0.5), 1 - 1e-12])
def test_a_level_passes_as_a_float(value):
    assert as_level(value, "level") == value
    assert type(as_level(value, "level")) is float


@pytest.mark.parametrize("value", [0, 1, -1, 95, np.nan])
def test_a_level_lies_strictly_between_0_and_1(value):
    with pytest.raises(InputError, match=f"level must be strictly between 0 and 1; got {value}"):
        as_level(value, "level")


def test_weights_pass():
    assert as_weights(None, 3) is None
    assert as_weights([], 0).shape == (0,)
    assert as_weights([1, 2.5], 2).tolist() == [1.0, 2.5]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2, 3], "weights must have one entry per item: got 3 for 2"),
        ([1, 0], "weights must be positive; got 0.0 in row 1; remove rows that should not count"),
        ([-2, 0], "weights must be positive; got -2.0 in row 0"),
        ([1, np.nan], "weights holds 1 missing or infinite value"),
    ],
)
def test_weights_that_are_none_are_refused(weights, message):
    with pytest.raises(InputError, match=message):
        as_weights(weights, 2)


# -------------------------------------------------------------------------------- as_right


@pytest.mark.parametrize(
    "right",
    [
        [True, False],
        [1, 0],
        [1.0, 0.0],
        np.array([1, 0], dtype=np.int8),
        np.array([True, False], dtype=object),
        pd.Series([True, False]),
        pl.Series([True, False]),
    ],
)
def test_outcomes_become_booleans(right):
    found = as_right(right)
    assert found.dtype == np.bool_
    assert found.tolist() == [True, False]


def test_booleans_pass_without_a_copy():
    right = np.array([True, False])
    assert as_right(right) is right


@pytest.mark.parametrize(
    ("right", "message"),
    [
        ([], "there is no labelled item; give at least one"),
        (np.empty(0, dtype=bool), "there is no labelled item; give at least one"),
        ([0, 1, 2], r"right must hold booleans, or zeros and ones; got 2.0 in row 2"),
        ([0, 0.5], r"right must hold booleans, or zeros and ones; got 0.5 in row 1"),
        ([1, None], "right holds 1 missing or infinite value, the first in row 1"),
        ([[True, False]], "right must have 1 dimension; got 1 x 2"),
        (True, "right must have 1 dimension; got a scalar"),
        ([[True], [True, False]], "all rows of right must have the same length"),
        (["yes", "no"], "right must be numbers: "),
    ],
)
def test_outcomes_are_right_or_wrong(right, message):
    with pytest.raises(InputError, match=message):
        as_right(right)


# ---------------------------------------------------------------------- classes and labels


def test_classes_pass_in_their_order():
    assert as_classes(["b", "a"]) == ("b", "a")
    found = as_classes(np.array([2, 1]))
    assert found == (2, 1)
    assert type(found[0]) is int


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        ([], "a classifier decides between at least two classes; got 0$"),
        (["ham"], r"a classifier decides between at least two classes; got 1 \('ham'\)"),
        (["a", "b", "c", "b"], "the class 'b' is named twice"),
        (np.array([1, 1]), "the class 1 is named twice"),
    ],
)
def test_classes_are_two_and_differ(classes, message):
    with pytest.raises(InputError, match=message):
        as_classes(classes)


LABEL_KINDS = [
    st.text(max_size=4).filter(lambda name: not name.endswith("\0")),  # numpy strips those
    st.integers(-(10**6), 10**6),
    st.floats(-1e3, 1e3),
    st.booleans(),
]


@settings(deadline=None)
@given(
    st.sampled_from(LABEL_KINDS)
    .flatmap(lambda kind: st.lists(kind, min_size=2, max_size=6, unique=True))
    .flatmap(lambda names: st.tuples(st.just(names), st.lists(st.sampled_from(names), max_size=12)))
)
def test_codes_are_positions_in_any_dtype(case):
    classes, labels = case
    expected = [classes.index(label) for label in labels]
    for array in (labels, np.array(labels), np.array(labels, dtype=object)):
        found = as_codes(array, classes)
        assert found.dtype == np.int64
        assert found.tolist() == expected
    # relabelling: another order of the classes moves the codes with it
    turned = as_codes(labels, classes[::-1])
    assert (len(classes) - 1 - turned).tolist() == expected


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        ([1.0, 0.0], (0, 1)),
        ([True, False], (0, 1)),
        (np.array([1, 0], dtype=np.uint8), (0, 1)),
        (pd.Series(["b", "a"]), ("a", "b")),
        (pd.Series(["b", "a"], dtype="category"), ("a", "b")),
        (pl.Series(["b", "a"]), ("a", "b")),
    ],
)
def test_equal_labels_of_another_kind_are_found(labels, classes):
    assert as_codes(labels, classes).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["ham", "eggs", "jam"], "the label 'eggs' is not among the classes 'ham', 'spam'"),
        (np.array(["zzz"]), "the label 'zzz' is not among the classes"),
        ([1, 2], "the label 1 is not among the classes 'ham', 'spam'"),
        (["ham", None], "the label None is not among the classes"),
        (pd.Series(["ham", None]), "the label (None|nan) is not among the classes"),
        ([["ham"]], "labels must have 1 dimension; got 2"),
        ([["ham"], ["ham", "spam"]], "all rows of labels must have the same length"),
    ],
)
def test_unknown_labels_are_named(labels, message):
    with pytest.raises(InputError, match=message):
        as_codes(labels, ("ham", "spam"))


def test_missing_numbers_are_no_labels_and_many_classes_are_shortened():
    with pytest.raises(InputError, match=r"the label nan is not among the classes 0.0, 1.0$"):
        as_codes([0.0, np.nan], (0.0, 1.0))
    with pytest.raises(InputError, match=r"classes 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, \.\.\.$"):
        as_codes([-1], tuple(range(12)))


# --------------------------------------------------------------------------- probabilities


def test_probabilities_pass_without_a_copy():
    for dtype in (np.float32, np.float64):
        array = np.array([[0.25, 0.75], [1, 0]], dtype=dtype)
        assert as_probabilities(array, n_classes=2) is array


@pytest.mark.parametrize(
    "second", [[0.25, 1.0], [[0.25], [1.0]], pd.Series([0.25, 1]), pl.Series([0.25, 1])]
)
def test_a_single_column_is_the_second_class(second):
    assert as_probabilities(second).tolist() == [[0.75, 0.25], [0.0, 1.0]]


def test_no_rows_pass():
    assert as_probabilities(np.empty((0, 3))).shape == (0, 3)
    assert as_probabilities([]).shape == (0, 2)


def test_rows_may_be_rounded_to_three_decimals():
    as_probabilities([[0.333, 0.333, 0.333]])
    as_probabilities(np.full((5, 1000), 0.001, dtype=np.float32))
    with pytest.raises(InputError, match=r"sums to 0\.99,"):
        as_probabilities([[0.33, 0.33, 0.33]])


def test_mere_round_off_is_clipped():
    given_rows = np.array([[1 + 1e-7, -1e-7], [0.5, 0.5]])
    found = as_probabilities(given_rows)
    assert found.tolist() == [[1.0, 0.0], [0.5, 0.5]]
    assert given_rows[0, 0] > 1
    assert as_probabilities(np.array([np.float32(1.0000001)])).tolist() == [[0.0, 1.0]]


@pytest.mark.parametrize(
    ("y_proba", "n_classes", "message"),
    [
        ([[0.5, 0.5], [1.5, -0.5]], None, "between 0 and 1; got 1.5 in row 1; normalise scores"),
        ([0.5, -0.25], None, "probabilities must be between 0 and 1; got -0.25 in row 1"),
        ([[0.5], [7]], None, "probabilities must be between 0 and 1; got 7.0 in row 1"),
        ([1.000002], None, "probabilities must be between 0 and 1; got 1.000002 in row 0"),
        (
            [[0.5, 0.5], [0.75, 0.5], [0.5, 0.625]],
            None,
            r"row 1 sums to 1\.25, off by 0\.25 \(2 of 3 rows are off by more than 0\.001\); norm",
        ),
        (np.empty((2, 0)), None, "row 0 sums to 0, off by 1"),
        ([[0.5, 0.5]], 3, "there are 3 classes but 2 columns of probabilities; name one class for"),
        ([0.5], 3, "there are 3 classes but 2 columns of probabilities"),
        ([[0.5, np.nan]], None, "probabilities holds 1 missing or infinite value"),
        ([[0.5, 0.5], [1]], None, "all rows of probabilities must have the same length"),
        ([["a", "b"]], None, "probabilities must be numbers"),
        (0.5, None, "probabilities must have 1 dimension; got a scalar"),
        (np.zeros((2, 2, 2)), None, "probabilities must have 2 dimensions; got 2 x 2 x 2"),
    ],
)
def test_what_is_no_probability_is_refused(y_proba, n_classes, message):
    with pytest.raises(InputError, match=message):
        as_probabilities(y_proba, n_classes=n_classes)


def test_codes_of_classes_that_are_their_own_positions():
    found = as_codes(np.array([2, 0, 1], dtype=np.int8), range(3))
    assert found.dtype == np.int64
    assert found.tolist() == [2, 0, 1]
    assert as_codes(np.array([1.0, 0.0]), [0.0, 1.0]).tolist() == [1, 0]
    for stranger in (-1, 3):
        with pytest.raises(InputError, match=f"the label {stranger} is not among the classes"):
            as_codes([0, stranger], range(3))
    with pytest.raises(InputError, match=r"the label 0\.5 is not among"):
        as_codes([0.0, 0.5], [0.0, 1.0])


class Tensor:
    """Refuses NumPy as torch's tensors do, on another device or with a gradient."""

    def __init__(self, error):
        self.error = error

    def __array__(self, dtype=None, copy=None):
        raise self.error

    def __len__(self):
        return 3


@pytest.mark.parametrize(
    "error",
    [
        TypeError(
            "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor "
            "to host memory first."
        ),
        RuntimeError(
            "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
        ),
    ],
)
@pytest.mark.parametrize(
    "read", [lambda values: as_finite(values, "confidence"), as_right, as_probabilities]
)
def test_tensors_that_numpy_cannot_read_are_refused_with_what_to_do(read, error):
    with pytest.raises(
        InputError, match=r"must be an array that NumPy can read; got Tensor"
    ) as told:
        read(Tensor(error))
    assert str(told.value).endswith("Of a tensor, pass tensor.detach().cpu()")
    assert "\n" not in str(told.value)
