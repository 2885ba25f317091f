"""A whole game in memory: the rules, with the records kept in dictionaries.

It does what a server does with a database: it looks records up, makes a move, and keeps
all that the move changed, or nothing. The simulated crowd plays in it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from askpoint.arena.game.campaign import (
    CampaignState,
    add_funds,
    check_pools,
    close_campaign,
    open_campaign,
)
from askpoint.arena.game.case_draws import draw_cases
from askpoint.arena.game.family import find_moves, join_families
from askpoint.arena.game.feedback import Resemblance
from askpoint.arena.game.friends import suspects
from askpoint.arena.game.held_pay import close_held_votes, finish_award, hold_start, votes_of
from askpoint.arena.game.ledger import Ledger
from askpoint.arena.game.paid_votes import cast_vote, claim_case, give_back, skip_case
from askpoint.arena.game.payout import PayoutState, plan_payout
from askpoint.arena.game.player import PlayerState
from askpoint.arena.game.prints import print_of
from askpoint.arena.game.probe import ProbeState
from askpoint.arena.game.repeats import Repeats
from askpoint.arena.game.review import decide_case, file_appeal, recall_votes
from askpoint.arena.game.ruling import Ruling, gold_ruling
from askpoint.arena.game.settlement import Move, settle_anew
from askpoint.arena.game.submissions import Tries, submit_case, try_case
from askpoint.arena.game.transaction import LedgerAccount
from askpoint.errors import RuleError
from askpoint.labelling.gold import becomes_gold, rarest_gold
from askpoint.labelling.queue import next_case
from askpoint.labelling.reviewer import Agreement, Reviewer, check_reviewer, is_paused, train
from askpoint.measures.model_answer import ModelAnswer

__all__ = ["Arena"]

_Record = TypeVar("_Record")


class Arena:
    """One campaign with its people, cases and ledger.

    Parameters
    ----------
    campaign : Campaign
        A draft.

    Attributes
    ----------
    campaign : Campaign
        As it is now.
    ledger : Ledger
        Every point that moved.
    players, judges : dict of str
        People by name.
    probes, rulings : dict of str
        Cases by name; drawn cases and gold items have a ruling only.
    """

    def __init__(self, campaign: CampaignState) -> None:
        self.campaign = campaign
        self.ledger = Ledger()
        self.players: dict[str, PlayerState] = {}
        self.judges: dict[str, Reviewer] = {}
        self.probes: dict[str, ProbeState] = {}
        self.rulings: dict[str, Ruling] = {}
        self.submitted: set[str] = set()
        self._tries: dict[str, deque[datetime]] = {}
        self._texts: dict[str, str] = {}
        self._repeats = Repeats()
        self._order: list[str] = []
        self._families: dict[str, list[str]] = {}
        self._voted: dict[str, list[str]] = {}

    @property
    def available(self) -> int:
        """Points that the campaign may still promise."""
        return self.ledger.balance(self.campaign.budget)

    def points(self, person: str) -> int:
        """Points that a person has, also those that are held."""
        return self.withdrawable(person) + self.held_points(person)

    def held_points(self, person: str) -> int:
        """Points that a person has and may not withdraw yet."""
        return self.ledger.balance(LedgerAccount("held", person))

    def withdrawable(self, person: str) -> int:
        """Points that a person may withdraw."""
        return self.ledger.balance(LedgerAccount("earned", person))

    def finish(self, now: datetime) -> None:
        """Let players withdraw what is not held any longer, and settle the votes of a campaign that has ended."""
        suspicious: dict[str, frozenset[frozenset[str]]] = {}
        for case in [one.id for one in self.probes.values() if one.truth and not one.final]:
            probe, ruling = self.probes[case], self.rulings[case]
            if probe.player not in suspicious:  # what follows changes no votes
                suspicious[probe.player] = self._suspicious(probe.player)
            move = finish_award(
                self.campaign,
                ruling,
                probe,
                now,
                judges=self.judges,
                suspicious=suspicious[probe.player],
                available=self.available,
            )
            if move is not None:
                self._keep(move)
        for name, judge in self.judges.items():
            settled = close_held_votes(self.campaign, judge, now)
            if settled is not None:
                self.judges[name], posted = settled
                self.ledger.post(*posted)

    def _suspicious(self, player: str) -> frozenset[frozenset[str]]:
        cases = [one for one in self.probes.values() if one.player == player and one.truth]
        votes = (votes_of(one, self.rulings[one.id]) for one in cases)
        return suspects(votes, len(self.judges))

    def fund(self, points: int, now: datetime) -> None:
        """Add to the budget."""
        self.ledger.post(*add_funds(self.campaign, points, str(len(self.ledger)), now))

    def open(self, now: datetime) -> None:
        """Open the campaign."""
        self.campaign = open_campaign(self.campaign, self.available, now)

    def close(self, now: datetime) -> None:
        """Close the campaign."""
        self.campaign = close_campaign(self.campaign, now)

    def join(self, person: str, role: str, now: datetime) -> None:
        """Let a person join as a player or as a judge; joining twice changes nothing."""
        held = "player" if person in self.players else "judge" if person in self.judges else None
        check_pools(person, role, held)
        if held is None and role == "player":
            self.players[person] = PlayerState(person, self.campaign.id, now)
        elif held is None:
            self.judges[person] = Reviewer(person, self.campaign.id, now)

    def train(self, judge: str, items: list[str], now: datetime) -> None:
        """Record training items that a judge has answered."""
        for item in items:
            self.judges[judge] = train(self._judge(judge), item, now)

    def add_gold(self, item: str, truth: str, now: datetime) -> None:
        """Put an item with a known answer into the judges' queue."""
        options = self.campaign.terms.classes
        self.rulings[item] = Ruling(
            item, self.campaign.id, "", options, now, now, gold=truth, purpose="gold"
        )

    def draw(self, cases: Sequence[str], now: datetime) -> None:
        """Put cases drawn from the stream into the judges' queue."""
        for move in draw_cases(self.campaign, cases, now, available=self.available):
            self._keep(move)

    def try_case(
        self,
        player: str,
        digest: str,
        answer: ModelAnswer,
        now: datetime,
        resemblance: Resemblance | None = None,
        text: str = "",
    ) -> ProbeState:
        """Try a case on the model; `text` is compared with what was submitted."""
        recent = self._tries.setdefault(player, deque())
        while recent and recent[0] <= now - timedelta(hours=1):
            recent.popleft()
        probe = try_case(
            self.campaign,
            self._player(player),
            now,
            id=f"case-{len(self.probes) + 1}",
            digest=digest,
            answer=answer,
            available=self.available,
            earlier=self.submitted,
            resemblance=resemblance,
            family=self._family_of(text, player),
            tries=Tries(len(recent)),
        )
        recent.append(now)
        self.probes[probe.id] = probe
        self._texts[probe.id] = text
        return probe

    def submit(
        self, case: str, now: datetime, resemblance: Resemblance | None = None
    ) -> ProbeState:
        """Submit a tried case."""
        probe, text = self._probe(case), self._texts.get(case, "")
        first, *others = self._heads(text, probe.player) or [""]
        move = submit_case(
            self.campaign,
            self._player(probe.player),
            probe,
            now,
            available=self.available,
            earlier=self.submitted,
            resemblance=resemblance,
            family=self.family(first),
        )
        self._keep(move)
        self.submitted.add(probe.digest)
        self._families.setdefault(self.probes[case].family, []).append(case)
        if text:
            self._repeats.add(print_of(text), probe.player)
            self._order.append(case)
        for other in others:
            if {one.player for one in self.family(other)} == {probe.player}:
                self.join_cases(first, other, now)
        return self.probes[case]

    def _heads(self, text: str, player: str) -> list[str]:
        """Return the families that a player's text repeats, the earliest first."""
        places = self._repeats.of(print_of(text), player).tolist() if text else []
        heads = (self.probes[self._order[place]].family for place in places)
        return list(dict.fromkeys(heads))

    def _family_of(self, text: str, player: str) -> tuple[ProbeState, ...]:
        return self.family(next(iter(self._heads(text, player)), ""))

    def join_cases(self, head: str, other: str, now: datetime) -> None:
        """Make one family of two, and settle what changes its place."""
        for probe in join_families(self.family(head), self.family(other)):
            self.probes[probe.id] = probe
        self._families[head] += self._families.pop(other)
        self._settle_family(self.probes[head], now)

    def family(self, head: str) -> tuple[ProbeState, ...]:
        """Return the submitted cases of a family, in their order."""
        return tuple(self.probes[case] for case in self._families.get(head, ()))

    def agreements(self, judge: str) -> list[Agreement]:
        """Return how the cases of a judge's newest votes are ruled, where they are, and whether the votes agree."""
        record, agreed = self._judge(judge), list[Agreement]()
        for case in reversed(self._voted.get(judge, [])):
            ruling = self.rulings[case]
            vote = next(vote for vote in ruling.votes if vote.reviewer == judge)
            if record.since is not None and vote.at < record.since:
                break
            if ruling.answer is not None:
                agreed.append((ruling.answer, vote.choice == ruling.answer))
            if len(agreed) == self.campaign.terms.protocol.agreement_sought:
                break
        return agreed[::-1]

    def next_case(self, judge: str, now: datetime, *, gold: bool = False) -> Ruling | None:
        """Return the case that a judge would be given, or the gold item."""
        rulings = [ruling for ruling in self.rulings.values() if (ruling.purpose == "gold") == gold]
        if gold:
            seen = [one.gold for one in rulings if any(v.reviewer == judge for v in one.votes)]
            rulings = rarest_gold(rulings, seen, judge)
        return next_case(rulings, judge, self.campaign.terms.protocol, now)

    def claim(self, judge: str, now: datetime, *, gold: bool = False) -> Ruling | None:
        """Claim the next case for a judge, or the next gold item; None when there is none."""
        agreements = self.agreements(judge)
        check_reviewer(
            self._judge(judge), self.campaign.id, self.campaign.terms.protocol, agreements
        )
        case = self.next_case(judge, now, gold=gold)
        if case is None and gold:
            case = self._renew_gold(judge, now)
        if case is None:
            return None
        record = self._judge(judge)
        self._keep(claim_case(self.campaign, case, record, now, agreements=agreements))
        return self.rulings[case.id]

    def _renew_gold(self, judge: str, now: datetime) -> Ruling | None:
        """Make a gold item of a ruled case that this judge had no part in."""
        for ruling in list(self.rulings.values()):
            name = f"gold-of-{ruling.id}"
            strange = judge != ruling.author and all(
                vote.reviewer != judge for vote in ruling.votes
            )
            if strange and becomes_gold(ruling) and name not in self.rulings:
                self.rulings[name] = gold_ruling(ruling, name, now)
                return self.rulings[name]
        return None

    def give_back(self, case: str, now: datetime, judge: str | None = None) -> None:
        """Drop ended claims on a case, and that of a judge who skips it."""
        self._keep(give_back(self.campaign, self._ruling(case), now, judge))

    def skip(self, judge: str, case: str, now: datetime) -> None:
        """Let a judge skip a claimed case."""
        self._keep(skip_case(self.campaign, self._ruling(case), self._judge(judge), now))

    def vote(self, judge: str, case: str, choice: str, now: datetime) -> Ruling:
        """Vote on a claimed case; if gold pauses the judge, recent votes are recalled."""
        probe, player = self._find_submission(case)
        voter = self._judge(judge)
        ruling, family = self._ruling(case), self._family(probe)
        move = cast_vote(
            self.campaign, ruling, voter, choice, now, probe=probe, player=player, family=family
        )
        self._keep(move)
        if ruling.purpose != "gold":
            self._voted.setdefault(judge, []).append(case)
        self._settle_family(probe, now)
        if is_paused(self.judges[judge], self.campaign.terms.protocol):
            self.recall(judge, now)
        return self.rulings[case]

    def recall(self, judge: str, now: datetime) -> None:
        """Void a judge's recent votes and queue again the cases that they decided."""
        for case, ruling in self.rulings.items():
            if ruling.purpose != "gold" and any(vote.reviewer == judge for vote in ruling.votes):
                probe, available = self.probes.get(case), self.available
                self._keep(
                    recall_votes(
                        self.campaign,
                        ruling,
                        judge,
                        now,
                        available=available,
                        probe=probe,
                        since=self._recall_start(judge),
                    )
                )

    def _recall_start(self, judge: str) -> datetime | None:
        """Return since when a paused judge's votes are void; None for the recall window."""
        if not self.campaign.terms.protocol.holds_pay:
            return None
        return hold_start(self._judge(judge)) or datetime.min.replace(tzinfo=UTC)

    def appeal(self, player: str, case: str, now: datetime) -> None:
        """Appeal against a ruling."""
        self._keep(file_appeal(self.campaign, self._ruling(case), self._player(player), now))

    def decide(self, case: str, choice: str, now: datetime) -> None:
        """Settle a referred or appealed case by the organiser's word."""
        ruling = self._ruling(case)
        probe, player = self._find_submission(case)
        family = self._family(probe)
        self._keep(
            decide_case(
                self.campaign, ruling, choice, now, probe=probe, player=player, family=family
            )
        )
        self._settle_family(probe, now)

    def _family(self, probe: ProbeState | None) -> tuple[ProbeState, ...]:
        return () if probe is None else self.family(probe.family)

    def _settle_family(self, probe: ProbeState | None, now: datetime) -> None:
        for one in find_moves(self._family(probe)):
            self._keep(
                settle_anew(
                    self.campaign,
                    self.rulings[one.id],
                    now,
                    probe=one,
                    player=self._player(one.player),
                    family=self._family(probe),
                    available=self.available,
                )
            )

    def withdraw(self, person: str, payout: str, now: datetime) -> PayoutState:
        """Plan to pay out a person's whole cents."""
        planned, posted = plan_payout(payout, person, self.withdrawable(person), now)
        self.ledger.post(*posted)
        return planned

    def _keep(self, move: Move) -> None:
        self.ledger.post(*move.transactions)
        if move.probe is not None:
            self.probes[move.probe.id] = move.probe
        self.rulings[move.ruling.id] = move.ruling
        if move.player is not None:
            self.players[move.player.id] = move.player
        if move.judge is not None:
            self.judges[move.judge.id] = move.judge

    def _find_submission(self, case: str) -> tuple[ProbeState | None, PlayerState | None]:
        probe = self.probes.get(case)
        return probe, None if probe is None else self._player(probe.player)

    def _player(self, name: str) -> PlayerState:
        return _get_record(self.players, name, "player")

    def _judge(self, name: str) -> Reviewer:
        return _get_record(self.judges, name, "judge")

    def _probe(self, name: str) -> ProbeState:
        return _get_record(self.probes, name, "case")

    def _ruling(self, name: str) -> Ruling:
        return _get_record(self.rulings, name, "submitted case")


def _get_record(records: dict[str, _Record], name: str, what: str) -> _Record:
    if name not in records:
        raise RuleError("unknown", f"there is no {what} {name!r} in this game")
    return records[name]
