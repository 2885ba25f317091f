"""Does the forecast of a reopening hold? Said after some labels of a good spell, held against what came.

    python benchmarks/bench_forecast.py [--runs 200] [--seed 31]

A policy that closed is fed labels of trouble, then of a world that is as before; the forecast is made
after so many labels of the latter, and the truth by living on. Where the trouble stays it must say so.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from bench_live import WORLDS, C
from bench_reopening import TROUBLES

from askpoint.live.forecast import forecast_reopening
from askpoint.live.labels import apply_labels
from askpoint.live.restarts import Restarts
from askpoint.live.state import fresh_state
from askpoint.live.steps import decide_cases
from askpoint.live.terms import Terms

BAD, LONGEST = 800, 8000


def ask(state, terms, risks, n, rng):
    """Live on for n cases that are all asked, or until it opens."""
    for done in range(0, n, 50):
        place = rng.integers(0, len(C), 50)
        seq = state.decided + np.arange(50)
        state, _, _ = decide_cases(state, terms, C[place], np.ones(50))
        if state.threshold is not None:
            return state, done  # labels that it had when it opened
        state, _ = apply_labels(state, terms, seq, rng.random(50) < risks[place])
    return state, np.inf


def run(aim, world, after, rng, stays=False):
    """One forecast, and the truth."""
    terms = Terms(aim, 0.05, planned_decisions=16_000)
    good = WORLDS[world](C)
    bad = TROUBLES["disaster"](C, good)
    state = fresh_state(terms, episode=2).copy_with(start=2, last_start=2, restarts=Restarts())
    state, _ = ask(state, terms, bad, BAD, rng)
    state, _ = ask(state, terms, bad if stays else good, after, rng)
    if state.threshold is not None:
        return None  # open already
    start = time.process_time()
    said = forecast_reopening(state, terms, np.random.default_rng(0))
    seconds = time.process_time() - start
    _, truth = ask(state, terms, bad if stays else good, LONGEST, rng)
    return said, truth, seconds


ROWS = [
    *(("promise", "smooth", after) for after in (200, 400, 600, 800, 1200)),
    *(("promise", "sharp", after) for after in (200, 400)),
    *(("promise", "lapse", after) for after in (400, 800, 1600)),
    *(("money", "smooth", after) for after in (50, 100, 150)),
    *(("money", "lapse", after) for after in (50, 100, 150)),
    ("promise", "stays", 200),
    ("promise", "stays", 800),
    ("money", "stays", 200),
    ("money", "stays", 800),
    ("money", "never", 400),
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--rows", nargs="*", default=[""])
    options = parser.parse_args()
    print("| aim, world, labels since the trouble | open already | not yet known | truth, median (10 to 90%) "
          "| said, median (10 to 90%) | range holds | said never | truly never in 8,000 |")  # fmt: skip
    print("|" + "---|" * 8)
    for i, (aim, world, after) in enumerate(ROWS):
        name = f"{aim}, {world}, {after}"
        if not any(part in name for part in options.rows):
            continue
        stays = world == "stays"
        runs = [
            run(
                aim,
                "smooth" if stays else world,
                after,
                np.random.default_rng([options.seed, i, k]),
                stays,
            )
            for k in range(options.runs)
        ]
        closed = [one for one in runs if one is not None]
        known = [one for one in closed if one[0] is not None]
        if not known:
            already = 1 - len(closed) / len(runs)
            print(f"| {name} | {already:.2f} | 1.00 | - | - | - | - | - |", flush=True)
            continue
        truth = np.array([one[1] for one in known])
        said = [one[0] for one in known]
        inside = [
            (x.is_never and t == np.inf) or (not x.is_never and x.lower <= t <= x.upper)
            for x, t in zip(said, truth, strict=True)
        ]
        low, middle, high = np.quantile(truth, [0.1, 0.5, 0.9], method="nearest")
        print(
            f"| {name} | {1 - len(closed) / len(runs):.2f} | {1 - len(known) / max(1, len(closed)):.2f} "
            f"| {middle:,.0f} ({low:,.0f} to {high:,.0f}) "
            f"| {np.median([x.middle for x in said]):,.0f} ({np.median([x.lower for x in said]):,.0f} to "
            f"{np.median([x.upper for x in said]):,.0f}) | {np.mean(inside):.2f} "
            f"| {np.mean([x.is_never for x in said]):.2f} | {np.isinf(truth).mean():.2f} |"
            f" <!-- {np.mean([one[2] for one in known]):.2f} s each -->",
            flush=True,
        )


if __name__ == "__main__":
    main()
