"""How many questions, how close: chords beside the paper's searches, exact oracles and noisy ones.

    python benchmarks/bench_elicitation.py [METRICS]

ASKPOINT_DATA is the folder of shared data sets (figure 3 is skipped without). Random class weights are
uniform on the simplex, costs of mistakes absolute values of normal numbers. METRICS (600) is the
number of random metrics in the first table; about six minutes on one core.
"""

from __future__ import annotations

import itertools
import os
import sys
import warnings
from pathlib import Path

import numpy as np
import polars as pl

from askpoint.elicitation.families import (
    diagonal_questionnaire,
    fraction_questionnaire,
    linear_questionnaire,
)
from askpoint.elicitation.metrics import LinearFractionalMetric, cost_metric, diagonal_metric
from askpoint.elicitation.respondents import ExactRespondent, NoisyRespondent
from askpoint.elicitation.rules import CostRule
from askpoint.elicitation.samples import Sample

SEED = 20191208
LIMITS = (0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.14)
SETS = ("uci/vehicle", "uci/satimage", "large/connect-4")


def sampled(k, n, rng):
    """Probabilities uniform on the simplex, labels drawn from them."""
    proba = rng.dirichlet(np.ones(k), n)
    return np.array([*range(k), *(rng.choice(k, p=p) for p in proba[k:])]), proba


def random_costs(k, rng):
    a = -np.abs(rng.normal(size=k * k - k))
    return a / np.linalg.norm(a)


def errors_of(data, metrics, **settings):
    """Greatest error of each elicitation, and the number of questions."""
    found = [
        (a, diagonal_questionnaire(*data, **settings).ask(ExactRespondent(diagonal_metric(a))))
        for a in metrics
    ]
    return np.array([np.abs(e.weights - a).max() for a, e in found]), found[0][1].n_queries


def class_weights(n_metrics):
    print(f"Class weights, eps .01, 1,000 cases, {n_metrics} random metrics")
    print(
        f"{'k':>2} {'method':17} {'questions':>9} {'median':>7} {'p95':>7} {'max':>7} {'<= .01':>7}"
    )
    for k in (3, 4, 6):
        rng = np.random.default_rng(SEED + k)
        data = sampled(k, 1000, rng)
        metrics = rng.dirichlet(np.ones(k), n_metrics)
        law = rng.dirichlet(np.ones(k), 20_000)  # each case weighed by its probabilities
        runs = {"chord": (data, metrics), "paper": (data, metrics[: max(1, n_metrics // 6)])}
        runs["paper, on the law"] = (law, law), metrics[: max(1, n_metrics // 6)]
        for name, (cases, some) in runs.items():
            errors, count = errors_of(cases, some, method=name.split(",")[0])
            low, high = np.quantile(errors, (0.5, 0.95))
            share = np.mean(errors <= 0.01)
            print(
                f"{k:2} {name:17} {count:9} {low:7.4f} {high:7.4f} {errors.max():7.4f} {share:7.0%}",
                flush=True,
            )


def real_data(name, rng):
    """Softmax regression learned on one half; labels and probabilities of the other."""
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    frame = pl.read_csv(Path(os.environ["ASKPOINT_DATA"], f"{name}.csv.gz")).to_pandas()
    y, X = frame.iloc[:, -1].astype(str).to_numpy(), frame.iloc[:, :-1]
    half = rng.permutation(len(y)) < len(y) // 2
    numbers = make_column_selector(dtype_include="number")
    columns = make_column_transformer(
        (StandardScaler(), numbers), remainder=OneHotEncoder(handle_unknown="ignore")
    )
    model = make_pipeline(columns, LogisticRegression(max_iter=300))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X[half], y[half])
    return y[~half], model.predict_proba(X[~half])


def figure_3():
    print("\nFigure 3: share of 100 random metrics elicited within omega (eps .01)")
    print(f"{'data':10} {'cases':>6} {'method':6}" + "".join(f" {limit:5}" for limit in LIMITS))
    for name in SETS:
        rng = np.random.default_rng(SEED)
        y, proba = real_data(name, rng)
        metrics = rng.dirichlet(np.ones(proba.shape[1]), 100)
        for part in (0.5, 0.75, 1.0):
            rows = rng.permutation(len(y))[: int(part * len(y))]
            for method in ("chord", "paper"):
                errors, _ = errors_of((y[rows], proba[rows]), metrics, method=method)
                shares = "".join(f" {np.mean(errors <= limit):5.0%}" for limit in LIMITS)
                print(f"{name.split('/')[1]:10} {len(rows):6} {method:6}{shares}", flush=True)


def kinds_of_mistakes():
    print("\nCosts of mistakes, eps .01, 1,000 cases: L2 error over random metrics")
    print(
        f"{'k':>2} {'method':14} {'metrics':>7} {'questions':>9} {'median':>7} {'p95':>7} {'max':>7}"
    )
    runs = {
        "chord": {},
        "paper": {"method": "paper"},
        "paper, 3 cycles": {"method": "paper", "cycles": 3},
    }
    for k in (3, 4, 6):
        rng = np.random.default_rng(SEED + k)
        y, proba = sampled(k, 1000, rng)
        for name, settings in runs.items():
            n = (60 if name == "chord" else 20) // (1 if k < 6 else 6)
            errors = []
            for _ in range(n):
                a = random_costs(k, rng)
                found = linear_questionnaire(y, proba, **settings).ask(
                    ExactRespondent(cost_metric(a))
                )
                errors.append(np.linalg.norm(found.weights - a))
            low, high = np.quantile(errors, (0.5, 0.95))
            print(
                f"{k:2} {name:14} {n:7} {found.n_queries:9} {low:7.4f} {high:7.4f} {max(errors):7.4f}",
                flush=True,
            )


def fractions():
    print("\nLinear-fractional metrics that fall with every mistake: concordance of 300 outcomes")
    print(f"{'k':>2} {'method':8} {'metrics':>7} {'questions':>9} {'least':>7} {'median':>7}")
    for k in (2, 3, 4):
        rng = np.random.default_rng(SEED + k)
        y, proba = sampled(k, 1000, rng)
        sample = Sample.of(y, proba)
        gains = (rng.normal(size=(k, k)) + rng.uniform(0, 3) * np.eye(k) for _ in range(300))
        points = [sample.confusion(CostRule.of(gain)) for gain in gains]
        for method, n in (("chord", 30), ("paper", 3)):
            shares = []
            for _ in range(n):
                top = np.diag(rng.uniform(0.3, 1, k))
                metric = LinearFractionalMetric(top, top + rng.uniform(0.6, 1, (k, k)))
                found = fraction_questionnaire(y, proba, method=method).ask(ExactRespondent(metric))
                truth = np.array([metric(point) for point in points])
                score = np.array([found.score(point) for point in points])
                i, j = np.array(list(itertools.combinations(range(300), 2))).T
                shares.append(np.mean((truth[i] > truth[j]) == (score[i] > score[j])))
            low, middle = min(shares), np.median(shares)
            print(
                f"{k:2} {method:8} {n:7} {found.n_queries:9} {low:7.4f} {middle:7.4f}", flush=True
            )


def noise():
    print("\nMean error against the oracle's noise Omega (k = 3, softmax law, eps .0005)")
    x = (np.arange(4000) + 0.5) / 2000 - 1
    law = np.exp(-np.outer(x, [1, 3, 5]))
    law /= law.sum(axis=1, keepdims=True)
    omegas = np.array([0.0003, 0.001, 0.003, 0.01, 0.03])
    for method, settings in {"chord": {}, "paper": {"method": "paper", "short": True}}.items():
        rng = np.random.default_rng(SEED)
        means = []
        for omega in omegas:
            errors = []
            for _ in range(100):
                a = rng.dirichlet(np.ones(3) * 3)
                oracle = NoisyRespondent(diagonal_metric(a), omega, rng)
                found = diagonal_questionnaire(law, law, tolerance=0.0005, **settings).ask(oracle)
                errors.append(np.abs(found.weights - a).max())
            means.append(np.mean(errors))
        kept = slice(None) if method == "paper" else slice(1, None)  # below, eps is the error
        slope = np.polyfit(np.log(omegas[kept]), np.log(means[kept]), 1)[0]
        values = "  ".join(f"{o:g}: {m:.4f}" for o, m in zip(omegas, means, strict=True))
        print(f"{method:6} slope {slope:.2f}   {values}")


def main(n_metrics):
    class_weights(n_metrics)
    kinds_of_mistakes()
    fractions()
    noise()
    if "ASKPOINT_DATA" in os.environ:
        figure_3()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 600)
