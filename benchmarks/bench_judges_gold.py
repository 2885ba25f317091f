"""A few gold labels beside a panel's votes: do intervals hold, how wide are they, what are they worth?

Parts: panels, more, looking, worth, systems, speed; all without an argument. `--quick` draws fewer labels
from fewer panels, in two minutes; `--draws N` says how often labels are drawn from each panel (100).
Panels of people, language models and classifiers need the folder that ASKPOINT_DATA names.
"""

from __future__ import annotations

import argparse
import warnings
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter

import numpy as np
from judge_panels import Panel, panels, panels_of_more_labels
from simulated_systems import SYSTEM_WORLDS, simulate_systems

from askpoint.errors import NotEstimableError
from askpoint.judges.checks.effective_number import effective_judges
from askpoint.judges.gold.evaluation import evaluate_labelled
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.gold.judge_difference import compare_labelled
from askpoint.judges.gold.labelled_patterns import LabelledPatterns, patterns_of
from askpoint.judges.gold.proposal import propose_labelled
from askpoint.judges.gold.residual_totals import totals_of
from askpoint.judges.gold.system_difference import compare_systems
from askpoint.judges.gold.system_proposal import propose_for_systems
from askpoint.judges.gold.uncertain_shares import share_interval_around
from askpoint.judges.sketch.tables import VoteTable
from askpoint.judges.sketch.vote_sketch import VoteSketch

SIZES = (30, 50, 100, 200)
FEWEST = 10  # items of a label that a judge's accuracy is measured on


class Case:
    """A panel, its patterns, and the truth of what is estimated."""

    def __init__(self, votes: np.ndarray, truth: np.ndarray, r: int) -> None:
        self.votes, self.truth, self.r = votes, truth, r
        sketch = VoteSketch(votes.shape[1], [str(k) for k in range(r)])
        sketch.update_codes(votes)
        self.patterns = patterns_of(sketch)
        self.place = {row.tobytes(): i for i, row in enumerate(self.patterns.cells.votes)}
        self.at = np.array([self.place[row.tobytes()] for row in votes.astype(np.int16)])
        self.posterior = self.patterns.posterior[self.at]
        cast = (votes >= 0).sum(axis=0)
        most = np.argsort(-cast, kind="stable")[:4]
        self.pairs = [(int(most[0]), int(j)) for j in most[1:]]
        self.judges = most if r == 2 else np.argsort(-cast, kind="stable")[:12]

    def known(self, rows: np.ndarray, drawn: str) -> LabelledPatterns:
        """The patterns with labels on some items."""
        labelled = np.zeros_like(self.patterns.labelled)
        np.add.at(labelled, (self.at[rows], self.truth[rows]), 1)
        return replace(self.patterns, labelled=labelled).as_drawn(drawn)

    def random(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Items drawn with equal chances."""
        return rng.choice(len(self.truth), n, replace=False)

    def proposed(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Items as proposed, in two batches."""
        rows = np.empty(0, dtype=np.int64)
        while len(rows) < n:
            rows = self.proposed_next(rows, n - len(rows), rng)
        return rows

    def proposed_next(self, rows: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
        """Add the next proposal's items to those labelled."""
        labelled = np.zeros_like(self.patterns.labelled)
        np.add.at(labelled, (self.at[rows], self.truth[rows]), 1)
        known = replace(self.patterns, labelled=labelled)
        proposal = propose_labelled(known, n)
        is_open = np.ones(len(self.truth), dtype=bool)
        is_open[rows] = False
        stratum, more = known.stratum[self.at], [rows]
        for part in proposal.strata:
            h = known.stratum[self.place[part.votes[0].tobytes()]]
            here = np.flatnonzero((stratum == h) & is_open)
            more.append(rng.choice(here, part.n_check, replace=False))
        return np.concatenate(more)


def targets(case: Case, known: LabelledPatterns, any_time: bool = False) -> Iterator[tuple]:
    """Yield kind, name, estimate, interval and truth of all that is measured."""
    looked = int(known.drawn.sum()) if any_time else None
    totals = totals_of(known)
    found = evaluate_labelled(totals)
    last = found.labels[-1]
    for k, label in enumerate(found.labels):
        if case.r > 2 or label == last:
            around = share_interval_around(found.bounds[label], 0.95, looked)
            yield "prevalence", label, found.prevalence[label], around, np.mean(case.truth == k)
        for j in case.judges:
            of = (case.truth == k) & (case.votes[:, j] >= 0)
            at = found.accuracy_bounds[found.judges[j]][label]
            if of.sum() >= FEWEST and at is not None:
                around = share_interval_around(at, 0.95, looked)
                real = np.mean(case.votes[of, j] == k)
                yield "accuracy", (found.judges[j], label), at.value, around, real
    for i, j in case.pairs:
        both = (case.votes[:, [i, j]] >= 0).all(axis=1)
        if both.sum() >= FEWEST:
            one, other = found.judges[i], found.judges[j]
            d = compare_labelled(totals, one, other, 0.95, any_time=any_time)
            right = (case.votes[both] == case.truth[both, None]).mean(axis=0)
            yield "difference", (i, j), d.difference, d.interval, right[i] - right[j]


def peers(case: Case, rows: np.ndarray) -> dict[str, float]:
    """Prevalence of the last label by other means, from labels drawn at random."""
    y, f = (case.truth == case.r - 1).astype(float), case.posterior[:, -1]
    labels = y[rows].mean()
    spread = np.square(f[rows] - f[rows].mean()).sum()
    together = ((f[rows] - f[rows].mean()) * (y[rows] - labels)).sum()
    slope = np.clip(together / max(spread, 1e-12), 0, 1) / (1 + len(rows) / len(y))
    strata = case.patterns.stratum[case.at]
    post = 0.0
    for h in np.unique(strata):
        mine = rows[strata[rows] == h]
        post += (strata == h).mean() * (y[mine].mean() if len(mine) else f[strata == h].mean())
    return {
        "labels": labels,
        "PPI++": labels + slope * (f.mean() - f[rows].mean()),
        "post-stratified": post,
    }


def measure(panel: Panel, sizes: tuple[int, ...], draws: int) -> dict:
    """Draw labels again and again, at random and as proposed."""
    case, out = Case(*panel), {}
    n_items = len(case.truth)
    for n in (n for n in sizes if n <= n_items / 2):
        seen: dict = defaultdict(lambda: defaultdict(list))
        real: dict = {}
        other: dict = defaultdict(list)
        for seed in range(draws):
            rng = np.random.default_rng([seed, n])
            random = case.random(n, rng)
            for who, value in peers(case, random).items():
                other[who].append(value)
            for how, rows in (("at random", random), ("as proposed", case.proposed(n, rng))):
                for kind, what, value, (low, up), truth in targets(case, case.known(rows, how)):
                    real[kind, what] = truth
                    held = low - 1e-9 <= truth <= up + 1e-9
                    seen[how][kind, what].append((value - truth, held, (up - low) / 2))
        truth = np.mean(case.truth == case.r - 1)
        of_other = {
            who: float(np.sqrt(np.mean(np.square(np.array(v) - truth)))) for who, v in other.items()
        }
        for how, found in seen.items():
            for (kind, _), rows in found.items():
                error, held, half = np.array(rows, dtype=float).T
                row = {
                    "bias": float(error.mean()),
                    "rmse": float(np.sqrt(np.mean(error**2))),
                    "held": float(held.mean()),
                    "half": float(half.mean()),
                    "draws": len(rows),
                }
                out.setdefault((n, how), {}).setdefault(kind, []).append(row)
            out[n, how]["peers"] = of_other
    return out


def width(rows: list[dict]) -> float:
    """Half widths in units of 1.96 root mean square errors, geometric mean."""
    ratios = [row["half"] / (1.96 * row["rmse"]) for row in rows if row["rmse"] > 0]
    return float(np.exp(np.mean(np.log(ratios)))) if ratios else float("nan")


def table_of(cases: Iterator[tuple[str, Panel]], sizes: tuple[int, ...], draws: int) -> None:
    """Say of each panel what labels are worth, and of all together whether intervals hold."""
    found = {}
    print(
        "| panel | labels | drawn | prevalence held | accuracies | differences | half width | error / best of three | labels worth |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, panel in cases:
        for (n, how), row in measure(panel, sizes, draws).items():
            found[name, n, how] = row
            last = row["prevalence"][-1]
            held = (
                f"{np.mean([r['held'] for r in row[kind]]):.2f}" if kind in row else "-"
                for kind in ("prevalence", "accuracy", "difference")
            )
            ratio = last["rmse"] / min(row["peers"].values())
            worth = (row["peers"]["labels"] / last["rmse"]) ** 2
            print(
                f"| {name} | {n} | {how} | {' | '.join(held)} | {last['half']:.3f} | {ratio:.2f} | {min(worth, 999):.1f} |",
                flush=True,
            )
    print("\n| labels | drawn | of | mean held | panels below .90 | least | width |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for n, how in sorted({key[1:] for key in found}, key=lambda key: (key[1], key[0])):
        rows = {name: row for (name, *key), row in found.items() if key == [n, how]}
        for kind in ("prevalence", "accuracy", "difference"):
            held = {
                name: float(np.mean([r["held"] for r in row[kind]]))
                for name, row in rows.items()
                if kind in row
            }
            least = min(held, key=lambda name: held[name])
            wide = [width(row[kind]) for row in rows.values() if kind in row]
            low = sum(share < 0.9 for share in held.values())
            print(
                f"| {n} | {how} | {kind} | {np.mean(list(held.values())):.3f} | {low} of {len(held)} "
                f"| {held[least]:.2f} {least} | {np.exp(np.nanmedian(np.log(wide))):.2f} |"
            )
        ratios = {
            name: row["prevalence"][-1]["rmse"] / min(row["peers"].values())
            for name, row in rows.items()
        }
        worst = max(ratios, key=lambda name: ratios[name])
        middle = np.exp(np.mean(np.log(list(ratios.values()))))
        print(
            f"| {n} | {how} | error / best of three | {middle:.2f} | | {ratios[worst]:.2f} {worst} | |"
        )


def looking(draws: int, quick: bool) -> None:
    """Look every 15 labels from 30 to 300: how often was the truth ever outside?"""
    print(
        "| panel | drawn | prevalence, fixed number | any time | accuracies, fixed number | any time |"
    )
    print("| --- | --- | --- | --- | --- | --- |")
    wanted = ("indep5", "hard5", "rare5", "family5", "lenient5", "rte", "llmbar5", "adult,5")
    for name, panel in panels(quick):
        if name not in wanted:
            continue
        case = Case(*panel)
        most = min(300, len(case.truth) // 2)
        for how in ("at random", "as proposed"):
            outside: dict = defaultdict(lambda: np.zeros((draws, 2), dtype=bool))
            for seed in range(draws):
                rng = np.random.default_rng(seed)
                order, rows = case.random(most, rng), np.empty(0, dtype=np.int64)
                for n in range(30, most + 1, 15):
                    if how == "at random":
                        rows = order[:n]
                    while len(rows) < n:
                        rows = case.proposed_next(rows, n - len(rows), rng)
                    known = case.known(rows, how)
                    for i, any_time in enumerate((False, True)):
                        for kind, what, _, (low, up), truth in targets(case, known, any_time):
                            if kind != "difference":
                                held = low - 1e-9 <= truth <= up + 1e-9
                                outside[kind, what][seed, i] |= not held
            shares = [
                np.mean([of.mean(axis=0) for (what, _), of in outside.items() if what == kind], 0)
                for kind in ("prevalence", "accuracy")
            ]
            cells = " | ".join(f"{share:.2f}" for pair in shares for share in pair)
            print(f"| {name} | {how} | {cells} |", flush=True)


def worth(draws: int, quick: bool) -> None:
    """How often the interval of the effective number of judges holds that of all items."""
    print("| panel | all items | labels | at random: held | width | as proposed: held | width |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    wanted = ("indep5", "hard5", "family7", "llmbar5", "rewardbench9", "adult,5", "chess,5")
    for name, panel in panels(quick):
        if name not in wanted:
            continue
        case = Case(*panel)
        sketch = VoteSketch(case.patterns.judges, case.patterns.labels)
        sketch.update_codes(case.votes)

        def labelled(rows: np.ndarray, case: Case = case) -> GoldSketch:
            gold = GoldSketch(case.patterns.judges, case.patterns.labels)
            gold.update_codes(case.votes[rows], case.truth[rows])
            return gold

        truth = effective_judges(labelled(np.arange(len(case.truth)))).number
        for n in (n for n in SIZES if n <= len(case.truth) / 2):
            found: dict = defaultdict(list)
            for seed in range(draws):
                rng = np.random.default_rng([seed, n])
                for how, rows in (("random", case.random(n, rng)), ("as", case.proposed(n, rng))):
                    try:
                        low, up = effective_judges(labelled(rows), sketch=sketch).interval
                    except NotEstimableError:
                        continue
                    found[how].append((low - 1e-9 <= truth <= up + 1e-9, up - low))
            cells = (f"{x:.2f}" for of in found.values() for x in np.mean(of, axis=0))
            print(f"| {name} | {truth:.2f} | {n} | {' | '.join(cells)} |", flush=True)


def systems(draws: int) -> None:
    print(
        "| world | labels | drawn | held | half width | error | labels alone | votes alone off by |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    labels = ("fail", "pass")
    for name, world in SYSTEM_WORLDS.items():
        for n in SIZES:
            rows: dict = defaultdict(list)
            for seed in range(draws):
                rng = np.random.default_rng([seed, n])
                a, b = simulate_systems(world, rng)
                tasks = tuple(map(str, range(world.n_items)))
                judges = tuple(map(str, range(world.n_judges)))
                first, second = (VoteTable(tasks, judges, labels, of.votes) for of in (a, b))
                gain = b.truth.astype(float) - a.truth
                random = [tasks[i] for i in rng.choice(len(tasks), n, replace=False)]
                proposed = propose_for_systems(first, second, n, rng, passing="pass")
                alone = gain[np.array(random, dtype=int)].mean() - gain.mean()
                for how, chosen in (("at random", random), ("as proposed", proposed)):
                    golds = ({t: labels[of.truth[int(t)]] for t in chosen} for of in (a, b))
                    found = compare_systems(first, second, *golds, passing="pass", drawn=how)
                    low, up = found.interval
                    held = low <= gain.mean() <= up
                    off, votes = found.difference - gain.mean(), found.by_votes - gain.mean()
                    rows[how].append((held, (up - low) / 2, off, alone, votes))
            for how, measured in rows.items():
                held, half, off, alone, votes = np.array(measured, dtype=float).T
                error, of_labels = (np.sqrt(np.mean(x**2)) for x in (off, alone))
                print(
                    f"| {name} | {n} | {how} | {held.mean():.3f} | {half.mean():.3f} | {error:.3f} "
                    f"| {of_labels:.3f} | {votes.mean():+.3f} |",
                    flush=True,
                )


def speed() -> None:
    """Time an evaluation of 100,000 votes of 33 judges on four labels, and a proposal."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, 3030)
    difficulty = rng.random((3030, 1)) < 0.5
    right = (rng.random((3030, 33)) < 0.6) & difficulty
    votes = np.where(right, truth[:, None], rng.integers(0, 4, (3030, 33)))
    start = perf_counter()
    case = Case(votes, truth, 4)
    fitted = perf_counter()
    known = case.known(case.random(100, rng), "at random")
    evaluate_labelled(totals_of(known)).interval()
    evaluated = perf_counter()
    propose_labelled(known, 50)
    print(
        f"100,000 votes of 33 judges, four labels: model {fitted - start:.1f} s, evaluation "
        f"{evaluated - fitted:.1f} s, proposal {perf_counter() - evaluated:.1f} s"
    )


PARTS = ("panels", "more", "looking", "worth", "systems", "speed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--draws", type=int, default=100)
    asked = parser.parse_args()
    draws = 5 if asked.quick else asked.draws
    for part in asked.parts or PARTS:
        print(f"\n## {part}: {draws} draws")
        match part:
            case "panels":
                table_of(panels(asked.quick), (100,) if asked.quick else SIZES, draws)
            case "more":
                if not asked.quick:
                    table_of(panels_of_more_labels(), (50, 100, 200), draws)
            case "looking":
                looking(draws, asked.quick)
            case "worth":
                worth(draws, asked.quick)
            case "systems":
                systems(draws)
            case _:
                speed()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
