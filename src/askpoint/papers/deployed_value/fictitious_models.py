"""The poster's second figure: calibrated models that exist on paper only, by integral and by count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from matplotlib.ticker import FuncFormatter
from scipy import stats

from askpoint.displays.direct_labels import name_beside
from askpoint.measures.inputs import FloatArray
from askpoint.papers.data_files import Data
from askpoint.papers.grid import Configuration, Rows
from askpoint.papers.paper import PaperTable
from askpoint.reports.document import Block, Grid, Paragraph, Picture
from askpoint.reports.words import count, share
from askpoint.value.curve import ValueCurve

__all__ = ["FICTITIOUS", "LAWS", "NO_MODEL", "Law"]


@dataclass(frozen=True)
class Law:
    """A calibrated model of two classes: its confidence is 1/2 + Beta(a, b)/2."""

    a: float
    b: float

    @property
    def accuracy(self) -> float:
        """Mean confidence."""
        return float(0.5 + stats.beta.mean(self.a, self.b) / 2)

    @property
    def discrimination(self) -> float:
        """Integral of (1/2 - c)^2 rho(c)."""
        return float(stats.beta.moment(2, self.a, self.b) / 4)

    def value(self, omega: float) -> float:
        """Integral of c - omega (1 - c) from omega / (omega + 1) on."""
        return self.value_from(omega / (omega + 1), omega)

    def value_from(self, threshold: float, omega: float) -> float:
        """The same from any threshold on: by two incomplete beta functions."""
        u = min(max(2 * threshold - 1, 0.0), 1.0)
        answered = float(stats.beta.sf(u, self.a, self.b))
        raised = float(stats.beta.sf(u, self.a + 1, self.b)) * self.a / (self.a + self.b)
        right = (answered + raised) / 2
        return right - omega * (answered - right)

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Any, FloatArray]:
        """Whether each of n cases is right, and how surely it was answered."""
        c = 0.5 + rng.beta(self.a, self.b, n) / 2
        return rng.random(n) < c, c


LAWS = {
    "all near .8": Law(60, 40),
    "spread about .8": Law(1.5, 1),
    "decided, accuracy .8": Law(0.3, 0.2),
    "decided, accuracy .75": Law(0.25, 0.25),
    "surer, accuracy .9": Law(4, 1),
    "a coin": Law(1, 200),
}
_OMEGAS = (0.0, 1.0, 2.0, 4.0, 9.0, 19.0)


def _cells(quick: bool) -> list[Configuration]:
    return [{"model": name, "n": 2000 if quick else 200_000} for name in LAWS]


def _work(cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
    del data
    law = LAWS[cell["model"]]
    counted = ValueCurve.from_outcomes(*law.draw(cell["n"], rng))
    return [
        {
            "omega": omega,
            "integral": law.value(omega),
            "counted": counted.value(omega),
            "accuracy": law.accuracy,
            "discrimination": law.discrimination,
        }
        for omega in _OMEGAS
    ]


def _blocks(rows: pl.DataFrame) -> Iterator[Block]:
    yield Grid(
        "Value per case by omega, integral and counted",
        ("", "accuracy", "discrimination", *(f"{omega:g}" for omega in _OMEGAS)),
        tuple(
            (
                str(name),
                f"{part['accuracy'][0]:.3f}",
                f"{part['discrimination'][0]:.4f}",
                *(
                    f"{line['integral']:.3f} {line['counted']:.3f}"
                    for line in part.iter_rows(named=True)
                ),
            )
            for (name,), part in rows.group_by("model", maintain_order=True)
        ),
        f"Counted: the best threshold of {count(rows['n'][0])} simulated cases, which flatters a little.",
    )
    checks = np.geomspace(1, 50, 60)
    curves = {name: [law.value(float(check - 1)) for check in checks] for name, law in LAWS.items()}

    def draw(axes: Any) -> None:
        for place, (name, values) in enumerate(curves.items()):
            axes.plot(checks, values, "-" if place < 4 else "--", label=name)
        axes.set(xscale="log", xlabel="checks per mistake", ylabel="checks saved on 1,000 cases")
        axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{1000 * y:,.0f}"))
        axes.set_xticks([1, 2, 5, 10, 20, 50], ["1", "2", "5", "10", "20", "50"])
        name_beside(axes, 2)

    yield Picture(
        "Value curves of fictitious models",
        "Of three models of accuracy .8 the one whose confidences are near 1/2 or near 1 falls slowest; "
        "decided at accuracy .75 it crosses those of .8 and, later, of .9 that are less decided.",
        draw,
    )
    yield Paragraph(
        "The poster's 'less trivial' claim: at the same accuracy, a model whose confidences are moved both "
        "up and down falls more slowly. The three of accuracy .8 show it, and one of lower accuracy "
        "overtakes them where mistakes cost much. A model whose curve is everywhere above is better for "
        "all; where two curves cross, the price decides."
    )


_SIZES = (20, 50, 100, 500, 2000)


def _loss_cells(quick: bool) -> list[Configuration]:
    return [
        {"model": name, "omega": omega, "n": n, "draws": 20 if quick else 1000}
        for name in ("a coin", "spread about .8")
        for omega in (1.0, 9.0)
        for n in _SIZES
    ]


def _losses(cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
    """Choose the threshold on n cases; state its value there, and in truth."""
    del data
    law, omega = LAWS[cell["model"]], cell["omega"]
    rows = []
    for draw in range(cell["draws"]):
        curve = ValueCurve.from_outcomes(*law.draw(cell["n"], rng))
        threshold = curve.threshold(omega)
        rows.append(
            {
                "draw": draw,
                "stated": curve.value(omega),
                "true": law.value_from(threshold, omega),
            }
        )
    return rows


def _loss_blocks(rows: pl.DataFrame) -> Iterator[Block]:
    losses = rows.group_by("model", "omega", "n", maintain_order=True).agg(
        pl.len().alias("draws"),
        pl.col("stated").mean(),
        pl.col("stated").min().alias("least"),
        pl.col("true").mean(),
        (pl.col("true") < 0).mean().alias("loses"),
    )
    yield Grid(
        "'Better or equal value than no model', on the validation set and on new cases",
        (
            "model, omega, validation cases",
            "least stated",
            "mean stated",
            "mean true",
            "worse than no model",
        ),
        tuple(
            (
                f"{line['model']}, {line['omega']:g}, {count(line['n'])}",
                f"{line['least']:.4f}",
                f"{line['stated']:.4f}",
                f"{line['true']:.4f}",
                share(line["loses"]),
            )
            for line in losses.iter_rows(named=True)
        ),
        "True values by incomplete beta functions. Below 0 a model is worth less than none.",
    )
    yield Paragraph(
        "The poster says that a threshold tuned on a validation set makes even a model of arbitrarily low "
        "accuracy at least as good as no model. On that set it does: the least value stated is 0. On new "
        "cases it is a hope: where a mistake costs 9 right answers, a model that is no better than a coin is "
        "worth less than none in about half of the draws, as its threshold found a lucky few."
    )


FICTITIOUS = PaperTable(
    name="fictitious",
    title="The second figure: fictitious models",
    cells=_cells,
    work=_work,
    blocks=_blocks,
)
NO_MODEL = PaperTable(
    name="no-model",
    title="The claim 'never worse than no model'",
    cells=_loss_cells,
    work=_losses,
    blocks=_loss_blocks,
)
