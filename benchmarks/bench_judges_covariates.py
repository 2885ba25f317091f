"""What covariates of items bring to the share of a label, beside votes and labels alone.

`python benchmarks/bench_judges_covariates.py [--draws N]`: how often the 95% interval held, its half width, the root mean
square error, and how often the covariate was used, with 60, 100 and 200 labels drawn at random.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
from judge_panels import folder, table_with_gold

from askpoint.judges.gold.evaluation import evaluate_labelled
from askpoint.judges.gold.item_covariates import ItemCovariate, bin_covariate
from askpoint.judges.gold.labelled_patterns import label_items
from askpoint.judges.gold.residual_totals import totals_of
from askpoint.judges.sketch.tables import VoteTable

LABELS = (60, 100, 200)
Case = tuple[VoteTable, np.ndarray, dict[str, ItemCovariate]]


def leaning(rng: np.random.Generator, n: int = 1500) -> Case:
    """Five judges, three of whom pass what is long."""
    length = rng.lognormal(5, 1, n)
    truth = (rng.random(n) < 0.5).astype(int)
    lean = np.where(np.arange(5) < 3, 1.5, 0.0) * (np.log(length) - 5)[:, None]
    odds = np.where(truth == 1, 1.2, -1.2)[:, None] + lean
    votes = (rng.random((n, 5)) < 1 / (1 + np.exp(-odds))).astype(np.int16)
    table = VoteTable(tuple(map(str, range(n))), tuple("abcde"), ("fail", "pass"), votes)
    noise = bin_covariate("noise", rng.random(n).tolist())
    return table, truth, {"length": bin_covariate("length", length.tolist()), "noise": noise}


def real(name: str, column: str) -> Case:
    """A panel of language models, and a column of its items."""
    table, truth = table_with_gold(f"panels/{name}")
    if len(table.labels) == 4:
        codes = np.where(table.codes < 0, -1, table.codes >= 2).astype(np.int16)
        table, truth = replace(table, labels=("0-1", "2-3"), codes=codes), (truth >= 2).astype(int)
    path = Path(os.environ["ASKPOINT_DATA"], f"panels/{name}.items.csv.gz")
    items = pl.read_csv(path, infer_schema=False)
    known = dict(zip(items["task"], items[column], strict=True))
    return table, truth, {column: bin_covariate(column, [known.get(t) for t in table.tasks])}


def cases(draws: int) -> Iterator[tuple[str, list[Case], int]]:
    worlds = [leaning(np.random.default_rng(seed)) for seed in range(max(draws // 2, 1))]
    yield "leaning", worlds, 8
    if folder() is not None:
        yield "trec33 0-1/2-3", [real("llmjudge_trec", "query")], draws
        yield "rewardbench9", [real("rewardbench2", "subset")], draws


def measure(name: str, of: list[Case], draws: int, m: int) -> None:
    rows: dict[str, list[tuple[float, ...]]] = {}
    for world, (table, truth, known) in enumerate(of):
        last = len(table.labels) - 1
        share = float(np.mean(truth == last))
        for seed in range(draws):
            items = np.random.default_rng([world, seed, m]).choice(len(truth), m, replace=False)
            gold = {table.tasks[i]: table.labels[truth[i]] for i in items}
            for column, covariates in (("none", ()), *((k, (v,)) for k, v in known.items())):
                totals = totals_of(label_items(table, gold, covariates).as_drawn("as proposed"))
                found = evaluate_labelled(totals, accuracies=False)
                low, high = found.interval().prevalence[table.labels[last]]
                off = found.prevalence[table.labels[last]] - share
                used = totals[-1].curve.uses_covariates
                row = (low <= share <= high, (high - low) / 2, off**2, used)
                rows.setdefault(column, []).append(row)
    for column, seen in rows.items():
        held, half, square, used = np.mean(np.array(seen, dtype=float), axis=0)
        print(
            f"| {name} | {m} | {column} | {held:.3f} | {half:.3f} | {square**0.5:.4f} | {used:.2f} |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=80)
    asked = parser.parse_args()
    print("| panel | labels | covariate | held | half width | root mean square error | used |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, of, draws in cases(asked.draws):
        for m in LABELS:
            measure(name, of, draws, m)


if __name__ == "__main__":
    main()
