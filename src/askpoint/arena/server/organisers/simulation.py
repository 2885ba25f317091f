"""What a campaign will cost: the game's simulated crowd plays it under its own terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from askpoint.arena.game.terms import CampaignTerms, Sought
from askpoint.arena.simulation.campaign import play_campaign
from askpoint.arena.simulation.crowd import Habits
from askpoint.arena.simulation.experiment import SeedFigure, mean_figure, ratio_figure
from askpoint.arena.simulation.outcome import WayOutcome, outcome_of
from askpoint.arena.simulation.world import World
from askpoint.measures.inputs import FloatArray

__all__ = ["invent_world", "simulate"]

_TOPICS, _ISLANDS, _EACH = 8, 3, 40
_WORDS = 12
_CASES, _SEEDS = 60, 4


def invent_world(terms: CampaignTerms, rng: np.random.Generator) -> World:
    """Return cases of topics that the model half knows, and of some that it never saw.

    Nothing is known of the real cases before the first are judged: so shares and certainties
    are stated here, and the crowd is calibrated on what players really find.
    """
    classes = terms.classes
    sought = terms.sought or Sought(classes[-1], classes[0])
    wanted, taken = classes.index(sought.truth), classes.index(sought.decision)
    texts: list[str] = []
    truths: list[int] = []
    topics: list[str] = []
    scores: list[float] = []  # of the sought class
    for topic in range(_TOPICS):
        words = [f"w{topic}x{i}" for i in range(_WORDS)]
        island = topic < _ISLANDS
        for i in range(2 * _EACH):
            is_sought = i % 2 == 0
            known = rng.beta(4, 2) if is_sought and not island else rng.beta(1, 8)
            texts.append(" ".join(rng.choice(words, 6)) + f" {topic}-{i}")
            truths.append(wanted if is_sought else taken)
            topics.append(f"topic {topic}")
            scores.append(float(known))
    for i in range(10 * _EACH):
        texts.append(" ".join(f"p{n}" for n in rng.integers(0, 300, 6)) + f" plain {i}")
        truths.append(taken)
        topics.append("")
        scores.append(float(rng.beta(1, 12)))
    proba = np.zeros((len(texts), len(classes)))
    proba[:, wanted] = scores
    proba[:, taken] = 1 - np.array(scores)
    rows = dict(zip(texts, proba, strict=True))

    def model(cases: Sequence[str]) -> FloatArray:
        return np.array([rows[case.removesuffix(" again")] for case in cases])

    return World(
        costs=terms.costs,
        sought=sought,
        texts=tuple(texts),
        truths=np.array(truths),
        topics=tuple(topics),
        islands=np.array([topic in {f"topic {i}" for i in range(_ISLANDS)} for topic in topics]),
        proba=proba,
        stream=rng.integers(0, len(texts), 2000),
        reference=tuple(texts[-100:]),
        model=model,
        edit=lambda text, _: f"{text.removesuffix(' again')} again",
    )


def simulate(
    terms: CampaignTerms, rng: np.random.Generator, found_share: float | None = None
) -> dict[str, Any]:
    """Play a few campaigns, and say what a case and a find cost.

    Parameters
    ----------
    terms : Terms
        The campaign's.
    rng : numpy.random.Generator
        All that is random.
    found_share : float, optional
        Share of errors among the cases judged so far; the crowd is made to find as many.

    Returns
    -------
    dict
        JSON: mean and 95% interval over campaigns of cents per case, errors per 100 cases
        and cents per unknown unknown.
    """
    habits = replace(Habits(), n_players=10, n_gold=20, delay=40)
    outcomes = _play(terms, habits, rng)
    if found_share is not None:
        share = sum(outcome.n_errors for outcome in outcomes) / max(
            1, sum(outcome.n_cases for outcome in outcomes)
        )
        precision = min(1.0, habits.search_precision * found_share / max(share, 0.01))
        habits = replace(habits, search_precision=precision)
        outcomes = _play(terms, habits, rng)
    n_cases = [float(outcome.n_cases) for outcome in outcomes]
    cents = [outcome.cents for outcome in outcomes]
    return {
        "campaigns": len(outcomes),
        "cases": _CASES,
        "calibrated": found_share is not None,
        "cents_per_case": _round_figure(ratio_figure(cents, n_cases)),
        "per_hundred": _round_figure(
            mean_figure(
                [
                    100 * outcome.n_errors / outcome.n_cases
                    for outcome in outcomes
                    if outcome.n_cases
                ]
            )
        ),
        "cents_per_unknown": _round_figure(
            ratio_figure(cents, [float(outcome.n_unknown) for outcome in outcomes])
        ),
    }


def _play(terms: CampaignTerms, habits: Habits, rng: np.random.Generator) -> list[WayOutcome]:
    world = invent_world(terms, rng)
    return [
        outcome_of(play_campaign(world, terms, habits, seed, n_cases=_CASES))
        for seed in rng.spawn(_SEEDS)
    ]


def _round_figure(figure: SeedFigure) -> list[float] | None:
    if figure.value is None or figure.interval is None:
        return None
    low, high = max(0.0, figure.interval.lower), figure.interval.upper
    return [round(float(value), 2) for value in (figure.value, low, high)]
