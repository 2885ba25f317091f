from __future__ import annotations

import numpy as np

from arena.game.small import HATE, cases
from askpoint.arena.simulation.campaign import play_campaign
from askpoint.arena.simulation.crowd import Habits
from askpoint.arena.simulation.experiment import terms_of
from askpoint.arena.simulation.opponents import answers_of, misspell, text_classifier
from askpoint.arena.simulation.rematch import halve_cases, play_rematch
from askpoint.arena.simulation.world import build_world

SMALL = Habits(n_players=8, delay=40, retrain=10, n_gold=10, cheaters=0.1)


def test_halves_share_nothing_but_training():
    every = cases()
    one, two = halve_cases(every, np.random.default_rng(0))
    for role in ("train", "known", "island"):
        texts = [
            {text for text, item in zip(half.texts, half.roles, strict=True) if item == role}
            for half in (one, two)
        ]
        whole = {text for text, item in zip(every.texts, every.roles, strict=True) if item == role}
        assert texts[0] | texts[1] == whole
        assert texts[0] & texts[1] == (whole if role == "train" else set())
        assert 0.4 < len(texts[0]) / (len(texts[0]) + len(texts[1])) < 0.6
    rows = set(zip(*every, strict=True))
    assert set(zip(*one, strict=True)) <= rows


def test_a_model_that_learned_is_harder_to_beat():
    rng = np.random.default_rng(0)
    every = cases(200)
    # a model that reads letters takes the vile for what it knows of villages
    every = every._replace(texts=tuple(item.replace("calm", "village") for item in every.texts))
    halves = halve_cases(every, rng)
    chosen = [i for i, role in enumerate(halves[0].roles) if role == "train"]
    texts = tuple(halves[0].texts[i] for i in chosen)
    truths = tuple(halves[0].truths[i] for i in chosen)
    model = text_classifier().fit(texts, truths)
    settings = {"n_stream": 3000, "sought_share": 0.02, "island_share": 0.002}
    worlds = [
        build_world(item, answers_of(model), misspell, HATE, rng, **settings) for item in halves
    ]
    terms = terms_of(worlds[0], 4)
    first = play_campaign(worlds[0], terms, SMALL, rng, n_cases=80)
    got = play_rematch(first, worlds[1], (model, texts, truths), terms, SMALL, rng, n_cases=80)
    assert got.n_learned == 80
    assert got.before.n_cases == got.after.n_cases == 80
    assert got.before.n_errors > 20
    assert got.after.n_errors < got.before.n_errors / 2
    stream, islands = got.effects
    assert (stream.name, stream.n_cases) == ("the stream", 3000)
    assert islands.n_cases == int(worlds[1].islands.sum())
    assert islands.mistakes_after < islands.mistakes_before / 2
    assert not stream.harm
    # the world that was given is what it was
    np.testing.assert_allclose(worlds[1].proba, model.predict_proba(worlds[1].texts))
