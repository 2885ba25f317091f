"""A small contest, played on a few seeds."""

from __future__ import annotations

import functools

from arena.game.small import HATE, cases
from askpoint.arena.answers.answer import CrowdAnswer
from askpoint.arena.answers.contest import Contest
from askpoint.arena.answers.seed import CrowdPlan, play_seed
from askpoint.arena.simulation.crowd import Habits
from askpoint.arena.simulation.opponents import misspell, text_classifier

SMALL = Habits(n_players=8, delay=40, retrain=10, n_gold=10)


@functools.cache
def small_contest() -> Contest:
    every = cases(100)
    # a model that reads letters takes the vile for what it knows of villages
    every = every._replace(texts=tuple(text.replace("calm", "village") for text in every.texts))
    model = text_classifier()
    return Contest("small", "A small world.", every, model, HATE, misspell, n_stream=2000)


@functools.cache
def played(n_seeds: int = 3, designs: tuple[int, ...] = (1, 2, 3, 4, 5), **given) -> CrowdAnswer:
    plan = CrowdPlan(designs, n_cases=60, folds=5, **given)
    results = tuple(play_seed(small_contest(), plan, SMALL, seed + 1) for seed in range(n_seeds))
    return CrowdAnswer(small_contest(), plan, SMALL, False, results)
