"""The organiser's word on a case."""

from __future__ import annotations

from django.db import transaction

from askpoint.arena.game.review import decide_case
from askpoint.arena.server.campaigns.services import lock_campaign
from askpoint.arena.server.rulings.moves import find_case
from askpoint.arena.server.rulings.repeats import compare_with_earlier
from askpoint.server.clock import moment
from askpoint.server.journal.services import note

__all__ = ["decide_case_of"]


@transaction.atomic
def decide_case_of(campaign: str, name: str, choice: str) -> None:
    """Settle a referred or appealed case; what was awarded otherwise is taken back.

    Raises
    ------
    RuleError
        As `askpoint.arena.game.review.decide_case`.
    """
    row = lock_campaign(campaign)
    compare_with_earlier(row, name)
    case = find_case(row, name)
    note("case decided", campaign=campaign, about=name, choice=choice)
    probe, player = case.game_probe, case.game_player
    case.keep_with_family(
        decide_case(
            case.game,
            case.before,
            choice,
            moment(case.ruling, case.probe, case.player),
            probe=probe,
            player=player,
            family=case.family,
        )
    )
