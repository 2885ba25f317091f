"""The model learns from what was found and is played against once more: is it harder to beat?

The first campaign plays one half of the new cases, the rematch the other half, once against the
model as it was and once against the improved one, from the same state. So nothing that the model
has learned by heart is met again.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from askpoint.arena.game.terms import CampaignTerms
from askpoint.arena.simulation.campaign import PlayedCampaign, play_campaign
from askpoint.arena.simulation.crowd import Habits
from askpoint.arena.simulation.opponents import answers_of
from askpoint.arena.simulation.outcome import WayOutcome, outcome_of
from askpoint.arena.simulation.world import Cases, World
from askpoint.measures.inputs import as_probabilities
from askpoint.unknowns.repair_outcomes import RepairEffect, repair_effects
from askpoint.unknowns.retraining import retrain
from askpoint.unknowns.severity import severities

__all__ = ["Rematch", "halve_cases", "play_rematch"]

_SAMPLE = 4000  # cases of the stream, which is in no order, to see harm on


@dataclass(frozen=True, eq=False)
class Rematch:
    """A model before and after it learned from a campaign.

    Parameters
    ----------
    before, after : Outcome
        The same campaign on new cases against both.
    effects : tuple of RepairEffect
        On new cases: a sample of the stream, and the islands.
    n_learned : int
        Judged cases that it learned from.
    """

    before: WayOutcome
    after: WayOutcome
    effects: tuple[RepairEffect, ...]
    n_learned: int


def halve_cases(cases: Cases, rng: np.random.Generator) -> tuple[Cases, Cases]:
    """Deal the new cases into two halves; both keep all that was trained on."""
    roles = np.array(cases.roles)
    first = rng.random(len(roles)) < 0.5
    train = roles == "train"
    one, two = (np.flatnonzero(train | half).tolist() for half in (first, ~first))
    return _rows(cases, one), _rows(cases, two)


def _rows(cases: Cases, rows: list[int]) -> Cases:
    return Cases(*(tuple(field[i] for i in rows) for field in cases))


def play_rematch(
    played: PlayedCampaign,
    world: World,
    trained: tuple[Any, tuple[str, ...], tuple[str, ...]],
    terms: CampaignTerms,
    habits: Habits,
    rng: np.random.Generator,
    *,
    method: str = "capped",
    n_cases: int = 500,
) -> Rematch:
    """Improve a model with what a campaign brought, and play against it before and after."""
    model, texts, truths = trained
    found = [case.text for case in played.filed.values()]
    ruled = [str(probe.truth) for probe in played.probes]
    answers = [probe.answer for probe in played.probes if probe.answer is not None]
    severe = severities(
        np.array([answer.probabilities for answer in answers]),
        world.costs,
        [answer.decision for answer in answers],
        ruled,
    )
    better = retrain(model, texts, truths, found, ruled, rng, method=method, severities=severe)
    answer = answers_of(better)
    proba = as_probabilities(answer(world.texts), n_classes=len(world.classes))
    improved = replace(world, model=answer, proba=proba)
    before, after = (
        outcome_of(play_campaign(opponent, terms, habits, copy.deepcopy(rng), n_cases=n_cases))
        for opponent in (world, improved)
    )
    names = world.classes
    islands = np.flatnonzero(world.islands)
    sets = {
        name: ([world.texts[i] for i in rows], [names[world.truths[i]] for i in rows])
        for name, rows in (("the stream", world.stream[:_SAMPLE]), ("the islands", islands))
    }
    effects = repair_effects(model, better, sets, world.costs)
    return Rematch(before, after, effects, len(found))
