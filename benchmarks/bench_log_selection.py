"""Labels of prediction logs that were not drawn at random: how often that is found, and what is then held.

`python benchmarks/bench_log_selection.py [--draws N] [--labels N]` prints a table of real logs (`real_logs.py`, the sets on which
no constant was chosen): labels drawn at random, only of the surest third, only of the least sure third, with chances
exp(-2 u) and exp(2 u), u being the rank of the confidence from 0 to 1, and as complaints come (half of the mistakes, a
twentieth of the others). "Found": p < .005 by 9,999 permutations. "Refused": nothing is answered. "Held": the 95% interval of
the share of mistakes if the model decided every case, from labels weighted by strata of confidence; "unweighted": without; "no interval": fewer than 10 labels speak for the cases that were hardly ever labelled.

With a last word `gate` the table is of `askpoint gate LOG --at-least`: how often it passes a model that is right on .1 points
fewer cases than asked for, fails one that is right on .1 points more, and cannot decide 5 and 10 points away.
"""

from __future__ import annotations

import argparse

import numpy as np
import polars as pl
from real_logs import half, log, sets

from askpoint import CheckCost, read_log
from askpoint.answers.value.balanced_labels import balance_labels
from askpoint.answers.value.label_gaps import find_label_gap
from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.right_share import measure_right_share
from askpoint.answers.value.row_case import RowCase
from askpoint.measures.weighted_shares import weighted_share

MODELS = ("logistic", "naive Bayes")
MOST = 4000
KINDS = ("random", "surest third", "least sure third", "exp(-2u)", "exp(2u)", "complaints")


def chances(kind: str, confidence: np.ndarray, right: np.ndarray, rng) -> np.ndarray:
    """How likely each case is labelled, up to a factor."""
    order = np.lexsort([rng.random(len(confidence)), confidence])
    u = np.empty(len(order))
    u[order] = np.arange(len(order)) / len(order)
    return {
        "random": np.ones(len(u)),
        "surest third": (u >= 2 / 3).astype(float),
        "least sure third": (u < 1 / 3).astype(float),
        "exp(-2u)": np.exp(-2 * u),
        "exp(2u)": np.exp(2 * u),
        "complaints": np.where(right, 0.05, 0.5),
    }[kind]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--labels", type=int, default=60)
    parser.add_argument("what", nargs="?", choices=("selection", "gate"), default="selection")
    asked = parser.parse_args()
    question = ValueQuestion(CheckCost(0.05))
    logs = []
    for name in sets():
        if half(name) == 1:
            for model in MODELS:
                one = log(name, model)
                if len(one.right) >= 400:
                    logs.append(one)
    print(f"{len(logs)} logs, {asked.draws} draws each, {asked.labels} labels")
    (measure_gate if asked.what == "gate" else measure_selection)(logs, asked, question)


def draws_of(kind: str, logs: list, asked: argparse.Namespace):
    """Yield a log with some labels, whether the model is right on each case, and which are labelled."""
    for k, one in enumerate(logs):
        for seed in range(asked.draws):
            rng = np.random.default_rng([seed, k])
            rows = rng.permutation(len(one.right))[:MOST]
            confidence, right = one.confidence[rows], one.right[rows]
            chance = chances(kind, confidence, right, rng)
            n = min(asked.labels, int((chance > 0).sum()))
            chosen = rng.choice(len(rows), n, replace=False, p=chance / chance.sum())
            label = np.full(len(rows), None, dtype=object)
            label[chosen] = np.where(right[chosen], "a", "b")
            records = read_log(
                pl.DataFrame(
                    {"label": label.tolist(), "prediction": "a", "confidence": confidence},
                    schema_overrides={"label": pl.String},
                ),
                classes=["a", "b"],
            )
            yield records, right, n


def measure_gate(logs: list, asked: argparse.Namespace, question: ValueQuestion) -> None:
    del question
    print(
        "| labels drawn | passes though .1 worse | fails though .1 better | undecided at 5 | at 10 |"
    )
    print("| --- | --- | --- | --- | --- |")
    for kind in KINDS:
        seen = []
        for records, right, _ in draws_of(kind, logs, asked):
            found, truth = measure_right_share(records).interval, right.mean()
            if found is None:
                seen.append((False, False, True, True))
                continue
            near, far = (
                np.mean([found.lower < truth - gap, found.upper >= truth + gap])
                for gap in (0.05, 0.1)
            )
            seen.append((found.lower >= truth + 0.001, found.upper < truth - 0.001, near, far))
        print(f"| {kind} | {' | '.join(f'{x:.3f}' for x in np.mean(seen, axis=0))} |", flush=True)


def measure_selection(logs: list, asked: argparse.Namespace, question: ValueQuestion) -> None:
    print("| labels drawn | found | refused | no interval | held | unweighted |")
    print("| --- | --- | --- | --- | --- | --- |")
    for kind in KINDS:
        found, refused, none, held, bare = [], [], [], [], []
        for records, right, n in draws_of(kind, logs, asked):
            case = RowCase(records, question)
            balanced = balance_labels(case)
            odd = case.selection.p_random < 0.005
            gap = find_label_gap(case) > 0
            found.append(odd)
            refused.append(gap or (case.selection.is_selective and balanced is None))
            wrong = ~right[np.flatnonzero(records.labelled)]
            share = 1 - right.mean()
            used = case if balanced is None else balanced
            weight = np.ones(n) if used.weight is None else used.weight
            if not refused[-1]:
                interval = weighted_share(wrong, weight).interval
                none.append(interval is None)  # too few labels speak for the rarely labelled
                if interval is not None:
                    held.append(interval.lower <= share <= interval.upper)
            plain = weighted_share(wrong, np.ones(n)).interval
            bare.append(plain is not None and plain.lower <= share <= plain.upper)
        told = [f"{np.mean(x):.3f}" if x else "" for x in (found, refused, none, held, bare)]
        print(f"| {kind} | {' | '.join(told)} |", flush=True)


if __name__ == "__main__":
    main()
