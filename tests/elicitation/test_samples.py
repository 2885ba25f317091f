"""Samples: what outcomes are counted on."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix

from askpoint.elicitation.rules import CostRule, Mixture, PairRule
from askpoint.elicitation.samples import Sample
from askpoint.errors import InputError, NotEstimableError

RNG = np.random.default_rng(1)
PROBA = RNG.dirichlet(np.ones(3), 300)
LABELS = np.array(["a", "b", "c"])[[RNG.choice(3, p=p) for p in PROBA]]


def test_counts_as_scikit_learn_does():
    sample = Sample.of(LABELS, PROBA)
    decided = np.array(["a", "b", "c"])[PROBA.argmax(axis=1)]
    expected = confusion_matrix(LABELS, decided, normalize="all")
    assert sample.confusion(CostRule.most_probable(3)) == pytest.approx(expected)
    assert sample.zeta == pytest.approx(expected.sum(axis=1))
    assert sample.k == 3


def test_a_mixture_counts_as_the_mean_over_its_draws():
    sample = Sample.of(LABELS, PROBA)
    mixture = Mixture.of([(0.25, PairRule(0, 1, 0.5)), (0.75, CostRule.most_probable(3))])
    expected = 0.25 * sample.confusion(PairRule(0, 1, 0.5))
    expected = expected + 0.75 * sample.confusion(CostRule.most_probable(3))
    assert sample.confusion(mixture) == pytest.approx(expected)


def test_weights_of_classes_are_labels_in_proportion():
    shares = Sample.of([[1, 0], [0.25, 0.75], [1, 1]], [0.2, 0.4, 0.9])
    copies = Sample.of(
        [0] * 4 + [0] + [1] * 3 + [0] * 4 + [1] * 4, [0.2] * 4 + [0.4] * 4 + [0.9] * 8
    )
    for rule in (CostRule.most_probable(2), PairRule(0, 1, 0.7)):
        assert shares.confusion(rule) == pytest.approx(copies.confusion(rule))


def test_labels_in_the_probabilities_proportion_believe_them():
    law = Sample.of(PROBA, PROBA)
    rule = CostRule.most_probable(3)
    assert law.confusion(rule) == pytest.approx(PROBA.T @ rule.chances(PROBA) / len(PROBA))


def test_digests_tell_samples_apart():
    digests = {
        Sample.of(LABELS, PROBA).digest,
        Sample.of(LABELS[::-1], PROBA).digest,
        Sample.of(LABELS, PROBA[::-1]).digest,
        Sample.of(LABELS, PROBA, classes=["b", "c", "a"]).digest,
    }
    assert len(digests) == 4
    assert Sample.of(LABELS, PROBA).digest == Sample.of(list(LABELS), PROBA + 1e-14).digest


@pytest.mark.parametrize(
    ("y", "classes", "error", "match"),
    [
        (["a", "b", "a"], ["a", "b", "c"], NotEstimableError, "no case of class 'c' is labelled"),
        (["a", "b", "a"], None, NotEstimableError, "2 of the 3 classes"),
        (["a", "b"], None, InputError, "one entry per item"),
        (["a", None, "b"], None, InputError, "missing"),
        ([1.0, np.nan, 2.0], None, InputError, "missing"),
        (["a", "b", "d"], ["a", "b", "c"], InputError, "'d' is not among"),
        (np.ones((3, 2)), None, InputError, "3 x 3"),
        (-np.ones((3, 3)), None, InputError, "negative"),
        (np.eye(3)[[0, 0, 1]], None, NotEstimableError, "no case of class 2"),
    ],
)
def test_what_cannot_be_counted_is_refused(y, classes, error, match):
    with pytest.raises(error, match=match):
        Sample.of(y, PROBA[:3], classes=classes)
