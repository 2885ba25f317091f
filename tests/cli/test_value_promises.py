"""``askpoint value`` with promises, people who err and several models."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest


@pytest.fixture
def log(tmp_path):
    rng = np.random.default_rng(1)
    p = rng.beta(0.5, 0.5, 1000)
    right = rng.random(1000) < p
    rest = {"id": range(1000), "label": right.astype(int)}
    file = tmp_path / "log.csv"
    pl.DataFrame({**rest, "proba": p}).write_csv(file)
    return file


def test_a_guarantee_reaches_terminal_json_and_page(log, shell, tmp_path):
    page = tmp_path / "page.html"
    wish = ("--max-error", "0.1", "--guarantee", "0.05")
    words = shell.said("value", log, *wish, "--html", page)
    assert "What is promised of new cases" in words
    assert "What is promised of new cases" in page.read_text()
    content = shell.answer(log, *wish)
    assert content["recommended"]["guarantee"]["delta"] == 0.05
    assert content["recommended"]["guarantee"]["threshold"] == content["threshold"]
    assert content["recommended"]["objective"] == {
        "name": "MaxError",
        "risk": 0.1,
        "delta": 0.05,
        "assumed": False,
    }


def test_a_guarantee_that_cannot_be_given_says_why_in_one_line(log, shell):
    assert "add --max-error" in shell.refusal("value", log, "--guarantee", "0.05")
    assert "delta must be strictly between 0 and 1" in shell.refusal(
        "value", log, "--max-error", "0.1", "--guarantee", "1"
    )
    few = shell.said("value", log, "--max-error", "0.001", "--guarantee", "0.05")
    assert "Nothing can be promised yet" in few
    words = " ".join(few.split())
    assert "takes 2995 labelled cases even if all are right; there are 1000" not in words
    assert "The best that these labels promise, looked at once, is at most" in words
    assert "add --guarantee" in shell.refusal("value", log, "--look", "once")


def test_people_who_err_reach_terminal_json_and_page(log, shell, tmp_path):
    page = tmp_path / "page.html"
    wish = ("--people", "label", "--check-price", "0.05")
    words = shell.said("value", log, *wish, "--html", page)
    assert "How right people are" in words
    assert "How right people are" in page.read_text()
    assert shell.answer(log, *wish)["recommended"]["people"]["measured"] is True
    stated = shell.answer(log, "--people-right", "0.9", "--check-price", "0.05")
    assert stated["recommended"]["people"]["bins"][0]["right"] == 0.9


@pytest.mark.parametrize(
    "wish",
    [
        ("--people", "label"),
        ("--people-right", "0.9"),
        ("--people-right", "0.9", "--rho", "0.1"),
        ("--people-right", "0.9", "--people", "label", "--check-price", "0.1"),
    ],
)
def test_how_right_people_are_needs_one_source_and_a_price(log, wish, shell):
    assert "with --check-price" in shell.refusal("value", log, *wish)


def test_a_check_price_needs_people(log, shell):
    assert "--people COLUMN" in shell.refusal("value", log, "--check-price", "0.1")
    assert "give one objective" in shell.refusal(
        "value", log, "--check-price", "0.1", "--people-right", "1", "--rho", "0.1"
    )
    assert "did you mean 'label'" in shell.refusal(
        "value", log, "--check-price", "0.1", "--people", "labels"
    )


def test_several_models_are_compared_in_terminal_json_and_page(log, shell, tmp_path):
    page, both = tmp_path / "page.html", tmp_path / "both.csv"
    good = pl.read_csv(log)
    worse = good.with_columns(proba=0.5 + 0.2 * (pl.col("proba") - 0.5), model=pl.lit("flat"))
    noisy = worse.with_columns(proba=(pl.col("proba") * 7919) % 1, model=pl.lit("noisy"))
    pl.concat([good.with_columns(model=pl.lit("good")), worse, noisy]).write_csv(both)
    words = shell.said("value", both, "--model", "model", "--rho", "0.1", "--html", page)
    assert "The best model at every price" in words
    assert "The best model at every price" in page.read_text()
    content = shell.answer(both, "--model", "model", "--rho", "0.1")
    differences = {d["model"]: d for d in content["comparison"]["differences"]}
    (same,) = differences.keys() - {"noisy"}
    low, high = differences[same]["interval"]
    assert -0.05 < low <= 0 <= high < 0.05  # a monotone map hardly changes anything
    assert content["comparison"]["shown_best"] is None
    assert differences["noisy"]["interval"][0] > 0


def test_a_days_capacity_and_clusters_reach_the_command(log, shell, tmp_path):
    file = tmp_path / "days.csv"
    rows = pl.read_csv(log)
    days = [f"2026-02-{1 + i % 20:02d}" for i in range(1000)]
    rows.with_columns(at=pl.Series(days), user=pl.Series([i // 4 for i in range(1000)])).write_csv(
        file
    )
    wish = ("--ask-at-most", "20/day")
    content = shell.answer(file, *wish, "--time", "at")
    assert content["recommended"]["days"]["chance_above"] <= 0.05
    assert content["recommended"]["days"]["n_days"] == 20
    assert "add --volume N/PERIOD, or --time" in shell.refusal("value", file, *wish)
    assert "add --ask-at-most N/day" in shell.refusal("value", file, "--rho", "0.1", "--time", "at")
    for other in ("20", "20/week"):
        assert "N/day" in shell.refusal("value", file, "--ask-at-most", other, "--time", "at")
    assert "must hold dates or times" in shell.refusal("value", file, *wish, "--time", "proba")
    alone, grouped = (
        shell.answer(file, *more)["expected"]["mistakes"] for more in ((), ("--cluster", "at"))
    )
    assert grouped["high"] - grouped["low"] > alone["high"] - alone["low"]
    assert "did you mean 'user'" in shell.refusal("value", file, "--cluster", "usr")


def test_a_promise_of_a_recall(shell):
    rng = np.random.default_rng(4)
    p = rng.beta(0.5, 0.8, 1500)
    rows = [
        {"label": "" if i >= 400 else "yes" if rng.random() < x else "no", "proba_no": 1 - x, "proba_yes": x}
        for i, x in enumerate(p.tolist())
    ]  # fmt: skip
    log = shell.write("recall.csv", rows)
    wish = ("--min-recall", "yes=0.8", "--guarantee", 0.1)
    found = shell.answer(log, *wish)["recommended"]
    assert found["recall_promise"]["threshold"] == found["rule"]["threshold"]
    assert found["recall_promise"]["lost"] <= found["recall_promise"]["acceptance_number"]
    assert "What is promised of the recall" in shell.said("value", log, *wish)
    assert "looked at once" in shell.refusal("value", log, *wish, "--look", "again")
