"""After the grant: what licences and rules of thumb let bad agents do, what they save, and what is promised.

    python benchmarks/bench_licence_lives.py [AGENTS [HISTORIES]] [--write docs/evidence/licence-table.md]

AGENTS a cell of the third table (400), HISTORIES of a promise (10,000). With --write it takes the place of what the
page held from "After the grant" on. Audits are read at once and rightly; rules were given audits and judge again by
them: 5% for a, b and d as a gift, 20%, 10% and 25% for c, e and f as published. Rule f is ">= .95 and >= 50".
Worlds as in spec/approvals.md; its volumes are not told, so here they are log-normal (sigma 1, median 500, 30 to 2,000)
and rates log-uniform within their thirds. Audits were chosen on seeds 31 and 32.
"""

# ruff: noqa: ARG002, ARG005, D102, E731 - worlds are functions of the moment, the units and what they did

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from bench_licences import table
from many_doors import Doors, Thumb

from askpoint.live.licences.action_classes import ActionClass
from askpoint.live.licences.audit_ladder import AuditLadder
from askpoint.live.licences.policy import LicencePolicy

SEED, LIFE, LIMIT, LIVES = 8_000, 3000, 0.05, 100
STEEP = AuditLadder((0.5, 0.2, 0.05), 10.0, 0, after_loss=0.05)
FLAT = AuditLadder((0.05,), 10.0, 0, after_loss=0.05)
PRICED = (ActionClass("t", bad=20.0),)


def door(n, **terms):
    policy = LicencePolicy(PRICED, check=1.0, **terms)
    return Doors(n, policy, money=policy.aim == "money")


SYSTEMS = {
    "a, audits 5%": lambda n: Thumb(n, "a", 0.05),
    "b, audits 5%": lambda n: Thumb(n, "b", 0.05),
    "c, audits 20%": lambda n: Thumb(n, "c", 0.2),
    "d, audits 5%": lambda n: Thumb(n, "d", 0.05),
    "e, audits 10%": lambda n: Thumb(n, "e", 0.1),
    "f, audits 25%": lambda n: Thumb(n, "f", 0.25),
    "**askpoint, promise**": door,
    "askpoint, one audit in 2, 5, 20": lambda n: door(n, audits=STEEP),
    "askpoint, one audit in 20": lambda n: door(n, audits=FLAT),
    "**askpoint, money**": lambda n: door(n, aim="money"),
}


def live(units, chance, rng, life, told=None):
    """Live lives; chance(i, units, alone so far) of a bad action. Alone, looked at, bad alone, a row each."""
    n = units.n
    alone_, looked_, bad_ = np.zeros(n), np.zeros(n), np.zeros(n)
    for i in range(life):
        if i == told:
            units.tell_version()
        p = chance(i, units, alone_)
        bad = rng.random(n) < p
        alone, looked = units.act(bad, rng.random(n), p)
        alone_ += alone
        looked_ += looked
        bad_ += alone & bad
    return alone_, looked_, bad_


class Milk:
    """Right while asked; half wrong from the 50th action of each licence on."""

    def __init__(self, n):
        self.own = np.zeros(n, int)

    def __call__(self, i, units, alone):
        self.own = np.where(units.granted, self.own + 1, 0)
        return np.where(self.own > 50, 0.5, 0.002)


def attacks(n):
    """Rows of the third table."""
    worlds = {
        "turn": lambda: lambda i, units, alone: np.where(alone >= 200, 0.5, 0.005),
        "milk": lambda: Milk(n),
        "silent": lambda: lambda i, units, alone: np.full(n, 0.15 if i >= 1500 else 0.005),
        "version": lambda: lambda i, units, alone: np.full(n, 0.15 if i >= 1500 else 0.005),
        "drift": lambda: lambda i, units, alone: np.full(n, np.interp(i, (1000, 2000), (0.01, 0.1))),
    }  # fmt: skip
    since = {"silent": 1500, "version": 1500, "drift": 1500}
    rows = {}
    for name, system in SYSTEMS.items():
        cells = []
        for p in (0.01, 0.03):
            units = system(n)
            alone, looked, _ = live(
                units,
                lambda *_, p=p: np.full(n, p),
                np.random.default_rng([SEED, int(p * 100)]),
                LIFE,
            )
            more = (
                f"checks {1000 * looked.mean() / LIFE:.0f}"
                if p < 0.02
                else f"lost {units.losses.mean():.2f}"
            )
            cells.append(f"{alone.mean() / LIFE:.3f}, {more}")
        for world, begin in worlds.items():
            units, chance = system(n), begin()
            told = 1500 if world == "version" else None
            rng = np.random.default_rng([SEED, 7, list(worlds).index(world)])
            late = np.zeros(n)
            alone_so_far = np.zeros(n)
            for i in range(LIFE):
                if i == told:
                    units.tell_version()
                p = chance(i, units, alone_so_far)
                bad = rng.random(n) < p
                alone, _ = units.act(bad, rng.random(n), p)
                counts = (
                    p > 0.055
                    if world == "drift"
                    else np.asarray(p >= 0.15)
                    if world != "milk"
                    else True
                )
                late += alone & bad & counts & (i >= since.get(world, 0))
                alone_so_far += alone
            cells.append(f"{late.mean():.0f} / {np.quantile(late, 0.99):.0f}")
        rows[name] = cells
        print(name, *cells, file=sys.stderr, flush=True)
    return rows


def tools(system, lives, *, turns, seed):
    """50 tools a life of mixed quality: saving of hindsight's (mean, worst), bad alone, over the limit and licensed."""
    rng = np.random.default_rng([SEED, seed])
    n = 50 * lives
    volume = np.clip(np.exp(rng.normal(np.log(500), 1.0, n)), 30, 2000).astype(int)
    kind = rng.random(n)
    low, high = np.where(kind < 0.4, 0.001, np.where(kind < 0.7, 0.01, 0.05)), np.where(
        kind < 0.4, 0.01, np.where(kind < 0.7, 0.04, 0.3)
    )  # fmt: skip
    rate = np.exp(rng.uniform(np.log(low), np.log(high)))
    jumps = turns & (rng.random(n) < 0.1)
    units, cost, bad_alone = system(n), np.zeros(n), np.zeros(n)
    over, act_all = np.zeros(n, bool), np.zeros(n)
    for i in range(int(volume.max())):
        lives_on = i < volume
        p = np.where(jumps & (i >= volume // 2), 0.15, rate)
        alone, looked = units.act(rng.random(n) < p, rng.random(n), p)
        cost += lives_on * (looked + alone * p * 20)
        bad_alone += lives_on * alone * p
        act_all += lives_on * p * 20
        over |= lives_on & units.granted & (p >= LIMIT)
    best = np.minimum(volume, act_all)
    whole = [one.reshape(lives, 50).sum(axis=1) for one in (volume, cost, best, bad_alone)]
    saving = (whole[0] - whole[1]) / (whole[0] - whole[2])
    bad = (rate >= LIMIT) | jumps
    return (
        saving.mean(),
        saving.min(),
        whole[3].mean(),
        over[bad].mean(),
        over.reshape(lives, 50).any(axis=1).mean(),
    )


def savings(lives):
    """Rows of the fourth table."""
    rows = {}
    for name, system in SYSTEMS.items():
        still = tools(system, lives, turns=False, seed=1)
        turns = tools(system, lives, turns=True, seed=2)
        rows[name] = [
            f"{still[0]:.2f} ({still[1]:.2f})", f"{still[2]:.0f}", f"{still[3]:.3f}; {still[4]:.2f}",
            f"{turns[0]:.2f} ({turns[1]:.2f})", f"{turns[2]:.0f}",
        ]  # fmt: skip
        print(name, *rows[name], file=sys.stderr, flush=True)
    return rows


def regain(n):
    """After trouble (30% bad for 500 actions, then 1% again): median actions until it acts alone again."""
    rows = {}
    for name, system in SYSTEMS.items():
        units, rng = system(n), np.random.default_rng([SEED, 3])
        first, back = np.full(n, -1), np.full(n, -1)
        for i in range(LIFE):
            since = np.where(first >= 0, i - first, -1)
            p = np.where((since >= 0) & (since < 500), 0.3, 0.01)
            units.act(rng.random(n) < p, rng.random(n), p)
            first = np.where((first < 0) & units.granted, i + 1, first)
            back = np.where((since >= 500) & (back < 0) & units.granted, since - 500, back)
        never = float((back < 0).mean())
        again = np.median(np.where(back < 0, LIFE, back))
        rows[name] = [
            f"{np.median(first):.0f}",
            f"{again:.0f}",
            f"{again / np.median(first):.1f}",
            f"{never:.3f}",
        ]
        print(name, *rows[name], file=sys.stderr, flush=True)
    return rows


def lost_wrongly(n):
    """How many licences a unit with 1% bad actions loses in 4,000 actions: mean, and its 95% noise."""
    units, rng = door(n), np.random.default_rng([SEED, 11])
    for _ in range(4000):
        units.act(rng.random(n) < 0.01, rng.random(n))
    return units.losses.mean(), 1.96 * units.losses.std() / np.sqrt(n) or 3 / n


def promises(n):
    """Q1 and Q2, and what they cost, over many histories."""
    rows = {}
    life = 1000

    def row(name, chance, *, aim="promise", told=None, what="Q2"):
        units, rng = door(n, aim=aim), np.random.default_rng([SEED, 9, len(rows)])
        broken, alone_ = np.zeros(n, bool), np.zeros(n)
        for i in range(life):
            if i == told:
                units.tell_version()
            p = chance(i, units, alone_)
            alone, _ = units.act(rng.random(n) < p, rng.random(n), p)
            alone_ += alone
            broken |= units.excess > units.policy.mistake_budget
        share = units.ever if what == "Q1" else broken
        rows[name] = [
            what,
            f"{share.mean():.4f}",
            f"{1.96 * np.sqrt(share.mean() * (1 - share.mean()) / n):.4f}",
        ]
        print(name, *rows[name], file=sys.stderr, flush=True)

    def unwarranted(name, *, alike):
        """Q3: of five units at the limit in each history, how many are ever licensed."""
        k, rng = 5, np.random.default_rng([SEED, 10, alike])
        units = door(k * n)
        for _ in range(life):
            bad = np.repeat(rng.random(n) < LIMIT, k) if alike else rng.random(k * n) < LIMIT
            units.act(bad, rng.random(k * n))
        found = units.ever.reshape(n, k).sum(axis=1) / k
        rows[name] = ["Q3", f"{found.mean():.4f}", f"{1.96 * found.std() / np.sqrt(n):.4f}"]
        print(name, *rows[name], file=sys.stderr, flush=True)

    still = lambda p: lambda i, units, alone: np.full(n, p)
    row("exactly at the limit, ever licensed", still(LIMIT), what="Q1")
    row("twice the limit, ever licensed", still(2 * LIMIT), what="Q1")
    row(
        "good for 150 actions, then half wrong",
        lambda i, u, a: np.full(n, 0.002 if i < 150 else 0.5),
    )
    row("half wrong from the 50th action of each licence on", Milk(n))
    row("drift from 1% to 30%", lambda i, u, a: np.full(n, np.interp(i, (200, 1000), (0.01, 0.3))))
    row(
        "another version, 15% wrong, unannounced",
        lambda i, u, a: np.full(n, 0.15 if i >= 400 else 0.005),
    )
    row("the same, announced", lambda i, u, a: np.full(n, 0.15 if i >= 400 else 0.005), told=400)
    row("the aim money, half wrong from the 50th action on", Milk(n), aim="money")
    unwarranted("five units at the limit, each alone", alike=False)
    unwarranted("five units at the limit that are wrong at the same actions", alike=True)
    mean, noise = lost_wrongly(n // 5)
    rows[f"1% bad, licences lost in 4,000 actions ({n // 5:,} histories)"] = [
        "",
        f"{mean:.4f}",
        f"{noise:.4f}",
    ]
    return rows


def main(words):
    target = Path(words[words.index("--write") + 1]) if "--write" in words else None
    numbers = [int(word) for word in words[: words.index("--write") if target else None]]
    n, histories = (numbers + [400, 10_000][len(numbers) :])[:2]
    text = [
        "## After the grant",
        "",
        (f"Histories of {LIFE:,} actions, {n} agents per cell. Bad actions done alone: mean / in 99 of 100 "
        "histories at most. Steady at 1%: share alone, checks per 1,000; at 3%: share alone, licences lost per "
        "history. *turn*: .5% wrong until 200 actions alone, then half wrong. *milk*: .2% while asked, half wrong "
        "from the 50th action of each licence. *silent*: .5% to 15% half-way, unannounced; *version*: the same, "
        "announced. *drift*: 1% to 10%, counted beyond 5.5%."),
        "",
        *table(["steady 1%", "steady 3%", "turn", "milk", "silent", "version", "drift"], attacks(n)),
        "",
        (f"Trouble that ends: 30% wrong for 500 actions from the first grant, then 1% again; {10 * n:,} agents, "
        "medians."),
        "",
        *table(["first grant after", "back after", "times", "never within 3,000"], regain(10 * n)),
        "",
        (f"50 tools per history, {LIVES} histories: 40% of the tools at .1 to 1% bad, 30% at 1 to 4%, 30% at 5 to "
        "30%; a check costs 1, a bad action 20. Saving: share of what the better of asking always and acting "
        "always, tool by tool, saves in hindsight (worst history). Turns: a tenth of the tools jumps to 15% "
        "half-way."),
        "",
        *table(["saving (worst)", "bad actions", "tools over the limit ever licensed; histories with one",
                "turns: saving (worst)", "bad actions"], savings(LIVES)),
        "",
        (f"What is promised, over {histories:,} histories of 1,000 actions, each at most .05: Q1 that a unit at its "
        "limit is ever licensed; Q2 that what it does alone ever exceeds the limit by more than the mistake "
        "budget of 20; Q3 the share of five units that deserve no licence and are ever licensed. The last row is a number per unit: the licences lost by a unit that deserves one."),
        "",
        *table(["promise", "share broken", "±"], promises(histories)),
        "",
        ("**Where we lose.** Rules c and d are as quick against an agent that turns, and lose up to 17 deserved "
        "licences per history. A flat audit of one in 20 saves more than our rising rates as long as nobody attacks. Without any audit a "
        "promise would save about .79 of what hindsight saves. The aim money rarely reopens after trouble, because "
        "it counts the trouble with the rest. Its audits find a late turn later than one in 20 does, and an early "
        "turn sooner."),
        "",
        ("**Missed.** The aim money saves .859 of what hindsight would; the target was .86. An agent that turns bad "
        "within 50 actions does 37 bad ones alone in 99 of 100 histories. Audits of one in 5, then 20 with three "
        "times the evidence, would leave 27 and save .02 less; they were dropped."),
        "",
    ]  # fmt: skip
    print("\n".join(text))
    if target is not None:
        head = target.read_text("utf-8").split("## After the grant")[0]
        target.write_text(head + "\n".join(text), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
