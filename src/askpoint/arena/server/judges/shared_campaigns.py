"""Campaigns whose cases lie in the queue of a classifier in use: which, and who judges them there."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from askpoint.arena.server.campaigns.models import Campaign, Colleague
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.probes.models import Player
from askpoint.arena.server.rulings.models import Judge, Shared
from askpoint.arena.server.rulings.pools import join, role_behind, run_by
from askpoint.errors import RuleError
from askpoint.server.accounts.models import User
from askpoint.server.deployments.models import Deployment, Member
from askpoint.server.deployments.policies import lock_deployment
from askpoint.server.deployments.queue import CLAIM_TIME, classes_of
from askpoint.server.journal.services import note

__all__ = [
    "accept",
    "guests_of",
    "leave",
    "leave_pool",
    "list_enrolments",
    "list_offers",
    "share",
    "shareable",
    "unshare",
]


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


def list_enrolments(row: Deployment, user: User) -> list[Judge]:
    """Return the judge that a reviewer is in each campaign of the queue that was accepted, and fits it still."""
    campaigns = {campaign.pk: campaign for campaign in guests_of(row)}
    if not campaigns:
        return []
    classes = set(classes_of(row))
    rows = Judge.objects.select_related("user").filter(
        campaign__in=campaigns, user=user, pool=row.pk
    )
    found = {judge.campaign_id: judge for judge in rows}
    judges = []
    for key, campaign in campaigns.items():
        if key in found and set(terms_of(campaign.terms).classes) == classes:
            found[key].campaign = campaign
            judges.append(found[key])
    return judges


def list_offers(row: Deployment, user: User) -> list[Campaign]:
    """Return the campaigns of the queue that a reviewer may accept: nobody is enrolled by looking.

    Who plays or organises there is offered nothing; neither is anybody where the classes are others by now.
    """
    campaigns = guests_of(row)
    classes = set(classes_of(row)) if campaigns else set()
    return [
        campaign
        for campaign in campaigns
        if set(terms_of(campaign.terms).classes) == classes
        and role_behind(campaign, user) is None
        and not Player.objects.filter(campaign=campaign, user=user).exists()
        and not Judge.objects.filter(campaign=campaign, user=user, pool=row.pk).exists()
    ]


@transaction.atomic
def accept(row: Deployment, user: User, campaign: str) -> Judge:
    """Let a reviewer judge a campaign's cases in the queue, as the reviewer asks for.

    Raises
    ------
    RuleError
        ``unknown``, where it is not offered.
    """
    if campaign not in {one.pk for one in list_offers(row, user)}:
        raise RuleError("unknown", "this campaign is not offered to you")
    rows = Judge.objects.select_related("user").filter(campaign=campaign, user=user)
    if not rows.exists():
        join(campaign, user, "judge")
    rows.update(pool=row.pk)
    note("offer accepted", campaign=campaign, about=user.username, classifier=row.pk)
    return rows.get()


@transaction.atomic
def leave(row: Deployment, user: User, campaign: str) -> bool:
    """Let a reviewer get a campaign's cases in the queue no more; whether one did."""
    mine = Judge.objects.filter(campaign=campaign, user=user, pool=row.pk)
    left = bool(mine.update(pool=""))
    if left:
        note("pool left", campaign=campaign, about=user.username, classifier=row.pk)
    return left


def leave_pool(held: Member) -> None:
    """Let who reviews no more judge in the campaigns alone."""
    Judge.objects.filter(user=held.user_id, pool=held.deployment_id).update(pool="")
