"""Cases drawn from the stream: put among the players' cases, for the same judges to rule on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from askpoint.arena.game.campaign import CampaignState
from askpoint.arena.game.ruling import Ruling
from askpoint.arena.game.settlement import Move
from askpoint.arena.game.transaction import transfer
from askpoint.errors import InputError, RuleError
from askpoint.labelling.clock import check_clock

__all__ = ["draw_cases"]


def draw_cases(
    campaign: CampaignState, cases: Sequence[str], now: datetime, *, available: int
) -> tuple[Move, ...]:
    """Put drawn cases into the judges' queue; the most that judging can cost is reserved.

    They have no player, no reward and no appeal, and may be copies of submitted cases.
    """
    check_clock(now, campaign.at)
    if campaign.state == "draft":
        raise RuleError(
            "not-open",
            f"campaign {campaign.id!r} is a draft, and what a vote brings may still change; open "
            "it first",
        )
    if len(set(cases)) < len(cases):
        raise InputError("two of the drawn cases have one name; each needs its own")
    most = campaign.terms.most_judging
    if len(cases) * most > available:
        raise RuleError(
            "budget",
            f"judging {len(cases)} cases can cost {len(cases) * most} points, and the budget of "
            f"{campaign.id!r} holds {available}; add funds, or draw fewer cases",
        )
    return tuple(
        Move(
            Ruling(
                name,
                campaign.id,
                "",
                campaign.terms.classes,
                now,
                now,
                reserved=most,
                purpose="drawn",
            ),
            transactions=transfer(
                f"reserve/{name}", now, most, campaign.budget, campaign.reserved, name
            ),
        )
        for name in cases
    )
