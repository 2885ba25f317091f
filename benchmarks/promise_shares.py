"""For the ledger of promises: how often is the model wrong, by which interval, on the same logs as the limit.

Each rule promises that its 95% interval holds the share of mistakes: askpoint of all cases of the log, the others of the
process that draws them; each is held to its own.
"""

from __future__ import annotations

import time
import warnings

import numpy as np
import polars as pl
from scipy import stats
from wilson import wilson_bounds

from askpoint import read_log
from askpoint.answers.value.right_share import measure_right_share
from askpoint.measures.intervals import binomial_interval

COPIES = "each label copied four times"


def wilson(sample):
    """Of the labels alone."""
    return wilson_bounds((~sample.right).sum(), len(sample.right), stats.norm.ppf(0.975))


def ppi(sample):
    """ppi_py, with 1 - confidence as the prediction of a mistake."""
    from ppi_py import ppi_mean_ci

    rest = np.setdiff1d(np.arange(len(sample.every)), sample.rows)
    low, high = ppi_mean_ci(
        (~sample.right).astype(float), 1 - sample.confidence, 1 - sample.every[rest], alpha=0.05
    )
    return float(np.ravel(low)[0]), float(np.ravel(high)[0])


def glide(sample):
    """GLIDE's predict-then-debias, by its bootstrap of 2,000."""
    from glide.estimators import PTDMeanEstimator

    rest = np.setdiff1d(np.arange(len(sample.every)), sample.rows)
    told = np.concatenate([(~sample.right).astype(float), np.full(len(rest), np.nan)])
    guess = 1 - np.concatenate([sample.confidence, sample.every[rest]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = PTDMeanEstimator().estimate(told, guess, random_seed=sample.seed)
    return found.confidence_interval.lower_bound, found.confidence_interval.upper_bound


def ours(any_time):
    """`askpoint gate LOG --at-least`, looked at once or again."""

    def rule(sample):
        label = np.full(len(sample.every), None, dtype=object)
        label[sample.rows] = np.where(sample.right, "a", "b")
        log = read_log(
            pl.DataFrame(
                {"label": label.tolist(), "prediction": "a", "confidence": sample.every},
                schema_overrides={"label": pl.String},
            ),
            classes=["a", "b"],
        )
        found = measure_right_share(log, any_time=any_time).interval
        return None if found is None else (1 - found.upper, 1 - found.lower)

    return rule


RULES = {
    "labels alone, Wilson's interval": wilson,
    "ppi_py 0.2.3": ppi,
    "GLIDE 0.11, predict then debias": glide,
    "**askpoint, looked at once**": ours(any_time=False),
    "**askpoint, looked at again**": ours(any_time=True),
}


def is_there(name):
    """Whether the rule's library is installed."""
    try:
        if name.startswith("ppi_py"):
            import ppi_py  # noqa: F401
        elif name.startswith("GLIDE"):
            import glide.estimators  # noqa: F401
    except ImportError:
        return False
    return True


def ask(rule, samples, is_ours, adversary):
    """The intervals of all looks; None of a look at which the rule says nothing."""
    told = []
    for sample in samples:
        if adversary == COPIES and is_ours:  # a log with clusters: a case counts once
            _, first = np.unique(sample.rows, return_index=True)
            kept = np.sort(first)
            sample = sample._replace(rows=sample.rows[kept], right=sample.right[kept])
        told.append(rule(sample))
    return told


def run(logs, adversaries, histories, seed):
    """By adversary and rule: whether all looks held (None where nothing was said), half the last width, seconds."""
    found = {}
    rules = {name: rule for name, rule in RULES.items() if is_there(name)}
    for i in range(histories):
        rng = np.random.default_rng([seed, i])
        cases, right, process = logs(i, rng)
        for name, adversary in adversaries.items():
            samples = adversary(cases, right, rng, i)
            for title, rule in rules.items():
                is_ours = "askpoint" in title
                truth = 1 - right.mean() if is_ours else process
                start = time.process_time()
                told = ask(rule, samples, is_ours, name)
                seconds = (time.process_time() - start) / len(samples)
                said = [one for one in told if one is not None]
                held = all(low <= truth <= high for low, high in said)
                half = (said[-1][1] - said[-1][0]) / 2 if said else np.nan
                found.setdefault((name, title), []).append((held, half, bool(said), seconds))
    return {key: np.array(rows, float) for key, rows in found.items()}


def cell(rows):
    """Of those who say anything: how often it held, and half its width in points."""
    said = rows[rows[:, 2] == 1]
    if not len(said):
        return "says nothing"
    held, n = int(said[:, 0].sum()), len(said)
    low, high = binomial_interval(held, n)
    share = f"{held / n:.3f} ({low:.2f} to {high:.2f})"
    share = f"**{share}**" if high >= 0.95 else share
    silent = f", silent {1 - n / len(rows):.2f}" if n < 0.995 * len(rows) else ""
    return f"{share}, ±{100 * said[:, 1].mean():.1f}{silent}"


def table(found):
    """Lines of the page."""
    names = list(dict.fromkeys(name for name, _ in found))
    heads = [name.removesuffix(", until it decides 10%") for name in names]
    lines = ["| rule | " + " | ".join(heads) + " | ms |", "|---" * (len(names) + 2) + "|"]
    for title in dict.fromkeys(title for _, title in found):
        cells = [cell(found[name, title]) for name in names]
        ms = 1000 * np.median(found[names[0], title][:, 3])
        lines.append("| " + " | ".join([title, *cells, f"{ms:.1f}"]) + " |")
    return lines
