"""Why a reviewer is not sure what a case is."""

from __future__ import annotations

from collections.abc import Mapping

from askpoint.errors import InputError
from askpoint.measures.inputs import as_choice

__all__ = ["LONGEST_NOTE", "REASONS", "check_note", "check_reason"]

REASONS: Mapping[str, str] = {
    "unclear": "Cannot tell from what is shown",
    "guideline": "The guideline does not say",
    "several": "More than one fits",
    "broken": "Broken or unreadable",
}
"""By name, in words."""

LONGEST_NOTE = 500
"""Characters that a reviewer may write on a case."""


def check_reason(reason: str) -> str:
    """Return a reason, if it is one."""
    return as_choice(reason, tuple(REASONS), "a reason")


def check_note(note: str) -> str:
    """Return a note without the blanks around it, if it is not too long."""
    note = note.strip()
    if len(note) > LONGEST_NOTE:
        raise InputError(f"a note has at most {LONGEST_NOTE} characters; got {len(note)}")
    return note
