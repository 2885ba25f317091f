"""Simulated lives of a policy in use: promises kept, gaps closed, alarms, and the price of drift.

    python benchmarks/bench_live.py [--lives 40] [--rows NAME ...]

The worlds of the documentation's page "In use, in figures": 40,000 decisions each, drift at 20,000,
labels at once. Costs count expected mistakes and checks.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field

import numpy as np
from scipy import stats

from askpoint.live.labels import apply_labels
from askpoint.live.state import fresh_state
from askpoint.live.steps import decide_cases
from askpoint.live.terms import Terms

LIFE, HALF = 40_000, 20_000
MIDDLES = (np.arange(65_536) + 0.5) / 65_536
C = np.sort(1 - stats.beta.ppf(MIDDLES, 0.6, 2.2) / 2)

WORLDS = {
    "smooth": lambda c: np.minimum(0.5, 1.3 * (1 - c) + 0.002),
    "sharp": lambda c: np.where(c > 0.85, 0.004, 0.25),
    "lapse": lambda c: np.minimum(0.5, 0.02 + 0.9 * (1 - c)),
    "never": lambda c: np.minimum(0.5, 0.056 + 0.9 * (1 - c)),
    "edge": lambda c: np.where(c > 0.7, 0.0515, 0.4),
}
DRIFTS = {
    "": lambda _, p: p,
    "island": lambda c, p: np.where(c > 0.9, np.minimum(0.5, p + 0.12), p),
    "small island": lambda c, p: np.where((c > 0.93) & (c < 0.97), 0.25, p),
    "disaster": lambda c, p: np.where(c > 0.9, 0.6, p),
    "all wrong": lambda _, p: np.ones_like(p),
}


@dataclass
class Life:
    """What one life cost and did."""

    cost: float
    ask_all: float
    best: float
    behind: float
    late: float
    broken_risk: bool
    broken_budget: bool
    alarms: int
    closings: int
    delay: float | None
    checked: int
    stated: list = field(default_factory=list)


@dataclass(frozen=True)
class Row:
    """One row of the table."""

    world: str
    drift: str = ""
    aim: str = "money"
    limit: float = 0.05
    rate: float = 0.05
    has_budget: bool = True
    mistake_budget: float | None = None
    at: int = HALF

    @property
    def name(self):
        """Its name in the table."""
        place = self.world + (f", {self.drift}" if self.drift else "")
        gate = "" if self.has_budget else ", no gate"
        most = f", mistake budget {self.mistake_budget:g}" if self.mistake_budget else ""
        return f"{place} | {self.aim} {self.rate:g}{gate}{most}"


def best_cost(p, rho):
    """Least cost per case of any threshold, on the whole distribution of confidence."""
    wrong = np.append(np.cumsum(p[::-1])[::-1], 0) / len(p)
    asked = np.arange(len(p) + 1) / len(p)
    return (wrong + rho * asked).min()


def live_through(row, rng):
    """Play one life, labels at once: a step that closes the policy is played again up to there."""
    terms = Terms(
        row.aim, row.limit, row.rate, row.mistake_budget, row.has_budget, planned_decisions=LIFE
    )
    place = rng.integers(0, len(C), LIFE)
    before = WORLDS[row.world](C)
    after = DRIFTS[row.drift](C, before)
    c = C[place]
    p = np.where(np.arange(LIFE) < row.at, before[place], after[place])
    wrong, draw = rng.random(LIFE) < p, rng.random(LIFE)
    state, start = fresh_state(terms), 0
    answer, audit, episode = np.zeros(LIFE, bool), np.zeros(LIFE, bool), np.zeros(LIFE, int)
    events = []
    while start < LIFE:
        stop = min(LIFE, (start // 50 + 1) * 50 if state.age < 2000 else start + 400)
        while True:
            rows = slice(start, stop)
            new, made, happened = decide_cases(state, terms, c[rows], draw[rows])
            checked = start + np.flatnonzero(made.audit | ~made.answer)
            new, told = apply_labels(new, terms, checked, wrong[checked])
            closed = [event for event in told if event.kind in {"alarm", "budget_spent"}]
            if not closed or stop == start + 1:
                break
            # find the first row whose label closes it
            known = checked[made.audit[checked - start]]
            for seq in known:
                upto, _, _ = decide_cases(state, terms, c[start : seq + 1], draw[start : seq + 1])
                part = checked[checked <= seq]
                upto, told = apply_labels(upto, terms, part, wrong[part])
                if any(event.kind in {"alarm", "budget_spent"} for event in told):
                    break
            if seq + 1 == stop:
                break
            stop = int(seq) + 1
        answer[rows], audit[rows], episode[rows] = made.answer, made.audit, made.episode
        state, start = new, stop
        events += happened + told
    return judged(row, terms, p, answer, audit, episode, events, before, after)


def judged(row, terms, p, answer, audit, episode, events, before, after):
    """Compare a life with asking everybody, with the best thresholds, and with its promises."""
    rho = row.limit
    cost = np.where(answer, p + rho * audit, rho)
    behind = np.cumsum(cost - rho)
    risk = before[::-1].cumsum()[::-1] / np.arange(len(C), 0, -1)
    used = [event.numbers["threshold"] for event in events if "threshold" in event.numbers]
    used = [t for t in used if row.aim == "promise"]
    broken = any(risk[min(np.searchsorted(C, t), len(C) - 1)] > row.limit + 1e-12 for t in used)
    lost = answer * (p - terms.answer_below)
    over = False
    for number in np.unique(episode):
        over |= np.cumsum(lost[episode == number]).max() > terms.budget
    share = row.at / LIFE
    regimes = [(before, share), (after, 1 - share)]
    closings = [event for event in events if event.kind in {"alarm", "budget_spent"}]
    later = [event.seq - row.at for event in closings if event.seq > row.at]
    return Life(
        cost=cost.sum(),
        ask_all=rho * LIFE,
        best=sum(LIFE * part * best_cost(risks, rho) for risks, part in regimes),
        behind=max(0.0, behind.max()),
        late=answer[max(0, row.at - 2000) : row.at].mean() if row.drift else answer[-2000:].mean(),
        broken_risk=broken,
        broken_budget=over,
        alarms=sum(e.kind == "alarm" and (not row.drift or e.seq <= row.at) for e in events),
        closings=sum(
            e.kind == "budget_spent" and (not row.drift or e.seq <= row.at) for e in events
        ),
        delay=later[0] if row.drift and later else None,
        checked=int((~answer | audit).sum()),
    )


def table_line(row, lives):
    """Write one row of the table."""

    def mean(values):
        return np.mean(list(values))

    saved = mean(life.ask_all - life.cost for life in lives)
    possible = mean(life.ask_all - life.best for life in lives)
    delays = sorted(life.delay for life in lives if life.delay is not None)
    delay = f"{np.median(delays):.0f}/{np.quantile(delays, 0.9):.0f}" if delays else "-"
    noticed = f" ({len(delays) / len(lives):.0%})" if row.drift else ""
    gap = f"{saved / possible:6.2f}" if possible > 1e-9 else "  none"
    return (
        f"| {row.name:46} | {gap} | {mean(x.late for x in lives):.2f} "
        f"| {max(x.behind for x in lives):5.0f} | {mean(x.broken_risk for x in lives):.3f} "
        f"| {mean(x.broken_budget for x in lives):.3f} "
        f"| {mean(x.alarms > 0 for x in lives):.3f} | {mean(x.closings > 0 for x in lives):.3f} "
        f"| {delay}{noticed} |"
    )


DRIFTING = (
    ("smooth", "island"),
    ("smooth", "small island"),
    ("smooth", "disaster"),
    ("sharp", "island"),
    ("lapse", "island"),
)
ROWS = [
    *(Row(world, aim=aim) for aim in ("money", "promise") for world in WORLDS),
    *(Row(*place, aim) for aim in ("money", "promise") for place in DRIFTING),
    *(Row(world, rate=0.2) for world in ("smooth", "sharp", "lapse", "never")),
    *(Row(*place, rate=0.2) for place in DRIFTING),
    *(Row("sharp", "all wrong", "promise", at=at) for at in (1000, 2000, 5000)),
    *(Row(world, aim=aim, has_budget=False) for aim in ("money", "promise") for world in WORLDS),
    *(Row(*place, aim, has_budget=False) for aim in ("money", "promise") for place in DRIFTING),
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lives", type=int, default=40)
    parser.add_argument("--rows", nargs="*", default=[""], help="parts of the names of rows")
    parser.add_argument("--seed", type=int, default=17)
    options = parser.parse_args()
    print("| world, drift, aim, audits | gap | late coverage | worst behind | risk broken "
          "| mistake budget broken | false alarms | false closings | delay |")  # fmt: skip
    print("|" + "---|" * 9)
    for i, row in enumerate(ROWS):
        if any(part in row.name for part in options.rows):
            start = time.perf_counter()
            lives = [
                live_through(row, np.random.default_rng([options.seed, i, life]))
                for life in range(options.lives)
            ]
            seconds = time.perf_counter() - start
            print(table_line(row, lives), f"<!-- {seconds:.0f} s -->", flush=True)


if __name__ == "__main__":
    main()
