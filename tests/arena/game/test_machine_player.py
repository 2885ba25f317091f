from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena.game.small import model, small_world
from askpoint.arena.simulation.crowd import Habits
from askpoint.arena.simulation.experiment import terms_of
from askpoint.arena.simulation.machine import play_machine
from askpoint.arena.simulation.outcome import outcome_of

WORLD = small_world()
HABITS = Habits(delay=10, retrain=10, n_gold=10)


@pytest.mark.no_cover
def test_the_machine_edits_what_the_model_knows_until_it_is_beaten():
    end = play_machine(WORLD, terms_of(WORLD, 4), HABITS, np.random.default_rng(0), n_cases=30)
    edits = [item for item in end.filed.values() if item.activity == "edit"]
    assert len(edits) > 5
    for item in edits:
        assert model([item.text])[0].argmax() == 1
        assert "bad" in WORLD.texts[item.row] or "rude" in WORLD.texts[item.row]
    assert outcome_of(end).recruited == 1


def test_the_machine_obeys_the_limits_of_tries():
    end = play_machine(
        WORLD, terms_of(WORLD, 5), HABITS, np.random.default_rng(1), n_cases=500, max_ticks=800
    )
    tried = sorted(probe.tried for probe in end.arena.probes.values())
    assert len(tried) > 200
    for first, last in zip(tried, tried[200:], strict=False):
        assert (last - first).total_seconds() >= 3600


def test_a_machine_with_nothing_to_search_edits():
    end = play_machine(
        WORLD, terms_of(WORLD, 4), HABITS, np.random.default_rng(0), n_cases=20, n_pool=0
    )
    assert {item.activity for item in end.filed.values()} == {"edit"}


def test_a_machine_below_the_floor_is_suspended():
    terms = replace(terms_of(WORLD, 4), precision_floor=0.9)
    unlucky = replace(HABITS, judge_error=0.5)
    end = play_machine(WORLD, terms, unlucky, np.random.default_rng(0), n_cases=300)
    assert end.suspended == 1
    assert len(end.filed) < 300
    assert all(probe.truth is not None for probe in end.probes)


def test_the_machine_submits_what_its_search_brings_up(monkeypatch):
    # in so small a world nothing resembles the examples enough: let it take whatever there is
    monkeypatch.setattr("askpoint.arena.simulation.machine._LIKELY", -1.0)
    end = play_machine(WORLD, terms_of(WORLD, 4), HABITS, np.random.default_rng(0), n_cases=60)
    searched = [item for item in end.filed.values() if item.activity == "search"]
    assert searched
    pool = {WORLD.texts[row] for row in np.unique(WORLD.stream)}
    assert {item.text for item in searched} <= pool
