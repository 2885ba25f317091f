"""Classes of actions: which tool, with which arguments, and what a bad one does."""

from __future__ import annotations

import fnmatch
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from askpoint.errors import InputError

__all__ = ["HARMS", "OTHER", "ActionClass", "classes_from", "find_class", "strictest"]

HARMS = ("none", "low", "medium", "high", "irreversible")
"""What a bad action does, from the mildest."""
OTHER = "other"
"""The class of what no declared class matches: it is never licensed."""
_TESTS = ("is", "in", "max", "above", "min", "glob", "missing")
_KEYS = {"tool", "name", "if", "harm", "bad", "licence"}


@dataclass(frozen=True)
class ActionClass:
    """A kind of action; the first that matches wins.

    Parameters
    ----------
    tool : str
        Name of the tool, or a pattern: ``delete_*``.
    name : str, default="any"
        What it is called beside the tool.
    conditions : tuple of (path, test, value)
        All must hold. A path is dotted; a test is is, in, max, above, min, glob or missing. An argument that is
        missing, or of another type than the test's value, fails it.
    harm : str, optional
        One of none, low, medium, high, irreversible; by default what the tool declares.
    signed : bool, default=False
        Whether somebody signed that this irreversible class may be licensed.

    Examples
    --------
    >>> small = ActionClass("refund", "up to 50", (("amount", "max", 50),))
    >>> small.matches("refund", {"amount": 18.5}), small.matches("refund", {"amount": "18.5"})
    (True, False)
    """

    tool: str
    name: str = "any"
    conditions: tuple[tuple[str, str, Any], ...] = ()
    harm: str | None = None
    signed: bool = False

    def __post_init__(self) -> None:
        if self.harm is not None and self.harm not in HARMS:
            raise InputError(f"a harm is one of {', '.join(HARMS)}; got {self.harm!r:.40}")
        for path, test, value in self.conditions:
            if test not in _TESTS:
                raise InputError(
                    f"the condition on {path!r:.60} is one of {', '.join(_TESTS)}; got {test!r:.40}"
                )
            if test in ("max", "above", "min") and not _is_number(value):
                raise InputError(f"{test} of {path!r:.60} is a number; got {value!r:.40}")
            if test == "in" and not isinstance(value, list | tuple):
                raise InputError(f"in of {path!r:.60} is a list; got {value!r:.40}")

    def matches(self, tool: str, arguments: Mapping[str, Any] | None) -> bool:
        """Say whether an action is of this class."""
        if not fnmatch.fnmatchcase(tool, self.tool):
            return False
        return all(_holds(_find(arguments, path), test, it) for path, test, it in self.conditions)


_MISSING = object()


def find_class(
    classes: Sequence[ActionClass], tool: str, arguments: Mapping[str, Any] | None
) -> ActionClass | None:
    """Return the first class that matches an action; None if none does."""
    return next((one for one in classes if one.matches(tool, arguments)), None)


def strictest(harms: Sequence[str]) -> str | None:
    """Return the worst of some harms, or None of none."""
    return max(harms, key=HARMS.index, default=None)


def classes_from(given: Any) -> tuple[ActionClass, ...]:
    """Read classes as a policy declares them.

    Parameters
    ----------
    given : list of dict, or a dict that holds one under ``classes``
        ``{"tool": "refund", "name": "up to 50", "if": {"amount": {"max": 50}}, "harm": "medium"}``.

    Raises
    ------
    InputError
        If it is anything else; it says which entry.
    """
    if isinstance(given, Mapping):
        given = given.get("licence", given)
        given = given.get("classes") if isinstance(given, Mapping) else None
    if not isinstance(given, list):
        raise InputError('classes are a list: [{"tool": "refund", "if": {"amount": {"max": 50}}}]')
    return tuple(_class_from(i, entry) for i, entry in enumerate(given))


def _class_from(place: int, entry: Any) -> ActionClass:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("tool"), str):
        raise InputError(f"class {place + 1} names no tool: {entry!r:.80}")
    strange = set(entry) - _KEYS
    if strange:
        raise InputError(
            f"class {place + 1} has {min(strange)!r}; it may have {', '.join(sorted(_KEYS))}"
        )
    conditions = []
    for path, tests in (entry.get("if") or {}).items():
        for test, value in tests.items() if isinstance(tests, Mapping) else (("is", tests),):
            conditions.append((str(path), str(test), value))
    return ActionClass(
        entry["tool"],
        str(entry.get("name", _said(conditions))),
        tuple(conditions),
        entry.get("harm"),
        entry.get("licence") is True,
    )


def _said(conditions: Sequence[tuple[str, str, Any]]) -> str:
    words = {"is": "", "max": "up to ", "above": "over ", "min": "from ", "in": "in "}
    return (
        ", ".join(
            f"{path} {words.get(test, test + ' ')}{value}" for path, test, value in conditions
        )
        or "any"
    )


def _find(arguments: Mapping[str, Any] | None, path: str) -> Any:
    found: Any = arguments
    for part in path.split("."):
        if not isinstance(found, Mapping) or part not in found:
            return _MISSING
        found = found[part]
    return found


def _holds(found: Any, test: str, value: Any) -> bool:
    if test == "missing":
        return (found is _MISSING) == bool(value)
    if found is _MISSING:
        return False
    if test == "is":
        return _is_same(found, value)
    if test == "in":
        return any(_is_same(found, one) for one in value)
    if test == "glob":
        return isinstance(found, str) and fnmatch.fnmatchcase(found, str(value))
    if not _is_number(found):
        return False
    return bool(
        found <= value if test == "max" else found > value if test == "above" else found >= value
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and not math.isnan(value)


def _is_same(one: Any, other: Any) -> bool:
    """True is not 1, and "1" is not 1."""
    if _is_number(one) and _is_number(other):
        return bool(one == other)
    return type(one) is type(other) and one == other
