"""Roles that a token for programs can have: those of classifiers in use, and those of wings."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from askpoint.server.accounts.models import User
from askpoint.server.deployments.access import part_of
from askpoint.server.deployments.models import Deployment, Member
from askpoint.server.extensions import load, server_parts

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


def _is_member(role: str, user: User) -> bool:
    return bool(Member.objects.filter(user=user, role=role).exists())


def _takes_part(role: str, user: User, resource: str) -> bool:
    return part_of(user, resource, role) is not None


def _classifiers(user: User) -> Iterable[tuple[str, str]]:
    rows = Deployment.objects.filter(members__user=user).order_by("title")
    return rows.values_list("pk", "title")


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
            resources=_classifiers,
        )
        for role, _ in Member.ROLES
    }
    return {**added, **own}


def list_roles(user: User) -> list[str]:
    """Return the roles that a person has somewhere."""
    return [name for name, role in token_roles().items() if role.is_held(user)]
