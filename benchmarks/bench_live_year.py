"""A year of batches on one folder, and a life of ten million decisions that is opened.

    python benchmarks/bench_live_year.py [--minutely DAYS] [--cases 20] [--seconds 700] [--decisions 10000000] [--filled N]

The last DAYS of 365 (all, by default) come in a batch of so many cases each minute of a clock that is told; the days
before them, which leave as many rows and files behind, in one batch an hour. Labels come each day. It ends after so many
seconds of processor, too. Then files are counted, and the first and last thousand calls are timed. The second life, of so
many decisions (0: none) in batches of 50,000, is opened by a process of its own, which decides one case. With
ASKPOINT_POSTGRES, a third life of 20,000 decisions has N rows more (0: none) filled in by SQL, in a database of its own.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from bench_live_speed import (
    AWAITED,
    OPENED,
    SECRET,
    decided,
    fresh,
    singles,
    timed_in_postgres,
    world,
)

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
        if minute % (30 * DAY) == 0:
            done = time.process_time() - begun
            print(
                f"day {minute // DAY}: {len(calls):,} batches, {done:,.0f} s of processor, longest call "
                f"{max(spent for _, spent in calls):.2f} s, {sum(path.is_file() for path in Path(place).rglob('*'))} files",
                flush=True,
            )
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
    driver = "import psycopg, askpoint.records.stores.postgres\n" if "://" in str(place) else ""
    made = [
        float(subprocess.run([sys.executable, "-c", driver + OPENED, str(place)], check=True, capture_output=True).stdout)
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


def filled(server, n):
    """Open a deployment in PostgreSQL with so many rows, and decide there."""
    import psycopg

    name = f"askpoint_bench_{os.getpid()}"
    place = f"{server.rpartition('/')[0]}/{name}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0")
    try:
        service = Deployment(place, fresh("filled"), secret=SECRET)
        decided(service, "lived", 20_000)
        wanted = service.wanted_keys()[:-AWAITED]
        service.label(wanted, [True] * len(wanted))
        with psycopg.connect(place, autocommit=True) as connection:
            fill(connection, n)
        opened(place, f"{n:,} rows filled in, {len(service.wanted_keys()):,} labels awaited")
        timed_in_postgres(
            "  decided singly by one caller", 500, lambda: singles(service, "one", 500)
        )
        timed_in_postgres(
            "  decided in batches of 10,000", 50_000, lambda: decided(service, "batch", 50_000)
        )
        service.close()
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def fill(connection, n):
    """Add rows behind those that were lived, a million at a time."""
    (schema,) = connection.execute(
        "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'askpoint%'"
    ).fetchone()
    connection.execute(f'SET search_path TO "{schema}"')
    columns = [
        row[0]
        for row in connection.execute(
            "SELECT column_name FROM information_schema.columns "
            "WHERE table_schema = %s AND table_name = 'decisions' ORDER BY ordinal_position",
            (schema,),
        )
    ]
    far = 10**9
    new = {"seq": f"{far} + g", "key": "'filled-' || g", "leaf": f"{far} + g"}
    values = ", ".join(new.get(column, f"d.{column}") for column in columns)
    statement = (
        f"INSERT INTO decisions ({', '.join(columns)}) SELECT {values} "  # noqa: S608
        "FROM generate_series(%s::bigint, %s::bigint) g JOIN decisions d ON d.seq = g %% 20000"
    )
    for start in range(0, n, 1_000_000):
        stop = min(n, start + 1_000_000)
        connection.execute(statement, (start, stop - 1))
        print(f"  {stop:,} rows filled in", flush=True)
    (size,) = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    print(f"  {size / 1e9:.2f} GB", flush=True)


def main(options):
    if options.filled:
        filled(os.environ["ASKPOINT_POSTGRES"], options.filled)
    with tempfile.TemporaryDirectory() as folder:
        if options.seconds:
            year(Path(folder) / "year", options.seconds, options.cases, options.minutely)
        if options.decisions:
            long_life(Path(folder) / "long", options.decisions)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutely", type=int, default=YEAR, help="days")
    parser.add_argument("--cases", type=int, default=20, help="a minute")
    parser.add_argument("--seconds", type=float, default=700.0, help="of processor")
    parser.add_argument("--decisions", type=int, default=10_000_000)
    parser.add_argument("--filled", type=int, default=0, help="rows in PostgreSQL")
    main(parser.parse_args())
