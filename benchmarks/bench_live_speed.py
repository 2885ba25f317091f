"""How fast a policy decides, singly and in batches, and how fast a stranger verifies it.

    python benchmarks/bench_live_speed.py [DECISIONS]

Processor seconds on one core, so that other work on the machine does not count.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from askpoint.live.batches import DecisionBatch, LabelRows
from askpoint.live.memory_store import MemoryStore
from askpoint.live.policy import Policy
from askpoint.live.terms import Terms
from askpoint.records.deployments.folder_store import FolderStore, new_deployment
from askpoint.records.deployments.verification import verify_folder

SECRET = b"a secret of more than sixteen bytes"
MODEL = {"version": "1", "classes": ["no", "yes"]}
BATCH, DAY = 100_000, 10_000


def world(n, seed):
    rng = np.random.default_rng(seed)
    c = 1 - rng.beta(0.6, 2.2, n) / 2
    return c, rng.random(n) < np.minimum(0.5, 1.3 * (1 - c) + 0.002)


def fresh(name):
    c, wrong = world(5000, 0)
    terms = Terms("money", 0.05, has_budget=False, max_label_delay=BATCH)
    return Policy.from_log(c, ~wrong, terms, secret=SECRET, name=name, model=MODEL)


def rate(n, seconds):
    return f"{n / seconds:,.0f} a second"


def main(n):
    c, wrong = world(n, 1)
    keys = [f"case-{i}" for i in range(n)]
    store = MemoryStore(fresh("batch"), SECRET)
    start = time.process_time()
    store.decide(keys[:BATCH], c[:BATCH])
    print("decided in a batch of 100,000:", rate(min(n, BATCH), time.process_time() - start))
    store = MemoryStore(fresh("single"), SECRET)
    start = time.process_time()
    for i in range(5000):
        store.decide(keys[i : i + 1], c[i : i + 1])
    print("decided singly:", rate(5000, time.process_time() - start))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "live"
        new_deployment(folder, fresh("files").document, SECRET)
        deployment = FolderStore(folder)
        deciding = labelling = 0.0
        for day, first in enumerate(range(0, n, DAY)):
            rows = slice(first, first + DAY)
            size = len(c[rows])
            batch = DecisionBatch(keys[rows], ["no"] * size, c[rows].tolist(), None, "1")
            start = time.process_time()
            made = deployment.decide(batch, at=2 * day)
            deciding += time.process_time() - start
            wanted = made.filter((made["action"] == "ask") | made["audit"])
            seqs = wanted["seq"].to_numpy()
            labels = np.where(wrong[seqs], "yes", "no").tolist()
            told = wanted["key"].to_list()
            start = time.process_time()
            deployment.label(
                LabelRows(told, labels, ["Bob"] * len(told), [None] * len(told)), 2 * day + 1
            )
            labelling += time.process_time() - start
        print("decided into files:", rate(n, deciding), "| labelled:", rate(n, labelling))
        for helper in (False, True):
            start, wall = time.process_time(), time.perf_counter()
            found = verify_folder(folder, helper=helper)
            seconds, wall = time.process_time() - start, time.perf_counter() - wall
            what = "verified with a helper:" if helper else "verified:"
            print(what, rate(n, seconds), f"({1e7 / n * seconds:.0f} s for 1e7)", end=" ")
            print(f"{wall:.1f} s by the clock;", found.difference or "all is as it should be")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
