"""``--max-mistakes``: a promise about every case, in terminal, JSON and page, and audits that go on."""

from __future__ import annotations

import csv

import numpy as np
import pytest

N = 800
WISH = ("--max-mistakes", 0.06, "--guarantee", 0.1)


@pytest.fixture
def rows():
    rng = np.random.default_rng(9)
    confidence = np.round(rng.random(N), 6)
    wrong = rng.random(N) < 0.3 * (1 - confidence)
    return [
        {
            "id": f"claim {i}",
            "label": "",
            "truth": "b" if wrong[i] else "a",
            "prediction": "a" if i % 2 else "b",
            "confidence": confidence[i],
        }
        for i in range(N)
    ]


def truth(row):
    other = {"a": "b", "b": "a"}
    return row["prediction"] if row["truth"] == "a" else other[row["prediction"]]


def with_labels(rows, n):
    drawn = set(np.random.default_rng(2).choice(N, n, replace=False).tolist())
    return [{**row, "label": truth(row) if i in drawn else ""} for i, row in enumerate(rows)]


def test_the_promise_reaches_terminal_json_and_page(shell, rows, tmp_path):
    log = shell.write("log.csv", with_labels(rows, 200))
    text, page = shell.said("value", log, *WISH), tmp_path / "page.html"
    assert "at most 48 of these 800 cases" in text
    content = shell.answer(log, *WISH, "--html", page)
    rule = content["recommended"]["whole_output"]
    assert rule["threshold"] == content["threshold"]
    assert rule["mistakes_allowed"] == 48
    assert "left to the model" in page.read_text(encoding="utf-8")
    wrong = sum(
        row["truth"] == "b" and label["label"] == "" and row["confidence"] >= rule["threshold"]
        for row, label in zip(rows, with_labels(rows, 200), strict=True)
    )
    assert wrong <= 48
    people = shell.answer(log, *WISH, "--people-right", 0.99)["recommended"]["whole_output"]
    assert people["people"]["mistakes"] > 0
    assert people["left_to_the_model"]["rows"] < rule["left_to_the_model"]["rows"]


@pytest.mark.parametrize(("n", "limit", "within"), [(200, 0.06, True), (700, 0.04, False)])
def test_the_first_sentence_is_about_these_cases_and_new_ones_are_told_apart(
    shell, rows, n, limit, within
):
    log = shell.write("log.csv", with_labels(rows, n))
    wish = ("--max-mistakes", limit, "--guarantee", 0.1)
    text = " ".join(shell.said("value", log, *wish).split())
    most = round(limit * N)
    assert "For these 800 cases, and no others: let the model decide" in text
    assert f"With a probability of 90%, at most {most} of them are then wrong in the end." in text
    first = text.partition("What is promised")[0]
    assert "Decided" not in first
    assert first.index("Nothing is promised of new cases") < first.index("Of the next 1,000 cases")
    page = shell.folder / "page.html"
    shell.run("value", log, *wish, "--html", page)
    masthead = page.read_text(encoding="utf-8").partition('id="section-2"')[0]
    assert "Of these 800 cases" in masthead
    assert "right from now on" in masthead  # the labelled ones: its figures are of these cases
    content = shell.answer(log, *wish)
    assert (content["expected"]["mistakes"]["mean"] <= limit) is within
    assert content["recommended"]["whole_output"]["new_cases_within_limit"] is within
    assert ("Do not use this threshold for new cases: expect" in text) is not within
    if not within:
        new = content["recommended"]["whole_output"]["others"][1]
        assert new["scope"] == "stream"
        assert f"For new cases decide alone from {new['threshold']:g}"[:40] in text


@pytest.mark.parametrize("limit", [0, 0.0005])
def test_a_limit_that_no_threshold_keeps_sends_every_case_to_people(shell, rows, limit):
    log = shell.write("log.csv", with_labels(rows, 200))
    wish = ("--max-mistakes", limit, "--guarantee", 0.1)
    text = " ".join(shell.said("value", log, *wish).split())
    assert "Nothing can be promised of the whole output from 200 labels" in text
    content = shell.answer(log, *wish)
    assert (content["decided"], content["threshold"]) == (False, None)
    promise = content["recommended"]["whole_output"]
    assert promise["left_to_the_model"]["rows"] == 0
    assert "200 labels cannot promise it" in promise["reasons"]["threshold"]


def test_where_every_case_may_be_wrong_the_model_decides_all(shell, rows):
    log = shell.write("log.csv", with_labels(rows, 200))
    wish = ("--max-mistakes", 1, "--guarantee", 0.1)
    assert "let the model decide every case" in " ".join(shell.said("value", log, *wish).split())
    promise = shell.answer(log, *wish)["recommended"]["whole_output"]
    assert promise["left_to_the_model"]["rows"] == N - 200
    assert promise["mistakes_allowed"] == N


def test_a_promise_about_new_cases_alone_is_decided_as_any(shell, rows):
    log = shell.write("log.csv", with_labels(rows, N))
    text = shell.said("value", log, *WISH)
    assert "Decided: let the model decide" in " ".join(text.split())


def test_audits_go_on_from_file_to_file(shell, rows):
    log, files, left = shell.write("log.csv", rows), [], []
    audits = (*WISH, "--audit-share", 0.3)
    known = {row["id"]: row for row in rows}
    for name in ("first.csv", "second.csv"):
        path = shell.folder / name
        labels = [part for file in files for part in ("--labels", file)]
        shell.said("value", log, *audits, *labels, "--propose", 40, "--to", path, "--show", "id")
        with path.open(encoding="utf-8") as file:
            cases = list(csv.DictReader(file))
        for case in cases:
            case["label"] = truth(known[case["id"]])
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, cases[0])
            writer.writeheader()
            writer.writerows(cases)
        files.append(path)
        labels = [part for file in files for part in ("--labels", file)]
        rule = shell.answer(log, *audits, *labels)["recommended"]["whole_output"]
        assert rule["scope"] == "audit"
        left.append(rule["left_to_the_model"]["rows"])
    assert 0 < left[0] < left[1]
    other = shell.refusal("value", log, *WISH, "--audit-share", 0.2, "--labels", files[0])
    assert "was proposed with the chance 0.3, and --audit-share says 0.2" in other


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--max-mistakes", 0.05], "add --guarantee DELTA"),
        (["--max-mistakes", 1.5, "--guarantee", 0.1], "a share from 0 to 1; got 1.5"),
        (["--max-mistakes", 0.05, "--guarantee", 1], "delta must"),
        (["--max-mistakes", 0.05, "--guarantee", 0], "delta must"),
        (["--rho", 0.1, "--audit-share", 0.1], "add --max-mistakes SHARE"),
        ([*WISH, "--audit-share", 0], "audit-share"),
        ([*WISH, "--audit-share", 1.5], "audit-share"),
        ([*WISH, "--people-right", 0], "a share above 0, up to 1; got 0"),
        ([*WISH, "--people-right", 0.9, "--people", "truth"], "--people-right"),
        ([*WISH, "--max-error", 0.05], "give one objective"),
        ([*WISH, "--propose", 10], "add --audit-share 0.1"),
    ],
)
def test_what_cannot_be_promised_is_refused_in_words(shell, rows, flags, words):
    log = shell.write("log.csv", with_labels(rows, 200))
    assert words in shell.refusal("value", log, *flags)
