"""By what names an examination is asked for: how cases are drawn, and by which estimate of their cost."""

from __future__ import annotations

__all__ = ["ESTIMATES", "METHODS", "SAMPLE_NAMES"]

METHODS = ("stratified", "neyman", "random", "uncertainty")
"""How cases are drawn."""

ESTIMATES = ("decision", "minimum", "expected")
"""Whose cost is estimated: of the decision made, of the cheapest one, or the paper's ExpCost."""

SAMPLE_NAMES = ("examination", "Beat the Machine")
"""What two ways of finding mistakes are called, unless they are named."""
