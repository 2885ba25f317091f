"""How long it takes to draw an examination from a long log, beside a plain scan of the same file.

The rows are random; the file is written to a temporary folder. One argument: rows, else 10,000,000.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import polars as pl

from askpoint.records.examinations import draw_sample
from askpoint.records.log_stream import log_batches
from askpoint.records.scored_batches import ScoredTable
from askpoint.records.tables import open_table
from askpoint.unknowns.examination import ExaminationDesign

_PART = 1_000_000


def write(path: Path, n: int) -> None:
    """Write a log of a model that is mostly sure, a million rows at a time."""
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    writer = None
    for start in range(0, n, _PART):
        rows = min(_PART, n - start)
        p = rng.beta(0.4, 2, rows).astype(np.float32)
        part = pl.DataFrame(
            {"id": np.arange(start, start + rows), "proba_ham": 1 - p, "proba_spam": p}
        ).to_arrow()
        writer = writer or pq.ParquetWriter(path, part.schema)
        writer.write_table(part)
    if writer is not None:
        writer.close()


def raw_scan(path: Path) -> None:
    """Read all columns in batches, and look at no cell."""
    table = open_table(path)
    for frame in table.batches(table.columns, 1 << 18):
        len(frame)


def checked_scan(path: Path) -> None:
    """Read and check all rows once, as every command that streams a log does."""
    scored = ScoredTable.open(open_table(path))
    for _ in log_batches(scored.table, scored.columns, scored.classes):
        pass


def drawing(method: str):
    def draw(path: Path) -> None:
        draw_sample(ScoredTable.open(open_table(path)), ExaminationDesign(method, 500), 0)

    return draw


TASKS = {
    "raw scan": raw_scan,
    "checked scan": checked_scan,
    "draw, stratified": drawing("stratified"),
    "draw, Neyman": drawing("neyman"),
}


def one(name: str, path: str) -> None:
    """Run one task in this process: seconds by the clock, of the processor, and the memory it took."""
    start, used = perf_counter(), process_time()
    TASKS[name](Path(path))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(perf_counter() - start, process_time() - used, peak)


def main(n: int) -> None:
    """Run all tasks in turn, each in a process of its own, on logs of n / 10 and n rows."""
    with tempfile.TemporaryDirectory() as folder:
        print(
            f"{'rows':>11} {'task':18} {'s':>6} {'CPU s':>6} {'times the checked scan':>23} {'MB':>6}"
        )
        for rows in (n // 10, n):
            path = Path(folder, f"{rows}.parquet")
            write(path, rows)
            rounds = [
                {
                    name: [
                        float(word)
                        for word in subprocess.run(
                            [sys.executable, __file__, "--one", name, str(path)],
                            check=True,
                            capture_output=True,
                            text=True,
                        ).stdout.split()
                    ]
                    for name in TASKS
                }
                for _ in range(3)
            ]
            for name in TASKS:
                seconds, used, peak = np.median([item[name] for item in rounds], axis=0)
                ratio = np.median([item[name][1] / item["checked scan"][1] for item in rounds])
                print(f"{rows:11,} {name:18} {seconds:6.2f} {used:6.2f} {ratio:23.2f} {peak:6.0f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        one(*sys.argv[2:])
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else 10_000_000)
