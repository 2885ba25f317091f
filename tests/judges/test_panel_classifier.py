"""A panel as one classifier: Bayes by hand, families, missing votes, probabilities, round trips."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest

from askpoint import VoteSketch
from askpoint.errors import InputError
from askpoint.judges.methods.dawid_skene import evaluate_dawid_skene
from askpoint.judges.panel_classifier import PanelClassifier, fit_panel, pool_probabilities


def votes_of(rng, n=2000, accuracies=(0.9, 0.8, 0.7, 0.85), prevalence=0.4):
    truth = (rng.random(n) < prevalence).astype(int)
    right = rng.random((n, len(accuracies))) < accuracies
    return truth, np.where(right, truth[:, None], 1 - truth[:, None])


@pytest.fixture
def codes():
    return votes_of(np.random.default_rng(5))[1]


def sketch_of(codes, labels=("no", "yes")):
    sketch = VoteSketch([f"j{k}" for k in range(codes.shape[1])], list(labels))
    sketch.update_codes(codes)
    return sketch


def test_every_pattern_is_bayes_rule_with_damped_evidence(codes):
    """From the named evaluation, number by number; damped as n judges whose errors correlate by .32."""
    sketch = sketch_of(codes)
    found, panel = evaluate_dawid_skene(sketch), fit_panel(sketch)
    patterns = list(product((-1, 0, 1), repeat=4))
    said = panel.opine(patterns)
    for pattern, label, confidence in zip(patterns, said.prediction, said.confidence, strict=True):
        mass = []
        for true in sketch.labels:
            chance = float(found.prevalence[true])
            for judge, code in zip(sketch.judges, pattern, strict=True):
                if code >= 0:
                    vote = sketch.labels[code]
                    chance *= found.confusion[judge][true][vote] ** (1 / (1 + 3 * 0.32))
            mass.append(chance)
        assert label == int(np.argmax(mass))
        assert confidence == pytest.approx(max(mass) / sum(mass))


def test_a_family_of_three_says_what_one_of_them_says(codes):
    one = fit_panel(sketch_of(codes))
    runs = np.column_stack([codes[:, [0, 0, 0]], codes[:, 1:]])
    family = fit_panel(sketch_of(runs), {"j0": "a", "j1": "a", "j2": "a"})
    alone = fit_panel(sketch_of(runs))
    alike = one.opine(codes)
    assert np.allclose(family.opine(runs).confidence, alike.confidence, atol=1e-4)  # EM stops there
    assert (family.opine(runs).prediction == alike.prediction).all()
    assert not np.allclose(alone.opine(runs).confidence, alike.confidence, atol=1e-2)


def test_of_two_judges_all_votes_count_alike(codes):
    said = fit_panel(sketch_of(codes[:, :2])).opine([[0, 0], [0, 1], [1, 0], [1, 1], [0, -1]])
    assert said.prediction.tolist() == [0, 0, 0, 1, 0]
    assert said.confidence[0] == said.confidence[3] > said.confidence[4] > said.confidence[1]
    assert said.confidence[1] == said.confidence[2] == 0.5


def test_no_vote_leaves_what_is_known_of_all(codes):
    panel = fit_panel(sketch_of(codes))
    said = panel.opine([[-1, -1, -1, -1]])
    assert said.confidence[0] == pytest.approx(float(panel.prevalence.max()))


def test_three_labels(codes):
    rng = np.random.default_rng(1)
    truth = rng.integers(3, size=3000)
    votes = np.where(rng.random((3000, 5)) < 0.8, truth[:, None], rng.integers(3, size=(3000, 5)))
    said = fit_panel(sketch_of(votes, "abc")).opine(votes)
    assert (said.prediction == truth).mean() > 0.95
    sure = said.confidence >= np.quantile(said.confidence, 0.5)
    assert (said.prediction == truth)[sure].mean() > (said.prediction == truth)[~sure].mean()


def test_it_goes_through_json(codes):
    panel = fit_panel(sketch_of(codes))
    again = PanelClassifier.from_dict(json.loads(json.dumps(panel.to_dict())))
    before, after = panel.opine(codes), again.opine(codes)
    assert (before.confidence == after.confidence).all()
    assert (before.prediction == after.prediction).all()


@pytest.mark.parametrize("votes", [[[0, 1]], [0, 1, 0, 1], [[0, 1, 0, 2]], [[0, 1, 0, -2]]])
def test_bad_votes_are_refused(codes, votes):
    with pytest.raises(InputError, match="votes must"):
        fit_panel(sketch_of(codes)).opine(votes)


def test_a_panel_that_was_cut_is_refused(codes):
    plain = fit_panel(sketch_of(codes)).to_dict()
    with pytest.raises(InputError, match="a panel of 3 judges"):
        PanelClassifier.from_dict(plain | {"judges": plain["judges"][:3]})


def test_probabilities_are_pooled_by_their_logits():
    said = pool_probabilities([[0.9], [0.2], [np.nan], [1.0]])
    assert said.prediction.tolist() == [1, 0, 1, 1]
    assert said.confidence == pytest.approx([0.9, 0.8, 0.5, 1 - 1e-4])
    both = pool_probabilities([[0.9, 0.6], [0.9, np.nan], [0.3, 0.3]])
    odds = (9 * 1.5) ** 0.5  # the geometric mean of 9 to 1 and 1.5 to 1
    assert both.confidence == pytest.approx([odds / (1 + odds), 0.9, 0.7])


def test_what_is_no_probability_is_refused():
    with pytest.raises(InputError, match=r"between 0 and 1; got 0\.2 to 1\.5"):
        pool_probabilities([[0.2, 1.5]])
