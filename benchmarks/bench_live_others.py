"""The same lives with a threshold that never moves, and with one that learns from what users report.

    python benchmarks/bench_live_others.py [--lives 200]

The worlds and costs are those of bench_live.py. Static: the best threshold of 400 labels, for ever,
without audits. ADWIN (river, its default delta of .002) watches 5% audits of what such a threshold decides; where it
finds that more are wrong, the next 400 cases are asked and the best threshold of these is taken. By reports: an e-process for each of 51 thresholds on reported answers, the boldest
that is certified in use; a mistake is reported with probability .3 and a right answer with .1, or
the other way round. This is a port of a public design, not its program.
"""

from __future__ import annotations

import argparse
import importlib.util

import numpy as np
from bench_live import DRIFTING, DRIFTS, HALF, LIFE, WORLDS, C, Row, judged

from askpoint.live.events import Event
from askpoint.live.terms import Terms

LABELS, RATE = 400, 0.05
GRID = np.round(np.arange(0.5, 1.005, 0.01), 2)
DELTA, BET, CAUTIOUS = 0.05, 0.5, 0.95
ROWS = [Row(world) for world in ("smooth", "sharp", "lapse", "never")]
ROWS += [Row(*place) for place in DRIFTING]


def static(c, wrong, rho):
    """The threshold that was best on the first labels."""
    order = np.argsort(-c)
    lost = np.append(0, np.cumsum(wrong[order])) + rho * np.arange(len(c), -1, -1)
    best = int(lost.argmin())
    return np.inf if best == 0 else c[order][best - 1]


def by_adwin(c, wrong, rho, rng):
    """The threshold in use at each decision, and which of them are audited: `c` begins with the first labels."""
    from river.drift import ADWIN

    used, audited = np.full(len(c), np.inf), rng.random(len(c)) < RATE
    start = LABELS
    while start < len(c):
        threshold = static(c[start - LABELS : start], wrong[start - LABELS : start], rho)
        used[start:] = threshold
        watch, before = ADWIN(), 0.0
        for i in start + np.flatnonzero((c[start:] >= threshold) & audited[start:]):
            watch.update(int(wrong[i]))
            if watch.drift_detected and watch.estimation > before:
                used[i + 1 : i + 1 + LABELS] = np.inf
                start = i + 1 + LABELS
                break
            before = watch.estimation
        else:
            return used, audited
    return used, audited


def by_reports(c, wrong, reported, alpha):
    """The threshold in use at each decision."""
    evidence, certain = np.zeros(len(GRID)), np.log(len(GRID) / DELTA)
    used, threshold, last = np.empty(len(c)), CAUTIOUS, 0
    for i in np.flatnonzero(reported):
        if c[i] < threshold:
            continue
        evidence[c[i] >= GRID] += np.log1p(BET * (alpha - wrong[i]))
        evidence = np.minimum(evidence, certain + np.log(10))
        certified = np.flatnonzero(evidence >= certain)
        new = GRID[certified[0]] if len(certified) else CAUTIOUS
        if new != threshold:
            used[last : i + 1], last, threshold = threshold, i + 1, new
    used[last:] = threshold
    return used


def life(row, rng, design):
    """One life of a design."""
    n = LABELS + LIFE
    place = rng.integers(0, len(C), n)
    before = WORLDS[row.world](C)
    after = DRIFTS[row.drift](C, before)
    c = C[place]
    p = np.where(np.arange(n) < LABELS + HALF, before[place], after[place])
    wrong = rng.random(n) < p
    audited = np.zeros(LIFE, dtype=bool)
    if design == "static":
        used = np.full(LIFE, static(c[:LABELS], wrong[:LABELS], row.limit))
    elif design == "ADWIN":
        used, audited = (part[LABELS:] for part in by_adwin(c, wrong, row.limit, rng))
    else:
        of_mistakes, of_right = (0.3, 0.1) if design == "reported" else (0.1, 0.3)
        reported = rng.random(n) < np.where(wrong, of_mistakes, of_right)
        used = by_reports(c[LABELS:], wrong[LABELS:], reported[LABELS:], row.limit)
    c, p = c[LABELS:], p[LABELS:]
    nothing = np.zeros(LIFE, dtype=int)
    events = [Event(0, "opened", {"threshold": t}) for t in np.unique(used[:HALF]) if t < np.inf]
    terms = Terms(row.aim, row.limit, has_budget=False)
    answered = c >= used
    return judged(
        Row(row.world, row.drift, "promise"), terms, p, answered, answered & audited, nothing, events, before, after
    )  # fmt: skip


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lives", type=int, default=200)
    parser.add_argument("--seed", type=int, default=19)
    options = parser.parse_args()
    designs = ("static", "reported", "seldom reported", "ADWIN")
    if importlib.util.find_spec("river") is None:
        print("river is not installed: ADWIN is left out")
        designs = designs[:-1]
    print("| world, drift | " + " | ".join(designs) + " |\n|" + "---|" * (1 + len(designs)))
    for i, row in enumerate(ROWS):
        cells = []
        for j, design in enumerate(designs):
            lives = [
                life(row, np.random.default_rng([options.seed, i, j, k]), design)
                for k in range(options.lives)
            ]
            saved = np.mean([one.ask_all - one.cost for one in lives])
            possible = np.mean([one.ask_all - one.best for one in lives])
            gap = f"{saved / possible:.2f}" if possible > 1e-9 else "none"
            cell = f"{gap}, worst {max(one.behind for one in lives):.0f}"
            if design not in {"static", "ADWIN"}:
                cell += f", risk broken {np.mean([one.broken_risk for one in lives]):.2f}"
            cells.append(cell)
        print(
            f"| {row.world}{', ' * bool(row.drift)}{row.drift} | " + " | ".join(cells) + " |",
            flush=True,
        )


if __name__ == "__main__":
    main()
