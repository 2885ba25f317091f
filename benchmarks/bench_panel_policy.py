"""Verdicts that a panel gives alone, beside the rule of "Trust or Escalate", on its authors' judgements.

`python benchmarks/bench_panel_policy.py [--splits N]` prints two tables. The data are not ours to copy: get the repository that
the paper names (Jung, Brahman and Choi, "Trust or Escalate: LLM Judges with Provable Guarantees for Human Agreement",
ICLR 2025), and name its folder `result` by the environment variable ASKPOINT_CASCADE. It holds 500 pairs of answers with a
person's preference and each of three judges' probabilities of both tokens (their simulated annotators are not in it).

Each rule learns from 250 pairs, and gives what it may on others; delta is .1. "Kept" is how often the agreement of what it
gave is at least the target: on the 250 pairs left (whose luck nobody promises), and among all 500 where the 250 are drawn with
replacement, so that these 500 are the population and the promise is exact. Nothing given counts as kept. No constant was chosen
on these pairs.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import stats

from askpoint import VoteSketch
from askpoint.judges.panel_classifier import fit_panel, pool_probabilities
from askpoint.value.curve import ValueCurve
from askpoint.value.guarantees import certify_step
from askpoint.value.posterior.prospects import draw_prospects
from askpoint.value.posterior.recommendation import by_error
from askpoint.value.posterior.rightness import RightnessPosterior

JUDGES = ("mistral-7b-instruct", "gpt-3.5-turbo", "gpt-4-turbo")  # from cheap to dear
PRICES = np.array([0.002, 0.02, 0.08])  # of a call, in checks by a person
DELTA = 0.1
TARGETS = (0.80, 0.85, 0.90)
LEARN = 250
FEWEST = 30  # calibration pairs above a threshold: theirs


class Judgements(NamedTuple):
    """Probabilities of the second answer, by pair and judge, and which one people prefer."""

    probability: np.ndarray
    truth: np.ndarray

    def take(self, rows: np.ndarray) -> Judgements:
        """Some of the pairs."""
        return Judgements(self.probability[rows], self.truth[rows])


class Given(NamedTuple):
    """Which pairs a rule decides, whether it is right, and what its calls cost per pair."""

    alone: np.ndarray
    right: np.ndarray
    cost: float


Rule = Callable[[Judgements, Judgements, float, int], Given]


def read_judgements(folder: str | Path) -> Judgements:
    """Read the three judges' files, in the order of the first."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    truth: dict[tuple[str, str], int] = {}
    for judge in JUDGES:
        path = Path(folder, f"{judge}.calibration.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            pair = (row["instruction"], json.dumps(row["outputs"]))
            first, second = row["probs"]
            found.setdefault(pair, {})[judge] = second / (first + second)
            (truth[pair],) = (label - 1 for label in row["preferences"].values())
    pairs = [pair for pair, by in found.items() if len(by) == len(JUDGES)]
    return Judgements(
        np.array([[found[pair][judge] for judge in JUDGES] for pair in pairs]),
        np.array([truth[pair] for pair in pairs]),
    )


def cascade(*, strict: bool) -> Rule:
    """Their rule: judge by judge, thresholds from high to low while the bound keeps the target.

    As in their code each judge has the whole delta, and where its first threshold fails that one is used all the
    same. Strict: a third of delta each, and a judge whose first threshold fails decides nothing.
    """

    def rule(learn: Judgements, new: Judgements, target: float, _: int) -> Given:
        alpha, open_ = 1 - target, np.ones(len(learn.truth), bool)
        left = np.ones(len(new.truth), bool)
        alone, right = np.zeros(len(left), bool), np.zeros(len(left), bool)
        cost = 0.0
        threshold = 0.0  # of the judge before, where there are too few pairs
        for j in range(len(JUDGES)):
            sure = np.maximum(learn.probability[:, j], 1 - learn.probability[:, j])
            wrong = (learn.probability[:, j] > 0.5) != learn.truth
            level = DELTA / len(JUDGES) if strict else DELTA
            found = lowest(sure[open_], wrong[open_], alpha, level, strict=strict)
            threshold = threshold if found is None and not strict else found or np.inf
            open_ &= sure < threshold
            said = np.maximum(new.probability[:, j], 1 - new.probability[:, j])
            cost += PRICES[j] * left.mean()
            mine = left & (said >= threshold)
            alone |= mine
            right |= mine & ((new.probability[:, j] > 0.5) == new.truth)
            left &= ~mine
        return Given(alone, right, cost)

    return rule


def lowest(
    sure: np.ndarray, wrong: np.ndarray, alpha: float, level: float, *, strict: bool
) -> float | None:
    """The lowest threshold of 5,000 before the first whose upper bound exceeds alpha."""
    grid = np.linspace(0, 1, 5000)
    order = np.argsort(-sure)
    n = np.searchsorted(-sure[order], -grid, side="right")
    grid, n = grid[n >= FEWEST], n[n >= FEWEST]
    if not len(grid):
        return None
    k = np.append(0, np.cumsum(wrong[order]))[n]
    bound = stats.beta.ppf(1 - level, k + 1, np.maximum(n - k, 1e-9))
    fails = np.flatnonzero(bound[::-1] > alpha)
    if not len(fails):
        return float(grid[0])
    if fails[0] == 0:
        return np.inf if strict else float(grid[-1])
    return float(grid[::-1][fails[0] - 1])


def scored(
    said: Callable[[Judgements, Judgements], tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]],
    choose: Callable[[np.ndarray, np.ndarray, float, int], float],
    price: float,
) -> Rule:
    """A score for each pair, one threshold chosen on the pairs to learn from."""

    def rule(learn: Judgements, new: Judgements, target: float, seed: int) -> Given:
        sure, label, sure_new, label_new = said(learn, new)
        threshold = choose(sure, label == learn.truth, 1 - target, seed)
        alone = sure_new >= threshold
        return Given(alone, alone & (label_new == new.truth), price)

    return rule


def pooled(learn: Judgements, new: Judgements) -> tuple[np.ndarray, ...]:
    """The mean logit of all three, as `askpoint judges --probability-of` reads them."""
    one, other = (pool_probabilities(of.probability) for of in (learn, new))
    return one.confidence, one.prediction, other.confidence, other.prediction


def by_votes(learn: Judgements, new: Judgements) -> tuple[np.ndarray, ...]:
    """Their votes alone, as `askpoint judges` reads them; from all pairs, for it needs no labels."""
    codes = [(of.probability > 0.5).astype(int) for of in (learn, new)]
    sketch = VoteSketch(list(JUDGES), ["first", "second"])
    for one in codes:
        sketch.update_codes(one)
    panel = fit_panel(sketch)
    one, other = (panel.opine(of) for of in codes)
    return one.confidence, one.prediction, other.confidence, other.prediction


def last_judge(learn: Judgements, new: Judgements) -> tuple[np.ndarray, ...]:
    """The dearest judge's own probability."""
    p, q = learn.probability[:, -1], new.probability[:, -1]
    return np.maximum(p, 1 - p), p > 0.5, np.maximum(q, 1 - q), q > 0.5


def proven(sure: np.ndarray, right: np.ndarray, alpha: float, _: int) -> float:
    """Ours with --max-error and --guarantee."""
    curve = ValueCurve.from_outcomes(right, sure)
    step = certify_step(curve, alpha, DELTA)  # what learn_then_test does, without its error message
    return float(curve.thresholds[step]) if step else np.inf


def likely(sure: np.ndarray, right: np.ndarray, alpha: float, seed: int) -> float:
    """Ours with --max-error alone: kept with a posterior probability of .9, no promise."""
    posterior = RightnessPosterior(scale="probability").fit(sure, right, sure)
    rng = np.random.default_rng(seed)
    return by_error(draw_prospects(posterior, rng, n_draws=400), alpha, rng).threshold


def lucky(sure: np.ndarray, right: np.ndarray, alpha: float, _: int) -> float:
    """The lowest threshold that keeps the target on the pairs to learn from."""
    order = np.argsort(-sure)
    share = np.cumsum(~right[order]) / np.arange(1, len(right) + 1)
    last = np.append(np.diff(sure[order]) != 0, True)
    kept = np.flatnonzero(last & (share <= alpha))
    return float(sure[order][kept[-1]]) if len(kept) else np.inf


ALL = float(PRICES.sum())
RULES: dict[str, Rule] = {
    "theirs, as in their code": cascade(strict=False),
    "theirs, delta shared, no threshold without proof": cascade(strict=True),
    "panel, probabilities pooled, promised": scored(pooled, proven, ALL),
    "panel, votes alone, promised": scored(by_votes, proven, ALL),
    "dearest judge alone, promised": scored(last_judge, proven, float(PRICES[-1])),
    "panel, probabilities pooled, no promise": scored(pooled, likely, ALL),
    "lowest threshold that keeps it here": scored(pooled, lucky, ALL),
}


def splits(data: Judgements, n: int) -> Iterator[tuple[Judgements, Judgements, int]]:
    """Halves: one to learn from, one to judge by."""
    for seed in range(n):
        order = np.random.default_rng(seed).permutation(len(data.truth))
        yield data.take(order[:LEARN]), data.take(order[LEARN:]), seed


def draws(data: Judgements, n: int) -> Iterator[tuple[Judgements, Judgements, int]]:
    """Pairs to learn from drawn with replacement; all pairs are the population."""
    for seed in range(n):
        rows = np.random.default_rng([seed, 1]).integers(len(data.truth), size=LEARN)
        yield data.take(rows), data, seed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=400)
    asked = parser.parse_args()
    folder = os.environ.get("ASKPOINT_CASCADE")
    if folder is None:
        print("ASKPOINT_CASCADE names no folder of judgements", file=sys.stderr)
        return 1
    data = read_judgements(folder)
    print(
        "| target | rule | kept, other half | kept, population | coverage | nothing given | cost of calls |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for target in TARGETS:
        for name, rule in RULES.items():
            kept, given = [], []
            for how in (splits, draws):
                found = [
                    rule(learn, new, target, seed) for learn, new, seed in how(data, asked.splits)
                ]
                share = [one.right.sum() / max(one.alone.sum(), 1) for one in found]
                none = np.array([not one.alone.any() for one in found])
                kept.append(np.mean(none | (np.array(share) >= target)))
                given.append((
                    np.mean([one.alone.mean() for one in found]), none.mean(), np.mean([one.cost for one in found])
                ))  # fmt: skip
            coverage, none, cost = given[0]
            told = f"{kept[0]:.3f} | {kept[1]:.3f} | {coverage:.3f} | {none:.2f} | {cost:.3f}"
            print(f"| {target} | {name} | {told} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
