"""A threshold and a promise for each group, from log to words and JSON."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from scipy import special, stats

from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.verdict import answer_question, answer_value
from askpoint.records.logs import read_log
from askpoint.reports.document import Grid, Notice, Paragraph
from askpoint.reports.value.document import value_sections
from askpoint.reports.value.json import value_object
from askpoint.value.limits import AskAtMost, MaxError
from askpoint.value.priced import CheckCost

OWN = "Group by group, each with its own threshold"
PROMISED = "What is promised of each group"


def log_of(n_labels=800, *, n=4000, shifts=(0.0, 0.0, -2.5), seed=1, groups=None, **more):
    rng = np.random.default_rng(seed)
    group = rng.integers(0, len(shifts), n)
    z = rng.normal(2.2, 1.8, n)
    right = rng.random(n) < special.expit(np.array(shifts)[group] + z)
    drawn = np.isin(np.arange(n), rng.choice(n, n_labels, replace=False))
    label = np.where(drawn, np.where(right, "yes", "no"), None)
    names = np.array(["en", "de", "tr", "pl"])[group] if groups is None else groups
    table = pl.DataFrame(
        {
            "label": label.tolist(),
            "prediction": "yes",
            "confidence": special.expit(z),
            "language": list(names),
        }
    ).with_columns(**{key: pl.Series(value) for key, value in more.items()})
    roles = {key: key for key in more}
    return read_log(table, classes=["yes", "no"], group="language", need_labels=False, **roles)


def section(answer, title):
    return next((s for s in value_sections(answer) if s.title == title), None)


def test_a_group_where_the_model_is_bad_gets_a_higher_threshold():
    answer = answer_value(log_of(), CheckCost(0.2))
    found = answer.own_thresholds
    own = dict(zip(found.names, found.groups, strict=True))
    assert own["tr"].threshold > max(own["en"].threshold, own["de"].threshold)
    assert own["tr"].differs == "yes"
    assert found.alike < 0.05
    assert found.saved_per_1000 > 0
    # the common answer stands beside
    assert answer.tomorrow.best.threshold not in (None, own["tr"].threshold)
    shown = section(answer, OWN)
    grid = next(block for block in shown.blocks if isinstance(block, Grid))
    assert {row[0] for row in grid.rows} == {"en", "de", "tr"}
    lead = next(block for block in shown.blocks if isinstance(block, Paragraph))
    assert "Known to differ from the common threshold" in lead.text
    assert "tr" in lead.text


def test_shares_asked_are_those_of_the_cases_of_the_log():
    log = log_of()
    answer = answer_value(log, CheckCost(0.2))
    for name, each in zip(answer.own_thresholds.names, answer.own_thresholds.groups, strict=True):
        rows = np.array(log.group.names, dtype=object)[log.group.codes] == name
        assert each.asked == pytest.approx((log.confidence[rows] < each.threshold).mean())
        assert each.n_items == rows.sum()
        assert each.n_labelled == log.labelled[rows].sum()


def test_json_holds_the_thresholds_and_why_there_are_none():
    content = json.loads(json.dumps(value_object(answer_value(log_of(), CheckCost(0.2)))))
    own = content["recommended"]["own_thresholds"]
    assert [each["group"] for each in own["groups"]] == sorted(
        each["group"] for each in own["groups"]
    )
    assert {each["differs"] for each in own["groups"]} <= {"yes", "no", "undecided"}
    assert content["recommended"]["group_promises"] == []
    limited = value_object(answer_value(log_of(), AskAtMost(0.2)))
    assert limited["recommended"]["own_thresholds"] is None
    assert "--by COLUMN" in limited["reasons"]["recommended.own_thresholds"]
    weighted = answer_value(log_of(weight=np.resize([1.0, 2.0], 4000)), CheckCost(0.2))
    assert weighted.own_thresholds is None


def test_groups_that_are_alike_are_not_said_to_differ():
    answer = answer_value(log_of(shifts=(0.0, 0.0, 0.0)), CheckCost(0.2))
    assert {each.differs for each in answer.own_thresholds.groups} <= {"no", "undecided"}
    lead = section(answer, OWN).blocks[0].text
    assert "does as well for every group" in lead or "No group is known" in lead


def test_a_group_of_one_row_one_without_labels_and_rows_without_a_name():
    names = np.array(["en"] * 4000, dtype=object)
    names[0], names[1:200] = "one", None
    answer = answer_value(log_of(groups=names), CheckCost(0.2))
    own = dict(zip(answer.own_thresholds.names, answer.own_thresholds.groups, strict=True))
    assert own["one"].n_items == 1
    assert own[None].n_items == 199
    grid = next(b for b in section(answer, OWN).blocks if isinstance(b, Grid))
    assert "(none)" in {row[0] for row in grid.rows}


def test_labels_only_in_one_group_are_said_to_speak_for_no_other():
    rng = np.random.default_rng(5)
    group = np.array(["en", "de", "tr"])[np.arange(4000) % 3]
    group[:8] = "xx"  # so small that 400 labels miss it four times in nine
    drawn = np.isin(np.arange(4000), rng.choice(np.flatnonzero(group == "en"), 400, replace=False))
    log = log_of(4000, groups=group)
    label = pl.Series(np.where(drawn, "yes", None).tolist())
    columns = {
        "label": label,
        "prediction": "yes",
        "confidence": log.confidence,
        "language": group.tolist(),
    }
    picked = read_log(
        pl.DataFrame(columns), classes=["yes", "no"], group="language", need_labels=False
    )
    answer = answer_value(picked, CheckCost(0.2))
    assert answer.own_thresholds.find_missed() == ("de", "tr")
    said = " ".join(b.text for b in section(answer, "The answer").blocks if isinstance(b, Notice))
    assert "None of the labels is of de, tr, 66.5% of the cases" in said
    told = value_object(answer)["recommended"]["own_thresholds"]["groups"]
    assert {each["group"]: each["passed_over"] for each in told} == {
        "de": True, "en": False, "xx": False, "tr": True,
    }  # fmt: skip
    assert answer_value(log_of(groups=group), CheckCost(0.2)).own_thresholds.find_missed() == ()


@pytest.mark.whole
def test_five_thousand_groups_are_answered():
    names = [f"g{i % 5000}" for i in range(12_000)]
    answer = answer_value(log_of(n=12_000, groups=names), CheckCost(0.2))
    assert len(answer.own_thresholds.groups) == 5000
    assert answer.own_thresholds.find_missed() == ()  # each is missed by chance
    assert not [g for g in answer.own_thresholds.groups if g.differs == "yes" and not g.n_labelled]


def test_many_groups_are_counted_and_the_largest_shown():
    names = [f"g{i % 700}" for i in range(4000)]
    answer = answer_value(log_of(groups=names), CheckCost(0.2))
    assert len(answer.own_thresholds.groups) == 700
    grid = next(b for b in section(answer, OWN).blocks if isinstance(b, Grid))
    assert len(grid.rows) == 50
    assert "650 smaller groups are" in grid.note


def test_promises_of_groups_share_delta_among_those_with_enough_labels():
    log = log_of(900, shifts=(0.0, 1.0, -2.5))
    answer = answer_question(log, ValueQuestion(MaxError(0.1, delta=0.1), look="once"))
    promises = {each.name: each for each in answer.group_promises}
    # all three share delta: each is tested at a third of it, and needs as many labels as that takes
    needed = int(np.ceil(np.log(0.1 / 3) / np.log(0.9)))
    assert {each.n_needed for each in promises.values()} == {needed}
    assert all(each.is_tested for each in promises.values())
    for name, each in promises.items():
        if not np.isfinite(each.threshold):
            continue
        rows = np.array(log.group.names, dtype=object)[log.group.codes[log.labelled]] == name
        above = rows & (log.confidence[log.labelled] >= each.threshold)
        wrong = (~log.right[above]).sum()
        assert stats.binom.cdf(wrong, above.sum(), 0.1) <= 0.1 / 3
    assert promises["de"].coverage > promises["tr"].coverage
    grid = section(answer, PROMISED).blocks[0]
    assert f"A group takes {needed} labels" in grid.note
    content = value_object(answer)["recommended"]["group_promises"]
    assert [each["group"] for each in content] == list(promises)


def test_a_limit_that_no_threshold_of_a_group_keeps_promises_nothing_there():
    log = log_of(900, shifts=(0.0, 1.0, -2.5))
    answer = answer_question(log, ValueQuestion(MaxError(0.01, delta=0.1), look="once"))
    assert not any(np.isfinite(each.threshold) for each in answer.group_promises)
    assert all(each.coverage == 0 for each in answer.group_promises)
    assert any(each.is_tested for each in answer.group_promises)


def test_groups_with_few_labels_cost_the_others_nothing():
    names = np.array(["big"] * 4000, dtype=object)
    names[:40] = "small"
    question = ValueQuestion(MaxError(0.1, delta=0.1), look="once")
    both = answer_question(log_of(groups=names), question)
    promises = {each.name: each for each in both.group_promises}
    assert not promises["small"].is_tested
    assert promises["big"].n_needed == int(np.ceil(np.log(0.1) / np.log(0.9)))
    grid = section(both, PROMISED).blocks[0]
    assert any("too few labels: it takes 22" in row[-1] for row in grid.rows)
