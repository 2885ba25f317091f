"""Is B better? Do intervals of pass rates and of B minus A hold, and what are labels worth beside votes?

Pass rates on real panels of language models: halves of these panels serve as two systems, too: each
item is answered twice, by another item of the same set. `--quick` draws less, in two minutes;
`--draws N` says how often. Panels need the folder that ASKPOINT_DATA names.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np
from bench_judges_gold import Case
from judge_panels import folder, language_models
from simulated_systems import SYSTEM_WORLDS, simulate_systems

from askpoint.judges.gold.evaluation import evaluate_labelled
from askpoint.judges.gold.residual_totals import totals_of
from askpoint.judges.gold.system_difference import compare_systems
from askpoint.judges.gold.system_proposal import propose_for_systems
from askpoint.judges.gold.uncertain_shares import share_interval_around
from askpoint.judges.sketch.tables import VoteTable

SIZES = (50, 100, 200)
MOST = 800  # items of a real panel, so that 200 labels are a part of them
FEW = 12  # judges of a large panel


def real(seed: int) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Votes and truth on the shared panels, a random part of the large ones."""
    if folder() is None:
        return
    rng = np.random.default_rng(seed)
    for name, (votes, truth, _) in language_models():
        rows = rng.permutation(len(truth))[:MOST]
        judges = rng.permutation(votes.shape[1])[:FEW]
        yield name, votes[np.ix_(rows, judges)].astype(np.int16), np.asarray(truth)[rows]


def rivals(f: np.ndarray, y: np.ndarray, rows: np.ndarray) -> list[float]:
    """Labels alone, post-stratified by the votes, PPI++: each from a random sample."""
    known, belief = y[rows], f[rows]
    spread = np.var(belief)
    slope = np.cov(known, belief)[0, 1] / spread / (1 + len(rows) / len(y)) if spread else 0.0
    plus = known.mean() + slope * (f.mean() - belief.mean())
    cut = np.digitize(f, (0.25, 0.5, 0.75))
    parts = [(np.mean(cut == h), known[cut[rows] == h]) for h in range(4)]
    seen = sum(w for w, own in parts if len(own))
    return [known.mean(), sum(w * own.mean() for w, own in parts if len(own)) / seen, plus]


def pass_rates(draws: int, quick: bool) -> None:
    for name, votes, truth in real(0):
        if quick and name == "trec33 0-1/2-3":
            continue
        case, real_share = Case(votes, truth, 2), float(truth.mean())
        for n in SIZES:
            if 2 * n > len(truth) + n:
                continue
            found = {"random": [], "proposed": []}
            others = []
            for seed in range(draws):
                rng = np.random.default_rng(seed)
                rows = case.random(n, rng)
                others.append(rivals(case.posterior[:, 1], truth, rows))
                for how, own in (("random", rows), ("proposed", case.proposed(n, rng))):
                    drawn = "at random" if how == "random" else "as proposed"
                    at = evaluate_labelled(totals_of(case.known(own, drawn))).bounds["1"]
                    interval = share_interval_around(at, 0.95, None)
                    held = interval.lower <= real_share <= interval.upper
                    found[how].append((held, at.value - real_share))
            errors = np.sqrt(np.mean(np.square(np.array(others) - real_share), axis=0))
            tell(f"pass rate, {name}", n, found, errors)


def tell(name: str, n: int, found: dict[str, list[tuple[bool, float]]], others: np.ndarray) -> None:
    """Print a row: held, error against the best of the others, labels worth."""
    words = []
    for rows in found.values():
        held, error = np.mean([h for h, _ in rows]), np.sqrt(np.mean([e**2 for _, e in rows]))
        words.append(f"{held:.2f} | {error / others.min():.2f} | {(others[0] / error) ** 2:.1f}")
    print(f"| {name} | {n} | {' | '.join(words)} |", flush=True)


def worlds(seed: int) -> Iterator[tuple[str, list[np.ndarray], list[np.ndarray]]]:
    """Simulated pairs of systems; and items of real panels, in pairs, as if answered twice."""
    for name, world in SYSTEM_WORLDS.items():
        panels = simulate_systems(world, np.random.default_rng(seed))
        yield name, [p.votes for p in panels], [p.truth for p in panels]
    for name, votes, truth in real(seed):
        half = len(truth) // 2
        yield name, [votes[:half], votes[half : 2 * half]], [truth[:half], truth[half : 2 * half]]


def systems(draws: int) -> None:
    rows: dict[tuple[str, int], tuple[dict[str, list[tuple[bool, float]]], list[list[float]]]] = {}
    for seed in range(draws):
        for name, votes, truth in worlds(seed):
            items = len(truth[0])
            tasks = tuple(map(str, range(items)))
            judges = [f"j{k}" for k in range(votes[0].shape[1])]
            tables = [VoteTable(tasks, tuple(judges), ("0", "1"), v) for v in votes]
            gain = truth[1].astype(float) - truth[0]
            for n in SIZES:
                if n > items - 20:
                    continue
                found, others = rows.setdefault((name, n), ({"random": [], "proposed": []}, []))
                rng = np.random.default_rng([seed, n])
                random = rng.permutation(tasks)[:n]
                proposed = propose_for_systems(*tables, n, rng, passing="1")
                for how, own in (("random", random), ("proposed", proposed)):
                    golds = [{t: str(y[int(t)]) for t in own} for y in truth]
                    drawn = "at random" if how == "random" else "as proposed"
                    one = compare_systems(*tables, *golds, passing="1", drawn=drawn)
                    held = one.interval.lower <= gain.mean() <= one.interval.upper
                    found[how].append((held, one.difference - gain.mean()))
                others.append([gain[random.astype(int)].mean() - gain.mean()])
    for (name, n), (found, others) in rows.items():
        tell(f"B minus A, {name}", n, found, np.sqrt(np.mean(np.square(others), axis=0)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--draws", type=int)
    options = parser.parse_args()
    draws = options.draws if options.draws is not None else 20 if options.quick else 100
    print(
        "| of | labels | random: held | error / best | labels worth | proposed: held | ... | ... |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    pass_rates(draws, options.quick)
    systems(draws)


if __name__ == "__main__":
    main()
