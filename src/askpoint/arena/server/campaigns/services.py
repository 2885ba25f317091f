"""What happens to a campaign as a whole: made, funded, opened, closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils import timezone

from askpoint.arena.game.campaign import add_funds, close_campaign, open_campaign, return_funds
from askpoint.arena.game.terms import CampaignTerms
from askpoint.arena.server.campaigns.models import Campaign, KnownItem
from askpoint.arena.server.campaigns.records import campaign_of, terms_of, terms_text
from askpoint.arena.server.ledger.funding import check_funding, check_share
from askpoint.arena.server.ledger.services import balance_of, open_account, post
from askpoint.errors import InputError, RuleError
from askpoint.measures.inputs import as_choice
from askpoint.server.accounts.models import User
from askpoint.server.accounts.seats import seat_in
from askpoint.server.classifiers.models import Classifier
from askpoint.server.clock import moment
from askpoint.server.journal.services import note
from askpoint.server.webhooks.services import announce
from askpoint.server.workspaces.keys import make_key
from askpoint.server.workspaces.models import Workspace

__all__ = [
    "budget_left",
    "change_draft",
    "change_state",
    "fund",
    "lock_campaign",
    "make_campaign",
    "set_training",
]


def lock_campaign(campaign: str) -> Campaign:
    """Return a campaign that nobody else can move in until the transaction ends.

    All moves of one campaign wait for each other here: the budget and every case are read,
    and written back, without anybody in between. The budget is locked and read with it, as
    ``left``, for every further statement is one for which the others wait.
    """
    locked = Campaign.objects.select_for_update().defer("reference", "simulated")
    return locked.extra(
        tables=["ledger_balance"],
        where=[
            "ledger_balance.workspace = campaigns_campaign.workspace_id",
            "ledger_balance.kind = 'budget'",
            "ledger_balance.owner = campaigns_campaign.id",
        ],
        select={"left": "ledger_balance.points"},
    ).get(pk=campaign)


def budget_left(row: Campaign) -> int:
    """Points that the campaign may still promise."""
    return balance_of(row.workspace_id, campaign_of(row).budget)


@transaction.atomic
def make_campaign(
    organiser: User,
    *,
    title: str,
    classifier: Classifier,
    wanted: str,
    terms: CampaignTerms,
    kind: str = "cases",
) -> Campaign:
    """Make a draft."""
    now = timezone.now()
    row = Campaign.objects.create(
        id=make_key(title, "campaign"),
        workspace=classifier.workspace,
        kind=kind,
        title=title,
        organiser=organiser,
        classifier=classifier,
        wanted=wanted,
        terms=_check_terms(terms, classifier),
        at=now,
        made=now,
    )
    open_account(row.workspace_id, campaign_of(row).budget)
    note("campaign made", campaign=row.pk, about=classifier.name, model=classifier.pk)
    return row


def _check_terms(terms: CampaignTerms, classifier: Classifier) -> str:
    if list(terms.classes) != list(classifier.classes):
        raise InputError(
            f"the costs are for {', '.join(terms.classes)}, and the model's classes are "
            f"{', '.join(classifier.classes)}, in this order"
        )
    return terms_text(terms)


@transaction.atomic
def change_draft(campaign: str, terms: CampaignTerms | None = None, **fields: Any) -> None:
    """Change a draft; what players were promised is never changed."""
    row = lock_campaign(campaign)
    _check_draft(row)
    if terms is not None:
        row.terms = _check_terms(terms, row.classifier)
    for name, value in fields.items():
        setattr(row, name, value)
    row.save()
    changed = [*(["terms"] if terms is not None else []), *fields]
    note("draft changed", campaign=row.pk, fields=", ".join(changed))


def _check_draft(row: Campaign) -> None:
    if row.state != "draft":
        raise RuleError("not-a-draft", "the terms are fixed once a campaign was open")


@transaction.atomic
def set_training(campaign: str, items: Sequence[tuple[Any, str, str]]) -> None:
    """Set the training items of a draft: case, answer, and why."""
    row = lock_campaign(campaign)
    _check_draft(row)
    terms = terms_of(row.terms)
    for _, truth, _ in items:
        as_choice(truth, terms.classes, "the answer of a training item")
    row.training.all().delete()
    KnownItem.objects.bulk_create(
        KnownItem(campaign=row, number=number, case=case, truth=truth, why=why)
        for number, (case, truth, why) in enumerate(items, start=1)
    )
    protocol = replace(terms.protocol, training_items=len(items))
    row.terms = terms_text(replace(terms, protocol=protocol))
    row.save()
    note("training set", campaign=row.pk, items=len(items))


@transaction.atomic
def fund(campaign: str, points: int, key: str, by: User | None = None) -> None:
    """Add to a campaign's budget, or take out of one that is not open; `key` makes it once.

    Parameters
    ----------
    campaign : str
    points : int
    key : str
    by : User, optional
        Who does, and may have a share of what the workspace funds.

    Raises
    ------
    RuleError
        ``money-cap`` or ``share``, beside what the ledger refuses.
    """
    if points > 0:
        _check_money(campaign, points, by)
    row = lock_campaign(campaign)
    now, game = moment(row), campaign_of(row)
    moved = (
        add_funds(game, points, key, now) if points > 0 else return_funds(game, -points, key, now)
    )
    post(row.workspace_id, moved, row.id)
    note("funds", campaign=row.pk, points=points)


def _check_money(campaign: str, points: int, by: User | None) -> None:
    """Check the limits while nobody else funds anything in the workspace."""
    key = Campaign.objects.values_list("workspace", flat=True).get(pk=campaign)
    there = Workspace.objects.select_for_update().get(pk=key)
    check_funding(there, points)
    seat = None if by is None else seat_in(there, by, "organiser")
    if seat is not None and by is not None:
        mine = Campaign.within(there).filter(organiser=by) | Campaign.within(there).filter(
            pk=campaign
        )
        check_share(seat, list(mine.values_list("pk", flat=True)), points)


@transaction.atomic
def change_state(campaign: str, state: str) -> None:
    """Open or close a campaign."""
    row = lock_campaign(campaign)
    game, now = campaign_of(row), moment(row)
    game = open_campaign(game, row.left, now) if state == "open" else close_campaign(game, now)
    row.state, row.at = game.state, game.at
    row.save(update_fields=["state", "at"])
    note(f"campaign {row.state}", campaign=row.pk)
    if row.state == "closed":
        data = {"campaign": row.pk, "title": row.title}
        announce(row.workspace_id, "campaign.closed", [row.organiser_id], data)
