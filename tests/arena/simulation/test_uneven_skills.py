from __future__ import annotations

import numpy as np
import pytest

from arena.game.small import small_world
from askpoint.arena.simulation.crowd import COPY, Habits
from askpoint.arena.simulation.uneven_skills import topic_severities, uneven_habits
from askpoint.errors import InputError

WORLD = small_world()


def test_how_grave_a_topic_is():
    # the model says .02 of islands: severity 1000 (1 - .02 / .5); what it gets right counts 0
    found = topic_severities(WORLD)
    assert {topic for topic in found if topic.startswith("known")} == {
        "known 0",
        "known 1",
        "known 2",
    }
    for topic, severity in found.items():
        assert severity == pytest.approx(960 if topic.startswith("island") else 0, abs=0.01)


def test_the_gravest_topic_costs_most():
    habits = uneven_habits(WORLD, Habits(), least=0.5, most=3.0)
    severity = topic_severities(WORLD)
    efforts = [habits.effort_of(topic) for topic in sorted(severity, key=severity.get)]
    np.testing.assert_allclose(efforts, np.linspace(0.5, 3.0, 6))
    assert habits.effort_of(COPY) == 0.25
    assert Habits().effort_of("island 0") == 1.0


@pytest.mark.parametrize(("least", "most"), [(0, 1), (2, 1)])
def test_efforts_out_of_order(least, most):
    with pytest.raises(InputError, match="0 < least <= most"):
        uneven_habits(WORLD, Habits(), least=least, most=most)
