"""For the ledger of promises: at most 5% of a whole batch is wrong in the end, whoever decides it, except 1 time in 10.

The shapes of the ledger's logs, 3,000 cases each, people always right. Rules are those of bench_whole_output.py.
"""

from __future__ import annotations

import os
import time

import bench_whole_output as whole
import numpy as np
from log_shapes import SHAPES

from askpoint.measures.intervals import binomial_interval

LABELS = 300


def on_labels(rng, confidence, wrong, n):
    """Three lines: the lowest threshold at which the mistakes seen, times cases over labels, are few enough."""
    labelled = whole.mask(rng.choice(whole.CASES, n, replace=False))
    order = np.argsort(-confidence, kind="stable")
    left = np.cumsum((labelled & wrong)[order]) * whole.CASES / n <= whole.ALLOWED
    threshold = confidence[order][np.flatnonzero(left)[-1]] if left.any() else np.inf
    return whole.left(confidence, wrong, labelled, threshold)


def bargain(rng, confidence, wrong, _):
    return whole.bargain(int(rng.integers(2**31)), confidence, wrong)


RULES = {
    "limit kept on 300 labels (three lines)": on_labels,
    "binomial fixed sequence, 300 labels": whole.by_fixed_sequence,
    "BARGAIN 0.1.3, draws its own labels": bargain,
    "**askpoint `--max-mistakes`**, 300 labels": whole.by_batch,
}


def run(kinds, histories, seed):
    """By rule: share left to the model, whether kept, seconds; one row a history."""
    rules = dict(RULES)
    os.environ.setdefault("TQDM_DISABLE", "1")
    try:
        import BARGAIN  # noqa: F401
    except ImportError:
        rules = {name: rule for name, rule in rules.items() if rule is not bargain}
    found = {}
    for i in range(histories):
        rng = np.random.default_rng([seed, i])
        cases = SHAPES[kinds[i % len(kinds)]](rng)(whole.CASES)
        wrong = rng.random(whole.CASES) >= cases.rate
        for number, (title, rule) in enumerate(rules.items()):
            start = time.process_time()
            share, is_kept = rule(
                np.random.default_rng([seed, i, number]), cases.confidence, wrong, LABELS
            )
            row = (not is_kept, share, time.process_time() - start)
            found.setdefault(title, []).append(row)
    return {title: np.array(rows, float) for title, rows in found.items()}


def table(found, kinds):
    """Lines of the page."""
    heads = [
        "rule",
        "limit broken",
        "left to the model",
        *(k.replace("_", " ") for k in kinds),
        "ms",
    ]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for title, rows in found.items():
        broken, n = int(rows[:, 0].sum()), len(rows)
        low, high = binomial_interval(broken, n)
        share = f"{broken / n:.3f} ({low:.2f} to {high:.2f})"
        cells = [f"**{share}**" if low <= whole.DELTA else share, f"{rows[:, 1].mean():.2f}"]
        for k in range(len(kinds)):
            part = rows[k :: len(kinds)]
            low, _ = binomial_interval(int(part[:, 0].sum()), len(part))
            told = f"{part[:, 0].mean():.2f}"
            cells.append(
                (f"**{told}**" if low <= whole.DELTA else told) + f", {part[:, 1].mean():.2f}"
            )
        lines.append(
            "| " + " | ".join([title, *cells, f"{1000 * np.median(rows[:, 2]):.1f}"]) + " |"
        )
    return lines
