"""Seats: who owns, organises or watches a workspace, and in which one a visitor is."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from askpoint.errors import RuleError
from askpoint.server.accounts.models import Seat, User
from askpoint.server.journal.services import note
from askpoint.server.workspaces.models import Workspace

__all__ = [
    "CHOSEN",
    "RUNS",
    "change_rights",
    "current_seat",
    "enter_workspace",
    "give_seat",
    "organised_workspaces",
    "seat_in",
    "seats_of",
    "seats_of_visitor",
    "show_seat",
    "take_seat_away",
]

RUNS = ("owner", "organiser")
"""Whose seat makes campaigns and classifiers."""

CHOSEN = "workspace"
"""Where a session keeps which workspace was entered."""


def seats_of(user: User) -> list[Seat]:
    """Return somebody's seats in workspaces that are not closed, by the workspaces' names."""
    rows = Seat.objects.filter(user=user).exclude(workspace__state="closed")
    return list(rows.select_related("workspace").order_by("workspace__name"))


def seat_in(workspace: Workspace | str, user: User, *roles: str) -> Seat | None:
    """Return somebody's seat in a workspace; of one of these roles, where any is given."""
    rows = Seat.within(workspace).filter(user=user).exclude(workspace__state="closed")
    if roles:
        rows = rows.filter(role__in=roles)
    found: Seat | None = rows.select_related("workspace").first()
    return found


def organised_workspaces(user: User) -> list[str]:
    """Return the workspaces in which somebody may make campaigns and classifiers."""
    return [seat.workspace_id for seat in seats_of(user) if seat.role in RUNS]


def seats_of_visitor(request: HttpRequest) -> list[Seat]:
    """Return the visitor's seats, read once for a page."""
    if not hasattr(request, "_seats"):
        user: Any = request.user
        request._seats = seats_of(user) if user.is_authenticated else []  # noqa: SLF001
    return request._seats  # noqa: SLF001


def current_seat(request: HttpRequest) -> Seat | None:
    """Return the visitor's seat in the workspace that they entered last, or in their first one."""
    if not hasattr(request, "_seat"):
        mine = seats_of_visitor(request)
        chosen = request.session.get(CHOSEN) if hasattr(request, "session") else None
        picked = [seat for seat in mine if seat.workspace_id == chosen] or mine
        request._seat = picked[0] if picked else None  # noqa: SLF001
    return request._seat  # noqa: SLF001


def enter_workspace(request: HttpRequest, seat: Seat) -> None:
    """Let a visitor be in this workspace from now on."""
    request.session[CHOSEN] = seat.workspace_id
    request._seat = seat  # noqa: SLF001


def show_seat(request: HttpRequest) -> dict[str, Any]:
    """Return what every page knows of the visitor's seat; looked up where a page asks."""
    if not hasattr(request, "user"):
        return {}
    return {
        "seat": SimpleLazyObject(lambda: current_seat(request)),
        "seats": SimpleLazyObject(lambda: seats_of_visitor(request)),
    }


@transaction.atomic
def give_seat(workspace: Workspace, user: User, role: str) -> bool:
    """Give somebody a seat, or another role in it; false for who has that one already.

    Raises
    ------
    RuleError
        ``last-owner``, if the only owner would be another.
    """
    list(Workspace.objects.select_for_update().filter(pk=workspace.pk))
    held = Seat.within(workspace).filter(user=user).first()
    if held is not None and held.role == role:
        return False
    if held is None:
        Seat.objects.create(workspace=workspace, user=user, role=role, at=timezone.now())
    else:
        _keep_an_owner(workspace, held)
        Seat.objects.filter(pk=held.pk).update(role=role)
    note("seat given", workspace=workspace.pk, about=user.username, role=role)
    return True


@transaction.atomic
def take_seat_away(workspace: Workspace, name: str) -> None:
    """Take somebody's seat away; the last owner stays.

    Raises
    ------
    RuleError
        ``unknown`` or ``last-owner``.
    """
    list(Workspace.objects.select_for_update().filter(pk=workspace.pk))
    held = _seat_of(workspace, name)
    _keep_an_owner(workspace, held)
    held.delete()
    note("seat taken away", workspace=workspace.pk, about=name, role=held.role)


def _seat_of(workspace: Workspace, name: str) -> Seat:
    held: Seat | None = Seat.within(workspace).filter(user__username=name).first()
    if held is None:
        raise RuleError("unknown", f"{name[:80]} has no seat in this workspace")
    return held


def _keep_an_owner(workspace: Workspace, held: Seat) -> None:
    if held.role == "owner" and Seat.within(workspace).filter(role="owner").count() == 1:
        raise RuleError(
            "last-owner", "a workspace keeps an owner: make another one before this one leaves"
        )


@transaction.atomic
def change_rights(workspace: Workspace, name: str, *, pays: bool, share_cents: int | None) -> None:
    """Say whether an organiser may pay people out, and how much of the money may be funded.

    Raises
    ------
    RuleError
        ``unknown``.
    """
    held = _seat_of(workspace, name)
    Seat.objects.filter(pk=held.pk).update(pays=pays, share_cents=share_cents)
    note("rights", workspace=workspace.pk, about=name, pays=pays, share_cents=share_cents)
