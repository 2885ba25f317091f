"""A threshold in use, judged on a fresh log."""

from __future__ import annotations

import json

import numpy as np
import pytest


def fresh(seed, n=3000, *, drop=0.0):
    """Calibrated answers; `drop` of the sure ones are wrong beyond that."""
    rng = np.random.default_rng(seed)
    p = rng.beta(0.5, 0.5, n)
    label = rng.random(n) < p
    label ^= (np.abs(2 * p - 1) > 0.8) & (rng.random(n) < drop)
    return [
        {"label": int(y), "proba_0": 1 - q, "proba_1": q} for y, q in zip(label, p, strict=True)
    ]


def test_a_good_threshold_holds_and_a_bad_one_does_not(shell):
    log = shell.write("log.csv", fresh(1))
    good = shell.answer(log, "--rho", 0.1, "--threshold", 0.9)["current"]
    assert good["judgement"] == "holds"
    assert good["more_labels"] is None
    bad = shell.answer(log, "--rho", 0.1, "--threshold", 0.6)["current"]
    assert bad["judgement"] == "fails"
    assert "The threshold 0.6 is no longer valid" in shell.said(
        "value", log, "--rho", 0.1, "--threshold", 0.6
    )


def test_few_labels_cannot_tell_and_say_how_many_would(shell):
    log = shell.write("log.csv", fresh(2, 40))
    used = shell.answer(log, "--rho", 0.1, "--threshold", 0.8)["current"]
    assert used["judgement"] == "undecided"
    assert used["more_labels"] > 0
    text = shell.said("value", log, "--rho", 0.1, "--threshold", 0.8)
    assert "more labels from new cases would settle it" in text


def test_a_limit_that_is_kept_or_broken(shell):
    log = shell.write("log.csv", fresh(3))
    kept = shell.answer(log, "--max-error", 0.1, "--threshold", 0.9)["current"]
    assert kept["judgement"] == "holds"
    broken = shell.answer(log, "--max-error", 0.02, "--threshold", 0.6)["current"]
    assert broken["judgement"] == "fails"


@pytest.mark.parametrize(("drop", "more"), [(0.0, False), (0.3, True)])
def test_a_report_that_chose_it(drop, more, shell):
    report = shell.folder / "report.json"
    old = shell.write("old.csv", fresh(4))
    report.write_text(json.dumps(shell.answer(old, "--rho", 0.1)), encoding="utf-8")
    log = shell.write("log.csv", fresh(5, drop=drop))
    used = shell.answer(log, "--rho", 0.1, "--since", report)["current"]
    assert used["rule"]["threshold"] == json.loads(report.read_text(encoding="utf-8"))["threshold"]
    assert (used["more_mistakes"] > 0.9) is more
    assert (used["judgement"] == "fails") is more
    text = shell.said("value", log, "--rho", 0.1, "--since", report)
    assert "The report that chose it expected" in text


def test_reports_that_do_not_fit(shell):
    log = shell.write("log.csv", fresh(6, 200))
    report = shell.folder / "report.json"
    other = {**shell.answer(log, "--rho", 0.1), "classes": ["ham", "spam"], "threshold": 0.9}
    report.write_text(json.dumps(other), encoding="utf-8")
    assert "another model" in shell.refusal("value", log, "--rho", 0.1, "--since", report)
    report.write_text("{}", encoding="utf-8")
    assert "no threshold" in shell.refusal("value", log, "--rho", 0.1, "--since", report)
    report.write_text("[1]", encoding="utf-8")
    assert "is not a report" in shell.refusal("value", log, "--rho", 0.1, "--since", report)
    assert "at a price" in shell.refusal("value", log, "--beta", 1, "--threshold", 0.9)


def test_a_report_of_another_model_with_the_same_classes_is_noticed(shell):
    report = shell.folder / "report.json"
    old = shell.write("old.csv", fresh(4))
    report.write_text(json.dumps(shell.answer(old, "--rho", 0.1)), encoding="utf-8")
    other = fresh(5)
    for row in other:  # far less sure of itself
        row["proba_1"] = 0.5 + (row["proba_1"] - 0.5) / 2
        row["proba_0"] = 1 - row["proba_1"]
    log = shell.write("log.csv", other)
    said = " ".join(shell.said("value", log, "--rho", 0.1, "--since", report).split())
    assert "or this log is of another model" in said
    same = shell.write("same.csv", fresh(6))
    said = " ".join(shell.said("value", same, "--rho", 0.1, "--since", report).split())
    assert "another model" not in said
