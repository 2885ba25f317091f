"""`askpoint papers`: the list, a run, what it keeps, and what it refuses."""

from __future__ import annotations

import polars as pl
import pytest

from askpoint.papers.catalogue import PAPERS
from cli.mastheads import masthead

RUN = ("papers", "run", "elicitation", "table-2", "--quick")


def test_the_list_has_a_line_for_each_paper(shell):
    lines = shell.said("papers").splitlines()
    assert len(lines) == len(PAPERS)
    for line, paper in zip(lines, PAPERS.values(), strict=True):
        name, title = line[2:].split(maxsplit=1)
        assert line.startswith("  ")
        assert (name, title) == (paper.name, paper.title)


def test_a_table_is_run_kept_shown_and_taken_up_again(shell, reader):
    out, page = shell.folder / "out", shell.folder / "page.html"
    told = shell.said(*RUN, "--out", out, "--html", page)
    assert "questions" in told
    rows = pl.read_parquet(out / "elicitation-table-2.parquet")
    assert {"experiment", "version", "seed", "row", "method", "found"} <= set(rows.columns)
    large = masthead(page)
    assert large["tables and figures replayed"][0] == f"1 of {len(PAPERS['elicitation'].tables)}"
    assert large["numbers of our own"][0] == str(len(rows))
    html = page.read_text()
    assert all(word in html for word in ("<th", ">paper<", "its search here"))
    again = shell.run(*RUN, "--out", out, "--jobs", 2)
    assert "12 of 12 cells were done before" in again.stderr
    assert again.stdout == told
    assert shell.said("papers", "show", "elicitation", "table-2", "--out", out) == told
    shown = shell.json("papers", "show", "elicitation", "--out", out)
    assert list(shown["tables"]) == ["table-2"]
    assert shown["tables"]["table-2"] == rows.to_dicts()
    assert reader.problems(page) == []


def test_tables_without_the_cells_that_are_asked_for_are_left_out(shell):
    words = ("papers", "run", "elicitation", "--quick", "--out", shell.folder)
    ran = shell.run(*words, "--only", "row=1", "--only", "points=1000", "--only", "method=chord")
    assert "table-3 is left out: it has no cell with row=1 points=1000 method=chord" in ran.stderr
    (result,) = shell.folder.glob("*.parquet")
    assert result.name == "elicitation-table-2.parquet"


@pytest.mark.soak
def test_two_processes_find_the_same(shell):
    one, two = shell.folder / "one", shell.folder / "two"
    shell.said(*RUN, "--out", one)
    shell.said(*RUN, "--out", two, "--jobs", 2)
    name = "elicitation-table-2.parquet"
    assert pl.read_parquet(one / name).equals(pl.read_parquet(two / name))


def test_what_was_not_run_says_how(shell):
    told = " ".join(shell.said("papers", "show", "elicitation", "--out", shell.folder).split())
    assert "Not run yet: askpoint papers run elicitation table-2" in told
    assert "vehicle.csv.gz (sha256" in told


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("run", "elicitaton"), "no paper 'elicitaton'; did you mean 'elicitation'?"),
        (("show", "cooking"), "no paper 'cooking'; there are: interactive, interactive-weka"),
        (("run", "elicitation", "table-4"), "no table 'table-4' here; did you mean"),
        (("show", "elicitation", "x"), "no table 'x' here; there are: table-2, table-3"),
        (("run", "elicitation", "figure-3"), "give --data DIR"),
        (("run", "elicitation", "figure-3", "--data", "nowhere"), "no folder nowhere"),
        (("run", "elicitation", "figure-3", "--data", ".", "--fetch"), "not both"),
        (("run", "interactive", "table-13"), "no table 'table-13' here; did you mean"),
        (("run", "elicitation", "table-2", "--only", "method"), "--only must be NAME=VALUE,..."),
        (
            ("run", "elicitation", "table-2", "--only", "method=magic"),
            "method is one of chord, paper",
        ),
        (("run", "elicitation", "table-2", "--only", "size=3"), "cells are told apart by method, "),
        (
            ("run", "elicitation", "--only", "row=1,99"),
            "--only row=99: no such cell; row is one of 1,",
        ),
        (
            ("run", "elicitation", "--only", "row=1", "--only", "flips=0.05"),
            "no cell has row and flips as asked for at once",
        ),
    ],
)
def test_refusals(words, reason, shell, monkeypatch):
    monkeypatch.chdir(shell.folder)
    assert reason in shell.refusal("papers", *words)
    assert list(shell.folder.iterdir()) == []


def test_half_a_result_is_refused(shell):
    (shell.folder / "elicitation-table-2.parquet").write_bytes(b"PAR1")
    reason = shell.refusal("papers", "show", "elicitation", "--out", shell.folder)
    assert "run askpoint papers run elicitation table-2 again" in reason


@pytest.mark.soak
def test_every_table_of_every_paper_is_quick(shell, data):
    for name, paper in PAPERS.items():
        told = shell.said("papers", "run", name, "--quick", "--data", data, "--out", shell.folder)
        assert all(table.title in told for table in paper.tables)
