"""How many decisions a second under leases, by how many processes share the machine, and what a lease costs.

    python benchmarks/bench_lease_speed.py [--cases 20000] [--where postgresql://...]

Each process takes leases of one deployment, decides its cases in batches of 50 with a journal on the disk, and hands in. From what
granting and handing in cost the deployment follows how many deciders it can serve: the table's last rows are computed.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import shutil
import tempfile
import time
from pathlib import Path

import numpy as np

from askpoint.live.policy import Policy
from askpoint.live.terms import Terms
from askpoint.records.leased_decider import LeasedDecider
from askpoint.records.stores.deployment import Deployment

SECRET = b"sixteen or more bytes"
LEASE = 500  # cases of a lease
BATCH = 50  # that come together


def policy():
    """A policy that answers a third."""
    rng = np.random.default_rng(0)
    confidence = 1 - rng.beta(0.6, 2.2, 4000) / 2
    right = rng.random(4000) < 1 - 1.3 * (1 - confidence)
    terms = Terms("money", 0.05, planned_decisions=10**7, max_label_delay=10**6)
    return Policy.from_log(confidence, right, terms, secret=SECRET, name="bench")


def work(where, number, n, out):
    """Decide n cases under leases; write down what it took."""
    rng = np.random.default_rng(number)
    confidence = (1 - rng.beta(0.6, 2.2, n) / 2).tolist()
    costs = {"decide": 0.0, "grant": 0.0, "hand in": 0.0, "leases": 0}
    with Deployment(where) as deployment, tempfile.TemporaryDirectory() as folder:
        for start in range(0, n, LEASE):
            begin = time.process_time()
            grant = deployment.lease(f"p{number}", deciders=8)
            costs["grant"] += time.process_time() - begin
            decider = LeasedDecider(grant, Path(folder) / f"{start}")
            begin = time.process_time()
            for i in range(start, min(n, start + LEASE), BATCH):
                rows = range(i, min(n, i + BATCH))
                keys = [f"{number}-{j}" for j in rows]
                decider.decide(keys, confidence=confidence[i : i + len(rows)])
            costs["decide"] += time.process_time() - begin
            receipts = decider.receipts()
            begin = time.process_time()
            deployment.hand_in(receipts)
            costs["hand in"] += time.process_time() - begin
            costs["leases"] += 1
    Path(out).write_text(json.dumps(costs))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--processes", type=int, nargs="*", default=[1, 2, 4, 8])
    options = parser.parse_args()
    print(
        "| processes | decisions | a second, by the clock | of processor, a decision | a lease granted | handed in |"
    )
    print("|---|---|---|---|---|---|")
    for processes in options.processes:
        home = Path(tempfile.mkdtemp())
        Deployment(home / "posts", policy(), secret=SECRET).close()
        each = options.cases // processes
        workers = [
            multiprocessing.Process(target=work, args=(home / "posts", i, each, home / f"{i}.json"))
            for i in range(processes)
        ]
        begin = time.perf_counter()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        seconds = time.perf_counter() - begin
        costs = [json.loads((home / f"{i}.json").read_text()) for i in range(processes)]
        n, leases = each * processes, sum(one["leases"] for one in costs)
        decide, grant, hand_in = (
            sum(one[name] for one in costs) for name in ("decide", "grant", "hand in")
        )
        print(
            f"| {processes} | {n:,} | {n / seconds:,.0f} | {1e6 * decide / n:.0f} µs | {1e3 * grant / leases:.1f} ms "
            f"| {1e3 * hand_in / leases:.1f} ms |", flush=True,
        )  # fmt: skip
        with Deployment(home / "posts") as deployment:
            assert deployment.policy.state.decided == n + deployment.document.state.decided
            assert deployment.verify().difference is None
        shutil.rmtree(home)
    one, central = decide / n, (grant + hand_in) / leases / LEASE
    for deciders in (100, 1000):
        most = min(deciders / one, 1 / central)
        print(
            f"| {deciders:,}, computed: a core each, and one for the deployment | | {most:,.0f} | | | |"
        )


if __name__ == "__main__":
    main()
