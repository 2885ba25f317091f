"""Players: what they found, and when a low precision suspends them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from askpoint.errors import RuleError
from askpoint.labelling.clock import check_clock
from askpoint.measures.intervals import binomial_interval

__all__ = ["PlayerState", "bar_player", "check_player", "is_suspended", "readmit_player"]


@dataclass(frozen=True, slots=True)
class PlayerState:
    """A player in a campaign.

    Parameters
    ----------
    id : str
        The person.
    campaign : str
        The campaign.
    at : datetime
        When the record last changed.
    judged : int, default=0
        Submitted cases that were judged, since the player was last readmitted.
    found : int, default=0
        Those among them that count as found: a verified error, or any reward.
    barred : bool, default=False
        Whether the organiser has shut the player out.
    """

    id: str
    campaign: str
    at: datetime
    judged: int = 0
    found: int = 0
    barred: bool = False


def is_suspended(player: PlayerState, precision_floor: float) -> bool:
    """Tell whether a player's precision is certainly below the floor.

    It is when its upper one-sided 95% bound (Clopper and Pearson) lies below: never on a
    handful of cases. With a floor of .15, nothing found in 19 suspends, in 18 does not.
    """
    if player.found >= precision_floor * player.judged:  # the bound lies above the rate
        return False
    return binomial_interval(player.found, player.judged, level=0.9).upper < precision_floor


def check_player(player: PlayerState, campaign: str, precision_floor: float) -> None:
    """Check that a player may try and submit cases."""
    if player.campaign != campaign:
        raise RuleError(
            "other-campaign", f"{player.id} plays in {player.campaign!r}, not in {campaign!r}"
        )
    if player.barred:
        raise RuleError("barred", f"the organiser has shut {player.id} out of this campaign")
    if is_suspended(player, precision_floor):
        raise RuleError(
            "suspended",
            f"{player.found} of {player.judged} judged cases were found to be errors, and below "
            f"{precision_floor:.0%} nobody plays on; what is submitted is still judged and paid, "
            "and the organiser can readmit",
        )


def bar_player(player: PlayerState, now: datetime) -> PlayerState:
    """Shut a player out, by the organiser's decision."""
    return replace(player, barred=True, at=check_clock(now, player.at))


def readmit_player(player: PlayerState, now: datetime) -> PlayerState:
    """Let a player play again and start the counts anew, by the organiser's decision."""
    return replace(player, barred=False, judged=0, found=0, at=check_clock(now, player.at))
