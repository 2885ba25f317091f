"""Who leans to items of a kind, against labels on all items; what explains errors, against scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from tests.judges.test_item_covariates import as_table, labels_of, leaning_panel

from askpoint.judges.gold.covariate_leans import explain_residuals, measure_leans
from askpoint.judges.gold.item_covariates import bin_covariate
from askpoint.judges.gold.labelled_patterns import label_items
from askpoint.judges.gold.residual_totals import totals_of


def leans_of(table, gold, *covariates):
    known = label_items(table, gold, covariates).as_drawn("as proposed")
    of = totals_of(known)[1]
    return measure_leans(of.known, of)


def test_with_every_item_labelled_leans_are_what_they_are():
    rng = np.random.default_rng(4)
    length, truth, votes = leaning_panel(rng, 300)
    topic = rng.choice(["law", "art"], 300)
    of = bin_covariate("length", length.tolist())
    long, kind = leans_of(
        as_table(votes), labels_of(truth, range(300)), of, bin_covariate("topic", topic.tolist())
    )
    high, low = of.codes >= 3, of.codes <= 1
    apart = truth[high].mean() - truth[low].mean()
    assert long.difference == pytest.approx(apart)
    assert long.interval == (pytest.approx(apart), pytest.approx(apart))
    rates = votes[high].mean(axis=0) - votes[low].mean(axis=0)
    assert [long.judges[j] for j in "abcde"] == pytest.approx((rates - apart).tolist())
    assert long.interval_of("a") == (pytest.approx(long.judges["a"]),) * 2
    assert (long.there, long.elsewhere) == (
        f"above {of.levels[3].split(' to ')[0]}",
        f"up to {of.levels[1].split(' to ')[1]}",
    )
    art = topic == "art"
    assert (kind.there, kind.elsewhere) == ("art", "elsewhere")
    assert kind.difference == pytest.approx(truth[art].mean() - truth[~art].mean())


def test_few_numbers_are_compared_by_their_values():
    rng = np.random.default_rng(5)
    _, truth, votes = leaning_panel(rng, 400)
    said = {}
    for top in (1, 2, 4):
        turns = rng.integers(0, top + 1, 400).tolist()
        (one,) = leans_of(
            as_table(votes), labels_of(truth, range(100)), bin_covariate("turns", turns)
        )
        said[top] = (one.there, one.elsewhere)
    assert said == {1: ("1", "0"), 2: ("2", "0"), 4: ("3 or more", "up to 1")}


def test_judges_who_lean_are_named_and_others_are_not():
    hits, false = 0, 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        length, truth, votes = leaning_panel(rng)
        votes[rng.random(len(votes)) < 0.02, 4] = -1
        gold = labels_of(truth, rng.choice(len(truth), 100, replace=False))
        (one,) = leans_of(as_table(votes), gold, bin_covariate("length", length.tolist()))
        hits += set(one.leaning) >= set("abc")
        false += bool(set(one.leaning) & set("de"))
    assert hits == 10
    assert false <= 2


def test_kinds_without_labels_and_judges_without_votes_are_left_out():
    rng = np.random.default_rng(6)
    _, truth, votes = leaning_panel(rng, 300)
    topic = np.array(["law", "art", "sea"])[rng.integers(0, 3, 300)]
    votes[topic == "law", 2] = -1
    gold = labels_of(truth, np.flatnonzero(topic != "sea")[:80])
    found = leans_of(as_table(votes), gold, bin_covariate("topic", topic.tolist()))
    assert [one.there for one in found] == ["art", "law"]
    assert "c" not in found[1].judges
    one_level = bin_covariate("same", ["x", *[None] * 299])
    assert leans_of(as_table(votes), gold, one_level) == ()


def residuals_of(table, gold, truth):
    """Each labelled item's residual, leverage taken out, from the fit without covariates."""
    of = totals_of(label_items(table, gold).as_drawn("as proposed"))[1]
    place = {row.tobytes(): i for i, row in enumerate(of.known.cells.votes.astype(np.int16))}
    rows = [int(task) for task in gold]
    at = np.array([place[table.codes[i].tobytes()] for i in rows])
    both = np.column_stack([of.curve.residuals(0), of.curve.residuals(1)])
    return rows, both[at, truth[rows]]


def test_what_explains_errors_is_tested_as_scipy_does():
    rng = np.random.default_rng(1)
    length, truth, votes = leaning_panel(rng)
    table, gold = as_table(votes), labels_of(truth, range(300))
    topic = np.where(length > np.median(length), "long", "short")
    rows, residuals = residuals_of(table, gold, truth)
    of = bin_covariate("length", length.tolist())
    found = explain_residuals(label_items(table, gold, (of,)), "pass")
    expected = stats.linregress(of.codes[rows], residuals).pvalue
    assert expected < 0.01
    assert found == {"length": pytest.approx(expected, rel=1e-6)}
    kinds = bin_covariate("topic", topic.tolist())
    groups = [residuals[kinds.codes[rows] == level] for level in (0, 1)]
    expected = stats.f_oneway(*groups).pvalue
    found = explain_residuals(label_items(table, gold, (kinds,)), "pass")
    assert found == {"topic": pytest.approx(expected, rel=1e-6)}


def test_noise_hardly_ever_explains_errors():
    rng = np.random.default_rng(8)
    _, truth, votes = leaning_panel(rng, 600)
    table, named = as_table(votes), 0
    for seed in range(30):
        draw = np.random.default_rng(seed)
        noise = [bin_covariate(f"n{k}", draw.random(600).tolist()) for k in range(3)]
        gold = labels_of(truth, draw.choice(600, 80, replace=False))
        named += bool(explain_residuals(label_items(table, gold, noise), "pass"))
    assert named <= 2  # .01 of 30, for all three together


def test_labels_of_one_kind_explain_nothing():
    _, truth, votes = leaning_panel(np.random.default_rng(9), 300)
    turns = bin_covariate("turns", [0] * 100 + [1] * 200)
    known = label_items(as_table(votes), labels_of(truth, range(80)), (turns,))
    assert explain_residuals(known, "pass") == {}
