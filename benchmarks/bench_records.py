"""Reading logs: `read_log`, and files that are looked through, beside polars' bare reading of them."""

from __future__ import annotations

import resource
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np
import polars as pl

from askpoint.records.logs import read_log
from askpoint.records.readers.registry import read_files

KINDS = {
    "parquet": (pl.DataFrame.write_parquet, pl.read_parquet),
    "csv": (pl.DataFrame.write_csv, pl.read_csv),
    "jsonl": (pl.DataFrame.write_ndjson, pl.read_ndjson),
}


def log(n: int) -> pl.DataFrame:
    """Two classes in float32, numbered cases, labels on 70%."""
    rng = np.random.default_rng(0)
    p = rng.random(n, dtype=np.float32)
    labels = pl.Series(np.where(rng.random(n) < p, "spam", "ham"))
    return pl.DataFrame({
        "id": np.arange(n),
        "label": labels.set(pl.Series(rng.random(n) < 0.3), None),
        "proba_ham": 1 - p,
        "proba_spam": p,
    })  # fmt: skip


def best_of(runs: int, work: Callable[[], object]) -> float:
    times = []
    for _ in range(runs):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


def main() -> None:
    print(
        f"{'file':8} {'rows':>9} {'MB':>5} {'polars s':>9} {'read_log s':>11} {'ratio':>6} {'looked through s':>17} {'ratio':>6}"
    )
    with tempfile.TemporaryDirectory() as folder:
        for kind, n in [("parquet", 10**6), ("csv", 10**6), ("jsonl", 10**6), ("parquet", 10**7)]:
            path = Path(folder, f"log.{kind}")
            write, read = KINDS[kind]
            write(log(n), path)
            bare = best_of(3, lambda: read(path))  # noqa: B023
            ours = best_of(3, lambda: read_log(path))  # noqa: B023
            size = path.stat().st_size / 1e6
            looked = best_of(3, lambda: read_files([path]))  # noqa: B023
            print(
                f"{kind:8} {n:9} {size:5.0f} {bare:9.3f} {ours:11.3f} {ours / bare:6.1f} {looked:17.3f} "
                f"{looked / bare:6.1f}"
            )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of the run, making the 1e7 rows included: {peak:.0f} MB")


if __name__ == "__main__":
    main()
