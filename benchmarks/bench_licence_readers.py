"""Who reads: an approver who colludes with the agent, second readers, weights of harm, and steps of an amount.

    python benchmarks/bench_licence_readers.py [AGENTS] [--write docs/licence-table.md]

A limit of 5%, 1,000 actions a life; agents a cell. "Granted" is the share that ever held a licence, "bad alone" what
they did alone: mean, and in 99 of 100 lives at most. A colluding approver gets half of the actions and approves them
all; golden actions he either takes for real ones, or knows and rejects. A second reader of an audit is never the same
person, and reads with care. With --write its section takes the place of the one that the page held.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from bench_licences import LIMIT, NEVER, ours, table, with_gold
from many_doors import Doors

from askpoint.live.licences.action_classes import ActionClass
from askpoint.live.licences.certificate import WEIGHTS, evidence_step, grant_bound
from askpoint.live.licences.policy import LicencePolicy

ACTIONS, SEED = 1000, 9_000
STEPS = np.array([20, 50, 100, 200, 500, 1000])


def share(hits):
    """A share with its 95% noise."""
    mean = hits.mean()
    return f"{mean:.3f} (± {1.96 * np.sqrt(mean * (1 - mean) / len(hits)):.3f})"


def collude(n, rate, twice, seed):
    """Lives under an approver who approves all of half the queue; so many audits are read by another person, too."""
    rng = np.random.default_rng([SEED, seed])
    units, alone_bad = Doors(n, LicencePolicy((ActionClass("t"),), limit=LIMIT)), np.zeros(n)
    for _ in range(ACTIONS):
        bad = rng.random(n) < rate
        honest, second = rng.random(n) < 0.5, rng.random(n) < twice
        marked = bad & (honest | (units.granted & second))
        alone, _ = units.act(marked, rng.random(n))
        alone_bad += alone & bad
    return share(units.ever), f"{alone_bad.mean():.1f} / {np.quantile(alone_bad, 0.99):.0f}"


def golden(n, rate, seed):
    """The same, measured by golden actions that the colluding approver does not know."""
    rng = np.random.default_rng([SEED, seed])
    bad = rng.random((n, ACTIONS)) < rate / 2
    missed = rng.random((n, 20 + ACTIONS // 20)) < 0.5
    return share(with_gold(bad, missed) < NEVER)


def harm(n, weight, seed):
    """Units exactly at the limit whose bad actions weigh less than 1."""
    rng = np.random.default_rng([SEED, seed])
    bets, granted = np.full((n, len(WEIGHTS)), 0.9), np.zeros(n, bool)
    limit = np.full(n, LIMIT)
    for t in range(ACTIONS):
        bad = weight * (rng.random(n) < LIMIT / weight)
        bets = evidence_step(bets, t + 1, bad, limit)
        granted |= bets @ WEIGHTS >= grant_bound(0.05)
    return share(granted)


def amounts(n, rate_of, seed):
    """Steps of an amount, the cautious first: a step is licensed where it and all before it have earned theirs."""
    rng = np.random.default_rng([SEED, seed])
    draws = np.exp(rng.uniform(np.log(5), np.log(1000), 200_000))
    true = np.array([rate_of(draws[draws <= step]).mean() for step in STEPS])
    bets, labels = np.full((len(STEPS), n, len(WEIGHTS)), 0.9), np.zeros((len(STEPS), n), int)
    passed, limit = np.zeros((len(STEPS), n), bool), np.full(n, LIMIT)
    when = np.full((len(STEPS), n), NEVER)
    for t in range(ACTIONS):
        amount = np.exp(rng.uniform(np.log(5), np.log(1000), n))
        bad = (rng.random(n) < rate_of(amount)).astype(float)
        for i, step in enumerate(STEPS):
            who = amount <= step
            labels[i] += who
            new = evidence_step(bets[i], np.maximum(labels[i], 1), bad, limit)
            bets[i] = np.where(who[:, np.newaxis], new, bets[i])
            passed[i] |= who & (bets[i] @ WEIGHTS >= grant_bound(0.05))
        held = np.logical_and.accumulate(passed, axis=0)
        when = np.where((when == NEVER) & held, t + 1, when)
    held, is_bad = when < NEVER, true >= LIMIT - 1e-9
    wrong = held[is_bad].any(axis=0) if is_bad.any() else np.zeros(n, bool)
    return [share(wrong), *(f"{one.mean():.2f}" for one in held)]


def readers(n):
    """Rows of the first table: careful approvers, and one who colludes."""
    rows = {}
    for rate, seed in ((LIMIT, 1), (2 * LIMIT, 2)):
        bad = np.random.default_rng([SEED, 20 + seed]).random((n, ACTIONS)) < rate
        rows[f"{rate:.0%} bad, careful approvers"] = [share(ours(bad) < NEVER), ""]
        for twice in (0.0, 0.1, 1.0):
            name = f"{rate:.0%} bad, one colludes, {twice:.0%} of the audits read by two"
            rows[name] = list(collude(n, rate, twice, 30 + seed))
        name = f"{rate:.0%} bad, one colludes, golden actions that he does not know"
        rows[name] = [golden(min(n, 1000), rate, 40 + seed), ""]
    return rows


def main(words):
    target = Path(words[words.index("--write") + 1]) if "--write" in words else None
    numbers = [int(word) for word in words[: words.index("--write") if target else None]]
    n = numbers[0] if numbers else 2000
    worlds = {
        "5% at any amount": lambda a: np.full(len(a), LIMIT),
        "0.5% up to 50, 3% up to 200, 25% beyond": lambda a: np.where(
            a <= 50, 0.005, np.where(a <= 200, 0.03, 0.25)
        ),
    }
    text = [
        "## Who reads, harm, amounts",
        "",
        (f"{n:,} agents a cell (golden actions: {min(n, 1000):,}), {ACTIONS:,} actions a life, limit 5%, by "
        "`benchmarks/bench_licence_readers.py`. A colluding approver gets half of the actions and approves all of them. "
        "Licensed at the limit or beyond: promised is at most .05 of careful approvers. Bad actions alone: mean / in 99 of "
        "100 lives at most."),
        "",
        *table(["ever licensed", "bad actions alone"], readers(n)),
        "",
        ("**A colluding approver who knows the golden actions is not found out by them**, and licenses nine in ten agents at "
        "the limit. What is left is that audits go to others: read by two, a bad agent does less than half as much alone. Golden "
        "actions that he takes for real ones stop him. At least the share of audits that a second reader rejects is "
        "overlooked; two who overlook the same things show nothing."),
        "",
        "Bad actions that weigh less than 1 (`labels.edit`), of units exactly at the limit:",
        "",
        *table(["ever licensed"], {f"weight {one:g}": [harm(n, one, 50 + i)] for i, one in enumerate((0.1, 0.3, 0.6))}),
        "",
        ("Steps of an amount, each tested on all actions up to it, the cautious first: a step is licensed where it and all before it "
        "have earned theirs. Beyond: licensed up to a step whose actions are bad too often. Amounts are log-uniform from 5 to "
        "1,000."),
        "",
        *table(
            ["licensed beyond", *(f"up to {step}" for step in STEPS)],
            {name: amounts(n, rate, 60 + i) for i, (name, rate) in enumerate(worlds.items())},
        ),
        "",
    ]  # fmt: skip
    print("\n".join(text))
    if target is not None:
        head = target.read_text("utf-8").split("## Who reads")[0].rstrip("\n")
        target.write_text(head + "\n\n" + "\n".join(text), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
