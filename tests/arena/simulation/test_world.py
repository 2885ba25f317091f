from __future__ import annotations

import numpy as np
import pytest

from arena.game.small import HATE, cases, model, small_world
from askpoint.arena.simulation.opponents import misspell
from askpoint.arena.simulation.world import Cases, build_world
from askpoint.errors import InputError


def test_the_stream_has_the_stated_shares():
    world = small_world(n_stream=10_000)
    sought = world.truths[world.stream] == world.classes.index("hate")
    island = world.islands[world.stream]
    assert len(world.stream) == 10_000
    assert sought.sum() == 200
    assert (sought & island).sum() == 20
    assert (~sought & island).sum() == 20


def test_training_cases_are_not_in_the_world():
    world, given = small_world(), cases()
    training = {
        text for text, role in zip(given.texts, given.roles, strict=True) if role == "train"
    }
    assert not training & set(world.texts)
    assert set(world.reference) <= training
    assert len(world.texts) == len(given.texts) - len(training)


def test_what_the_model_says_of_each_case():
    world = small_world()
    assert world.classes == ("hate", "normal")
    assert np.array_equal(world.proba, model(world.texts))
    vile = [i for i, text in enumerate(world.texts) if "vile" in text]
    assert {world.classes[code] for code in world.decisions[vile]} == {"normal"}
    assert world.islands[vile].all()


def test_islands_may_hold_nothing_but_the_sought_class():
    given = cases()
    keep = [i for i, text in enumerate(given.texts) if "tale" not in text]
    rng = np.random.default_rng(0)
    world = build_world(
        Cases(*(tuple(column[i] for i in keep) for column in given)), model, misspell, HATE, rng
    )
    sought = world.truths[world.stream] == 0
    assert not (world.islands[world.stream] & ~sought).any()
    assert len(world.stream) == 20_000


@pytest.mark.parametrize("lost", ["bad", "vile", "quiet", "train"])
def test_a_world_that_lacks_something(lost):
    given = cases()
    keep = [
        i
        for i, (text, role) in enumerate(zip(given.texts, given.roles, strict=True))
        if (lost == "train" and role != "train")
        or (lost != "train" and (role == "train" or not _gone(text, lost)))
    ]
    few = Cases(*(tuple(column[i] for i in keep) for column in given))
    with pytest.raises(InputError, match="some of these are missing"):
        build_world(few, model, misspell, HATE, np.random.default_rng(0))


def _gone(text: str, lost: str) -> bool:
    if lost == "bad":
        return "bad" in text or "rude" in text
    return lost in text or (lost == "quiet" and "calm" in text)


@pytest.mark.parametrize("shares", [(0.0, 0.01), (0.01, 0.01), (0.1, 0.95), (-0.1, 0.5)])
def test_shares_out_of_order(shares):
    with pytest.raises(InputError, match="0 < island_share < sought_share < 1"):
        small_world(island_share=shares[0], sought_share=shares[1])
