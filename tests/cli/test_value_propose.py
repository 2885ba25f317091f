"""Cases to label next: the file that people fill in, and what the log says with it."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from cli.mastheads import masthead

N = 600


@pytest.fixture
def rows():
    rng = np.random.default_rng(3)
    p = rng.beta(0.5, 0.5, N)
    return [
        {"id": f"case {i}", "label": "", "text": f"words {i}", "proba_0": 1 - q, "proba_1": q}
        for i, q in enumerate(p)
    ]


def truth(row):
    """What people say of a case: a draw that its name fixes."""
    seed = int(row["id"].split()[1])
    return int(np.random.default_rng(seed).random() < row["proba_1"])


def proposed(shell, log, n, *flags, name="to_label.csv"):
    path = shell.folder / name
    shell.said("value", log, "--rho", 0.1, "--propose", n, "--to", path, *flags)
    with path.open(encoding="utf-8") as file:
        return path, list(csv.DictReader(file))


def fill(path, cases, rows):
    known = {row["id"]: row for row in rows}
    for case in cases:
        case["label"] = truth(known[case["id"]])
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, cases[0])
        writer.writeheader()
        writer.writerows(cases)


def test_a_log_without_a_label_gets_a_verdict_from_what_people_fill_in(shell, rows):
    log = shell.write("log.csv", rows)
    content = shell.answer(log)
    assert content["threshold"] is None
    assert not content["decided"]
    assert "none of 600 cases has a label" in content["reasons"]["threshold"]
    path, cases = proposed(shell, log, 100)
    assert len(cases) == 100
    assert list(cases[0]) == ["id", "text", "label", "chance", "mark"]  # not the model's answer
    fill(path, cases, rows)
    content = shell.answer(log, "--rho", 0.1, "--labels", path)
    assert content["n_unlabelled"] == 500
    assert 0.5 < content["threshold"] < 1
    assert content["expected"]["cost_per_1000"]["mean"] < 1000
    second, more = proposed(shell, log, 50, "--labels", path, name="second.csv")
    assert not {case["id"] for case in more} & {case["id"] for case in cases}
    fill(second, more, rows)
    content = shell.answer(log, "--rho", 0.1, "--labels", path, "--labels", second)
    assert content["n_unlabelled"] == 450
    text = shell.said("value", log, "--labels", path)
    assert "100 labels are of cases that were chosen by the model's confidence" in text


def test_censored_confidences_are_labelled_first(shell, rows):
    for row in rows:
        if max(row["proba_0"], row["proba_1"]) < 0.8:
            row["label"] = truth(row)
    log = shell.write("log.csv", rows)
    content = shell.answer(log, "--rho", 0.1, "--labels-are-random")
    assert content["threshold"] is None
    before = content["answer_all"]["worst_case"]
    sure = sum(max(row["proba_0"], row["proba_1"]) >= 0.8 for row in rows) / N
    assert before["unknown"] == pytest.approx(sure, abs=0.01)
    wrong = sum((row["proba_1"] >= 0.5) != truth(row) for row in rows) / N
    assert before["low"] <= wrong <= before["high"]
    page = shell.folder / "page.html"
    shell.said("value", log, "--rho", 0.1, "--labels-are-random", "--html", page)
    large = masthead(page)
    assert int(large["wrong, at least"][0]) <= 1000 * wrong <= int(large["wrong, at most"][0])
    assert large["labels in the log"][0] == str(sum(row["label"] not in ("", None) for row in rows))
    path, cases = proposed(shell, log, 100, "--labels-are-random")
    fill(path, cases, rows)
    content = shell.answer(log, "--rho", 0.1, "--labels", path)
    assert content["threshold"] is not None
    answering = content["answer_all"]["mistakes"]
    low, high = answering["interval"]
    assert high - low < 0.3 * (before["high"] - before["low"])
    assert low <= wrong <= high


def test_files_that_do_not_fit(shell, rows):
    log = shell.write("log.csv", rows)
    path, cases = proposed(shell, log, 20)
    message = shell.refusal("value", log, "--propose", 20, "--to", path)
    assert "exists already" in message
    assert "no row of" in shell.refusal("value", log, "--labels", path)
    fill(path, cases, rows)
    other = shell.write("other.csv", [{**row, "id": f"other {row['id']}"} for row in rows])
    assert "made from another log" in shell.refusal("value", other, "--labels", path)
    changed = [{**row, "proba_0": row["proba_1"], "proba_1": row["proba_0"]} for row in rows]
    message = shell.refusal("value", shell.write("changed.csv", changed), "--labels", path)
    assert "has changed" in message
    contradicted = [
        {**row, "label": 1 - truth(row) if row["id"] == cases[0]["id"] else ""} for row in rows
    ]
    message = shell.refusal("value", shell.write("old.csv", contradicted), "--labels", path)
    assert "already" in message
    assert "lacks the column" in shell.refusal("value", log, "--labels", log)
    fill(path, [*cases, cases[0]], rows)
    assert "twice" in shell.refusal("value", log, "--labels", path)
    fill(path, [{**case, "chance": 2} for case in cases], rows)
    assert "was changed" in shell.refusal("value", log, "--labels", path)


def test_nothing_to_propose(shell, rows):
    labelled = [{**row, "label": truth(row)} for row in rows]
    log = shell.write("log.csv", labelled)
    path = shell.folder / "to_label.csv"
    assert "every case has a label" in shell.refusal("value", log, "--propose", 5, "--to", path)
    log = shell.write("log.csv", rows)
    assert "at least 1" in shell.refusal("value", log, "--propose", 0, "--to", path)
    assert "1 to 600" in shell.refusal("value", log, "--propose", 601, "--to", path)


@pytest.mark.parametrize("n", [1, 2])
def test_one_label_or_two_decide_nothing_firm(n, shell, rows):
    for row in rows[:n]:
        row["label"] = truth(row)
    content = shell.answer(shell.write("log.csv", rows), "--rho", 0.05)
    low, high = content["answer_all"]["mistakes"]["interval"]
    assert high - low > 0.1


@pytest.mark.parametrize("right", [True, False])
def test_all_right_or_all_wrong(right, shell, rows):
    for row in rows:
        row["label"] = int((row["proba_1"] >= 0.5) == right)
    content = shell.answer(shell.write("log.csv", rows), "--rho", 0.05)
    if right:
        assert content["expected"]["asked"]["mean"] < 0.1
        assert content["expected"]["cheaper_than_asking"] > 0.9
    else:
        assert content["decided"]
        assert content["threshold"] is None
        text = shell.said("value", shell.write("log.csv", rows), "--rho", 0.05)
        assert "this model is not worth it at this price" in " ".join(text.split())
        assert "Are two classes swapped?" in text


def test_one_confidence_for_all_and_scores_that_are_no_probabilities(shell, rows):
    for row in rows:
        row |= {"label": truth(row), "prediction": 1, "confidence": 0.7}
        del row["proba_0"]
    alike = [{key: row[key] for key in ("label", "prediction", "confidence")} for row in rows]
    content = shell.answer(shell.write("log.csv", alike), "--rho", 0.05)
    assert content["threshold"] in (None, 0.7)
    for row, score in zip(alike, rows, strict=True):
        row["confidence"] = 50 * score["proba_1"] - 20
    content = shell.answer(shell.write("log.csv", alike), "--rho", 0.2)
    assert content["threshold"] is None or content["threshold"] > 1
