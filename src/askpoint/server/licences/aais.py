"""Events of AAIS: an agent's requests and decisions for other programs, and theirs for its book."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from askpoint.errors import InputError, RuleError
from askpoint.live.licences.gateway import change_action, propose_action, read_proposal
from askpoint.records.aais import AaisDecision, AaisRequest, aais_events, read_aais_event
from askpoint.server.licences.door import change
from askpoint.server.licences.models import Agent, LicenceAction
from askpoint.server.licences.store import DatabaseLicences, action_of, licence_secret, policy_of

__all__ = ["EventsRead", "list_events", "read_events"]

_MOST = 1000  # events at once


class EventsRead(NamedTuple):
    """How many events were read, and why others were left out."""

    read: int
    left_out: Mapping[str, int]


def list_events(agent: Agent, start: int, limit: int) -> list[dict[str, Any]]:
    """Return the events of some actions, in the order of the requests; an action has the numbers 2n and 2n + 1."""
    policy = policy_of(agent)
    found: list[dict[str, Any]] = []
    rows = LicenceAction.objects.filter(agent=agent, n__gte=start, n__lt=start + limit)
    for row in rows.order_by("n"):
        arguments = json.loads(row.arguments or "null")
        place = policy.find_place(action_of(row).tool, arguments)
        harm = None if place is None else policy.classes[place].harm
        found += aais_events(action_of(row), arguments, harm, 2 * row.n)
    return found


def read_events(agent: str, events: Sequence[Any]) -> EventsRead:
    """Take requests and decisions of another program in; the same again changes nothing.

    A decision by a rule, for a session or for good is no label. What the door would have allowed was asked all the
    same: nothing is learned from it, for no audit was drawn.

    Raises
    ------
    InputError
        If there are too many, or one is no event of AAIS 1.0; then none is read.
    """
    if len(events) > _MOST:
        raise InputError(f"send at most {_MOST:,} events at once; got {len(events):,}")
    parsed = [one for one in map(read_aais_event, events) if one is not None]

    def step(store: DatabaseLicences) -> EventsRead:
        read, left_out = len(events) - len(parsed), Counter[str]()
        for one in parsed:
            try:
                _read(store, one)
                read += 1
            except RuleError as error:
                left_out[error.rule] += 1
        return EventsRead(read, left_out)

    return change(agent, step)


def _read(store: DatabaseLicences, one: AaisRequest | AaisDecision) -> None:
    if isinstance(one, AaisRequest):
        given = read_proposal(
            store.book.policy, one.key, agent=store.agent.pk, tool=one.tool, arguments=one.arguments, version=one.version
        )  # fmt: skip
        propose_action(store, given, licence_secret(store.agent), one.at)
        return
    if one.kind == "cancel":
        change_action(store, one.key, one.at, "withdraw")
        return
    action = store.find(one.key)
    seconds = None if action is None else max(0.0, (one.at - action.at) / 1e6)
    change_action(
        store, one.key, one.at, "decide", kind=one.kind, by=one.by, seconds=seconds, by_person=one.by_person
    )  # fmt: skip
