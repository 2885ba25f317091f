"""``--document COLUMN``: documents of several fields in terminal, JSON and page, and as a policy that releases them."""

from __future__ import annotations

import json
import re

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from scipy import special

from askpoint.cli.main import main
from askpoint.errors import InputError
from askpoint.live.documents import PolicyDocument
from askpoint.records.stores.deployment import Deployment

FIELDS = ("name", "total", "iban", "signature")
WISH = ("--document", "document", "--by", "kind", "--rho", 0.1)


def make_rows(n, labelled, seed=1, fields=FIELDS):
    rng = np.random.default_rng(seed)
    rows = []
    for d in range(n):
        photo = rng.random() < 0.25
        for field in fields:
            z = rng.normal(5.5, 1.5) - 2 * photo
            right = rng.random() < special.expit(z - 0.8 * photo - 1.5 * (field == "signature"))
            rows.append(
                {
                    "document": f"{seed}-{d}",
                    "kind": f"{field}, {'photo' if photo else 'scan'}",
                    "prediction": "as read",
                    "confidence": special.expit(z),
                    "truth": "as read" if right else "else",
                    "label": ("as read" if right else "else") if d < labelled else "",
                }
            )
    return rows


@pytest.fixture(scope="module")
def rows():
    return make_rows(900, 220)


@pytest.fixture
def log(shell, rows):
    return shell.write("log.csv", rows)


def true_costs(rows, released, checks=10.0):
    """Mean cost of a document: its wrong fields if it is released, a check if people open it."""
    wrong = {}
    for row in rows:
        wrong[row["document"]] = wrong.get(row["document"], 0) + (row["truth"] != "as read")
    return float(np.mean([checks * n if key in released else 1 for key, n in wrong.items()]))


def test_documents_reach_terminal_json_and_page(shell, log, tmp_path):
    page = tmp_path / "page.html"
    text = " ".join(shell.said("value", log, *WISH, "--html", page).split())
    assert "of the documents unseen, and send" in text
    assert "A threshold for each field is not offered" in text
    found = shell.answer(log, *WISH)
    told = found["recommended"]
    assert told["rule"] == "sum"
    assert told["most_expected_wrong"] == pytest.approx(0.1)
    assert told["cost_per_1000"]["checks"] < found["by_fields"]["cost_per_1000"]["checks"]
    assert told["cost_per_1000"]["checks"] < found["ask_all"]["cost_per_1000"]["checks"] == 1000
    kinds = {each["kind"]: each for each in found["kinds"]}
    assert kinds["signature, photo"]["expected_wrong"] > kinds["name, scan"]["expected_wrong"]
    written = page.read_text(encoding="utf-8")
    assert "Kinds of fields" in written
    assert "Not decided yet" in text
    assert text.startswith(title := "Not yet: label all fields of more documents, drawn at random.")
    assert f"<h1>{title}</h1>" in written
    surer = ("--document", "document", "--by", "kind", "--rho", 0.5)
    decided = " ".join(shell.said("value", log, *surer).split())
    assert "Decided: this costs less" in decided
    assert re.match(r"Release \d+% of the documents unseen\.", decided)


def test_a_price_of_fields_says_which_to_look_at(shell, log):
    checks = shell.answer(log, *WISH, "--field-check", 0.25)
    money = shell.answer(
        log, "--document", "document", "--by", "kind", "--mistake", 20, "--check", 2, "--field-check", 0.5
    )  # fmt: skip
    assert money["recommended"] == checks["recommended"]
    assert checks["recommended"]["most_expected_wrong"] is None
    looked = {each["kind"]: each["looked_at"] for each in checks["kinds"]}
    assert looked["signature, photo"] > looked["name, scan"]
    assert checks["ask_all"]["cost_per_1000"]["checks"] == pytest.approx(2000)
    assert "people look at" in shell.said("value", log, *WISH, "--field-check", 0.25)
    refused = shell.refusal(
        "value", log, *WISH, "--field-check", 0.25, "--policy", shell.folder / "d"
    )
    assert "a policy decides whole documents" in refused


def test_a_week_of_a_policy_of_documents(shell, log):
    where = shell.folder / "desk"
    said = shell.run("value", log, *WISH, "--policy", where / "policy.json")
    assert said.exit_code == 0, said.output
    assert "of such documents alone" in said.stderr
    document = PolicyDocument.from_json((where / "policy.json").read_text())
    assert json.loads(document.to_json())["format"] == 2
    week = make_rows(1500, 0, seed=2)
    hidden = [{k: v for k, v in row.items() if k not in ("truth", "label")} for row in week]
    batch = shell.write("monday.csv", hidden)
    out = shell.folder / "out.csv"
    decided = shell.said("decide", where, batch, "--content", "kind", "--out", out)
    assert "1,500 documents: " in decided
    assert " to review, " in decided
    made = pl.read_csv(out)
    released = set(made.filter(action="answer")["key"])
    assert len(made) == 1500
    assert true_costs(week, released) < 0.9  # of a check, which is what asking about all costs
    assert set(made["group"]) == {"4 fields"}
    assert json.loads(made["content"][0])[0].startswith("name")
    # the same documents from Python, a key decides once
    first = {row["kind"]: row["confidence"] for row in week[:4]}
    with Deployment(where) as service:
        again = service.decide("2-0", fields=first, content=made["content"][0])
        assert again.seq == 0
        more = service.decide(["x", "y"], fields=[first, [("name, scan", 0.2), ("new kind", 0.9)]])
        assert more.action.tolist()[1] == "ask"
        assert service.verify().difference is None
        limit = -np.log(service.policy.state.threshold)
    wrong = {row["document"] for row in week if row["truth"] != "as read"}
    wanted = shell.folder / "next.csv"
    watched = shell.run("watch", where, "--to-label", wanted)
    assert (
        f"with right if every field of the document is, else wrong, then run askpoint label {where}"
        in (" ".join(watched.stderr.split()))
    )
    assert f"unseen where at most {limit:.3g} of its fields" in " ".join(watched.stdout.split())
    told = [
        row | {"label": "wrong" if row["key"] in wrong else "right", "judge": "Bob"}
        for row in pl.read_csv(wanted).to_dicts()
        if row["key"] not in ("x", "y")
    ]
    assert shell.run("label", where, shell.write("said.csv", told)).exit_code == 0
    shown = json.loads(shell.run("watch", where, "--json").output)
    assert shown["decided"] == 1502


def test_what_documents_do_not_take(shell, log, rows):
    bare = [row | {"document": "" if i == 5 else row["document"]} for i, row in enumerate(rows)]
    bare = shell.write("bare.csv", bare)
    assert "names no document in row 6" in shell.refusal("value", bare, *WISH)
    assert "no column 'paper'" in shell.refusal("value", log, "--document", "paper", "--rho", 0.1)
    assert "does not go with --document" in shell.refusal("value", log, *WISH, "--beta", 1)
    told = shell.run(
        "value", log, "--document", "document", "--mistake", 20, "--check", 2, "--currency", "EUR"
    ).stdout
    assert "To open a document costs 2 EUR; a wrong field" in " ".join(told.split())
    for wish, says in (
        (("--field-check", 1), "add --document to --field-check"),
        (("--policy", "x"), "add --rung or --document to --policy"),
    ):
        assert says in shell.refusal("value", log, "--rho", 0.1, *wish)
    assert "must be 0 or more" in shell.refusal("value", log, *WISH, "--field-check", -1)
    free = ("--document", "document", "--mistake", 5, "--check", 0)
    assert "both above 0" in shell.refusal("value", log, *free)
    few = shell.write("few.csv", make_rows(300, 2))
    refused = shell.refusal("value", few, *WISH, "--classes", "as read,else")
    assert "10 labels of fields or more; the log has 8" in refused
    some = shell.write("some.csv", make_rows(300, 30))
    refused = shell.refusal("value", some, *WISH, "--policy", shell.folder / "desk")
    assert "30 documents have a label on every field" in refused
    unsure = [row | {"label": row["truth"] if row["confidence"] < 0.95 else ""} for row in rows]
    refused = shell.refusal("value", shell.write("unsure.csv", unsure), *WISH)
    assert "labels depend on confidence" in refused


def test_nothing_is_released_where_all_is_doubtful_and_kinds_without_labels_are_named(shell, rows):
    doubtful = [row | {"confidence": 0.5, "label": row["label"] and "else"} for row in rows]
    text = shell.said("value", shell.write("doubtful.csv", doubtful), *WISH)
    assert "Send every document to review.\n\nRecommendation" in text
    bare = [row | {"label": "" if "signature" in row["kind"] else row["label"]} for row in rows]
    text = shell.said("value", shell.write("bare.csv", bare), *WISH, "--labels-are-random")
    assert "No label at all: signature, " in text
    alone = shell.answer(shell.write("log2.csv", rows), "--document", "document")
    assert [each["kind"] for each in alone["kinds"]] == [None]
    assert alone["prices"]["assumed"]


def test_a_policy_of_documents_takes_fields_and_no_other_takes_them(shell, log):
    where = shell.folder / "desk"
    assert shell.run("value", log, *WISH, "--policy", where).exit_code == 0
    with Deployment(where) as service:
        for given, says in (
            ({"confidence": 0.9}, "decides whole documents by their fields"),
            ({"fields": {}}, "the document 'x' has no fields"),
            ({"fields": {"name, scan": "high"}}, "no finite confidence; got 'high'"),
            ({"fields": {"name, scan": 0.9}, "group": "a"}, "give fields=... without"),
        ):
            with pytest.raises(InputError, match=says):
                service.decide("x", **given)
        with pytest.raises(InputError, match="the fields of each of 2 documents; got 1"):
            service.decide(["x", "y"], fields=[{"name, scan": 0.9}])
        assert service.watch().decided == 0
    batch = shell.write(
        "b.csv", [{k: v for k, v in row.items() if k != "kind"} for row in make_rows(3, 0)]
    )
    assert "no column 'kind'" in shell.refusal("decide", where, batch)
    batch = shell.write("b.csv", make_rows(3, 0))
    assert "leave out --group" in shell.refusal("decide", where, batch, "--group", "kind")


def test_a_line_is_a_document_with_all_its_fields_and_never_a_field(shell, log, monkeypatch):
    where = shell.folder / "desk"
    assert shell.run("value", log, *WISH, "--policy", where).exit_code == 0
    fields = {"name, scan": 0.99, "total, scan": 0.3}
    with Deployment(where) as service:
        alone = service.decide("b", fields=fields)
    lines = [
        {"document": "a", "kind": "name, scan", "prediction": "x", "confidence": 0.99},
        {"document": "a", "kind": "total, scan", "prediction": "x", "confidence": 0.3},
        {"document": "c", "fields": fields, "note": "on paper"},
        {"document": "d", "fields": [["name, scan", 0.99], ["total, scan", 0.3]]},
        {"document": "e", "fields": {}},
        {"document": "f", "fields": [0.9]},
        {"fields": fields},
        ["g"],
    ]
    text = "\n".join(map(json.dumps, lines)).encode()
    streamed = CliRunner().invoke(
        main, ["decide", str(where), "-", "--content", "note"], input=text
    )
    said = [json.loads(line) for line in streamed.stdout.splitlines()]
    assert [one["key"] for one in said] == [None, None, "c", "d", None, None, None, None]
    for line in (0, 1, 6, 7):
        assert (
            'a line is one with all its fields, {"document": "17", "fields": {'
            in said[line]["error"]
        )
    assert "has no fields" in said[4]["error"]
    assert "kinds with a confidence each" in said[5]["error"]
    assert {one["action"] for one in said[2:4]} == {alone.action}
    with Deployment(where) as service:
        made = service.decisions()
        assert made["key"].to_list() == ["b", "c", "d"]  # never a document by one of its fields
        assert made["confidence"].n_unique() == 1


def test_what_stands_in_the_fields_is_new_in_each_document_and_not_kept(shell, rows):
    own = [
        row
        | {
            "prediction": f"read {i}",
            "label": row["label"] and f"read {i}" + "!" * (row["label"] != row["prediction"]),
        }
        for i, row in enumerate(rows)
    ]
    where = shell.folder / "desk"
    assert shell.run("value", shell.write("own.csv", own), *WISH, "--policy", where).exit_code == 0
    assert "read 1" not in (where / "policy.json").read_text()
    batch = [row | {"prediction": f"new {i}"} for i, row in enumerate(make_rows(5, 0, seed=9))]
    assert "5 documents" in shell.said("decide", where, shell.write("batch.csv", batch))
