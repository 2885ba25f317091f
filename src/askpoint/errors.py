"""Everything that askpoint raises on purpose.

::

    AskpointError
    ├── InputError (ValueError)         what was given cannot be used
    │   ├── LogError                    a file or table that cannot be read as a log
    │   │   └── UnknownColumnError      a column that the log does not have
    │   ├── CostsError                  a cost matrix or costs.json that cannot be used
    │   ├── SketchError                 sketches or bytes that do not belong together
    │   ├── NoDeploymentError           a folder or an address without a deployment
    │   ├── ObjectiveError              an objective outside its range, or two of them
    │   └── RuleError                   a move that the rules of Beat the Machine do not allow
    ├── NotificationError               somebody could not be notified; says by what way, and why
    ├── PluginError                     a package that adds to askpoint cannot be loaded
    ├── ModelError                      a model that is played against is down, slow or says nonsense
    ├── StoreError                      decisions cannot be kept: a full disk, a lock, a database that is gone
    ├── ServerError                     a server of askpoint does not answer, or failed
    ├── UnmetError                      nothing in the data meets what was asked; says the best that does
    └── NotEstimableError               the data cannot carry the answer; says what to collect

A message says what was given, what is allowed and what to do.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

__all__ = [
    "AskpointError",
    "CostsError",
    "InputError",
    "LogError",
    "ModelError",
    "NoDeploymentError",
    "NotEstimableError",
    "NotificationError",
    "ObjectiveError",
    "PluginError",
    "RuleError",
    "ServerError",
    "SketchError",
    "StoreError",
    "UnknownColumnError",
    "UnmetError",
]


class AskpointError(Exception):
    """The root of all errors raised by askpoint on purpose."""


class InputError(AskpointError, ValueError):
    """What was given cannot be used; the message says what is allowed."""


class LogError(InputError):
    """A file or table cannot be read as a log of predictions or votes."""


class UnknownColumnError(LogError):
    """The log has no column of that name; the nearest names are suggested.

    Parameters
    ----------
    name : str
        The column that was asked for.
    columns : iterable of str
        The columns that the log has.

    Examples
    --------
    >>> from askpoint.errors import UnknownColumnError
    >>> print(UnknownColumnError("lable", ["id", "label"]))
    the log has no column 'lable'; did you mean 'label'? It has: id, label
    """

    def __init__(self, name: str, columns: Iterable[str]) -> None:
        self.name = name
        self.columns = tuple(columns)
        near = difflib.get_close_matches(name, self.columns, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}? It has: " if near else "it has: "
        shown = ", ".join(self.columns[:20]) + (", ..." if len(self.columns) > 20 else "")
        super().__init__(f"the log has no column {name!r}; {hint}{shown or 'no columns at all'}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what makes it anew in another process."""
        return type(self), (self.name, self.columns), vars(self)


class CostsError(InputError):
    """A cost matrix or a costs.json file cannot be used."""


class SketchError(InputError):
    """Sketches that do not belong together, or bytes that are no sketch."""


class NoDeploymentError(InputError):
    """There is no deployment in the folder, or at the address, that was named."""


class ObjectiveError(InputError):
    """An objective's parameter lies outside its range, or objectives contradict."""


class RuleError(InputError):
    """A move that the rules of Beat the Machine do not allow, now or to this person.

    Parameters
    ----------
    rule : str
        Short name of the rule, which stays the same when the message is reworded.
    message : str
        What was tried, what is allowed and what to do.
    """

    def __init__(self, rule: str, message: str) -> None:
        self.rule = rule
        super().__init__(message)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what makes it anew in another process: an exception is made of its message alone otherwise."""
        return type(self), (self.rule, str(self)), vars(self)


class NotificationError(AskpointError):
    """A notification could not be sent; the message says by what way, and why."""


class PluginError(AskpointError):
    """A package that adds to askpoint cannot be loaded; the message names it and says why."""


class ModelError(AskpointError):
    """A model that is played against is down, slow, or gave no usable answer; try again.

    Parameters
    ----------
    message : str
        What kind of fault it was, and what to do.
    kind : str, default=""
        The kind by a short name that stays the same: ``timeout``, ``refused``, ``bad-answer``.
    detail : str, default=""
        More, for whoever set the model up.
    """

    def __init__(self, message: str, kind: str = "", detail: str = "") -> None:
        super().__init__(message)
        self.kind, self.detail = kind, detail


class ServerError(AskpointError):
    """A server of askpoint does not answer, or failed; try again."""


class StoreError(AskpointError):
    """Decisions cannot be stored: nothing of the call was decided, so send it again."""


class UnmetError(AskpointError):
    """No operating point meets what was asked; the message says the best that does."""


class NotEstimableError(AskpointError):
    """The data cannot carry the answer; the message says what to collect."""
