"""What a promise could certify from labels of which some are lost and a fifth of these asked again.

    python benchmarks/bench_asked_again.py [--runs 12] [--seed 0]

The smooth world of bench_live.py while every case goes to review; of those asked again nine in ten get a label.
*As mistakes* is what the package does: a lost label is a mistake. *Five-fold* is not in the package: a lost label of a
case that is not asked again says nothing, and one that is asked again and wrong, or has no label, counts five times
(Hansen and Hurwitz, 1946), by the factors 1 + b (limit - x) with x = 0, 1 or 5, averaged over seven bets b. Its mean is
at most 1 wherever the risk is at least the limit, so it is evidence as the other is.
"""

from __future__ import annotations

import argparse

import numpy as np
from bench_live import WORLDS, C
from scipy import special

from askpoint.live.draws import ASKED_AGAIN
from askpoint.measures.chains import ThresholdChains, coverage_grid
from askpoint.measures.eprocess import log_risk_evidence

LIMIT, DELTA, CASES = 0.05, 0.05, 10_000
LOOKS = (1000, 2000, 4000, 6000, 10_000)
WEIGHT = 1 / ASKED_AGAIN
BETS = np.array([0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9]) / (WEIGHT - LIMIT)


def five_fold(n, wrong, chased):
    """Logarithm of the evidence from cases, mistakes, and mistakes (or silence) among those asked again."""
    n, wrong, chased = (np.asarray(x, float)[:, None] for x in (n, wrong, chased))
    total = (n - wrong - chased) * np.log1p(BETS * LIMIT)
    total += wrong * np.log1p(BETS * (LIMIT - 1)) + chased * np.log1p(BETS * (LIMIT - WEIGHT))
    return special.logsumexp(total, axis=1) - np.log(len(BETS))


def certified(evidence):
    """Coverage that is certified at each look; evidence by number of labels."""
    chains = ThresholdChains(DELTA / 2)  # the first start of a life
    places, found = np.array(chains.starts), []
    for n in range(50, CASES + 1, 50):
        places = chains.advance(places, evidence(n - 1))
        best = chains.boldest_passed(places)
        if n in LOOKS:
            found.append(best)
    return found


def run(lost, answered, rng):
    """Coverage certified by each kind of evidence in one life."""
    grid = coverage_grid(C[rng.integers(0, len(C), 400)])
    place = rng.integers(0, len(C), CASES)
    wrong = rng.random(CASES) < WORLDS["smooth"](C)[place]
    gone, again = rng.random(CASES) < lost, rng.random(CASES) < ASKED_AGAIN
    no_label = rng.random(CASES) >= answered
    above = C[place][:, None] >= grid

    def total(which):
        return np.cumsum(above & which[:, None], axis=0)

    n, come, silent = np.cumsum(above, axis=0), total(wrong & ~gone), total(gone)
    every, chased = total(wrong), total(gone & again & (wrong | no_label))
    coverage = [(threshold <= C).mean() for threshold in grid]
    return {
        kind: [0.0 if best is None else coverage[best] for best in certified(evidence)]
        for kind, evidence in {
            "no label lost": lambda i: log_risk_evidence(every[i], n[i], LIMIT),
            "as mistakes": lambda i: log_risk_evidence(come[i] + silent[i], n[i], LIMIT),
            "five-fold": lambda i: five_fold(n[i], come[i], chased[i]),
        }.items()
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    looks = " | ".join(f"{n:,}" for n in LOOKS)
    print(f"| lost | of those asked again labelled | evidence | {looks} |")
    print("|" + "---|" * (3 + len(LOOKS)))
    for lost, answered in ((0.02, 0.9), (0.05, 0.9), (0.05, 1.0), (0.1, 0.9), (0.3, 0.9)):
        runs = [
            run(lost, answered, np.random.default_rng([options.seed, k]))
            for k in range(options.runs)
        ]
        for kind in runs[0]:
            means = np.mean([one[kind] for one in runs], axis=0)
            said = " | ".join(f"{mean:.2f}" for mean in means)
            print(f"| {lost} | {answered} | {kind} | {said} |", flush=True)


if __name__ == "__main__":
    main()
