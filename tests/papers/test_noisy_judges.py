"""Paper of 2023: the sign of table 1, how figure 2 is counted, and a figure 3 of zeros."""

from __future__ import annotations

import functools

import numpy as np
import polars as pl
import pytest
from matplotlib.figure import Figure

from askpoint.papers.data_files import Data
from askpoint.papers.grid import run_grid
from askpoint.papers.noisy_judges import JUDGES
from askpoint.reports.document import Grid, Picture

TINY = {"judge": "naive Bayes", "block": 0, "partitions": 2, "repeats": 2, "n_train": 30}


class Drawn(Data):
    """Two classes whose features are independent given the class; one feature is nominal."""

    def frame(self, name):  # noqa: ARG002
        rng = np.random.default_rng(4)
        y = np.repeat([0, 1], 2200)
        numbers = {f"x{i}": rng.normal(size=len(y)) + 0.9 * y for i in range(8)}
        word = pl.Series(np.where(rng.random(len(y)) < 0.3 + 0.4 * y, "red", "blue"))
        nominal = pl.select(pl.when(pl.Series(rng.random(len(y))) < 0.98).then(word)).to_series()
        return pl.DataFrame({**numbers, "colour": nominal, "class": np.where(y, "p", "e")})


def rows_of(name, cells, folder):
    (table,) = JUDGES.select(name)
    rows = run_grid(name, cells, functools.partial(table.work, data=Drawn()), folder)
    return rows, list(table.blocks(rows))


def test_the_corrected_sign_is_exact_and_the_printed_one_tells_the_other_label(tmp_path):
    (table,) = JUDGES.select("table-1")
    rows, (grid, _) = rows_of("table-1", table.cells(True), tmp_path)
    drawn = rows.filter(pl.col("test") == "independent")
    assert (drawn["corrected"] - drawn["truth"]).abs().max() < 1e-12
    assert (drawn["printed"] - (1 - drawn["truth"])).abs().max() < 1e-12
    assert grid.rows[2][1:] == ("0.16711", "20 of 20")
    assert [line[1] for line in grid.rows] == ["0.15436", "0.83289", "0.16711", "0.21657"]

    without, _ = table.blocks(drawn)  # as by --only test=independent
    assert {line[1] for line in without.rows} == {"not run"}
    assert without.rows[2][2] == "20 of 20"


def test_figure_2_counts_tests_and_partitions(tmp_path):
    rows, blocks = rows_of("figure-2", [{"data": "twonorm", **TINY}], tmp_path)
    assert rows.height == 7 * 2 * 2
    grid, picture = (
        next(block for block in blocks if isinstance(block, kind)) for kind in (Grid, Picture)
    )
    for line, size in zip(grid.rows, (25, 50, 100, 200, 500, 1000, 2000), strict=True):
        part = rows.filter(pl.col("size") == size)
        never = np.mean([not one["inside"].any() for _, one in part.group_by("partition")])
        assert line[1] == "4"
        assert float(line[2].split()[0].rstrip("%")) == pytest.approx(100 * part["inside"].mean())
        assert float(line[3].split()[0].rstrip("%")) == pytest.approx(100 * never)
    assert "twonorm" in picture.alternative
    second = [block for block in blocks if isinstance(block, Picture)][1]
    axes = Figure().add_subplot()
    second.draw(axes)
    drawn = axes.lines[0].get_ydata()
    assert second.title.startswith("Figure 2b")
    for share, line in zip(drawn, grid.rows, strict=True):
        assert 100 * share == pytest.approx(float(line[3].split()[0].rstrip("%")), abs=0.05)


@pytest.mark.parametrize("place", [0, 1])
def test_a_legends_keys_tell_every_line_of_figure_2(place, tmp_path):
    """Three sets by two judges: by colour and marker, for a key is too short for dashes."""
    cells = [
        {"data": name, **TINY, "judge": judge}
        for name in ("twonorm", "adult", "mushroom")
        for judge in ("naive Bayes", "logistic regression")
    ]
    (table,) = JUDGES.select("figure-2")
    rows = pl.DataFrame(
        [
            {**cell, "size": size, "partition": 0, "repeat": 0, "inside": size > 25}
            | {"error": 0.1, "majority_error": 0.1}
            for cell in cells
            for size in (25, 100)
        ]
    )
    picture = [block for block in table.blocks(rows) if isinstance(block, Picture)][place]
    axes = Figure().add_subplot()
    picture.draw(axes)
    keys = [
        (line.get_color(), line.get_marker(), line.get_markerfacecolor()) for line in axes.lines
    ]
    assert len(keys) == len(set(keys)) == 6


def test_figure_3_is_zero_whatever_the_correlation(tmp_path):
    cell = {"data": "adult", **TINY, "partitions": 3, "repeats": 1}
    rows, (grid, _) = rows_of("figure-3", [cell], tmp_path)
    assert rows["residual"].max() < 1e-12
    assert rows["correlation"].min() > 0
    assert grid.rows[0][1] == str(rows.height)


def test_real_data_are_encoded_and_searched(tmp_path, data):
    (table,) = JUDGES.select("figure-3")
    work = functools.partial(table.work, data=Data(str(data)))
    rows = run_grid(
        "figure-3", [cell | {"partitions": 1} for cell in table.cells(True)], work, tmp_path
    )
    assert set(rows["data"]) == {"adult", "mushroom"}
