"""What the program of one who labels cases does: claim the next one, say what it is, give it back."""

from __future__ import annotations

import json
from typing import Any

from django.http import Http404
from ninja import Body, Field, Router, Schema

import askpoint.server.api.shapes as shapes
import askpoint.server.pool.services as services
from askpoint.server.api.access import Bearer
from askpoint.server.pool.services import Desk

__all__ = [
    "Choice",
    "Claimed",
    "Left",
    "claim_to_label",
    "give_held_back",
    "label_held",
    "router",
    "skip_held",
]

router = Router(tags=["reviewers"])

_REVIEW = Bearer("reviewer", scope="write")


class Choice(shapes.Given):
    """What a reviewer says of the case that they hold."""

    case: str
    choice: str


class Left(shapes.Given):
    """The case that a reviewer holds."""

    case: str


class Claimed(Schema):
    """What a reviewer holds now."""

    held: shapes.Held | None = Field(description="Null where nothing waits.")


def _desk(request: Any) -> Desk:
    desk = services.desk_of(request.user, request.auth.campaign)
    if not desk.rows:
        raise Http404
    return desk


def _shown(case: Any) -> str:
    return case if isinstance(case, str) else json.dumps(case, ensure_ascii=False)


def _said(desk: Desk) -> Claimed:
    held = desk.held()
    if held is None:
        return Claimed(held=None)
    said = shapes.Held(
        id=held.ticket, case=_shown(held.case), options=held.options, until=held.until
    )
    return Claimed(held=said)


@router.post("claim", auth=_REVIEW, response=Claimed)
def claim_to_label(request: Any) -> Claimed:
    """Claim the next case to label, of all that one reviews; who holds one is given the same again."""
    desk = _desk(request)
    services.claim(desk)
    return _said(desk)


@router.post("vote", auth=_REVIEW, response=Claimed)
def label_held(request: Any, body: Body[Choice]) -> Claimed:
    """Label the case that one holds; the same again changes nothing."""
    desk = _desk(request)
    services.vote(desk, body.case, body.choice)
    return _said(desk)


@router.post("skip", auth=_REVIEW, response=Claimed)
def skip_held(request: Any, body: Body[Left]) -> Claimed:
    """Give the case back for good; skips may be limited."""
    desk = _desk(request)
    services.skip(desk, body.case)
    return _said(desk)


@router.post("rest", auth=_REVIEW, response=Claimed)
def give_held_back(request: Any, body: Body[Left]) -> Claimed:
    """Give the case back to the queue."""
    desk = _desk(request)
    services.give_back(desk, body.case)
    return _said(desk)
