"""Covered cases: a text that may hurt is sent only to whoever asks to see it, and then judged."""

from __future__ import annotations

from typing import Protocol

from django.http import HttpRequest

from askpoint.errors import RuleError

__all__ = ["QueuePlace", "check_uncovered", "cover_of"]

_KEPT = "uncovered"
_MOST = 20  # of one visitor, in several windows


class QueuePlace(Protocol):
    """Where cases lie: a campaign, or a queue of several."""

    @property
    def pk(self) -> str:
        """Its name."""

    @property
    def veiled(self) -> bool:
        """Whether its cases are covered."""


def cover_of(request: HttpRequest, campaign: QueuePlace, case: str) -> str:
    """Return the name by which a page asks for a covered case; empty where it is not covered.

    A page asked for with ``?show=NAME`` uncovers it, for this visit.
    """
    if not campaign.veiled:
        return ""
    key = f"{campaign.pk}/{case}"
    seen = request.session.get(_KEPT, [])
    if request.GET.get("show") == case and key not in seen:
        request.session[_KEPT] = seen = [*seen, key][-_MOST:]
    return "" if key in seen else case


def check_uncovered(request: HttpRequest, campaign: QueuePlace, case: str) -> None:
    """Check that a visitor asked to see a case before saying what it is.

    Raises
    ------
    RuleError
        ``covered``.
    """
    if cover_of(request, campaign, case):
        raise RuleError("covered", "this case is covered still: show it, and then say what it is")
