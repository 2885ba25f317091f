"""Classes of actions: which tool, with which arguments, and what a bad one does."""

from __future__ import annotations

import fnmatch
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from askpoint.errors import InputError

__all__ = [
    "HARMS",
    "OTHER",
    "ActionClass",
    "classes_from",
    "divide_class",
    "find_class",
    "strictest",
]

HARMS = ("none", "low", "medium", "high", "irreversible")
"""What a bad action does, from the mildest."""
OTHER = "other"
"""The class of what no declared class matches: it is never licensed."""
_TESTS = ("is", "in", "max", "above", "min", "glob", "missing")
_KEYS = {
    "tool",
    "name",
    "if",
    "harm",
    "bad",
    "licence",
    "amount",
    "audit",
    "deny",
    "aim",
    "delta_share",
    "after",
    "steps",
}


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
    bad : float, optional
        What a bad action costs; with the price of a check it sets the limit of this class.
    amount : str, optional
        The dotted path of the argument that says how much money an action moves.
    audit : {"before", "after"}, optional
        When audits are read; by default before the act where harm is high, else after it.
    deny : bool, default=False
        Whether such an action is refused, and nobody asked.
    aim : {"promise", "money"}, optional
        What its licence follows from; by default as the policy says.
    delta_share : float, optional
        Of the policy's delta, what its licences may use; below 1 where it is one of several classes that were tried on
        the same labels.
    after : str, optional
        The class of the same tool that must be licensed before this one acts alone: a more cautious step of an amount.

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
    bad: float | None = None
    amount: str | None = None
    audit: str | None = None
    deny: bool = False
    aim: str | None = None
    delta_share: float | None = None
    after: str | None = None

    def __post_init__(self) -> None:
        if self.harm is not None and self.harm not in HARMS:
            raise InputError(f"a harm is one of {', '.join(HARMS)}; got {self.harm!r:.40}")
        if self.bad is not None and not (_is_number(self.bad) and 0 < self.bad < math.inf):
            raise InputError(f"the price of a bad action is above 0; got {self.bad!r:.40}")
        if self.amount is not None and not isinstance(self.amount, str):
            raise InputError(f"amount names an argument by its path; got {self.amount!r:.40}")
        if self.aim not in (None, "promise", "money"):
            raise InputError(f"an aim is promise or money; got {self.aim!r:.40}")
        share = self.delta_share
        if share is not None and not (_is_number(share) and 0 < share <= 1):
            raise InputError(f"delta_share must be above 0 and at most 1; got {share!r:.40}")
        if self.after is not None and not isinstance(self.after, str):
            raise InputError(f"after names a class of the same tool; got {self.after!r:.40}")
        if self.audit not in (None, "before", "after"):
            raise InputError(f"audits are read before or after the act; got {self.audit!r:.40}")
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
        if not self.covers(tool):
            return False
        return all(_holds(_find(arguments, path), test, it) for path, test, it in self.conditions)

    def covers(self, tool: str) -> bool:
        """Say whether a tool is one of its own, whatever the arguments."""
        return fnmatch.fnmatchcase(tool, self.tool)

    def amount_of(self, arguments: Mapping[str, Any] | None) -> float | None:
        """Return how much money an action moves; None where the argument is no amount of 0 or more."""
        found = 0.0 if self.amount is None else _find(arguments, self.amount)
        return float(found) if _is_number(found) and 0 <= found < math.inf else None

    @property
    def reads_before(self) -> bool:
        """Whether an audited action waits for its reader."""
        return self.audit == "before" or (self.audit is None and self.harm in HARMS[3:])

    def to_dict(self) -> dict[str, Any]:
        """Return it as a policy declares it; `classes_from` reads that."""
        tests: dict[str, dict[str, Any]] = {}
        for path, test, value in self.conditions:
            tests.setdefault(path, {})[test] = list(value) if isinstance(value, tuple) else value
        more = {"harm": self.harm, "bad": self.bad, "amount": self.amount, "audit": self.audit}
        more |= {"aim": self.aim, "delta_share": self.delta_share, "after": self.after}
        flags = {"licence": self.signed, "deny": self.deny}
        return {
            "tool": self.tool,
            "name": self.name,
            **({"if": tests} if tests else {}),
            **{name: value for name, value in more.items() if value is not None},
            **{name: True for name, is_set in flags.items() if is_set},
        }


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
    return tuple(one for i, entry in enumerate(given) for one in _classes_from(i, entry))


def divide_class(kind: ActionClass, path: str, steps: Sequence[float]) -> tuple[ActionClass, ...]:
    """Return the classes into which steps of an amount divide a class, the cautious first.

    Each acts alone only where all before it are licensed. So the first that deserves no licence decides: the chance
    that any of them is ever licensed undeservedly is that of one class. An amount below 0 is of no step.

    Examples
    --------
    >>> [(one.name, one.after) for one in divide_class(ActionClass("refund"), "amount", [50, 200])]
    [('amount up to 50', None), ('amount 50 to 200', 'amount up to 50'), ('amount over 200', 'amount 50 to 200')]
    """
    made: list[ActionClass] = []
    begin = "" if kind.name == "any" else f"{kind.name}, "
    for low, high in itertools.pairwise([None, *steps, None]):
        lower = ((path, "min", 0) if low is None else (path, "above", low),)
        upper = () if high is None else ((path, "max", high),)
        words = (
            f"up to {high:g}"
            if low is None
            else f"over {low:g}"
            if high is None
            else f"{low:g} to {high:g}"
        )
        one = replace(
            kind, name=f"{begin}{path} {words}", conditions=(*kind.conditions, *lower, *upper)
        )
        made.append(replace(one, after=made[-1].name if made else kind.after))
    return tuple(made)


def _classes_from(place: int, entry: Any) -> tuple[ActionClass, ...]:
    kind = _class_from(place, entry)
    given = entry.get("steps")
    if given is None:
        return (kind,)
    named = list(given.items()) if isinstance(given, Mapping) else []
    steps = named[0][1] if len(named) == 1 and isinstance(named[0][1], list) else []
    is_growing = all(map(_is_number, steps)) and all(
        low < high < math.inf for low, high in itertools.pairwise([0, *steps])
    )
    if not steps or not is_growing:
        raise InputError(
            f"steps of class {place + 1} are growing numbers above 0 of one argument, as "
            f'{{"amount": [50, 100, 200]}}; got {given!r:.80}'
        )
    return divide_class(kind, str(named[0][0]), steps)


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
        tool=entry["tool"],
        name=str(entry.get("name", _condition_words(conditions))),
        conditions=tuple(conditions),
        harm=entry.get("harm"),
        signed=entry.get("licence") is True,
        bad=entry.get("bad"),
        amount=entry.get("amount"),
        audit=entry.get("audit"),
        deny=entry.get("deny") is True,
        aim=entry.get("aim"),
        delta_share=entry.get("delta_share"),
        after=entry.get("after"),
    )


def _condition_words(conditions: Sequence[tuple[str, str, Any]]) -> str:
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
