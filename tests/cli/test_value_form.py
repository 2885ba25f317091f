"""What `askpoint value` reads and writes: kinds of files, names of columns, JSON, page and words."""

from __future__ import annotations

import gzip
import json

import polars as pl
import pytest

from askpoint.errors import StoreError
from askpoint.records import value_logs
from cli.logs import CLASSES, GOOD, make_log


def nulls(content, path=""):
    """Where a JSON object is null: the dotted key, and the object beside it."""
    for key, part in content.items():
        if part is None:
            yield f"{path}{key}", content
        elif isinstance(part, dict) and key not in ("reasons", "objective"):
            yield from nulls(part, f"{path}{key}.")


@pytest.mark.parametrize(
    "flags",
    [
        [],
        ["--rho", 1 / 1001],
        ["--max-error", 0.6],
        ["--ask-at-most", 0],
        ["--ask-at-most", 60],
        ["--prices", "1,0,-2"],
        ["--beta", 1],
        ["--weight", "id1"],
    ],
)
def test_whatever_is_null_has_a_reason(flags, shell):
    rows = make_log(seed=13)
    for row in rows:
        row["id1"] = row["id"] + 1
        row["label"] = CLASSES[row["id"] % 2]
    content = shell.answer(shell.write("log.csv", rows), *flags)
    assert {key for key, _ in nulls(content)} <= set(content["reasons"])
    assert all(content["reasons"].values())
    for key in content["reasons"]:
        if "." not in key:
            assert content[key] is None


def test_never_answering_is_null_not_infinite(shell):
    rows = [{"label": "ham", "proba_ham": 0.25, "proba_spam": 0.75}] * 3 + [GOOD[1]]
    content = shell.answer(shell.write("log.csv", rows))
    assert (
        content["hindsight"]["rule"]["threshold"]
        is content["hindsight"]["risk"]["estimate"]
        is None
    )
    assert "infinite" in content["reasons"]["hindsight.rule.threshold"]
    assert content["reasons"]["hindsight.risk.estimate"] == "nothing is answered"
    assert (
        1 - content["hindsight"]["asked"]["share"] == content["hindsight"]["value"]["estimate"] == 0
    )
    assert content["hindsight"]["asked"]["rows"] == 4
    assert "Send all 4 cases to review" in shell.said("value", shell.write("log.csv", rows))


def test_json_is_one_object_of_plain_ascii(shell):
    rows = [{**row, "gruppe": "süd 🎉"} for row in GOOD]
    text = shell.said("value", shell.write("log.csv", rows), "--json", "--by", "gruppe")
    assert text.isascii()
    assert json.loads(text)["recommended"]["groups"][0]["group"] == "süd 🎉"


@pytest.mark.parametrize("kind", ["parquet", "jsonl", "csv.gz"])
def test_every_kind_of_file_says_the_same(kind, shell):
    rows = make_log(seed=14, labelled=0.8)
    frame = pl.DataFrame(rows).with_columns(pl.col("label").replace("", None))
    path = shell.folder / f"log.{kind}"
    if kind == "parquet":
        frame.write_parquet(path)
    elif kind == "jsonl":
        frame.write_ndjson(path)
    else:
        path.write_bytes(gzip.compress(frame.write_csv().encode()))
    assert shell.answer(path) == shell.answer(shell.write("log.csv", rows))


def test_columns_may_have_any_name(shell):
    rows = make_log(seed=15)
    renamed = [
        {"truth": row["label"], "score for spam, %": row["proba_spam"], "x": 1} for row in rows
    ]
    log = shell.write("renamed.csv", renamed)
    theirs = shell.answer(shell.write("log.csv", rows))
    found = pl.read_csv(log).columns[1]
    ours = shell.answer(
        log, "--label", "truth", "--proba", f"{found[:5]}*", "--classes", "ham,spam"
    )
    assert ours == theirs


def test_the_page_is_written_beside_the_words(shell):
    log = shell.write("log.csv", make_log())
    page = shell.folder / "page.html"
    result = shell.run("value", log, "--html", page, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == shell.answer(log)
    assert result.stderr == f"page written to {page}\n"
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_nobody_waits_for_the_page_to_read_the_words(shell, monkeypatch):
    def draw(document):
        raise StoreError("no pictures today")

    monkeypatch.setattr("askpoint.reports.page.render_page", draw)
    log = shell.write("log.csv", make_log())
    result = shell.run("value", log, "--html", shell.folder / "page.html")
    assert "The answer" in result.stdout
    assert result.exit_code != 0
    assert "no pictures today" in result.stderr


def test_the_words_are_those_of_the_numbers(shell):
    rows = make_log(200, seed=1)
    log = shell.write("log.csv", rows)
    content, text = shell.answer(log, "--rho", 0.25), shell.said("value", log, "--rho", 0.25)
    flat = " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())
    found = content["hindsight"]
    assert f"decides {200 - found['asked']['rows']} of 200 cases" in flat
    assert f"sends {found['asked']['rows']} to review" in flat
    assert f"{100 * found['risk']['estimate']:.1f}% are wrong" in flat
    assert "one mistake is worth 4 checks" in flat


def test_a_long_log_is_counted_in_a_sketch(shell, monkeypatch):
    log = shell.write("log.csv", "label,proba\n" + "1,0.875\n0,0.25\n1,0.25\n0,0.25\n" * 50)

    def is_sketched(*options):
        return "counted in bins" in " ".join(shell.said("value", log, *options).split())

    assert not is_sketched()
    assert is_sketched("--sketch")
    monkeypatch.setattr(value_logs, "_MANY", 199)
    assert is_sketched()
    assert not is_sketched("--exact")
    monkeypatch.setattr(value_logs, "_MANY", 200)
    assert not is_sketched()
