"""Latent labels by EM: the same numbers as plain loops, truth where there is enough of it."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import NotEstimableError
from askpoint.judges.methods.dawid_skene import evaluate_dawid_skene, fit_labels
from askpoint.judges.sketch.vote_sketch import VoteCells, VoteSketch
from judges.simulate import true_shares


def by_loops(votes, n_labels, n_steps):
    """EM item by item, as Dawid and Skene write it, from the shares of votes."""
    judges = votes.shape[1]
    posterior = np.array(
        [[(row == k).sum() + 1 / n_labels for k in range(n_labels)] for row in votes]
    )
    posterior /= posterior.sum(axis=1, keepdims=True)
    for _ in range(n_steps):
        prevalence = posterior.mean(axis=0)
        confusion = np.full((judges, n_labels, n_labels), 0.1)
        for row, chance in zip(votes, posterior, strict=True):
            for j, vote in enumerate(row):
                if vote >= 0:
                    confusion[j, :, vote] += chance
        confusion /= confusion.sum(axis=2, keepdims=True)
        logged = 0.0
        for i, row in enumerate(votes):
            joint = prevalence.copy()
            for j, vote in enumerate(row):
                if vote >= 0:
                    joint = joint * confusion[j, :, vote]
            logged += np.log(joint.sum())
            posterior[i] = joint / joint.sum()
    return prevalence, confusion, logged


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10_000), st.integers(2, 3))
def test_the_same_as_by_loops(seed, n_labels):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_labels, 40)
    votes = np.where(rng.random((40, 4)) < 0.7, truth[:, None], rng.integers(0, n_labels, (40, 4)))
    votes[rng.random(votes.shape) < 0.2] = -1
    sketch = VoteSketch(4, list("abc")[:n_labels])
    sketch.update_codes(votes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("askpoint.judges.methods.dawid_skene._STEPS", 6)
        patch.setattr("askpoint.judges.methods.dawid_skene._PRECISION", -1.0)
        model = fit_labels(sketch.cells(), n_labels)
    prevalence, confusion, logged = by_loops(votes, n_labels, 6)
    np.testing.assert_allclose(model.prevalence, prevalence, atol=1e-9)
    np.testing.assert_allclose(model.confusion, confusion, atol=1e-9)
    assert model.log_likelihood == pytest.approx(logged)


def test_independent_judges_are_recovered():
    rng = np.random.default_rng(1)
    truth = rng.choice(3, 20_000, p=[0.5, 0.3, 0.2])
    votes = np.where(rng.random((20_000, 6)) < 0.6, truth[:, None], rng.integers(0, 3, (20_000, 6)))
    votes[rng.random(votes.shape) < 0.3] = -1
    sketch = VoteSketch(6, list("abc"))
    sketch.update_codes(votes)
    found = evaluate_dawid_skene(sketch)
    assert list(found.prevalence.values()) == pytest.approx(np.bincount(truth) / 20_000, abs=0.02)
    rows = [list(row.values()) for row in found.accuracy.values()]
    np.testing.assert_allclose(rows, true_shares(truth, votes, 3), atol=0.03)
    for matrix in found.confusion.values():
        for row in matrix.values():
            assert sum(row.values()) == pytest.approx(1)


def test_a_start_of_ones_own():
    cells = VoteCells(np.array([[0, 0], [1, 1]], dtype=np.int16), np.array([60, 40]))
    turned = fit_labels(cells, 2, np.array([[0.1, 0.9], [0.9, 0.1]]))
    assert turned.prevalence == pytest.approx([0.4, 0.6], abs=0.01)


def test_who_never_voted_has_no_evaluation():
    sketch = VoteSketch(["w", "x", "y", "z"], ["a", "b"])
    sketch.update_codes([[0, 0, 0, -1], [1, 1, 1, -1]], [6, 4])
    found = evaluate_dawid_skene(sketch)
    assert found.accuracy["z"] == {"a": None, "b": None}
    assert "z" not in found.confusion
    with pytest.raises(NotEstimableError, match="at least 3 judges"):
        evaluate_dawid_skene(VoteSketch(3, ["a", "b"]))


def test_two_judges_cannot_be_told_apart():
    sketch = VoteSketch(2, ["a", "b"])
    sketch.update_codes([[0, 0], [0, 1], [1, 1]], [60, 10, 30])
    with pytest.raises(NotEstimableError, match=r"at least 3 judges .* here 2 of 2"):
        evaluate_dawid_skene(sketch)


def test_the_posterior_of_a_pattern_is_bayes_rule_over_its_votes():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 400)
    votes = np.where(rng.random((400, 3)) < 0.85, truth[:, None], 1 - truth[:, None])
    votes[rng.random((400, 3)) < 0.1] = -1
    sketch = VoteSketch(["ann", "bob", "cid"], ["x", "y"])
    sketch.update_codes(votes)
    found = evaluate_dawid_skene(sketch)
    cells = sketch.cells()
    assert found.posterior.shape == (len(cells.votes), 2)
    for row, chances in zip(cells.votes, found.posterior, strict=True):
        joint = []
        for label, share in found.prevalence.items():
            said = [
                (judge, "xy"[vote])
                for judge, vote in zip(found.confusion, row, strict=True)
                if vote >= 0
            ]
            joint.append(
                share * np.prod([found.confusion[judge][label][vote] for judge, vote in said])
            )
        assert chances == pytest.approx(
            np.array(joint) / sum(joint), abs=0.01
        )  # confusions are smoothed
