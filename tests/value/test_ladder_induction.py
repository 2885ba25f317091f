"""The induction against brute force over every policy, in fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from askpoint.value.ladder.learning import LadderCases, induce
from askpoint.value.ladder.outputs import RungOutputs, log_probabilities
from askpoint.value.ladder.pooling import pool
from askpoint.value.ladder.stages import rungs_of

MARGIN = 0.01
TIMES = 40  # rows of each cell of the table, at least a bin of any mean


class Exact:
    """How often an opinion is right, counted."""

    def __init__(self, confidence, right):
        values = np.unique(confidence)
        self.evidence_ = SimpleNamespace(lowest=values)
        self.rate = np.array([right[confidence == value].mean() for value in values])

    def predict(self, confidence):
        place = np.searchsorted(self.evidence_.lowest, confidence, side="right") - 1
        return self.rate[place.clip(0)]


def draw_table(seed):
    """Outputs of two rungs, two or three each, and how often each class is true for each pair."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 4, 2)
    # odd numbers, so that no two pairs of outputs give one confidence
    proba = [np.sort(rng.uniform(0.03, 0.97, size)) for size in sizes]
    cells = list(product(range(sizes[0]), range(sizes[1])))
    ones = {cell: int(rng.integers(0, TIMES + 1)) for cell in cells}
    rows = [(a, b, int(i < ones[a, b])) for a, b in cells for i in range(TIMES)]
    first, second, label = np.array(rows).T
    p = np.array([proba[0][first], proba[1][second]])
    outputs = RungOutputs(
        log_probabilities(np.stack([1 - p, p], axis=2)), np.ones(p.shape, dtype=bool)
    )
    prices = rng.choice([0.0, 0.02, 0.1, 0.4], 2)
    checks = float(rng.choice([3, 10, 30]))
    return LadderCases(outputs, np.ones(len(label), bool), label, prices, checks)


def brute_force(cases):
    """Least cost of any way to call, answer and ask that sees outputs as they come."""
    n = len(cases.label)
    prices = [Fraction(float(price)) for price in cases.prices]
    checks = Fraction(cases.checks)
    seen = {rung: cases.outputs.log_p[rung, :, 0] for rung in (0, 1)}
    weights = {1: np.ones(1), 2: np.ones(1), 3: np.full(2, 0.5)}

    def end(rows, state):
        said = pool(cases.outputs.log_p[rungs_of(state)][:, rows], weights[state])
        wrong = int((said.answer != cases.label[rows]).sum())
        return min(checks * wrong, Fraction(len(rows)))

    def split(rows, rung):
        return [rows[seen[rung][rows] == value] for value in np.unique(seen[rung][rows])]

    def after(rows, state):
        best = end(rows, state)
        for rung in (0, 1):
            if not state >> rung & 1:
                best = min(best, call(rows, state, rung))
        return best

    def call(rows, state, rung):
        paid = prices[rung] * len(rows)
        return paid + sum(after(part, state | 1 << rung) for part in split(rows, rung))

    every = np.arange(n)
    return min(Fraction(n), *(call(every, 0, rung) for rung in (0, 1))) / n


@pytest.mark.parametrize("seed", range(60))
def test_the_ladder_costs_what_the_best_policy_costs(seed):
    cases = draw_table(seed)
    weights = {1: np.ones(1), 2: np.ones(1), 3: np.full(2, 0.5)}
    opinions = {s: pool(cases.outputs.log_p[rungs_of(s)], w) for s, w in weights.items()}
    for said in opinions.values():  # else the opinion hides which outputs were seen
        pairs = {(c, tuple(o)) for c, o in zip(said.confidence, said.answer[:, None], strict=True)}
        assert len(pairs) == len({c for c, _ in pairs})
    posteriors = {
        state: Exact(said.confidence, said.answer == cases.label)
        for state, said in opinions.items()
    }
    found = induce(cases, weights, opinions, posteriors)
    best = float(brute_force(cases))
    # each of two calls must save the margin, or it is left out
    assert best - 1e-9 <= found.cost <= best + 2 * MARGIN + 1e-9
    walk = found.ladder.walk(cases.outputs)
    true = walk.costs(cases.prices, cases.label, cases.checks, cases.asking).mean()
    assert true == pytest.approx(found.cost, abs=1e-9)
