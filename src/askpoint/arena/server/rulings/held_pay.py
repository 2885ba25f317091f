"""Pay that is held: what it waits for, in words, and the job that lets it go."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from askpoint.arena.game.friends import deciding_judges, suspects
from askpoint.arena.game.held_pay import (
    DECIDED_AFTER,
    LONGEST_HOLD,
    award_due,
    close_held_votes,
    finish_award,
    is_doubted,
    is_past_deciding,
    votes_of,
)
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import campaign_of, terms_of
from askpoint.arena.server.campaigns.services import budget_left, lock_campaign
from askpoint.arena.server.ledger.services import post
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.probes.records import probe_of
from askpoint.arena.server.rulings.comparisons import (
    OwnRepeats,
    is_compared,
    own_repeats,
    uncompared_finds,
)
from askpoint.arena.server.rulings.models import Judge, Ruling
from askpoint.arena.server.rulings.moves import CampaignCase
from askpoint.arena.server.rulings.records import ruling_of
from askpoint.errors import RuleError
from askpoint.labelling.reviewer import Reviewer
from askpoint.server.accounts.models import User
from askpoint.server.clock import moment
from askpoint.server.journal.services import note
from askpoint.server.labelling.records import reviewer_of, store_reviewer

__all__ = [
    "HeldLine",
    "decide_held_votes",
    "doubts_about",
    "finish_pay",
    "held_lines",
    "undecided_judges",
]

_AT_A_TIME = 200


class HeldLine(NamedTuple):
    """Points that somebody has and cannot withdraw yet, and what they wait for."""

    campaign: Campaign
    points: int
    n_votes: int
    case: Any
    about: str
    due: datetime | None
    latest: datetime | None
    reopened: bool = False
    doubted: bool = False


def _judges_of(campaign: Campaign) -> dict[str, Reviewer]:
    rows = Judge.objects.filter(campaign=campaign).select_related("user")
    return {row.user.username: reviewer_of(row) for row in rows}


def _held_awards(**of: Any) -> Iterator[tuple[Probe, Ruling]]:
    probes = Probe.objects.filter(state="judged", final=False, awarded__gt=0, **of)
    rows = {row.pk: row for row in probes.select_related("campaign", "player__user")}
    rulings = Ruling.objects.filter(pk__in=rows).prefetch_related("votes", "claims")
    for ruling in rulings.order_by("ruled_at", "pk"):
        yield rows[ruling.pk], ruling


def held_lines(user: User) -> list[HeldLine]:
    """Return what is held for somebody, votes first."""
    lines = []
    rows = Judge.objects.filter(user=user, held__gt=0).select_related("campaign", "user")
    for judge in rows:
        terms = terms_of(judge.campaign.terms)
        if terms.protocol.holds_pay:
            points, game = judge.held * terms.pay.vote, campaign_of(judge.campaign)
            latest = game.at + DECIDED_AFTER if game.state == "closed" else None
            doubted = is_doubted(reviewer_of(judge))
            lines.append(
                HeldLine(
                    judge.campaign, points, judge.held, None, "", None, latest, doubted=doubted
                )
            )
    known: dict[str, tuple[dict[str, Reviewer], frozenset[str]]] = {}
    for probe, row in _held_awards(player__user=user):
        game = campaign_of(probe.campaign)
        if not game.terms.holds_awards:
            continue
        if game.id not in known:
            known[game.id] = _judges_of(probe.campaign), uncompared_finds(probe.campaign)
        judges, uncompared = known[game.id]
        is_judged = is_compared(probe_of(probe), uncompared)
        due = award_due(game, ruling_of(row), judges) if is_judged else None
        latest = row.ruled_at and row.ruled_at + max(LONGEST_HOLD, game.terms.hold)
        reopened = row.state not in ("ruled", "final")
        if reopened:
            latest = game.at + DECIDED_AFTER if game.state == "closed" else None
        lines.append(
            HeldLine(
                probe.campaign,
                probe.awarded,
                0,
                probe.case,
                probe.pk,
                due=due,
                latest=latest,
                reopened=reopened,
            )
        )
    return lines


def finish_pay(campaign: str) -> None:
    """Let go what is not held any longer: awards that are due, and votes of a campaign that has ended.

    These wait for its last cases, but no longer than `DECIDED_AFTER` the end: otherwise an organiser who asks for
    votes again and closes could hold them for ever.
    """
    with transaction.atomic():
        row = lock_campaign(campaign)
        game = campaign_of(row)
        if not game.terms.holds_awards:
            return
        _finish_awards(row)
        waits = _has_open_cases(row) and not is_past_deciding(game, timezone.now())
        if row.state == "closed" and not waits:
            for judge in Judge.objects.filter(campaign=row, held__gt=0).select_related("user"):
                _close(row, judge, None)


def _finish_awards(row: Campaign) -> None:
    """Let awards go that are due, `_AT_A_TIME` of them; only these ask the database for more, not those that wait."""
    game, now = campaign_of(row), timezone.now()
    earliest, is_late = now - game.terms.hold, is_past_deciding(game, now)
    judges, uncompared = _judges_of(row), uncompared_finds(row)
    known: dict[str, tuple[OwnRepeats, frozenset[frozenset[str]]]] = {}
    left, n_moved = row.left, 0
    for probe, ruling in _held_awards(campaign=row):
        if not is_late and (ruling.ruled_at is None or ruling.ruled_at > earliest):
            continue
        player = probe.player.user.username
        if player not in known:  # what follows changes neither votes nor comparisons
            known[player] = own_repeats(row, player), _suspicious(row, player, len(judges))
        repeats, suspicious = known[player]
        case, state = CampaignCase(row, ruling, probe), probe_of(probe)
        move = finish_award(
            game,
            case.before,
            state,
            moment(ruling, probe),
            judges=judges,
            suspicious=suspicious,
            available=left,
            compared=is_compared(state, uncompared),
            repeating=repeats.too_many,
            surely=repeats.surely,
        )
        if move is not None:
            case.keep(move)
            left, n_moved = budget_left(row), n_moved + 1
            if n_moved == _AT_A_TIME:
                return


def _suspicious(row: Campaign, player: str, n_judges: int) -> frozenset[frozenset[str]]:
    """Return the judges, alone or in pairs, who call too many of a player's cases finds."""
    probes = Probe.objects.filter(campaign=row, player__user__username=player, state="judged")
    cases = {it.pk: probe_of(it) for it in probes.select_related("player__user")}
    rulings = Ruling.objects.filter(pk__in=cases).prefetch_related("votes", "claims")
    return suspects((votes_of(cases[row.pk], ruling_of(row)) for row in rulings), n_judges)


def doubts_about(row: Campaign, probe: Probe, ruling: Ruling) -> list[str]:
    """Return, in words, why an award goes to the organiser that judges have agreed on."""
    found, player = [], probe.player.user.username
    n_judges = Judge.objects.filter(campaign=row).count()
    deciding = deciding_judges(ruling_of(ruling))
    for some in _suspicious(row, player, n_judges):
        if some <= deciding:
            names = " and ".join(sorted(some))
            found.append(f"{names} called more of {player}'s cases finds than chance brings.")
    repeats = own_repeats(row, player)
    if repeats.too_many:
        found.append(
            f"Judges took {repeats.same} of {player}'s {repeats.compared} compared finds for own earlier ones "
            "in other words: more than happens to who looks for new ones."
        )
    return found


def _has_open_cases(row: Campaign) -> bool:
    return Ruling.objects.filter(campaign=row, state="open").exclude(purpose="gold").exists()


def _close(row: Campaign, judge: Judge, pays: bool | None) -> bool:
    settled = close_held_votes(campaign_of(row), reviewer_of(judge), moment(row, judge), pays=pays)
    if settled is None:
        return False
    after, posted = settled
    post(row.workspace_id, posted, row.pk)
    store_reviewer(judge, after)
    return True


def undecided_judges(row: Campaign) -> list[Judge]:
    """Return the judges of a campaign that has ended on whose last votes the organiser decides."""
    if row.state != "closed" or not terms_of(row.terms).protocol.holds_pay:
        return []
    judges = Judge.objects.filter(campaign=row, held__gt=0, stopped=False)
    rows = judges.select_related("user").order_by("user__username")
    return [row for row in rows if is_doubted(reviewer_of(row))]


@transaction.atomic
def decide_held_votes(campaign: str, name: str, *, pays: bool) -> None:
    """Pay a judge's last votes in a campaign that has ended, or take their pay back.

    Raises
    ------
    RuleError
        ``nothing-held``; as `askpoint.arena.game.held_pay.close_held_votes`.
    """
    row = lock_campaign(campaign)
    judge = Judge.objects.select_related("user").filter(campaign=row, user__username=name).first()
    if judge is None or not _close(row, judge, pays):
        raise RuleError("nothing-held", f"no votes of {name} are held in a campaign that has ended")
    note("held votes decided", campaign=campaign, about=name, paid=pays)
