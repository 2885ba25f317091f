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

__all__ = [
    "COMMAND",
    "SERVER",
    "VISITOR",
    "acting",
    "is_to_an_account",
    "lines_of",
    "list_acts_of_others",
    "note",
    "remember_visitor",
]

COMMAND = "(command line)"
"""Who acts where no person does; no name of a person holds a bracket."""

VISITOR = "(visitor)"
"""Who acts where nobody is signed in."""

SERVER = "(server)"
"""Who acts where nobody asked for it."""

_actor: ContextVar[Callable[[], str]] = ContextVar("actor", default=lambda: SERVER)


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
            return str(request.user.username) or VISITOR

        with acting(who):
            return get_response(request)

    return answer


def note(
    what: str, *, workspace: str = "", campaign: str = "", about: str = "", **said: Any
) -> None:
    """Append a line: who acts now, and what was decided; called within its transaction."""
    LogLine.objects.create(
        at=timezone.now(),
        who=_actor.get()()[:150],
        what=what,
        workspace=workspace,
        campaign=campaign,
        about=about[:200],
        said=said,
    )


_TO_AN_ACCOUNT = (
    "account closed",
    "account made",
    "account opened",
    "company sign-in joined",
    "company sign-in removed",
    "held votes decided",
    "let in again",
    "mail address confirmed",
    "mail address removed",
    "part given",
    "part taken away",
    "password changed",
    "password link",
    "recovery codes made",
    "removed",
    "rights",
    "role",
    "seat given",
    "seat taken away",
    "second factor added",
    "second factor removed",
    "shut out",
    "tokens revoked",
    "votes voided",
)


def is_to_an_account(line: LogLine) -> bool:
    """Tell whether a line is of what somebody else did to an account."""
    return line.what in _TO_AN_ACCOUNT and bool(line.about) and line.who != line.about


def list_acts_of_others(name: str) -> QuerySet[LogLine]:
    """Return what others did to somebody's account, the newest first: the person reads it."""
    lines = LogLine.objects.filter(about=name, what__in=_TO_AN_ACCOUNT)
    return lines.exclude(who=name).order_by("-at", "-pk")


_OF_SEATS = ("seat given", "seat taken away", "rights", "limits set")


def lines_of(
    name: str, campaigns: Any, people: Any, *, owns: Any = (), runs: Any = ()
) -> QuerySet[LogLine]:
    """Return what somebody may read, the newest first.

    Parameters
    ----------
    name : str
        Who reads: what was decided by this name.
    campaigns : query or list of str
        Whatever concerns these campaigns or classifiers,
    people : sequence of (str, query or list of str)
        and in a workspace these names, each.
    owns : list of str, default=()
        Workspaces of which all is read.
    runs : list of str, default=()
        Workspaces in which somebody has a seat.
    """
    seen = Q(who=name) | Q(campaign__in=campaigns) | Q(workspace__in=owns)
    seen |= Q(workspace__in=runs, what__in=_OF_SEATS)
    for where, names in people:
        seen |= Q(campaign="", workspace=where, about__in=names)
    return LogLine.objects.filter(seen).order_by("-at", "-pk")
