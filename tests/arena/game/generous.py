"""A new design as somebody would add it: twice the reward where the model is very sure."""

from __future__ import annotations

from askpoint.arena.game.designs import DESIGNS, Design

__all__ = ["GENEROUS", "NEW"]

NEW = max(DESIGNS) + 1
GENEROUS = Design(
    "double where sure",
    lambda stakes: f"Where the model is very sure, an error pays double {stakes.pay.top} points.",
    "Pay double where the machine is very sure",
    lambda _stakes, answer, _truth, _similarity: 2.0 if max(answer.probabilities) > 0.9 else 1.0,
    most=2,
)
