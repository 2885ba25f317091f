"""`askpoint value` for groups, models and weighted rows: each part as if it were alone."""

from __future__ import annotations

from fractions import Fraction

import pytest
from scipy.stats import binomtest

from cli.logs import CLASSES, close, confidence, make_log, outcomes, policy


def test_groups_are_the_parts_of_the_log(shell):
    rows = make_log(120, seed=9, labelled=0.7, groups=("north", "south", ""))
    for row in rows:
        if row["region"] == "south":
            row["label"] = ""
    content = shell.answer(
        shell.write("log.csv", rows), "--by", "region", "--labels-are-random", "--rho", 0.5
    )
    threshold = Fraction(content["threshold"])
    assert [line["group"] for line in content["recommended"]["groups"]] == ["north", "south", None]
    for line in content["recommended"]["groups"]:
        part = [row for row in rows if (row["region"] or None) == line["group"]]
        known = [row for row in part if row["label"]]
        right, wrong, _ = outcomes(known, threshold)
        answered = sum(confidence(row) >= threshold for row in part)
        assert line["n_items"] == len(part)
        assert line["n_unlabelled"] == len(part) - len(known)
        assert line["coverage"] == close(Fraction(answered, len(part)))
        if known:
            at_once = 1 - 0.05 / 3  # for all groups
            exact = binomtest(wrong, right + wrong).proportion_ci(at_once, "exact")
            assert line["risk"] == close(Fraction(wrong, right + wrong))
            assert line["interval"] == pytest.approx([exact.low, exact.high])
        else:
            assert line["risk"] is line["interval"] is None
            assert line["reasons"]["risk"] == "no answered case has a label"
    assert content["recommended"]["groups"][2]["reasons"] == {"group": "these rows name no group"}


def test_models_are_each_the_answer_to_their_own_rows(shell):
    rows = make_log(100, seed=10, models=("blunt", "sharp"))
    both = shell.answer(shell.write("log.csv", rows), "--model", "model", "--rho", 0.2)
    assert [part["model"] for part in both["models"]] == ["sharp", "blunt"]
    costs = [policy(part, "threshold")["cost_per_1000"] for part in both["models"]]
    assert costs == sorted(costs)
    for part in both["models"]:
        own = [row for row in rows if row["model"] == part["model"]]
        alone = shell.answer(shell.write("own.csv", own), "--rho", 0.2)
        assert alone["models"] == []
        assert alone["reasons"].pop("comparison")
        of_all = {"models", "comparison"}
        assert {k: part[k] for k in alone if k not in of_all} == {
            k: v for k, v in alone.items() if k not in of_all
        }
    best = {k: v for k, v in both["models"][0].items() if k != "model"}
    assert both["comparison"] is not None
    assert {k: v for k, v in both.items() if k not in of_all} == best


def test_a_model_that_misses_the_limit_does_not_take_down_the_others(shell):
    rows = make_log(100, seed=10, models=("blunt", "sharp"))
    for row in rows:
        if row["model"] == "blunt":
            row["label"] = CLASSES[row["proba_spam"] <= 0.5]  # always wrong
    log = shell.write("log.csv", rows)
    content = shell.answer(log, "--model", "model", "--max-error", 0.2)
    assert [part["model"] for part in content["models"]] == ["sharp", "blunt"]
    assert content["models"][1]["threshold"] is None
    assert "0.2" in content["models"][1]["reasons"]["hindsight.rule"]
    assert "to review" in content["models"][1]["reasons"]["threshold"]
    for row in rows:
        row["label"] = CLASSES[row["proba_spam"] <= 0.5]
    log = shell.write("log.csv", rows)
    text = shell.said("value", log, "--model", "model", "--max-error", 0.2)
    assert "send every case to review" in text
    assert "no threshold keeps" in text


def test_a_weight_is_so_many_rows(shell):
    rows = make_log(80, seed=11)
    for i, row in enumerate(rows):
        row["times"] = 1 + i % 3
    weighted = shell.answer(shell.write("log.csv", rows), "--weight", "times", "--rho", 0.2)
    repeated = [dict(row) for row in rows for _ in range(row["times"])]
    for i, row in enumerate(repeated):
        row["id"] = i
    plain = shell.answer(shell.write("repeated.csv", repeated), "--rho", 0.2)
    ours, theirs = weighted["hindsight"], plain["hindsight"]
    assert weighted["accuracy"] == close(plain["accuracy"])
    assert ours["rule"] == theirs["rule"]
    for key, name in (
        ("asked", "share"),
        ("mistakes", "share"),
        ("cost", "per_1000"),
        ("value", "estimate"),
        ("expected_profit", "estimate"),
        ("risk", "estimate"),
    ):
        assert ours[key][name] == close(theirs[key][name])
    for ours, theirs in zip(
        weighted["hindsight"]["baselines"], plain["hindsight"]["baselines"], strict=True
    ):
        for key in ("right", "wrong", "asked", "cost_per_1000"):
            assert ours[key] == close(theirs[key])
    assert weighted["n_items"] == 80
    assert weighted["hindsight"]["asked"]["rows"] == sum(
        confidence(row) < weighted["hindsight"]["rule"]["threshold"] for row in rows
    )
    assert weighted["hindsight"]["expected_profit"]["band_half_width"] is None
    assert "weighted" in weighted["reasons"]["hindsight.expected_profit.band_half_width"]
    for ours, theirs in zip(
        weighted["hindsight"]["risk"]["interval"],
        plain["hindsight"]["risk"]["interval"],
        strict=True,
    ):  # 80 weighted rows say less than 160 equal ones
        assert abs(ours - weighted["hindsight"]["risk"]["estimate"]) > abs(
            theirs - plain["hindsight"]["risk"]["estimate"]
        )


def test_weights_that_do_not_add_up_exactly_are_no_mistakes(shell):
    rows = [
        {"label": "ham", "proba_ham": 0.5 + i / 64, "proba_spam": 0.5 - i / 64, "w": 0.1 * (i + 1)}
        for i in range(30)
    ]
    content = shell.answer(shell.write("log.csv", rows), "--weight", "w")
    for name in ("answer_all", "default", "upper_limit"):
        assert policy(content, name)["wrong"] == pytest.approx(0, abs=1e-12)
        assert policy(content, name)["wrong"] >= 0


def test_a_model_without_labels_is_named(shell):
    rows = make_log(20, models=("blunt", "sharp"))
    for row in rows:
        if row["model"] == "sharp":
            row["label"] = ""
    text = shell.said("value", shell.write("log.csv", rows), "--model", "model")
    assert "sharp: none of 20 cases has a label" in " ".join(text.split())
