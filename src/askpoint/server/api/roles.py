"""Roles that a token for programs can have: those of classifiers in use, and those of wings."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from askpoint.server.accounts.models import User
from askpoint.server.deployments.access import part_of
from askpoint.server.deployments.models import Deployment, Member
from askpoint.server.extensions import load, server_parts
from askpoint.server.licences.access import agent_part
from askpoint.server.licences.models import Agent, AgentMember

__all__ = ["TokenRole", "list_roles", "token_roles"]


@dataclass(frozen=True, kw_only=True)
class TokenRole:
    """As what a program acts.

    Parameters
    ----------
    is_held : callable
        From a user, whether the user has the role somewhere, and so may make a token for it.
    opens : callable
        From a user and the name of a resource, whether the user has the role there.
    resources : callable
        From a user, names and titles of what a token may be limited to.
    refusal : callable, optional
        From a user, why a token that was made opens nothing any more; empty while it does.
    """

    is_held: Callable[[User], bool]
    opens: Callable[[User, str], bool]
    resources: Callable[[User], Iterable[tuple[str, str]]]
    refusal: Callable[[User], str] = lambda _: ""


_IN_AGENTS = {"owner": "owner", "reviewer": "approver", "viewer": "viewer"}
"""What somebody is to an agent whose token is that of a classifier's owner, reviewer or viewer."""


def _is_member(role: str, user: User) -> bool:
    mine = Member.objects.filter(user=user, role=role)
    agents = AgentMember.objects.filter(user=user, role=_IN_AGENTS[role])
    return bool(mine.exists() or agents.exists())


def _takes_part(role: str, user: User, resource: str) -> bool:
    return bool(part_of(user, resource, role) or agent_part(user, resource, _IN_AGENTS[role]))


def _in_use(user: User) -> Iterable[tuple[str, str]]:
    rows = Deployment.objects.filter(members__user=user).order_by("title")
    return [*rows.values_list("pk", "title"), *_agents(user)]


def _agents(user: User) -> Iterable[tuple[str, str]]:
    rows = Agent.objects.filter(members__user=user).order_by("title")
    return list(rows.values_list("pk", "title"))


def _owns_agents(user: User) -> bool:
    return bool(AgentMember.objects.filter(user=user, role="owner").exists())


def _owns_agent(user: User, resource: str) -> bool:
    return agent_part(user, resource, "owner") is not None


@functools.cache
def token_roles() -> dict[str, TokenRole]:
    """Return all roles by name, those of wings first."""
    added = {
        name: load(where) for parts in server_parts() for name, where in parts.token_roles.items()
    }
    own = {
        role: TokenRole(
            is_held=functools.partial(_is_member, role),
            opens=functools.partial(_takes_part, role),
            resources=_in_use,
        )
        for role, _ in Member.ROLES
    }
    agent = TokenRole(is_held=_owns_agents, opens=_owns_agent, resources=_agents)
    return {**added, **own, "agent": agent}  # as the agent itself acts: it never decides


def list_roles(user: User) -> list[str]:
    """Return the roles that a person has somewhere."""
    return [name for name, role in token_roles().items() if role.is_held(user)]
