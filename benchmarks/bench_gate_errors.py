"""How often is a gate wrong? Passes though worse, fails though better, and leaves undecided.

`python benchmarks/bench_gate_errors.py [--runs N] [--looks-runs N]` prints two tables. Two simulated systems
answer 800 items (`simulated_systems.py`), five judges vote on both, people label some items drawn at
random. The margin of `--no-worse-than` is put so that the new system is by so many points worse or better than the
gate allows; which is true is known. "Looked at again": 50 commits bring 10 labels each, and the gate is asked after
each; the first answer other than "cannot be decided" counts. "Labels alone" is the honest rival: the mean difference of the
labelled items with its normal interval. Near-duplicates: each item is there four times (other votes, one truth), once
taken for 800 items and once joined to 200, and people label the four copies together. No constant of the gate was chosen on these runs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from simulated_systems import SystemWorld, simulate_systems

from askpoint.answers.judges.gate import GateOutcome, no_worse_than
from askpoint.answers.judges.systems import SystemsAnswer, SystemsQuestion, answer_systems
from askpoint.judges.clusters import cluster_gold, cluster_votes
from askpoint.judges.sketch.tables import VoteTable

SIZES = (50, 100, 200)
GAPS = (-0.10, -0.05, -0.02, -0.001, 0.001, 0.02, 0.05, 0.10)  # how much better than allowed
COMMITS, EACH = 50, 10
LABELS = ("fail", "pass")
PASSES = (0.80, 0.66)  # the new system is worse, so that every margin asked is one
WORLDS: Mapping[str, SystemWorld] = {
    "independent": SystemWorld(PASSES),
    "shared difficulty": SystemWorld(PASSES, difficulty=0.3),
    "favours the new one": SystemWorld(PASSES, difficulty=0.3, favour=0.12),
    "weak, favours the new one": SystemWorld((0.57, 0.43), difficulty=0.5, favour=0.1),
}


@dataclass(frozen=True)
class Pair:
    """Votes on two systems, and the truth."""

    tables: dict[str, VoteTable]
    gold: dict[str, dict[str, str]]
    gain: float
    copies: int = 1  # of an item, next to each other, whom people label together
    labels_each: int = 1  # that an item costs

    def order(self, rng: np.random.Generator) -> np.ndarray:
        """The items in the order in which they are labelled."""
        first = rng.permutation(len(self.tasks) // self.copies) * self.copies
        return (first[:, None] + np.arange(self.copies)).ravel()

    @property
    def tasks(self) -> tuple[str, ...]:
        """The items."""
        return self.tables["old"].tasks

    def answer(self, labelled: np.ndarray, *, again: bool) -> SystemsAnswer:
        """Compare the systems with some items labelled."""
        known = {
            name: {self.tasks[i]: of[self.tasks[i]] for i in labelled}
            for name, of in self.gold.items()
        }
        question = SystemsQuestion(passing="pass", any_time=again)
        return answer_systems(self.tables, known, question)


def plain(world: SystemWorld, rng: np.random.Generator) -> Pair:
    panels = simulate_systems(world, rng)
    tasks = tuple(f"i{k}" for k in range(world.n_items))
    judges = tuple(f"j{k}" for k in range(world.n_judges))
    tables = {
        name: VoteTable(tasks, judges, LABELS, panel.votes)
        for name, panel in zip(("old", "new"), panels, strict=True)
    }
    gold = {
        name: {task: LABELS[one] for task, one in zip(tasks, panel.truth, strict=True)}
        for name, panel in zip(("old", "new"), panels, strict=True)
    }
    return Pair(tables, gold, float(panels[1].truth.mean() - panels[0].truth.mean()))


def copied(*, joined: bool) -> Callable[[SystemWorld, np.random.Generator], Pair]:
    """Each of 200 items four times, as templates filled in four ways."""

    def make(world: SystemWorld, rng: np.random.Generator) -> Pair:
        one = plain(replace(world, n_items=world.n_items // 4), rng)
        tasks = tuple(f"{task}.{k}" for task in one.tasks for k in range(4))
        clusters = {task: task.split(".")[0] for task in tasks}
        tables = {}
        for name, table in one.tables.items():
            codes = np.repeat(table.codes, 4, axis=0)
            other = rng.random(codes.shape) < 0.1  # a judge reads a copy otherwise
            tables[name] = VoteTable(
                tasks, table.judges, LABELS, np.where(other, 1 - codes, codes).astype(np.int16)
            )
        gold = {name: {task: of[clusters[task]] for task in tasks} for name, of in one.gold.items()}
        if not joined:
            return Pair(tables, gold, one.gain, copies=4)
        tables = {name: cluster_votes(table, clusters) for name, table in tables.items()}
        gold = {name: cluster_gold(of, clusters) for name, of in gold.items()}
        return Pair(tables, gold, one.gain, labels_each=4)

    return make


def outcomes(pair: Pair, answer: SystemsAnswer) -> list[GateOutcome]:
    """What the gate says at each gap."""
    return [no_worse_than(answer, max(gap - pair.gain, 0.0)).outcome for gap in GAPS]


def by_labels_alone(pair: Pair, labelled: np.ndarray) -> list[GateOutcome]:
    gains = np.array(
        [
            float(pair.gold["new"][pair.tasks[i]] == "pass")
            - float(pair.gold["old"][pair.tasks[i]] == "pass")
            for i in labelled
        ]
    )
    half = 1.96 * gains.std(ddof=1) / len(gains) ** 0.5
    low, high = gains.mean() - half, gains.mean() + half
    found = []
    for gap in GAPS:
        edge = pair.gain - gap
        found.append(
            GateOutcome.PASSES
            if low >= edge
            else GateOutcome.FAILS
            if high < edge
            else GateOutcome.UNDECIDED
        )
    return found


def first_decided(found: list[list[GateOutcome]]) -> list[GateOutcome]:
    """Of several looks the first that decides, at each gap."""
    return [
        next((one for one in looks if one is not GateOutcome.UNDECIDED), GateOutcome.UNDECIDED)
        for looks in zip(*found, strict=True)
    ]


def row(name: str, found: list[list[GateOutcome]]) -> None:
    """Print passes where worse, fails where better; undecided where neither is near."""
    told = np.array([[one.value for one in run] for run in found])
    cells = []
    for k, gap in enumerate(GAPS):
        wrong = "passes" if gap < 0 else "fails"
        right = "fails" if gap < 0 else "passes"
        cells.append(f"{np.mean(told[:, k] == wrong):.3f} ({np.mean(told[:, k] == right):.2f})")
    print(f"| {name} | {len(found)} | {' | '.join(cells)} |", flush=True)


def head(what: str) -> None:
    gaps = " | ".join(f"{100 * abs(g):g} {'worse' if g < 0 else 'better'}" for g in GAPS)
    print(f"\n| {what} | runs | {gaps} |\n| --- | --- |{' --- |' * len(GAPS)}")


def makers() -> Iterator[tuple[str, Callable[[np.random.Generator], Pair]]]:
    for name, world in WORLDS.items():
        yield name, lambda rng, world=world: plain(world, rng)
    world = WORLDS["shared difficulty"]
    for joined in (False, True):
        name = "near-duplicates, " + ("joined" if joined else "not joined")
        yield name, lambda rng, joined=joined: copied(joined=joined)(world, rng)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--looks-runs", type=int, default=60)
    asked = parser.parse_args()
    head("asked once: world, labels")
    for name, make in makers():
        for n in SIZES:
            ours, alone = [], []
            for seed in range(asked.runs):
                rng = np.random.default_rng([seed, n])
                pair = make(rng)
                labelled = pair.order(rng)[: n // pair.labels_each]
                ours.append(outcomes(pair, pair.answer(labelled, again=False)))
                alone.append(by_labels_alone(pair, labelled))
            row(f"{name}, {n}", ours)
            row(f"{name}, {n}, labels alone", alone)
    head(f"asked at each of {COMMITS} commits: world")
    for name, make in makers():
        told: dict[str, list[list[GateOutcome]]] = {"again": [], "once": [], "labels alone": []}
        for seed in range(asked.looks_runs):
            rng = np.random.default_rng([seed, COMMITS])
            pair = make(rng)
            order, each = pair.order(rng), pair.labels_each
            looks = [order[: n // each] for n in range(EACH, EACH * (COMMITS + 1), EACH)]
            for how in ("again", "once"):
                answers = [pair.answer(one, again=how == "again") for one in looks]
                told[how].append(first_decided([outcomes(pair, one) for one in answers]))
            told["labels alone"].append(
                first_decided([by_labels_alone(pair, one) for one in looks])
            )
        for how, found in told.items():
            row(f"{name}, {'--look ' if how != 'labels alone' else ''}{how}", found)


if __name__ == "__main__":
    sys.exit(main())
