"""A variant of the simulation in which grave errors are harder to come by than mild ones.

Design 4 pays by how wrongly sure the model was. Where every topic is as easy to search, the
crowd finds the grave ones anyway, and the design can show nothing. Here it can.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from askpoint.arena.simulation.campaign import hunting_grounds
from askpoint.arena.simulation.crowd import Habits
from askpoint.arena.simulation.world import World
from askpoint.errors import InputError
from askpoint.unknowns.severity import severities

__all__ = ["topic_severities", "uneven_habits"]


def topic_severities(world: World) -> dict[str, float]:
    """Mean severity of what the model would miss in each topic; right answers count 0."""
    names = world.classes
    found: dict[str, float] = {}
    for topic, (_, rows) in hunting_grounds(world).items():
        decided = [names[code] for code in world.decisions[rows]]
        truths = [names[code] for code in world.truths[rows]]
        found[topic] = float(severities(world.proba[rows], world.costs, decided, truths).mean())
    return found


def uneven_habits(world: World, habits: Habits, *, least: float = 0.5, most: float = 2.0) -> Habits:
    """Let the search in a topic cost the more effort, the graver the errors are that it brings."""
    if not 0 < least <= most:
        raise InputError(f"the efforts must be 0 < least <= most; got {least} and {most}")
    by_severity = topic_severities(world)
    order = sorted(by_severity, key=lambda topic: by_severity[topic])
    efforts = np.linspace(least, most, len(order)).tolist()
    return replace(habits, effort={**habits.effort, **dict(zip(order, efforts, strict=True))})
