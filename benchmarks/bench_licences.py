"""Who would license a bad agent: the rules that projects use beside ours, in histories whose truth is known.

    python benchmarks/bench_licences.py [HISTORIES [SEED]] [--write docs/evidence/licence-table.md]

Each history is 1,000 actions of one unit with a fixed share of bad ones; each rule looks after every action.
Printed: the share of histories that it ever licenses, and the median action of the grant. The rules as their projects
state them in public: a, ">= 95% and >= 20"; b, ">= 80% and >= 5"; c, ten in a row; d, 140 without a failure (20 and
14 days, at ten a day); e, Wilson's lower bound >= .90 from 20 of the last 500. Approvers mark a
bad action unless they overlook it; golden actions are overlooked as often. Constants of ours were chosen on other
histories (spec/approvals.md); seeds here are new.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from wilson import wilson_bounds

from askpoint.live.licences.certificate import WEIGHTS, evidence_step, grant_bound
from askpoint.live.licences.reading_share import BRACKETS

ACTIONS = 1000
LIMIT = DELTA = 0.05
NEVER = ACTIONS + 1
EDGES = np.array(BRACKETS)


def first(holds):
    """The first action, from 1, at which each history's rule holds."""
    return np.where(holds.any(1), holds.argmax(1) + 1, NEVER)


def rules(bad):
    """When each rule of thumb licenses each history."""
    n = np.arange(1, bad.shape[1] + 1)
    wrong = bad.cumsum(1)
    share = 1 - wrong / n
    at = np.where(bad, n, 0)
    row = n - np.maximum.accumulate(at, 1)
    lately = wrong - np.pad(wrong, ((0, 0), (500, 0)))[:, : bad.shape[1]]
    of = np.minimum(n, 500)
    wilson, _ = wilson_bounds(of - lately, of, 1.96)
    return {
        "a: at least 95% and 20": first((share >= 0.95) & (n >= 20)),
        "b: at least 80% and 5": first((share >= 0.8) & (n >= 5)),
        "c: ten in a row": first(row >= 10),
        "d: 14 days without a failure": first(row >= 140),
        "e: Wilson's bound at least 90%": first((wilson >= 0.9) & (n >= 20)),
    }


def ours(bad):
    """When the certificate licenses each history."""
    bets = np.full((len(bad), len(WEIGHTS)), 0.9)
    limit, when = np.full(len(bad), LIMIT), np.full(len(bad), NEVER)
    for t in range(bad.shape[1]):
        bets = evidence_step(bets, t + 1, bad[:, t].astype(float), limit)
        when = np.where((when == NEVER) & (bets @ WEIGHTS >= grant_bound(DELTA)), t + 1, when)
    return when


def with_gold(bad, missed, first_golden=20):
    """When it does so with golden actions: 20 before the first action, then one after every 20."""
    n = len(bad)
    limits = LIMIT * (1 - EDGES[1:-1])
    marked = np.full((len(limits), n, len(WEIGHTS)), 0.9)
    against = np.full((len(limits), n, len(WEIGHTS)), 0.9)
    when, dealt = np.full(n, NEVER), 0

    def hear(count):
        nonlocal against, dealt
        for _ in range(count):
            dealt += 1
            against = np.stack([
                evidence_step(one, dealt, missed[:, dealt - 1].astype(float), np.full(n, edge))
                for one, edge in zip(against, EDGES[1:-1], strict=True)
            ])  # fmt: skip

    hear(first_golden)
    for t in range(bad.shape[1]):
        marked = np.stack([
            evidence_step(one, t + 1, bad[:, t].astype(float), np.full(n, limit))
            for one, limit in zip(marked, limits, strict=True)
        ])  # fmt: skip
        gold = np.vstack([np.ones(n), (1 + against @ WEIGHTS) / 2])
        least = np.minimum((marked @ WEIGHTS * gold[:-1]).min(0), gold[-1])
        when = np.where((when == NEVER) & (least >= grant_bound(DELTA)), t + 1, when)
        if t % 20 == 19:
            hear(1)
    return when


def cell(when):
    """The share that is ever licensed, and the median action of the grant."""
    share = (when < NEVER).mean()
    median = f" ({np.median(when[when < NEVER]):.0f})" if share >= 0.5 else ""
    return f"{share:.3f}{median}".replace("1.000", "1").replace("0.000", "0")


def grants(rates, n, seed):
    """Careful approvers: rows of the first table."""
    rows: dict[str, list[str]] = {}
    for i, rate in enumerate(rates):
        bad = np.random.default_rng([seed, i]).random((n, ACTIONS)) < rate
        found = rules(bad) | {"**askpoint, limit 5%**": ours(bad)}
        for name, when in found.items():
            rows.setdefault(name, []).append(cell(when))
    return rows


def careless(cells, n, seed):
    """Approvers who overlook bad actions: rows of the second table."""
    rows: dict[str, list[str]] = {}
    for i, (rate, overlooked) in enumerate(cells):
        rng = np.random.default_rng([seed, 50 + i])
        bad = rng.random((n, ACTIONS)) < rate * (1 - overlooked)
        missed = rng.random((n, 20 + ACTIONS // 20)) < overlooked
        found = rules(bad) | {
            "askpoint without golden actions": ours(bad),
            "**askpoint, 20 golden actions, then 1 in 20**": with_gold(bad, missed),
        }
        for name, when in found.items():
            rows.setdefault(name, []).append(cell(when))
    return rows


def table(heads, rows):
    lines = ["| rule | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    return [*lines, *("| " + " | ".join([name, *cells]) + " |" for name, cells in rows.items())]


def main(words):
    target = Path(words[words.index("--write") + 1]) if "--write" in words else None
    numbers = [int(word) for word in words[: words.index("--write") if target else None]]
    n, seed = (numbers + [10_000, 7_000][len(numbers) :])[:2]
    rates = (0.002, 0.01, 0.02, 0.05, 0.1, 0.2)
    cells = ((0.1, 0.95), (0.3, 0.95), (0.05, 0.5), (0.05, 0.1), (0.01, 0.5), (0.01, 0.1))
    few = max(200, n // 10)
    text = [
        "# Who licenses a bad agent",
        "",
        ("The rules by which projects let agents act alone, compared with ours, in simulated histories whose truth is known. "
        "`make licence-table` makes this page; `benchmarks/bench_licences.py` shows how each rule is read."),
        "",
        (f"Share of {n:,} agents ever licensed within {ACTIONS:,} actions, by their true share of bad actions; in "
        "brackets, the median action of the grant. Approvers mark every bad action. Our limit is 5%: from 5% up no agent should be licensed. Rule e claims 10%, b 20%; c and d claim no "
        "number."),
        "",
        *table([f"{100 * rate:g}%" for rate in rates], grants(rates, n, seed)),
        "",
        (f"The same where approvers overlook bad actions ({few:,} agents per cell). The last two columns are agents "
        "that deserve a licence."),
        "",
        *table(
            [f"{100 * rate:g}% bad, {100 * missed:g}% overlooked" for rate, missed in cells],
            careless(cells, few, seed),
        ),
        "",
        ("**Where we lose.** Rules a, b, c and e license a good agent sooner, after 20, 5, 10 and 35 actions "
        "instead of 76 to 132, because they decide on less. At ten actions a day rule d is as strict as ours; at two a day 28 good actions in a row suffice. Where approvers overlook half of the bad actions, golden actions keep "
        "most good agents waiting."),
        "",
    ]  # fmt: skip
    print("\n".join(text))
    if target is not None:
        target.write_text("\n".join(text), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
