"""People's parts in a classifier or an agent: who may open its pages, and how parts are given and taken away."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.contrib.auth.decorators import login_required
from django.db import models
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone

from askpoint.errors import RuleError
from askpoint.server.accounts.access import refuse_frozen
from askpoint.server.accounts.models import User
from askpoint.server.journal.services import note
from askpoint.server.labelling.models import Reviewer
from askpoint.server.workspaces.models import Owned

__all__ = ["HeldParts"]

_View = Callable[..., HttpResponse]
_Row = TypeVar("_Row", bound=Owned)


@dataclass(frozen=True)
class HeldParts(Generic[_Row]):
    """The parts that people have in things of one kind, of which somebody owns each.

    Parameters
    ----------
    rows, members : model classes
        The things, and who has which part in them.
    field : str
        The thing's name in a member.
    word : str
        The thing's name in addresses.
    blind : str
        Why nobody who had another part takes the one that sees nothing.
    """

    rows: Any
    members: Any
    field: str
    word: str
    blind: str

    def part_of(self, user: User, key: str, *roles: str) -> _Row | None:
        """Return a thing in which somebody has one of these roles.

        Who owns the workspace owns what is in it, unless another part was taken there: who labels stays blind.
        """
        held = self._of(key).filter(user=user).select_related(f"{self.field}__workspace").first()
        row: _Row | None = None
        if held is not None:
            row = getattr(held, self.field) if held.role in roles else None
        elif "owner" in roles:
            row = self._filter_owned(user).filter(pk=key).select_related("workspace").first()
        return None if row is None or row.workspace.state == "closed" else row

    def list_owned_by_workspace(self, user: User) -> list[_Row]:
        """Return what somebody owns by owning its workspace, with no part of the own."""
        mine = self.members.objects.filter(user=user).values(self.field)
        rows = self._filter_owned(user).exclude(pk__in=mine).exclude(workspace__state="closed")
        return list(rows.order_by("-made"))

    def for_roles(self, *roles: str) -> Callable[[_View], _View]:
        """Return a decorator: the view gets the thing, and for everybody without a role it is not there."""

        def decorate(view: _View) -> _View:
            @login_required
            @functools.wraps(view)
            def wrapper(request: HttpRequest, *args: str, **named: str) -> HttpResponse:
                key, *rest = [named.pop(self.word)] if self.word in named else args
                row = self.part_of(request.user, key, *roles)
                if row is None:
                    raise Http404
                return refuse_frozen(request, row.workspace) or view(request, row, *rest, **named)

            return wrapper

        return decorate

    def give(self, row: _Row, user: User, role: str, queue: str) -> Any:
        """Give somebody a part; each has one.

        Raises
        ------
        RuleError
            ``other-part``, if they have another one: who has seen what the machine says labels no longer blind.
        """
        held = self._of(row.pk).filter(user=user).first()
        if held is not None and held.role == role:
            return held
        if held is not None:
            raise RuleError(
                "other-part",
                f"{user.username} is {held.role} here already; remove that role first, and consider what they "
                f"have seen: {self.blind}",
            )
        given = {self.field: row, "user": user, "role": role, "at": timezone.now()}
        made = self.members.objects.create(**given)
        Reviewer.objects.filter(queue=queue, user=user).delete()  # stands as one who is new
        note("part given", campaign=row.pk, about=user.username, role=role)
        return made

    def take_away(self, row: _Row, name: str, leave: Callable[[Any], None] | None = None) -> None:
        """Take somebody's part away; the last owner stays.

        Raises
        ------
        RuleError
            ``unknown`` or ``last-owner``.
        """
        held = self._of(row.pk).filter(user__username=name).first()
        if held is None:
            raise RuleError("unknown", f"{name[:80]} has no role here")
        if held.role == "owner" and self._of(row.pk).filter(role="owner").count() == 1:
            raise RuleError("last-owner", f"{name[:80]} is the only owner: make another one first")
        if leave is not None:
            leave(held)
        held.delete()
        note("part taken away", campaign=row.pk, about=name, role=held.role)

    def _of(self, key: str) -> models.QuerySet[Any]:
        rows: models.QuerySet[Any] = self.members.objects.filter(**{self.field: key})
        return rows

    def _filter_owned(self, user: User) -> models.QuerySet[_Row]:
        mine = {"workspace__seat__user": user, "workspace__seat__role": "owner"}
        rows: models.QuerySet[_Row] = self.rows.objects.filter(**mine)
        return rows
