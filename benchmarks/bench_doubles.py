"""Cases that two people label: does the interval of the model's mistakes survive people's own?

    python benchmarks/bench_doubles.py [--runs 200] [--rate 0.05 0.2] [--seed 37]

40,000 answers of a model that is wrong in .03, a share of them audited, a fifth of the audits labelled again
by another person who errs in .05, and settled by a third who does. Held: whether the interval at all times
holds the model's mistakes at the end; naive takes first labels at their word.
"""

from __future__ import annotations

import argparse

import numpy as np
import polars as pl

from askpoint.answers.live.doubles import answer_doubles
from askpoint.live.terms import Terms
from askpoint.measures.mixture_sequence import total_interval

ANSWERS, RISK, OTHERS = 40_000, 0.03, 0.05
PEOPLE = {
    "right": (0.0, 0.0, 0.0),
    "err 5% both ways": (0.05, 0.05, 0.0),
    "err 10% both ways": (0.1, 0.1, 0.0),
    "miss half of the mistakes": (0.5, 0.0, 0.0),
    "miss half, others share .7 of that": (0.5, 0.0, 0.7),
}


def run(people, rate, rng):
    """One life: the truth, the naive interval and the corrected one."""
    missed, blamed, shared = PEOPLE[people]
    wrong, drawn = rng.random(ANSWERS) < RISK, rng.random(ANSWERS)
    audit = drawn < rate
    slip = np.where(wrong, rng.random(ANSWERS) < missed, rng.random(ANSWERS) < blamed)
    first = wrong ^ slip
    same = slip & (rng.random(ANSWERS) < shared)
    second, third = (
        np.where(same, first, wrong ^ (rng.random(ANSWERS) < OTHERS)) for _ in range(2)
    )
    names = np.array(["right", "wrong"])
    key = np.array([f"k{i}" for i in range(ANSWERS)])
    decisions = pl.DataFrame(
        {"key": key, "prediction": ["right"] * ANSWERS, "drawn": drawn, "audit": audit,
         "action": ["answer"] * ANSWERS, "propensity": np.full(ANSWERS, rate)}
    )  # fmt: skip
    labels = pl.concat(
        pl.DataFrame({"key": key[audit], "label": names[said[audit].astype(int)], "judge": [who] * int(audit.sum()),
                      "source": ["audit"] * int(audit.sum())})
        for who, said in (("Ada", first), ("Bob", second), ("Cleo", third))
    )  # fmt: skip
    found = answer_doubles(decisions, labels, Terms("money", 0.05, rate))
    naive = total_interval(float((first & audit).sum()), delta=0.05)
    truth = RISK * ANSWERS
    return truth, (naive.lower / rate, naive.upper / rate), found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--rate", type=float, nargs="*", default=[0.05, 0.2])
    parser.add_argument("--seed", type=int, default=37)
    options = parser.parse_args()
    print("| people | audits | naive interval | holds | errors taken out | holds | not told |")
    print("|" + "---|" * 7)
    for rate in options.rate:
        for i, people in enumerate(PEOPLE):
            runs = [
                run(people, rate, np.random.default_rng([options.seed, i, k]))
                for k in range(options.runs)
            ]
            naive = np.array([one[1] for one in runs])
            told = [(one[0], one[2].mistakes) for one in runs if one[2].mistakes is not None]
            held = np.mean([low <= t <= high for t, (low, high), _ in runs])
            cells = "- | -"
            if told:
                ends = np.median([interval for _, interval in told], axis=0)
                ok = np.mean([low <= t <= high for t, (low, high) in told])
                cells = f"{ends[0]:,.0f} to {ends[1]:,.0f} | {ok:.2f}"
            ends = np.median(naive, axis=0)
            print(
                f"| {people} | {rate:.0%} | {ends[0]:,.0f} to {ends[1]:,.0f} | {held:.2f} | {cells} "
                f"| {1 - len(told) / len(runs):.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
