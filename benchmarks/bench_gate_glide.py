"""Pass rates beside GLIDE and ppi_py, which need an environment of their own.

GLIDE asks for Python 3.12 (`pip install glide-py ppi-python`); version 0.11.0 runs on 3.11, too, with
`--no-deps --ignore-requires-python`.

First `python bench_gate_glide.py write DRAWS.npz` beside askpoint: the panels, the labelled items of
each draw, and what askpoint says. Then `python bench_gate_glide.py read DRAWS.npz` beside GLIDE: the
same labels through its estimators, ppi_py's and the plain mean: root mean square errors in percentage points, how
often the 95% intervals held, and half their width. With a last word `active`, GLIDE's active sampler draws labels of its own, too; that
takes minutes a panel.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np

SIZES = (50, 100, 200)
DRAWS = 40


def write(path: str) -> None:
    from bench_gate import real
    from bench_judges_gold import Case

    from askpoint.judges.gold.evaluation import evaluate_labelled
    from askpoint.judges.gold.residual_totals import totals_of
    from askpoint.judges.gold.uncertain_shares import share_interval_around

    kept: dict[str, np.ndarray] = {}
    for name, votes, truth in real(0):
        case = Case(votes, truth, 2)
        kept |= {f"{name}/votes": votes, f"{name}/truth": truth}
        kept[f"{name}/belief"] = case.posterior[:, 1]
        for n in SIZES:
            if 2 * n > len(truth) + n:
                continue
            rows, told = [], []
            for seed in range(DRAWS):
                rng = np.random.default_rng(seed)
                own = case.random(n, rng)
                line = []
                for how, chosen in (("at random", own), ("as proposed", case.proposed(n, rng))):
                    at = evaluate_labelled(totals_of(case.known(chosen, how))).bounds["1"]
                    line += [at.value, *share_interval_around(at, 0.95, None)]
                rows.append(own)
                told.append(line)
            kept |= {f"{name}/rows/{n}": np.array(rows), f"{name}/told/{n}": np.array(told)}
    np.savez(path, **kept)


def read(path: str) -> None:
    from glide.estimators import (
        ASIMeanEstimator,
        MultiPPIMeanEstimator,
        PPIMeanEstimator,
        PTDMeanEstimator,
    )
    from glide.samplers import ActiveSampler
    from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

    warnings.simplefilter("ignore")
    kept = np.load(path)
    print("| panel | labels | estimator | error, points | held | half width |")
    print("| --- | --- | --- | --- | --- | --- |")
    for key in kept:
        name, _, rest = key.partition("/rows/")
        if not rest:
            continue
        truth, belief, votes = (kept[f"{name}/{part}"] for part in ("truth", "belief", "votes"))
        real_share, told, n = truth.mean(), kept[f"{name}/told/{rest}"], int(rest)
        cast = votes >= 0
        means = [column[known].mean() for column, known in zip(votes.T, cast.T, strict=True)]
        proxies = np.where(cast, votes, means) + 1e-9 * np.arange(len(votes))[:, None]
        unsure = np.sqrt(belief * (1 - belief)).clip(0.05)
        found: dict[str, list[tuple[float, float, float]]] = {
            "askpoint, at random": [tuple(row[:3]) for row in told],
            "askpoint, as proposed": [tuple(row[3:]) for row in told],
        }
        for seed, rows in enumerate(kept[key]):
            y = np.full(len(truth), np.nan)
            y[rows] = truth[rows]
            share = proxies.mean(axis=1)
            told_by = {
                "PPI++ of the beliefs": PPIMeanEstimator().estimate(y, belief),
                "PPI++ of the vote share": PPIMeanEstimator().estimate(y, share),
                "PTD of the beliefs": PTDMeanEstimator().estimate(y, belief),
                "MultiPPI of the judges": MultiPPIMeanEstimator().estimate(y, proxies),
            }
            if sys.argv[-1] == "active":
                chances, drawn = ActiveSampler().sample(unsure, n_samples=n, random_seed=seed)
                own = np.where(drawn > 0, truth, np.nan)
                told_by["ASI, actively drawn"] = ASIMeanEstimator().estimate(own, belief, chances)
            y_known, rest_of = truth[rows], np.setdiff1d(np.arange(len(truth)), rows)
            plain = y_known.mean()
            spread = 1.96 * np.sqrt(max(plain * (1 - plain), 1e-9) / n * (1 - n / len(truth)))
            found.setdefault("labels alone", []).append((plain, plain - spread, plain + spread))
            of_ppi = (y_known.astype(float), belief[rows], belief[rest_of])
            ends = (ppi_mean_pointestimate(*of_ppi), *ppi_mean_ci(*of_ppi, alpha=0.05))
            mid_low_high = tuple(float(np.ravel(end)[0]) for end in ends)
            found.setdefault("ppi_py of the beliefs", []).append(mid_low_high)
            for what, result in told_by.items():
                interval = result.confidence_interval
                found.setdefault(what, []).append(
                    (interval.mean, interval.lower_bound, interval.upper_bound)
                )
        for what, values in found.items():
            point, low, high = np.array(values).T
            error = 100 * np.sqrt(np.mean((point - real_share) ** 2))
            held = np.mean((low <= real_share) & (real_share <= high))
            half = 100 * np.mean(high - low) / 2
            print(f"| {name} | {n} | {what} | {error:.2f} | {held:.2f} | {half:.1f} |", flush=True)


if __name__ == "__main__":
    {"write": write, "read": read}[sys.argv[1]](sys.argv[2])
