"""What an organiser watches: errors, severity, what they cost, and how judges agree."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from askpoint.arena.game.family import is_new_find
from askpoint.arena.game.player import is_suspended
from askpoint.arena.game.reward import scheme_severities
from askpoint.arena.game.standings import PlayerStanding, rank_players, tally_probes
from askpoint.arena.game.transaction import POINTS_PER_CENT, LedgerAccount
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import campaign_of
from askpoint.arena.server.examinations.services import points_for
from askpoint.arena.server.judges.queue import agreements, fresh_gold, renewable
from askpoint.arena.server.judges.services import last_gold_vote
from askpoint.arena.server.ledger.models import Entry
from askpoint.arena.server.ledger.services import balance_of
from askpoint.arena.server.probes.models import Player, Probe
from askpoint.arena.server.probes.records import player_of, probe_of
from askpoint.arena.server.rulings.models import Judge, Ruling
from askpoint.arena.server.rulings.records import queue_of
from askpoint.labelling.reviewer import is_astray, is_paused
from askpoint.measures.intervals import Interval, binomial_interval
from askpoint.server.labelling.models import Vote
from askpoint.server.labelling.records import reviewer_of
from askpoint.unknowns.quadrants import item_quadrants

__all__ = [
    "CampaignFigures",
    "JudgeLine",
    "PlayerLine",
    "figures_of",
    "judge_lines",
    "player_lines",
]


class CampaignFigures(NamedTuple):
    """A campaign in numbers; None where there is nothing yet to tell.

    Parameters
    ----------
    tried, submitted, judged, found, unknown : int
        Cases; found are errors of the kind that is sought, unknown those of them that the
        model was sure of. What repeats an earlier find is no find.
    repeats : int
        Judged cases that are errors and repeat an earlier find.
    share : Interval or None
        95% interval of found among judged.
    severity : float or None
        Mean of the errors found, 0 to 1000.
    paid, budget, reserved : int
        Points: paid to players and judges, still free, promised.
    cents_per_unknown : float or None
        All that was paid, but for votes on drawn cases, for each unknown unknown.
    referred, drawn_referred : int
        Submitted and drawn cases that wait for the organiser.
    """

    tried: int
    submitted: int
    judged: int
    found: int
    unknown: int
    share: Interval | None
    severity: float | None
    paid: int
    budget: int
    reserved: int
    cents_per_unknown: float | None
    referred: int
    drawn_referred: int
    repeats: int

    @property
    def cents_per_find(self) -> float | None:
        """All that was paid, for each find."""
        return self.paid / POINTS_PER_CENT / self.found if self.found else None

    @property
    def per_hundred(self) -> float | None:
        """Errors found for 100 judged cases."""
        return 100 * self.found / self.judged if self.judged else None


class PlayerLine(NamedTuple):
    """A player, with the place in the standings if there is one."""

    name: str
    standing: PlayerStanding | None
    suspended: bool
    barred: bool


class JudgeLine(NamedTuple):
    """A judge: votes, skips, agreement with the rulings, gold and how much of that is left.

    `unchecked` counts the votes since the last gold item, where none is left.
    """

    name: str
    votes: int
    agreed: Interval | None
    gold_seen: int
    gold_right: int
    trained: int
    paused: bool
    barred: bool
    skipped: int
    gold_left: int
    unchecked: int
    astray: bool


def figures_of(row: Campaign) -> CampaignFigures:
    """Count a campaign's submitted cases, and points."""
    game = campaign_of(row)
    rows = Probe.objects.filter(campaign=row)
    judged = [
        probe_of(probe) for probe in rows.filter(state="judged").select_related("player__user")
    ]
    errors = [probe for probe in judged if probe.prize.found]
    found = [probe for probe in errors if is_new_find(probe)]
    severe, unknown = None, 0
    answers = [probe.answer for probe in found if probe.answer is not None]
    if answers:
        proba = np.array([answer.probabilities for answer in answers])
        decided = [answer.decision for answer in answers]
        truths = [str(probe.truth) for probe in found]
        severe = float(
            scheme_severities(
                proba, game.terms.costs, decided, truths, scheme=game.terms.scheme
            ).mean()
        )
        quadrants = item_quadrants(proba, game.terms.costs, decided, truths)
        unknown = len(quadrants.rows("unknown unknown"))
    entries = Entry.objects.filter(posting__campaign=row.pk, kind__in=("held", "earned"))
    paid = sum(entries.values_list("points", flat=True))
    drawn = points_for(row, row.rulings.filter(purpose="drawn"))
    waiting = Ruling.objects.filter(campaign=row, state__in=["referred", "appealed"])
    return CampaignFigures(
        tried=rows.count(),
        submitted=rows.exclude(submitted=None).count(),
        judged=len(judged),
        found=len(found),
        unknown=unknown,
        share=binomial_interval(len(found), len(judged)) if judged else None,
        severity=severe,
        paid=paid,
        budget=balance_of(row.workspace_id, LedgerAccount("budget", row.pk)),
        reserved=balance_of(row.workspace_id, LedgerAccount("reserved", row.pk)),
        cents_per_unknown=(paid - drawn) / POINTS_PER_CENT / unknown if unknown else None,
        referred=waiting.filter(purpose="submitted").count(),
        drawn_referred=waiting.filter(purpose="drawn").count(),
        repeats=len(errors) - len(found),
    )


def player_lines(row: Campaign) -> list[PlayerLine]:
    """Return all players, the leading first."""
    floor = campaign_of(row).terms.precision_floor
    rows = Probe.objects.filter(campaign=row).exclude(submitted=None)
    table = rank_players(tally_probes(map(probe_of, rows.select_related("player__user"))))
    standings = {line.tally.player: line for line in table}
    people = Player.objects.filter(campaign=row).select_related("user").order_by("user__username")
    lines = [
        PlayerLine(
            player.user.username,
            standings.get(player.user.username),
            is_suspended(player_of(player), floor),
            player.barred,
        )
        for player in people
    ]
    return sorted(lines, key=lambda line: line.standing.rank if line.standing else len(lines) + 1)


def judge_lines(row: Campaign) -> list[JudgeLine]:
    """Return all judges by name."""
    protocol = campaign_of(row).terms.protocol
    votes: Any = Vote.objects.filter(case__queue=queue_of(row.pk), void=False).exclude(
        case__purpose="gold"
    )
    seen: dict[str, list[int]] = {}
    for judge, choice, answer in votes.values_list("reviewer", "choice", "case__answer"):
        line = seen.setdefault(judge, [0, 0, 0])
        line[0] += 1
        line[1] += answer is not None
        line[2] += choice == answer
    found = []
    for judge in (
        Judge.objects.filter(campaign=row).select_related("user").order_by("user__username")
    ):
        n_votes, n_ruled, n_agreed = seen.get(judge.user.username, [0, 0, 0])
        left = _gold_left(row, judge.user.username)
        found.append(
            JudgeLine(
                name=judge.user.username,
                votes=n_votes,
                agreed=binomial_interval(n_agreed, n_ruled) if n_ruled else None,
                gold_seen=judge.gold_seen,
                gold_right=judge.gold_right,
                trained=len(judge.trained),
                paused=is_paused(reviewer_of(judge), protocol),
                barred=judge.barred,
                skipped=judge.skipped,
                gold_left=left,
                unchecked=0 if left else _votes_since_gold(row, judge.user.username),
                astray=is_astray(agreements(judge, protocol), protocol),
            )
        )
    return found


def _gold_left(row: Campaign, judge: str) -> int:
    return fresh_gold(row, judge).count() + renewable(row, judge).count()


def _votes_since_gold(row: Campaign, judge: str) -> int:
    votes = Vote.objects.filter(case__queue=queue_of(row.pk), reviewer=judge, void=False)
    return votes.exclude(case__purpose="gold").filter(at__gt=last_gold_vote(row, judge)).count()
