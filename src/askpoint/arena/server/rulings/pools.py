"""The two pools of a campaign, who plays and who judges, never both; and who is behind the scenes."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from askpoint.arena.game.campaign import check_pools
from askpoint.arena.game.player import bar_player, readmit_player
from askpoint.arena.server.campaigns.models import Campaign, Colleague
from askpoint.arena.server.campaigns.services import lock_campaign
from askpoint.arena.server.probes.models import Player
from askpoint.arena.server.probes.records import player_of, store_player
from askpoint.arena.server.rulings.models import Judge
from askpoint.arena.server.rulings.records import queue_of
from askpoint.errors import RuleError
from askpoint.labelling.reviewer import bar_reviewer, readmit_reviewer
from askpoint.server.accounts.models import User
from askpoint.server.accounts.seats import RUNS, seat_in, seats_of
from askpoint.server.clock import moment
from askpoint.server.journal.services import note
from askpoint.server.labelling.records import reviewer_of, store_reviewer

__all__ = ["change_standing", "join", "role_behind", "role_in", "run_by"]


def role_in(campaign: str, user: User) -> str | None:
    """Return "player", "judge" or None."""
    if Player.objects.filter(campaign=campaign, user=user).exists():
        return "player"
    if Judge.objects.filter(campaign=campaign, user=user).exists():
        return "judge"
    return None


@transaction.atomic
def join(campaign: str, user: User, role: str) -> bool:
    """Let a person play, judge, organise or watch; false for who does so already.

    Raises
    ------
    RuleError
        ``other-pool`` or ``own-campaign``.
    """
    row = lock_campaign(campaign)
    held, behind = role_in(campaign, user), role_behind(row, user)
    if row.organiser_id == user.pk:
        behind = "organiser"  # also without a seat any more
    if role in ("organiser", "watcher"):
        if held is not None:
            raise RuleError(
                "other-pool",
                f"{user.username} is a {held} here, and so cannot see what organisers see",
            )
        if behind in ("organiser", role):
            return False
        values = {"role": role, "at": timezone.now()}
        Colleague.objects.update_or_create(campaign=row, user=user, defaults=values)
        note("joined", campaign=row.pk, about=user.username, role=role)
        return True
    check_pools(user.username, role, held, organises=behind is not None)
    pool = Player if role == "player" else Judge
    if held is None:
        more = {} if pool is Player else {"queue": queue_of(row.pk)}
        pool.objects.create(campaign=row, user=user, at=timezone.now(), **more)
        note("joined", campaign=row.pk, about=user.username, role=role)
    return held is None


def run_by(user: User) -> QuerySet[Campaign]:
    """Return the campaigns that somebody organises or watches; who owns a workspace organises all of its."""
    seats = {seat.workspace_id: seat.role for seat in seats_of(user)}
    owned = [key for key, role in seats.items() if role == "owner"]
    own = Q(organiser=user, workspace__in=[key for key, role in seats.items() if role in RUNS])
    named = Q(pk__in=Colleague.objects.filter(user=user).values("campaign"))
    there = Campaign.objects.exclude(workspace__state="closed")
    return there.filter(own | named | Q(workspace__in=owned))


def role_behind(campaign: Campaign, user: User) -> str | None:
    """Return "organiser", "watcher", or None for who sees nothing behind the scenes.

    Who made it needs a seat that organises; who owns the workspace organises every campaign of it.
    """
    seat = seat_in(campaign.workspace_id, user)
    if seat is not None:
        made = campaign.organiser_id == user.pk and seat.role in RUNS
        if made or seat.role == "owner":
            return "organiser"
    mine = Colleague.objects.filter(campaign=campaign, user=user)
    return mine.values_list("role", flat=True).first()


@transaction.atomic
def change_standing(campaign: str, name: str, role: str, *, barred: bool) -> None:
    """Shut a player or a judge out, or let them in again with counts that start anew."""
    lock_campaign(campaign)
    note("shut out" if barred else "let in again", campaign=campaign, about=name, role=role)
    if role == "player":
        player = Player.objects.select_related("user").get(campaign=campaign, user__username=name)
        change = bar_player if barred else readmit_player
        store_player(player, change(player_of(player), moment(player)))
    else:
        judge = Judge.objects.select_related("user").get(campaign=campaign, user__username=name)
        store_reviewer(
            judge, (bar_reviewer if barred else readmit_reviewer)(reviewer_of(judge), moment(judge))
        )
