"""Means over data sets in each of ten partitions of the rows: what is luck of the folds, and what is not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from askpoint.measures.inputs import FloatArray
from askpoint.papers.interactive.mean_tables import EMICS, has_all, say_sets
from askpoint.papers.interactive.paper_numbers import ASKED, MEANS, MEASURES, NEVER
from askpoint.papers.interactive.set_means import LEVEL, against_never, by_measure, of_sets
from askpoint.papers.interactive.stand_ins import CLASSIFIERS
from askpoint.reports.document import Block, Grid, Notice, Paragraph

__all__ = ["PARTITIONS", "means_of_partitions", "partition_blocks"]

PARTITIONS = 10

_PARAMETERS = (0.1, 0.4, 0.5, 0.6)
_MAX, _MARGIN = "max_probability", "margin"


def means_of_partitions(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the mean of each data set over the folds of a partition, for every partition."""
    never = pl.col("threshold") == "never"
    asked = (pl.col("threshold") == "realistic") & pl.col("parameter").is_in(_PARAMETERS)
    parts = [
        of_sets(part).with_columns(pl.lit(partition).alias("partition"))
        for (partition,), part in rows.filter(never | asked).group_by(
            "partition", maintain_order=True
        )
    ]
    return pl.concat(parts)


def partition_blocks(rows: pl.DataFrame) -> Iterator[Block]:
    """Yield means and verdicts with their spread over partitions."""
    names = [name for name in CLASSIFIERS if name in rows["classifier"]]
    n = rows["partition"].n_unique()
    if n < 2:
        yield Notice("It takes two partitions or more to show how far they move a mean.")
        return
    whole = has_all(rows)
    lines: list[tuple[str, ...]] = []
    for name in names:
        printed = (
            NEVER[name],
            MEANS["realistic", "F"][name][1],
            MEANS["realistic", "EP"][name][1],
            *(ASKED[emic][name][place] / 100 for emic in EMICS for place in (0, 4)),
        )
        for (title, values), paper in zip(_quantities(rows, name), printed, strict=True):
            line = (
                f"{name}, {title}",
                f"{values.mean():.4f}",
                f"{values.std(ddof=1):.4f}",
                f"{values.min():.4f} to {values.max():.4f}",
            )
            lies = "inside" if values.min() <= paper <= values.max() else "outside"
            lines.append((*line, f"{paper:.4f}", lies) if whole else line)
    yield Grid(
        f"Means over data sets in {n} partitions of the rows",
        ("", "mean", "deviation", "least to greatest", *(("paper", "it lies") if whole else ())),
        tuple(lines),
        f"{say_sets(rows)} Deviation: of one partition's mean about the mean of all; the rows are the same, so "
        "it tells the luck of the folds and not how other data would do. Thresholds from training rows; asked "
        "by the margin.",
    )
    counts: list[tuple[str, ...]] = []
    for emic in EMICS:
        for parameter in _PARAMETERS:
            for name in names:
                better, worse = _verdicts(rows, name, emic, parameter)
                counts.append(
                    (
                        f"{name}, {EMICS[emic][0]} at {parameter:g}",
                        _count_range(better),
                        _count_range(worse),
                    )
                )
    if rows["data"].n_unique() > 1:
        yield Grid(
            f"Significantly better and worse than never asking, of {len(MEASURES)} measures",
            ("", "better", "worse"),
            tuple(counts),
            f"Least to greatest of {n} partitions; Iman and Davenport's test, then Hommel's, at .05.",
        )
    yield Paragraph(
        "A verdict that one partition gives and another does not is one of the folds, not of the method."
    )


def _quantities(rows: pl.DataFrame, name: str) -> Iterator[tuple[str, FloatArray]]:
    """Yield each quantity of a classifier with its mean over data sets in every partition."""
    mine = rows.filter(pl.col("classifier") == name)
    yield "never asking", _of_partitions(mine.filter(pl.col("threshold") == "never"), "score")
    for emic in EMICS:
        at = mine.filter(
            pl.col("emic") == emic, pl.col("parameter") == 0.5, pl.col("confidence") == _MAX
        )
        yield f"{EMICS[emic][0]} at .5", _of_partitions(at, "score")
    for emic in EMICS:
        for parameter in (0.1, 0.5):
            at = mine.filter(
                pl.col("emic") == emic,
                pl.col("parameter") == parameter,
                pl.col("confidence") == _MARGIN,
            )
            yield f"asked, {EMICS[emic][0]} at {parameter:g}", _of_partitions(at, "asked")


def _of_partitions(rows: pl.DataFrame, column: str) -> FloatArray:
    means = rows.group_by("partition", maintain_order=True).agg(pl.col(column).mean())
    return np.asarray(means[column].to_numpy())


def _verdicts(
    rows: pl.DataFrame, name: str, emic: str, parameter: float
) -> tuple[list[int], list[int]]:
    better, worse = [], []
    for _, part in rows.group_by("partition", maintain_order=True):
        scores = by_measure(part, name, emic, parameter)
        if len(scores) < 2:
            continue
        apart, p_values = against_never(scores)
        gains = scores[:, :-1].mean(axis=0) - scores[:, -1].mean()
        clear = [apart and p <= LEVEL for p in p_values]
        better.append(sum(c and g > 0 for c, g in zip(clear, gains, strict=True)))
        worse.append(sum(c and g < 0 for c, g in zip(clear, gains, strict=True)))
    return better, worse


def _count_range(counts: list[int]) -> str:
    if not counts:
        return "–"
    low, high = min(counts), max(counts)
    return str(low) if low == high else f"{low} to {high}"
