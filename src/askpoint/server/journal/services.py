"""Note who decided what, in the transaction of what was decided."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from askpoint.server.journal.models import LogLine

__all__ = ["COMMAND", "acting", "lines_of", "note", "remember_visitor"]

COMMAND = "(command line)"
"""Who acts where no person does; no name of a person holds a bracket."""

_SERVER = "(server)"
_actor: ContextVar[Callable[[], str]] = ContextVar("actor", default=lambda: _SERVER)


@contextmanager
def acting(who: Callable[[], str]) -> Iterator[None]:
    """Let somebody be the one who acts, meanwhile."""
    before = _actor.set(who)
    try:
        yield
    finally:
        _actor.reset(before)


def remember_visitor(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Let who sends a request be the one who acts in it: by a session, or by a token."""

    def answer(request: HttpRequest) -> HttpResponse:
        def who() -> str:
            return str(request.user.username) or "(visitor)"

        with acting(who):
            return get_response(request)

    return answer


def note(what: str, *, campaign: str = "", about: str = "", **said: Any) -> None:
    """Append a line: who acts now, and what was decided; called within its transaction."""
    LogLine.objects.create(
        at=timezone.now(),
        who=_actor.get()()[:150],
        what=what,
        campaign=campaign,
        about=about[:200],
        said=said,
    )


def lines_of(name: str, campaigns: Any) -> QuerySet[LogLine]:
    """Return what an organiser may read: of these campaigns, and what was decided by the own name."""
    return LogLine.objects.filter(Q(campaign__in=campaigns) | Q(who=name)).order_by("-at", "-pk")
