"""Who reads: a colluding approver, second readers, weights of harm, steps of an amount, and minor versions.

    python benchmarks/bench_licence_readers.py [AGENTS] [--write docs/evidence/licence-table.md]
    python benchmarks/bench_licence_readers.py approvers [AGENTS]    # one table, in half a minute

A limit of 5%, 1,000 actions a life; agents a cell. "Granted" is the share that ever held a licence, "bad alone" what
they did alone: mean, and in 99 of 100 lives at most. A colluding approver gets half of the actions and approves them
all; golden actions he either takes for real ones, or knows and rejects. A second reader is never the same person, and
reads with care; whom an action goes to is drawn. With --write its section takes the place of the one that the page held.
"""

# ruff: noqa: ARG005, D102 - worlds are functions of the moment, the step and what was done alone

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from bench_licences import LIMIT, NEVER, ours, table, with_gold
from many_doors import Doors, Steps

from askpoint.live.licences.action_classes import ActionClass
from askpoint.live.licences.certificate import WEIGHTS, evidence_step, grant_bound
from askpoint.live.licences.policy import LicencePolicy

ACTIONS, SEED = 1000, 9_000
LAZY = (0.1, 0.95)  # shares of the bad actions that approvers overlook, who are measured
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


def without_each(marked, dealt, by, approvers):
    """When licences begin that take the evidence also without each approver in turn: `WithoutEach` in rows.

    `marked` is what was decided about each action, `dealt` to whom it was dealt, `by` who decided.
    """
    n, left_out = len(marked), np.arange(approvers + 1)[:, np.newaxis]  # the last leaves nobody out
    bets = np.full((approvers + 1, n, len(WEIGHTS)), 0.9)
    labels, limit = np.zeros((approvers + 1, n), int), np.array([LIMIT])
    when = np.full(n, NEVER)
    for t in range(marked.shape[1]):
        counts = dealt[:, t] != left_out
        bad = marked[:, t] | ((by[:, t] == left_out) & counts)  # taken over: nobody else looked
        labels += counts
        rows = bets.reshape(-1, len(WEIGHTS))
        new = evidence_step(rows, np.maximum(labels, 1).ravel(), bad.ravel(), limit)
        bets = np.where(counts[..., np.newaxis], new.reshape(bets.shape), bets)
        least = (bets @ WEIGHTS).min(axis=0)
        when = np.where((when == NEVER) & (least >= grant_bound(0.05)), t + 1, when)
    return when


def colluding(n, rate, approvers, seed, how):
    """Lives in which the first approver approves all; `how` says which actions reach that approver."""
    rng = np.random.default_rng([SEED, seed])
    bad, drawn = (
        rng.random((n, ACTIONS)) < rate,
        rng.integers(approvers, size=(n, ACTIONS)),
    )
    by = np.where(bad & (how != "drawn"), 0, drawn)  # every bad one, beside the part that is drawn
    return without_each(bad & (by != 0), by if how == "chosen" else drawn, by, approvers)


def honest(n, rate, approvers, seed, passed=0.0):
    """Careful approvers, each with an even part; of so many actions another one than the drawn decides."""
    rng = np.random.default_rng([SEED, seed])
    bad, drawn = rng.random((n, ACTIONS)) < rate, rng.integers(approvers, size=(n, ACTIONS))
    other = (drawn + rng.integers(1, approvers, size=drawn.shape)) % approvers
    by = np.where(rng.random(drawn.shape) < passed, other, drawn)
    return without_each(bad, drawn, by, approvers)


def parts(n):
    """Rows of the table of licences without each approver: a colluding one of several, and what it costs who is honest."""
    rows = {}

    def cells(found):
        return [share(when < NEVER) for when in found]

    for i, (approvers, how, words) in enumerate(
        (approvers, how, words)
        for how, words in (
            ("plain", "all labels, dealt at random"),
            ("drawn", "without each, dealt at random"),
            ("taken", "without each, dealt at random, and takes over each bad one"),
            ("chosen", "without each, **chosen by the approvers**"),
        )
        for approvers in (2, 3, 5)
    ):
        found, after = [], ""
        for rate in (LIMIT, 2 * LIMIT):
            if how == "plain":
                rng = np.random.default_rng([SEED, 130 + i])
                bad = rng.random((n, ACTIONS)) < rate
                found.append(ours(bad & (rng.random((n, ACTIONS)) >= 1 / approvers)))
            else:
                found.append(colluding(n, rate, approvers, 130 + i, how))
        if how == "plain":
            bad = np.random.default_rng([SEED, 150]).random((n, ACTIONS)) < 0.01
            after = f"{np.median(ours(bad)):.0f}"
        elif how == "drawn":
            after = f"{np.median(honest(n, 0.01, approvers, 150 + i)):.0f}"
        elif how == "taken":
            after = " / ".join(
                f"{np.median(honest(n, 0.01, approvers, 150 + i, passed)):.0f}".replace(
                    str(NEVER), "–"
                )
                for passed in (0.01, 0.03)
            )
        rows[f"1 of {approvers} colludes: {words}"] = [*cells(found), after]
    return rows


def approvers_table(n):
    """The table of licences without each approver."""
    heads = ["5% bad, ever licensed", "10% bad, ever licensed", "1% bad, licensed after"]
    return table(heads, parts(n))


def defences(n):
    """What second readings do to one who colludes: and to an agent that deserves it."""
    rows = {}
    for twice in (0.0, 0.1, 0.2, 0.5, 1.0):
        found = []
        for i, rate in enumerate((LIMIT, 2 * LIMIT, 0.01)):
            rng = np.random.default_rng([SEED, 100 + i])
            bad, honest = rng.random((n, ACTIONS)) < rate, rng.random((n, ACTIONS)) < 0.5
            found.append(ours(bad & (honest | (rng.random((n, ACTIONS)) < twice))))
        cells = [share(when < NEVER) for when in found]
        rows[f"{twice:.0%} of all decisions read by a second person"] = [
            *cells[:2], f"{np.median(found[2]):.0f}"
        ]  # fmt: skip
    return rows


def golden(n, rate, seed, overlooked=0.5):
    """The same, measured by golden actions that the colluding approver does not know; or approvers who do not read."""
    rng = np.random.default_rng([SEED, seed])
    bad = rng.random((n, ACTIONS)) < rate * (1 - overlooked)
    missed = rng.random((n, 20 + ACTIONS // 20)) < overlooked
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


def earn_steps(n, rate_of, seed):
    """Steps of an amount in use: each on its own labels, alone while all before it are; beside one class of all.

    Licensed though it deserves none, as a share of lives; when half of the lives have each step; bad actions alone; and
    whether the steps together ever exceed their limit by more than one mistake budget (Q2 promises it of each).
    """
    rng, k = np.random.default_rng([SEED, seed]), len(STEPS)
    policy, rows = LicencePolicy((ActionClass("t"),), limit=LIMIT), np.arange(n)
    units, whole = Steps(n, policy, k), Doors(n, policy)
    wrong, excess, own = np.zeros(n, bool), np.zeros(n), np.zeros(n, int)
    alone_bad, whole_bad, own_whole = np.zeros(n), np.zeros(n), np.zeros(n, int)
    when = np.full((n, k), NEVER)
    for t in range(ACTIONS):
        amount = np.exp(rng.uniform(np.log(5), np.log(1000), n))
        step, draws, luck = np.searchsorted(STEPS, amount), rng.random(n), rng.random(n)
        own += units.granted[rows, step]
        own_whole += whole.granted
        rate = rate_of(t, step, own)
        alone, _ = units.act(step, luck < rate, draws, rate)
        wrong |= alone & (rate >= LIMIT)
        excess = np.maximum(excess, units.units.excess.reshape(n, k).sum(axis=1))
        alone_bad += alone & (luck < rate)
        when = np.where((when == NEVER) & units.held, t + 1, when)
        rate = rate_of(t, step, own_whole)
        alone, _ = whole.act(luck < rate, draws, rate)
        whole_bad += alone & (luck < rate)
    medians = [f"{one:.0f}" if one < NEVER else "–" for one in np.median(when, axis=0)]
    return [
        share(wrong) if rate_of.still else "", f"{(excess > policy.mistake_budget).mean():.4f}",
        *(f"{one.mean():.1f} / {np.quantile(one, 0.99):.0f}" for one in (alone_bad, whole_bad)), " ".join(medians),
    ]  # fmt: skip


class World:
    """How often an action of a step is bad: at a moment, after so many alone."""

    def __init__(self, rate, *, still=False):
        self.rate, self.still = rate, still

    def __call__(self, t, step, own):
        return np.broadcast_to(self.rate(t, step, own), step.shape)


STEP_WORLDS = {
    "5% at any amount": World(lambda t, step, own: LIMIT, still=True),
    "1%, from 50 to 100 5%": World(
        lambda t, step, own: np.where(step == 2, LIMIT, 0.01), still=True
    ),
    "0.5% up to 50, 3% up to 200, 25% beyond": World(
        lambda t, step, own: np.array([0.005, 0.005, 0.03, 0.03, 0.25, 0.25])[step], still=True
    ),
    "1% at any amount": World(lambda t, step, own: 0.01, still=True),
    "0.2%, half from the 50th alone on": World(lambda t, step, own: np.where(own > 50, 0.5, 0.002)),
    "good for 500 actions, then half": World(lambda t, step, own: 0.002 if t < 500 else 0.5),
    "drift from 1% to 30%": World(lambda t, step, own: np.interp(t, (200, 1000), (0.01, 0.3))),
    "15% from the 500th action on, unannounced": World(
        lambda t, step, own: 0.005 if t < 500 else 0.15
    ),
}


def minor(n, rate, tell, seed):
    """Another version at the 500th action: what people see of it, what it does alone, and whether it holds."""
    rng = np.random.default_rng([SEED, seed])
    units = Doors(n, LicencePolicy((ActionClass("t"),), limit=LIMIT))
    seen, alone_bad, excess = np.zeros(n), np.zeros(n), np.zeros(n)
    for i in range(ACTIONS):
        if i == ACTIONS // 2 and tell is not None:
            tell(units)
        is_new = i >= ACTIONS // 2
        p = rate if is_new else 0.005
        bad = rng.random(n) < p
        alone, looked = units.act(bad, rng.random(n), np.full(n, p))
        seen += is_new * looked
        alone_bad += is_new * (alone & bad)
        excess = np.maximum(excess, units.excess)
    return [
        f"{seen.mean():.0f}",
        f"{alone_bad.mean():.1f} / {np.quantile(alone_bad, 0.99):.0f}",
        f"{(units.granted & ~units.carried).mean():.2f}",
        f"{(excess > units.policy.mistake_budget).mean():.4f}",
    ]


def minors(n):
    """Rows of the last table."""
    told = {
        "announced": Doors.tell_version,
        "declared as minor": Doors.tell_minor,
        "unannounced": None,
    }
    return {
        f"{rate:.1%} bad, {name}": minor(n, rate, tell, 70)
        for rate in (0.005, 0.05, 0.15, 0.5)
        for name, tell in told.items()
    }


def readers(n):
    """Rows of the first table: careful approvers, and one who colludes."""
    rows = {}
    for rate, seed in ((LIMIT, 1), (2 * LIMIT, 2)):
        bad = np.random.default_rng([SEED, 20 + seed]).random((n, ACTIONS)) < rate
        rows[f"{rate:.0%} bad, careful approvers"] = [share(ours(bad) < NEVER), ""]
        for twice in (0.0, 0.1, 1.0):
            name = f"{rate:.0%} bad, one colludes, {twice:.0%} of the audits read by two"
            rows[name] = list(collude(n, rate, twice, 30 + seed))
        name = f"{rate:.0%} bad, one colludes, golden actions unknown to the approver"
        rows[name] = [golden(n, rate, 40 + seed), ""]
        for lazy in LAZY:
            name = f"{rate:.0%} bad, approvers overlook {lazy:.0%}, golden actions counted"
            rows[name] = [golden(n, rate, 80 + seed, lazy), ""]
    return rows


def main(words):
    if words[:1] == ["approvers"]:
        print("\n".join(approvers_table(int(words[1]) if words[1:] else 300)))
        return
    target = Path(words[words.index("--write") + 1]) if "--write" in words else None
    numbers = [int(word) for word in words[: words.index("--write") if target else None]]
    n = numbers[0] if numbers else 10_000
    worlds = {
        "5% at any amount": lambda a: np.full(len(a), LIMIT),
        "0.5% up to 50, 3% up to 200, 25% beyond": lambda a: np.where(
            a <= 50, 0.005, np.where(a <= 200, 0.03, 0.25)
        ),
    }
    text = [
        "## Who reads, harm, amounts, minor versions",
        "",
        (f"{n:,} agents per cell, {ACTIONS:,} actions each, limit 5%, by `benchmarks/bench_licence_readers.py`. A "
        "colluding approver gets half of the actions and approves all of them. Promised: at most .05 of careful "
        "approvers license an agent at the limit. Bad actions alone: mean / in 99 of 100 histories at most."),
        "",
        *table(["ever licensed", "bad actions alone"], readers(n)),
        "",
        ("Ways to find an approver who colludes, knows the golden actions, and gets half of the requests. "
        "A second reading counts if either rejects. The last column is an agent with 1% bad actions. "
        f"{n // 5:,} agents per cell."),
        "",
        *table(["5% bad, ever licensed", "10% bad, ever licensed", "1% bad, licensed after"], defences(n // 5)),
        "",
        ("**Golden actions do not reveal a colluding approver who knows them**; such an approver licenses nine in "
        "ten agents at the limit. Golden actions that this approver takes for real ones stop the licence. If a second "
        "reader reads each audit, an agent with 10% bad actions does less than half as many alone; at the limit that changes little. Two "
        "readers who overlook the same actions reveal nothing. Second readings of one request in five "
        "still license six in ten; two readers of every decision keep the promise, at two checks per action."),
        "",
        ("Licences that hold without each approver (`without_each_approver`), at one check per action; one approver "
        "colludes and approves all. The last column is an agent with 1% bad actions and careful approvers. In the "
        "rows *takes over*, another approver than the drawn one takes over 1% and 3% of its actions. "
        f"{n // 10:,} agents per cell; `approvers` makes this table alone."),
        "",
        *approvers_table(n // 10),
        "",
        ("**With actions dealt at random, the licence keeps its promise against any one approver**: with three approvers a good agent waits "
        "twice as long, with five a third longer. Taking over bad actions gains nothing, because a takeover counts as bad without that approver. So honest "
        "takeovers cost much: keep them below 1%, and remove the role from absent approvers. **Where approvers "
        "choose what they decide, nothing is promised**: an approver who takes all bad "
        "actions leaves only good ones to the others."),
        "",
        "Bad actions that weigh less than 1 (`labels.edit`), of units exactly at the limit:",
        "",
        *table(["ever licensed"], {f"weight {one:g}": [harm(n, one, 50 + i)] for i, one in enumerate((0.1, 0.3, 0.6))}),
        "",
        ("Steps of an amount, each tested on all actions up to it: a step is licensed where it and all before it "
        "have earned theirs. Beyond: licensed up to a step whose actions are bad too often. Amounts are "
        "log-uniform from 5 to 1,000."),
        "",
        *table(
            ["licensed beyond", *(f"up to {step}" for step in STEPS)],
            {name: amounts(n, rate, 60 + i) for i, (name, rate) in enumerate(worlds.items())},
        ),
        "",
        ("The same steps in use, as `steps` of a class declare them: each earns on its own labels, and acts alone only "
        "while all before it do. So the first step that deserves no licence decides, and the steps share no delta. Licensed: the share of "
        "histories in which a step with 5% or more ever acts alone (promised: at most .05). Q2: the steps together "
        "exceed the limit by more than one mistake budget, which is promised only for each step. Bad actions alone, next to those of one "
        "class for any amount. Medians: actions after which half of the histories have each step."),
        "",
        *table(
            ["licensed", "Q2", "bad actions alone", "one class", "medians"],
            {name: earn_steps(n, world, 120 + i) for i, (name, world) in enumerate(STEP_WORLDS.items())},
        ),
        "",
        (f"An agent with .5% bad actions gets another version at its {ACTIONS // 2}th action, and acts "
        f"{ACTIONS // 2} times more. Seen: its actions that people see. Own licence: the share that ends with a licence earned by its own version. Q2: the share of histories in "
        "which its actions alone ever exceed the limit by more than the mistake budget of 20 (promised: at most "
        ".05)."),
        "",
        *table(["seen", "bad actions alone", "own licence", "Q2 broken"], minors(n)),
        "",
        ("**A bad version that its owner declares as minor acts alone, which a new version never does**: on average "
        "14 bad actions at 15%, at most 42 in 99 of 100 histories. Q2 bounds this cost, which is less than half of "
        "what the same version does unannounced. A good version saves more than half of the approvals that a new "
        "one takes. Its only labels are audits, so its own licence takes 120 right ones, some 800 actions, and Q1 "
        "is open until then."),
        "",
    ]  # fmt: skip
    print("\n".join(text))
    if target is not None:
        head = target.read_text("utf-8").split("## Who reads")[0].rstrip("\n")
        target.write_text(head + "\n\n" + "\n".join(text), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
