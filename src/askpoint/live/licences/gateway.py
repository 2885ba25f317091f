"""The door, pure: a proposal and what a store knows lead to a receipt, and so does what comes later."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from askpoint.errors import InputError, LogError, RuleError
from askpoint.live.canonical import canonical_json, chain_hash
from askpoint.live.draws import audit_draws
from askpoint.live.licences.action import Action, unit_name
from askpoint.live.licences.action_classes import HARMS, OTHER
from askpoint.live.licences.book import Book
from askpoint.live.licences.house import House
from askpoint.live.licences.policy import LicencePolicy
from askpoint.live.licences.unit import Unit
from askpoint.live.licences.waiting import HOUR

__all__ = [
    "DECISIONS",
    "LicenceStore",
    "ProposedAction",
    "action_digest",
    "change_action",
    "change_unit",
    "check_decision",
    "check_harm",
    "check_name",
    "declare_minor",
    "propose_action",
    "read_proposal",
    "replay_entries",
]

DECISIONS = ("approve", "reject", "edit")
"""What an approver may decide."""
_LONGEST_NAME = 200  # characters of a key, an agent, a version, a tool, a person
_LARGEST = 1_000_000  # bytes of the arguments of an action
_MOST_DEALT = 100  # approvers: each entry names them


@dataclass(frozen=True)
class ProposedAction:
    """An action that an agent wants to take, as it was read.

    Parameters
    ----------
    key, agent, tool, version : str
        Of the call, and whose it is.
    kind : int or None
        The place of its class in the policy.
    name, digest : str
        Of its class; SHA-256 of tool and arguments.
    amount : float or None
        How much money it moves; None where that cannot be read.
    timeout : int
        How long it waits for an approver, in microseconds.
    silence_rejects : bool
        Whether silence until then is a rejection.
    arguments : str
        As JSON.
    steps : tuple of str
        Names of the units that must be licensed before it acts alone: more cautious steps of its amount.
    approvers : tuple of str
        Among whom is drawn who decides it.
    """

    key: str
    agent: str
    tool: str
    version: str
    kind: int | None
    name: str
    digest: str
    amount: float | None
    timeout: int
    silence_rejects: bool
    arguments: str
    steps: tuple[str, ...] = ()
    approvers: tuple[str, ...] = ()

    @property
    def unit(self) -> str:
        """Name of its unit."""
        return unit_name(self.agent, self.tool, self.name)


class LicenceStore(ABC):
    """The part of a book that steps need, within one transaction, and what they change of it.

    Parameters
    ----------
    policy : LicencePolicy
    house : House
        What all units share.
    last_at : int
        The last moment recorded, in microseconds since 1970.
    chain : str
        Hash of the last entry.
    """

    def __init__(self, policy: LicencePolicy, house: House, last_at: int, chain: str) -> None:
        self.book, self.last_at, self.chain = Book(policy, house=house), last_at, chain
        self._kept: set[str] = set()  # actions that the store has already
        self._sought: set[str] = set()  # what was looked for is not looked for again

    @abstractmethod
    def read_actions(self, keys: Sequence[str]) -> Iterable[Action]:
        """Return the actions that the store has of some keys."""

    @abstractmethod
    def read_units(self, names: Sequence[str]) -> Iterable[tuple[str, Unit]]:
        """Return the units that the store has of some names."""

    @abstractmethod
    def read_runs(self, unit: str, digest: str) -> set[str]:
        """Return the keys of actions of a unit with a digest that ran."""

    @abstractmethod
    def read_versions(self, agent: str) -> set[str]:
        """Return the versions in which an agent's units were last seen."""

    @abstractmethod
    def write_entry(self, entry: str, chain: str) -> None:
        """Append an entry."""

    @abstractmethod
    def write_unit(self, name: str, unit: Unit, *, is_new: bool) -> None:
        """Keep a unit as it is now."""

    @abstractmethod
    def write_action(self, action: Action, arguments: str | None, *, is_new: bool) -> None:
        """Keep an action as it is now; with its arguments where it is new."""

    def move_clock(self, moment: int) -> tuple[int, int]:
        """Return the moment of the next entry, and by how much the clock stepped back before it."""
        return max(moment, self.last_at), max(0, self.last_at - moment)

    def find(self, key: str) -> Action | None:
        """Return an action; its unit is loaded with it."""
        self.load_actions([key])
        return self.book.actions.get(key)

    def load_actions(self, keys: Sequence[str]) -> None:
        """Load actions, and their units."""
        missing = [key for key in keys if key not in self.book.actions and key not in self._sought]
        self._sought.update(missing)
        for action in self.read_actions(missing) if missing else ():
            self.book.actions[action.key] = action
            self._kept.add(action.key)
        self.load_units(self.book.actions[key].unit for key in keys if key in self.book.actions)

    def load_units(self, names: Iterable[str]) -> None:
        """Load units."""
        missing = [name for name in names if name not in self.book.units]
        self.book.units.update(self.read_units(missing) if missing else ())

    def check_unused(self) -> None:
        """Refuse what must come before the first action.

        Raises
        ------
        RuleError
            ``in-use``.
        """
        for place, unit in self.book.units.items():
            if unit.asked or unit.alone or unit.waiting or unit.certificate.labels:
                raise RuleError(
                    "in-use",
                    f"{place!r:.120} has evidence here already: a log is read once, before the first action",
                )

    def count_runs(self, unit: str, digest: str) -> int:
        """Return how many actions of a unit with a digest ran so far."""
        actions = self.book.actions.values()
        mine = {one.key: one for one in actions if (one.unit, one.digest) == (unit, digest)}
        ran = {key for key, one in mine.items() if one.verdict == "allow"}
        return len(ran | (self.read_runs(unit, digest) - set(mine)))

    def enter(self, do: str, *, arguments: str | None = None, **given: Any) -> Any:
        """Do one step, and write it down with the state to which it led."""
        units = dict(self.book.units)
        made = getattr(self.book, do)(**given)
        entry = canonical_json({"do": do, **given})
        self.chain = chain_hash(self.chain, entry.encode())
        self.last_at = max(self.last_at, given.get("at", 0))
        self.write_entry(entry, self.chain)
        for name, unit in self.book.units.items():
            if units.get(name) is not unit:
                self.write_unit(name, unit, is_new=name not in units)
        if isinstance(made, Action):
            is_new = made.key not in self._kept
            self._kept.add(made.key)
            self.write_action(made, arguments, is_new=is_new)
        return made


def read_proposal(
    policy: LicencePolicy,
    key: str,
    *,
    agent: str,
    tool: str,
    arguments: Mapping[str, Any] | None = None,
    version: str = "unknown",
    timeout_hours: float | None = None,
    silence_rejects: bool = True,
    approvers: Iterable[str] = (),
) -> ProposedAction:
    """Check a proposal, and find its class.

    Raises
    ------
    InputError
        If names or arguments cannot be kept.
    """
    for what, text in (("key", key), ("agent", agent), ("tool", tool), ("version", version)):
        check_name(what, text)
    said = _as_json(arguments)
    parsed = json.loads(said)
    kind = policy.find_place(tool, parsed)
    hours = policy.timeout_hours if timeout_hours is None else timeout_hours
    if not 0 < hours < 24 * 366:
        raise InputError(f"timeout_hours is above 0 and at most a year; got {hours:g}")
    found = None if kind is None else policy.classes[kind]
    return ProposedAction(
        *(key, agent, tool, version, kind),
        name=OTHER if found is None else found.name,
        digest=action_digest(tool, parsed),
        amount=0.0 if found is None else found.amount_of(parsed),
        timeout=int(hours * HOUR),
        silence_rejects=silence_rejects,
        arguments=said,
        steps=tuple(unit_name(agent, tool, one.name) for one in policy.cautious_steps(found)),
        approvers=_read_approvers(approvers, agent) if policy.without_each_approver else (),
    )


def _read_approvers(names: Iterable[str], agent: str) -> tuple[str, ...]:
    """Return among whom is drawn, in an order that nobody chooses."""
    found = sorted({check_name("an approver", one) for one in names} - {agent})
    if len(found) > _MOST_DEALT:
        raise InputError(
            f"an action is dealt among at most {_MOST_DEALT} approvers; got {len(found)}"
        )
    return tuple(found)


def action_digest(tool: str, arguments: Mapping[str, Any] | None) -> str:
    """Return what tells whether two calls are the same: SHA-256 of tool and arguments, in hexadecimal digits.

    Examples
    --------
    >>> action_digest("refund", {"a": 1, "b": 2}) == action_digest("refund", {"b": 2, "a": 1})
    True
    """
    return hashlib.sha256(canonical_json([tool, arguments]).encode()).hexdigest()


def propose_action(
    store: LicenceStore, given: ProposedAction, secret: bytes, moment: int
) -> Action:
    """Decide about a proposal; the same key is answered as before.

    Raises
    ------
    RuleError
        ``other-content``, if a key comes again with another action.
    """
    at, back = store.move_clock(moment)
    known = store.find(given.key)
    if known is not None:
        if (known.agent, known.version, known.digest) != (given.agent, given.version, given.digest):
            raise RuleError(
                "other-content",
                f"{given.key!r:.60} was proposed with another action; a new action takes a new key",
            )
        return known.as_of(at)
    store.load_units([given.unit, *given.steps])
    times = store.count_runs(given.unit, given.digest)
    drawn = _draw(secret, store.book.policy, given.unit, given.digest, times)
    dealing: dict[str, Any] = {}
    if given.approvers:
        dealt = _deal(secret, store.book.policy, given.unit, given.digest, times)
        dealing = {"approvers": list(given.approvers), "dealt": dealt}
    action: Action = store.enter(
        "propose", key=given.key, agent=given.agent, version=given.version, tool=given.tool, kind=given.kind,
        digest=given.digest, at=at, drawn=drawn, amount=given.amount, timeout=given.timeout, clock_back=back,
        silence_rejects=given.silence_rejects, arguments=given.arguments, **dealing,
    )  # fmt: skip
    return action


def change_action(store: LicenceStore, key: str, moment: int, what: str, **given: Any) -> Action:
    """Do a step of the book that concerns an action: decide, withdraw, lapse or undo.

    Raises
    ------
    RuleError
        ``unknown-key``, or as the step says; nothing is changed then.
    """
    at, _ = store.move_clock(moment)
    if store.find(key) is None:
        raise RuleError("unknown-key", f"no action {key!r:.60} was ever proposed")
    if "kind" in given:  # what the same person approved in this second may turn out unread
        store.load_actions(store.book.house.recent.get(given["by"], (None, []))[1])
    action: Action = store.enter(what, key=key, at=at, **given)
    return action


def change_unit(store: LicenceStore, place: str, moment: int, what: str, **given: Any) -> None:
    """Do a step of the book that concerns a unit: revoke or sign.

    Raises
    ------
    RuleError
        ``unknown-unit``, or as the step says.
    """
    at, _ = store.move_clock(moment)
    store.load_units([place])
    if place not in store.book.units:
        raise RuleError("unknown-unit", f"no action of {place!r:.120} was ever proposed")
    store.enter(what, place=place, at=at, **given)


def declare_minor(
    store: LicenceStore, agent: str, version: str, of: str, *, by: str, moment: int
) -> None:
    """Declare that a version of an agent, which has not proposed anything yet, is a minor one of another.

    Raises
    ------
    RuleError
        ``unknown-version``, if no unit of the agent is in the other version; ``in-use``, if one is in this version;
        ``own-request``, where the agent itself declares it.
    """
    for what, text in (("agent", agent), ("version", version), ("of", of), ("by", by)):
        check_name(what, text)
    if by == agent:
        raise RuleError(
            "own-request", f"{by!r:.60} is the agent itself: a person must declare its version"
        )
    at, _ = store.move_clock(moment)
    versions = store.read_versions(agent)
    if version in versions:
        raise RuleError(
            "in-use",
            f"version {version!r:.60} of {agent!r:.60} has proposed actions already; declare a minor version before it "
            "begins",
        )
    if of not in versions:
        seen = ", ".join(sorted(versions)[:5]) or "none"
        raise RuleError(
            "unknown-version",
            f"{agent!r:.60} has no kind of action in version {of!r:.60}; its versions: {seen:.300}",
        )
    store.enter("declare_minor", agent=agent, version=version, of=of, by=by, at=at)


def replay_entries(policy: LicencePolicy, entries: Iterable[dict[str, Any]], secret: bytes) -> Book:
    """Do entries again, from nothing, with the draws that a secret makes.

    Raises
    ------
    LogError
        If a draw is another one.
    """
    book, ran = Book(policy), dict[str, set[str]]()
    for n, entry in enumerate(entries):
        given = dict(entry)
        made = getattr(book, given.pop("do"))(**given)
        if not isinstance(made, Action):
            continue
        same = ran.setdefault(f"{made.unit}\x1f{made.digest}", set())
        draws = {"drawn": _draw, "dealt": _deal}
        if any(
            name in given and given[name] != draw(secret, policy, made.unit, made.digest, len(same))
            for name, draw in draws.items()
        ):
            raise LogError(
                f"the draw of entry {n} is not that of the secret; restore the licences from a copy"
            )
        (same.add if made.verdict == "allow" else same.discard)(made.key)
    return book


def check_name(what: str, text: Any) -> str:
    """Return a name that can be kept.

    Raises
    ------
    InputError
        If it is empty, too long, or has a character that a unit's name cannot have.
    """
    if not isinstance(text, str) or not 0 < len(text) <= _LONGEST_NAME:
        raise InputError(f"{what} is a text of 1 to {_LONGEST_NAME} characters; got {text!r:.60}")
    if not text.isprintable() or " | " in text:
        raise InputError(f"{what} has a character that a name cannot have: {text!r:.60}")
    return text


def check_decision(kind: Any, seconds: float | None) -> None:
    """Check what an approver decided, and how long that took.

    Raises
    ------
    InputError
        If it is no decision, or no time.
    """
    if kind not in DECISIONS:
        raise InputError(f"a decision is approve, reject or edit; got {kind!r:.40}")
    if seconds is not None and not 0 <= seconds < 1e9:
        raise InputError(f"seconds are 0 or more; got {seconds!r:.40}")


def check_harm(harm: Any) -> None:
    """Check what an incident did.

    Raises
    ------
    InputError
        If it is no harm.
    """
    if harm not in HARMS:
        raise InputError(f"a harm is one of {', '.join(HARMS)}; got {harm!r:.40}")


def _draw(secret: bytes, policy: LicencePolicy, unit: str, digest: str, times: int) -> float:
    """Return the draw of an action: a retry meets the same one, a true repetition another."""
    (drawn,) = audit_draws(secret, policy.digest, [f"{unit}\x1f{digest}\x1f{times}"])
    return float(drawn)


def _deal(secret: bytes, policy: LicencePolicy, unit: str, digest: str, times: int) -> float:
    """Return the draw of who decides an action; a retry goes to the same approver."""
    return _draw(secret, policy, unit, f"{digest}\x1fapprover", times)


def _as_json(arguments: Mapping[str, Any] | None) -> str:
    if arguments is not None and not isinstance(arguments, Mapping):
        raise InputError(f"arguments are an object, by name; got {arguments!r:.60}")
    try:
        said = canonical_json(None if arguments is None else dict(arguments))
        size = len(said.encode())
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"the arguments are not JSON: {error}") from None
    if size > _LARGEST:
        raise InputError(
            f"the arguments take {size:,} bytes, at most {_LARGEST:,} are kept; pass a reference to what is large"
        )
    return said
