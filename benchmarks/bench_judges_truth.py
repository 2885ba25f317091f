"""Judges beside the truth: planted pairs, every evaluator on every set, trust, alarm.

Parts: pairs, errors, intervals, trust, alarm; all without an argument. The parts errors,
intervals and trust need the shared data sets, in the folder that ASKPOINT_DATA names.
"""

from __future__ import annotations

import functools
import os
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np
import polars as pl
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from askpoint.errors import AskpointError
from askpoint.judges.checks.alarms import alarm
from askpoint.judges.methods.confusions import evaluate_confusions
from askpoint.judges.methods.dawid_skene import FEW_VOTES, evaluate_dawid_skene
from askpoint.judges.methods.ensemble import evaluate_ensemble
from askpoint.judges.methods.majority import evaluate_majority
from askpoint.judges.sketch.tables import table_from_frame
from askpoint.judges.sketch.vote_sketch import VoteSketch

SPECTRAL = functools.partial(evaluate_ensemble, robust=False)  # Parisi et al., PNAS 111 (2014)
SETS = ("large/twonorm", "uci/mushroom", "uci/adult")
CROWDS = [
    "bluebird",
    "rte",
    "temporal",
    "trec",
    "product",
    "movie_sentiment",
    "weather_sentiment",
    "dog",
    "web",
    "hit_spam",
    "adult_content",
]
LIMITS = (1.0, 1.25, 1.5, 2.0, 3.0, 5.0)


def crowd(name: str) -> tuple[np.ndarray, np.ndarray, int]:
    """Votes and truth of the tasks with gold, and the number of labels."""
    folder = Path(os.environ["ASKPOINT_DATA"], "crowd")
    votes = pl.read_csv(folder / f"{name}.csv.gz", infer_schema=False)
    gold = pl.read_csv(folder / f"{name}.gold.csv.gz", infer_schema=False)
    labels = sorted({*votes["label"], *gold["label"]})
    table = table_from_frame(
        votes, worker="worker", task="task", label="label", labels=labels, repeats="last"
    )
    known = dict(zip(gold["task"], gold["label"], strict=True))
    rows = [i for i, task in enumerate(table.tasks) if task in known]
    truth = np.array([labels.index(known[table.tasks[i]]) for i in rows])
    codes = table.codes[rows]
    return codes[:, (codes >= 0).any(axis=0)], truth, len(labels)


def columns(name: str) -> tuple[list[np.ndarray], np.ndarray]:
    """The features of a set, each as a block of numbers, and its class."""
    frame = pl.read_csv(
        Path(os.environ["ASKPOINT_DATA"], f"{name}.csv.gz"), infer_schema_length=None
    )
    y = frame["class"].to_numpy() == sorted(set(frame["class"]))[1]
    blocks = []
    for series in frame.drop("class"):
        number = series.cast(pl.String).str.strip_chars().cast(pl.Float64, strict=False)
        if number.null_count() > len(number) / 10:
            blocks.append(series.fill_null("?").to_dummies().to_numpy().astype(float))
        else:
            x = number.fill_null(0).to_numpy()[:, None]
            blocks.append((x - x.mean()) / (x.std() + 1e-9))
    return blocks, y.astype(int)


def classifiers(blocks, y, n_judges, rng, n_test=2000) -> tuple[np.ndarray, np.ndarray]:
    """Votes of classifiers on disjoint features, each trained on its own 150 items of a label."""
    parts = np.array_split(rng.permutation(len(blocks)), n_judges)
    items = [rng.permutation(np.flatnonzero(y == label)) for label in (0, 1)]
    test = np.concatenate([i[150 * n_judges :][:n_test] for i in items])
    votes = []
    for j, part in enumerate(parts):
        x = np.hstack([blocks[i] for i in part])
        train = np.concatenate([i[150 * j : 150 * (j + 1)] for i in items])
        models = (
            LogisticRegression(max_iter=100),
            DecisionTreeClassifier(max_depth=5, random_state=0),
            GaussianNB(var_smoothing=1e-3),
        )
        votes.append(models[j % 3].fit(x[train], y[train]).predict(x[test]))
    return np.column_stack(votes).astype(np.int16), y[test]


def of(votes: np.ndarray, n_labels: int = 2) -> VoteSketch:
    sketch = VoteSketch(votes.shape[1], [str(k) for k in range(n_labels)])
    sketch.update_codes(votes)
    return sketch


def numbers(evaluation) -> np.ndarray:
    """Prevalences, then all accuracies label by label."""
    rows = np.array([list(row.values()) for row in evaluation.accuracy.values()], dtype=float)
    return np.concatenate(
        [np.array(list(evaluation.prevalence.values()), dtype=float), rows.T.ravel()]
    )


def truths(votes: np.ndarray, truth: np.ndarray, r: int) -> tuple[np.ndarray, np.ndarray]:
    """The same from the truth, and how many items each is a share of."""
    of_label = truth[:, None] == np.arange(r)
    size = of_label.T @ (votes >= 0).astype(int)
    right = np.array([of_label[:, k] @ (votes == k).astype(int) for k in range(r)])
    share = np.where(size > 0, right / np.maximum(size, 1), np.nan)
    return np.append(of_label.mean(axis=0), share), np.append(np.full(r, len(truth)), size)


def mean_errors(
    found: np.ndarray, real: np.ndarray, sizes: np.ndarray, r: int
) -> tuple[float, float]:
    """Of prevalences, and of accuracies on 10 items or more."""
    counted = (sizes >= 10) & ~np.isnan(real) & ~np.isnan(found)
    off = np.abs(found - real)
    return float(off[:r].mean()), float(off[r:][counted[r:]].mean())


def pairs() -> None:
    print("8 judges, 20,000 items, two planted pairs that share 60% of their draws: 100 runs")
    found, false, errors = [], [], defaultdict(list)
    for seed in range(100):
        rng = np.random.default_rng(seed)
        p, shares = rng.uniform(0.3, 0.7), rng.uniform(0.6, 0.9, (8, 2))
        truth = (rng.random(20_000) >= p).astype(int)
        draws = rng.random((20_000, 8))
        for i, j in ((0, 1), (2, 3)):
            same = rng.random(20_000) < 0.6
            draws[same, j] = draws[same, i]
        votes = np.where(draws < shares.T[truth], truth[:, None], 1 - truth[:, None])
        real, _ = truths(votes, truth, 2)
        for name, evaluate in (
            ("ensemble", evaluate_ensemble),
            ("spectral", SPECTRAL),
            ("Dawid-Skene", evaluate_dawid_skene),
        ):
            evaluation = evaluate(of(votes))
            errors[name].append(np.abs(numbers(evaluation) - real)[2:].mean())
            if name == "ensemble":
                flagged = {pair.judges for pair in evaluation.flagged}
                planted = {("judge 1", "judge 2"), ("judge 3", "judge 4")}
                found.append(planted <= flagged)
                false.append(len(flagged - planted))
    print(f"both found {np.mean(found):.0%}, others flagged a run {np.mean(false):.2f}")
    print(", ".join(f"accuracy error {name} {np.mean(e):.4f}" for name, e in errors.items()))


def groups() -> Iterator[tuple[str, list[tuple[np.ndarray, np.ndarray, int]]]]:
    """Yield tests of a kind by name: votes, truth and the number of labels."""
    for name in SETS:
        blocks, y = columns(name)
        for n_judges in (3, 5):
            rngs = [np.random.default_rng(seed) for seed in range(8)]
            ensembles = [(*classifiers(blocks, y, n_judges, rng), 2) for rng in rngs]
            yield f"{name.split('/')[1]}, {n_judges}", ensembles
    for name in CROWDS:
        yield name, [crowd(name)]


EVALUATORS = {
    "majority": lambda sketch: evaluate_majority(sketch),
    "ensemble": evaluate_ensemble,
    "spectral": SPECTRAL,
    "Dawid-Skene": evaluate_dawid_skene,
    "confusions": evaluate_confusions,
}


def errors() -> None:
    print("Mean errors without labels: prevalence / accuracies on 10 items or more")
    print(f"| {'set':17} | " + " | ".join(f"{who:11}" for who in EVALUATORS) + " |")
    for name, cases in groups():
        row: dict[str, list] = defaultdict(list)
        for votes, truth, r in cases:
            real, sizes = truths(votes, truth, r)
            for who, evaluate in EVALUATORS.items():
                if who in ("ensemble", "spectral") and votes.shape[1] > 210:
                    continue
                try:
                    found = numbers(evaluate(of(votes, r)))
                except AskpointError:
                    continue
                row[who].append(mean_errors(found, real, sizes, r))
        cells = (
            "{:.3f} {:.3f}".format(*np.mean(row[who], axis=0)) if row[who] else "-"
            for who in EVALUATORS
        )
        print(f"| {name:17} | " + " | ".join(f"{cell:11}" for cell in cells) + " |", flush=True)


def intervals() -> None:
    print("95% intervals of Dawid and Skene's model against the shares among the checked items")
    print("| set               | prevalence | accuracies | from 20 votes on |")
    for name, cases in groups():
        held: dict[str, list] = defaultdict(list)
        for votes, truth, r in cases:
            found = evaluate_dawid_skene(of(votes, r))
            try:
                around = found.interval()
            except AskpointError:
                continue
            real = truths(votes, truth, r)[0]
            prevalence = zip(around.prevalence.values(), real[:r], strict=True)
            held["prevalence"] += [low <= x <= high for (low, high), x in prevalence]
            ends = [
                (line[label], found.n_votes[judge][label] >= FEW_VOTES)
                for label in found.labels
                for judge, line in around.accuracy.items()
            ]
            for ((low, high), many), x in zip(ends, real[r:], strict=True):
                if not np.isnan(x):
                    held["accuracies"].append(low <= x <= high)
                    if many:
                        held["many"].append(low <= x <= high)
        cells = (
            f"{np.mean(held[key]):.2f} of {len(held[key]):4}" if held[key] else "-"
            for key in ("prevalence", "accuracies", "many")
        )
        print(f"| {name:17} | " + " | ".join(cells) + " |", flush=True)


def time_alarm() -> None:
    print("Alarm and best accuracy at 1e6 items, median of 15")
    rng = np.random.default_rng(0)
    for n_judges in (3, 5, 8):
        shares = rng.uniform(0.6, 0.95, (n_judges, 2))
        truth = (rng.random(1_000_000) < 0.5).astype(int)
        right = rng.random((1_000_000, n_judges)) < shares.T[truth]
        sketch = of(np.where(right, truth[:, None], 1 - truth[:, None]))
        times = []
        for _ in range(15):
            start = perf_counter()
            alarm(sketch, required=0.8)
            times.append(perf_counter() - start)
        print(
            f"{n_judges} judges: {np.median(times) * 1e3:.0f} ms, least {min(times) * 1e3:.0f} ms"
        )


PARTS = {
    "pairs": pairs,
    "errors": errors,
    "intervals": intervals,
    "alarm": time_alarm,
}

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for name in sys.argv[1:] or PARTS:
        if name not in ("pairs", "alarm") and not os.environ.get("ASKPOINT_DATA"):
            print(f"{name}: skipped, ASKPOINT_DATA names no folder of shared data")
            continue
        PARTS[name]()
        print(flush=True)
