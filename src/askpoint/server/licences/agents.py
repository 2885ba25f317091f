"""Agents: made with their terms, and the parts that people have in them."""

from __future__ import annotations

import re
import secrets

from django.db import transaction
from django.utils import timezone

from askpoint.errors import RuleError
from askpoint.live.canonical import chain_hash
from askpoint.live.licences.house import House
from askpoint.live.licences.policy import LicencePolicy
from askpoint.server.accounts.models import User
from askpoint.server.journal.services import note
from askpoint.server.labelling.models import Reviewer
from askpoint.server.licences.door import agent_queue, lock_agent
from askpoint.server.licences.models import Agent, AgentMember

__all__ = ["give_agent_part", "make_agent", "take_agent_part_away"]


@transaction.atomic
def make_agent(
    workspace: str, owner: User, title: str, policy: LicencePolicy, name: str | None = None
) -> Agent:
    """Make an agent that asks about everything until it earns its licences."""
    now = timezone.now()
    row = Agent.objects.create(
        workspace_id=workspace,
        id=name or _name(title),
        title=title,
        policy=policy.to_json(),
        salt=secrets.token_hex(32),
        house=House().to_dict(),
        chain=chain_hash("", policy.digest.encode()),
        at=now,
        made=now,
    )
    AgentMember.objects.create(agent=row, user=owner, role="owner", at=now)
    note("agent made", campaign=row.pk, about=title)
    return row


def _name(title: str) -> str:
    name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:30] or "agent"
    return f"{name}-{secrets.token_hex(3)}"


@transaction.atomic
def give_agent_part(agent: str, user: User, role: str) -> AgentMember:
    """Give somebody a part in an agent; each has one.

    Raises
    ------
    RuleError
        ``other-part``, if they have another one: who has seen which actions are licensed approves no longer blind.
    """
    row = lock_agent(agent)
    held = AgentMember.objects.filter(agent=row, user=user).first()
    if held is not None and held.role == role:
        return held
    if held is not None:
        raise RuleError(
            "other-part",
            f"{user.username} is {held.role} here already; take that part away first, and think of what they have "
            "seen: approvers do not know what the agent may do alone",
        )
    made = AgentMember.objects.create(agent=row, user=user, role=role, at=timezone.now())
    Reviewer.objects.filter(
        queue=agent_queue(row.pk), user=user
    ).delete()  # stands as one who is new
    note("part given", campaign=row.pk, about=user.username, role=role)
    return made


@transaction.atomic
def take_agent_part_away(agent: str, name: str) -> None:
    """Take somebody's part away; the last owner stays.

    Raises
    ------
    RuleError
        ``unknown`` or ``last-owner``.
    """
    row = lock_agent(agent)
    held = AgentMember.objects.filter(agent=row, user__username=name).first()
    if held is None:
        raise RuleError("unknown", f"{name[:80]} has no part here")
    owners = AgentMember.objects.filter(agent=row, role="owner")
    if held.role == "owner" and owners.count() == 1:
        raise RuleError("last-owner", f"{name[:80]} is the only owner: make another one first")
    held.delete()
    note("part taken away", campaign=row.pk, about=name, role=held.role)
