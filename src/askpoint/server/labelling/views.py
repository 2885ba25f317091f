"""The page of who labels: one case at a time, without what the machine says or why it is shown."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

import askpoint.server.labelling.desk as services
from askpoint.errors import InputError, RuleError
from askpoint.labelling.not_sure import LONGEST_NOTE, REASONS
from askpoint.server.images.serving import image_there, send_image
from askpoint.server.labelling.covers import check_uncovered, cover_of
from askpoint.server.labelling.desk import Desk
from askpoint.server.labelling.own_work import (
    count_waiting_about,
    day_of,
    told_agreement,
    told_right,
)
from askpoint.server.labelling.settled import LONGEST_APPEAL, appeal, list_settled

__all__ = [
    "appeal_case",
    "claim_next",
    "image",
    "leave",
    "leave_unsure",
    "mine",
    "review",
    "undo",
    "vote_on",
]

_View = Callable[..., HttpResponse]
_Page = Callable[..., HttpResponse]


def _for_reviewers(view: _View) -> _Page:
    @login_required
    @functools.wraps(view)
    def wrapper(request: HttpRequest, **named: str) -> HttpResponse:
        desk = services.desk_of(request.user)
        if not desk.titles:
            raise Http404
        return view(request, desk, **named)

    return wrapper


@dataclass(frozen=True)
class _Queue:
    """What is covered: every case or none, wherever it lies."""

    veiled: bool
    pk: str = "review"


def _queue(desk: Desk) -> _Queue:
    return _Queue(any(guest.veiled for guest in desk.guests))


@require_GET
@_for_reviewers
def review(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the claimed case, or a way to claim one."""
    page: dict[str, Any] = {"desk": desk, "shared": desk.guests, "voted": desk.count_votes()}
    page["last"], page["day"] = desk.last_vote(), day_of(desk)
    held = desk.find_held()
    if held is not None:
        page |= {"held": held, "until": held.until, "options": held.options}
        page |= {"covered": cover_of(request, _queue(desk), held.ticket)}
        shown = desk.find_image(held.ticket)
        if shown is not None and image_there(*shown):
            page["image_url"] = reverse("review-image", args=[held.ticket])
        page |= {"reasons": REASONS.items(), "most_note": LONGEST_NOTE}
        page |= {"may_skip": desk.may_skip(), "ruling": held, "campaign": _queue(desk)}
    else:
        page["unready"], page["asked"] = desk.unready(), desk.list_asking()
        page["offers"], page["waiting"] = desk.offers(), count_waiting_about(desk)
        page["guidelines"], page["read"] = desk.list_guidelines(), desk.find_guideline_read()
    return render(request, "labelling/review.html", page)


@require_GET
@_for_reviewers
def image(request: HttpRequest, desk: Desk, ticket: str) -> HttpResponse:
    """Send the image of the case that the reviewer holds, uncovered."""
    shown = desk.find_image(ticket)
    if shown is None:
        raise Http404
    if cover_of(request, _queue(desk), ticket):
        raise PermissionDenied
    return send_image(*shown)


@require_GET
@_for_reviewers
def mine(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show what the reviewer did today, how often it was right, and what was settled otherwise."""
    page: dict[str, Any] = {
        "day": day_of(desk),
        "right": told_right(desk),
        "agreement": told_agreement(desk),
    }
    page |= {"settled": list_settled(desk), "covered": _queue(desk).veiled}
    page["most_why"] = LONGEST_APPEAL
    return render(request, "labelling/mine.html", page)


@require_POST
@_for_reviewers
def appeal_case(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Say that a case of one's own was settled wrongly."""
    try:
        appeal(desk, request.POST.get("case", ""), request.POST.get("why", ""))
        messages.success(request, "The owner sees your appeal, and answers it here.")
    except (InputError, RuleError) as error:
        messages.error(request, str(error))
    return redirect("review-mine")


def _next(request: HttpRequest, desk: Desk) -> HttpResponse:
    try:
        if services.claim(desk) is None:
            messages.info(request, "Nothing waits for you just now.")
    except RuleError as error:
        messages.error(request, str(error))
    return redirect("review")


@require_POST
@_for_reviewers
def claim_next(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Claim the next case."""
    return _next(request, desk)


@require_POST
@_for_reviewers
def vote_on(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Label the case, and claim the next one."""
    ticket = request.POST.get("case", "")
    try:
        check_uncovered(request, _queue(desk), ticket)
        note = request.POST.get("note", "")
        services.vote(desk, ticket, request.POST.get("choice", ""), note)
    except InputError as error:
        messages.error(request, str(error))
        return redirect("review")
    return _next(request, desk)


@require_POST
@_for_reviewers
def leave_unsure(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Leave the case to others, say why, and claim another one."""
    said = (request.POST.get(name, "") for name in ("case", "reason", "note"))
    try:
        services.leave_unsure(desk, *said)
    except (InputError, RuleError) as error:
        messages.error(request, str(error))
        if isinstance(error, InputError):
            return redirect("review")
    return _next(request, desk)


@require_POST
@_for_reviewers
def undo(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Take the label of a case back, and show the case again."""
    try:
        services.take_back(desk, request.POST.get("case", ""))
    except RuleError as error:
        messages.error(request, str(error))
    return redirect("review")


@require_POST
@_for_reviewers
def leave(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Give the case back and take a break."""
    try:
        services.give_back(desk, request.POST.get("case", ""))
    except RuleError as error:
        messages.error(request, str(error))
    return redirect("review")
