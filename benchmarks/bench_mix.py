"""Confidences without labels: how soon a moved mix shows, how often one is seen where nothing moved.

    python benchmarks/bench_mix.py [--lives 200] [--still 1000] [--seed 43]

Cases of bench_live.py, 200 a day (where it says so 1,000), 8,000 before and 8,000 after a change; the first 400 place
the parts. Found: within 8,000 cases of the change. The delay is counted in cases. A rhythm is there all along: weekends
are less sure by 30%, or eight hours of each night, by the clock of a place nine hours ahead of the one that counts.
"""

from __future__ import annotations

import argparse

import numpy as np
from bench_live import C

from askpoint.live.terms import Terms
from askpoint.live.watches.mix import MixWatch, hours_of_week, mix_codes

HALF, DAY, AHEAD = 8000, 200, 9
MICROSECONDS = 86_400_000_000


def drawn(rng, n):
    return C[rng.integers(0, len(C), n)]


def new_kind(rng, n, share, low, high):
    """A share of the cases is of a kind whose confidences lie elsewhere."""
    return np.where(rng.random(n) < share, rng.uniform(low, high, n), drawn(rng, n))


def less_sure(c, by):
    return 0.5 + (c - 0.5) * (1 - by)


def weekends(day):
    return (day + AHEAD / 24).astype(int) % 7 >= 5


def nights(day):
    return (day + AHEAD / 24) % 1 < 1 / 3


CHANGES = {
    "nothing": lambda rng, n: drawn(rng, n),
    "silent swap: another model, less sure by a fifth": lambda rng, n: less_sure(
        drawn(rng, n), 0.2
    ),
    "silent swap: another model, surer": lambda rng, n: 1 - (1 - drawn(rng, n)) * 0.7,
    "30% of a new kind, between .55 and .8": lambda rng, n: new_kind(rng, n, 0.3, 0.55, 0.8),
    "10% of a new kind, above .97": lambda rng, n: new_kind(rng, n, 0.1, 0.97, 1),
    "2% of a new kind, above .97": lambda rng, n: new_kind(rng, n, 0.02, 0.97, 1),
    "labels shift, confidences do not": lambda rng, n: drawn(rng, n),
}
SWAP = "silent swap: another model, less sure by a fifth"
ROWS = [
    *((change, change, None, DAY, HALF) for change in CHANGES),
    ("weekends all along", "nothing", weekends, DAY, HALF),
    ("weekends all along, 1,000 a day", "nothing", weekends, 1000, HALF),
    ("nights all along", "nothing", nights, DAY, HALF),
    ("nights all along, 1,000 a day", "nothing", nights, 1000, HALF),
    ("weekends all along, then a silent swap", SWAP, weekends, DAY, HALF),
    ("nights all along, then a silent swap", SWAP, nights, DAY, HALF),
    ("silent swap on day 4, 1,000 a day", SWAP, None, 1000, 3000),
]
"""Name, what changes, which cases a rhythm makes less sure, cases a day, and cases before the change."""


def alarm(change, rng, rhythm=None, daily=DAY, before=HALF, after=HALF):
    """Case of the first alarm; None if there is none."""
    day = np.arange(before + after) / daily
    c = np.concatenate([drawn(rng, before), CHANGES[change](rng, after)])
    if rhythm is not None:
        c = np.where(rhythm(day), less_sure(c, 0.3), c)
    watch = MixWatch.start(Terms("money", 0.05, planned_decisions=before + after))
    watch = watch.place_edges(c[:400])
    draw, hour = rng.random(len(c)), hours_of_week((day * MICROSECONDS).astype(np.int64))
    for start in range(400, len(c), 50):
        rows = slice(start, start + 50)
        codes = mix_codes(watch.edges, c[rows], draw[rows], hour=hour[rows])
        watch = watch.update(np.array(codes))
        if watch.is_alarmed:
            return start + 50
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lives", type=int, default=200)
    parser.add_argument(
        "--still", type=int, default=1000, help="lives of 8,000 in which nothing changes"
    )
    parser.add_argument("--seed", type=int, default=43)
    options = parser.parse_args()
    print(
        "| what happens | false alarm before | found | delay in cases, median (90%) |\n|---|---|---|---|"
    )
    still = [
        alarm("nothing", np.random.default_rng([options.seed, 0, k]), after=0) is not None
        for k in range(options.still)
    ]
    print(
        f"| nothing, {options.still:,} lives of 8,000 | {np.mean(still):.3f} | - | - |", flush=True
    )
    for i, (name, change, rhythm, daily, before) in enumerate(ROWS):
        at = [
            alarm(change, np.random.default_rng([options.seed, 1 + i, k]), rhythm, daily, before)
            for k in range(options.lives)
        ]
        false = np.mean([one is not None and one <= before for one in at])
        found = np.array([one - before for one in at if one is not None and one > before])
        delay = f"{np.median(found):,.0f} ({np.quantile(found, 0.9):,.0f})" if len(found) else "-"
        print(f"| {name} | {false:.3f} | {len(found) / len(at):.2f} | {delay} |", flush=True)


if __name__ == "__main__":
    main()
