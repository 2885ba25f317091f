"""For the ledger of promises: who licenses an agent of which too many actions are bad, by the rules that projects use."""

from __future__ import annotations

import time

import numpy as np
from bench_licences import ACTIONS, DELTA, LIMIT, NEVER, ours, rules, with_gold

from askpoint.measures.intervals import binomial_interval

GOOD = 0.01
OVERLOOKED = 0.5
GOLD = 20 + ACTIONS // 20


def grants(bad, missed):
    """By rule: when each history is licensed, and the seconds of all."""
    found, start = {}, time.process_time()
    for name, when in rules(bad).items():
        found[name.partition(": ")[2]] = when
    each = (time.process_time() - start) / len(found)
    told = {name: (when, each) for name, when in found.items()}
    for name, grant in (
        ("**askpoint, limit 5%**", lambda: ours(bad)),
        ("**askpoint, with golden actions**", lambda: with_gold(bad, missed)),
    ):
        start = time.process_time()
        told[name] = grant(), time.process_time() - start
    return told


def run(histories, seed):
    """Grants of bad agents, of bad ones half of whose actions are overlooked, and of good ones."""
    found = []
    for i, (rate, overlooked) in enumerate(((LIMIT, 0.0), (2 * LIMIT, OVERLOOKED), (GOOD, 0.0))):
        rng = np.random.default_rng([seed, 90 + i])
        bad = rng.random((histories, ACTIONS)) < rate * (1 - overlooked)
        found.append(grants(bad, rng.random((histories, GOLD)) < overlooked))
    return found


def broken(when):
    """How often an agent is licensed that should not be."""
    wrong, n = int((when < NEVER).sum()), len(when)
    low, high = binomial_interval(wrong, n)
    share = f"{wrong / n:.3f} ({low:.2f} to {high:.2f})"
    return f"**{share}**" if low <= DELTA else share


def table(found):
    """Lines of the page."""
    heads = (
        f"{100 * LIMIT:g}% bad: licensed",
        f"{200 * LIMIT:g}% bad, half overlooked: licensed",
        f"{100 * GOOD:g}% bad: share of {ACTIONS:,} actions that run alone",
        "labels before the grant",
        "ms",
    )
    lines = ["| rule | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    bad, careless, good = found
    for name, (when, seconds) in good.items():
        alone = np.maximum(ACTIONS - when, 0).mean() / ACTIONS
        cells = [
            broken(bad[name][0]),
            broken(careless[name][0]),
            f"{alone:.2f}",
            f"{np.median(when[when < NEVER]):.0f}" if (when < NEVER).any() else "never",
            f"{1000 * seconds / len(when):.2f}",
        ]
        lines.append("| " + " | ".join([name, *cells]) + " |")
    return lines
