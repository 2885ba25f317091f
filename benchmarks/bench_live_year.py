"""A year of batches on one folder, and a life of ten million decisions that is opened.

    python benchmarks/bench_live_year.py [--minutely DAYS] [--cases 20] [--seconds 700] [--decisions 10000000]

The last DAYS of 365 (all, by default) come in a batch of so many cases each minute of a clock that is told; the days
before them, which leave as many rows and files behind, in one batch an hour. Labels come each day. It ends after so many
seconds of processor, too. Then files are counted, and the first and last thousand calls are timed. The second life, of so
many decisions (0: none) in batches of 50,000, is opened by a process of its own, which decides one case.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from bench_live_speed import OPENED, SECRET, fresh, world

from askpoint.records.stores.deployment import Deployment

MINUTE, DAY, YEAR = 60_000_000, 1440, 365


def quantiles(seconds):
    return ", ".join(f"{1000 * q:,.1f}" for q in np.quantile(seconds, [0.5, 0.99, 1.0]))


def year(place, most, cases, minutely):
    """Decide until a year or the time is over; print what a call takes at the beginning and at the end."""
    service = Deployment(place, fresh("year"), secret=SECRET)
    c, wrong = world(50_000, 1)
    calls, begun, minute = [], time.process_time(), 0
    while minute < YEAR * DAY and time.process_time() - begun < most:
        minutes = 1 if minute >= (YEAR - minutely) * DAY else 60
        n = cases * minutes
        numbers = range(minute * cases, minute * cases + n)
        rows = np.arange(numbers.start, numbers.stop) % len(c)
        minute += minutes
        start, spent = time.perf_counter(), time.process_time()
        service.decide([f"case-{i}" for i in numbers], confidence=c[rows], at=minute * MINUTE)
        if minute % DAY == 0:
            wanted = service.wanted_keys()
            labels = [not wrong[int(key.split("-")[1]) % len(c)] for key in wanted]
            if wanted:
                service.label(wanted, labels, at=minute * MINUTE)
        calls.append((time.perf_counter() - start, time.process_time() - spent))
    files = sum(path.is_file() for path in Path(place).rglob("*"))
    size = sum(path.stat().st_size for path in Path(place).rglob("*") if path.is_file())
    print(
        f"{len(calls):,} batches, {minute * cases:,} decisions, {minute / DAY:.0f} days, the last {minutely} by the minute: "
        f"{time.process_time() - begun:,.0f} s of processor"
    )
    print(f"files {files:,}, {size / 1e6:,.0f} MB")
    for name, part in (("first", calls[:1000]), ("last", calls[-1000:]), ("all", calls)):
        clock, processor = zip(*part, strict=True)
        print(
            f"{name}: a call, ms, median, 99%, longest: {quantiles(clock)} by the clock, {quantiles(processor)} of processor",
            flush=True,
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


def main(options):
    with tempfile.TemporaryDirectory() as folder:
        year(Path(folder) / "year", options.seconds, options.cases, options.minutely)
        if options.decisions:
            long_life(Path(folder) / "long", options.decisions)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutely", type=int, default=YEAR, help="days")
    parser.add_argument("--cases", type=int, default=20, help="a minute")
    parser.add_argument("--seconds", type=float, default=700.0, help="of processor")
    parser.add_argument("--decisions", type=int, default=10_000_000)
    main(parser.parse_args())
