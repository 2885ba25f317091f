"""How much three judges leave open, by how far their errors may correlate: widths of intervals.

``python benchmarks/bench_judges_widths.py`` prints the table of docs/evidence/judges.md. Needs the shared data
sets, in the folder that ASKPOINT_DATA names; the 101 sketches of adult need the package ntqr, which `make
oracles` brings: ``.venv/oracles/bin/python benchmarks/bench_judges_widths.py``.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
from oracles import Missing, cells_of, ntqr_sketches

from askpoint.judges.trios.bounded_correlations import bound_evaluation

BOUNDS = (0.0, 0.01, 0.02, 0.05)
TRIOS, COMMON, SEED = 200, 100, 0
Cells = list[int]


def trios_of(file: str) -> Iterator[Cells]:
    """Yield the counts of trios of judges with enough items in common; drawn where there are many."""
    votes = pl.read_csv(Path(os.environ["ASKPOINT_DATA"], file), infer_schema=False)
    labels = sorted(set(votes["label"]))
    if len(labels) != 2:
        raise SystemExit(f"{file} has {len(labels)} labels; two are needed")
    wide = votes.unique(["worker", "task"], keep="last", maintain_order=True).pivot(
        "worker", index="task", values="label", maintain_order=True
    )
    codes = wide.drop("task").select(pl.all() == labels[1]).cast(pl.Int64).fill_null(-1).to_numpy()
    trios = list(itertools.combinations(range(codes.shape[1]), 3))
    for place in np.random.default_rng(SEED).permutation(len(trios)).tolist():
        three = codes[:, trios[place]]
        full = three[(three >= 0).all(axis=1)]
        if len(full) >= COMMON:
            yield np.bincount(full @ np.array([4, 2, 1]), minlength=8).tolist()


def widths(cells: list[Cells], bound: float) -> tuple[int, float, float]:
    """Return how many trios are possible, and median widths of the prevalence and of an accuracy."""
    found = [one for one in (bound_evaluation(each, bound) for each in cells) if one is not None]
    if not found:
        return 0, float("nan"), float("nan")
    p = [one.prevalence[1] - one.prevalence[0] for one in found]
    accuracies = [
        high - low for one in found for of_judge in one.accuracy for low, high in of_judge
    ]
    return len(found), float(np.median(p)), float(np.median(accuracies))


def main() -> None:
    """Print a row for each panel and bound."""
    panels = {
        "RewardBench 2": list(itertools.islice(trios_of("panels/rewardbench2.csv.gz"), TRIOS)),
        "LLMBar": list(itertools.islice(trios_of("panels/llmbar.csv.gz"), TRIOS)),
        "bluebird, a crowd": list(itertools.islice(trios_of("crowd/bluebird.csv.gz"), TRIOS)),
    }
    try:
        panels["adult, ntqr's sketches"] = [cells_of(sketch) for sketch in ntqr_sketches()]
    except Missing as why:
        print(f"adult's sketches are left out: {why}")
    print("| | g | trios possible | width of p | width of an accuracy |\n|---|---|---|---|---|")
    for name, cells in panels.items():
        for bound in BOUNDS:
            n, p, accuracy = widths(cells, bound)
            print(f"| {name} | {bound:g} | {n} of {len(cells)} | {p:.2f} | {accuracy:.2f} |")


if __name__ == "__main__":
    main()
