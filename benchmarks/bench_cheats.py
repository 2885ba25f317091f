"""What a cheating player and a cheating judge earn, beside honest ones, per design.

    python benchmarks/bench_cheats.py [SEEDS] [DATA]

A flooder searches as the others do, and files 14 variants of each find at once. A blind judge votes
without looking: for what is common, and for every case of a flooder, whose texts the judge knows. On
handwritten digits, or with DATA on hate speech; half of the players flood, two of six judges are blind.
The last column is the pair in question: what a seat of a flooder and a blind judge earn together in a
campaign, less what an honest seat and an honest judge earn in the same campaign.
"""

from __future__ import annotations

import sys

import numpy as np

from askpoint.arena.answers.contest import contest_world, digit_contest, hate_contest
from askpoint.arena.game.designs import DESIGNS
from askpoint.arena.simulation.campaign import play_campaign
from askpoint.arena.simulation.crowd import Habits
from askpoint.arena.simulation.experiment import mean_figure, terms_of
from askpoint.labelling.reviewer import is_paused
from askpoint.records.cases import digit_cases, hate_cases

HABITS = Habits(cheaters=0.0, copiers=0.0, flooders=0.5, blind_judges=2, search_precision=0.4)
CASES = 300


def main(seeds: int, data: str | None) -> None:
    """Print the table."""
    contest = digit_contest(digit_cases()) if data is None else hate_contest(hate_cases(data))
    print(
        "| design | honest player | flooder | honest judge | blind judge | blind votes stopped after "
        "| cheating pair less honest pair |"
    )
    print("|---|---|---|---|---|---|---|")
    for design in DESIGNS:
        found: dict[str, list[float]] = {}
        for seed in range(1, seeds + 1):
            layout, luck = np.random.Generator(np.random.PCG64(seed)).spawn(2)
            world = contest_world(contest, layout)
            end = play_campaign(world, terms_of(world, design), HABITS, luck, n_cases=CASES)
            for name, floods in (("honest", False), ("flooder", True)):
                people = [one for one in end.people if one.floods == floods]
                earned = sum(end.arena.points(one.name) for one in people)
                found.setdefault(name, []).append(earned / sum(one.steps for one in people))
            seat = end.ticks / HABITS.n_players  # steps of one
            pair = seat * (found["flooder"][-1] - found["honest"][-1])
            judges: dict[str, list[float]] = {}
            for name in end.arena.judges:
                kind = "blind judge" if name in end.blind else "judge"
                if kind == "judge" and int(name.rpartition("-")[2]) > HABITS.n_judges:
                    continue  # who came later had less time
                judges.setdefault(kind, []).append(end.arena.points(name))
            for kind, points in judges.items():
                found.setdefault(kind, []).extend(points)
            pair += float(np.mean(judges["blind judge"]) - np.mean(judges["judge"]))
            found.setdefault("pair", []).append(pair)
            rules = end.arena.campaign.terms.protocol
            for name in end.blind:
                record = end.arena.judges[name]
                stopped = is_paused(record, rules) or record.voted < 0.5 * np.mean(
                    [it.voted for it in end.arena.judges.values() if it.id not in end.blind]
                )
                found.setdefault("votes", []).append(record.voted if stopped else np.nan)
        cells = []
        for kind in ("honest", "flooder", "judge", "blind judge"):
            figure = mean_figure(found[kind])
            low, high = figure.interval
            cells.append(f"{figure.value:.0f} ({low:.0f} to {high:.0f})")
        stopped = [votes for votes in found["votes"] if not np.isnan(votes)]
        cells.append(
            f"{np.mean(stopped):.0f} ({len(stopped)} of {len(found['votes'])})"
            if stopped
            else "never"
        )
        figure = mean_figure(found["pair"])
        low, high = figure.interval
        cells.append(f"{figure.value:.0f} ({low:.0f} to {high:.0f})")
        print(f"| {design} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    words = sys.argv[1:]
    main(int(words[0]) if words else 10, words[1] if len(words) > 1 else None)
