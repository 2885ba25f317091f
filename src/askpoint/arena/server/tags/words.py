"""The rules of a tag challenge in plain words."""

from __future__ import annotations

from askpoint.arena.game.pay import money
from askpoint.arena.game.terms import CampaignTerms
from askpoint.arena.server.players.words import judging_rules

__all__ = ["tag_rules"]


def tag_rules(terms: CampaignTerms) -> list[str]:
    """Return what a player must know, one sentence each."""
    pay = terms.pay
    own = [
        "Pick an item and propose a better label than the one that it carries.",
        "Judges see the item and both labels in the order of the alphabet, not whose they are.",
        f"A better label earns {money(pay.base + pay.top)} and takes the place of the old one.",
        f"Any other earns {money(pay.base)} once it is judged.",
        "An item has one challenge at a time, and nobody challenges an own label.",
        "What was proposed against a label once is not proposed against it again.",
    ]
    return [*own, *judging_rules(terms)]
