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
    check_prices([g for g in grids if g.columns[0] == "checks per mistake"], rows)
    page = report._repr_html_().replace("&amp;", "&")
    for grid in grids[:1]:
        for cell in (cell for row in grid.rows for cell in row[1:]):
            assert cell.replace("\N{NO-BREAK SPACE}", " ") in page.replace(
                "\N{NO-BREAK SPACE}", " "
            ).replace("&nbsp;", " ")


def check_policies(grid, rows, printed, checks, unit):
    at = {"this threshold": printed, "send every case to review": None}
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


_ON_REAL = [*ASKED, {"rho": 0.1, "threshold": 0.8}]


# each question on two logs at least, and each log with two; a long run asks every one of all
@pytest.mark.parametrize(
    ("name", "options"),
    [
        pytest.param(
            name,
            options,
            id=f"{name}-{question}",
            marks=() if (question - 2 * place) % len(_ON_REAL) < 2 else pytest.mark.soak,
        )
        for place, name in enumerate(REAL)
        for question, options in enumerate(_ON_REAL)
    ],
)
def test_real_logs(name, options, data):
    check_report(askpoint.evaluate(data / "files2" / name, **options))


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


def labelled_rows(report, printed):
    """Return which labelled rows are decided alone at a threshold, what is answered there, and what is right."""
    log = report.log
    alone = log.scores("max_probability").astype(float) >= (
        math.inf if printed is None else printed
    )
    return alone[log.labelled], alone, log


def check_groups(report, regions, options):
    content = report.to_dict()["recommended"]
    printed = content["rule"]["threshold"]
    _, alone, log = labelled_rows(report, printed)
    wrong = np.zeros(len(alone))
    wrong[log.labelled] = ~log.right
    for line in content["groups"]:
        own = regions == line["group"]
        assert line["n_items"] == own.sum()
        assert line["n_unlabelled"] == (own & ~log.labelled).sum()
        assert line["coverage"] == pytest.approx(alone[own].mean(), abs=1e-9)
        judged = own & alone & log.labelled
        assert line["cross_fitted"] == ("check_price" not in options)
        if line["cross_fitted"]:  # each case at a threshold that was chosen without it
            low, high = line["interval"]
            assert low <= line["risk"] <= high
            continue
        assert line["risk"] == pytest.approx(wrong[judged].mean(), abs=1e-9)
    own_thresholds = content["own_thresholds"] or {"groups": []}
    for line in own_thresholds["groups"]:
        own = regions == line["group"]
        asked = report.log.scores("max_probability")[own] < line["threshold"]
        assert line["asked"] == pytest.approx(asked.mean(), abs=1e-9)
        assert line["n_items"] == own.sum()
        assert line["n_labelled"] == (own & log.labelled).sum()
        low, high = line["mistakes"]["interval"]
        assert low <= line["mistakes"]["share"] <= high


PEOPLE = {"check_price": 0.02, "people_right": 0.93}


@pytest.mark.parametrize("options", [ASKED[1], PEOPLE])
def test_groups_stand_at_the_printed_thresholds(options, shell):
    rows = make_log(400, seed=4, labelled=0.6, groups=("north", "south"))
    log = shell.write("log.csv", rows)
    report = askpoint.evaluate(log, labels_are_random=True, by="region", **options)
    check_groups(report, np.array([row["region"] for row in rows]), options)


def test_people_who_err_are_charged_once_at_the_printed_threshold(shell):
    log = shell.write("log.csv", make_log(300, seed=4, labelled=0.6))
    report = askpoint.evaluate(log, labels_are_random=True, **PEOPLE)
    content, rows = report.to_dict(), Rows(report)
    of_one = (PEOPLE["check_price"] + 1 - PEOPLE["people_right"]) / PEOPLE["check_price"]
    rules = {"recommended": content["threshold"], "ask_all": None, "answer_all": -math.inf}
    for name, threshold in rules.items():
        asked, mistakes = rows.figures(threshold)
        part = content[name]
        assert part["asked"]["share"] == pytest.approx(asked, abs=1e-9)
        assert part["mistakes"]["share"] == pytest.approx(mistakes, abs=1e-9)
        cost = 1000 * (asked * of_one + mistakes / PEOPLE["check_price"])
        assert part["cost"]["per_1000"] == pytest.approx(cost, rel=1e-9)
        assert part["cost"]["saved_per_1000"] == pytest.approx(1000 * of_one - cost, abs=1e-6)


def test_accounts_count_the_labels_at_the_printed_threshold(shell):
    log = shell.write("log.csv", make_log(300, seed=4, labelled=0.6))
    report = askpoint.evaluate(log, labels_are_random=True, **PEOPLE)
    content = report.to_dict()["recommended"]
    assert not content["accounts"][
        "cross_fitted"
    ]  # else each case is judged by a threshold of its own
    alone, _, records = labelled_rows(report, content["rule"]["threshold"])
    right, names = records.right, np.array(records.classes)
    truth, answers = names[records.label], names[records.prediction[records.labelled]]
    for line in content["accounts"]["shares"]:
        if line["what"] == "recall":  # a case sent to review is not lost
            own = truth == line["class"]
            lost = (own & alone & ~right).sum()
            assert line["n_labels"] == own.sum()
            share = 1 - lost / own.sum()
        else:
            own = alone & ((answers == line["class"]) | (line["class"] is None))
            assert line["n_labels"] == own.sum()
            share = (own & (right if line["what"] == "precision" else ~right)).sum() / own.sum()
        assert line["estimate"] == pytest.approx(share, abs=1e-9)
        low, high = line["interval"]
        assert low <= line["estimate"] <= high


def test_a_policy_prints_the_share_of_the_log_that_it_decides_at_its_own_threshold(shell):
    log = shell.write("log.csv", make_log(2000, seed=6))
    words = (
        "deploy",
        log,
        "--mistake",
        "40",
        "--check",
        "2.50",
        "--out",
        shell.folder / "a/policy.json",
    )
    opened = shell.json(*words)
    answer = askpoint.evaluate(log, mistake=40, check=2.5)
    policy = answer.policy(secret=b"sixteen or more!")
    assert policy.state.threshold == opened["threshold"]
    confidence = answer.log.scores("max_probability").astype(float)
    assert opened["coverage"] == pytest.approx((confidence >= opened["threshold"]).mean(), abs=1e-9)
    assert opened["in_money"] == {"mistake": 40.0, "check": 2.5}
