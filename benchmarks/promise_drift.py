"""For the ledger of promises: what a drift costs, by which design, in the same simulated lives.

Promised is the most that is lost against sending every case to review: the mistake budget that `askpoint deploy --rho
0.05 --audit 0.05 --planned-decisions 40000` states. The others state none, and are held to the same.
"""

from __future__ import annotations

import importlib.util
import time

import numpy as np
from bench_live import LIFE, Row, live_through
from bench_live_others import LABELS, life

from askpoint.live.terms import Terms
from askpoint.measures.intervals import binomial_interval

WORLDS = (
    Row("smooth"),
    Row("sharp"),
    Row("smooth", "island"),
    Row("smooth", "disaster"),
    Row("never"),
)
DESIGNS = {
    "best threshold of 400 labels": "static",
    "ADWIN on 5% audits, river 0.26": "ADWIN",
    "learns from reports, mistakes reported 3 times as often": "reported",
    "**askpoint, 5% audits**": "",
}
BUDGET = Terms("money", 0.05, 0.05, planned_decisions=LIFE).budget


def run(lives, seed):
    """By design and world: lost at worst, saved, what could be, cases that people looked at, seconds; of each life."""
    found = {}
    for title, design in DESIGNS.items():
        if design == "ADWIN" and importlib.util.find_spec("river") is None:
            print("not installed: river")
            continue
        first = LABELS if design in {"static", "ADWIN"} else 0
        for j, row in enumerate(WORLDS):
            for k in range(lives):
                rng = np.random.default_rng([seed, j, k])
                start = time.process_time()
                one = life(row, rng, design) if design else live_through(row, rng)
                told = (
                    one.behind,
                    one.ask_all - one.cost,
                    one.ask_all - one.best,
                    one.checked + first,
                    time.process_time() - start,
                )
                found.setdefault((title, row), []).append(told)
    return {key: np.array(rows) for key, rows in found.items()}


def cell(rows):
    """How often more was lost than the budget, and what is saved, where 1 is what the best thresholds save."""
    broken, n = int((rows[:, 0] > BUDGET).sum()), len(rows)
    low, high = binomial_interval(broken, n)
    share = f"{broken / n:.3f} ({low:.2f} to {high:.2f})"
    share = f"**{share}**" if low <= 0.05 else share
    could = rows[:, 2].mean()
    return f"{share}, saves {rows[:, 1].mean() / could:.2f}" if could > 1e-9 else share


def table(found):
    """Lines of the page."""
    heads = [", ".join(filter(None, (row.world, row.drift))) for row in WORLDS]
    lines = ["| rule | " + " | ".join(heads) + " | checks of 1,000 | ms |"]
    lines.append("|---" * (len(heads) + 3) + "|")
    for title in dict.fromkeys(title for title, _ in found):
        cells = [cell(found[title, row]) for row in WORLDS]
        first = found[title, WORLDS[0]]
        checks, ms = 1000 * first[:, 3].mean() / LIFE, 1000 * np.median(first[:, 4])
        lines.append("| " + " | ".join([title, *cells, f"{checks:.0f}", f"{ms:.0f}"]) + " |")
    return lines
