"""What programs do with a classifier in use: have cases decided, give and read labels, forget."""

from __future__ import annotations

from typing import Any, Literal

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from ninja import Body, Query, Router

from askpoint.live.leases.lease_receipts import LeaseReceipts
from askpoint.reports.live.events import event_text
from askpoint.server.api.access import Bearer, Signed, check_writable
from askpoint.server.api.idempotency import act_once, answer_once
from askpoint.server.api.paging import Page, Paged, paginate
from askpoint.server.api.serializers import (
    serialize_appeal,
    serialize_classifier,
    serialize_label,
    serialize_opinions,
    serialize_ruling,
)
from askpoint.server.deployments.access import part_of
from askpoint.server.deployments.asked_regions import propose_asking
from askpoint.server.deployments.case_images import add_image
from askpoint.server.deployments.case_rulings import appeals_with_labels, rule_on_case
from askpoint.server.deployments.cases import waiting_cases
from askpoint.server.deployments.decision_log import (
    find_grant,
    grant_lease,
    hand_in_lease,
    leases_out,
    prove_case,
    sign_log,
)
from askpoint.server.deployments.decisions import IncomingCase, decide
from askpoint.server.deployments.label_files import KINDS, bring_labels, label_lines
from askpoint.server.deployments.label_signatures import name_tool
from askpoint.server.deployments.labelling import IncomingLabel, LabelIntake, forget, take_labels
from askpoint.server.deployments.models import Deployment, Incident, Label
from askpoint.server.deployments.rows import moment_of
from askpoint.server.deployments.second_opinions import ask_second_opinions, summarise_opinions
from askpoint.server.uploads.services import from_data
from askpoint.wire.classifiers import (
    CaseBatch,
    CaseDecision,
    CaseDecisions,
    CaseKeys,
    ClassifierStatus,
    DeletedCases,
    ImageUpload,
    ProposedVersion,
    RegionAsked,
    UploadedImage,
    WaitingCase,
)
from askpoint.wire.content import ImageCase
from askpoint.wire.labels import (
    LabelBatch,
    LabelFile,
    LabelImport,
    LabelMessage,
    LabelResult,
    OpinionsAsked,
    RefusedLine,
    RulingGiven,
    SecondOpinions,
    StoredLabel,
    StoredRuling,
    WaitingAppeal,
)
from askpoint.wire.leases import (
    HandInResult,
    LeaseAsked,
    LeaseFile,
    LeaseOut,
    LeasesOut,
    RefusedCase,
)

__all__ = [
    "appeals",
    "ask_opinions",
    "ask_where",
    "bring_label_file",
    "classifier",
    "classifiers",
    "decisions",
    "forget_cases",
    "hand_in",
    "label_file",
    "labels",
    "leases",
    "log_head",
    "made_labels",
    "open_leases",
    "opinions",
    "record",
    "router",
    "rule",
    "signed_labels",
    "upload_image",
    "wanted_cases",
]

_MOST_NUMBER = 2**31 - 1
router = Router(tags=["classifiers"])

_READ = Bearer("owner", "viewer")
_OWN = Bearer("owner")
_WRITE = Bearer("owner", scope="write")


def _mine(request: Any, classifier: str) -> Deployment:
    role, only = request.auth.role, request.auth.resource
    deployment = part_of(request.user, classifier, role) if only in ("", classifier) else None
    if deployment is None:
        raise Http404
    check_writable(request, deployment.workspace)
    return deployment


@router.get("", auth=_READ, response=Paged[ClassifierStatus])
def classifiers(request: Any, page: Query[Page]) -> dict[str, Any]:
    """List the classifiers in which you have the token's role, newest first."""
    mine = Deployment.objects.filter(members__user=request.user, members__role=request.auth.role)
    rows = mine.filter(pk=request.auth.resource) if request.auth.resource else mine
    return paginate(rows.order_by("-made", "pk"), page, serialize_classifier)


@router.get("{classifier}", auth=_READ, response=ClassifierStatus)
def classifier(request: Any, classifier: str) -> ClassifierStatus:
    """Return the state of a classifier."""
    return serialize_classifier(_mine(request, classifier))


@router.post("{classifier}/images", auth=_WRITE, response=UploadedImage)
def upload_image(request: Any, classifier: str, body: Body[ImageUpload]) -> Any:
    """Upload an image for a case; an image that no case names within a day is deleted."""
    row = _mine(request, classifier)
    made = add_image(row.pk, request.user, from_data({"image": body.image}))
    return UploadedImage(case=ImageCase(image=made["image"]))


@router.post("{classifier}/decisions", auth=_WRITE, response=CaseDecisions)
def decisions(request: HttpRequest, classifier: str, body: Body[CaseBatch]) -> Any:
    """Decide cases; each key decides once. Takes an Idempotency-Key."""
    row = _mine(request, classifier)
    items = [
        IncomingCase(
            item.key,
            item.probabilities,
            item.prediction,
            item.confidence,
            item.case,
            item.group,
            item.outputs,
        )
        for item in body.items
    ]
    made = act_once(request, lambda: decide(row.pk, items, body.model_version))
    return CaseDecisions(decisions=[CaseDecision(**decision._asdict()) for decision in made])


def _read_labels(batch: LabelBatch, judge: str) -> list[IncomingLabel]:
    return [
        IncomingLabel(item.key, item.label, item.judge or judge, item.source, item.truth)
        for item in batch.items
    ]


def _serialize_result(outcome: LabelIntake) -> LabelResult:
    events = [event_text(event) for event in outcome.events]
    return LabelResult(kept=outcome.kept, counted=outcome.counted, events=events)


@router.post("{classifier}/labels", auth=_WRITE, response=LabelResult)
def labels(request: Any, classifier: str, body: Body[LabelBatch]) -> Any:
    """Add labels; repeating them changes nothing. Takes an Idempotency-Key."""
    row, name = _mine(request, classifier), request.user.username
    items = _read_labels(body, name)
    return _serialize_result(act_once(request, lambda: take_labels(row.pk, items)))


@router.post("{classifier}/labels/signed", auth=Signed(), response=LabelResult)
def signed_labels(request: Any, classifier: str, body: Body[LabelMessage]) -> Any:
    """Add labels of reviewed and audited cases, signed as in Standard Webhooks.

    The same again changes nothing. Who said it is kept as tool:SECRET:NAME, so that no tool speaks as a member.
    """
    del classifier  # for which it is signed
    check_writable(request, request.auth.workspace)
    items = name_tool(request.auth, _read_labels(body.data, "webhook"))
    return _serialize_result(take_labels(request.auth.pk, items))


@router.get("{classifier}/labels", auth=_OWN, response=Paged[StoredLabel])
def made_labels(request: Any, classifier: str, page: Query[Page]) -> dict[str, Any]:
    """List the labels, in the order in which they arrived."""
    rows = Label.objects.filter(policy__deployment=_mine(request, classifier)).order_by("pk")
    return paginate(rows, page, serialize_label)


@router.post("{classifier}/labels/file", auth=_WRITE, response=LabelImport)
def bring_label_file(request: Any, classifier: str, body: Body[LabelFile]) -> Any:
    """Add the labels of a file, from every valid line; report why other lines are left out."""
    row = _mine(request, classifier)
    outcome = bring_labels(row.pk, body.text, body.kind, request.user.username)
    refused = [RefusedLine(**line._asdict()) for line in outcome.refused]
    return LabelImport(kept=outcome.kept, counted=outcome.counted, refused=refused)


_FILES = {kind: {"schema": {"type": "string"}} for kind in KINDS.values()}


@router.get(
    "{classifier}/labels/file",
    auth=_OWN,
    openapi_extra={"responses": {200: {"description": "OK", "content": _FILES}}},
)
def label_file(request: Any, classifier: str, kind: Literal["csv", "jsonl"] = "csv") -> Any:
    """Download all labels as a file, CSV or JSON lines."""
    lines = label_lines(_mine(request, classifier), kind)
    return StreamingHttpResponse(lines, content_type=f"{KINDS[kind]}; charset=utf-8")


@router.get("{classifier}/wanted", auth=_OWN, response=Paged[WaitingCase])
def wanted_cases(request: Any, classifier: str, page: Query[Page]) -> dict[str, Any]:
    """List the cases that wait for a label, oldest first, without the model's answer."""
    rows = waiting_cases(_mine(request, classifier)).order_by("opened", "pk")
    return paginate(
        rows, page, lambda item: WaitingCase(key=item.key, case=item.content, opened=item.opened)
    )


@router.get("{classifier}/second-opinions", auth=_OWN, response=SecondOpinions)
def opinions(request: Any, classifier: str) -> SecondOpinions:
    """Return how second reviewers label the cases that were sent to them; no label changes."""
    return serialize_opinions(summarise_opinions(_mine(request, classifier)))


@router.post("{classifier}/second-opinions", auth=_WRITE, response=OpinionsAsked)
def ask_opinions(request: Any, classifier: str, body: Body[CaseKeys]) -> OpinionsAsked:
    """Send each labelled case to another reviewer, unless it already waits for one."""
    return OpinionsAsked(asked=ask_second_opinions(_mine(request, classifier).pk, body.keys))


@router.get("{classifier}/appeals", auth=_OWN, response=Paged[WaitingAppeal])
def appeals(request: Any, classifier: str, page: Query[Page]) -> dict[str, Any]:
    """List reviewers' appeals that wait for a ruling, oldest first."""
    rows = appeals_with_labels(_mine(request, classifier))
    return paginate(rows, page, serialize_appeal)


@router.post("{classifier}/rulings", auth=_WRITE, response=StoredRuling)
def rule(request: Any, classifier: str, body: Body[RulingGiven]) -> StoredRuling:
    """Rule on a labelled case, with a reason: that answers its appeals, and the label stays."""
    row = _mine(request, classifier)
    return serialize_ruling(rule_on_case(row.pk, request.user, body.key, body.label, body.why))


@router.post("{classifier}/incidents/{number}/ask-where", auth=_WRITE, response=ProposedVersion)
def ask_where(request: Any, classifier: str, number: int, body: Body[RegionAsked]) -> Any:
    """Propose a version that sends an incident's region to review at any confidence; a person activates it."""
    row = _mine(request, classifier)
    incident = Incident.objects.filter(deployment=row, number=min(number, _MOST_NUMBER)).first()
    if incident is None:
        raise Http404
    made = propose_asking(incident, body.region - 1, request.auth.user.username)
    return ProposedVersion(version=made.number, why=made.why)


@router.post("{classifier}/forget", auth=_WRITE, response=DeletedCases)
def forget_cases(request: Any, classifier: str, body: Body[CaseKeys]) -> Any:
    """Delete the contents of cases; decision records stay. Repeating it deletes nothing more."""
    return DeletedCases(deleted=forget(_mine(request, classifier).pk, body.keys))


_OBJECT = {"responses": {200: {"description": "OK", "content": {"application/json": {"schema": {"type": "object"}}}}}}  # fmt: skip


def _file(text: str) -> HttpResponse:
    return HttpResponse(text, content_type="application/json; charset=utf-8")


@router.get("{classifier}/head", auth=_READ, openapi_extra=_OBJECT)
def log_head(request: Any, classifier: str, version: int | None = None) -> Any:
    """Sign the log of a version, by default the active one: one line that covers all rows so far."""
    return _file(sign_log(_mine(request, classifier).pk, version).to_json())


@router.get("{classifier}/record", auth=_OWN, openapi_extra=_OBJECT)
def record(request: Any, classifier: str, key: str) -> Any:
    """Prove one decision: the file for the person decided about, which `askpoint verify` takes."""
    return _file(prove_case(_mine(request, classifier).pk, key).to_json())


@router.post("{classifier}/leases", auth=_WRITE, openapi_extra=_OBJECT)
def leases(request: Any, classifier: str, body: Body[LeaseAsked]) -> Any:
    """Grant a lease to a decider elsewhere; keep it as secret as a password. Needs an Idempotency-Key."""
    row = _mine(request, classifier)

    def grant() -> tuple[str, int]:
        made = grant_lease(
            row.pk,
            body.decider,
            answers=body.answers,
            seconds=body.seconds,
            deciders=body.deciders,
        )
        return made.policy, made.lease.number

    policy, number = answer_once(request, grant)  # what is kept of the answer holds no secret
    return _file(find_grant(row, policy, number).to_json())


@router.get("{classifier}/leases", auth=_OWN, response=LeasesOut)
def open_leases(request: Any, classifier: str) -> LeasesOut:
    """List the leases without receipts so far."""
    rows = leases_out(_mine(request, classifier))
    return LeasesOut(
        leases=[
            LeaseOut(
                number=one.number,
                decider=one.decider,
                answers=one.answers,
                threshold=one.threshold,
                granted=moment_of(one.granted),
                expires=moment_of(one.expires),
            )
            for one in rows
        ]
    )


@router.post("{classifier}/leases/receipts", auth=_WRITE, response=HandInResult)
def hand_in(request: Any, classifier: str, body: Body[LeaseFile]) -> HandInResult:
    """Accept the receipts of a lease; repeating them changes nothing."""
    receipts = LeaseReceipts.from_json(body.text)
    made, conflicts = hand_in_lease(_mine(request, classifier).pk, receipts)
    return HandInResult(
        lease=made.lease,
        decided=made.decided,
        answered=made.answered,
        repeated=made.repeated,
        booked=made.booked,
        refused=[RefusedCase(key=one.case.key, error=one.error) for one in conflicts],
        events=[event_text(event) for event in made.events],
    )
