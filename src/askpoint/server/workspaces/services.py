"""Workspaces: the first one, those that whoever runs the server makes, and their limits."""

from __future__ import annotations

import re
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from askpoint.errors import InputError, RuleError
from askpoint.measures.inputs import as_choice
from askpoint.server.journal.services import note
from askpoint.server.workspaces.models import Workspace

__all__ = [
    "change_state",
    "check_open",
    "choose_workspace",
    "find_workspace",
    "first_workspace",
    "make_workspace",
    "set_limits",
]

_FIRST = "main"  # the workspace of a server that needs no other
_LONGEST = 32
_MOST_CENTS = 10**15


def first_workspace() -> Workspace:
    """Return the workspace that a server begins with; it is made where there is none."""
    found = Workspace.objects.order_by("made", "pk").first()
    return found or Workspace.objects.create(pk=_FIRST, name="Main", made=timezone.now())


def make_workspace(name: str) -> Workspace:
    """Make a workspace; only whoever runs the server does.

    Raises
    ------
    InputError
        If the name is empty, too long, or taken.
    """
    words = " ".join(name.split())
    key = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")[:_LONGEST]
    if not key or len(words) > 80:
        raise InputError(
            f"a workspace's name has 1 to 80 characters, with a letter of a to z or a digit; got {name[:90]!r}"
        )
    try:
        with transaction.atomic():
            row = Workspace.objects.create(pk=key, name=words, made=timezone.now())
    except IntegrityError:
        raise InputError(
            f"there is a workspace {key!r} already; `askpoint workspace list` names all there are"
        ) from None
    note("workspace made", workspace=row.pk, about=row.name)
    return row


def find_workspace(name: str) -> Workspace:
    """Return a workspace by its key or its name.

    Raises
    ------
    InputError
        If there is none.
    """
    rows = Workspace.objects
    found = rows.filter(pk=name).first() or rows.filter(name=" ".join(name.split())).first()
    if found is None:
        raise InputError(
            f"there is no workspace {name[:80]!r}; `askpoint workspace list` names all there are"
        )
    return found


def choose_workspace(name: str = "") -> Workspace:
    """Return the workspace that is named, or the only one.

    Raises
    ------
    InputError
        If there is no such, or there are several and none is named.
    """
    if name:
        return find_workspace(name)
    keys = list(Workspace.objects.order_by("pk").values_list("pk", flat=True)[:20])
    if len(keys) > 1:
        raise InputError(
            f"there are several workspaces: add --workspace NAME, of {', '.join(keys)}"
        )
    return first_workspace()


@transaction.atomic
def change_state(workspace: Workspace, state: str) -> None:
    """Open, freeze or close a workspace.

    Parameters
    ----------
    workspace : Workspace
    state : {"open", "frozen", "closed"}
        Frozen: its pages are read, and nothing in it changes. Closed: its pages are not there.
    """
    as_choice(state, [name for name, _ in Workspace.STATES], "a workspace's state")
    Workspace.objects.filter(pk=workspace.pk).update(state=state)
    workspace.state = state
    note(f"workspace {state}", workspace=workspace.pk, about=workspace.name)


@transaction.atomic
def set_limits(workspace: Workspace, limits: dict[str, int | None]) -> None:
    """Set limits in money, in cents; None for no limit.

    Parameters
    ----------
    workspace : Workspace
    limits : dict
        ``money_cap_cents``, all that it may ever promise, and ``day_cap_cents``, what may be on its way or
        paid within 24 hours: those that change.

    Raises
    ------
    InputError
        If one is below zero, or above what a database holds.
    """
    for cents in limits.values():
        if cents is not None and not 0 <= cents <= _MOST_CENTS:
            raise InputError(f"a limit is 0 to {_MOST_CENTS:,} cents, or none; got {cents:,}")
    Workspace.objects.filter(pk=workspace.pk).update(**limits)
    for name, cents in limits.items():
        setattr(workspace, name, cents)
    said: dict[str, Any] = dict(limits)
    note("limits set", workspace=workspace.pk, about=workspace.name, **said)


def check_open(workspace: Workspace) -> None:
    """Check that something may change in a workspace.

    Raises
    ------
    RuleError
        ``workspace-frozen``.
    """
    if workspace.state != "open":
        raise RuleError(
            "workspace-frozen",
            f"the workspace {workspace.name} is {workspace.state}: nothing in it changes until the "
            "administrator of the server opens it again",
        )
