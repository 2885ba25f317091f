"""How often promises break, over simulated samples whose true risk is known.

    python benchmarks/bench_guarantees.py [RUNS]

Confidence is uniform on [0, 1], the answer right with its square root: the true share of mistakes
above any threshold is known in closed form. 1,500 labelled cases a run, limit 10%, delta 5%.
"""

from __future__ import annotations

import sys

import numpy as np

from askpoint.errors import UnmetError
from askpoint.measures.intervals import binomial_interval
from askpoint.value.curve import ValueCurve
from askpoint.value.guarantees import conformal_risk_control, learn_then_test
from askpoint.value.limits import MaxError

CASES, RISK, DELTA = 1500, 0.1, 0.05
GRID = np.linspace(0, 1, 201)


def right_mass(t):
    """E[sqrt c; c >= t]."""
    return (2 / 3) * (1 - t**1.5)


def true_risk(t):
    return 0.0 if t >= 1 else 1 - right_mass(t) / (1 - t)


def band_breaks(curve):
    """Whether the band misses EP at some threshold and some rho of a grid."""
    half = curve.band(DELTA)
    steps = np.searchsorted(-curve.thresholds, -GRID, side="right") - 1
    right, wrong = curve.right[steps] / CASES, curve.wrong[steps] / CASES
    gap_right, gap_wrong = right - right_mass(GRID), wrong - (1 - GRID - right_mass(GRID))
    # EP = (1 - rho) (1 - wrong) + rho right is linear in rho: its ends are enough
    return max(np.abs(gap_right).max(), np.abs(gap_wrong).max()) > half


def main(runs):
    rng = np.random.default_rng(20261121)
    broken = dict.fromkeys(("learn then test", "naive choice", "band of EP"), 0)
    covered = {"learn then test": [], "naive choice": []}
    accepted = []
    for _ in range(runs):
        confidence = rng.random(CASES)
        curve = ValueCurve.from_outcomes(rng.random(CASES) < np.sqrt(confidence), confidence)
        naive = MaxError(RISK).choose(curve).threshold
        try:
            proven = learn_then_test(curve, RISK, DELTA)
        except UnmetError:
            proven = 1.0
        for name, threshold in (("learn then test", proven), ("naive choice", naive)):
            broken[name] += true_risk(threshold) > RISK
            covered[name].append(1 - threshold)
        broken["band of EP"] += band_breaks(curve)
        control = conformal_risk_control(curve, RISK)
        accepted.append(1 - control - right_mass(control) if control < 1 else 0.0)
    print(f"{runs} runs of {CASES} cases, limit {RISK:g}, delta {DELTA:g}")
    print(f"{'':16} broken    95%              coverage")
    for name, times in broken.items():
        low, high = binomial_interval(times, runs)
        share = f"{np.mean(covered[name]):.3f}" if name in covered else ""
        print(f"{name:16} {times / runs:6.2%}    {low:.2%} to {high:.2%}   {share}")
    print(f"risk control: accepted mistakes {np.mean(accepted):.4f} on average, limit {RISK:g}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
