"""The terms of a campaign: what it asks for, what it promises, which designs are on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, NamedTuple

from askpoint.arena.game.designs import PAPER_DESIGNS, check_designs, designs_of, most_share
from askpoint.arena.game.pay import PAPER_PAY, Pay
from askpoint.arena.game.reward import boundary_share, round_points, scheme_end
from askpoint.errors import InputError
from askpoint.labelling.protocol import Protocol
from askpoint.measures.cost_matrix import CostMatrix

__all__ = ["LEAST_LOOK", "CampaignTerms", "Sought", "campaign_protocol"]

LEAST_LOOK = timedelta(seconds=3.75)
"""What people look at a case for at least: a quarter of the 15 seconds that a vote takes."""

_FEW_PLAYERS = 5


class Sought(NamedTuple):
    """The kind of error that a campaign looks for: a true class taken for another."""

    truth: str
    decision: str


def campaign_protocol(**changes: Any) -> Protocol:
    """Return the protocol of a campaign, where votes are paid: the pay is held until gold cases are passed."""
    return Protocol(**({"gold_test": True, "gold_first": 6} | changes))


@dataclass(frozen=True)
class CampaignTerms:
    """What a campaign asks for and what it promises.

    Parameters
    ----------
    costs : CostMatrix
        The model's classes and what mistakes between them cost; it weighs the rewards.
    designs : collection of int, default=PAPER_DESIGNS
        Which of `askpoint.arena.game.designs.DESIGNS` are on. The paper's: 1 submit a case and be
        paid for an error (always on), 2 see the model's answer at once, 3 look for one kind of
        error and be turned away where there is none, 4 earn by how wrongly sure the model
        was, 5 earn less for what resembles an earlier success.
    sought : Sought, optional
        The kind of error; needed by design 3 and by it alone.
    pay : Pay, default=PAPER_PAY
        The prices.
    scheme : str, default="minimum-cost"
        How design 4 scales the reward; see `askpoint.arena.game.reward.error_share`. Without
        design 4 it is "flat".
    boundary_pay : bool, default=False
        Allow a scheme that pays for errors where the model tossed a coin.
    turn_away : float, default=0.8
        Probability of the sought class from which design 3 turns a case away, and below
        which design 4 pays the small bonus to a right but unsure answer; above .6.
    shrink : float, default=0.9
        Share of the reward that design 5 takes from an exact copy of an earlier success
        (symbol lambda), below 1.
    protocol : Protocol
        How cases are judged.
    appeal_window : timedelta, default=7 days
        How long after the ruling its player may appeal, once.
    hold : timedelta, default=48 hours
        How long after the ruling an award is final at the earliest; where judges are tested by gold cases,
        not before its judges have passed, but after a week in any case.
    precision_floor : float, default=0.15
        A player whose precision is certainly below is suspended.
    tries_per_hour : int, default=200
        Tries in an hour that one account may make.
    tries_per_address : int, optional
        Tries in an hour that one network address may make; if it is left out, as many as all
        players together, for they may sit behind one address, and those of five at least.
    """

    costs: CostMatrix
    designs: Collection[int] = PAPER_DESIGNS
    sought: Sought | None = None
    pay: Pay = PAPER_PAY
    scheme: str = "minimum-cost"
    boundary_pay: bool = False
    turn_away: float = 0.8
    shrink: float = 0.9
    protocol: Protocol = field(default_factory=campaign_protocol)
    appeal_window: timedelta = timedelta(days=7)
    hold: timedelta = timedelta(hours=48)
    precision_floor: float = 0.15
    tries_per_hour: int = 200
    tries_per_address: int | None = None
    scheme_end: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        designs = frozenset(self.designs) | {1}
        object.__setattr__(self, "designs", designs)
        check_designs(designs)
        if (self.sought is not None) != any(design.seeks for design in designs_of(designs)):
            raise InputError(
                "design 3 looks for one kind of error: give `sought` with it, and leave it "
                f"out without; got designs {sorted(designs)} and {self.sought}"
            )
        if self.sought is not None and (
            self.sought.truth == self.sought.decision or not set(self.sought) <= set(self.classes)
        ):
            raise InputError(
                f"the sought error is one class taken for another of {', '.join(self.classes)}; "
                f"got {self.sought.truth!r} taken for {self.sought.decision!r}"
            )
        if not 0.6 < self.turn_away <= 1:
            raise InputError(f"turn_away must be above .6 and at most 1; got {self.turn_away}")
        if not 0 <= self.shrink < 1:
            raise InputError(f"shrink must be at least 0 and below 1; got {self.shrink}")
        if not 0 <= self.precision_floor < 1:
            raise InputError(f"precision_floor is a share below 1; got {self.precision_floor}")
        if self.hold < timedelta(0):
            raise InputError(f"hold must not be below nothing; got {self.hold}")
        if self.appeal_window <= timedelta(0):
            raise InputError(f"appeal_window must be longer than nothing; got {self.appeal_window}")
        for name in ("tries_per_hour", "tries_per_address"):
            limit = getattr(self, name)
            if limit is not None and limit < 1:
                raise InputError(f"{name} must be at least 1; got {limit}")
        scheme = self.scheme if self.weighs else "flat"
        if self.weighs and boundary_share(self.costs, scheme) and not self.boundary_pay:
            raise InputError(
                f"the scheme {scheme!r} pays {boundary_share(self.costs, scheme):.0%} of the top "
                "reward for an error where the model tossed a coin, so that players would hunt "
                "for coin flips; choose another, or set boundary_pay=True if you want that"
            )
        object.__setattr__(self, "scheme", scheme)
        object.__setattr__(self, "scheme_end", scheme_end(self.costs, scheme))

    @property
    def classes(self) -> tuple[str, ...]:
        """The model's classes as texts, in the order of its probabilities."""
        return tuple(str(name) for name in self.costs.classes)

    @property
    def holds_awards(self) -> bool:
        """Whether awards are held before they may be withdrawn."""
        return self.hold > timedelta(0) or self.protocol.holds_pay

    @property
    def shows(self) -> bool:
        """Whether players see the model's answer before they submit."""
        return any(design.shows for design in designs_of(self.designs))

    @property
    def weighs(self) -> bool:
        """Whether the reward grows with how wrongly sure the model was."""
        return any(design.weighs for design in designs_of(self.designs))

    @property
    def compares(self) -> bool:
        """Whether the reward depends on likeness to earlier successes."""
        return any(design.compares for design in designs_of(self.designs))

    def address_limit(self, n_players: int) -> int:
        """Tries in an hour that one network address may make, among so many players."""
        if self.tries_per_address is not None:
            return self.tries_per_address
        return self.tries_per_hour * max(_FEW_PLAYERS, n_players)

    @property
    def most_promised(self) -> int:
        """The most points that one submitted case can cost: pay, reward and all votes."""
        return self.pay.base + self.most_prize + self.most_judging

    @property
    def most_prize(self) -> int:
        """The most points that a ruling can bring, whatever the model says of the case."""
        return max(self.pay.unsure, round_points(self.pay.top * most_share(self.designs)))

    @property
    def most_judging(self) -> int:
        """The most points that judging one case can cost: all its votes."""
        return self.protocol.most_votes * self.pay.vote
