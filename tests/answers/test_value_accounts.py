"""Precision, recall and error with their intervals, and numbers that choosing does not flatter."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.refusals import HeavyLabels
from askpoint.answers.value.verdict import answer_question
from askpoint.measures.intervals import binomial_interval
from askpoint.records.logs import read_log
from askpoint.reports.value.accounts import accounts_grid
from askpoint.reports.value.document import value_document, value_sections
from askpoint.reports.value.json import value_object
from askpoint.value.limits import AskAtMost
from askpoint.value.priced import CheckCost


def frame(n=1000, seed=0, **columns):
    rng = np.random.default_rng(seed)
    p = rng.beta(0.5, 0.5, n)
    made = pl.DataFrame({"label": (rng.random(n) < p).astype(int), "proba": p})
    return made.with_columns(**columns)


def answered(table, objective=CheckCost(0.1), **columns):  # noqa: B008
    random = columns.pop("random", False)
    return answer_question(
        read_log(table, **columns), ValueQuestion(objective, labels_are_random=random)
    )


def test_each_share_is_a_plain_count_at_a_threshold_that_labels_do_not_choose():
    table = frame()
    answer = answered(table, AskAtMost(0.3))
    t = answer.tomorrow.best.threshold
    p, y = table["proba"].to_numpy(), table["label"].to_numpy()
    said, sure = p > 0.5, np.maximum(p, 1 - p) >= t
    wanted = {("error", None): (sure, said != y)}
    for k in (0, 1):
        wanted["precision", str(k)] = (sure & (said == k), y == k)
        wanted["recall", str(k)] = (y == k, ~sure | (said == k))
    lines = {(line.kind, line.label): line for line in answer.accounts.lines}
    assert lines.keys() == wanted.keys()
    for key, (rows, good) in wanted.items():
        assert lines[key].estimate == good[rows].mean()
        assert lines[key].n_labels == rows.sum()
        assert lines[key].interval == binomial_interval(int(good[rows].sum()), int(rows.sum()))
    assert not answer.accounts.is_cross_fitted


@pytest.mark.whole
def test_a_lucky_threshold_does_not_flatter_the_error():
    stated, true = [], []
    for seed in range(12):
        few, many = frame(60, seed), frame(4000, 100 + seed)
        answer = answered(few)
        stated.append(answer.accounts.lines[0])
        p, y = many["proba"].to_numpy(), many["label"].to_numpy()
        sure = np.maximum(p, 1 - p) >= answer.tomorrow.best.threshold
        true.append(((p > 0.5) != y)[sure].mean())
    assert all(line.interval is not None for line in stated)
    held = [x.interval.lower <= t <= x.interval.upper for x, t in zip(stated, true, strict=True)]
    assert sum(held) >= 10
    assert answer.accounts.is_cross_fitted


@pytest.mark.parametrize(
    ("columns", "options", "design", "said"),
    [
        ({}, {}, "all", "every case has a label"),
        ({"label": pl.when(pl.int_range(1000) % 3 > 0).then("label")}, {}, "random", "looks random"),
        ({"label": pl.when(pl.int_range(1000) % 3 > 0).then("label")}, {"random": True}, "stated", "you stated"),
        ({"w": pl.int_range(1000) % 2 + 1}, {"weight": "w"}, "weight", "by their weights"),
        ({"w": pl.lit(0.5)}, {"propensity": "w"}, "propensity", "known chances"),
        ({"w": pl.int_range(1000) // 4}, {"cluster": "w"}, "all", "in clusters"),
    ],
)  # fmt: skip
def test_the_design_stands_behind_each(columns, options, design, said):
    answer = answered(frame(**columns), **options)
    assert answer.accounts.design == design
    assert said in accounts_grid(answer.accounts, 0.95).note
    content = value_object(answer)["recommended"]["accounts"]
    assert content["design"] == design
    assert [line["what"] for line in content["shares"]][:2] == ["error", "precision"]
    titles = [section.title for section in value_sections(answer)]
    assert "Error rates for auditors" in titles


def test_many_classes_are_cut_to_the_most_frequent():
    rng = np.random.default_rng(0)
    k, n = 23, 600
    p = rng.dirichlet(np.full(k, 0.1), n)
    table = pl.DataFrame({f"proba_c{i:02d}": p[:, i] for i in range(k)})
    table = table.with_columns(label=pl.Series([f"c{i:02d}" for i in p.argmax(axis=1)]))
    answer = answered(table)
    assert len(answer.accounts.lines) == 1 + 2 * 20
    assert "3 rarer classes are left out" in accounts_grid(answer.accounts, 0.95).note


def island(n=4000, rate=0.02, seed=0):
    """5% of the cases, half of them wrong, hardly ever labelled."""
    rng = np.random.default_rng(seed)
    table = frame(n, seed)
    isle = rng.random(n) < 0.05
    chance = np.where(isle, rate, 0.5)
    seen = rng.random(n) < chance
    wrong = np.where(isle, rng.random(n) < 0.5, rng.random(n) < 0.02)
    p = table["proba"].to_numpy()
    label = ((p > 0.5) ^ wrong).astype(int)
    return table.with_columns(
        label=pl.Series([int(x) if s else None for x, s in zip(label, seen, strict=True)]),
        chance=pl.Series(chance),
    )


def test_a_heavy_stratum_of_few_labels_gives_an_estimate_and_no_verdict():
    answer = answered(island(), propensity="chance")
    assert isinstance(answer.refusal, HeavyLabels)
    assert answer.refusal.n_labels < 10
    words = repr(value_document(answer, "log"))
    assert "for the cases that were hardly ever labelled, each for up to 50 cases" in words
    assert value_object(answer)["threshold"] is None
    more = answered(island(20000), propensity="chance")
    assert more.refusal is None
    (error, *_), none = more.accounts.lines, answer.accounts
    assert none is None
    assert error.interval.upper - error.interval.lower > 0


def test_groups_are_told_apart_by_holm_and_not_by_luck():
    noise = frame(2000, region=pl.Series([f"g{i % 20:02d}" for i in range(2000)]))
    answer = answered(noise, group="region")
    assert all(line.p_value > 0.05 for line in answer.groups)
    words = repr(value_document(answer, "log"))
    assert "No group is shown to differ from the others" in words
    worse = noise.with_columns(
        label=pl.when(pl.col("region") == "g03").then(1 - pl.col("label")).otherwise("label")
    )
    answer = answered(worse, group="region")
    shown = [line.name for line in answer.groups if line.p_value <= 0.05]
    assert shown == ["g03"]
    assert "Shown to differ from the others: g03" in repr(value_document(answer, "log"))
    line = answer.groups[3]
    assert line.risk_interval.upper - line.risk_interval.lower > 0
    assert (
        answered(noise.with_columns(region=pl.lit("a")), group="region").groups[0].p_value is None
    )


def test_a_stratum_without_any_label_is_known_by_its_chance():
    rows = island(2000).with_columns(
        label=pl.when(pl.col("chance") > 0.1).then("label")  # of the island none was drawn
    )
    answer = answered(rows, propensity="chance")
    assert isinstance(answer.refusal, HeavyLabels)
    assert answer.refusal.n_labels == 0
    assert answer.refusal.weight == pytest.approx(50)
