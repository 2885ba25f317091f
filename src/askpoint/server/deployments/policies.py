"""Versions of a policy: made by somebody for a reason, adopted by a person, never lost."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from askpoint.answers.live.first_policy import OpeningQuestion
from askpoint.errors import InputError, RuleError
from askpoint.live.documents import PolicyDocument
from askpoint.live.draws import secret_hash
from askpoint.live.receipts import Replay
from askpoint.records.predictions import PredictionLog
from askpoint.reports.document import Section
from askpoint.server.accounts.models import User
from askpoint.server.clock import moment
from askpoint.server.deployments.incidents import end_incidents
from askpoint.server.deployments.ladder_stages import ladder_sections
from askpoint.server.deployments.models import Deployment, Member, Policy
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.reviewer_errors import (
    PeopleError,
    asking_blocks,
    charge_reviewer_errors,
    people_error,
)
from askpoint.server.journal.services import note
from askpoint.server.logs.opening import Opened, Opens, open_policy
from askpoint.server.logs.questions import ReportQuestion
from askpoint.server.report_sections import plain_sections
from askpoint.server.workspaces.keys import make_key
from askpoint.server.workspaces.models import Workspace

__all__ = [
    "adopt",
    "adopt_by",
    "check_not_deleted",
    "check_open_to_cases",
    "go_back",
    "lock_deployment",
    "make_deployment",
    "make_opened",
    "opens_here",
    "policy_in_use",
    "preview_document",
    "preview_opened",
    "propose",
    "propose_by",
    "propose_document",
    "propose_opened",
    "refuse_same_title",
    "secret_of",
    "set_mode",
    "signing_key",
]


def lock_deployment(deployment: str) -> Deployment:
    """Return a classifier in use that nobody else can move until the transaction ends."""
    return Deployment.objects.select_for_update().get(pk=deployment)


def check_open_to_cases(row: Deployment) -> None:
    """Check that a classifier takes cases.

    Raises
    ------
    RuleError
        ``archived`` or ``deleted``.
    """
    check_not_deleted(row)
    if row.archived is not None:
        raise RuleError(
            "archived",
            f"{row.title!r} is archived since {_day(row.archived)} and takes no cases. Decide without it, or ask an owner to "
            "restore it under Settings.",
        )


def check_not_deleted(row: Deployment) -> None:
    """Check that a classifier was not deleted.

    Raises
    ------
    RuleError
        ``deleted``.
    """
    if row.deleted is not None:
        raise RuleError(
            "deleted",
            f"{row.title!r} was deleted on {_day(row.deleted)} and takes nothing any more. Use another classifier.",
        )


def _day(at: datetime) -> str:
    return f"{at.day} {at:%B %Y}"


def policy_in_use(row: Deployment) -> Policy:
    """Return the policy that decides.

    Raises
    ------
    RuleError
        ``no-policy``, if none was adopted.
    """
    found = Policy.objects.filter(deployment=row, number=row.adopted).first()
    if found is None:
        raise RuleError(
            "no-policy", f"{row.title!r} has no active policy. An owner must activate one first."
        )
    found.deployment = row
    return found


def secret_of(policy: Policy) -> bytes:
    """Return a policy's secret: it follows from the server's own, and is stored nowhere."""
    return _secret(document_of(policy).id, policy.salt)


def signing_key(row: Deployment) -> bytes:
    """Return the key that signs the heads of a classifier's logs; it follows from the server's own secret, too."""
    return salted_hmac("askpoint.signing", f"{row.pk}\0{row.salt}", algorithm="sha256").digest()


def _secret(name: str, salt: str) -> bytes:
    return salted_hmac("askpoint.policy", f"{name}\0{salt}", algorithm="sha256").digest()


@transaction.atomic
def make_deployment(workspace: str, owner: User, title: str, name: str | None = None) -> Deployment:
    """Make a classifier that decides nothing yet."""
    now = timezone.now()
    row = Deployment.objects.create(
        workspace_id=workspace,
        id=name or make_key(title, "classifier"),
        title=title,
        salt=secrets.token_hex(32),
        at=now,
        made=now,
    )
    Member.objects.create(deployment=row, user=owner, role="owner", at=now)
    note("classifier made", campaign=row.pk, about=title)
    return row


_Make = Callable[[str, str], tuple[PolicyDocument, list[dict[str, Any]]]]
_FindSame = Callable[[], Policy | None]
_TURNS = 3  # others may propose while a policy is chosen


class _Draft(NamedTuple):
    """A version that was made before anything was locked: choosing takes seconds."""

    number: int
    salt: str
    document: PolicyDocument
    told: list[dict[str, Any]]


def _draft(deployment: str, number: int, make: _Make) -> _Draft:
    salt, name = secrets.token_hex(32), f"{deployment}/{number}"
    return _Draft(number, salt, *make(name, secret_hash(_secret(name, salt))))


@transaction.atomic
def _store(deployment: str, who: str, why: str, draft: _Draft, work: float | None) -> Policy | None:
    """Keep a draft as a proposal; not if its number was taken meanwhile."""
    row = lock_deployment(deployment)
    if row.policies.count() + 1 != draft.number:
        return None
    parent = row.policies.filter(number=row.adopted).first()
    document = replace(
        draft.document,
        version=draft.number,
        previous=draft.document.previous or (parent.digest if parent else ""),
    )
    found = Policy.objects.create(
        deployment=row,
        number=draft.number,
        parent=None if parent is None else parent.number,
        document=document.to_json(),
        digest=document.digest,
        salt=draft.salt,
        who=who,
        why=why.strip(),
        told=draft.told,
        work=work,
        made=timezone.now(),
        decided=document.state.decided,
        log=Replay(document).tree.to_dict(),
    )
    note("policy proposed", campaign=row.pk, about=document.id, why=why.strip())
    return found


def _check_why(why: str) -> None:
    if not why.strip():
        raise InputError("say why: people who read the versions later want to know")


def _keep(
    deployment: str,
    who: str,
    why: str,
    make: _Make,
    work: float | None = None,
    find_same: _FindSame = lambda: None,
) -> Policy:
    """Number a new version, and keep it as a proposal, unless the same one waits already.

    That is looked up after the number, without which no draft is kept: of two who propose at once one finds the other's.
    """
    _check_why(why)
    for _ in range(_TURNS):
        number = Policy.objects.filter(deployment=deployment).count() + 1
        found = find_same()
        if found is None:
            found = _store(deployment, who, why, _draft(deployment, number, make), work)
        if found is not None:
            return found
    raise RuleError("proposed-meanwhile", "another version is being created. Try again.")


def propose(
    deployment: str,
    who: User,
    why: str,
    log: PredictionLog | None,
    question: OpeningQuestion,
    model: Mapping[str, Any],
    *,
    labels_are_random: bool = False,
) -> Policy:
    """Make a version from a log, or from nothing; what it would do is kept beside it, in words.

    The price of a check is that of its work; what people get wrong, where it is known, is charged to it.

    Raises
    ------
    AskpointError
        As `askpoint deploy` refuses logs and terms.
    """
    return propose_by(
        deployment, who.username, why, log, question, model, labels_are_random=labels_are_random
    )


def propose_by(
    deployment: str,
    by: str,
    why: str,
    log: PredictionLog | None,
    question: OpeningQuestion,
    model: Mapping[str, Any],
    *,
    labels_are_random: bool = False,
    asked: ReportQuestion | None = None,
) -> Policy:
    """Do the same in the name of a person, or of the loop."""
    opens = opens_here(log, model, labels_are_random=labels_are_random, asked=asked)
    return propose_opened(deployment, by, why, opens, question)


def opens_here(
    log: PredictionLog | None,
    model: Mapping[str, Any],
    *,
    labels_are_random: bool,
    asked: ReportQuestion | None = None,
) -> Opens:
    """Return what chooses policies in this process: from a short log of our own, or from nothing."""

    def opens(question: OpeningQuestion, name: str, hashed: str) -> Opened:
        return open_policy(
            log, question, model, name, hashed, labels_are_random=labels_are_random, asked=asked
        )

    return opens


def propose_opened(
    deployment: str,
    by: str,
    why: str,
    opens: Opens,
    question: OpeningQuestion,
    find_same: _FindSame = lambda: None,
) -> Policy:
    """Make a version that `opens` chooses, or return the one that `find_same` finds; what people get wrong is charged.

    Raises
    ------
    AskpointError
        As `opens` does.
    """
    found = people_error(Deployment.objects.get(pk=deployment))
    return _keep(deployment, by, why, _maker(opens, question, found), _work(question), find_same)


_NOBODY = PeopleError({}, 0, 0, 0, 0)


def make_opened(
    workspace: str,
    owner: User,
    title: str,
    why: str,
    opens: Opens,
    question: OpeningQuestion,
    *,
    in_shadow: bool = False,
) -> Deployment:
    """Make a classifier and its first version, or neither; `in_shadow`, the version decides there at once.

    Raises
    ------
    RuleError
        ``titled``, as `refuse_same_title`.
    AskpointError
        As `opens` does.
    """
    _check_why(why)
    name = make_key(title, "classifier")
    draft = _draft(name, 1, _maker(opens, question, _NOBODY))
    with transaction.atomic():
        refuse_same_title(workspace, owner, title)
        row = make_deployment(workspace, owner, title, name)
        _store(name, owner.username, why, draft, _work(question))
        if in_shadow:
            adopt(name, owner, 1, 0)
    return row


def refuse_same_title(workspace: str, owner: User, title: str) -> None:
    """Refuse a title that a classifier of the same owner has: a form that is sent twice makes one.

    Raises
    ------
    RuleError
        ``titled``.
    """
    Workspace.objects.select_for_update().get(pk=workspace)
    same = Deployment.objects.filter(workspace=workspace, title=title, deleted=None)
    if same.filter(members__user=owner, members__role="owner").exists():
        raise RuleError(
            "titled", f"you own a classifier called {title!r}: open it, or choose another title"
        )


def preview_opened(opens: Opens, question: OpeningQuestion) -> list[dict[str, Any]]:
    """Return what a first version would do, as the page of a version says it; nothing is kept.

    Raises
    ------
    AskpointError
        As `opens` does.
    """
    return _draft("preview", 1, _maker(opens, question, _NOBODY)).told


def preview_document(text: str) -> list[dict[str, Any]]:
    """Return the same of a policy.json.

    Raises
    ------
    InputError
        As `propose_document`.
    """
    return plain_sections(ladder_sections(_read_document(text)))


def _work(question: OpeningQuestion) -> float | None:
    return question.limit if question.aim == "money" else None


def _maker(opens: Opens, question: OpeningQuestion, found: PeopleError) -> _Make:
    work = _work(question)

    def make(name: str, hashed: str) -> tuple[PolicyDocument, list[dict[str, Any]]]:
        document, told = opens(charge_reviewer_errors(question, found), name, hashed)
        if work is not None and found.judges:
            asking = Section("Cost of review", tuple(asking_blocks(work, found)))
            told = [*plain_sections([asking]), *told]
        return document, told

    return make


def propose_document(deployment: str, who: User, why: str, text: str) -> Policy:
    """Make a version from a policy.json that `askpoint deploy` wrote; its secret stays behind.

    Raises
    ------
    InputError
        If it is none, waits for labels elsewhere, or answers without evidence.
    """
    given = _read_document(text)
    told = plain_sections(ladder_sections(given))

    def make(name: str, hashed: str) -> tuple[PolicyDocument, list[dict[str, Any]]]:
        taken = replace(given, id=name, secret_hash=hashed, previous=given.digest)
        return taken, told

    return _keep(deployment, who.username, why, make)


def _read_document(text: str) -> PolicyDocument:
    """Return a policy that a server can go on from."""
    given = PolicyDocument.from_json(text)
    if not given.model.get("classes"):
        raise InputError(f"the policy {given.id!r} names no classes; deploy it with --classes")
    if given.model.get("documents") is not None:
        raise InputError(
            f"the policy {given.id!r} decides whole documents by their fields, and a server decides single cases: use it "
            "by askpoint decide, or from Python"
        )
    if len(given.state.pending):
        raise InputError(
            f"the policy {given.id!r} waits for {len(given.state.pending)} labels elsewhere; upload "
            "the policy.json with which it was deployed"
        )
    if given.state.threshold is not None and not given.evidence.get("labelled"):
        raise InputError(
            f"the policy {given.id!r} answers, and has no evidence for it: it names no labelled rows; "
            "deploy it from a log, or start without one"
        )
    return given


def go_back(deployment: str, who: User, why: str, number: int) -> Policy:
    """Make a version as an older one began; only a person does that, and says why.

    Raises
    ------
    RuleError
        ``unknown``.
    """
    old = Policy.objects.filter(deployment=deployment, number=number).first()
    if old is None:
        raise RuleError("unknown", f"there is no version {number}")
    document = document_of(old)

    def make(name: str, hashed: str) -> tuple[PolicyDocument, list[dict[str, Any]]]:
        return replace(document, id=name, secret_hash=hashed, previous=""), list(old.told)

    return _keep(deployment, who.username, why, make, old.work)


def adopt(deployment: str, who: User, number: int, instead_of: int) -> Policy:
    """Put a version into use instead of the one that was; of two who do so at once one is told.

    Raises
    ------
    RuleError
        ``unknown``; ``adopted-meanwhile``, if another version is in use by now.
    """
    return adopt_by(deployment, who.username, number, instead_of)


@transaction.atomic
def adopt_by(deployment: str, name: str, number: int, instead_of: int) -> Policy:
    """Do the same in the name of a person, or of the loop."""
    row = lock_deployment(deployment)
    found = Policy.objects.filter(deployment=row, number=number).first()
    if found is None:
        raise RuleError("unknown", f"there is no version {number}")
    if row.adopted != instead_of:
        used = row.policies.filter(number=row.adopted).first()
        by = "" if used is None else f", which {used.adopted_by} activated"
        raise RuleError(
            "adopted-meanwhile",
            f"version {row.adopted} is in use by now{by}: look at it, and adopt again if you still "
            "want to",
        )
    if found.adopted is not None:
        raise RuleError(
            "adopted-before",
            f"version {number} was in use before: go back to it, which makes a new version that "
            "begins as it did",
        )
    now = moment(row)
    found.adopted, found.adopted_by = now, name
    found.save(update_fields=["adopted", "adopted_by"])
    Deployment.objects.filter(pk=row.pk).update(adopted=number, at=now)
    end_incidents(row, now, successor=number)
    note("policy adopted", campaign=row.pk, about=f"version {number}", instead_of=instead_of)
    return found


@transaction.atomic
def set_mode(deployment: str, mode: str, rollout: float | None = None) -> None:
    """Let it decide nothing, a share of the cases, or all.

    Raises
    ------
    InputError
        If there is no such mode or share.
    RuleError
        ``no-policy``.
    """
    row = lock_deployment(deployment)
    policy_in_use(row)
    if mode not in dict(Deployment.MODES):
        raise InputError(f"it decides {', '.join(dict(Deployment.MODES))}; got {mode[:40]!r}")
    if rollout is None:
        rollout = row.rollout
    if not 0 < rollout < 1:
        raise InputError(f"the rollout must be between 0 and 1; got {rollout:g}")
    Deployment.objects.filter(pk=row.pk).update(
        mode=mode, rollout=rollout, kept_closed=None, kept_mode="", at=moment(row)
    )
    said: dict[str, Any] = {"rollout": rollout} if mode == "rollout" else {}
    note("traffic", campaign=row.pk, about=mode, **said)
