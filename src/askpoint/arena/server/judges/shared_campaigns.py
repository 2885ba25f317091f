"""Campaigns whose cases lie in the queue of a classifier in use: which, and who judges them there."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from askpoint.arena.server.campaigns.models import Campaign, Colleague
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.rulings.models import Judge, Shared
from askpoint.arena.server.rulings.pools import join, role_behind, run_by
from askpoint.errors import RuleError
from askpoint.server.accounts.models import User
from askpoint.server.deployments.models import Deployment, Member
from askpoint.server.deployments.policies import lock_deployment
from askpoint.server.deployments.queue import CLAIM_TIME, classes_of
from askpoint.server.journal.services import note

__all__ = ["enrol", "guests_of", "leave_pool", "share", "shareable", "unshare"]


def shareable(row: Deployment, user: User) -> list[Campaign]:
    """Return the campaigns that a person organises whose cases could lie in a classifier's queue."""
    rows = run_by(user).filter(workspace=row.workspace_id, kind="cases")
    rows = rows.exclude(classifier__cases="image")
    rows = rows.exclude(colleagues__in=Colleague.objects.filter(user=user, role="watcher"))
    return list(rows.exclude(pk__in=Shared.objects.values("campaign")).order_by("title", "pk"))


def guests_of(row: Deployment) -> list[Campaign]:
    """Return the campaigns whose cases lie in the queue of a classifier."""
    return [one.campaign for one in row.shared.select_related("campaign")]


@transaction.atomic
def share(deployment: str, user: User, campaign: str) -> None:
    """Put a campaign's cases into the queue of a classifier, whose reviewers then judge them.

    Raises
    ------
    RuleError
        ``unknown``, if the person does not organise such a campaign; ``shared``, if its cases lie in a
        queue already; ``other-kind``, if people could tell its cases from the others.
    """
    row = lock_deployment(deployment)
    found = Campaign.within(row.workspace_id).filter(pk=campaign).first()
    if found is None or role_behind(found, user) != "organiser":
        raise RuleError("unknown", "you organise no such campaign")
    if Shared.objects.filter(campaign=found).exists():
        raise RuleError("shared", f"the cases of {found.title!r} lie in a queue already")
    if found.classifier.cases == "image":
        raise RuleError(
            "other-kind",
            f"cases of {found.title!r} are images: people could tell them from the others, which are "
            "texts or rows",
        )
    terms, classes = terms_of(found.terms), classes_of(row)
    if found.kind != "cases" or set(terms.classes) != set(classes):
        raise RuleError(
            "other-kind",
            f"in {found.title!r} judges choose from {', '.join(terms.classes)}, and here from "
            f"{', '.join(classes)}: they could tell its cases from the others",
        )
    if terms.protocol.claim_time != CLAIM_TIME:
        raise RuleError(
            "other-kind",
            f"in {found.title!r} a case is a judge's for {terms.protocol.claim_time}, and here for {CLAIM_TIME}: "
            "they could tell its cases from the others",
        )
    Shared.objects.create(campaign=found, deployment=row, who=user.username, at=timezone.now())
    note("queue shared", campaign=row.pk, about=found.pk)


@transaction.atomic
def unshare(deployment: str, campaign: str) -> None:
    """Take a campaign's cases out of the queue again; its judges go on in the campaign."""
    row = lock_deployment(deployment)
    if row.shared.filter(pk=campaign).delete()[0]:
        Judge.objects.filter(campaign=campaign, pool=row.pk).update(pool="")
        note("queue no longer shared", campaign=row.pk, about=campaign)


def enrol(row: Deployment, user: User) -> list[Judge]:
    """Return the judge that a reviewer is in each campaign of the queue; one is made where need be.

    Who plays or organises there, judges none of its cases; neither does anybody where the classes
    are others by now.
    """
    found: list[Judge] = []
    campaigns = guests_of(row)
    classes = set(classes_of(row)) if campaigns else set()
    for campaign in campaigns:
        if set(terms_of(campaign.terms).classes) != classes:
            continue
        rows = Judge.objects.select_related("user").filter(campaign=campaign, user=user)
        judge = rows.first()
        if judge is None:
            try:
                join(campaign.pk, user, "judge")
            except RuleError:
                continue
            judge = rows.get()
        judge.campaign = campaign
        if judge.pool != row.pk:
            Judge.objects.filter(pk=judge.pk).update(pool=row.pk)
            judge.pool = row.pk
        found.append(judge)
    return found


def leave_pool(held: Member) -> None:
    """Let who reviews no more judge in the campaigns alone."""
    Judge.objects.filter(user=held.user_id, pool=held.deployment_id).update(pool="")
