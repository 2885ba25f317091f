"""Who drifted, model or people? Verdicts from audits and as many gold cases, by simulation.

    python benchmarks/bench_live_people.py [--lives 1000]

A model errs in .03 of the audited answers and people in .03 of all that they label; then one of them, or
both, change, and 400 more audits follow. People disagree with the model where exactly one of them errs.
"""

from __future__ import annotations

import argparse

import numpy as np

from askpoint.measures.restarts import level_bets, level_factors, mix_starts, restart_weight

LIMIT, PEOPLE_LIMIT = 0.09, 0.06  # of disagreement, and of mistakes on gold cases
HORIZON, BOUND, AFTER = 2000, 40, 400
CHANGES = {
    "nothing": (0.03, 0.03),
    "model, .03 to .15": (0.15, 0.03),
    "people, .03 to .12": (0.03, 0.12),
    "both": (0.15, 0.12),
}


def alarms(wrong, limit):
    """When each stream of a level raises its alarm; a great number where it never does."""
    evidence = np.zeros((len(wrong), len(level_bets(limit))))
    when = np.full(len(wrong), 10**9)
    right, mistake = (level_factors(e, limit) for e in (False, True))
    for t, now in enumerate(wrong.T):
        factors = np.where(now[:, None], mistake, right)
        evidence = mix_starts(evidence, restart_weight(t + 1, HORIZON), factors)
        when[(evidence.mean(axis=1) >= BOUND) & (when == 10**9)] = t
    return when


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lives", type=int, default=1000)
    lives = parser.parse_args().lives
    rng = np.random.default_rng(17)
    print("| changed | audits before | people | model | none | an alarm on the model |")
    print("|" + "---|" * 6)
    for before in (0, 100, 400):
        for name, (model, people) in CHANGES.items():
            size = (lives, before + AFTER)
            late = np.arange(before + AFTER) >= before
            errs = rng.random(size) < np.where(late, model, 0.03)
            slips = np.where(late, people, 0.03)
            on_model = alarms(errs != (rng.random(size) < slips), LIMIT)
            on_people = alarms(rng.random(size) < slips, PEOPLE_LIMIT)
            blamed, none = on_people < 10**9, np.minimum(on_model, on_people) == 10**9
            verdicts = (blamed, ~blamed & ~none, none, on_model < 10**9)
            print(
                f"| {name} | {before} | " + " | ".join(f"{x.mean():.3f}" for x in verdicts) + " |"
            )


if __name__ == "__main__":
    main()
