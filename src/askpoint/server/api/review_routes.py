"""What the program of one who labels cases does: claim the next one, say what it is, give it back."""

from __future__ import annotations

import json
from typing import Any

from django.http import Http404
from ninja import Body, Router

import askpoint.server.labelling.desk as services
from askpoint.server.api.access import Bearer
from askpoint.server.labelling.desk import Desk
from askpoint.wire.review import CaseChoice, CaseReturn, ClaimedCase, HeldCase, UnsureCase

__all__ = [
    "claim_to_label",
    "give_held_back",
    "label_held",
    "leave_unsure",
    "router",
    "take_vote_back",
]

router = Router(tags=["reviewers"])

_REVIEW = Bearer("reviewer", scope="write")


def _desk(request: Any) -> Desk:
    desk = services.desk_of(request.user, request.auth.resource)
    if not desk.titles:
        raise Http404
    return desk


def _show(case: Any) -> str:
    return case if isinstance(case, str) else json.dumps(case, ensure_ascii=False)


def _serialize_held(desk: Desk) -> HeldCase:
    held, last = desk.find_held(), desk.last_vote()
    undo = None if last is None else last.ticket
    if held is None:
        return HeldCase(held=None, undo=undo)
    claimed = ClaimedCase(
        id=held.ticket,
        case=_show(held.case),
        options=held.options,
        until=held.until,
        before=held.before or None,
        guideline="" if held.guideline is None else held.guideline.text.to_text(),
        guideline_version=None if held.guideline is None else held.guideline.number,
    )
    return HeldCase(held=claimed, undo=undo)


@router.post("claim", auth=_REVIEW, response=HeldCase)
def claim_to_label(request: Any) -> HeldCase:
    """Claim the next case to label, from all your queues; if you hold one, you get the same case."""
    desk = _desk(request)
    services.claim(desk)
    return _serialize_held(desk)


@router.post("vote", auth=_REVIEW, response=HeldCase)
def label_held(request: Any, body: Body[CaseChoice]) -> HeldCase:
    """Label the case that you hold; repeating the label changes nothing."""
    desk = _desk(request)
    services.vote(desk, body.case, body.choice, body.note)
    return _serialize_held(desk)


@router.post("undo", auth=_REVIEW, response=HeldCase)
def take_vote_back(request: Any, body: Body[CaseReturn]) -> HeldCase:
    """Undo your label of a case while the label is held; you then hold the case again."""
    desk = _desk(request)
    services.take_back(desk, body.case)
    return _serialize_held(desk)


@router.post("not-sure", auth=_REVIEW, response=HeldCase)
def leave_unsure(request: Any, body: Body[UnsureCase]) -> HeldCase:
    """Leave the case to others, and say why you are not sure; you get five, and one more per five labels."""
    desk = _desk(request)
    services.leave_unsure(desk, body.case, body.reason, body.note)
    return _serialize_held(desk)


@router.post("rest", auth=_REVIEW, response=HeldCase)
def give_held_back(request: Any, body: Body[CaseReturn]) -> HeldCase:
    """Give the case back to the queue."""
    desk = _desk(request)
    services.give_back(desk, body.case)
    return _serialize_held(desk)
