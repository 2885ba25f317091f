"""Columns of items as levels, and patterns that are set apart by them."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.errors import InputError
from askpoint.judges.evaluator import JudgeEvidence
from askpoint.judges.evaluators import WITH_GOLD
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.gold.item_covariates import bin_covariate, level_columns
from askpoint.judges.gold.labelled_patterns import label_items, label_patterns
from askpoint.judges.gold.residual_totals import totals_of
from askpoint.judges.sketch.tables import VoteTable
from askpoint.judges.sketch.vote_sketch import VoteSketch

LABELS = ("fail", "pass")


def leaning_panel(rng, n=1500):
    """Five judges, three of whom pass what is long; length, truth and votes."""
    length = rng.lognormal(5, 1, n)
    truth = (rng.random(n) < 0.5).astype(int)
    lean = np.where(np.arange(5) < 3, 1.5, 0.0) * (np.log(length) - 5)[:, None]
    odds = np.where(truth == 1, 1.2, -1.2)[:, None] + lean
    return length, truth, (rng.random((n, 5)) < 1 / (1 + np.exp(-odds))).astype(np.int16)


def as_table(votes):
    judges = tuple("abcdefghijklmnopqrstuvwxyz"[: votes.shape[1]])
    return VoteTable(tuple(map(str, range(len(votes)))), judges, LABELS, votes)


def labels_of(truth, items):
    return {str(i): LABELS[truth[i]] for i in items}


def test_quintiles_hold_a_fifth_each_and_keep_their_order():
    values = np.random.default_rng(0).permutation(1000) / 7
    found = bin_covariate("length", values.tolist())
    assert np.bincount(found.codes).tolist() == [200] * 5
    assert (np.diff(found.codes[np.argsort(values)]) >= 0).all()
    assert found.is_number
    assert found.levels[0].startswith("up to")
    assert found.levels[-1].startswith("above")


def test_ties_share_a_level_whatever_their_share():
    found = bin_covariate("length", [1.0] * 70 + list(range(2, 32)))
    assert (found.codes[:70] == 0).all()
    assert len(found.levels) < 5
    assert found.codes.max() == len(found.levels) - 1


def test_a_value_that_nearly_all_have_stands_apart_from_the_rest():
    found = bin_covariate("length", [*range(6), *[10] * 94])
    assert found.levels == ("up to 5", "above 5")
    assert found.codes.tolist() == [0] * 6 + [1] * 94


def test_few_numbers_are_levels_by_themselves():
    found = bin_covariate("turns", [3, 1, 2, 1])
    assert found.levels == ("1", "2", "3")
    assert found.codes.tolist() == [2, 0, 1, 0]


def test_missing_values_are_a_level_of_their_own():
    found = bin_covariate("length", [1, None, float("nan"), 2, ""])
    assert found.levels == ("1", "2", "no value")
    assert found.codes.tolist() == [0, 2, 2, 1, 2]
    assert found.n_valued == 2


def test_rare_texts_count_together():
    texts = [f"t{k}" for k in range(12) for _ in range(20 - k)]
    found = bin_covariate("topic", texts)
    assert found.levels == (*(f"t{k}" for k in range(8)), "others")
    assert not found.is_number
    assert set(np.array(texts)[found.codes == 8]) == {"t8", "t9", "t10", "t11"}


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([None, "", None], "must have values; got none"),
        ([f"id {k}" for k in range(60)], "numbers or at most 50 different texts; got 60"),
        ([*range(60), "inf"], "numbers or at most 50 different texts"),
    ],
)
def test_columns_that_tell_nothing_are_refused(values, why):
    with pytest.raises(InputError, match=why):
        bin_covariate("x", values)


def test_columns_of_levels():
    one, same = bin_covariate("turns", [1, 2, 1]), bin_covariate("same", ["x", "x", "x"])
    codes = np.column_stack([one.codes, same.codes])
    assert level_columns((one, same), codes).tolist() == [[1, 0], [0, 1], [1, 0]]
    assert level_columns((), codes[:, :0]).shape == (3, 0)


def test_items_of_a_pattern_are_parted_and_nothing_else_changes():
    rng = np.random.default_rng(1)
    length, truth, votes = leaning_panel(rng, 400)
    table, gold = as_table(votes), labels_of(truth, range(0, 400, 5))
    sketch = VoteSketch(table.judges, LABELS)
    sketch.update_codes(votes)
    plain = label_patterns(sketch, GoldSketch.from_table(table, gold))
    same = bin_covariate("same", ["x"] * 400)
    assert len(label_items(table, gold, (same,)).cells.counts) == len(plain.cells.counts)

    parted = label_items(table, gold, (bin_covariate("length", length.tolist()),))
    assert len(parted.cells.counts) > len(plain.cells.counts)
    assert parted.drawn.sum() == 80
    for row, votes_of in enumerate(plain.cells.votes):
        here = (parted.cells.votes == votes_of).all(axis=1)
        assert parted.cells.counts[here].sum() == plain.cells.counts[row]
        assert (parted.labelled[here].sum(axis=0) == plain.labelled[row]).all()
        assert set(parted.stratum[here]) == {plain.stratum[row]}
        assert np.allclose(parted.posterior[here], plain.posterior[row])


def shares_of(table, gold, covariates=()):
    totals = totals_of(label_items(table, gold, covariates).as_drawn("as proposed"))
    spread = totals[1].spread_of((None, np.ones(1)))
    return totals[1].expected.sum(), float(spread.variance[0]), totals[1].curve.uses_covariates


def test_a_covariate_is_used_where_it_helps_and_only_there():
    rng = np.random.default_rng(2)
    length, truth, votes = leaning_panel(rng)
    table, known = as_table(votes), bin_covariate("length", length.tolist())
    noise = bin_covariate("noise", rng.random(len(truth)).tolist())
    less, off, plain_off, n_noise = [], [], [], 0
    for seed in range(12):
        items = np.random.default_rng(seed).choice(len(truth), 200, replace=False)
        gold = labels_of(truth, items)
        plain, variance, used = shares_of(table, gold)
        assert not used
        share, with_length, uses_length = shares_of(table, gold, (known,))
        same, of_noise, uses_noise = shares_of(table, gold, (noise,))
        n_noise += uses_noise
        if not uses_noise:
            assert (same, of_noise) == (pytest.approx(plain), pytest.approx(variance))
        assert uses_length
        less.append(with_length / variance)
        off.append(share - truth.sum())
        plain_off.append(plain - truth.sum())
    assert np.mean(less) < 0.9
    assert np.std(off) < np.std(plain_off)
    assert n_noise <= 2


def test_the_evaluation_takes_what_is_known_of_items():
    length, truth, votes = leaning_panel(np.random.default_rng(2))
    table, gold = as_table(votes), labels_of(truth, range(200))
    sketch = VoteSketch(table.judges, LABELS)
    sketch.update_codes(votes)
    counted = GoldSketch.from_table(table, gold)
    known = label_items(table, gold, (bin_covariate("length", length.tolist()),))
    plain = WITH_GOLD.evaluate(JudgeEvidence(sketch, counted)).interval().prevalence["pass"]
    found = WITH_GOLD.evaluate(JudgeEvidence(sketch, counted, labelled=known))
    narrow = found.interval().prevalence["pass"]
    assert narrow.upper - narrow.lower < plain.upper - plain.lower


def test_each_of_many_judges_counts_from_150_labels_on():
    rng = np.random.default_rng(3)
    truth = (rng.random(2000) < 0.5).astype(int)
    good = np.where(rng.random(2000) < 0.95, truth, 1 - truth)
    others = np.where(rng.random((2000, 12)) < 0.6, truth[:, None], 1 - truth[:, None])
    shared = rng.random(2000) < 0.5
    others = np.where(shared[:, None], others[:, :1], others)  # they outvote the good one together
    table = as_table(np.column_stack([good, others]).astype(np.int16))
    _, few, _ = shares_of(table, labels_of(truth, range(140)))
    _, many, _ = shares_of(table, labels_of(truth, range(160)))
    assert many < 0.8 * few * 140 / 160
