"""Reasons for not being sure, and notes."""

from __future__ import annotations

import pytest

from askpoint.errors import InputError
from askpoint.labelling.not_sure import LONGEST_NOTE, REASONS, check_note, check_reason


def test_a_reason_is_one_of_four():
    assert [check_reason(name) for name in REASONS] == list(REASONS)
    with pytest.raises(InputError, match="a reason"):
        check_reason("too hard")


def test_a_note_is_short():
    assert check_note(f" {'x' * LONGEST_NOTE}\n") == "x" * LONGEST_NOTE
    with pytest.raises(InputError, match="at most 500 characters; got 501"):
        check_note("x" * (LONGEST_NOTE + 1))
