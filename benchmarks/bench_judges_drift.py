"""Drift of one judge: how often it is found, and how often somebody is blamed for nothing.

    python benchmarks/bench_judges_drift.py --quick

Judges of accuracies .8 to .95 on passes and .65 to .9 on fails, errors that share a difficulty of
.2; from item 2,000 of 4,000 on judge 0 passes 15% of what he failed before.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from scipy import special

from askpoint.judges.checks.drift import drift_test
from askpoint.judges.checks.drift_by_labels import drift_with_labels
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.sketch.vote_sketch import VoteSketch

SHARED = 0.2


def votes_of(rng, k, n=4000, drift=True, prevalence=(0.7, 0.7), with_truth=False):
    """Votes on n items; 0 is pass."""
    half = n // 2
    p = np.repeat(prevalence, [half, n - half])
    truth = (rng.random(n) >= p).astype(int)
    right = special.ndtri(np.column_stack([rng.uniform(0.8, 0.95, k), rng.uniform(0.65, 0.9, k)]))
    z = np.sqrt(1 - SHARED) * rng.standard_normal((n, k))
    z += np.sqrt(SHARED) * rng.standard_normal((n, 1))
    votes = np.where(z < right.T[truth], truth[:, None], 1 - truth[:, None])
    if drift:
        late = (np.arange(n) >= half) & (votes[:, 0] == 1) & (rng.random(n) < 0.15)
        votes[late, 0] = 0
    return (votes, truth) if with_truth else votes


def sketches(votes, size):
    """A sketch for every `size` items."""
    parts = []
    for start in range(0, len(votes), size):
        sketch = VoteSketch(votes.shape[1], ["pass", "fail"])
        sketch.update_codes(votes[start : start + size])
        parts.append(sketch)
    return parts


def two_halves(rng, k, runs):
    """Power, and false alarms without drift and where the prevalence alone changes."""
    found, others, none, items = [], [], [], []
    for _ in range(runs):
        drift = drift_test(sketches(votes_of(rng, k), 2000), planned=1)
        found.append("judge 1" in drift.alarms)
        others.append(bool(set(drift.alarms) - {"judge 1"}))
        none.append(
            bool(drift_test(sketches(votes_of(rng, k, drift=False), 2000), planned=1).alarms)
        )
        moved = votes_of(rng, k, drift=False, prevalence=(0.7, 0.5))
        items.append(bool(drift_test(sketches(moved, 2000), planned=1).alarms))
    rates = " ".join(f"{np.mean(x):8.3f}" for x in (found, others, none, items))
    print(f"two halves, {k} judges ({runs} runs): {rates}", flush=True)


def labelled(rng, k, runs, n):
    """Power and false alarms by n labels of each period, drawn at random."""
    found, others, none, items = [], [], [], []

    def alarms(**kind):
        votes, truth = votes_of(rng, k, with_truth=True, **kind)
        periods, gold = sketches(votes, 2000), []
        for start in (0, 2000):
            rows = start + rng.permutation(2000)[:n]
            gold.append(GoldSketch(k, ["pass", "fail"]))
            gold[-1].update_codes(votes[rows], truth[rows])
        return set(drift_with_labels(periods, gold, planned=1).alarms)

    for _ in range(runs):
        drift = alarms()
        found.append("judge 1" in drift)
        others.append(bool(drift - {"judge 1"}))
        none.append(bool(alarms(drift=False)))
        items.append(bool(alarms(drift=False, prevalence=(0.7, 0.5))))
    rates = " ".join(f"{np.mean(x):8.3f}" for x in (found, others, none, items))
    print(f"two halves, {k} judges, {n} labels each ({runs} runs): {rates}", flush=True)


def looks(rng, k, runs, planned):
    """Alarms at 19 looks, each 200 items."""
    found, first, early, none, items = [], [], [], [], []
    for _ in range(runs):
        alarms = []
        for kind in ({}, {"drift": False}, {"drift": False, "prevalence": (0.7, 0.5)}):
            parts = sketches(votes_of(rng, k, **kind), 200)
            at, who = None, ()
            for b in range(4, len(parts) + 1):
                who = drift_test(parts[:b], planned=planned).alarms
                if who:
                    at = b * 200
                    break
            alarms.append((at, who))
        at, who = alarms[0]
        found.append(at is not None and at > 2000 and "judge 1" in who)
        early.append(at is not None and at <= 2000)
        if found[-1]:
            first.append(at)
        none.append(alarms[1][0] is not None)
        items.append(alarms[2][0] is not None)
    rates = " ".join(f"{np.mean(x):8.3f}" for x in (found, early, none, items))
    name = f"{planned} planned" if planned else "unplanned"
    median = np.median(first) if first else None
    print(f"looks, {name}, {k} judges ({runs} runs): {rates}, median first {median}", flush=True)


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--runs", type=int, default=0)
    options = parser.parse_args()
    runs = options.runs or (30 if options.quick else 300)
    rng = np.random.default_rng(15)
    print("columns: found, another judge, no drift, prevalence alone")
    start = time.perf_counter()
    for k in (3, 4, 5):
        two_halves(rng, k, runs)
    for n in (50, 100, 200):
        labelled(rng, 3, runs, n)
    print("columns: found, too early, no drift, prevalence alone")
    for planned in (19, None):
        looks(rng, 4, max(runs // 3, 10), planned)
    print(f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
