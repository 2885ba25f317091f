"""What `askpoint judges` takes of the processor on large tables, beside polars' scan of the same file.

`python benchmarks/bench_judges_command.py`: a million items of ten judges, and 3,000 items of a thousand; three runs each,
processor time of the whole process.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl

SCAN = (
    "import polars as pl; table = pl.scan_csv({path!r}).drop('task'); "
    "table.group_by(table.collect_schema().names()).len().collect()"
)


def write(path: Path, n_items: int, n_judges: int) -> None:
    rng = np.random.default_rng(0)
    truth, words = rng.integers(0, 2, n_items), np.array(["fail", "pass"])
    votes = {
        f"j{i}": words[np.where(rng.random(n_items) < 0.8, truth, 1 - truth)]
        for i in range(n_judges)
    }
    pl.DataFrame({"task": np.arange(n_items)} | votes).write_csv(path)


def processor_time(*command: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    python = sys.executable
    with TemporaryDirectory() as folder:
        for n_items, n_judges in ((1_000_000, 10), (3000, 1000)):
            path = Path(folder, "votes.csv")
            write(path, n_items, n_judges)
            judges = (python, "-m", "askpoint", "judges", str(path))
            works = {
                "loading polars": (python, "-c", "import polars"),
                "and scanning": (python, "-c", SCAN.format(path=str(path))),
                "askpoint judges": judges,
            }
            for what, command in works.items():
                seen = " ".join(f"{processor_time(*command):.2f}" for _ in range(3))
                print(f"{n_items:,} items, {n_judges} judges, {what}: {seen} s", flush=True)


if __name__ == "__main__":
    main()
