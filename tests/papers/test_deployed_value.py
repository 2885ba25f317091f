"""Poster of 2021: its integral by other ways of integrating, and its claims on models of texts."""

from __future__ import annotations

import functools

import numpy as np
import polars as pl
import pytest
from scipy import integrate, stats

from askpoint.papers.data_files import Data
from askpoint.papers.deployed_value.fictitious_models import LAWS, NO_MODEL
from askpoint.papers.deployed_value.text_models import VALUE_CURVES
from askpoint.papers.deployed_value.value_paper import VALUE
from askpoint.papers.grid import run_grid
from askpoint.reports.document import Grid, Paragraph, Picture


def rows_of(table, folder, data=None, keep=bool):
    cells = [cell for cell in table.cells(True) if keep(cell)]
    work = functools.partial(table.work, data=data or Data())
    rows = run_grid(table.name, cells, work, folder)
    return rows, list(table.blocks(rows))


@pytest.mark.parametrize("name", LAWS)
def test_the_integral_is_that_of_a_quadrature_and_of_cases(name):
    law, rng = LAWS[name], np.random.default_rng(0)
    c = 0.5 + rng.beta(law.a, law.b, 200_000) / 2
    assert law.accuracy == pytest.approx(c.mean(), abs=0.003)
    assert law.discrimination == pytest.approx(((0.5 - c) ** 2).mean(), abs=0.002)
    for omega in (0.0, 1.0, 9.0):
        best = omega / (omega + 1)
        gains = np.where(c >= best, c - omega * (1 - c), 0)
        assert law.value(omega) == pytest.approx(gains.mean(), abs=5 * gains.std() / 447 + 1e-4)
        if law.a >= 1:  # else the density has a pole, which quadrature takes long for
            u = np.linspace(max(2 * best - 1, 0), 1, 20_001)
            heights = ((1 + u) / 2 - omega * (1 - u) / 2) * stats.beta.pdf(u, law.a, law.b)
            assert law.value(omega) == pytest.approx(integrate.simpson(heights, x=u), abs=1e-4)
        for other in np.linspace(0, 1, 21):
            assert law.value_from(other, omega) <= law.value(omega) + 1e-7


def test_at_one_accuracy_the_more_decided_falls_more_slowly():
    names = ("all near .8", "spread about .8", "decided, accuracy .8")
    decided = [LAWS[name].discrimination for name in names]
    assert decided == sorted(decided)
    for omega in (0.0, 1.0, 2.0, 4.0, 9.0, 19.0):
        values = [LAWS[name].value(omega) for name in names]
        assert np.diff(values).min() > -1e-3
    assert LAWS["decided, accuracy .75"].value(19) > LAWS["surer, accuracy .9"].value(19)


def test_never_worse_than_no_model_holds_where_it_was_chosen(tmp_path):
    rows, (grid, _) = rows_of(NO_MODEL, tmp_path, keep=lambda cell: cell["n"] <= 100)
    assert rows["stated"].min() >= 0
    coin = rows.filter(pl.col("model") == "a coin", pl.col("omega") == 9)
    assert 0.2 < (coin["true"] < 0).mean() < 0.8
    assert len(grid.rows) == 12


def test_fictitious_curves_are_counted_too(tmp_path):
    (table,) = VALUE.select("fictitious")
    rows, (grid, picture, _) = rows_of(table, tmp_path)
    assert (rows["integral"] - rows["counted"]).abs().max() < 0.08
    assert [line[0] for line in grid.rows] == list(LAWS)
    assert isinstance(picture, Picture)


def test_models_of_texts(tmp_path, data):
    wanted = ("logistic regression", "linear SVM, scores calibrated")
    rows, blocks = rows_of(
        VALUE_CURVES, tmp_path, Data(str(data)), keep=lambda cell: cell["model"] in wanted
    )
    by = {what: part for (what,), part in rows.group_by("what", maintain_order=True)}
    assert by["accuracy"]["found"].min() > 0.96
    # calibration is another, value the same
    as_is, cubed = (by[f"value in hindsight{end}"]["found"] for end in ("", ", cubed"))
    assert (as_is - cubed).abs().max() < 1e-12
    assert (by["calibration error, cubed"]["found"] > by["calibration error"]["found"]).all()
    # what was chosen elsewhere is never better than hindsight
    assert (by["value"]["found"] <= as_is + 1e-12).all()
    for _, part in by["share of confidences"].group_by("model"):
        assert part["found"].sum() == pytest.approx(1)
    first, *_ = (block for block in blocks if isinstance(block, Grid))
    assert [line[0] for line in first.rows] == list(wanted)
    said = next(block for block in blocks if isinstance(block, Paragraph))
    assert "differ by 0." in said.text
