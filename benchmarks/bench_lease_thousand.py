"""A thousand deciders under leases, simulated with costs that are measured first.

    python benchmarks/bench_lease_thousand.py [LEASES]

LEASES (60) leases of 500 cases are granted, decided and handed in by one process on a folder; the processor time of each step is
kept. Then deciders with a processor of their own each are simulated against one deployment with one: it serves grants and
hand-ins in the order in which they come, each for a time drawn from those that were measured. A decider decides its cases,
waits for its hand-in, then for its next lease. What is printed is what all decide in a second of the simulated clock, how long
one waits for the deployment, and how busy that is.
"""

from __future__ import annotations

import heapq
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from bench_lease_speed import BATCH, LEASE, SECRET, policy

from askpoint.records.leased_decider import LeasedDecider
from askpoint.records.stores.deployment import Deployment

WARM, SECONDS = 120.0, 600.0


def timed(call):
    begin = time.process_time()
    made = call()
    return time.process_time() - begin, made


def measured(leases):
    """Return the processor seconds of each grant, of deciding each lease, and of each hand-in."""
    rng = np.random.default_rng(1)
    grants, decides, hand_ins = [], [], []
    with tempfile.TemporaryDirectory() as folder, Deployment(Path(folder) / "here", policy(), secret=SECRET) as service:  # fmt: skip
        for lease in range(leases):
            sure = 1 - rng.beta(0.6, 2.2, LEASE) / 2
            spent, grant = timed(lambda: service.lease("one", deciders=8))
            grants.append(spent)
            decider = LeasedDecider(grant, Path(folder) / f"{lease}")

            def decide(decider=decider, lease=lease, sure=sure):
                for i in range(0, LEASE, BATCH):
                    keys = [f"{lease}-{j}" for j in range(i, i + BATCH)]
                    decider.decide(keys, confidence=sure[i : i + BATCH])

            decides.append(timed(decide)[0])
            receipts = decider.receipts()
            hand_ins.append(timed(lambda receipts=receipts: service.hand_in(receipts))[0])
    return np.array(grants), np.array(decides), np.array(hand_ins)


def simulated(deciders, costs, rng, each=0.0):
    """Return cases a second, waits for the deployment, and how busy that is; `each` is how long a case takes to come."""
    grants, decides, hand_ins = costs
    due = [(rng.random() * max(0.1, each * LEASE), i, "grant") for i in range(deciders)]
    heapq.heapify(due)
    free, busy, cases, waits = 0.0, 0.0, 0, []
    while due[0][0] < SECONDS:
        now, decider, what = heapq.heappop(due)
        cost = rng.choice(grants if what == "grant" else hand_ins)
        begin = max(now, free)
        free = begin + cost
        if WARM < free < SECONDS:
            busy += cost
            waits.append(free - now)
            cases += LEASE * (what == "hand in")
        if what == "grant":
            spent = max(rng.choice(decides), each * LEASE)
            heapq.heappush(due, (free + spent, decider, "hand in"))
        else:
            heapq.heappush(due, (free, decider, "grant"))
    return cases / (SECONDS - WARM), np.array(waits), busy / (SECONDS - WARM)


def main(leases):
    costs = measured(leases)
    for name, part in zip(("a grant", "500 cases decided", "a hand-in"), costs, strict=True):
        print(
            f"{name}: {1000 * np.median(part):.2f} ms of processor, 90% {1000 * np.quantile(part, 0.9):.2f}"
        )
    rng = np.random.default_rng(0)
    print(
        "| deciders | cases come to each | a second, all | waits for the deployment, median (99%) | busy |"
    )
    print("|---|---|---|---|---|")
    for deciders, each in [(1, 0.0), (2, 0.0), (4, 0.0), (8, 0.0), (64, 0.0), (1000, 0.0), (1000, 0.1), (1000, 0.05)]:  # fmt: skip
        rate, waits, busy = simulated(deciders, costs, rng, each)
        how = "as fast as it decides" if not each else f"{1 / each:.0f} a second"
        print(f"| {deciders:,} | {how} | {rate:,.0f} | {1000 * np.median(waits):,.0f} ms ({1000 * np.quantile(waits, 0.99):,.0f}) | {busy:.2f} |")  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
