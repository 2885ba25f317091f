"""The figures that the pages publish, on few seeds: each design cures what it should."""

from __future__ import annotations

import pytest

from askpoint.arena.answers.answer import CrowdAnswer
from askpoint.arena.answers.contest import hate_contest
from askpoint.arena.answers.over_seeds import arm_lines, cost_step
from askpoint.arena.answers.seed import CrowdPlan, play_seed
from askpoint.arena.simulation.crowd import Habits
from askpoint.records.cases import hate_cases


@pytest.fixture(scope="module")
def answer(data):
    contest = hate_contest(hate_cases(data))
    # as `askpoint simulate --data DIR` calibrates it, and the pages say
    habits = Habits(search_precision=0.484375)
    plan = CrowdPlan((2, 3, 4, 5), extras=False, rematch=False)
    return CrowdAnswer(
        contest, plan, habits, True, tuple(play_seed(contest, plan, habits, s) for s in (1, 2, 3))
    )


@pytest.mark.soak
def test_what_each_design_cures(answer):
    lines = {line.name: line for line in arm_lines(answer)}
    assert lines["design 2"].others.value >= 50
    assert lines["design 2"].other_share.value >= 0.5
    for design in (3, 4, 5):
        assert lines[f"design {design}"].others.value == 0
        unknown = lines[f"design {design}"].unknown.value
        assert unknown >= 10 * lines["stratified"].unknown.value > 0
    assert 20 <= lines["design 4"].errors.value <= 34  # calibrated to the paper's 27
    assert cost_step(answer, 3, 4).value < 0
    assert cost_step(answer, 4, 5).value < 0
