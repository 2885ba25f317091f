"""Example 4.1 and figure 2: how far one must look for a rare mistake, and mistakes outside the band."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from askpoint.measures.inputs import FloatArray
from askpoint.papers.data_files import Data
from askpoint.papers.grid import Configuration, Rows
from askpoint.papers.paper import PaperTable
from askpoint.reports.document import Block, Grid, Paragraph, Picture
from askpoint.reports.words import count, share
from askpoint.unknowns.inspection import random_inspection

__all__ = ["EXAMPLE", "FIGURE_2"]


def _example_cells(quick: bool) -> list[Configuration]:
    return [{"block": block, "inspections": 100} for block in range(1 if quick else 20)]


def _inspect_pages(cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
    """Look at pages one by one until the first hate that passes; count pages and false alarms."""
    del data
    rows = []
    for _ in range(cell["inspections"]):
        pages = alarms = 0
        while True:  # a thousand pages at a time
            hate, wrong = rng.random(1000) < 0.001, rng.random(1000) < 0.05
            missed = np.flatnonzero(hate & wrong)
            end = int(missed[0]) + 1 if missed.size else 1000
            pages += end
            alarms += int((~hate & wrong)[:end].sum())
            if missed.size:
                break
        rows.append({"pages": pages, "false_alarms": alarms})
    return rows


def _example_blocks(rows: pl.DataFrame) -> Iterator[Block]:
    exact = random_inspection(0.001, 0.05)
    n = len(rows)
    spread = {
        name: float(np.std(rows[name].to_numpy())) / n**0.5 for name in ("pages", "false_alarms")
    }
    yield Grid(
        "One severe error: hate that passes, at .1% hate and 95% accuracy on each class",
        ("", "paper", "exactly", "simulated"),
        (
            (
                "pages inspected",
                "about 20,000",
                count(exact.inspected),
                _with_error(rows["pages"], spread["pages"]),
            ),
            (
                "false positives on the way",
                "around 1,000",
                count(exact.false_positives),
                _with_error(rows["false_alarms"], spread["false_alarms"]),
            ),
        ),
        f"Simulated: mean of {count(n)} inspections, page by page, and its standard error.",
    )


def _with_error(values: pl.Series, error: float) -> str:
    return f"{count(float(np.mean(values.to_numpy())))} (± {count(error)})"


_BAND = 0.25
_KINDS = ("known", "island")


def _plane_cells(quick: bool) -> list[Configuration]:
    return [{"draw": draw, "n": 400 if quick else 4000} for draw in range(1 if quick else 10)]


def _plane(n: int, rng: np.random.Generator) -> tuple[FloatArray, Any, Any]:
    """Two overlapping classes of equal size, and five small islands of the other class far away."""
    y = rng.integers(0, 2, n)
    X = rng.normal(size=(n, 2)) + np.where(y[:, None] == 1, [0, 1.2], [0, -1.2])
    m = n // 50
    corners = np.array([[-2.5, -3.5], [2.5, -3.8], [-2.8, 3.6], [2.6, 3.5], [0.2, -4.2]])
    place = rng.integers(0, len(corners), m)
    island = corners[place] + 0.2 * rng.normal(size=(m, 2))
    other = (island[:, 1] < 0).astype(int)
    kinds = np.repeat([0, 1], [n, m])
    return np.vstack([X, island]), np.append(y, other), kinds


def _bands(cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
    """A linear model of the known cases; mistakes inside its band of uncertainty, and outside."""
    from sklearn.linear_model import LogisticRegression

    del data
    X, y, kinds = _plane(cell["n"], rng)
    half = np.arange(len(y)) < cell["n"] // 2  # learned from known cases alone
    model = LogisticRegression().fit(X[half], y[half])
    p = model.predict_proba(X[~half])[:, 1]
    unsure, wrong = np.abs(p - 0.5) < _BAND, (p > 0.5) != (y[~half] == 1)
    kind = kinds[~half]
    return [
        {
            "kind": name,
            "cases": int((kind == code).sum()),
            "mistakes": int((wrong & (kind == code)).sum()),
            "in_band": int((wrong & unsure & (kind == code)).sum()),
        }
        for code, name in enumerate(_KINDS)
    ]


def _plane_blocks(rows: pl.DataFrame) -> Iterator[Block]:
    sums = rows.group_by("kind", maintain_order=True).agg(
        pl.col("cases").sum(), pl.col("mistakes").sum(), pl.col("in_band").sum()
    )
    yield Grid(
        "Mistakes of a linear model, and how many lie where it is unsure",
        ("", "new cases", "wrong", "of them in the band"),
        tuple(
            (
                line["kind"],
                count(line["cases"]),
                share(line["mistakes"] / line["cases"]),
                share(line["in_band"] / max(line["mistakes"], 1)),
            )
            for line in sums.iter_rows(named=True)
        ),
        f"Band: probabilities within {_BAND} of one half. Islands: five small groups on the wrong side, "
        "none of which was in training.",
    )

    def draw(axes: Any) -> None:
        X, y, kinds = _plane(300, np.random.default_rng(1))
        for place, (kind, alpha) in enumerate(zip((0, 1), (0.5, 1.0), strict=True)):
            for label, marker in ((0, "o"), (1, "^")):
                chosen = (kinds == kind) & (y == label)
                axes.plot(
                    *X[chosen].T, marker, ms=4, alpha=alpha, label=f"{_KINDS[place]}, class {label}"
                )
        axes.axhline(0, linestyle="-", linewidth=1)
        width = float(np.log((0.5 + _BAND) / (0.5 - _BAND)) / 2.4)
        axes.axhspan(-width, width, alpha=0.15)
        axes.set(xlabel="first feature", ylabel="second feature")
        axes.legend(fontsize=9, loc="lower left", bbox_to_anchor=(0, 1), ncols=2)

    yield Picture(
        "Figure 2, drawn from the simulation",
        "Two classes above and below a line, a band of uncertainty around it in which their mistakes "
        "lie, and five small islands of the other class far outside the band.",
        draw,
    )
    yield Paragraph(
        "The paper's figure is a sketch. Here the same picture is counted: mistakes on known cases gather "
        "in the band, those on islands lie outside, where the model is sure."
    )


EXAMPLE = PaperTable(
    name="example-4.1",
    title="Example 4.1: one missed page in twenty thousand",
    cells=_example_cells,
    work=_inspect_pages,
    blocks=_example_blocks,
)
FIGURE_2 = PaperTable(
    name="figure-2",
    title="Figure 2: mistakes outside the band",
    cells=_plane_cells,
    work=_bands,
    blocks=_plane_blocks,
)
