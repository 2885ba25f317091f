"""Cost matrices: round trips through costs.json, relabelling, and every way a file can be wrong."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import CostsError, InputError
from askpoint.measures.cost_matrix import CostMatrix

AMOUNTS = st.integers(0, 3).map(float) | st.integers(0, 10**9).map(lambda n: n / 1000)
JSON_OBJECTS = st.dictionaries(
    st.text(max_size=5),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(-1e9, 1e9) | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3),
        max_leaves=4,
    ),
    max_size=3,
)


@st.composite
def cost_matrices(draw) -> CostMatrix:
    names = draw(st.lists(st.text(max_size=6), min_size=2, max_size=5, unique=True))
    k = len(names)
    right = np.array(draw(st.lists(AMOUNTS, min_size=k, max_size=k)))
    extra = np.array(draw(st.lists(AMOUNTS, min_size=k * k, max_size=k * k))).reshape(k, k)
    extra[np.diag_indices(k)] = 0
    extra[0, 1] += 1
    reject = draw(st.none() | AMOUNTS | st.lists(AMOUNTS, min_size=k, max_size=k))
    return CostMatrix(
        names, right[:, None] + extra, reject, draw(st.text(max_size=8)),
        draw(JSON_OBJECTS), draw(JSON_OBJECTS),
    )  # fmt: skip


def file(**changes) -> str:
    """Text of a good costs.json with some entries changed; None removes one."""
    content = {
        "classes": ["ham", "spam"],
        "rows": "truth",
        "columns": "decision",
        "cost": {"ham": {"ham": 0, "spam": 5}, "spam": {"ham": 1, "spam": 0}},
        "reject_cost": 0.5,
        "unit": "EUR",
        **changes,
    }
    return json.dumps({name: value for name, value in content.items() if value is not None})


# -------------------------------------------------------------------------------- the laws


@settings(deadline=None)
@given(cost_matrices())
def test_costs_survive_their_file(costs):
    text = costs.to_json()
    again = CostMatrix.from_json(text)
    assert again == costs
    assert hash(again) == hash(costs)
    assert again.to_json() == text
    assert again.cost.tolist() == costs.cost.tolist()
    assert (again.classes, again.unit) == (costs.classes, costs.unit)
    assert (again.interval, again.source) == (costs.interval, costs.source)
    if costs.reject_cost is None:
        assert again.reject_cost is None
    else:
        assert again.reject_costs.tolist() == costs.reject_costs.tolist()


@settings(deadline=None)
@given(cost_matrices(), st.data())
def test_relabelling_permutes_the_costs_and_back(costs, data):
    names = data.draw(st.permutations(costs.classes))
    turned = costs.reorder(names)
    assert turned.classes == tuple(names)
    for i, row in enumerate(names):
        old = costs.classes.index(row)
        for j, column in enumerate(names):
            assert turned.cost[i, j] == costs.cost[old, costs.classes.index(column)]
        if costs.reject_cost is not None:
            assert turned.reject_costs[i] == costs.reject_costs[old]
    assert turned.reorder(costs.classes) == costs


@pytest.mark.no_cover
@settings(deadline=None)
@given(cost_matrices(), st.sampled_from([0.25, 2.0, 1024.0]))
def test_another_unit_scales_every_amount(costs, factor):
    scaled = costs.scale(factor, "cents")
    assert scaled.unit == "cents"
    assert scaled.cost.tolist() == (costs.cost * factor).tolist()
    if costs.reject_cost is not None:
        assert scaled.reject_costs.tolist() == (costs.reject_costs * factor).tolist()
    assert scaled.scale(1 / factor, costs.unit) == costs


def test_the_file_names_its_axes():
    costs = CostMatrix(["ham", "spam"], [[0, 5], [1, 0]], [0.5, 0.25], "EUR", {}, {"method": "x"})
    assert json.loads(costs.to_json()) == {
        "classes": ["ham", "spam"],
        "rows": "truth",
        "columns": "decision",
        "cost": {"ham": {"ham": 0, "spam": 5}, "spam": {"ham": 1, "spam": 0}},
        "reject_cost": {"ham": 0.5, "spam": 0.25},
        "unit": "EUR",
        "interval": {},
        "source": {"method": "x"},
    }
    assert costs.to_json().endswith("}\n")


def test_the_least_file_is_read():
    costs = CostMatrix.from_json(file(reject_cost=None, unit=None))
    assert costs == CostMatrix(["ham", "spam"], [[0, 5], [1, 0]])
    assert costs.reject_cost is None
    assert costs.unit == ""
    # in any order of rows and cells
    turned = file(cost={"spam": {"spam": 0, "ham": 1}, "ham": {"spam": 5, "ham": 0}})
    assert CostMatrix.from_json(turned) == CostMatrix.from_json(file())
    assert CostMatrix.from_json(file(reject_cost={"spam": 2, "ham": 1})).reject_costs.tolist() == [
        1, 2,
    ]  # fmt: skip


# ------------------------------------------------------------------------------ the object


def test_zero_one_costs_count_mistakes():
    costs = CostMatrix.zero_one("abc", reject_cost=0.1)
    assert costs.cost.tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert costs.reject_costs.tolist() == [0.1, 0.1, 0.1]
    assert costs.unit == "mistakes"


def test_names_are_compared_as_text():
    numbers = CostMatrix([0, 1], [[0, 5], [1, 0]])
    assert numbers == CostMatrix(["0", "1"], [[0, 5], [1, 0]])
    assert numbers == CostMatrix(np.array([0, 1]), [[0, 5], [1, 0]])
    assert numbers.reorder(["1", "0"]).cost.tolist() == [[0, 1], [5, 0]]
    assert numbers != CostMatrix([0, 1], [[0, 4], [1, 0]])
    assert numbers != [[0, 5], [1, 0]]


def test_costs_do_not_change():
    given_costs = np.array([[0.0, 5.0], [1.0, 0.0]])
    source = {"questions": [1, 2]}
    costs = CostMatrix(["ham", "spam"], given_costs, [0.1, 0.2], source=source)
    given_costs[0, 1] = 7
    source["questions"].append(3)
    assert costs.cost[0, 1] == 5
    assert costs.source == {"questions": [1, 2]}
    for array in (costs.cost, costs.reject_cost, costs.reject_costs):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 9
    with pytest.raises(AttributeError):
        costs.unit = "USD"
    assert pickle.loads(pickle.dumps(costs)) == costs  # noqa: S301 (made here)
    assert copy.deepcopy(costs) == costs


# ---------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("cost", "message"),
    [
        ([[0, 1]], "the costs must be square, .* for each of the 2 classes; got 1 x 2"),
        ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], "for each of the 2 classes; got 3 x 3"),
        (3, "the costs must be square, .*; got a single number"),
        ([[0, 1], [1]], "cost must hold numbers in a table without gaps"),
        ([[0, "much"], [1, 0]], "cost must hold numbers in a table without gaps"),
        ([[0, 10**400], [1, 0]], "cost must hold numbers in a table without gaps"),
        ([[0, None], [1, 0]], "cost has a missing or infinite cell; every cell needs a number"),
        ([[0, np.inf], [1, 0]], "cost has a missing or infinite cell; every cell needs a number"),
        ([[0, -1.5], [1, 0]], r"cost must not be negative; got -1\.5; state gains as prices"),
        (
            [[2, 3], [0.5, 1]],
            r"with truth 'spam' the decision 'ham' costs 0\.5, less than the right decision \(1\.0\)",
        ),
        ([[0, 0], [0, 0]], "no mistake costs anything: at least one must cost more than 0"),
        ([[2, 2], [1, 1]], "no mistake costs anything"),
    ],
)
def test_a_matrix_that_is_none_is_refused(cost, message):
    with pytest.raises(CostsError, match=message):
        CostMatrix(["ham", "spam"], cost)


@pytest.mark.parametrize(
    ("reject", "message"),
    [
        (
            [1, 2, 3],
            "reject_cost must be one number, or one for each class as the truth; got 3 for 2",
        ),
        ([[1, 2]], "reject_cost must be one number, or one for each class as the truth"),
        (-1, "reject_cost must not be negative; got -1.0"),
        ("dear", "reject_cost must hold numbers"),
        ([1, np.nan], "reject_cost has a missing or infinite cell"),
    ],
)
def test_a_reject_cost_that_is_none_is_refused(reject, message):
    with pytest.raises(CostsError, match=message):
        CostMatrix(["ham", "spam"], [[0, 1], [1, 0]], reject)


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        (["ham"], r"at least two classes; got 1 \('ham'\)"),
        (["ham", "ham"], "the class 'ham' is named twice"),
        ([1, "1"], "two classes read the same as text: 1, '1'"),
    ],
)
def test_classes_differ_even_as_text(classes, message):
    with pytest.raises(InputError, match=message):
        CostMatrix(classes, [[0, 1], [1, 0]])


@pytest.mark.parametrize("name", ["interval", "source"])
@pytest.mark.parametrize("content", [{"n": np.int64(3)}, {"n": float("inf")}, "text", [1, 2]])
def test_what_comes_along_must_fit_into_the_file(name, content):
    with pytest.raises(CostsError, match=f"{name} must be an object that JSON can hold: "):
        CostMatrix(["ham", "spam"], [[0, 1], [1, 0]], **{name: content})


def test_costs_without_a_reject_cost_say_so():
    with pytest.raises(CostsError, match="these costs say nothing of asking: give reject_cost"):
        _ = CostMatrix.zero_one("ab").reject_costs


@pytest.mark.parametrize("factor", [0, -1, np.nan, np.inf])
def test_a_factor_between_units_is_above_0(factor):
    with pytest.raises(CostsError, match=f"a factor between units must be above 0; got {factor}"):
        CostMatrix.zero_one("ab").scale(factor, "EUR")


def test_other_classes_are_refused():
    message = "the costs are for the classes a, b, but these were given: b, c"
    with pytest.raises(CostsError, match=message):
        CostMatrix.zero_one("ab").reorder(["b", "c"])


HAM = {"ham": 0, "spam": 5}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "costs must be a JSON object: Expecting value"),
        ("{", "costs must be a JSON object: Expecting property name"),
        (file()[:-9], "costs must be a JSON object: "),
        ("[" * 100_000, "costs must be a JSON object: "),
        (file(reject_cost=1).replace("1,", "1" * 5000 + ","), "costs must be a JSON object: "),
        ("[]", "costs must be a JSON object; got list"),
        (file(rows=None), '"rows": "truth" and "columns": "decision"'),
        (file(rows="decision", columns="truth"), "do not show whether the table is transposed"),
        (file(columns=None), "costs must name their axes"),
        (file(classes=None), 'costs must list their "classes" as texts'),
        (file(classes="ham"), 'costs must list their "classes" as texts'),
        (file(classes=[0, 1]), 'costs must list their "classes" as texts'),
        (file(cost=None), 'costs must give "cost" as {truth: {decision: number}}'),
        (file(cost=[[0, 1], [1, 0]]), 'costs must give "cost" as {truth: {decision: number}}'),
        (file(cost={"ham": HAM}), "costs lack the cell truth 'spam', decision 'ham'"),
        (
            file(cost={"ham": HAM, "spam": {"ham": 1}}),
            "lack the cell truth 'spam', decision 'spam'",
        ),
        (file(cost={"ham": HAM, "spam": 1}), "costs lack the cell truth 'spam', decision 'ham'"),
        (
            file(cost={"ham": HAM, "spam": {"ham": None, "spam": 0}}),
            "the cost of truth 'spam', decision 'ham' must be a number; got None",
        ),
        (
            file(cost={"ham": HAM, "spam": {"ham": "1", "spam": 0}}),
            "the cost of truth 'spam', decision 'ham' must be a number; got '1'",
        ),
        (file(cost={"ham": HAM, "spam": {"ham": True, "spam": 0}}), "must be a number; got True"),
        (
            file(cost={"ham": HAM, "spam": {"ham": 1, "spam": 0}, "eggs": 3}),
            "costs name 'eggs', which is not among the classes",
        ),
        (
            file(cost={"ham": HAM, "spam": {"ham": 1, "spam": 0, "eggs": 3}}),
            "costs name 'eggs', which is not among the classes",
        ),
        (file().replace(": 5", ": NaN"), "cost has a missing or infinite cell"),
        (file().replace(": 5", ": Infinity"), "cost has a missing or infinite cell"),
        (file().replace(": 5", ": -5"), r"cost must not be negative; got -5\.0"),
        (file().replace('"spam": 5', '"spam": 5, "spam": 6'), "'spam' is given twice"),
        (file(cost={"ham": {"ham": 9, "spam": 5}, "spam": HAM}), "a mistake must not pay"),
        (file(reject_cost="0.5"), "reject_cost must be a number; got '0.5'"),
        (file(reject_cost=[0.1, 0.2]), r"reject_cost must be a number; got \[0.1, 0.2\]"),
        (file(reject_cost=False), "reject_cost must be a number; got False"),
        (file(reject_cost={"ham": 1}), "reject_cost of 'spam' must be a number; got None"),
        (
            file(reject_cost={"ham": 1, "spam": 1, "eggs": 1}),
            "costs name 'eggs', which is not among the classes",
        ),
        (file(reject_cost=-1), "reject_cost must not be negative; got -1.0"),
        (file(unit=3), 'the "unit" of costs must be a text; got 3'),
        (file(interval=[1, 2]), "interval must be an object that JSON can hold"),
        (file(source="a survey"), "source must be an object that JSON can hold"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(text, message):
    with pytest.raises(CostsError, match=message):
        CostMatrix.from_json(text)


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        ([], "a classifier decides between at least two classes; got 0"),
        (["ham"], r"a classifier decides between at least two classes; got 1 \('ham'\)"),
        (["ham", "ham"], "the class 'ham' is named twice"),
    ],
)
def test_a_file_needs_two_classes(classes, message):
    with pytest.raises(InputError, match=message):
        CostMatrix.from_json(file(classes=classes, cost={name: {name: 0} for name in classes}))
