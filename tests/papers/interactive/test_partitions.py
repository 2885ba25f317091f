"""Ten partitions of the rows: spread beside the mean, run only where it is named, and shared cells."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from askpoint.cli.main import main
from askpoint.papers.catalogue import find_paper, run_tables
from askpoint.papers.data_files import Data
from askpoint.papers.interactive.partitions import (
    PARTITIONS,
    means_of_partitions,
    partition_blocks,
)
from askpoint.reports.document import Grid, Notice

ONLY = {"classifier": ("NB",), "data": ("glass", "iris")}


def table_of(paper, name):
    return next(table for table in paper.tables if table.name == name)


@pytest.fixture(scope="module")
def ran(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("partitions")
    paper = find_paper("interactive")
    tables = table_of(paper, "table-3"), table_of(paper, "partitions")
    found = run_tables(paper, tables, folder, data=Data(str(data)), quick=True, only=ONLY)
    return folder, found


def test_the_first_partition_is_that_of_the_other_tables_and_is_trained_once(ran):
    folder, found = ran
    first = found["partitions"].filter(pl.col("partition") == 0).drop("partition")
    keys = ["data", "threshold", "emic", "parameter", "confidence"]
    both = found["table-3"].join(first, on=keys, how="inner", nulls_equal=True)
    assert len(both) == len(found["table-3"])
    assert both["score"].to_list() == pytest.approx(both["score_right"].to_list())
    # two sets x five folds x two partitions
    assert len(list((folder / "cells").glob("interactive-outcomes-*"))) == 20


def test_mean_deviation_and_range_are_those_of_the_partitions(ran):
    _, found = ran
    rows = found["partitions"]
    grid = next(block for block in partition_blocks(rows) if isinstance(block, Grid))
    line = next(line for line in grid.rows if line[0] == "NB, never asking")
    never = rows.filter(pl.col("threshold") == "never")
    means = [never.filter(pl.col("partition") == i)["score"].mean() for i in (0, 1)]
    low, high = sorted(means)
    assert line[1:4] == (
        f"{np.mean(means):.4f}",
        f"{(high - low) / 2**0.5:.4f}",
        f"{low:.4f} to {high:.4f}",
    )
    assert "paper" not in grid.columns  # a part is not laid beside the whole


def test_one_partition_tells_no_spread(ran):
    _, found = ran
    rows = found["partitions"].filter(pl.col("partition") == 0)
    (notice,) = partition_blocks(rows)
    assert isinstance(notice, Notice)


def test_it_runs_only_where_it_is_named(data, tmp_path):
    words = ["papers", "run", "interactive", "--quick", "--data", str(data), "--out", str(tmp_path)]
    words += ["--only", "data=iris", "--only", "classifier=NB"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    assert "partitions is left out: it trains ten times as much" in result.stderr
    assert "askpoint papers run interactive partitions runs it" in result.stderr
    assert not (tmp_path / "interactive-partitions.parquet").exists()


def test_ten_partitions_of_each_cell():
    cells = table_of(find_paper("interactive-weka"), "partitions").cells(False)
    assert {cell["partition"] for cell in cells} == set(range(PARTITIONS))
    assert len(cells) == 10 * 31 * 6 * 5
    frame = pl.DataFrame({"partition": [0, 1], "threshold": ["never"] * 2, "parameter": [None] * 2})
    frame = frame.with_columns(pl.col("parameter").cast(pl.Float64))
    keys = {"by": "Weka", "data": "iris", "classifier": "NB", "emic": "", "confidence": ""}
    outcomes = {"right": [8, 6], "wrong": [2, 4], "asked": [0, 0]}
    frame = frame.with_columns(
        *(pl.lit(value).alias(name) for name, value in keys.items()),
        *(pl.Series(name, values) for name, values in outcomes.items()),
    )
    assert means_of_partitions(frame)["score"].to_list() == [0.8, 0.6]
