"""Crowds in which each judge cast few votes: how far the share of a rare label is off.

    python benchmarks/bench_judges_few_votes.py --runs 3

A row a crowd: votes a judge, prevalence, and the mean error of the prevalence by Dawid and Skene's
model and by the majority; judges are right with .7 to .9.
"""

from __future__ import annotations

import argparse

import numpy as np

from askpoint.judges.methods.dawid_skene import evaluate_dawid_skene
from askpoint.judges.methods.majority import evaluate_majority
from askpoint.judges.sketch.vote_sketch import VoteSketch

# judges, votes of each, items, prevalence
CROWDS = [
    (2000, 3, 1200, 0.1),
    (1000, 5, 1000, 0.1),
    (500, 10, 1000, 0.1),
    (250, 20, 1000, 0.1),
    (2000, 3, 1200, 0.4),
    (250, 20, 1000, 0.3),
]


def crowd(n_judges, n_votes, n_items, prevalence, rng):
    """Votes (-1: none) and the truth of the items that anybody judged."""
    truth = (rng.random(n_items) < prevalence).astype(int)
    votes = np.full((n_items, n_judges), -1, np.int16)
    for judge in range(n_judges):
        items = rng.choice(n_items, n_votes, replace=False)
        right = rng.random(n_votes) < rng.uniform(0.7, 0.9)
        votes[items, judge] = np.where(right, truth[items], 1 - truth[items])
    judged = (votes >= 0).any(axis=1)
    return votes[judged], truth[judged]


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    for n_judges, n_votes, n_items, prevalence in CROWDS:
        errors = []
        for seed in range(runs):
            rng = np.random.default_rng(seed)
            votes, truth = crowd(n_judges, n_votes, n_items, prevalence, rng)
            sketch = VoteSketch(n_judges, ["0", "1"])
            sketch.update_codes(votes)
            found = (evaluate_dawid_skene(sketch), evaluate_majority(sketch))
            errors.append([abs(float(of.prevalence["1"]) - truth.mean()) for of in found])
        ours, majority = np.mean(errors, axis=0)
        print(f"| {n_votes}, {prevalence} | {ours:.3f} | {majority:.3f} |", flush=True)


if __name__ == "__main__":
    main()
