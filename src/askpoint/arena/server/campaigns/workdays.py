"""A person's day in a campaign: kept where the campaign has limits, and asked before each case."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

import askpoint.arena.server.campaigns.models as models
from askpoint.arena.game.workdays import (
    Limits,
    ReaderDay,
    RestDue,
    begin_case,
    check_rest,
    due_rest,
    go_on,
)
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.server.accounts.models import User

__all__ = ["check_day", "count_case", "count_time", "due_of", "limits_of"]

_KEPT = ("begun", "at", "cases", "worked", "stretch")


def limits_of(campaign: Campaign) -> Limits:
    """Return what an organiser allows one person."""
    minutes = campaign.most_minutes, campaign.break_after, campaign.break_for
    return Limits(campaign.most_cases, *(n if n is None else timedelta(minutes=n) for n in minutes))


def _day(campaign: Campaign, user: User, *, lock: bool = False) -> ReaderDay | None:
    rows: Any = models.Workday.objects
    row = (rows.select_for_update() if lock else rows).filter(campaign=campaign, user=user).first()
    return None if row is None else ReaderDay(*(getattr(row, name) for name in _KEPT))


def _keep(campaign: Campaign, user: User, day: ReaderDay) -> None:
    values = {name: getattr(day, name) for name in _KEPT}
    models.Workday.objects.update_or_create(campaign=campaign, user=user, defaults=values)


def due_of(campaign: Campaign, user: User, now: datetime) -> RestDue | None:
    """Return the rest that is due for somebody."""
    limits = limits_of(campaign)
    return due_rest(_day(campaign, user), limits, now) if limits else None


def check_day(campaign: Campaign, user: User, now: datetime) -> None:
    """Check that somebody may be shown another case.

    Raises
    ------
    RuleError
        As `askpoint.arena.game.workdays.check_rest`.
    """
    limits = limits_of(campaign)
    if limits:
        check_rest(_day(campaign, user), limits, now)


@transaction.atomic
def count_case(campaign: Campaign, user: User, now: datetime) -> None:
    """Count one more case, of those who race no more than the limit.

    Raises
    ------
    RuleError
        As `askpoint.arena.game.workdays.check_rest`.
    """
    limits = limits_of(campaign)
    if not limits:
        return
    User.objects.select_for_update().get(pk=user.pk)  # also before there is a day
    _keep(campaign, user, begin_case(_day(campaign, user, lock=True), limits, now))


@transaction.atomic
def count_time(campaign: Campaign, user: User, now: datetime) -> None:
    """Count the time since the last action."""
    limits = limits_of(campaign)
    if limits:
        _keep(campaign, user, go_on(_day(campaign, user, lock=True), limits, now))
