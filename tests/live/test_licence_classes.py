"""Which class an action is of: nothing odd in its arguments widens one."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st

from askpoint.errors import InputError
from askpoint.live.licences.action_classes import (
    HARMS,
    ActionClass,
    classes_from,
    find_class,
    strictest,
)

DECLARED = [
    {
        "tool": "refund",
        "name": "small",
        "if": {"amount": {"max": 50}, "to": {"in": ["card", "bank"]}},
    },
    {"tool": "refund", "if": {"amount": {"above": 50, "max": 200}}, "harm": "high"},
    {"tool": "send", "if": {"template": True, "mail.to": {"glob": "*@example.org"}}},
    {"tool": "send", "if": {"cc": {"missing": True}, "rows": {"min": 2}}},
    {"tool": "delete_*", "harm": "irreversible", "licence": True},
]
CLASSES = classes_from({"licence": {"classes": DECLARED}})


@pytest.mark.parametrize(
    ("tool", "arguments", "name"),
    [
        ("refund", {"amount": 50, "to": "card"}, "small"),
        ("refund", {"amount": 50.01, "to": "card"}, "amount over 50, amount up to 200"),
        ("refund", {"amount": 200}, "amount over 50, amount up to 200"),
        ("send", {"template": True, "mail": {"to": "ann@example.org"}}, "template True, mail.to glob *@example.org"),
        ("send", {"rows": 2}, "cc missing True, rows from 2"),
        ("delete_account", None, "any"),
    ],
)  # fmt: skip
def test_the_first_class_that_matches(tool, arguments, name):
    found = find_class(CLASSES, tool, arguments)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("refund", None), ("refund", {}), ("refund", {"amount": "50", "to": "card"}),
        ("refund", {"amount": 50}), ("refund", {"amount": True, "to": "card"}),
        ("refund", {"amount": math.nan, "to": "card"}), ("refund", {"amount": [50], "to": "card"}),
        ("refund", {"amount": {"max": 50}, "to": "card"}), ("refund", {"Amount": 5, "to": "card"}),
        ("refund", {"amount": 5, "to": "\u0441ard"}), ("refund", {"amount": 5, "to": "card "}),
        ("refund", {"amount": 1e400, "to": "card"}), ("refund", {"amount": None, "to": "card"}),
        ("Refund", {"amount": 5, "to": "card"}), ("refund ", {"amount": 5, "to": "card"}),
        ("send", {"template": 1, "mail": {"to": "ann@example.org"}}),
        ("send", {"template": "true", "mail": {"to": "ann@example.org"}}),
        ("send", {"template": True, "mail.to": "ann@example.org"}),
        ("send", {"template": True, "mail": ["ann@example.org"]}),
        ("send", {"template": True, "mail": {"to": "ann@example.org.evil"}}),
        ("send", {"rows": 2, "cc": None}), ("undelete_account", {}),
    ],
)  # fmt: skip
def test_nothing_odd_matches(tool, arguments):
    assert find_class(CLASSES, tool, arguments) is None


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=4),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
                    max_leaves=8))  # fmt: skip
def test_only_a_number_up_to_the_limit_is_small(value):
    is_small = find_class(CLASSES[:1], "refund", {"amount": value, "to": "card"}) is not None
    assert is_small == (type(value) is float and value <= 50)


def test_the_worst_harm_wins():
    assert strictest(["low", "irreversible", "none"]) == "irreversible"
    assert strictest([]) is None
    assert HARMS[0] == "none"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("refund", "classes are a list"),
        ({"units": []}, "classes are a list"),
        ([["refund"]], "class 1 names no tool"),
        ([{"tool": "a"}, {"name": "b"}], "class 2 names no tool"),
        (
            [{"tool": "a", "when": 1}],
            "class 1 has 'when'; it may have after, aim, amount, audit, bad, delta_share, deny",
        ),
        ([{"tool": "a", "harm": "grave"}], "a harm is one of none, low"),
        ([{"tool": "a", "bad": 0}], "the price of a bad action is above 0; got 0"),
        ([{"tool": "a", "bad": "40"}], "the price of a bad action is above 0; got '40'"),
        ([{"tool": "a", "amount": 3}], "amount names an argument by its path; got 3"),
        ([{"tool": "a", "after": 3}], "after names a class of the same tool; got 3"),
        ([{"tool": "a", "audit": "never"}], "audits are read before or after the act; got 'never'"),
        ([{"tool": "a", "if": {"x": {"less": 3}}}], "the condition on 'x' is one of is, in, max"),
        ([{"tool": "a", "if": {"x": {"max": "3"}}}], "max of 'x' is a number; got '3'"),
        ([{"tool": "a", "if": {"x": {"in": "abc"}}}], "in of 'x' is a list"),
    ],
)
def test_classes_that_cannot_be(given, message):
    with pytest.raises(InputError, match=message):
        classes_from(given)


def test_a_plain_value_is_a_test_too():
    assert classes_from([{"tool": "a", "if": {"x": 3}}]) == (
        ActionClass("a", "x 3", (("x", "is", 3),)),
    )


@pytest.mark.parametrize(
    ("arguments", "amount"),
    [({"to": {"sum": 12}}, 12.0), ({"to": {"sum": 0}}, 0.0), ({"to": {"sum": -1}}, None), ({"to": {"sum": "12"}}, None),
     ({"to": {"sum": True}}, None), ({"to": {"sum": float("inf")}}, None), ({"to": 12}, None), (None, None)],
)  # fmt: skip
def test_an_amount_is_a_number_of_0_or_more(arguments, amount):
    assert ActionClass("pay", amount="to.sum").amount_of(arguments) == amount
    assert ActionClass("pay").amount_of(arguments) == 0.0


def test_texts_and_flags_are_the_same_only_as_what_they_are():
    yes = ActionClass("t", "yes", (("x", "is", True),))
    assert [yes.matches("t", {"x": one}) for one in (True, 1, "true", False)] == [
        True,
        False,
        False,
        False,
    ]
    word = ActionClass("t", "word", (("x", "in", ["a", 1]),))
    assert [word.matches("t", {"x": one}) for one in ("a", 1, 1.0, "1", "A")] == [
        True,
        True,
        True,
        False,
        False,
    ]
