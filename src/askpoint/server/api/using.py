"""What programs do with a classifier in use: have cases decided, give and read labels, forget."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import Http404, HttpRequest, StreamingHttpResponse
from ninja import Body, Field, Query, Router, Schema
from pydantic import BaseModel, ConfigDict

import askpoint.server.api.shapes as shapes
from askpoint.reports.live.events import event_text
from askpoint.server.api.access import Bearer, Signed
from askpoint.server.api.keys import only_once
from askpoint.server.api.saying import classifier_said, paged
from askpoint.server.deployments.access import part_of
from askpoint.server.deployments.cases import waiting_cases
from askpoint.server.deployments.deciding import LONGEST_KEY, MOST_ITEMS, Given, decide
from askpoint.server.deployments.label_files import KINDS, bring_labels, label_lines
from askpoint.server.deployments.labelling import MOST_LABELS, Said, forget, take_labels
from askpoint.server.deployments.models import Deployment, Label

__all__ = [
    "Batch",
    "CaseItem",
    "Decisions",
    "Forgotten",
    "Keys",
    "LabelFile",
    "LabelItem",
    "Labels",
    "Message",
    "bring_label_file",
    "classifier",
    "classifiers",
    "decisions",
    "forget_cases",
    "label_file",
    "labels",
    "made_labels",
    "router",
    "signed_labels",
    "wanted_cases",
]

router = Router(tags=["classifiers"])

_READ = Bearer("owner", "viewer")
_OWN = Bearer("owner")
_WRITE = Bearer("owner", scope="write")

_Key = Annotated[str, Field(min_length=1, max_length=LONGEST_KEY)]


class CaseItem(BaseModel):
    """A case to decide: with probabilities, or with prediction and confidence."""

    model_config = ConfigDict(extra="forbid")  # no Schema of ninja, which takes long for many

    key: _Key
    probabilities: list[float] | dict[str, float] | None = Field(
        None, description="One for each class, by its name or in the policy's order."
    )
    prediction: str | None = None
    confidence: float | None = None
    case: Any = Field(None, description="What people see if it is asked or audited; else not kept.")
    group: Annotated[str, Field(max_length=100)] | None = None


class Batch(shapes.Given):
    """Cases of one version of the model."""

    items: list[CaseItem] = Field(min_length=1, max_length=MOST_ITEMS)
    model_version: str = ""


class Decisions(Schema):
    """One for each item, in their order."""

    decisions: list[shapes.Decided]


class LabelItem(shapes.Given):
    """What somebody found."""

    key: _Key
    label: str
    judge: Annotated[str, Field(max_length=150)] = Field("", description="Else the token's owner.")
    source: str | None = Field(None, description="feedback or golden; else it follows.")
    truth: str | None = Field(None, description="Of golden items: what is known to be right.")


class Labels(shapes.Given):
    """Labels that came together."""

    items: list[LabelItem] = Field(min_length=1, max_length=MOST_LABELS)


class Message(Schema):
    """A message of a labelling tool, as Standard Webhooks has them."""

    type: str = Field("labels.made", description="Of your choice.")
    data: Labels


class LabelFile(shapes.Given):
    """A file of labels."""

    kind: Literal["csv", "jsonl"] = "csv"
    text: str = Field(description="key and label, and if known judge, source and truth.")


class Keys(shapes.Given):
    """Cases by their keys."""

    keys: list[_Key] = Field(min_length=1, max_length=MOST_ITEMS)


class Forgotten(Schema):
    """How many contents were deleted."""

    deleted: int


def _mine(request: Any, classifier: str) -> Deployment:
    role, only = request.auth.role, request.auth.campaign
    found = part_of(request.user, classifier, role) if only in ("", classifier) else None
    if found is None:
        raise Http404
    return found


@router.get("", auth=_READ, response=shapes.Paged[shapes.Classifier])
def classifiers(request: Any, page: Query[shapes.Page]) -> dict[str, Any]:
    """List the classifiers in use in which the token's owner has its role, the newest first."""
    mine = Deployment.objects.filter(members__user=request.user, members__role=request.auth.role)
    rows = mine.filter(pk=request.auth.campaign) if request.auth.campaign else mine
    return paged(rows.order_by("-made", "pk"), page, classifier_said)


@router.get("{classifier}", auth=_READ, response=shapes.Classifier)
def classifier(request: Any, classifier: str) -> shapes.Classifier:
    """Say how a classifier in use stands."""
    return classifier_said(_mine(request, classifier))


@router.post("{classifier}/decisions", auth=_WRITE, response=Decisions)
def decisions(request: HttpRequest, classifier: str, body: Body[Batch]) -> Any:
    """Decide cases; a key decides once for ever. Takes an Idempotency-Key."""
    row = _mine(request, classifier)
    items = [
        Given(it.key, it.probabilities, it.prediction, it.confidence, it.case, it.group)
        for it in body.items
    ]
    made = only_once(request, lambda: decide(row.pk, items, body.model_version))
    return {"decisions": [one._asdict() for one in made]}


@router.post("{classifier}/labels", auth=_WRITE, response=shapes.Taken)
def labels(request: Any, classifier: str, body: Body[Labels]) -> Any:
    """Take labels in; the same again changes nothing. Takes an Idempotency-Key."""
    row, name = _mine(request, classifier), request.user.username
    items = [Said(it.key, it.label, it.judge or name, it.source, it.truth) for it in body.items]
    told = only_once(request, lambda: take_labels(row.pk, items))
    events = [event_text(event) for event in told.events]
    return shapes.Taken(kept=told.kept, counted=told.counted, events=events)


@router.post("{classifier}/labels/signed", auth=Signed(), response=shapes.Taken)
def signed_labels(request: Any, classifier: str, body: Body[Message]) -> Any:
    """Take labels in that are signed as Standard Webhooks says; the same again changes nothing."""
    del classifier  # for which it is signed
    items = [
        Said(it.key, it.label, it.judge or "webhook", it.source, it.truth) for it in body.data.items
    ]
    told = take_labels(request.auth.pk, items)
    events = [event_text(event) for event in told.events]
    return shapes.Taken(kept=told.kept, counted=told.counted, events=events)


@router.get("{classifier}/labels", auth=_OWN, response=shapes.Paged[shapes.Labelled])
def made_labels(request: Any, classifier: str, page: Query[shapes.Page]) -> dict[str, Any]:
    """List the labels, in the order in which they came."""
    rows = Label.objects.filter(policy__deployment=_mine(request, classifier)).order_by("pk")
    return paged(rows, page, _said)


def _said(row: Label) -> shapes.Labelled:
    return shapes.Labelled(
        key=row.key,
        label=row.label,
        judge=row.judge,
        source=row.source,
        truth=row.truth,
        counts=row.counts,
        at=row.at,
    )


@router.post("{classifier}/labels/file", auth=_WRITE, response=shapes.Brought)
def bring_label_file(request: Any, classifier: str, body: Body[LabelFile]) -> Any:
    """Take the labels of a file in, all lines that can be taken; say of the others why not."""
    row = _mine(request, classifier)
    found = bring_labels(row.pk, body.text, body.kind, request.user.username)
    refused = [shapes.RefusedLine(**one._asdict()) for one in found.refused]
    return shapes.Brought(kept=found.kept, counted=found.counted, refused=refused)


_FILES = {kind: {"schema": {"type": "string"}} for kind in KINDS.values()}


@router.get(
    "{classifier}/labels/file",
    auth=_OWN,
    openapi_extra={"responses": {200: {"description": "OK", "content": _FILES}}},
)
def label_file(request: Any, classifier: str, kind: Literal["csv", "jsonl"] = "csv") -> Any:
    """Send all labels as a file, CSV or JSON lines."""
    lines = label_lines(_mine(request, classifier), kind)
    return StreamingHttpResponse(lines, content_type=f"{KINDS[kind]}; charset=utf-8")


@router.get("{classifier}/wanted", auth=_OWN, response=shapes.Paged[shapes.Wanted])
def wanted_cases(request: Any, classifier: str, page: Query[shapes.Page]) -> dict[str, Any]:
    """List the cases that wait for a label, the oldest first, without the model's answer."""
    rows = waiting_cases(_mine(request, classifier)).order_by("opened", "pk")
    return paged(
        rows, page, lambda it: shapes.Wanted(key=it.key, case=it.content, opened=it.opened)
    )


@router.post("{classifier}/forget", auth=_WRITE, response=Forgotten)
def forget_cases(request: Any, classifier: str, body: Body[Keys]) -> Any:
    """Delete the contents of cases; receipts stay. Again it deletes nothing more."""
    return Forgotten(deleted=forget(_mine(request, classifier).pk, body.keys))
