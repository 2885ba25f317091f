"""Posteriors of a cell, a data set x a classifier x a fold; kept, since they are what takes time."""

from __future__ import annotations

import functools

import numpy as np
import polars as pl

from askpoint.papers.data_files import Data
from askpoint.papers.grid import Configuration, Rows, run_grid
from askpoint.papers.interactive.nominal_sets import folds, nominal_set
from askpoint.papers.interactive.stand_ins import stand_in_posteriors
from askpoint.papers.interactive.ways_to_ask import fold_outcomes
from askpoint.papers.interactive.weka import weka_posteriors

__all__ = ["cell_outcomes", "load_posteriors"]


def cell_outcomes(cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
    """Train, or take what was kept, and judge."""
    return fold_outcomes(load_posteriors(cell, rng, data), rng)


def load_posteriors(cell: Configuration, rng: np.random.Generator, data: Data) -> pl.DataFrame:
    """Return the posteriors of a cell: a row for each of the data set's rows, training and test."""
    seed = int(rng.integers(2**32))
    work = functools.partial(_posteriors, data=data)
    if data.kept is None:
        return pl.DataFrame(work(cell, rng))
    return run_grid(
        "interactive-posteriors",
        [cell],
        work,
        data.kept,
        seed=seed,
        stamp=data.stamp([cell["data"]]),
    )


def _posteriors(cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
    prepared = nominal_set(data, cell["data"])
    fold = folds(prepared.y, cell["data"], cell["partition"])
    train, test = (np.flatnonzero(rows) for rows in (fold != cell["fold"], fold == cell["fold"]))
    chosen = cell["classifier"], prepared, train, test
    posteriors = (
        weka_posteriors(*chosen) if cell["by"] == "Weka" else stand_in_posteriors(*chosen, rng)
    )
    rows = np.concatenate([train, test])
    return pl.DataFrame(
        {
            "row": rows,
            "is_test": np.arange(len(rows)) >= len(train),
            "truth": prepared.y[rows],
            "posterior": np.concatenate(posteriors).tolist(),
        }
    )
