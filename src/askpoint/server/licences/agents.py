"""Agents: made with their terms, and the parts that people have in them."""

from __future__ import annotations

import secrets

from django.db import transaction
from django.utils import timezone

from askpoint.live.canonical import chain_hash
from askpoint.live.licences.house import House
from askpoint.live.licences.policy import LicencePolicy
from askpoint.server.accounts.models import User
from askpoint.server.journal.services import note
from askpoint.server.licences.access import PARTS
from askpoint.server.licences.door import agent_queue, lock_agent
from askpoint.server.licences.models import Agent, AgentMember
from askpoint.server.workspaces.keys import make_key

__all__ = ["give_agent_part", "make_agent", "take_agent_part_away"]


@transaction.atomic
def make_agent(
    workspace: str, owner: User, title: str, policy: LicencePolicy, name: str | None = None
) -> Agent:
    """Make an agent that asks about everything until it earns its licences."""
    now = timezone.now()
    row = Agent.objects.create(
        workspace_id=workspace,
        id=name or make_key(title, "agent"),
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


@transaction.atomic
def give_agent_part(agent: str, user: User, role: str) -> AgentMember:
    """Give somebody a part in an agent.

    Raises
    ------
    RuleError
        As `HeldParts.give`.
    """
    row = lock_agent(agent)
    made: AgentMember = PARTS.give(row, user, role, agent_queue(row.pk))
    return made


@transaction.atomic
def take_agent_part_away(agent: str, name: str) -> None:
    """Take somebody's part away; the last owner stays.

    Raises
    ------
    RuleError
        As `HeldParts.take_away`.
    """
    PARTS.take_away(lock_agent(agent), name)
