"""Lives with trouble: late and lost labels, people who err, confidences that shift, several policies.

    python benchmarks/bench_live_troubles.py [--lives 40] [--rows NAME ...]

The worlds and costs are those of bench_live.py, without drift unless said. Decisions come 50 at a
time; labels come when they are due.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np
from bench_live import DRIFTS, HALF, LIFE, WORLDS, C, Row, best_cost, judged

from askpoint.live.labels import apply_labels
from askpoint.live.state import fresh_state
from askpoint.live.steps import decide_cases
from askpoint.live.terms import Terms

BATCH = 50


@dataclass(frozen=True)
class Trouble:
    """What is wrong with the labels."""

    name: str
    delay: int = 0  # decisions, on average
    later: float = 1.0  # times as late for mistakes
    max_label_delay: int = 2000
    weekend: bool = (
        False  # a week has 7,000 decisions; labels of its last 2,000 come until Monday noon
    )
    lost: float = 0.0  # share of labels that never come
    lost_mistakes: float = 0.0  # the same for mistakes
    missed: float = 0.0  # mistakes that people call right
    blamed: float = 0.0  # right answers that people call wrong
    shift: float = 0.0  # from half of the life on, confidence moves up (or down) in rank


TROUBLES = [
    Trouble("none"),
    Trouble("labels 500 decisions late", delay=500),
    Trouble("labels 500 late, of mistakes 3 times", delay=500, later=3),
    Trouble("2% of labels lost", lost=0.02),
    Trouble("a fifth of the mistakes' labels lost", lost_mistakes=0.2),
    Trouble("people err: 1% of right answers blamed", blamed=0.01),
    Trouble("people err: a tenth of the mistakes missed", missed=0.1),
    Trouble("people err: both", missed=0.1, blamed=0.01),
    Trouble("confidence shifts up", shift=0.7),
    Trouble("confidence shifts down", shift=1.4),
    Trouble("no labels on weekends", weekend=True),
    Trouble("the same, and a longest delay of 3,000", weekend=True, max_label_delay=3000),
]


def live_with(row, trouble, rng, *, n=LIFE, terms=None):
    """One life in batches of 50 with troubled labels."""
    terms = terms or Terms(
        row.aim,
        row.limit,
        row.rate,
        row.mistake_budget,
        row.has_budget,
        planned_decisions=n,
        max_label_delay=trouble.max_label_delay,
    )
    rank = rng.random(n)
    if trouble.shift:
        rank[n // 2 :] = rank[n // 2 :] ** trouble.shift
    place = (rank * len(C)).astype(int)
    before = WORLDS[row.world](C)
    after = DRIFTS[row.drift](C, before)
    c = C[place]
    p = np.where(np.arange(n) < n // 2, before[place], after[place])
    truth, draw = rng.random(n) < p, rng.random(n)
    told = np.where(truth, rng.random(n) >= trouble.missed, rng.random(n) < trouble.blamed)
    wait = rng.exponential(max(trouble.delay, 1e-9), n) * np.where(truth, trouble.later, 1)
    due = np.arange(n) + wait
    if trouble.weekend:
        week, hour = np.divmod(np.arange(n), 7000)
        due = np.where(hour >= 5000, 7000 * (week + 1) + rng.uniform(0, 500, n), due)
    lost = rng.random(n) < np.where(truth, max(trouble.lost, trouble.lost_mistakes), trouble.lost)
    state = fresh_state(terms)
    answer, audit, episode = np.zeros(n, bool), np.zeros(n, bool), np.zeros(n, int)
    events, open_ = [], np.empty(0, int)
    for start in range(0, n, BATCH):
        rows = slice(start, start + BATCH)
        state, made, happened = decide_cases(state, terms, c[rows], draw[rows])
        answer[rows], audit[rows], episode[rows] = made.answer, made.audit, made.episode
        events += happened
        wanted = start + np.flatnonzero(made.audit | ~made.answer)
        open_ = np.append(open_, wanted[~lost[wanted]])
        come = due[open_] < start + BATCH
        now = open_[come][np.argsort(due[open_[come]], kind="stable")]
        open_ = open_[~come]
        state, happened = apply_labels(state, terms, now, told[now])
        events += happened
    return p, answer, audit, episode, events, before, after, terms


def table(options):
    """Rows of trouble, each under both aims."""
    print("| world, trouble | aim | gap | late coverage | risk broken | mistake budget broken "
          "| lives closed |\n|" + "---|" * 7)  # fmt: skip
    for world, aim in (place.split("/") for place in options.worlds):
        for i, trouble in enumerate(TROUBLES):
            if not any(part in trouble.name for part in options.rows):
                continue
            row, lives, closed = Row(world, aim=aim), [], []
            for life in range(options.lives):
                rng = np.random.default_rng([options.seed, i, life])
                p, answer, audit, episode, events, before, after, terms = live_with(
                    row, trouble, rng
                )
                lives.append(judged(row, terms, p, answer, audit, episode, events, before, after))
                closed.append(any(event.kind in {"alarm", "budget_spent"} for event in events))
            saved = sum(x.ask_all - x.cost for x in lives)
            possible = sum(x.ask_all - x.best for x in lives)
            gap = f"{saved / possible:.2f}" if possible > 1e-9 else "none"
            print(
                f"| {world}, {trouble.name} | {aim} | {gap} | {np.mean([x.late for x in lives]):.2f} "
                f"| {np.mean([x.broken_risk for x in lives]):.3f} "
                f"| {np.mean([x.broken_budget for x in lives]):.3f} "
                f"| {np.mean(closed):.2f} |",
                flush=True,
            )


def by_class(options):
    """Two classes of equal frequency, smooth and sharp: one threshold, or a policy for each."""
    print("\n| two classes, smooth and sharp | aim | gap against the best threshold of each "
          "| closed |\n|" + "---|" * 4)  # fmt: skip
    none = Trouble("none")
    for aim in ("money", "promise"):
        cost = {"one policy for both": [], "one for each, delta halved": []}
        closed = {name: [] for name in cost}
        best = LIFE / 2 * sum(best_cost(WORLDS[w](C), 0.05) for w in ("smooth", "sharp"))
        for life in range(options.lives):
            rng = np.random.default_rng([options.seed, 99, life])
            total, events = 0.0, []
            for world in ("smooth", "sharp"):
                terms = Terms(aim, 0.05, delta=0.025, watch_delta=0.025, planned_decisions=HALF)
                p, answer, audit, _, happened, *_ = live_with(
                    Row(world, aim=aim), none, rng, n=HALF, terms=terms
                )
                total += np.where(answer, p + 0.05 * audit, 0.05).sum()
                events += happened
            cost["one for each, delta halved"].append(total)
            closed["one for each, delta halved"].append(events)
            WORLDS["both"] = lambda c: (WORLDS["smooth"](c) + WORLDS["sharp"](c)) / 2
            p, answer, audit, _, happened, *_ = live_with(Row("both", aim=aim), none, rng)
            cost["one policy for both"].append(np.where(answer, p + 0.05 * audit, 0.05).sum())
            closed["one policy for both"].append(happened)
        for name, costs in cost.items():
            gap = (0.05 * LIFE - np.mean(costs)) / (0.05 * LIFE - best)
            shut = np.mean(
                [any(e.kind in {"alarm", "budget_spent"} for e in x) for x in closed[name]]
            )
            print(f"| {name} | {aim} | {gap:.2f} | {shut:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lives", type=int, default=40)
    parser.add_argument("--rows", nargs="*", default=[""], help="parts of the names of troubles")
    parser.add_argument("--worlds", nargs="*", default=["smooth/money", "smooth/promise"])
    parser.add_argument("--seed", type=int, default=18)
    options = parser.parse_args()
    table(options)
    if "none" in options.rows or options.rows == [""]:
        by_class(options)


if __name__ == "__main__":
    main()
