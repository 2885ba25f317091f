"""A case with all its rows, looked up under the campaign's lock, and a move that is kept whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from askpoint.arena.game.campaign import CampaignState as GameCampaign
from askpoint.arena.game.family import find_moves, join_families
from askpoint.arena.game.player import PlayerState as GamePlayer
from askpoint.arena.game.probe import ProbeState as GameProbe
from askpoint.arena.game.ruling import Ruling as GameRuling
from askpoint.arena.game.settlement import Move, settle_anew
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import campaign_of
from askpoint.arena.server.campaigns.services import budget_left
from askpoint.arena.server.ledger.services import post
from askpoint.arena.server.probes.families import family_members
from askpoint.arena.server.probes.models import Player, Probe
from askpoint.arena.server.probes.records import player_of, probe_of, store_player, store_probe
from askpoint.arena.server.probes.tags import settle_challenge
from askpoint.arena.server.rulings.comparisons import open_comparison
from askpoint.arena.server.rulings.models import Judge, Ruling
from askpoint.arena.server.rulings.records import ruling_of, store_ruling
from askpoint.errors import RuleError
from askpoint.server.clock import moment
from askpoint.server.jobs.services import add_job
from askpoint.server.labelling.records import store_reviewer
from askpoint.server.webhooks.services import announce

__all__ = ["CampaignCase", "find_case", "join_cases", "join_own_families"]


@dataclass
class CampaignCase:
    """The rows of a case, and the game's objects made from them.

    Parameters
    ----------
    campaign : Campaign
        Locked by the caller.
    ruling : Ruling
        The case in the queue.
    probe : Probe, optional
        None for a drawn case and a gold item.
    """

    campaign: Campaign
    ruling: Ruling
    probe: Probe | None

    def __post_init__(self) -> None:
        self.before: GameRuling = ruling_of(self.ruling)

    @property
    def game(self) -> GameCampaign:
        """The campaign, for the rules."""
        return campaign_of(self.campaign)

    @property
    def game_probe(self) -> GameProbe | None:
        """The probe, for the rules."""
        return None if self.probe is None else probe_of(self.probe)

    @property
    def player(self) -> Player | None:
        """Whose case it is."""
        return None if self.probe is None else self.probe.player

    @property
    def game_player(self) -> GamePlayer | None:
        """The player, for the rules."""
        return None if self.player is None else player_of(self.player)

    @property
    def family(self) -> tuple[GameProbe, ...]:
        """The submitted cases that repeat it or that it repeats, for the rules."""
        return () if self.probe is None else family_members(self.campaign, self.probe.family)

    def keep_with_family(self, move: Move, judge: Judge | None = None) -> None:
        """Store what a move changed, and settle anew those of the family whose place it moved."""
        self.keep(move, judge)
        if move.probe is not None:
            _settle_family(self.campaign, self.family, move.ruling)

    def keep(self, move: Move, judge: Judge | None = None) -> None:
        """Store all that a move changed; the caller's transaction makes it all or nothing."""
        post(self.campaign.workspace_id, move.transactions, self.campaign.pk)
        store_ruling(self.ruling, self.before, move.ruling, self.game.terms.protocol)
        if move.ruling.state in ("ruled", "final") and self.before.state != move.ruling.state:
            self._tell(move.ruling)
        self.before = move.ruling
        if move.player is not None and self.player is not None:
            store_player(self.player, move.player)
        if move.judge is not None and judge is not None:
            store_reviewer(judge, move.judge)
        if move.probe is not None and self.probe is not None:
            learned = move.probe.truth != self.probe.truth
            store_probe(self.probe, move.probe)
            if learned and self.game.terms.compares:
                add_job("learn", self.campaign.pk)
            if self.campaign.kind == "tags":
                settle_challenge(move.probe)
            open_comparison(self.campaign, move.probe, move.probe.at)

    def _tell(self, ruling: GameRuling) -> None:
        if ruling.purpose != "gold":
            told = {"campaign": self.campaign.pk, "case": ruling.id, "kind": ruling.purpose}
            told |= {"answer": ruling.answer, "state": ruling.state}
            announce(self.campaign.workspace_id, "ruling.made", [self.campaign.organiser_id], told)


def _settle_family(
    campaign: Campaign, family: Iterable[GameProbe], after: GameRuling | GameProbe
) -> None:
    """Settle anew those of a family whose place is not what it was."""
    for one in find_moves(list(family)):
        case = find_case(campaign, one.id)
        if case.game_player is not None:
            again = settle_anew(
                case.game,
                case.before,
                moment(after, case.ruling, case.probe, case.player),
                probe=one,
                player=case.game_player,
                family=case.family,
                available=budget_left(campaign),
            )
            case.keep(again)


def join_cases(campaign: Campaign, head: str, other: str) -> None:
    """Make one family of two, and settle what changes its place. The caller holds the campaign."""
    family, later = family_members(campaign, head), family_members(campaign, other)
    joined = join_families(family, later)
    Probe.objects.filter(pk__in=[probe.id for probe in joined]).update(family=head)
    _settle_family(campaign, [*family, *joined], family[0])


def join_own_families(campaign: Campaign, player: Player, heads: Sequence[str]) -> None:
    """Make one family of those that a player's case repeats, where all are that player's own."""
    if len(heads) < 2:
        return
    rows = dict(Probe.objects.filter(pk__in=heads).values_list("pk", "family"))  # as they are now
    first, *others = dict.fromkeys(rows[head] for head in heads)
    for other in others:
        members = Probe.objects.filter(campaign=campaign, family=other, submitted__isnull=False)
        if not members.exclude(player=player).exists():
            join_cases(campaign, first, other)


def find_case(campaign: Campaign, case: str) -> CampaignCase:
    """Return a case in the queue of a campaign that the caller has locked.

    Raises
    ------
    RuleError
        ``unknown``.
    """
    ruling = (
        Ruling.objects.filter(campaign=campaign, pk=case)
        .prefetch_related("votes", "claims")
        .first()
    )
    if ruling is None:
        raise RuleError("unknown", f"there is no submitted case {case!r} in this campaign")
    probe = None
    if ruling.purpose == "submitted":
        probe = Probe.objects.select_related("player__user").get(pk=case)
    return CampaignCase(campaign, ruling, probe)
