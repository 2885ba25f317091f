"""`askpoint examine --compare`: two ways of finding mistakes, counted in plain Python."""

from __future__ import annotations

import csv
import json
import random
from bisect import bisect_right
from pathlib import Path

import pytest

N = 1200
WORDS = ["sun", "moon", "river", "stone", "bread", "letter", "garden", "window", "winter", "coat"]


def text_of(rng, kind, i):
    mark = {"hate": "vermin", "benign": "lovely"}[kind]
    return " ".join([mark, *rng.sample(WORDS, 6), f"number{i}"])


@pytest.fixture(scope="module")
def rows():
    rng = random.Random(1)
    found = []
    for i in range(N):
        p = round(rng.random() ** 2, 3)
        truth = "hate" if rng.random() < p else "benign"
        row = {"id": i, "label": truth, "proba_benign": 1 - p, "proba_hate": p}
        found.append(row | {"text": text_of(rng, truth, i)})
    return found


@pytest.fixture(scope="module")
def brought():
    """60 submitted cases; 24 mistakes, of which 4 are copies of one text."""
    rng = random.Random(2)
    cases = []
    for i in range(60):
        wrong = i < 24
        kind = "hate" if i < 40 else "benign"
        text = (
            text_of(rng, kind, 5000 + i) if i >= 4 else "vermin again and again in the same garden"
        )
        cases.append({"severity": 40 * i + 20 if wrong else "", "label": kind, "text": text})
    return cases


@pytest.fixture
def drawn(shell, rows):
    """The log, and a file of 300 cases that were judged."""
    log, out = shell.write("log.csv", rows), shell.folder / "sample.csv"
    shell.said("examine", log, "--out", out, "--n", 300, "--method", "random")
    truth = {str(row["id"]): row["label"] for row in rows}
    with Path(out).open(encoding="utf-8", newline="") as file:
        filled = [row | {"label": truth[row["id"]]} for row in csv.DictReader(file)]
    return log, shell.write("judged.csv", filled), [int(row["id"]) for row in filled]


def severity(row):
    return 1000 * (1 - 2 * min(row["proba_hate"], row["proba_benign"]))


def shares(values):
    counts = [0, 0, 0, 0]
    for value in values:
        counts[bisect_right([250, 500, 750], value)] += 1
    return [n / len(values) for n in counts]


def test_both_are_counted(shell, drawn, rows, brought, reader):
    log, judged, ids = drawn
    other = shell.write("players.jsonl", "\n".join(json.dumps(c | {"severity": c["severity"] or None}) for c in brought))  # fmt: skip
    words = ("--compare", other, "--case-costs", "0.5,2", "--unit", "EUR", "--text", "text")
    words += ("--sought", "hate")
    found = json.loads(shell.said("examine", log, "--judged", judged, *words, "--json"))
    compared = found["comparison"]
    one, two = compared["methods"]
    mistakes = [
        severity(rows[i])
        for i in ids
        if (rows[i]["proba_hate"] > 0.5) != (rows[i]["label"] == "hate")
    ]
    assert (one["n_judged"], one["n_errors"]) == (300, len(mistakes))
    assert one["shares"] == pytest.approx(shares(mistakes))
    assert one["cost_per_error"] == pytest.approx(150 / len(mistakes))
    assert (two["n_judged"], two["n_errors"], two["n_distinct"]) == (60, 24, 21)
    assert two["cost_per_error"] == pytest.approx(120 / 21)
    assert two["rate"] == 24 / 60
    weighed = [20 + 40 * i for i in range(24)]
    four = [sum(1 if i > 3 else 0.25 for i, v in enumerate(weighed) if bisect_right([250, 500, 750], v) == b) / 21 for b in range(4)]  # fmt: skip
    assert two["shares"] == pytest.approx(four)
    assert (one["judged"], two["judged"]) == ("cases inspected", "cases submitted")
    assert [(c["train"], c["test"]) for c in compared["curves"]] == [
        ("examination", "examination"),
        ("Beat the Machine", "Beat the Machine"),
        ("examination", "Beat the Machine"),
        ("Beat the Machine", "examination"),
    ]
    assert compared["curves"][2]["points"][-1]["auc"] > 0.9  # one word tells
    page = shell.folder / "page.html"
    text = shell.said("examine", log, "--judged", judged, *words, "--html", page)
    text = " ".join(text.split())
    for said in ("different denominators", "Near-duplicates count once", "cases submitted"):
        assert said in text
    assert page.read_text(encoding="utf-8").count("<figure>") == 4
    assert reader.problems(page) == []


def test_probabilities_and_labels_will_do(shell, drawn, rows):
    log, judged, ids = drawn
    other = shell.write("other.csv", [rows[i] for i in ids])
    found = json.loads(shell.said("examine", log, "--judged", judged, "--compare", other, "--json"))
    one, two = found["comparison"]["methods"]
    assert one["shares"] == two["shares"]
    assert found["comparison"]["difference"] == 0
    assert found["comparison"]["curves"] is None
    assert found["comparison"]["reasons"]["curves"] == "no sought class was named"
    assert one["cost_per_error"] is None
    assert one["reasons"]["cost_per_error"]


def test_what_cannot_be_estimated_is_said(shell, drawn, brought):
    log, judged, _ = drawn
    right = [case | {"severity": ""} for case in brought[:5]]
    other = shell.write("other.csv", right)
    words = ("--compare", other, "--text", "text", "--sought", "hate")
    found = json.loads(shell.said("examine", log, "--judged", judged, *words, "--json"))
    compared = found["comparison"]
    assert compared["methods"][1]["shares"] is None
    assert "found no mistake among 5" in compared["methods"][1]["reasons"]["shares"]
    assert compared["difference"] is None
    assert "found no mistake" in compared["reasons"]["difference"]
    points = [point for curve in compared["curves"][1:] for point in curve["points"]]
    assert all(point["auc"] is None and point["reasons"]["auc"] for point in points)
    text = " ".join(shell.said("examine", log, "--judged", judged, *words).split())
    assert "Not estimable: Beat the Machine found no mistake" in text
    assert "collect at least 10 of each" in text
    assert "nan" not in text.lower()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("--sought", "hate"), "no column of texts"),
        (("--sought", "hate", "--text", "text"), "Beat the Machine has no labels"),
    ],
)
def test_what_learning_curves_take(shell, drawn, brought, change, reason):
    log, judged, _ = drawn
    other = shell.write("o.csv", [{k: c[k] for k in ("severity", "text")} for c in brought])
    found = json.loads(
        shell.said("examine", log, "--judged", judged, "--compare", other, *change, "--json")
    )
    assert reason in found["comparison"]["reasons"]["curves"]


def test_cases_without_a_label_are_not_learned_from(shell, drawn, brought):
    log, judged, _ = drawn
    other = shell.write("o.csv", [c | {"label": ""} for c in brought])
    words = ("--compare", other, "--sought", "hate", "--text", "text", "--json")
    found = json.loads(shell.said("examine", log, "--judged", judged, *words))
    reasons = [p["reasons"]["auc"] for c in found["comparison"]["curves"][1:] for p in c["points"]]
    assert all("Beat the Machine has 0 distinct cases" in reason for reason in reasons)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--names", "one"), "--names takes two"),
        (("--names", "one,one"), "--names takes two"),
        (("--case-costs", "1"), "--case-costs takes two numbers"),
        (("--case-costs=-1,1",), "less than nothing"),
        (("--text", "txt"), "no column 'txt'"),
    ],
)
def test_options_that_cannot_be_used(shell, drawn, brought, words, message):
    log, judged, _ = drawn
    other = shell.write("o.csv", brought)
    assert message in shell.refusal("examine", log, "--judged", judged, "--compare", other, *words)


def test_files_that_cannot_be_used(shell, drawn, brought, rows):
    log, judged, _ = drawn
    assert "Add --judged" in shell.refusal("examine", log, "--compare", judged)
    bad = shell.write("bad.csv", [brought[0] | {"severity": 1001}])
    words = ("examine", log, "--judged", judged, "--compare")
    assert "between 0 and 1000" in shell.refusal(*words, bad)
    bare = [{k: v for k, v in row.items() if k != "label"} for row in rows[:9]]
    assert "needs a column severity" in shell.refusal(*words, shell.write("bare.csv", bare))
    lost = shell.write("lost.csv", [{"severity": 1, "case": "a"}])
    assert "no column 'case'" in shell.refusal(*words, lost, "--text", "case")


def exported(rows, ids):
    """A campaign's export: one case tried only, one not judged, and the judged ones."""
    cases = [
        {
            "case_id": f"c{number}",
            "case": rows[i]["text"],
            "state": "judged",
            "probabilities": {item: rows[i][f"proba_{item}"] for item in ("benign", "hate")},
            "decision": "hate" if rows[i]["proba_hate"] > 0.5 else "benign",
            "truth": rows[i]["label"],
        }
        for number, i in enumerate(ids)
    ]
    cases[0] |= {"state": "tried", "truth": None}
    cases[1] |= {"state": "submitted", "truth": None}
    return cases


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_what_a_server_exports_is_read_as_it_is(shell, drawn, rows, kind):
    log, judged, ids = drawn
    cases = exported(rows, ids)
    if kind == "csv":
        told = [item | {"probabilities": json.dumps(item["probabilities"])} for item in cases]
        other = shell.write("export.csv", told)
    else:
        lines = [{"kind": "campaign", "terms": {"sought": None}}]
        lines += [{"kind": "case", **item} for item in cases]
        lines += [{"kind": "drawn", **cases[2], "case_id": "d"}]  # not a player's
        lines += [{"kind": "transaction", "key": "k", "entries": [["budget:x", -5]]}]
        other = shell.write("export.jsonl", "\n".join(map(json.dumps, lines)))
    words = ("--compare", other, "--json")
    found = json.loads(shell.said("examine", log, "--judged", judged, *words))
    two = found["comparison"]["methods"][1]
    mistakes = [
        severity(rows[i])
        for i in ids[2:]
        if (rows[i]["proba_hate"] > 0.5) != (rows[i]["label"] == "hate")
    ]
    assert (two["n_judged"], two["n_errors"]) == (298, len(mistakes))
    assert two["shares"] == pytest.approx(shares(mistakes))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"probabilities": "[0.5, 0.5]"}, "must be one for each of the log's classes"),
        ({"probabilities": '{"benign": 1}'}, "must be one for each of the log's classes"),
        ({"probabilities": '{"benign": 1, "hate": "x"}'}, "must be one for each of the log's"),
        ({"probabilities": "{"}, "must be one for each of the log's classes"),
        ({"truth": "odd"}, "odd"),
        ({"truth": ""}, "has no judged case yet"),
    ],
)
def test_an_export_that_cannot_be_used(shell, drawn, rows, change, message):
    log, judged, ids = drawn
    case = exported(rows, ids)[2] | {"probabilities": '{"benign": 0.5, "hate": 0.5}'} | change
    other = shell.write("export.csv", [case])
    said = shell.refusal("examine", log, "--judged", judged, "--compare", other)
    assert message in said
    assert "odd" in said or "export.csv" in said
