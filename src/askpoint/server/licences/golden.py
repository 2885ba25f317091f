"""Golden actions: known to be bad, dealt unmarked to the same people, and never run."""

from __future__ import annotations

import json
import random
import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from askpoint.errors import InputError
from askpoint.labelling.case import GOLD
from askpoint.live.licences.gateway import action_digest
from askpoint.live.licences.policy import LicencePolicy
from askpoint.reports.approvals.queue_cases import shown_action
from askpoint.server.clock import moment
from askpoint.server.deployments.cases import cases_in
from askpoint.server.journal.services import note
from askpoint.server.labelling.models import Case, Vote
from askpoint.server.labelling.records import join_skippers, new_ids
from askpoint.server.licences.door import agent_queue, lock_agent
from askpoint.server.licences.models import Agent, LicenceAction
from askpoint.server.licences.queue import CHOICES, REJECT
from askpoint.server.licences.store import action_of, policy_of

__all__ = ["deal_golden", "deal_rejected", "gold_votes"]

_MOST = 200  # golden actions that wait at once
_LOOKED = 500  # newest bad actions from which they are made
_TRIES = 20  # to draw ids that no real action has; short ids may be all taken


def deal_golden(agent: str, actions: Sequence[Mapping[str, Any]]) -> int:
    """Put actions that are known to be bad into the queue, unmarked; how many are new.

    Parameters
    ----------
    agent : str
        Into whose queue.
    actions : sequence of dict
        Each a tool and its arguments, which nobody asked for; and why, as the agent would say it.

    Raises
    ------
    InputError
        If one is no action.
    """
    policy, made = policy_of(Agent.objects.get(pk=agent)), []
    for one in actions:
        tool, arguments = one.get("tool"), one.get("arguments")
        if not isinstance(tool, str) or not tool or not isinstance(arguments, dict):
            raise InputError(
                'a golden action is a tool and its arguments: {"tool": "refund", "arguments": {"amount": 900}}'
            )
        made.append((shown_action(tool, arguments, one, _harm(policy, tool, arguments)), ""))
    return _deal(agent, made)


def _harm(policy: LicencePolicy, tool: str, arguments: dict[str, Any]) -> str | None:
    place = policy.find_place(tool, arguments)
    return None if place is None else policy.classes[place].harm


def deal_rejected(agent: str, n: int) -> int:
    """Make golden actions of real ones that people rejected or undid, with other ids; how many.

    What approvers saw of the real one they see of its copy, but for the ids. Who decided about the real one is not
    given the copy: they would know it.
    """
    row = Agent.objects.get(pk=agent)
    rejected = LicenceAction.objects.filter(agent=row, status="rejected")
    undone = LicenceAction.objects.filter(agent=row, ran=True).exclude(
        content__contains='"undone_at":null'
    )
    rows = [*rejected.order_by("-n")[:_LOOKED], *undone.order_by("-n")[:_LOOKED]]
    chosen = random.SystemRandom().sample(rows, min(n, len(rows)))
    seen = cases_in(agent_queue(agent), [one.key for one in chosen])
    contents = dict(seen.values_list("key", "content"))
    policy, drawn, made = policy_of(row), set[str](), []
    for one in chosen:
        real, arguments = action_of(one), json.loads(one.arguments or "null") or {}
        arguments = _draw_other_ids(agent, real.tool, arguments, drawn)
        shown = shown_action(real.tool, arguments, {}, _harm(policy, real.tool, arguments))
        shown = {**(contents.get(one.key) or shown), "arguments": shown["arguments"]}
        made.append((shown, real.decided_by or ""))
    return _deal(agent, made)


def _deal(agent: str, actions: Sequence[tuple[dict[str, Any], str]]) -> int:
    with transaction.atomic():
        row = lock_agent(agent)
        now, queue = moment(row), agent_queue(row.pk)
        there = Case.objects.filter(queue=queue, purpose=GOLD)
        known = {json.dumps(one, sort_keys=True) for one in there.values_list("content", flat=True)}
        new: dict[str, tuple[dict[str, Any], str]] = {}
        for content, knows in actions:
            said = json.dumps(content, sort_keys=True)
            if said not in known and len(known) + len(new) < _MOST:
                new[said] = content, knows
        Case.objects.bulk_create(
            Case(
                id=name, queue=queue, purpose=GOLD, key=secrets.token_hex(16), content=content, gold=REJECT,
                skipped=join_skippers(*filter(None, [knows])), opened=now, at=now,
            )
            for name, (content, knows) in zip(new_ids(len(new)), new.values(), strict=True)
        )  # fmt: skip
        if new:
            note("golden actions dealt", campaign=row.pk, actions=len(new))
    return len(new)


def _draw_other_ids(agent: str, tool: str, arguments: Any, drawn: set[str]) -> Any:
    """Return arguments with ids that no real action has and none drawn before, as long as luck finds some."""
    for _ in range(_TRIES):
        made = _with_other_ids(arguments)
        digest = action_digest(tool, made)
        if made == arguments or digest in drawn:
            continue
        if not LicenceAction.objects.filter(agent=agent, digest=digest).exists():
            break
    drawn.add(digest)
    return made


def _with_other_ids(value: Any, name: str = "") -> Any:
    """Return arguments with other ids: long numbers, and digits in texts that are ids; amounts stay."""
    if isinstance(value, dict):
        return {one: _with_other_ids(inner, one) for one, inner in value.items()}
    if isinstance(value, list):
        return [_with_other_ids(inner, name) for inner in value]
    is_id = re.search(
        r"(^|_)(id|key|order|number|no|ref|ticket|case|customer|user|account)s?$",
        name,
        re.IGNORECASE,
    )
    if isinstance(value, bool) or not is_id:
        return value
    if isinstance(value, int) and value > 0:
        return int("".join(_other_digit(one, i) for i, one in enumerate(str(value))))
    if isinstance(value, str):
        return "".join(
            _other_digit(one, i) if one.isascii() and one.isdecimal() else one
            for i, one in enumerate(value)
        )
    return value


def _other_digit(digit: str, place: int) -> str:
    return (
        str(secrets.randbelow(9) + 1) if place == 0 and digit != "0" else str(secrets.randbelow(10))
    )


def gold_votes(agent: Agent) -> list[tuple[str, bool]]:
    """Return who decided about golden actions, and whether they let them pass, in their order."""
    rows = Vote.objects.filter(case__queue=agent_queue(agent.pk), case__purpose=GOLD, void=False)
    return [
        (who, CHOICES[choice] == "approve")
        for who, choice in rows.order_by("at", "pk").values_list("reviewer", "choice")
    ]
