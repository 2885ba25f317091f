"""What can be had: crosses against full linear programmes, and the way to any feasible point."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import linprog

from askpoint.elicitation.algorithms.feasible import feasible_cross
from askpoint.elicitation.algorithms.trade_offs import ClassifierOutcome
from askpoint.elicitation.rules import CostRule, Mixture
from askpoint.elicitation.samples import Sample
from askpoint.errors import NotEstimableError


def sampled(k, n=200, seed=0):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.ones(k), n)
    return Sample.of([*range(k), *(rng.choice(k, p=p) for p in proba[k:])], proba)


def widest(sample, j, sign):
    """Algorithm 3's linear programme over all classifiers H(x, l), believing the probabilities."""
    n, k = sample.proba.shape
    beside = np.argwhere(~np.eye(k, dtype=bool))
    zeta = sample.proba.mean(axis=0)
    rows, right = [], []
    for c, (i, h) in enumerate(beside):
        row = np.zeros((n, k))
        row[:, h] = sample.proba[:, i] / n
        rows.append([*row.ravel(), -sign * (c == j)])
        right.append(zeta[i] / k)
    sums = np.column_stack([np.kron(np.eye(n), np.ones(k)), np.zeros(n)])
    goal = np.append(np.zeros(n * k), -1)
    return -linprog(goal, A_eq=np.vstack([rows, sums]), b_eq=np.append(right, np.ones(n))).fun


@pytest.mark.parametrize("k", [2, 3, 4])
def test_the_cross_reaches_nearly_as_far_as_all_classifiers_do(k):
    labels = sampled(k, 60)
    sample = Sample.of(labels.proba, labels.proba)  # as if the probabilities were right
    cross = feasible_cross(sample)
    assert cross.centre == pytest.approx(np.repeat(sample.zeta[:, None], k, axis=1) / k)
    for j in range(k * k - k):
        full = min(widest(sample, j, sign) for sign in (1, -1))
        assert full / (k - 1) - 1e-6 <= cross.reach[j] <= full + 1e-6
        assert cross.reach[j] >= 0.6 * full
    if k == 2:  # the two programmes are the same
        assert cross.reach[0] == pytest.approx(widest(sample, 0, 1), abs=1e-6)


@settings(deadline=None, max_examples=12)
@given(st.sampled_from([2, 3, 4]), st.integers(0, 10**6))
def test_every_point_of_the_cross_is_what_its_classifier_does(k, seed):
    rng = np.random.default_rng(seed)
    sample = sampled(k, seed=seed)
    cross = feasible_cross(sample)
    direction = rng.normal(size=k * k - k)
    beside = ~np.eye(k, dtype=bool)
    t = cross.farthest(direction) * (1 - 1e-12)
    assert t >= cross.radius / np.linalg.norm(direction) * (1 - 1e-9)
    for change in (t * direction, -t * direction, 0 * direction):
        outcome = cross.at(change)
        assert outcome.confusion == pytest.approx(sample.confusion(outcome.rule), abs=1e-9)
        assert (outcome.confusion - cross.centre)[beside] == pytest.approx(change, abs=1e-12)
        assert outcome.confusion.sum(axis=1) == pytest.approx(sample.zeta)
        assert outcome.confusion.min() >= -1e-12


def test_a_cross_near_a_classifier_is_smaller_and_runs_too():
    sample = sampled(3)
    rule = CostRule.most_probable(3)
    deployed = ClassifierOutcome(Mixture((rule,), (1.0,)), sample.confusion(rule))
    wide = feasible_cross(sample)
    near = wide.mix(deployed, 0.1)
    assert near.reach == pytest.approx(0.1 * wide.reach)
    assert near.radius == pytest.approx(0.1 * wide.radius)
    outcome = near.at(near.radius * np.eye(6)[2])
    assert outcome.confusion == pytest.approx(sample.confusion(outcome.rule), abs=1e-9)
    assert outcome.confusion == pytest.approx(deployed.confusion, abs=0.1)


def test_a_class_that_nothing_tells_apart_is_named():
    proba = np.random.default_rng(0).dirichlet(np.ones(2), 60)
    proba = np.column_stack([proba[:, 0], np.full(60, 0.0), proba[:, 1]])
    proba[:, 1] = proba[:, 0] = proba[:, 0] / 2
    y = np.arange(60) // 2 % 3
    with pytest.raises(NotEstimableError, match="do not tell class 0 from the others"):
        feasible_cross(Sample.of(proba[np.argsort(y)] * 0 + 1 / 3, proba))
