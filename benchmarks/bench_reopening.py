"""How soon a closed policy answers again, and what that costs: troubles that end, return, or stay.

    python benchmarks/bench_reopening.py [--lives 200] [--rows NAME ...] [--seed 23]

Worlds and costs are those of bench_live.py; lives of 16,000 decisions, labels come each 200 (a day). In
trouble six of ten answers above a confidence of .9 are wrong (a disaster), or every case costs a little
more than its check (a price then pauses instead of closing). Thresholds in use are held against the risk
of the world as it has been since their certificate began.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from bench_live import WORLDS, C, best_cost

from askpoint.live.labels import apply_labels
from askpoint.live.state import fresh_state
from askpoint.live.steps import decide_cases
from askpoint.live.terms import Terms

LIFE, BEGIN, DAY = 16_000, 4000, 200
RHO = 0.05
TROUBLES = {
    "disaster": lambda c, p: np.where(c > 0.9, 0.6, p),
    "island": lambda c, p: np.where(c > 0.9, np.minimum(0.5, p + 0.12), p),
    "fade": lambda _, p: np.maximum(p, 0.075),
    "silent swap": lambda c, _: np.where(c > 0.85, 0.25, 0.1),
}


@dataclass(frozen=True)
class Row:
    """One row: a world, and when it is in trouble."""

    aim: str
    length: int = 0  # decisions in trouble from BEGIN on; 0: never
    cycle: int = 0  # good and bad spells of so many decisions, in turn
    world: str = "smooth"
    trouble: str = "disaster"
    fresh: bool = False  # deployed from nothing when the trouble is over
    day: int = DAY
    life: int = LIFE

    @property
    def name(self):
        """Its name in the table."""
        what = f"{self.trouble}, {self.length:,}" if self.length else "no trouble"
        if self.length >= self.life:
            what = f"{self.trouble}, stays"
        if self.cycle:
            what = f"{self.trouble}, each other {self.cycle:,}"
        return f"{self.aim}, {self.world}, {'fresh deployment' if self.fresh else what}"

    def regime(self):
        """0 where all is well, 1 in trouble, by decision."""
        t = np.arange(self.life)
        if self.fresh:
            return np.zeros(self.life, int)
        if self.cycle:
            return (t // self.cycle) % 2
        return ((t >= BEGIN) & (t < BEGIN + self.length)).astype(int)


@dataclass
class Life:
    """What one life cost and did."""

    gap: tuple[float, float]
    behind: float
    over: bool
    broken: bool
    closings: int
    pauses: int
    reopened: float | None = None
    was_shut: bool = False


def live(row, rng):
    """Play one life; returns what it cost and did."""
    terms = Terms(row.aim, RHO, planned_decisions=row.life)
    good = WORLDS[row.world](C)
    risks = np.array([good, TROUBLES[row.trouble](C, good)])
    regime = row.regime()
    place = rng.integers(0, len(C), row.life)
    c, p = C[place], risks[regime, place]
    wrong, draw = rng.random(row.life) < p, rng.random(row.life)
    state = fresh_state(terms)
    answer, audit = np.zeros(row.life, bool), np.zeros(row.life, bool)
    episode, seen = np.zeros(row.life, int), []
    shares = np.zeros(row.life // row.day)
    for day, start in enumerate(range(0, row.life, row.day)):
        rows = slice(start, start + row.day)
        state, made, events = decide_cases(state, terms, c[rows], draw[rows])
        answer[rows], audit[rows], episode[rows] = made.answer, made.audit, made.episode
        checked = start + np.flatnonzero(made.audit | ~made.answer)
        state, told = apply_labels(state, terms, checked, wrong[checked])
        seen += [*events, *told]
        shares[day] = 0 if state.threshold is None else (c >= state.threshold).mean()
    return judge(row, terms, (p, risks, regime), (answer, audit, episode), seen, shares)


def judge(row, terms, world, made, events, shares):
    """Compare a life with asking everybody, with the best thresholds, and with its promises."""
    (p, risks, regime), (answer, audit, episode) = world, made
    cost = np.where(answer, p + RHO * audit, RHO)
    best = sum((regime == r).sum() * best_cost(risks[r], RHO) for r in (0, 1))
    lost = answer * (p - terms.answer_below)
    over = any(
        np.cumsum(lost[episode == e]).max() > terms.budget + row.day for e in np.unique(episode)
    )
    above = risks[:, ::-1].cumsum(axis=1)[:, ::-1] / np.arange(len(C), 0, -1)
    broken, since = False, 0
    for event in events:
        if event.kind in {"alarm", "budget_spent"}:
            since = event.seq
        at = event.numbers.get("threshold")
        if row.aim == "money" or at is None or event.kind == "resumed":
            continue
        since = int(event.numbers.get("since", since))
        spell = regime[since : max(since + 1, event.seq)]
        if (spell == spell[0]).all():
            broken |= bool(above[spell[0], min(np.searchsorted(C, at), len(C) - 1)] > RHO + 1e-12)
    closings = [e.seq for e in events if e.kind in {"alarm", "budget_spent"}]
    pauses = [e.seq for e in events if e.kind == "paused"]
    life = Life(
        (RHO * row.life - cost.sum(), RHO * row.life - best),
        max(0.0, np.cumsum(cost - RHO).max()),
        over,
        broken,
        len(closings),
        len(pauses),
    )
    end = 0 if row.fresh else BEGIN + row.length
    if end < row.life and not row.cycle:
        days = np.arange(1, len(shares) + 1) * row.day
        shut = [seq for seq in [*closings, *pauses] if seq >= BEGIN]
        life.was_shut = row.fresh or bool(shut)
        if life.was_shut:
            # from the end of the trouble on, or from the closing where that comes later
            begin = end if row.fresh else max(end, min(shut))
            life.was_shut = row.fresh or shares[begin // row.day - 1] <= 0.1
            again = days[(days > begin) & (shares > 0.1)]
            life.reopened = (again[0] - begin) if len(again) else np.inf
    return life


def table_line(row, lives):
    """Write one row of the table."""
    saved, possible = np.array([life.gap for life in lives]).T
    gap = f"{saved.sum() / possible.sum():.2f}" if possible.sum() > 1e-6 else "none"
    se = (saved / possible).std() / np.sqrt(len(lives)) if possible.min() > 1e-6 else np.nan
    shut = [life.reopened for life in lives if life.was_shut]
    back = "-"
    if shut:
        median, most = np.quantile(shut, [0.5, 0.9], method="higher")
        back = f"{median:,.0f} ({most:,.0f})"
    mean = {
        name: np.mean([getattr(life, name) for life in lives])
        for name in ("broken", "over", "closings", "pauses")
    }
    return (
        f"| {row.name} | {back} | {len(shut) / len(lives):.2f} | {gap} (se {se:.2f}) "
        f"| {max(life.behind for life in lives):.0f} | {mean['broken']:.3f} | {mean['over']:.3f} "
        f"| {mean['closings']:.2f} | {mean['pauses']:.2f} |"
    )


LENGTHS = (400, 800, 1600, 3200)
AIMS = ("promise", "money")
ROWS = [
    *(Row(aim, fresh=True) for aim in AIMS),
    *(Row(aim, length) for aim in AIMS for length in LENGTHS),
    *(Row("money", length, trouble="fade") for length in LENGTHS),
    *(Row(aim, cycle=cycle) for aim in AIMS for cycle in (700, 1000, 2000, 4000)),
    *(Row(aim) for aim in AIMS),
    *(Row("money", LIFE, trouble=trouble) for trouble in ("disaster", "island", "silent swap")),
    *(Row("promise", LIFE, trouble=trouble) for trouble in ("disaster", "island", "silent swap")),
    *(Row("money", world=world) for world in ("never", "edge", "sharp", "lapse")),
    *(Row("promise", world=world) for world in ("never", "edge", "sharp", "lapse")),
    *(Row(aim, 1600, world=world) for aim in AIMS for world in ("sharp", "lapse")),
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lives", type=int, default=200)
    parser.add_argument("--rows", nargs="*", default=[""], help="parts of the names of rows")
    parser.add_argument("--seed", type=int, default=23)
    options = parser.parse_args()
    print("| aim, world, trouble | decisions until it answers again, median (90%) | was closed "
          "| gap | worst behind | risk broken | mistake budget broken | closings | pauses |")  # fmt: skip
    print("|" + "---|" * 9)
    for row in ROWS:
        if any(part in row.name for part in options.rows):
            start = time.perf_counter()
            lives = [
                live(row, np.random.default_rng([options.seed, crc32(row.name.encode()), k]))
                for k in range(options.lives)
            ]
            seconds = time.perf_counter() - start
            print(table_line(row, lives), f"<!-- {seconds:.0f} s -->", flush=True)


if __name__ == "__main__":
    main()
