"""What becomes of a case that a model gives no answer to, in words for people.

What a model's exception says goes to the log, whole; people read what kind of fault it was, for a
model may say anything, also what nobody is meant to read.
"""

from __future__ import annotations

from askpoint.errors import ModelError

__all__ = ["FAULTS", "fault_error"]

_AGAIN = "; try again in a moment"

FAULTS = {
    "busy": f"the model has too much to do just now{_AGAIN}",
    "timeout": f"the model did not answer in time{_AGAIN}",
    "unreachable": f"the model cannot be reached{_AGAIN}",
    "refused": "the model refuses to be asked; the organiser can see to it",
    "failed": "the model failed on this; try again, or try another case",
    "bad-answer": "the model gave no usable answer; try again, or try another case",
    "stopped": f"the model stopped while it was asked{_AGAIN}",
    "not-running": f"the model is not running just now{_AGAIN}",
    "no-image": "the image was deleted; upload it again",
    "set-aside": "the model stopped or hung on this very case before, so it is not asked it again; "
    "try another one",
}
"""By the kind of fault."""


def fault_error(kind: str, detail: str = "") -> ModelError:
    """Return the error that says what kind of fault it was; whoever set it up reads the detail."""
    return ModelError(FAULTS[kind], kind, detail)
