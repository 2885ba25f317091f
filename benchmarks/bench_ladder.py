"""A ladder of models and people against its honest rivals, on cases that nothing was learned from.

    python benchmarks/bench_ladder.py [DRAWS [FIRST_SEED [LOG ...]]]
    python benchmarks/bench_ladder.py csv FILE     # the published judgements as a log, 300 of them with a label

Half of each log is learned from, of which some cases have labels; cost is counted on the other half, in checks per
case. Logs: three language models' published judgements of 500 pairs (the repository of Jung, Brahman and Choi, 2024; set
LADDER_REPOSITORY to a copy, else it is left out); judges of the shared panels; three models each on shared tables. Rungs cost
.002, .02, .08 or .01, .05, .25 of a check. Rivals: the best single rung with its threshold; a fixed chain, thresholds on a grid by
least cost on the labels (as FrugalGPT); a router by confidence, from the cheapest rung to the dearest.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from real_logs import _model, _table

from askpoint.value.ladder.choice import choose_ladder, held_out_costs
from askpoint.value.ladder.learning import LadderCases, learn_ladder, single_rung
from askpoint.value.ladder.outputs import (
    RungOutputs,
    log_answers,
    log_probabilities,
    share_right,
)

PRICES = (np.array([0.002, 0.02, 0.08]), np.array([0.01, 0.05, 0.25]))
CHECKS = (3, 10, 30)
LABELS = (100, 300)
TABLES = ("adult", "waveform-21", "satimage", "german", "chess", "nursery")
MODELS = ("naive Bayes", "logistic", "boosting")
GUARDS = {
    "one error": (1, 0),
    "1.3 errors": (1.28, 0),
    "1.6 errors": (1.645, 0),
    "one error, half a mistake": (1, 0.5),
    "1.6 errors, half a mistake": (1.645, 0.5),
}
DATA = Path(os.environ.get("ASKPOINT_DATA", ""))


def published():
    """Probabilities of two answers by three language models, and what people prefer."""
    where = os.environ["LADDER_REPOSITORY"]
    parts = []
    for model in ("mistral-7b-instruct", "gpt-3.5-turbo", "gpt-4-turbo"):
        path = f"HEAD:result/{model}.calibration.jsonl"
        text = subprocess.run(
            ["git", "-C", where, "show", path], capture_output=True, text=True, check=True
        ).stdout
        rows = [json.loads(line) for line in text.splitlines()]
        proba = np.array([row["probs"] for row in rows])
        parts.append(log_probabilities(proba / proba.sum(axis=1, keepdims=True)))
    return np.array(parts), np.array([row["preferences"]["human"] for row in rows]) - 1


def write_published(path):
    """Write the published judgements as a log for `askpoint value --rung`."""
    log_p, label = published()
    frame = pd.DataFrame({"key": [f"pair-{i}" for i in range(len(label))]})
    for name, said in zip(("mistral", "gpt35", "gpt4"), log_p, strict=True):
        frame[f"{name}_first"], frame[f"{name}_second"] = np.exp(said).T
    names = np.array(["first", "second"])
    order = np.random.default_rng(0).permutation(len(label))
    frame["label"] = np.where(order < 300, names[label], "")
    frame["truth"] = names[label]
    frame.to_csv(path, index=False)


def scores():
    """Scores of 1 to 10 by three judges as probabilities of "good"."""
    frame = pd.read_csv(DATA / "panels" / "rewardbench2.scores.csv.gz")
    gold = pd.read_csv(DATA / "panels" / "rewardbench2.gold.csv.gz").set_index("task")["label"]
    value = next(name for name in frame if name.startswith("score"))
    wide = frame.groupby(["task", "worker"])[value].first().unstack()
    wanted = [next(w for w in wide if part in w) for part in ("nano", "mini", "sonnet")]
    wide = wide[wanted].dropna()
    good = ((wide.to_numpy(float) - 0.5) / 10).clip(0.01, 0.99).T
    proba = np.stack([1 - good, good], axis=2)
    return log_probabilities(proba), (gold.loc[wide.index] == "good").to_numpy().astype(int)


def answers(name, workers):
    """Answers of judges without a confidence."""
    frame = pd.read_csv(DATA / "panels" / f"{name}.csv.gz", dtype=str)
    gold = pd.read_csv(DATA / "panels" / f"{name}.gold.csv.gz", dtype=str).set_index("task")[
        "label"
    ]
    wide = frame.pivot_table(index="task", columns="worker", values="label", aggfunc="first")
    right = wide.eq(gold.reindex(wide.index), axis=0).mean().sort_values()
    wide = wide[[right.index[int(q * (len(right) - 1))] for q in workers]].dropna()
    names = sorted(gold.unique())
    wide = wide[wide.isin(names).all(axis=1)]
    codes = np.array([[names.index(label) for label in wide[w]] for w in wide])
    return codes, np.array([names.index(label) for label in gold.loc[wide.index]])


def table(name):
    """Probabilities of three models on the rows of a table that none was trained on."""
    X, y = _table(DATA / "uci" / f"{name}.csv.gz")
    rng = np.random.default_rng(1)
    rows = rng.permutation(len(y))
    n = min(1000, len(y) // 3)
    y = np.unique(y, return_inverse=True)[1]
    train, rest = rows[:n], rows[n : n + 4000]
    k = int(y.max()) + 1
    parts = []
    for model, seen in zip(MODELS, (n // 4, n, n), strict=True):
        fitted = _model(model, 0).fit(X[train[:seen]], y[train[:seen]])
        proba = np.full((len(rest), k), 1e-9)
        proba[:, fitted.classes_] = fitted.predict_proba(X[rest])
        parts.append(log_probabilities(proba))
    return np.array(parts), y[rest]


def open_log(name):
    if name == "published":
        return published()
    if name == "scores":
        return scores()
    if name in {"llmjudge_trec", "llmbar"}:
        return answers(name, (0.3, 0.7, 1.0))
    return table(name)


def chain_cost(proba, answer, label, prices, checks, thresholds):
    """Cost per case of a chain with a threshold for each rung; people come last."""
    cost, open_ = np.zeros(len(label)), np.ones(len(label), bool)
    for rung, price in enumerate(prices):
        cost += price * open_
        stops = open_ & (proba[rung] >= thresholds[rung])
        cost += checks * (stops & (answer[rung] != label))
        open_ &= ~stops
    return (cost + open_).mean()


def fixed_chain(proba, answer, label, prices, checks, learn, test):
    grids = [np.append(np.quantile(p[learn], np.linspace(0, 0.95, 9)), np.inf) for p in proba]
    tried = itertools.product(*grids)
    best = min(
        tried,
        key=lambda t: chain_cost(
            proba[:, learn], answer[:, learn], label[learn], prices, checks, t
        ),
    )
    return chain_cost(proba[:, test], answer[:, test], label[test], prices, checks, best)


def run(name, seed, prices, checks, n_labels, log):
    rng = np.random.default_rng([seed, 13])
    said, label = log
    rows = rng.permutation(len(label))
    half = len(rows) // 2
    learn, test = rows[:half], rows[half:]
    n_labels = min(n_labels, half)
    if said.ndim == 2:
        k = int(label.max()) + 1
        known = learn[:n_labels]
        said = np.array([log_answers(a, share_right(a[known] == label[known]), k) for a in said])
    outputs = RungOutputs(said, np.ones(said.shape[:2], bool))

    def cases(rows, n):
        labelled = np.arange(len(rows)) < n
        return LadderCases(outputs.take(rows), labelled, label[rows], prices, checks)

    tested = cases(test, len(test))
    every = np.arange(len(test))
    seen = cases(learn, n_labels)
    choice = choose_ladder(seen, rng, n_new=len(test))
    hindsight = held_out_costs(tested, learn_ladder(cases(learn, half), rng), every).mean()
    learned = learn_ladder(seen, rng)
    single = held_out_costs(tested, single_rung(learned, seen), every).mean()
    true = held_out_costs(tested, choice.learned, every).mean()
    proba = np.exp(said).max(axis=2) / np.exp(said).sum(axis=2)
    answer = said.argmax(axis=2)
    known = learn[:n_labels]
    chain = fixed_chain(proba, answer, label, prices, checks, known, test)
    ends = [0, 2]
    router = fixed_chain(proba[ends], answer[ends], label, prices[ends], checks, known, test)
    told = choice.prospects.cost_per_1000
    unguarded = held_out_costs(tested, learned, every).mean()
    return {
        "log": name, "labels": n_labels, "checks": checks, "prices": float(prices[-1]), "used": choice.guard.is_used,
        "by_model": choice.guard.saved_by_model, "by_labels": choice.guard.saved_by_labels, "error": choice.guard.error,
        "guarded": true, "unguarded": unguarded, "single": single, "chain": chain,
        "router": router, "hindsight": min(hindsight, single, 1.0), "stated": told.mean / 1000,
        "held": told.low / 1000 - 1e-9 <= true <= told.high / 1000 + 1e-9,
        **cost_by_guard(choice.guard, checks, unguarded, single),
    }  # fmt: skip


def cost_by_guard(guard, checks, ladder, single):
    """Cost per case under each guard: so many standard errors of the saving, and a part of a mistake that was not seen."""
    costs = {}
    for name, (errors, unseen) in GUARDS.items():
        error = np.hypot(guard.error, unseen * checks / max(1, guard.n_labelled))
        is_used = guard.saved_by_model > 0.01 and guard.saved_by_labels > errors * error
        costs[name] = ladder if is_used else single
    return costs


def summary(frame):
    """Costs over that of the best single rung, the gap closed to the best in hindsight, and coverage."""
    asking = 1.0
    possible = (asking - frame.hindsight).sum()
    ratio = frame.guarded / frame.single
    return pd.Series({
        "used": frame.used.mean(),
        "ladder / single": frame.guarded.sum() / frame.single.sum(),
        "worst": ratio.max(),
        "over 1.01": (ratio > 1.01).mean(),
        "no guard": frame.unguarded.sum() / frame.single.sum(),
        "worst, no guard": (frame.unguarded / frame.single).max(),
        "chain": frame.chain.sum() / frame.single.sum(),
        "router": frame.router.sum() / frame.single.sum(),
        "gap ladder": (asking - frame.guarded).sum() / possible if possible > 0 else None,
        "gap single": (asking - frame.single).sum() / possible if possible > 0 else None,
        "true / stated": frame.guarded.sum() / frame.stated.sum(),
        "held": frame.held.mean(),
    })  # fmt: skip


def summary_of_guards(frame):
    """Of each guard: cost over that of the best single rung in all, in the worst run, and runs over 1.01."""
    lines = {}
    for name in GUARDS:
        ratio = frame[name] / frame.single
        lines[name] = {
            "cost": frame[name].sum() / frame.single.sum(), "mean ratio": ratio.mean(), "worst": ratio.max(),
            "over 1.01": (ratio > 1.01).mean(),
        }  # fmt: skip
    return pd.DataFrame(lines).T


def main():
    if sys.argv[1:2] == ["csv"]:
        write_published(sys.argv[2])
        return
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    names = sys.argv[3:] or ["published", "scores", "llmjudge_trec", "llmbar", *TABLES]
    rows = []
    for name in names:
        if name == "published" and "LADDER_REPOSITORY" not in os.environ:
            continue
        log = open_log(name)
        for seed, prices, checks, n in itertools.product(
            range(first, first + draws), PRICES, CHECKS, LABELS
        ):
            rows.append(run(name, seed, prices, checks, n, log))
        print(name, len(log[1]), flush=True)
    frame = pd.DataFrame(rows)
    frame["labels"] = np.where(frame.labels <= 100, 100, 300)
    with pd.option_context("display.width", 250, "display.max_columns", 30):
        print(
            frame.groupby(["labels", "log"], sort=False)
            .apply(summary, include_groups=False)
            .round(3)
        )
        print(frame.groupby("labels").apply(summary, include_groups=False).round(3))
        print(frame.groupby(["labels", "checks"]).apply(summary, include_groups=False).round(3))
        print(frame.groupby("labels").apply(summary_of_guards, include_groups=False).round(3))
    if "LADDER_ROWS" in os.environ:
        frame.to_csv(os.environ["LADDER_ROWS"])


if __name__ == "__main__":
    main()
