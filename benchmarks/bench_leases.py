"""Simulated lives of a policy whose cases are decided under leases: is everything still kept to, and what does it cost?

    python benchmarks/bench_leases.py [--lives 40] [--rows PART ...]

Deciders of different speed take leases, decide, and hand in; labels come at each hand-in. Some leases are lost, some
come late, some twice. Time is counted in cases that come to all of them. Mistakes are counted where they happen: under
lost leases, too, and under those that are out while the policy closes.
"""

from __future__ import annotations

import argparse
import heapq
import time
from dataclasses import dataclass, field

import numpy as np
from bench_live import DRIFTS, WORLDS, C, best_cost

from askpoint.live.labels import apply_labels
from askpoint.live.leases.granting import book_lease, free_lease, grant_lease
from askpoint.live.state import fresh_state
from askpoint.live.steps import decide_cases
from askpoint.live.terms import Terms


@dataclass(frozen=True)
class Row:
    """One row of the table."""

    world: str
    drift: str = ""
    aim: str = "money"
    deciders: int = 1
    span: int = 400
    lost: float = 0.0
    late: float = 0.0
    twice: float = 0.0
    life: int = 40_000
    limit: float = 0.05
    rate: float = 0.05
    at: int = 0
    weight: float = 1.0
    budget: float | None = None

    @property
    def name(self):
        """Its name in the table."""
        place = self.world + (f", {self.drift}" if self.drift else "")
        how = [f"{self.deciders:,} deciders", f"leases of {self.span:,}"]
        if self.lost:
            how.append(f"{self.lost:.0%} lost, {self.late:.0%} late, {self.twice:.0%} twice")
        if self.life != 40_000:
            how.append(f"{self.life:,} cases")
        if self.budget:
            how.append(f"a budget of {self.budget:,.0f}")
        if self.drift:
            how.append(f"from case {self.change:,} on")
        return f"{place} | {self.aim} | {', '.join(how)}"

    @property
    def change(self):
        """The case from which on the world is another."""
        return self.at or self.life // 2


@dataclass
class Book:
    """What truly happened: each case when it was decided, in which episode, its risk and what became of it."""

    when: list = field(default_factory=list)
    episode: list = field(default_factory=list)
    risk: list = field(default_factory=list)
    answer: list = field(default_factory=list)
    audit: list = field(default_factory=list)

    def add(self, when, episode, risk, answer, audit):
        """Keep cases."""
        for name, values in (("when", when), ("risk", risk), ("answer", answer), ("audit", audit)):
            getattr(self, name).append(values)
        self.episode.append(np.full(len(when), episode))

    def sorted(self):
        """Return all columns in the order of time."""
        columns = [np.concatenate(getattr(self, name)) for name in vars(self)]
        order = np.argsort(columns[0], kind="stable")
        return [column[order] for column in columns]


def live_through(row, rng):
    """Play one life of a policy whose cases come to deciders elsewhere."""
    terms = Terms(row.aim, row.limit, row.rate, row.budget, planned_decisions=row.life)
    before = WORLDS[row.world](C)
    after = DRIFTS[row.drift](C, before)
    speed = rng.gamma(2.0, 1.0, row.deciders)
    speed /= speed.sum()
    state, book, events, used = fresh_state(terms), Book(), [], []
    number = handed = refused = 0
    due = [(rng.random() * row.span, "begin", decider, None) for decider in range(row.deciders)]
    heapq.heapify(due)
    while due and due[0][0] < row.life:
        now, what, decider, packet = heapq.heappop(due)
        if what == "begin":
            number += 1
            lease = grant_lease(
                state,
                terms,
                number=number,
                decider=str(decider),
                granted=0,
                expires=1,
                deciders=row.deciders,
            )
            state = book_lease(state, lease)
            if lease.threshold is not None:
                used.append(lease.threshold)
            n = rng.poisson(speed[decider] * row.span)
            when = np.sort(now + rng.random(n) * row.span)
            place = rng.integers(0, len(C), n)
            sure = lease.rule().answers(C[place])
            end = now + row.span
            if lease.answers and sure.sum() == lease.answers:  # used up: hand in and take another
                last = int(np.flatnonzero(sure)[-1])
                when, place, sure, end = (
                    when[: last + 1],
                    place[: last + 1],
                    sure[: last + 1],
                    when[last],
                )
            draw = rng.random(len(when))
            risk = np.where(when < row.change, before[place], after[place])
            audit = sure & (draw < lease.rate)
            book.add(when, lease.episode, risk, sure, audit)
            wrong = rng.random(len(when)) < risk
            packet = (lease, C[place], draw, wrong)
            heapq.heappush(due, (end, "begin", decider, None))
            if rng.random() >= row.lost:
                delay = rng.random() * 20 * row.span if rng.random() < row.late else 0.0
                heapq.heappush(due, (end + delay, "hand in", number, packet))
                if rng.random() < row.twice:
                    heapq.heappush(due, (end + delay + row.span, "again", number, packet))
            continue
        if what == "again":  # the same receipts: nothing happens
            refused += 1
            continue
        lease, c, draw, wrong = packet
        handed += 1
        answers = int(lease.rule().answers(c).sum())
        state = free_lease(state, lease, lease.answers - answers)
        first = state.decided
        if len(c):
            state, made, told = decide_cases(state, terms, c, draw, None, None, lease.rule())
            events += told
            checked = np.flatnonzero(made.audit | ~made.answer)
            state, told = apply_labels(state, terms, first + checked, wrong[checked])
            events += told
        assert state.booked >= 0
    return judged(row, terms, book, events, used, before, after, number - handed)


def judged(row, terms, book, events, used, before, after, out):
    """Compare with asking everybody, with the best thresholds, and with what was promised."""
    when, episode, risk, answer, audit = book.sorted()
    cost = np.where(answer, risk + row.limit * audit, row.limit)
    lost = answer * (risk - terms.answer_below)
    most = max(
        (np.cumsum(lost[episode == number]).max() for number in np.unique(episode)), default=0.0
    )
    tail = before[::-1].cumsum()[::-1] / np.arange(len(C), 0, -1)
    broken = row.aim == "promise" and any(
        tail[min(np.searchsorted(C, t), len(C) - 1)] > row.limit + 1e-12 for t in set(used)
    )
    share = row.change / row.life if row.drift else 1.0
    best = len(when) * (
        share * best_cost(before, row.limit) + (1 - share) * best_cost(after, row.limit)
    )
    ask_all = row.limit * len(when)
    closings = [event for event in events if event.kind in {"alarm", "budget_spent"}]
    return {
        "saved": ask_all - cost.sum(),
        "possible": ask_all - best,
        "behind": max(0.0, np.cumsum(cost - row.limit).max()),
        "beyond": most,
        "over": most > terms.budget,
        "broken": broken,
        "closings": len(closings),
        "coverage": answer[(when < row.change) & (when > row.change - 2000)].mean(),
        "out": out,
    }


def table_line(row, lives):
    """Write one row of the table."""

    def mean(name):
        return float(np.mean([life[name] for life in lives]))

    possible = mean("possible")
    gaps = [life["saved"] / possible for life in lives] if possible > 1e-9 else []
    gap = f"{np.mean(gaps):.2f} (se {np.std(gaps) / len(gaps) ** 0.5:.2f})" if gaps else "none"
    return (
        f"| {row.name} | {gap} | {mean('coverage'):.2f} | {max(x['behind'] for x in lives):.0f} "
        f"| {max(x['beyond'] for x in lives):.0f} | {mean('over'):.3f} | {mean('broken'):.3f} "
        f"| {mean('closings'):.2f} |"
    )


_BAD = {"lost": 0.01, "late": 0.05, "twice": 0.05}
_ATTACK = {"life": 8000, "weight": 5.0, **_BAD}
_MANY = {"deciders": 1000, "span": 4000, "life": 200_000, "weight": 0.1, **_BAD}
_MORE = {
    "deciders": 1000,
    "span": 8000,
    "life": 1_000_000,
    "weight": 0.05,
    "budget": 40_000,
    **_BAD,
}
ROWS = [
    *(Row("smooth", aim=aim, deciders=n) for aim in ("money", "promise") for n in (1, 8, 64)),
    *(Row("smooth", aim=aim, deciders=8, **_BAD) for aim in ("money", "promise")),
    *(Row("smooth", aim=aim, deciders=8, span=4000) for aim in ("money", "promise")),
    *(
        Row("smooth", drift, aim, deciders=8, **_BAD)
        for aim in ("money", "promise")
        for drift in ("island", "disaster")
    ),
    *(
        Row("sharp", "all wrong", aim, deciders=n, at=at, **_ATTACK)
        for aim in ("money", "promise")
        for n, at in ((8, 2500), (64, 4000))
    ),
    Row("smooth", **_MANY),
    Row("smooth", "all wrong", **_MANY),
    Row("smooth", **_MORE),
    Row("smooth", "all wrong", **_MORE),
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lives", type=int, default=40)
    parser.add_argument("--rows", nargs="*", default=[""], help="parts of the names of rows")
    parser.add_argument("--seed", type=int, default=29)
    options = parser.parse_args()
    print("| world, drift | aim | deciders and leases | gap | late coverage | worst behind "
          "| most beyond the limit | mistake budget broken | risk broken | closings |")  # fmt: skip
    print("|" + "---|" * 10)
    for i, row in enumerate(ROWS):
        if any(part in row.name for part in options.rows):
            start = time.process_time()
            n = max(1, round(options.lives * row.weight))
            lives = [
                live_through(row, np.random.default_rng([options.seed, i, life]))
                for life in range(n)
            ]
            seconds = time.process_time() - start
            print(table_line(row, lives), f"<!-- {n} lives, {seconds:.0f} s -->", flush=True)


if __name__ == "__main__":
    main()
