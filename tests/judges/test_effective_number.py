"""How many independent judges a panel is worth."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.checks.effective_number import effective_judges
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.sketch.vote_sketch import VoteSketch


def panel(wrong, seed=0, missing=0.0):
    """A labelled sketch in which judge j is wrong on item i where `wrong[i, j]`."""
    wrong = np.asarray(wrong)
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, len(wrong))
    codes = np.where(wrong, 1 - truth[:, None], truth[:, None])
    codes[rng.random(codes.shape) < missing] = -1
    gold = GoldSketch(wrong.shape[1], ["no", "yes"])
    gold.update_codes(codes, truth)
    return gold, np.where(codes >= 0, wrong, np.nan)


def together(n, k, share, seed):
    """Errors that are common to all judges on a share of the items."""
    rng = np.random.default_rng(seed)
    return np.where(rng.random((n, 1)) < share, rng.random((n, 1)) < 0.3, rng.random((n, k)) < 0.3)


def pooled(errors):
    """The pooled correlation by plain loops over pairs and items."""
    covariance = scale = 0.0
    for i in range(errors.shape[1]):
        for j in range(errors.shape[1]):
            both = ~np.isnan(errors[:, i]) & ~np.isnan(errors[:, j])
            if i != j and both.any():
                a, b = errors[both, i], errors[both, j]
                covariance += np.mean(a * b) - a.mean() * b.mean()
                scale += a.std() * b.std()
    return covariance / scale


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_point_and_interval_are_those_of_plain_loops(missing):
    gold, errors = panel(together(40, 4, 0.4, 1), seed=2, missing=missing)
    found = effective_judges(gold, n_items=100)
    assert found.correlation == pytest.approx(pooled(errors))
    assert found.number == pytest.approx(4 / (1 + 3 * max(found.correlation, 0)))
    z = [np.arctanh(pooled(np.delete(errors, row, axis=0))) for row in range(40)]
    deviation = np.sqrt(0.6 * 39 / 40 * np.sum((z - np.mean(z)) ** 2))
    ends = np.tanh(np.arctanh(found.correlation) + np.array([1, -1]) * (2 + 3 / 40) * deviation)
    assert found.interval == pytest.approx(4 / (1 + 3 * np.maximum(ends, 0)), rel=1e-6)


def test_every_item_labelled_leaves_nothing_open():
    gold, _ = panel(together(60, 3, 0.5, 3))
    found = effective_judges(gold, n_items=60)
    assert found.interval == pytest.approx((found.number, found.number))


def test_copies_of_one_judge_are_worth_one():
    gold, _ = panel(np.repeat(np.random.default_rng(0).random((50, 1)) < 0.3, 5, axis=1))
    assert effective_judges(gold).number == pytest.approx(1)


def test_judges_who_err_in_turn_are_worth_their_number():
    gold, _ = panel(np.eye(3, dtype=bool)[np.arange(30) % 3])
    found = effective_judges(gold)
    assert found.correlation < 0
    assert found.number == 3


def test_a_judge_without_errors_changes_no_correlation():
    errors = together(50, 3, 0.5, 4)
    with_saint = np.column_stack([errors, np.zeros(50, dtype=bool)])
    plain, more = effective_judges(panel(errors)[0]), effective_judges(panel(with_saint)[0])
    assert more.correlation == pytest.approx(plain.correlation)
    assert np.isnan(more.pairs[3]).all()
    assert np.isnan(np.diag(plain.pairs)).all()


def test_pairs_are_numpys_correlations():
    errors = together(50, 3, 0.5, 4)
    pairs = effective_judges(panel(errors)[0]).pairs
    off = ~np.eye(3, dtype=bool)
    assert pairs[off] == pytest.approx(np.corrcoef(errors.T.astype(float))[off])


def test_families_part_the_pooled_correlation():
    copies = np.repeat(together(80, 2, 0.0, 5), 2, axis=1)  # two judges, each twice
    gold, errors = panel(copies)
    families = {"judge 1": "x", "judge 2": "x", "judge 3": "y", "judge 4": "y"}
    found = effective_judges(gold, families=families)
    assert found.within == pytest.approx(1)
    assert found.between == pytest.approx(pooled(errors[:, [0, 2]]))
    one_family = effective_judges(gold, families=dict.fromkeys(gold.judges, "x"))
    assert one_family.between is None
    assert one_family.within == pytest.approx(found.correlation)
    alone = effective_judges(gold)
    assert (alone.within, alone.between) == (None, None)


def test_a_judge_with_no_common_items_is_left_out():
    gold = GoldSketch(3, ["no", "yes"])
    gold.update_codes([[0, 0, -1]] * 20 + [[1, 1, -1]] * 5 + [[0, 1, -1]] * 5, [0] * 30)
    gold.update_codes([[-1, -1, 1]] * 5, [0] * 5)
    found = effective_judges(gold)
    assert found.judges == ("judge 1", "judge 2")
    assert found.number <= 2


def test_an_item_that_carries_all_is_passed_over():
    """Without the only item on which two err together, nothing is left to compare."""
    errors = np.zeros((12, 2), dtype=bool)
    errors[0] = True
    found = effective_judges(panel(errors)[0])
    assert found.correlation == pytest.approx(1)


@pytest.mark.parametrize(
    ("gold", "error", "words"),
    [
        (panel(np.zeros((50, 3), dtype=bool))[0], NotEstimableError, "no two judges both made"),
        (panel(together(9, 3, 0.5, 0))[0], NotEstimableError, "at least 10 labelled items; got 9"),
        (panel(np.zeros((12, 301), dtype=bool))[0], InputError, "at most 300 judges; got 301"),
    ],
)
def test_what_cannot_be_told(gold, error, words):
    with pytest.raises(error, match=words):
        effective_judges(gold)


def test_proposed_items_count_for_those_that_they_stand_for():
    """Nine of ten labels lie where votes differ, which are half of the items."""
    unanimous, split = [[0, 0], [1, 1]], [[0, 1], [1, 0]]
    sketch = VoteSketch(2, ["no", "yes"])
    sketch.update_codes(unanimous + split, [500, 500, 500, 500])
    gold = GoldSketch(sketch.judges, sketch.labels)
    for pattern, n, wrong in zip(unanimous + split, (8, 8, 32, 32), (4, 4, 16, 16), strict=True):
        gold.update_codes([pattern] * n, [0] * wrong + [1] * (n - wrong))
    found = effective_judges(gold, sketch=sketch)
    # in every pattern half of the truths are 0: errors are as often common as not
    assert found.correlation == pytest.approx(0, abs=1e-12)
    assert effective_judges(gold).correlation == pytest.approx(-0.6)  # as if drawn at random
    low, high = found.interval
    assert low < 2 <= high
    with pytest.raises(InputError, match="give one"):
        effective_judges(gold, sketch=sketch, n_items=2000)


def test_a_sketch_with_all_items_labelled_leaves_nothing_open():
    gold, errors = panel(together(80, 3, 0.5, 3))
    votes, counts = gold.cells()
    sketch = VoteSketch(3, gold.labels)
    sketch.update_codes(votes, counts.sum(axis=1))
    found = effective_judges(gold, sketch=sketch)
    assert found.correlation == pytest.approx(pooled(errors))
    assert found.interval == pytest.approx((found.number, found.number))


def test_fewer_items_than_labels_are_refused():
    with pytest.raises(InputError, match=r"40 items are labelled.*n_items=39"):
        effective_judges(panel(together(40, 3, 0.5, 0))[0], n_items=39)


def test_intervals_hold_what_all_items_show():
    """Half of the items labelled at random, 200 times: the number for all items lies inside."""
    errors = together(300, 4, 0.4, 7)
    truth = effective_judges(panel(errors)[0]).number
    rng = np.random.default_rng(8)
    held = 0
    for _ in range(200):
        rows = rng.choice(300, 60, replace=False)
        low, high = effective_judges(panel(errors[rows])[0], n_items=300).interval
        held += low <= truth <= high
    assert 180 <= held <= 200  # .95 of 200, give or take three standard errors
