"""Confusion matrices: exact from exact moments, near from samples, and what cannot be had."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import NotEstimableError
from askpoint.judges.methods.confusions import evaluate_confusions, trio_confusions
from askpoint.judges.methods.dawid_skene import evaluate_dawid_skene
from askpoint.judges.sketch.vote_sketch import VoteSketch


def matrices(rng, n, r):
    """Confusion matrices with the true label as the likeliest vote."""
    noise = rng.dirichlet(np.ones(r), (n, r))
    return 0.6 * np.eye(r) + 0.4 * noise


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000), st.integers(2, 7))
def test_exact_moments_give_exact_matrices(seed, r):
    rng = np.random.default_rng(seed)
    prevalence, confusion = rng.dirichlet(np.full(r, 5.0)), matrices(rng, 3, r)
    joint = np.einsum("t,ta,tb,tc->abc", prevalence, *confusion)
    found = trio_confusions(joint)
    np.testing.assert_allclose(found[0], prevalence, atol=1e-7)
    np.testing.assert_allclose(found[1], confusion, atol=1e-6)


def test_what_determines_no_matrices():
    assert trio_confusions(np.full((2, 2, 2), 1 / 8)) is None  # judges who guess
    right = np.full((2, 2), 0.2) + 0.6 * np.eye(2)
    blind = np.full((2, 2), 0.5)
    joint = np.einsum("t,ta,tb,tc->abc", [0.4, 0.6], right, right, blind)
    assert trio_confusions(joint) is None  # the third tells nothing apart
    # no real truth: the moments turn
    turned = np.zeros((3, 3, 3))
    for i in range(3):
        turned[i, i, (i + 1) % 3] = turned[i, (i + 1) % 3, i] = 1 / 6
    found = trio_confusions(turned)
    assert found is None or np.isfinite(found[1]).all()


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_samples_give_matrices_that_are_near(missing):
    rng = np.random.default_rng(3)
    truth = rng.choice(3, 30_000, p=[0.5, 0.3, 0.2])
    confusion = matrices(rng, 5, 3)
    votes = np.column_stack(
        [(rng.random(30_000)[:, None] > m[truth].cumsum(axis=1)).sum(axis=1) for m in confusion]
    )
    votes[rng.random(votes.shape) < missing] = -1
    sketch = VoteSketch(6, list("abc"))
    sketch.update_codes(np.column_stack([votes, np.full(len(votes), -1)]))
    found = evaluate_confusions(sketch)
    assert list(found.prevalence.values()) == pytest.approx(np.bincount(truth) / 30_000, abs=0.02)
    for matrix, real in zip(found.confusion.values(), confusion, strict=True):
        np.testing.assert_allclose([list(row.values()) for row in matrix.values()], real, atol=0.05)
    assert found.accuracy["judge 6"] == dict.fromkeys("abc")
    assert found.undefined == {"judge 6": "never voted"}


def test_a_majority_that_is_wrong_together_is_seen_through():
    # two labels that most judges mix up: the moments know, the majority's start may not
    rng = np.random.default_rng(5)
    truth = rng.choice(3, 40_000, p=[0.4, 0.3, 0.3])
    weak = np.array([[0.8, 0.1, 0.1], [0.1, 0.5, 0.4], [0.1, 0.42, 0.48]])
    votes = np.column_stack(
        [(rng.random(40_000)[:, None] > weak[truth].cumsum(axis=1)).sum(axis=1) for _ in range(5)]
    )
    sketch = VoteSketch(5, list("abc"))
    sketch.update_codes(votes)
    found, plain = evaluate_confusions(sketch), evaluate_dawid_skene(sketch)
    assert found.prevalence["a"] == pytest.approx(0.4, abs=0.03)
    assert plain.prevalence["a"] == pytest.approx(0.4, abs=0.03)


def test_what_cannot_be_evaluated_is_refused():
    with pytest.raises(NotEstimableError, match="at least 3 judges"):
        evaluate_confusions(VoteSketch(2, list("abc")))
    same = VoteSketch(3, list("abc"))
    same.update_codes([[1, 1, 1]], [9])
    with pytest.raises(NotEstimableError, match="all votes are for one label"):
        evaluate_confusions(same)


def test_judges_who_share_no_items_are_still_evaluated():
    sketch = VoteSketch(4, list("ab"))
    sketch.update_codes(
        [[0, 0, -1, -1], [1, 1, -1, -1], [-1, -1, 0, 0], [-1, -1, 1, 1]], [5, 4, 5, 4]
    )
    assert evaluate_confusions(sketch).prevalence["a"] == pytest.approx(5 / 9, abs=0.02)
