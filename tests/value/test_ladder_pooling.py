"""Weights of rungs against another optimiser, and their laws."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, special

from askpoint.value.ladder import pooling
from askpoint.value.ladder.outputs import log_probabilities
from askpoint.value.ladder.pooling import pool, pool_weights


def opinions(rng, n, k, rungs, skill=1.5):
    label = rng.integers(0, k, n)
    logits = rng.normal(0, 1, (rungs, n, k)) + skill * (np.arange(k) == label[:, None])
    return log_probabilities(special.softmax(logits, axis=2)), label


@pytest.mark.parametrize(("rungs", "k", "n"), [(2, 2, 40), (3, 4, 120), (5, 3, 300)])
def test_weights_are_the_maximum_that_another_optimiser_finds(rng, rungs, k, n):
    log_p, label = opinions(rng, n, k, rungs)
    prices = rng.random(rungs)
    dearest = int(prices.argmax())
    mean = np.where(np.arange(rungs) == dearest, 0.75, 0.2 / np.sqrt(rungs - 1))
    spread = np.where(np.arange(rungs) == dearest, 0.5, 0.2)

    def loss(w):
        chance = special.log_softmax(np.tensordot(w, log_p, axes=1), axis=1)
        return -chance[np.arange(n), label].sum() + (((w - mean) / spread) ** 2).sum() / 2

    best = optimize.minimize(loss, mean, bounds=[(0, None)] * rungs, tol=1e-12)
    found = pool_weights(log_p, label, prices)
    assert loss(found) <= best.fun + 1e-6
    assert found == pytest.approx(best.x, abs=2e-3)


def test_a_rung_that_says_the_opposite_weighs_nothing(rng):
    log_p, label = opinions(rng, 400, 2, 2, skill=3)
    log_p[0] = log_p[0][:, ::-1]
    weights = pool_weights(log_p, label, np.array([0.0, 1.0]))
    assert weights[0] == 0
    assert weights[1] > 0.4


def test_one_rung_is_taken_at_its_word(rng):
    log_p, label = opinions(rng, 50, 3, 1)
    assert pool_weights(log_p, label, np.array([0.1])).tolist() == [1.0]
    said = pool(log_p, np.ones(1))
    assert said.confidence == pytest.approx(
        np.exp(log_p[0]).max(axis=1) / np.exp(log_p[0]).sum(axis=1)
    )


def test_agreement_makes_surer_and_contradiction_less_sure():
    log_p = log_probabilities(np.array([[[0.8, 0.2], [0.8, 0.2]], [[0.7, 0.3], [0.3, 0.7]]]))
    alone = pool(log_p[:1], np.ones(1)).confidence
    both = pool(log_p, np.ones(2)).confidence
    assert both[0] > alone[0] > both[1]


def test_the_last_step_counts_although_it_is_not_the_end(rng, monkeypatch):
    """Each of Newton's steps helps; where they are used up, the weights are those of the last."""
    log_p, label = opinions(rng, 200, 3, 3)
    prices = np.array([0.0, 0.1, 1.0])
    ends = []
    for steps in (0, 1, 2, 50):
        monkeypatch.setattr(pooling, "_STEPS", steps)
        ends.append(pool_weights(log_p, label, prices))
    assert ends[0] == pytest.approx([0.2 / np.sqrt(2)] * 2 + [0.75])  # before any label
    away = [np.abs(one - ends[-1]).max() for one in ends]
    assert away[0] > away[1] > away[2] > 0
