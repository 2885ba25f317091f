"""No cheat earns more than an honest hour for certain, but for those that the docs name."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from askpoint.arena.answers.cheats import answer_cheats
from askpoint.arena.simulation.visits import (
    HONEST_JUDGE,
    HONEST_PLAYER,
    JUDGES,
    PLAYERS,
    judge_visit,
    player_visit,
)
from askpoint.cli.main import main
from askpoint.errors import InputError
from askpoint.labelling.protocol import Protocol

STILL_ABOVE: set[str] = set()
"""What the docs name as above an honest hour."""


def rng(seed=1):
    return np.random.default_rng(seed)


@pytest.fixture(scope="module")
def answer():
    return answer_cheats(visits=60, seed=3)


def test_no_cheat_is_above_an_honest_hour(answer):
    above = {
        line.name for line in answer.lines if not line.honest and line.per_hour_of_honest.value > 1
    }
    assert above == STILL_ABOVE


def test_honest_people_lose_nothing(answer):
    by_name = {line.name: line for line in answer.lines}
    usual = by_name[HONEST_JUDGE.name]
    assert usual.stopped < 0.05  # of 400 visits: none
    assert usual.per_visit > 0.97 * 240 * 100
    assert by_name[HONEST_PLAYER.name].per_visit == pytest.approx(100 * (10 + 0.35 * 800), rel=0.1)


def test_without_held_pay_clicking_pays():
    click = next(one for one in JUDGES if one.name.startswith("clicks"))
    paid_at_once = Protocol(gold_test=True, gold_first=6)
    assert judge_visit(click, rng(), protocol=paid_at_once).points == 0
    visit = judge_visit(click, rng(), protocol=Protocol(gold_test=True, gold_share=0.0))
    assert not visit.stopped  # nobody is tested


def test_a_pair_of_friends_is_seen_and_a_lucky_one_is_not():
    friends = next(one for one in PLAYERS if one.friends)
    many = player_visit(friends, rng(), cases=100)
    assert many.points <= 100 * 10 + 2 * 800  # where two honest judges err
    few = [player_visit(friends, rng(seed), cases=8).points for seed in range(40)]
    assert max(few) > 8 * 10


@pytest.mark.soak
def test_the_command_prints_the_table():
    done = CliRunner().invoke(main, ["simulate", "--cheats", "--json"], catch_exceptions=False)
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert {"name", "per_hour_of_honest", "per_visit_of_honest"} <= set(found["cheats"][0])
    tables = Path(__file__).parents[3] / "docs" / "evidence" / "tables"
    with (tables / "bounty-cheats.csv").open(newline="") as file:
        published = {row[0]: row[2].partition(" (")[0] for row in csv.reader(file)}
    for line in found["cheats"]:
        value = line["per_hour_of_honest"]["value"]
        assert float(published[line["name"]]) == pytest.approx(value, abs=0.1)


@pytest.mark.parametrize("other", [["--tags"], ["--drift"], ["--seeds", "3"], ["--data", "."]])
def test_what_belongs_to_other_plays_is_refused(other):
    done = CliRunner().invoke(main, ["simulate", "--cheats", *other])
    assert done.exit_code == 2


def test_numbers_out_of_range():
    with pytest.raises(InputError, match="visits and votes"):
        answer_cheats(visits=1)
