"""What holds of each error: it is one of ours, says its message, and goes whole through a process."""

from __future__ import annotations

import copy
import inspect

import pytest

from askpoint import errors
from askpoint.errors import AskpointError, ModelError, RuleError, UnknownColumnError

ERRORS = [
    one for _, one in inspect.getmembers(errors, inspect.isclass) if issubclass(one, AskpointError)
]


@pytest.mark.parametrize("kind", ERRORS)
def test_an_error_is_the_same_in_another_process(kind):
    made = kind(*{RuleError: ("in-use", "taken"), UnknownColumnError: ("taken", ["free"])}.get(kind, ("taken",)))  # fmt: skip
    again = copy.copy(made)  # as pickle makes it anew
    assert type(again) is kind
    assert (str(again), vars(again)) == (str(made), vars(made))
    assert "taken" in str(again)


def test_a_fault_of_a_model_has_a_kind_and_more_for_whoever_set_it_up():
    plain = ModelError("the model is slow; try again")
    assert (str(plain), plain.kind, plain.detail) == ("the model is slow; try again", "", "")
    named = ModelError("the model is slow", "timeout", "30 s of http://...")
    assert (str(named), named.kind, named.detail) == (
        "the model is slow",
        "timeout",
        "30 s of http://...",
    )
