"""What a log of every column costs: rows, leaves, tree, proofs, signatures, and commits with and without it.

    python benchmarks/bench_receipts.py [DECISIONS]

Processor seconds, of program and kernel, so that other work on the machine does not count.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from askpoint.live import gateway, receipts
from askpoint.live.log_rows import decision_texts, hash_texts
from askpoint.live.merkle import Tree
from askpoint.live.policy import Policy
from askpoint.live.terms import Terms
from askpoint.records.signatures import is_signed, sign_head
from askpoint.records.stores.deployment import Deployment

SECRET = b"a secret of more than sixteen bytes"
BATCH = 10_000


def policy():
    rng = np.random.default_rng(0)
    c = 1 - rng.beta(0.6, 2.2, 5000) / 2
    wrong = rng.random(5000) < np.minimum(0.5, 1.3 * (1 - c) + 0.002)
    terms = Terms("money", 0.05, has_budget=False, max_label_delay=10_000_000)
    return Policy.from_log(c, ~wrong, terms, secret=SECRET, name="posts")


def seconds(call):
    start = time.process_time()
    call()
    return time.process_time() - start


def say(what, n, spent):
    print(f"| {what} | {n / spent:,.0f} |", flush=True)


def decide(service, name, n):
    c = 1 - np.random.default_rng(1).beta(0.6, 2.2, n) / 2
    for start in range(0, n, BATCH):
        rows = range(start, min(n, start + BATCH))
        service.decide([f"{name}-{i}" for i in rows], confidence=c[rows.start : rows.stop])


def decide_singly(service, n):
    for i in range(n):
        service.decide(f"single-{i}", confidence=0.9)


def commits(place, n):
    """Batches and single cases, with the log and with rows that nobody hashes."""
    hashing, texts = receipts.Replay.log, gateway.decision_texts
    for logs in (True, False, True, False):
        receipts.Replay.log = hashing if logs else _without
        gateway.decision_texts = texts if logs else lambda *_: []
        with Deployment(place / f"{time.process_time_ns()}", policy(), secret=SECRET) as service:
            decide(service, "warm", BATCH)
            words = "with the log" if logs else "without"
            say(
                f"decided in batches of {BATCH:,}, {words}",
                n,
                seconds(lambda: decide(service, "b", n)),
            )
            say(f"decided singly, {words}", 1000, seconds(lambda: decide_singly(service, 1000)))
    receipts.Replay.log, gateway.decision_texts = hashing, texts


def _without(self, _, at):
    self.chain = "0" * 64
    self.places += [receipts.EventPlace(at, 0)] * (len(self.events) - len(self.places))


def parts(place, n):
    with Deployment(place / "parts", policy(), secret=SECRET) as service:
        decide(service, "k", n)
        blocks = list(service.blocks())
        texts = []
        spent = seconds(lambda: texts.extend(
            text for block in blocks for text in decision_texts(service.document, block)))  # fmt: skip
        say(
            f"rows as canonical JSON ({np.mean([len(t.encode()) for t in texts]):.0f} bytes)",
            n,
            spent,
        )
        leaves = []
        say("rows hashed to leaves", n, seconds(lambda: leaves.extend(hash_texts(texts))))
        tree = Tree()
        say("leaves added to the tree", n, seconds(lambda: tree.append(leaves)))
        say("roots", 10_000, seconds(lambda: [tree.root() for _ in range(10_000)]))
        head = service.head()
        say(
            "heads signed",
            2000,
            seconds(lambda: [sign_head(head, SECRET[:32]) for _ in range(2000)]),
        )
        say("signatures checked", 2000, seconds(lambda: [is_signed(head) for _ in range(2000)]))
        keys = [f"k-{i}" for i in range(0, n, max(1, n // 200))]
        say("decision records", len(keys), seconds(lambda: [service.prove(key) for key in keys]))
        say("decisions verified", n, seconds(lambda: print(end=service.verify().difference or "")))


def main(n):
    print("| what | a second |\n|---|---|")
    with tempfile.TemporaryDirectory() as name:
        commits(Path(name), n)
        parts(Path(name), n)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200_000)
