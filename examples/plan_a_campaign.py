"""Plan a campaign: what a budget buys, and how many judges a case needs. A crowd is simulated.

    python examples/plan_a_campaign.py [FOLDER [SEEDS [CASES [DOLLARS ...]]]]

writes what a budget buys as an SVG file into FOLDER, if given. It shows what the rules cause,
and is no evidence about people.
"""

import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from askpoint.arena.game.terms import Sought
from askpoint.arena.game.transaction import POINTS_PER_CENT
from askpoint.arena.simulation.campaign import play_campaign
from askpoint.arena.simulation.crowd import Habits
from askpoint.arena.simulation.experiment import mean_figure, ratio_figure, terms_of
from askpoint.arena.simulation.opponents import pixels, smudge, train_on_pixels
from askpoint.arena.simulation.outcome import outcome_of
from askpoint.arena.simulation.world import Cases, build_world
from askpoint.displays.theme import LIGHT, use_theme
from askpoint.labelling.protocol import Protocol
from askpoint.records.cases import digit_cases

SEEDS = int(sys.argv[2]) if len(sys.argv) > 2 else 2
CASES = int(sys.argv[3]) if len(sys.argv) > 3 else 200  # of a campaign where judging is compared
DOLLARS = tuple(map(int, sys.argv[4:])) or (5, 10, 20, 40)
# a search that finds the sought class so often leads to the paper's 27 errors per 100 cases
CROWD = Habits(search_precision=0.46)

table = digit_cases()
known = table.filter(table["role"] == "train")
world = build_world(
    Cases(*(tuple(table[name]) for name in ("text", "label", "topic", "role"))),
    train_on_pixels(list(known["text"]), list(known["label"])),
    smudge,
    Sought("high", "low"),
    np.random.default_rng(0),
    embed=pixels,
    embedding="pixels",
)
terms = terms_of(world, 5)


def in_words(figure, digits=0):
    """A number over seeds, none of which can be below 0, with its interval."""
    if figure.interval is None:
        return "unknown"
    low, high = figure.interval
    return f"{figure.value:.{digits}f} ({max(low, 0):.{digits}f} to {high:.{digits}f})"


print(f"What a budget buys, over {SEEDS} seeds (95% intervals):")
bought = {}
for dollars in DOLLARS:
    cases, distinct = [], []
    for seed in range(SEEDS):
        budget = 100 * dollars * POINTS_PER_CENT
        rng = np.random.default_rng(seed)
        played = play_campaign(world, terms, CROWD, rng, n_cases=5000, budget=budget)
        cases.append(len(played.filed))
        distinct.append(outcome_of(played).n_distinct)
    bought[dollars] = mean_figure(distinct)
    print(
        f"  ${dollars}: {in_words(mean_figure(cases))} cases, "
        f"{in_words(bought[dollars])} different unknown unknowns"
    )

print(f"What judging costs and how often it errs, in campaigns of {CASES} cases:")
for votes in (1, 2, 3):
    for error in (0.04, 0.15):
        sums = defaultdict(list)
        for seed in range(SEEDS):
            judged = replace(terms, protocol=Protocol(votes=votes))
            habits = replace(CROWD, judge_error=error)
            rng = np.random.default_rng(seed)
            played = play_campaign(world, judged, habits, rng, n_cases=CASES)
            outcome = outcome_of(played)
            truths = [item.truth for item in played.filed.values()]
            pairs = list(zip(played.probes, truths, strict=True))
            sums["cents"].append(outcome.cents)
            sums["errors"].append(outcome.n_errors)
            sums["rewards"].append(sum(probe.prize.found for probe, _ in pairs))
            sums["for nothing"].append(
                sum(probe.prize.found and probe.truth != truth for probe, truth in pairs)
            )
        wasted = ratio_figure([100 * n for n in sums["for nothing"]], sums["rewards"])
        price = ratio_figure(sums["cents"], sums["errors"])
        print(
            f"  {votes} first vote(s), {error:.0%} of votes wrong: {in_words(wasted, 1)} of 100 "
            f"rewards for no error, {in_words(price)} cents per error found"
        )

if len(sys.argv) > 1:
    with use_theme(LIGHT):
        axes = plt.figure(layout="constrained").subplots()
        values = [bought[dollars].value for dollars in DOLLARS]
        spread = [bought[item].interval.upper - bought[item].value for item in DOLLARS]
        axes.errorbar(DOLLARS, values, spread, marker="o", capsize=3)
        axes.set(xlabel="budget ($)", ylabel="different unknown unknowns", xlim=0, ylim=0)
        axes.set_title("What a budget buys (simulated crowd, design 5)")
        axes.figure.savefig(Path(sys.argv[1]) / "budget.svg")
