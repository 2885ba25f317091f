"""Paper of 2019: counts of questions exactly, weights within what the issue of its replay asks."""

from __future__ import annotations

import functools

import numpy as np
import polars as pl
import pytest

from askpoint.papers.data_files import Data
from askpoint.papers.grid import run_grid
from askpoint.papers.multiclass_elicitation import ELICITATION, PRINTED_COSTS, PRINTED_WEIGHTS
from askpoint.reports.document import Grid, Paragraph


def rows_of(name, folder, data=None, keep=bool):
    """Run a table's quick cells, or some of them."""
    (table,) = ELICITATION.chosen(name)
    cells = [cell for cell in table.cells(True) if keep(cell)]
    return run_grid(name, cells, functools.partial(table.work, data=data or Data()), folder)


def said(name, rows):
    (table,) = ELICITATION.chosen(name)
    return list(table.blocks(rows))


@pytest.mark.parametrize(
    ("name", "printed", "error"),
    [("table-2", PRINTED_WEIGHTS, 0.015), ("table-3", PRINTED_COSTS[:2], 0.01)],
)
def test_counts_are_exact_and_errors_small(name, printed, error, tmp_path):
    rows = rows_of(name, tmp_path, keep=lambda cell: cell["row"] <= len(printed))
    if name == "table-2":
        literal = rows.filter(pl.col("reading") == "as printed", pl.col("row") == 4)
        assert (literal["found"] - literal["true"]).abs().max() > 0.2
        rows = rows.filter(pl.col("reading") == "softmax")
    for number, row in enumerate(printed, start=1):
        ours = rows.filter(pl.col("row") == number, pl.col("method") == "paper").sort("weight")
        chord = rows.filter(pl.col("row") == number, pl.col("method") == "chord")
        assert ours["questions"].unique().to_list() == [row.n_questions]
        assert chord["questions"][0] <= row.n_questions / 4
        assert np.abs(ours["found"].to_numpy() - row.truth).max() <= error
        assert (chord["found"] - chord["true"]).abs().max() <= error


def test_both_tables_stand_side_by_side(tmp_path):
    blocks = said("table-2", rows_of("table-2", tmp_path))
    counts, *weights = (block for block in blocks if isinstance(block, Grid))
    assert [line[1:4] for line in counts.rows] == [("56", "56", "14")] * 2 + [
        ("84", "84", "21")
    ] * 2
    assert [line[2] for line in weights[0].rows] == ["0.21", "0.60", "0.20"]
    assert "softmax" in next(block.text for block in blocks if isinstance(block, Paragraph))


def test_five_votes_mend_what_flips_spoil(tmp_path):
    rows = rows_of("noise", tmp_path, keep=lambda c: c["method"] == "chord" and c["flips"] == 0.15)
    by = {key: part for (key,), part in rows.group_by("votes")}
    assert by[5]["questions"].mean() == 5 * by[1]["questions"].mean()
    assert by[5]["error"].median() < 0.01 < by[1]["error"].median()
    (grid, _) = said("noise", rows)
    assert len(grid.rows) == 4


def test_fractions_come_in_order(tmp_path):
    rows = rows_of("linear-fractional", tmp_path)
    assert rows["in_order"].min() > 0.99
    (grid, _) = said("linear-fractional", rows)
    assert [line[0] for line in grid.rows] == ["2, paper", "2, chord"]


def test_figure_3_on_a_sample(tmp_path, data):
    rows = rows_of("figure-3", tmp_path, Data(str(data)), keep=lambda cell: cell["part"] == 1)
    chord = rows.filter(pl.col("method") == "chord")
    assert (chord["error"] <= 0.02).all()
    (grid, _) = said("figure-3", rows)
    assert grid.rows[1][-1] == "100\N{NO-BREAK SPACE}%"
