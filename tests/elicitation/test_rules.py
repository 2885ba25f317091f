"""Runnable classifiers: chances, decisions, JSON."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.elicitation.rules import CostRule, Mixture, PairRule, pair_score
from askpoint.errors import InputError

PROBA = np.random.default_rng(0).dirichlet(np.ones(3), 400)
RULES = [
    PairRule(0, 2, 0.4),
    PairRule(2, 1, 0.4, reverse=True),
    CostRule.constant(3, 1),
    CostRule.most_probable(3),
    CostRule.of(np.arange(9).reshape(3, 3) % 4),
]
MIXED = Mixture.of([(0.5, RULES[0]), (0.25, RULES[3]), (0.25, RULES[2])])


@pytest.mark.parametrize("rule", [*RULES, MIXED])
def test_it_stands_in_json_as_it_is(rule):
    said = json.loads(json.dumps(rule.to_json()))
    assert said == rule.to_json()
    assert said["rule"] in ("pair", "costs", "mixture")


@pytest.mark.parametrize("rule", [*RULES, MIXED])
def test_chances_are_chances(rule):
    chances = rule.chances(PROBA)
    assert chances.shape == PROBA.shape
    assert chances.min() >= 0
    assert chances.sum(axis=1) == pytest.approx(1)


def test_a_pair_rule_decides_case_by_case_as_its_words_say():
    for p, chances in zip(PROBA, RULES[0].chances(PROBA), strict=True):
        assert chances.argmax() == (0 if p[0] / (p[0] + p[2]) >= 0.4 else 2)
    assert (RULES[0].complement().chances(PROBA)[:, [2, 1, 0]] == RULES[0].chances(PROBA)).all()


def test_a_cost_rule_takes_the_greatest_expected_gain():
    gain = np.array(RULES[4].gain)
    for p, chances in zip(PROBA, RULES[4].chances(PROBA), strict=True):
        worth = [sum(p[i] * gain[i, j] for i in range(3)) for j in range(3)]
        assert worth[int(chances.argmax())] == pytest.approx(max(worth))


def test_a_mixture_decides_by_its_weights():
    n = 6000
    grid = (np.arange(n) + 0.5) / n
    decided = MIXED.decide(np.tile(PROBA[:1], (n, 1)), grid)
    expected = MIXED.chances(PROBA[:1])[0]
    assert np.bincount(decided, minlength=3) / n == pytest.approx(expected, abs=1 / n)


@settings(deadline=None, max_examples=30)
@given(st.floats(0, 1), st.floats(0, 1))
def test_mixtures_of_mixtures_mix_their_chances(w, v):
    inner = Mixture.of([(v, RULES[1]), (1 - v, RULES[2])])
    outer = Mixture.of([(w, inner), (1 - w, RULES[1])])
    expected = w * inner.chances(PROBA) + (1 - w) * RULES[1].chances(PROBA)
    assert outer.chances(PROBA) == pytest.approx(expected)
    assert len(outer.parts) <= 2  # equal rules became one


def test_a_score_without_either_class_is_a_half():
    assert pair_score(np.array([[0.0, 0.0, 1.0]]), 0, 1) == 0.5


@pytest.mark.parametrize(
    ("act", "match"),
    [
        (lambda: Mixture.of([(0.5, RULES[0])]), "sum to 1"),
        (lambda: Mixture.of([(-0.5, RULES[0]), (1.5, RULES[1])]), "negative"),
        (lambda: MIXED.decide(PROBA, [0.5]), "one number for each case"),
        (lambda: MIXED.decide(PROBA, np.ones(len(PROBA))), r"\[0, 1\)"),
        (lambda: CostRule.of(np.ones((2, 3))), "square"),
    ],
)
def test_what_cannot_be_used_is_refused(act, match):
    with pytest.raises(InputError, match=match):
        act()


def test_no_case_no_decision():
    assert MIXED.decide(np.zeros((0, 3)), []).shape == (0,)
