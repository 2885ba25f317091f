"""``--by COLUMN``: a threshold for each group in terminal, JSON and page."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from scipy import special


@pytest.fixture
def log(shell):
    rng = np.random.default_rng(2)
    rows = []
    for i in range(3000):
        language = ("en", "de", "tr")[i % 3]
        z = rng.normal(2.2, 1.8)
        right = rng.random() < special.expit(z - 2.5 * (language == "tr"))
        label = "" if i % 5 else ("fine" if right else "harmful")
        row = {"id": i, "language": language, "prediction": "fine", "confidence": special.expit(z)}
        rows.append({**row, "label": label})
    return shell.write("log.csv", rows)


def test_groups_reach_terminal_json_and_page(shell, log, tmp_path):
    page = tmp_path / "page.html"
    wish = ("--by", "language", "--rho", 0.2)
    text = shell.said("value", log, *wish)
    assert "Group by group, each with its own threshold" in text
    content = shell.answer(log, *wish, "--html", page)
    own = {each["group"]: each for each in content["recommended"]["own_thresholds"]["groups"]}
    assert own["tr"]["threshold"] > own["en"]["threshold"]
    assert content["threshold"] is not None  # the common answer stays
    assert "A threshold for each group" in page.read_text(encoding="utf-8")


def test_promises_of_groups_are_told_under_one_delta(shell, log):
    wish = ("--by", "language", "--max-error", 0.1, "--guarantee", 0.1, "--look", "once")
    content = shell.answer(log, *wish)
    promises = {each["group"]: each for each in content["recommended"]["group_promises"]}
    assert promises["en"]["coverage"] > promises["tr"]["coverage"]
    assert "in every group that has a threshold here" in " ".join(
        shell.said("value", log, *wish).split()
    )


@pytest.mark.parametrize(("mistake", "check"), [(0, 0), (5, 0), (0, 1)])
def test_prices_of_zero_are_refused(mistake, check, shell, log):
    said = shell.refusal("value", log, "--by", "language", "--mistake", mistake, "--check", check)
    assert f"both above 0; got {mistake} and {check}" in said


def test_a_column_that_the_log_lacks_is_named(shell, log):
    assert "no column 'tongue'" in shell.refusal("value", log, "--by", "tongue")


def test_proposals_go_to_the_groups_of_which_least_is_known(shell, log):
    with open(log, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    bare = [row | {"label": "" if row["language"] == "tr" else row["label"]} for row in rows]
    bare = shell.write("bare.csv", bare)
    counts = {}
    for wish in ((), ("--by", "language")):
        to = shell.folder / f"next{len(wish)}.csv"
        shell.said("value", bare, "--rho", 0.05, *wish, "--propose", 100, "--to", to)
        with to.open(newline="") as file:
            told = [row["language"] for row in csv.DictReader(file)]
        counts[len(wish)] = told.count("tr")
    assert counts[2] > 44 > 40 > counts[0]  # of 100; anywhere would be 38
