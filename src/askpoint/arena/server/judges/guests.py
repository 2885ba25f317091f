"""Campaigns among a classifier's cases, on the pages of the classifier: which, and what players found."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import shorten
from typing import Any

from django.http import HttpRequest

from askpoint.arena.server.judges.found_mistakes import finds_of
from askpoint.arena.server.judges.shared_campaigns import (
    guests_of,
    leave_pool,
    share,
    shareable,
    unshare,
)
from askpoint.arena.server.rulings.models import Judge
from askpoint.reports.document import Block, Grid, Paragraph, Section
from askpoint.reports.words import count, plural, share_range
from askpoint.server.deployments.guests import QueueGuests
from askpoint.server.deployments.models import Deployment

__all__ = ["GUESTS"]

_LONG = 120  # signs of a case that a table shows


def _sections(row: Deployment, with_cases: bool) -> Iterator[Section]:
    if found := tuple(_find_blocks(row, with_cases=with_cases)):
        yield Section("Mistakes found by players", found)


def _find_blocks(row: Deployment, *, with_cases: bool) -> Iterator[Block]:
    for one in finds_of(row):
        text = f"{one.campaign}: {plural(one.judged, 'case was', 'cases were')} judged, {count(one.found)} found"
        if one.share is not None:
            text += f" ({share_range(one.share)} of the cases that players submit, which is not a share of your stream)"
        yield Paragraph(f"{text}; {count(one.repeats)} repeat an earlier one.")
        if one.newest and with_cases:
            cells = tuple(
                (shorten(str(it.case), _LONG, placeholder=" ..."), it.decision, it.truth)
                for it in one.newest
            )
            yield Grid(f"The newest finds in {one.campaign}", ("", "the model", "people"), cells)


def _count_trained(campaign: str, row: Deployment) -> int:
    """How many reviewers are given a campaign's cases: who has seen its examples."""
    rows = Judge.objects.filter(campaign=campaign, pool=row.pk, barred=False)
    return sum(bool(trained) for trained in rows.values_list("trained", flat=True))


def _page(request: HttpRequest, row: Deployment) -> dict[str, Any]:
    return {
        "shared": [(one, _count_trained(one.pk, row)) for one in guests_of(row)],
        "shareable": shareable(row, request.user) if row.adopted else [],
    }


def _change(request: HttpRequest, row: Deployment) -> bool:
    if "share" in request.POST:
        share(row.pk, request.user, request.POST["share"])
    elif "unshare" in request.POST:
        unshare(row.pk, request.POST["unshare"])
    else:
        return False
    return True


GUESTS = QueueGuests(
    sections=_sections,
    leave=leave_pool,
    page=_page,
    change=_change,
    template="judges/guests.html",
)
"""What campaigns add to a classifier whose queue they share."""
