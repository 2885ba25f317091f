"""The door: an agent proposes, people decide, what happened comes later; each step in one transaction."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.db import transaction

from askpoint.errors import InputError, LogError, RuleError
from askpoint.live.canonical import chain_hash
from askpoint.live.draws import audit_draws
from askpoint.live.licences.action import Action
from askpoint.live.licences.gateway import (
    change_action,
    change_unit,
    check_decision,
    check_harm,
    check_name,
    declare_minor,
    propose_action,
    read_proposal,
    replay_entries,
)
from askpoint.live.licences.policy import LicencePolicy
from askpoint.records.stores.licence_tables import leads_to
from askpoint.reports.approvals.queue_cases import shown_action
from askpoint.server.clock import moment
from askpoint.server.deployments.cases import cases_in
from askpoint.server.deployments.rows import micros
from askpoint.server.journal.services import note
from askpoint.server.labelling.models import Case
from askpoint.server.labelling.queues import queue_key
from askpoint.server.labelling.records import join_skippers, new_ids
from askpoint.server.licences.models import (
    Agent,
    ApprovalRequest,
    LicenceAction,
    LicenceEntry,
    LicenceUnit,
)
from askpoint.server.licences.notifications import tell_changes
from askpoint.server.licences.resolutions import tell_resolved
from askpoint.server.licences.store import DatabaseLicences, licence_secret

__all__ = [
    "KIND",
    "agent_queue",
    "agent_versions",
    "change",
    "decide",
    "decide_in",
    "declare_minor_version",
    "find_action",
    "keep",
    "lock_agent",
    "mark_kept",
    "propose",
    "propose_in",
    "report_outcome",
    "revoke_unit",
    "sign_house",
    "sign_unit",
    "undo",
    "verify_agent",
    "withdraw",
]

KIND = "agent"
"""Of its queue."""

_T = TypeVar("_T")


def agent_queue(agent: str) -> str:
    """Return the name of an agent's queue."""
    return queue_key(KIND, agent)


def lock_agent(agent: str) -> Agent:
    """Return an agent whose book nobody else can move until the transaction ends."""
    return Agent.objects.select_for_update().get(pk=agent)


def propose(agent: str, key: str, given: Mapping[str, Any], context: Mapping[str, Any]) -> Action:
    """Say whether an action may run; the same key is answered as before.

    Parameters
    ----------
    agent : str
        Whose it is.
    key : str
        Of the call.
    given : mapping
        tool, arguments, version, timeout_hours, silence_rejects, as `Licences.propose` takes them.
    context : mapping
        What approvers see besides: why, diff, consequences; and requested_by, who never approves it.

    Raises
    ------
    RuleError
        ``other-content``; ``golden``, where the key is that of a golden action.
    InputError
        If it cannot be kept.
    """
    return change(agent, lambda store: propose_in(store, key, given, context))


def propose_in(
    store: DatabaseLicences, key: str, given: Mapping[str, Any], context: Mapping[str, Any]
) -> Action:
    """Propose within a transaction: an asked action, or an audit, goes into the queue."""
    agent, policy = store.agent, store.book.policy
    approvers = _list_approvers(agent) if policy.without_each_approver else []
    proposal = read_proposal(policy, key, agent=agent.pk, approvers=approvers, **given)
    _refuse_golden(agent, key)
    _lapse(store)
    is_new = store.find(key) is None
    made = propose_action(store, proposal, licence_secret(agent), micros(store.now))
    if is_new and (made.status == "asked" or made.is_audit):
        _queue_case(store, made, json.loads(proposal.arguments), context)
    return made


def mark_kept(name: str) -> str:
    """Write an approver to whom a case is not offered while another, who was drawn, has time; no name begins so."""
    return f"~{name}"


def _list_approvers(agent: Agent) -> list[str]:
    """Return among whom is drawn who decides an action.

    Also who requested it, though the others decide then: else the agent could choose, by naming a requester, who is drawn.
    """
    rows = agent.members.filter(role="approver")
    return list(rows.values_list("user__username", flat=True))


def _refuse_golden(agent: Agent, key: str) -> None:
    if Case.objects.filter(queue=agent_queue(agent.pk), key=key, purpose="gold").exists():
        raise RuleError(
            "golden",
            f"{key!r:.60} is an action that nobody ever asked for: it must not run, and was not run",
        )


def _queue_case(
    store: DatabaseLicences, made: Action, arguments: Any, context: Mapping[str, Any]
) -> None:
    agent, is_audit = store.agent, made.status == "allowed"
    kind = store.book.policy.find_place(made.tool, arguments)
    harm = None if kind is None else store.book.policy.classes[kind].harm
    twice = is_audit and _is_double(agent, made.key)
    author = str(context.get("requested_by") or "")[:150]
    is_dealt = made.approver not in (None, author)
    approvers = _list_approvers(agent) if is_dealt else []
    (name,) = new_ids(1)
    Case.objects.create(
        id=name, queue=agent_queue(agent.pk), purpose="audit" if is_audit else "asked", key=made.key,
        author=author,
        content=shown_action(made.tool, arguments, context, harm), wanted=1 + twice, free=1 + twice,
        skipped=join_skippers(*(mark_kept(one) for one in approvers if one != made.approver)),
        opened=store.now, at=store.now,
    )  # fmt: skip


def _is_double(agent: Agent, key: str) -> bool:
    """Draw whether two people read an audit, each without the other: all, where golden actions found them careless."""
    share = 1.0 if agent.house.get("is_careless") else agent.second
    if audit_draws(agent.salt.encode(), "second", [key])[0] >= share:
        return False
    return bool(agent.members.filter(role="approver").count() > 1)


def _lapse(store: DatabaseLicences) -> None:
    """Take back what was allowed at once and never run."""
    rows = ApprovalRequest.objects.filter(
        agent=store.agent, consumed=None, lapses__isnull=False, lapses__lte=store.now
    )
    keys = [str(key) for key in rows.values_list("pk", flat=True)[:100]]
    for key in keys:
        change_action(store, key, micros(store.now), "lapse")
    if keys:
        ApprovalRequest.objects.filter(agent=store.agent, pk__in=keys).update(lapses=None)
        _leave_queue(store, keys)


def _leave_queue(store: DatabaseLicences, keys: list[str]) -> None:
    rows = cases_in(agent_queue(store.agent.pk), keys).filter(labelled=None)
    rows.update(labelled=store.now)


def change(agent: str, step: Callable[[DatabaseLicences], _T]) -> _T:
    """Do a step on an agent's book, keep it, and tell its owners what it did to licences."""
    with transaction.atomic():
        row = lock_agent(agent)
        store = DatabaseLicences(row, moment(row))
        made = step(store)
        keep(store)
        return made


def keep(store: DatabaseLicences) -> None:
    """Keep what was done on a book, and tell it: licences to owners, decisions to the programs that wait."""
    if store.has_entries:
        store.keep()
        tell_changes(store.agent, store.changes)
        tell_resolved(store.agent, store.decided)


def decide_in(
    store: DatabaseLicences, key: str, kind: str, *, by: str, seconds: float | None
) -> Action:
    """Take in what an approver, or the reader of an audit, decided."""
    at = micros(store.now)
    return change_action(
        store, key, at, "decide", kind=kind, by=by, seconds=seconds, by_person=True
    )


def decide(agent: str, key: str, kind: str, *, by: str, seconds: float | None = None) -> Action:
    """Take in a decision that was not made in the queue; nobody is asked there any more.

    Raises
    ------
    RuleError
        ``unknown-key``, ``own-request``, ``expired``, ``not-asked`` or ``decided``.
    """
    check_decision(kind, seconds)
    check_name("by", by)

    def step(store: DatabaseLicences) -> Action:
        made = decide_in(store, key, kind, by=by, seconds=seconds)
        _leave_queue(store, [key])
        return made

    return change(agent, step)


def withdraw(agent: str, key: str) -> Action:
    """Let the agent take back a request that nobody answered yet.

    Raises
    ------
    RuleError
        ``unknown-key``, or ``decided``.
    """

    def step(store: DatabaseLicences) -> Action:
        made = change_action(store, key, micros(store.now), "withdraw")
        _leave_queue(store, [key])
        return made

    return change(agent, step)


def undo(agent: str, key: str, *, by: str, harm: str | None = None) -> Action:
    """Take in that an action was undone, or what harm it did; once more changes nothing.

    Raises
    ------
    RuleError
        ``unknown-key``, or ``not-run``.
    """
    check_name("by", by)
    if harm is not None:
        check_harm(harm)
    given = {"by": by} | ({} if harm is None else {"harm": harm})
    return change(
        agent, lambda store: change_action(store, key, micros(store.now), "undo", **given)
    )


def report_outcome(agent: str, key: str, status: str, words: str = "") -> None:
    """Keep what became of an action; that a tool succeeded or failed is no label.

    Raises
    ------
    RuleError
        ``unknown-key``; ``not-run``; ``outcome``, if another one was reported.
    """
    if status not in ("succeeded", "failed"):
        raise InputError(f"an outcome is succeeded or failed; got {status!r:.40}")
    with transaction.atomic():
        row = lock_agent(agent)
        found = find_action(row, key)
        if not found.ran:
            raise RuleError("not-run", f"{key!r:.60} is {found.status}: it never ran")
        said = {"status": status} | ({"note": words[:2000]} if words else {})
        if found.outcome is not None and found.outcome != said:
            raise RuleError("outcome", f"of {key!r:.60} another outcome was reported already")
        LicenceAction.objects.filter(pk=found.pk).update(outcome=said)


def find_action(agent: Agent, key: str) -> LicenceAction:
    """Return the row of an action.

    Raises
    ------
    RuleError
        ``unknown-key``.
    """
    found = LicenceAction.objects.filter(agent=agent, key=key).first()
    if found is None:
        raise RuleError("unknown-key", f"no action {key!r:.60} was ever proposed")
    return found


def revoke_unit(agent: str, place: str, *, by: str, why: str = "") -> None:
    """End a licence by hand.

    Raises
    ------
    RuleError
        ``unknown-unit``, or ``no-licence``.
    """

    def step(store: DatabaseLicences) -> None:
        change_unit(store, place, micros(store.now), "revoke", by=by, why=why[:200])
        note("licence revoked", campaign=agent, about=place, why=why[:200])

    change(agent, step)


def sign_unit(agent: str, place: str, *, by: str) -> None:
    """Sign that a unit may earn a licence where its terms ask for that.

    Raises
    ------
    RuleError
        ``unknown-unit``.
    """

    def step(store: DatabaseLicences) -> None:
        change_unit(store, place, micros(store.now), "sign", by=by)
        note("licence signed", campaign=agent, about=place)

    change(agent, step)


def sign_house(agent: str, *, by: str) -> None:
    """Sign for all units of an agent: a new allowance, and a new watch over golden actions."""

    def step(store: DatabaseLicences) -> None:
        store.enter("sign_house", by=by)
        note("licence signed", campaign=agent, about="all units")

    change(agent, step)


def agent_versions(agent: Agent) -> list[str]:
    """Return the versions in which an agent's units were last seen."""
    return sorted(DatabaseLicences(agent, moment(agent)).read_versions(agent.pk))


def declare_minor_version(agent: str, version: str, of: str, *, by: str) -> None:
    """Declare that a version of an agent, which has not begun yet, changes another one little.

    Raises
    ------
    RuleError
        ``unknown-version``, or ``in-use``.
    """

    def step(store: DatabaseLicences) -> None:
        declare_minor(store, agent, version, of, by=by, moment=micros(store.now))
        note("minor version declared", campaign=agent, about=version, why=f"of {of}"[:200])

    change(agent, step)


def verify_agent(agent: Agent) -> None:
    """Do all entries again, with every draw, and compare where they lead.

    Raises
    ------
    LogError
        If something was changed.
    """
    policy = LicencePolicy.from_json(agent.policy)
    chain, entries = chain_hash("", policy.digest.encode()), []
    for n, (said, kept) in enumerate(
        LicenceEntry.objects.filter(agent=agent).order_by("n").values_list("content", "chain")
    ):
        chain = chain_hash(chain, said.encode())
        if chain != kept:
            raise LogError(
                f"entry {n} of the licences was changed; restore the database from a copy"
            )
        entries.append(json.loads(said))
    book = replay_entries(policy, entries, licence_secret(agent))
    units = dict(LicenceUnit.objects.filter(agent=agent).values_list("name", "content"))
    actions = dict(LicenceAction.objects.filter(agent=agent).values_list("key", "content"))
    if chain != agent.chain or not leads_to(book, units, actions):
        raise LogError(f"the entries of {agent.title!r} lead elsewhere than its state")
