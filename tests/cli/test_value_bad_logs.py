"""Logs that `askpoint value` refuses, each in one plain line."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from askpoint.records import value_logs
from cli.logs import GOOD, make_log


def edited(row=0, **cells):
    rows = [dict(row) for row in GOOD]
    rows[row] |= cells
    return rows


def test_no_labels_at_all(shell):
    rows = [{**row, "label": ""} for row in GOOD]
    text = shell.said("value", shell.write("log.csv", rows))
    assert "No verdict: none of 3 cases has a label" in text
    assert "--propose 20" in text


@pytest.mark.parametrize("value", [1.5, -0.25])
def test_a_probability_outside_0_and_1(value, shell):
    rows = edited(row=1, proba_ham=value, proba_spam=1 - value)
    message = shell.refusal("value", shell.write("log.csv", rows))
    assert "between 0 and 1" in message or "[0, 1]" in message
    assert str(value) in message or str(1 - value) in message
    assert "row 1" in message


def test_rows_that_do_not_sum_to_1_say_by_how_much(shell):
    message = shell.refusal("value", shell.write("log.csv", edited(row=2, proba_ham=0.5)))
    assert "sum" in message
    assert "row 2" in message
    assert "1.125" in message or "0.125" in message


@pytest.mark.parametrize("cell", ["nan", "NaN", ""])
def test_a_probability_that_is_missing(cell, shell):
    message = shell.refusal("value", shell.write("log.csv", edited(proba_ham=cell)))
    assert "missing" in message or "NaN" in message
    assert "row 0" in message


def test_a_cell_that_is_no_number(shell):
    message = shell.refusal("value", shell.write("log.csv", edited(row=1, proba_ham="much")))
    assert "'much' in row 1" in message
    assert "'proba_ham'" in message


def test_classes_and_columns_that_do_not_match(shell):
    log = shell.write("log.csv", GOOD)
    message = shell.refusal("value", log, "--classes", "ham,spam,eggs")
    assert "3 classes" in message
    assert "2 columns" in message
    message = shell.refusal("value", log, "--classes", "ham,eggs")
    assert "'eggs'" in message
    assert "ham, spam" in message
    message = shell.refusal("value", shell.write("log.csv", edited(row=1, label="eggs")))
    assert "'eggs' in row 1" in message
    assert "'ham', 'spam'" in message


def test_a_single_class(shell):
    rows = [{"label": "ham", "prediction": "ham", "confidence": 0.5}] * 3
    message = shell.refusal("value", shell.write("log.csv", rows))
    assert "only one class" in message
    assert "'ham'" in message
    rows = [{"label": "ham", "proba": 0.5}] * 3
    assert "two classes" in shell.refusal("value", shell.write("log.csv", rows))
    rows = [{"label": "ham", "proba_ham": 1.0}] * 3
    assert "two classes" in shell.refusal("value", shell.write("log.csv", rows))


@pytest.mark.parametrize("name", ["log.csv", "log.jsonl", "log.parquet"])
def test_an_empty_file(name, shell):
    message = shell.refusal("value", shell.write(name, ""))
    assert name in message
    assert "empty" in message


def test_a_file_of_a_header_alone(shell):
    message = shell.refusal("value", shell.write("log.csv", "label,proba_ham,proba_spam\n"))
    assert "not a single row" in message


def test_a_file_that_is_cut_off(shell):
    whole = shell.write("log.csv", make_log())
    text = (shell.folder / "log.csv").read_text()
    half = shell.write("half.csv", text[: len(text) // 2].rsplit(",", 1)[0])
    assert "broken or cut off" in shell.refusal("value", half)
    pl.read_csv(whole).write_parquet(shell.folder / "log.parquet")
    content = (shell.folder / "log.parquet").read_bytes()
    (shell.folder / "half.parquet").write_bytes(content[: len(content) // 2])
    assert "broken or cut off" in shell.refusal("value", shell.folder / "half.parquet")
    half = shell.write("half.jsonl", '{"label": "ham", "proba_ham": 0.5, "proba_spam": 0.5}\n{"la')
    assert "line 2" in shell.refusal("value", half)


def test_no_file(shell):
    assert "no file" in shell.refusal("value", shell.folder / "log.csv")
    assert "directory" in shell.refusal("value", shell.folder)
    assert "not a single row" in shell.refusal("value", shell.write("log.xls", "x"))


@pytest.mark.parametrize("value", [0, -2, "", "nan"])
def test_weights_that_are_not_above_0(value, shell):
    rows = [{**row, "w": value if i == 1 else 1} for i, row in enumerate(GOOD)]
    log = shell.write("log.csv", rows)
    message = shell.refusal("value", log, "--weight", "w")
    assert "weight" in message
    assert "row 1" in message
    message = shell.refusal("value", log, "--propensity", "w")
    assert "propensity" in message
    assert "row 1" in message


def test_two_rows_of_one_case(shell):
    rows = [{"id": 7, **row} for row in GOOD]
    message = shell.refusal("value", shell.write("log.csv", rows))
    assert "7" in message
    assert "more than once" in message


def test_columns_named_twice(shell):
    text = "label,proba_ham,proba_ham\nham,0.5,0.5\n"
    assert "'proba_ham'" in shell.refusal("value", shell.write("log.csv", text))


@pytest.mark.parametrize("row", [b"spam,high,low\n", b"spam,0.5\n", b"spam,0.25,0.75\n"])
@pytest.mark.parametrize("as_folder", [False, True])
def test_a_log_that_grows_while_it_is_read(row, as_folder, shell, monkeypatch):
    log = shell.folder / "logs" / "log.csv"
    log.parent.mkdir()
    log.write_text(Path(shell.write("log.csv", GOOD)).read_text("utf-8"), "utf-8")
    opened = value_logs.open_table

    def open_and_grow(source):
        table = opened(source)
        with log.open("ab") as file:
            file.write(row)
        return table

    monkeypatch.setattr(value_logs, "open_table", open_and_grow)
    message = shell.refusal("value", str(log.parent if as_folder else log))
    assert "log.csv changed while it was read. Wait until it is written" in message
