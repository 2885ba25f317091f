"""What votes are worth in labels, beside labels alone and PPI++ (ppi_py, where it is installed).

`python benchmarks/bench_judges_worth.py [--draws N] [--labels N] [PANEL ...]`: of each panel, with 100 labels drawn at random and
as proposed, how often the 95% interval of the last label's share held, its half width and that of others on the same
labels, the worth in labels by that width (median, least), how often labels alone were used; and of up to 13 pairs of
judges how often their difference was held and how wide its interval is beside 1.96 root mean square errors.
"""

from __future__ import annotations

import argparse
from collections import defaultdict

import numpy as np
from bench_judges_gold import Case
from judge_panels import Panel, classifiers, crowd, language_models
from simulated_panels import PANEL_WORLDS, simulate_panel

from askpoint.judges.gold.evaluation import evaluate_labelled
from askpoint.judges.gold.judge_difference import compare_labelled
from askpoint.judges.gold.residual_totals import totals_of
from askpoint.judges.gold.uncertain_shares import student_quantile
from askpoint.measures.intervals import binomial_interval

try:
    from ppi_py import ppi_mean_ci
except ImportError:
    ppi_mean_ci = None

PANELS = (
    "rewardbench9", "llmbar5", "trec33 0-1/2-3", "rte", "movie_sentiment", "trec", "hard5", "adult,3",
    "nursery,5",
)  # fmt: skip
MOST_PAIRS = 13


def panel_of(name: str) -> Panel:
    if name in PANEL_WORLDS:
        at = list(PANEL_WORLDS).index(name)
        found = simulate_panel(PANEL_WORLDS[name], np.random.default_rng(at))
        return found.votes, found.truth, 2
    known = dict(language_models())
    if name in known:
        return known[name]
    data, _, k = name.partition(",")
    return classifiers(data, int(k)) if k else crowd(name)


def pairs_of(case: Case) -> list[tuple[int, int]]:
    """The pairs of those who vote most, and others with 10 items or 5% of all in common."""
    rng, judges = np.random.default_rng(5), case.votes.shape[1]
    chosen = [tuple(sorted(rng.choice(judges, 2, replace=False))) for _ in range(3000)]
    least = min(30, max(10, len(case.truth) / 20))
    found = []
    for pair in dict.fromkeys([*(tuple(p) for p in case.pairs), *chosen]):
        if len(found) < MOST_PAIRS and (case.votes[:, pair] >= 0).all(axis=1).sum() >= least:
            found.append((int(pair[0]), int(pair[1])))
    return found


def measure(name: str, draws: int, n: int) -> None:
    case = Case(*panel_of(name))
    n_items, share, pairs = (
        len(case.truth),
        float(np.mean(case.truth == case.r - 1)),
        pairs_of(case),
    )
    y, f = (case.truth == case.r - 1).astype(float), case.posterior[:, -1]
    for how in ("at random", "as proposed"):
        rows, of_pairs = defaultdict(list), defaultdict(list)
        for seed in range(draws):
            rng = np.random.default_rng([seed, n])
            items = case.random(n, rng) if how == "at random" else case.proposed(n, rng)
            totals = totals_of(case.known(items, "as proposed"))
            found = evaluate_labelled(totals)
            low, high = found.interval().prevalence[found.labels[-1]]
            near = (n * found.prevalence[found.labels[-1]] + 2) / (n + 4)
            reach = (high - low - 1 / n_items) / 2 / student_quantile(n - 1, 0.95, None)
            worth = 1 / (reach**2 / (near * (1 - near)) + 1 / n_items) / n
            uses = totals[-1].curve.uses_votes
            rows["own"].append((low <= share <= high, (high - low) / 2))
            rows["worth"].append((max(worth, 1.0) if uses else 1.0, uses))
            if how == "at random":
                low, high = binomial_interval(int(y[items].sum()), n)
                rows["alone"].append((low <= share <= high, (high - low) / 2))
                if ppi_mean_ci is not None:
                    rest = np.setdiff1d(np.arange(n_items), items)
                    ends = ppi_mean_ci(y[items], f[items], f[rest], alpha=0.05)
                    low, high = (float(np.ravel(end)[0]) for end in ends)
                    rows["ppi"].append((low <= share <= high, (high - low) / 2))
            for pair in pairs:
                i, j = pair
                both = (case.votes[:, pair] >= 0).all(axis=1)
                right = (case.votes[both] == case.truth[both, None]).mean(axis=0)
                told = compare_labelled(
                    totals, found.judges[i], found.judges[j], 0.95, any_time=False
                )
                off = told.difference - (right[i] - right[j])
                low, high = told.interval
                held = low - 1e-9 <= right[i] - right[j] <= high + 1e-9
                of_pairs[pair].append((held, (high - low) / 2, off))
        cells = [
            "-" if not rows[of] else "{:.2f}, {:.3f}".format(*np.mean(rows[of], axis=0))
            for of in ("own", "ppi", "alone")
        ]
        worth, uses = np.array(rows["worth"], dtype=float).T
        held, ratios = [], []
        for seen in of_pairs.values():
            h, half, off = np.array(seen, dtype=float).T
            held.append(h.mean())
            if (error := np.sqrt(np.mean(off**2))) > 1e-3:
                ratios.append(half.mean() / 1.96 / error)
        width = f"{np.exp(np.mean(np.log(ratios))):.2f}" if ratios else "-"
        least = f"{np.mean(held):.3f} (least {min(held):.2f})" if held else "-"
        print(
            f"| {name} | {how} | {' | '.join(cells)} | {np.median(worth):.2f} ({worth.min():.2f}) "
            f"| {1 - uses.mean():.2f} | {least} | {width} |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("panels", nargs="*", default=PANELS)
    parser.add_argument("--draws", type=int, default=40)
    parser.add_argument("--labels", type=int, default=100)
    asked = parser.parse_args()
    print(
        "| panel | labels | ours: held, half | PPI++ | labels alone | worth, median (least) | labels alone used "
        "| differences held | width |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in asked.panels:
        measure(name, asked.draws, asked.labels)


if __name__ == "__main__":
    main()
