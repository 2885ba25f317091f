"""One number, one rule: asked, mistakes and cost of every rule, again from rows and draws at the printed threshold."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import askpoint
from askpoint.reports.document import Grid
from cli.logs import make_log

ASKED = [{"rho": 0.1}, {"mistake": 40, "check": 2.5}, {"max_error": 0.2}, {"ask_at_most": 0.3}]
REAL = [
    "automl/azure_scored.csv",
    "monitoring/nannyml_synthetic_sample_reference.csv",
    "notebooks/xgb_predict_proba.csv",
    "tables/app_export_is_correct.csv",
    "tables/llm_label_human_label_sparse.csv",
    "tables/loan_features_like_scores.csv",
]


class Rows:
    """What a threshold does to the rows of a log, by the draws of how often each is right."""

    def __init__(self, report):
        found = report.answer.tomorrow.found
        self.confidence = report.log.scores("max_probability").astype(float)
        group = np.searchsorted(found.thresholds[:-1], self.confidence, side="right") - 1
        self.wrong = 1 - found.right_draws.mean(axis=0)[group]

    def figures(self, threshold):
        alone = self.confidence >= (math.inf if threshold is None else threshold)
        return 1 - alone.mean(), (alone * self.wrong).mean()


def check_rule(part, rows, threshold, checks):
    asked, mistakes = rows.figures(threshold)
    assert part["asked"]["share"] == pytest.approx(asked, abs=1e-9)
    assert part["mistakes"]["share"] == pytest.approx(mistakes, abs=1e-9)
    for name in ("asked", "mistakes"):
        low, high = part[name]["interval"]
        assert low <= high
    if part["cost"] is not None:
        cost = 1000 * (asked + checks * mistakes)
        assert part["cost"]["per_1000"] == pytest.approx(cost, rel=1e-9)
        assert part["cost"]["saved_per_1000"] == pytest.approx(1000 - cost, abs=1e-6)


def check_cell(cell, share):
    """A printed number of 1,000 cases: whole from 10 on, to a tenth below."""
    shown = float(cell.split("\N{NO-BREAK SPACE}")[0].split(" ")[0].replace(",", ""))
    assert shown == pytest.approx(1000 * share, abs=0.5 if shown >= 10 else 0.0501)


def check_report(report):
    content, rows = report.to_dict(), Rows(report)
    json.dumps(content, allow_nan=False)
    checks = report.answer.tomorrow.best.checks
    printed = content["recommended"]["rule"]["threshold"]
    assert printed == content["threshold"] == report.rule.threshold
    check_rule(content["recommended"], rows, printed, checks)
    check_rule(content["ask_all"], rows, None, checks)
    check_rule(content["answer_all"], rows, -math.inf, checks)
    if content["current"] is not None:
        check_rule(content["current"], rows, content["current"]["rule"]["threshold"], checks)
    for other in content["recommended"]["at_other_prices"]:
        check_rule(other, rows, other["rule"]["threshold"], other["checks_per_mistake"])
    grids = [b for s in report.document.sections for b in s.blocks if isinstance(b, Grid)]
    table = next(g for g in grids if g.columns[0] == "policy")
    in_money = report.answer.question.check_in_money
    assert len(table.columns) < 4 or ("checks" in table.columns[3]) == (in_money is None)
    check_policies(table, rows, printed, checks, in_money or 1)
    check_prices([g for g in grids if g.columns[0] == "checks worth one mistake"], rows)
    page = report._repr_html_().replace("&amp;", "&")
    for grid in grids[:1]:
        for cell in (cell for row in grid.rows for cell in row[1:]):
            assert cell.replace("\N{NO-BREAK SPACE}", " ") in page.replace(
                "\N{NO-BREAK SPACE}", " "
            ).replace("&nbsp;", " ")


def check_policies(grid, rows, printed, checks, unit):
    at = {"this threshold": printed, "ask people about every case": None}
    at["let the model decide every case"] = -math.inf
    for title, *cells in grid.rows:
        asked, mistakes = rows.figures(at[title])
        check_cell(cells[0], asked)
        check_cell(cells[1], mistakes)
        if len(cells) > 2:
            shown = float(cells[2].split(" ")[0].split("\N{NO-BREAK SPACE}")[0].replace(",", ""))
            assert shown == pytest.approx(1000 * unit * (asked + checks * mistakes), abs=0.5)


def check_prices(grids, rows):
    for grid in grids:
        for _, threshold, *cells in grid.rows:
            asked, mistakes = rows.figures(None if threshold == "never" else float(threshold))
            check_cell(cells[0], asked)
            check_cell(cells[1], mistakes)


@pytest.mark.parametrize("options", ASKED)
@pytest.mark.parametrize("labelled", [pytest.param(1.0, marks=pytest.mark.whole), 0.5])
def test_made_logs(options, labelled, shell):
    log = shell.write("log.csv", make_log(300, seed=4, labelled=labelled))
    check_report(askpoint.evaluate(log, labels_are_random=True, **options))
    if "ask_at_most" not in options:
        check_report(askpoint.evaluate(log, labels_are_random=True, threshold=0.81, **options))


@pytest.mark.parametrize("name", REAL)
def test_real_logs(name, data):
    for options in ASKED:
        check_report(askpoint.evaluate(data / "files2" / name, **options))
    check_report(askpoint.evaluate(data / "files2" / name, rho=0.1, threshold=0.8))


@pytest.mark.parametrize("options", [ASKED[0], {"max_error": 0.35}])
def test_a_policy_acts_at_the_threshold_that_its_document_prints(options, shell):
    log = shell.write("log.csv", make_log(2000, seed=6))
    secret = b"sixteen or more!"
    answer = askpoint.evaluate(log, **options)
    policy = answer.policy(secret=secret)
    place = answer.deploy(shell.folder / "posts")
    printed = json.loads(place.read_text(encoding="utf-8"))["state"]["threshold"]
    assert printed == policy.state.threshold
    assert printed is not None
    near = [float(np.nextafter(printed, 0)), printed]
    from askpoint.records.stores.deployment import Deployment

    made = Deployment(":memory:", policy, secret=secret).decide(["below", "at"], confidence=near)
    assert made.answer.tolist() == [False, True]
