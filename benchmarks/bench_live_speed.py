"""How fast a deployment decides, labels and starts, and how fast a stranger verifies it.

    python benchmarks/bench_live_speed.py [DECISIONS [WAITING]]

Processor seconds, of program and kernel, so that other work on the machine does not count. DECISIONS is the life
that is opened (1,000,000), WAITING how many labels are awaited while single cases are decided (100,000). Where
ASKPOINT_POSTGRES names a server in which databases may be made, the same is timed in one of them; seconds are those
of the caller, and of the server where it runs on this machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from askpoint.live.policy import Policy
from askpoint.live.terms import Terms
from askpoint.live.worth import LivePrices
from askpoint.records.stores.deployment import Deployment

SECRET = b"a secret of more than sixteen bytes"
MODEL = {"version": "1", "classes": ["no", "yes"]}
BATCH, AWAITED = 10_000, 2000
OPENED = """
import sys, time
from askpoint.records.stores.deployment import Deployment
import askpoint.live.policy, askpoint.live.status, numpy, polars
start = time.process_time()
deployment = Deployment(sys.argv[1])
deployment.decide("opened", confidence=0.9)
print(time.process_time() - start)
"""


def world(n, seed):
    rng = np.random.default_rng(seed)
    c = 1 - rng.beta(0.6, 2.2, n) / 2
    return c, rng.random(n) < np.minimum(0.5, 1.3 * (1 - c) + 0.002)


def fresh(name):
    c, wrong = world(5000, 0)
    terms = Terms("money", 0.05, has_budget=False, max_label_delay=10_000_000)
    return Policy.from_log(c, ~wrong, terms, secret=SECRET, name=name, model=MODEL)


def timed(what, n, call):
    start, wall = time.process_time(), time.perf_counter()
    call()
    seconds, wall = time.process_time() - start, time.perf_counter() - wall
    print(
        f"{what}: {n / seconds:,.0f} a second of processor, {n / wall:,.0f} by the clock",
        flush=True,
    )


def timed_in_postgres(what, n, call):
    """Time callers and server: the processes of this machine that are called postgres."""
    before, start, wall = server_seconds(), time.process_time(), time.perf_counter()
    call()
    own, wall = time.process_time() - start, time.perf_counter() - wall
    server = server_seconds() - before
    there = f"{n / server:,.0f} of the server's" if server > 0 else "the server's not known"
    print(
        f"{what}: {n / own:,.0f} a second of the caller's processor, {there}, {n / wall:,.0f} by the clock",
        flush=True,
    )


def server_seconds():
    """Processor seconds of all sessions of PostgreSQL on this machine so far; 0 where there are none."""
    ticks = 0
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = place.read_text().partition(")")
        except OSError:
            continue  # it has ended
        if name.endswith("(postgres"):
            ticks += sum(map(int, rest.split()[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def singles(service, name, n):
    c, _ = world(n, 5)
    for i, sure in enumerate(c.tolist()):
        service.decide(f"{name}-{i}", confidence=sure)


def from_threads(service, name, n):
    threads = [
        threading.Thread(target=singles, args=(service, f"{name}-{i}", n // 40)) for i in range(40)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def labelled(service, keys):
    right = True
    for key in keys:
        service.label(key, right)


def decided(service, name, n, size=BATCH):
    c, _ = world(n, 1)
    for start in range(0, n, size):
        rows = range(start, min(n, start + size))
        service.decide([f"{name}-{i}" for i in rows], confidence=c[rows.start : rows.stop])


def waiting(place, n):
    """Decide and label while so many labels are awaited."""
    service = Deployment(place / f"waiting-{n}", fresh("waiting"), secret=SECRET)
    while len(wanted := service.wanted_keys()) < n:
        decided(service, f"fill-{len(wanted)}", max(1000, min(BATCH, n)))
    print(f"while {len(wanted):,} labels are awaited:")
    timed("  decided singly by one caller", 2000, lambda: singles(service, "one", 2000))
    timed("  decided singly by 40 threads", 8000, lambda: from_threads(service, "many", 8000))
    timed("  decided in batches of 10,000", 50_000, lambda: decided(service, "batch", 50_000))
    told = wanted[::-1][: min(500, len(wanted))]
    timed("  labelled singly", len(told), lambda: labelled(service, told))
    service.close()


def long_life(place, n):
    """Decide a life, label all but the last, open it in a process of its own, and verify it."""
    service = Deployment(place / "life", fresh("life"), secret=SECRET)
    _, wrong = world(n, 1)
    timed(f"decided a life of {n:,} in batches", n, lambda: decided(service, "life", n))
    wanted = service.wanted_keys()[:-AWAITED]
    labels = [not wrong[int(key.split("-")[1])] for key in wanted]
    timed("labelled it", len(wanted), lambda: service.label(wanted, labels))
    size = (place / "life" / "state.sqlite").stat().st_size
    print(f"awaited: {len(service.wanted_keys()):,}; {size / n:,.0f} bytes a decision")
    for _ in range(3):
        seconds = subprocess.run(
            [sys.executable, "-c", OPENED, str(place / "life")], capture_output=True, text=True, check=True
        ).stdout  # fmt: skip
        print(f"opened, and one case decided: {1000 * float(seconds):.0f} ms of processor")
    timed("verified", n, lambda: print(service.verify().difference or "all is as it should be"))
    prices = LivePrices(mistake=20, check=1)
    timed("looked at (a second)", 20, lambda: [service.history(prices).worth for _ in range(20)])
    service.close()


def in_postgres(server):
    """Decide and label in a database of its own."""
    import psycopg

    name = f"askpoint_bench_{os.getpid()}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0")
    try:
        service = Deployment(server.rpartition("/")[0] + f"/{name}", fresh("there"), secret=SECRET)
        decided(service, "fill", 5000)
        print("in PostgreSQL:")
        timed_in_postgres(
            "  decided singly by one caller", 2000, lambda: singles(service, "one", 2000)
        )
        timed_in_postgres(
            "  decided singly by 40 threads", 8000, lambda: from_threads(service, "many", 8000)
        )
        timed_in_postgres(
            "  decided in batches of 100", 40_000, lambda: decided(service, "few", 40_000, 100)
        )
        timed_in_postgres(
            "  decided in batches of 10,000", 100_000, lambda: decided(service, "batch", 100_000)
        )
        told = service.wanted_keys()[::-1][:500]
        timed_in_postgres("  labelled singly", len(told), lambda: labelled(service, told))
        service.close()
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def main(n, awaited):
    if server := os.environ.get("ASKPOINT_POSTGRES"):
        in_postgres(server)
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        waiting(place, 10)
        waiting(place, awaited)
        long_life(place, n)


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    main(*given, *(1_000_000, 100_000)[len(given) :])
