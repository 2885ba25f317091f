"""Options and costs that `askpoint value` refuses, each in one plain line."""

from __future__ import annotations

import json

import pytest

from cli.logs import CLASSES, GOOD


@pytest.mark.parametrize(
    "option",
    ["--label", "--proba", "--prediction", "--by", "--model", "--weight", "--propensity"],
)
def test_an_unknown_column_suggests_the_nearest(option, shell):
    log = shell.write("log.csv", GOOD)
    message = shell.refusal("value", log, option, "lable")
    assert "no column 'lable'" in message
    assert "did you mean 'label'?" in message
    assert "label, proba_ham, proba_spam" in message


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--rho", "much"], ["--rho", "'much'"]),
        (["--rho", 0], ["rho", "above 0", "at most"]),
        (["--rho", 1.5], ["rho", "above 0", "1.5"]),
        (["--beta", 0], ["beta", "above 0"]),
        (["--ask-at-most", -3], ["ask-at-most", "-3"]),
        (["--ask-at-most", 1.5], ["ask-at-most", "whole number", "1.5"]),
        (["--max-error", 1], ["max-error", "below 1"]),
        (["--max-error", -0.1], ["max-error", "-0.1"]),
        (["--min-recall", "spam"], ["--min-recall", "CLASS=LEVEL", "'spam'"]),
        (["--min-recall", "spam=much"], ["--min-recall", "CLASS=LEVEL", "spam=much"]),
        (["--min-recall", "=0.5"], ["--min-recall", "CLASS=LEVEL"]),
        (["--min-recall", "spam=1.5"], ["min-recall"]),
        (["--min-recall", "eggs=0.5"], ["'eggs'", "'ham', 'spam'"]),
        (["--min-precision", "spam=0"], ["min-precision"]),
        (["--min-precision", "eggs=0.5"], ["'eggs'", "'ham', 'spam'"]),
        (["--prices", "1,2"], ["--prices", "RIGHT,ASK,WRONG", "'1,2'"]),
        (["--prices", "-20,-0.5,1"], ["wrong < ask < right", "-20"]),
        (["--prices", "1,1,0"], ["wrong < ask < right"]),
        (["--measure", "surprise"], ["'surprise'", "max_probability"]),
        (["--default", "eggs"], ["'eggs'", "ham, spam"]),
        (["--beta", 3, "--rho", 0.5], ["one objective", "--rho", "--beta"]),
        (["--max-error", 0.1, "--prices", "1,0,-1"], ["one objective", "--max-error", "--prices"]),
        (["--beta", 1, "--costs", "costs.json"], ["one objective", "--beta", "--costs"]),
        (["--lable", "x"], ["--lable", "'--label'", "value --help"]),
        (["--html"], ["--html", "argument"]),
        (["twice.csv"], ["twice.csv"]),
    ],
)
def test_an_objective_or_option_out_of_range(flags, words, shell):
    message = shell.refusal("value", shell.write("log.csv", GOOD), *flags)
    for word in words:
        assert word in message


def test_no_log_is_named(shell):
    assert "LOG" in shell.refusal("value")


def test_weight_and_propensity_together(shell):
    rows = [{**row, "w": 1} for row in GOOD]
    message = shell.refusal(
        "value", shell.write("log.csv", rows), "--weight", "w", "--propensity", "w"
    )
    assert "not both" in message


COSTS = {
    "classes": ["ham", "spam"],
    "rows": "truth",
    "columns": "decision",
    "cost": {"ham": {"ham": 0, "spam": 5}, "spam": {"ham": 1, "spam": 0}},
    "reject_cost": 0.5,
}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rows": None}, ["axes", '"rows": "truth"']),
        ({"columns": "truth"}, ["axes", '"columns": "decision"']),
        ({"cost": {"ham": {"ham": 0, "spam": -5}, "spam": {"ham": 1, "spam": 0}}}, ["negative"]),
        ({"cost": {"ham": {"ham": 0}, "spam": {"ham": 1, "spam": 0}}}, ["cell", "'ham'", "'spam'"]),
        ({"cost": {"ham": {"ham": 3, "spam": 2}, "spam": {"ham": 1, "spam": 0}}}, ["must not pay"]),
        ({"cost": {"ham": {"ham": 0, "spam": None}, "spam": {"ham": 1, "spam": 0}}}, ["number"]),
        ({"cost": {"ham": {"ham": 0, "spam": 0}, "spam": {"ham": 0, "spam": 0}}}, ["mistake"]),
        ({"classes": ["ham", "eggs"]}, ["eggs"]),
        ({"reject_cost": -1}, ["reject_cost", "negative"]),
        ({"reject_cost": None}, ["reject_cost", "asking"]),
    ],
)
def test_costs_that_cannot_be_used(change, words, shell):
    costs = shell.write("costs.json", json.dumps({**COSTS, **change}))
    message = shell.refusal("value", shell.write("log.csv", GOOD), "--costs", costs)
    for word in words:
        assert word in message


def test_costs_that_cannot_be_read(shell):
    log = shell.write("log.csv", GOOD)
    assert "no.json" in shell.refusal("value", log, "--costs", shell.folder / "no.json")
    cut = shell.write("cut.json", json.dumps(COSTS)[:40])
    assert "JSON" in shell.refusal("value", log, "--costs", cut)
    other = {**COSTS, "classes": ["a", "b"], "cost": {"a": {"a": 0, "b": 1}, "b": {"a": 1, "b": 0}}}
    message = shell.refusal("value", log, "--costs", shell.write("ab.json", json.dumps(other)))
    assert "a, b" in message
    assert "ham, spam" in message


def test_costs_and_measures_need_probabilities(shell):
    rows = [{"label": "ham", "prediction": p, "confidence": 0.5} for p in CLASSES]
    log = shell.write("log.csv", rows)
    message = shell.refusal("value", log, "--costs", shell.write("costs.json", json.dumps(COSTS)))
    assert "probabilities" in message
    message = shell.refusal("value", log, "--measure", "margin")
    assert "confidence of its own" in message
    log = shell.write("good.csv", GOOD)
    costs = shell.folder / "costs.json"
    assert "margin" in shell.refusal("value", log, "--costs", costs, "--measure", "margin")


def test_an_unmet_limit_says_the_best(shell):
    rows = [{**row, "label": "ham"} for row in GOOD for _ in range(4)]
    rows[0]["label"] = "spam"  # one of the surest is wrong, too
    message = shell.said("value", shell.write("log.csv", rows), "--max-error", 0.01)
    assert "0.01" in message
    assert "0.25" in message
    assert "33.3%" in message
    rows = [{**row, "label": "ham" if row["label"] == "spam" else "spam"} for row in GOOD]
    message = shell.said("value", shell.write("log.csv", rows), "--min-precision", "spam=0.9")
    assert "'spam'" in message


def test_recall_of_a_class_that_never_occurs(shell):
    rows = [{**row, "label": "ham"} for row in GOOD]
    message = shell.said("value", shell.write("log.csv", rows), "--min-recall", "spam=0.9")
    assert "'spam'" in message
    assert "recall" in message


def test_a_page_that_cannot_be_written(shell):
    log = shell.write("log.csv", GOOD)
    message = shell.refusal("value", log, "--html", shell.folder / "no" / "page.html")
    assert "cannot be written" in message
    assert "No such file or directory" in message
    assert "cannot be written" in shell.refusal("value", log, "--html", shell.folder)
    assert "cannot be written" in shell.refusal("value", log, "--html", "")
