"""A thin runner of grids of experiments, which knows no paper.

A cell is one configuration. Its rows go into a file of their own as soon as they are there, so that a
run that was killed goes on where it stopped, whatever the number of processes.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from askpoint.records.artefacts import make_folder, write_parquet

__all__ = ["Configuration", "Rows", "Work", "run_grid"]

Configuration = Mapping[str, Any]
"""What is varied: names and plain values, which become columns."""

Rows = Sequence[Mapping[str, Any]] | pl.DataFrame
"""What a cell found: one mapping for each row, all with the same names, or a table of them."""

Work = Callable[[Configuration, np.random.Generator], Rows]
"""What is done in a cell; it must be importable for other processes."""


def run_grid(
    name: str,
    cells: Sequence[Configuration],
    work: Work,
    folder: Path,
    *,
    seed: int = 0,
    stamp: str = "",
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
    say: Callable[[str], None] | None = None,
) -> pl.DataFrame:
    """Run each cell that has no checkpoint in a folder; return the rows of all, in their order.

    Each row holds experiment, version, seed and configuration beside what was found; the stamp says
    from what data. A cell's random numbers follow from seed, experiment and configuration alone. A
    checkpoint of another version, seed or stamp is left alone, one that cannot be read is made anew.
    """
    from joblib import Parallel, delayed

    version = importlib.metadata.version("askpoint")
    kept = make_folder(folder / "cells")
    paths = [
        kept / f"{name}-{_digest(name, dict(cell), version, seed, stamp)[:20]}.parquet"
        for cell in cells
    ]
    frames = {place: _checkpoint(path, say) for place, path in enumerate(paths)}
    missing = [place for place, frame in frames.items() if frame is None]
    if say is not None and len(missing) < len(cells):
        say(f"{name}: {len(cells) - len(missing)} of {len(cells)} cells were done before")
    done = len(cells) - len(missing)
    if progress is not None:
        progress(done, len(cells))
    tasks = (delayed(_run_work)(place, work, cells[place], name, seed) for place in missing)
    for place, rows in Parallel(n_jobs=jobs, return_as="generator_unordered")(tasks):
        fixed = {"experiment": name, "version": version, "seed": seed, **cells[place]}
        found = pl.DataFrame(rows, infer_schema_length=None)
        frame = pl.DataFrame([fixed]).join(found, how="cross")
        write_parquet(paths[place], frame)
        frames[place] = frame
        done += 1
        if progress is not None:
            progress(done, len(cells))
    return pl.concat(
        [frame for frame in frames.values() if frame is not None], how="diagonal_relaxed"
    )


def _run_work(
    place: int, work: Work, cell: Configuration, name: str, seed: int
) -> tuple[int, Rows]:
    number = int(_digest(name, dict(cell))[:16], 16)
    return place, work(cell, np.random.default_rng([seed, number]))


def _digest(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _checkpoint(path: Path, say: Callable[[str], None] | None) -> pl.DataFrame | None:
    """Read a checkpoint; None if there is none, or half of one."""
    if not path.exists():
        return None
    try:
        return pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError):
        if say is not None:
            say(f"{path.name} was half-written: its cell is done again")
        return None
