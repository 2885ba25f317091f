"""Labels that do not come: late because they are hard, lost, asked again. What that costs, and breaks.

    python benchmarks/bench_missing_labels.py [--lives 200] [--rows NAME ...] [--seed 29]

A still world (smooth, of bench_live.py), lives of 16,000 decisions, 200 a day; labels come at the end of
a day. Asked again: each silent case that was drawn for it, and each audit half-way to its deadline, gets
another person, who answers nine times of ten.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from bench_live import WORLDS, C
from bench_reopening import DAY, LIFE, RHO, Row, judge

from askpoint.live.labels import apply_labels
from askpoint.live.state import fresh_state
from askpoint.live.steps import decide_cases
from askpoint.live.terms import Terms


@dataclass(frozen=True)
class Missing:
    """Which labels come late or never."""

    name: str
    late_mistakes: float = 0.0  # share of mistakes whose label is late
    days: int = 0  # how late
    lost_mistakes: float = 0.0
    lost: float = 0.0
    again: bool = False  # whether who is silent is asked again


ROWS = [
    Missing("all labels come"),
    Missing("mistakes after 30 days, right at once", late_mistakes=1.0, days=30),
    Missing("the same, asked again", late_mistakes=1.0, days=30, again=True),
    Missing("60% of mistakes after 12 days", late_mistakes=0.6, days=12),
    Missing("40% of mistakes never", lost_mistakes=0.4),
    Missing("the same, asked again", lost_mistakes=0.4, again=True),
    Missing("5% of all labels never", lost=0.05),
    Missing("5% never, asked again", lost=0.05, again=True),
    Missing("30% of all labels never", lost=0.3),
    Missing("30% never, asked again", lost=0.3, again=True),
]


def live(aim, missing, rng):
    """Play one life."""
    row = Row(aim)
    terms = Terms(aim, RHO, planned_decisions=LIFE)
    risks = np.array([WORLDS["smooth"](C)] * 2)
    place = rng.integers(0, len(C), LIFE)
    c, p = C[place], risks[0, place]
    wrong, draw = rng.random(LIFE) < p, rng.random(LIFE)
    due = np.zeros(LIFE)
    due[wrong & (rng.random(LIFE) < missing.late_mistakes)] = missing.days * DAY
    due[rng.random(LIFE) < np.where(wrong, missing.lost_mistakes, 0)] = np.inf
    due[rng.random(LIFE) < missing.lost] = np.inf
    due += np.arange(LIFE)
    answers_again = rng.random(LIFE) < 0.9
    state, open_, events, tried = fresh_state(terms), np.empty(0, int), [], np.zeros(LIFE, bool)
    answer, audit, episode = np.zeros(LIFE, bool), np.zeros(LIFE, bool), np.zeros(LIFE, int)
    shares = np.zeros(LIFE // DAY)
    for day, start in enumerate(range(0, LIFE, DAY)):
        rows = slice(start, start + DAY)
        state, made, happened = decide_cases(state, terms, c[rows], draw[rows])
        answer[rows], audit[rows], episode[rows] = made.answer, made.audit, made.episode
        events += happened
        wanted = start + np.flatnonzero(made.audit | ~made.answer)
        open_ = np.append(open_, wanted)
        come = due[open_] < start + DAY
        now, open_ = open_[come], open_[~come]
        if missing.again:
            now = np.append(now, again := ask_again(state, terms, tried, answers_again))
            open_ = np.setdiff1d(open_, again)
        state, happened = apply_labels(state, terms, now, wrong[now])
        events += happened
        shares[day] = 0 if state.threshold is None else (c >= state.threshold).mean()
    life = judge(
        row, terms, (p, risks, np.zeros(LIFE, int)), (answer, audit, episode), events, shares
    )
    return life, any(event.kind == "silence" for event in events), shares[-10:].mean()


def ask_again(state, terms, tried, answers_again):
    """Another person labels silent cases that were drawn, and audits half-way to their deadline."""
    pending = state.pending.rows()
    audits = pending["seq"][
        pending["answered"]
        & (pending["wrong"] < 0)
        & (pending["seq"] < state.latest - terms.max_label_delay // 2)
    ]
    drawn = getattr(state, "silent", np.empty(0, [("seq", int), ("again", bool)]))
    seq = np.append(audits, drawn["seq"][drawn["again"]]).astype(int)
    seq = seq[~tried[seq]]
    tried[seq] = True
    return seq[answers_again[seq]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lives", type=int, default=200)
    parser.add_argument("--rows", nargs="*", default=[""], help="parts of the names of rows")
    parser.add_argument("--seed", type=int, default=29)
    options = parser.parse_args()
    print("| still world, labels | aim | gap | worst behind | risk broken | mistake budget broken "
          "| closings | coverage at the end | said that too many are missing |")  # fmt: skip
    print("|" + "---|" * 9)
    for missing in ROWS:
        for aim in ("money", "promise"):
            if not any(part in f"{missing.name}, {aim}" for part in options.rows):
                continue
            seed = [options.seed, crc32(repr(missing).encode())]
            played = [
                live(aim, missing, np.random.default_rng([*seed, k])) for k in range(options.lives)
            ]
            lives, told, late = zip(*played, strict=True)
            saved, possible = np.array([life.gap for life in lives]).T
            se = (saved / possible).std() / np.sqrt(len(lives))
            print(
                f"| {missing.name} | {aim} | {saved.sum() / possible.sum():.2f} (se {se:.3f}) "
                f"| {max(life.behind for life in lives):.0f} "
                f"| {np.mean([life.broken for life in lives]):.3f} "
                f"| {np.mean([life.over for life in lives]):.3f} "
                f"| {np.mean([life.closings for life in lives]):.2f} | {np.mean(late):.2f} "
                f"| {np.mean(told):.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
