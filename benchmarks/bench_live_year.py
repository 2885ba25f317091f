"""A year of minutely batches on one folder, and a life of ten million decisions that is opened.

    python benchmarks/bench_live_year.py [SECONDS [DECISIONS]]

Batches of twenty cases come each minute of a clock that is told, and labels each day, until a year is over or SECONDS
of processor (700) are used up; then files are counted, and the first and last thousand calls are timed. The second life
has DECISIONS (10,000,000) in batches of 50,000, and is opened by a process of its own, which decides one case.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from bench_live_speed import OPENED, SECRET, fresh, world

from askpoint.records.stores.deployment import Deployment

CASES, MINUTE, DAY = 20, 60_000_000, 1440


def quantiles(seconds):
    return ", ".join(f"{1000 * q:,.1f}" for q in np.quantile(seconds, [0.5, 0.99, 1.0]))


def year(place, most):
    """Decide until a year or the time is over; print what a call takes at the beginning and at the end."""
    service = Deployment(place, fresh("year"), secret=SECRET)
    c, wrong = world(50_000, 1)
    calls, begun, batch = [], time.process_time(), 0
    while batch < 365 * DAY and time.process_time() - begun < most:
        rows = np.arange(batch * CASES, (batch + 1) * CASES) % len(c)
        keys = [f"{batch}-{i}" for i in range(CASES)]
        start = time.perf_counter()
        service.decide(keys, confidence=c[rows], at=batch * MINUTE)
        calls.append(time.perf_counter() - start)
        batch += 1
        if batch % DAY == 0:
            wanted = service.wanted_keys()
            known = [int(key.split("-")[0]) * CASES + int(key.split("-")[1]) for key in wanted]
            labels = [not wrong[n % len(c)] for n in known]
            if wanted:
                service.label(wanted, labels, at=batch * MINUTE)
    files = sum(path.is_file() for path in Path(place).rglob("*"))
    size = sum(path.stat().st_size for path in Path(place).rglob("*") if path.is_file())
    print(
        f"{batch:,} batches of {CASES}, {batch / DAY:.0f} days, {time.process_time() - begun:,.0f} s of processor"
    )
    print(f"files {files:,}, {size / 1e6:,.0f} MB")
    for name, part in (("first", calls[:1000]), ("last", calls[-1000:]), ("all", calls)):
        print(
            f"{name}: a call by the clock, ms, median, 99%, longest: {quantiles(part)}", flush=True
        )
    service.close()
    opened(place, "the same, opened anew")


def opened(place, what):
    made = [
        float(subprocess.run([sys.executable, "-c", OPENED, str(place)], check=True, capture_output=True).stdout)
        for _ in range(3)
    ]  # fmt: skip
    print(f"{what}: {1000 * min(made):.1f} ms of processor, imports apart", flush=True)


def long_life(place, n):
    """Decide so many, label all but the last 2,000 of each part, and open it."""
    service, begun = Deployment(place, fresh("long"), secret=SECRET), time.process_time()
    for start in range(0, n, 50_000):
        c, wrong = world(50_000, start)
        keys = [f"{start}-{i}" for i in range(50_000)]
        service.decide(keys, confidence=c)
        wanted = service.wanted_keys()[:-2000]
        labels = [not wrong[int(key.split("-")[1])] for key in wanted]
        service.label(wanted, labels)
    print(f"{n:,} decisions in {time.process_time() - begun:,.0f} s of processor", flush=True)
    print(
        f"awaited {len(service.wanted_keys()):,}, {sum(p.stat().st_size for p in Path(place).rglob('*') if p.is_file()) / 1e9:.2f} GB"
    )
    service.close()
    opened(place, f"{n:,} decisions, opened anew")


def main(seconds, n):
    with tempfile.TemporaryDirectory() as folder:
        year(Path(folder) / "year", seconds)
        long_life(Path(folder) / "long", n)


if __name__ == "__main__":
    main(
        float(sys.argv[1]) if len(sys.argv) > 1 else 700,
        int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000,
    )
