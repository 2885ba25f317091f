"""What a threshold chosen from few labels costs on new cases, and whether that is what was said.

    python benchmarks/bench_tomorrow.py [--quick] [--half 0] [--by-model | --curve]

Logs of five models on the shared sets (`real_logs.py`), of 400 rows or more. Each log is parted at
random: labels come from one half, the other half is tomorrow. Prices are 3 to 200 checks for a
mistake. Constants were chosen on the sets of half 0 and its prior; figures are made from half 1,
with a prior fitted on half 0 alone.
"""

from __future__ import annotations

import argparse
import zlib
from time import perf_counter
from typing import NamedTuple

import numpy as np
from bench_shapes import isotonic_threshold, platt_threshold
from fit_prior import fitted, logits
from real_logs import MODELS, half, log, sets

from askpoint.value.posterior.price import Price
from askpoint.value.posterior.proposals import propose_cases
from askpoint.value.posterior.prospects import draw_prospects
from askpoint.value.posterior.recommendation import by_capacities, by_price
from askpoint.value.posterior.rightness import RightnessPosterior
from askpoint.value.posterior.scale import LogitScale

CHECKS = (3, 5, 10, 20, 50, 100, 200)
SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
LEAST = 400
N_DRAWS = 400


class Tomorrow:
    """Costs per case of thresholds on the half that is kept back."""

    def __init__(self, confidence, right):
        order = np.argsort(confidence)
        self.confidence, self.right = confidence[order], right[order]
        self.wrong = np.append(np.cumsum(~self.right[::-1])[::-1], 0)
        distinct = np.flatnonzero(np.diff(self.confidence, prepend=-np.inf))
        self.starts = np.append(distinct, len(right))

    def cost(self, threshold, checks):
        """Cost per case at a threshold."""
        k = np.searchsorted(self.confidence, threshold)
        return (k + checks * self.wrong[k]) / len(self.right)

    def best(self, checks):
        """The least cost in hindsight, and its threshold."""
        costs = (self.starts + checks * self.wrong[self.starts]) / len(self.right)
        return costs.min(), np.append(self.confidence, np.inf)[self.starts[costs.argmin()]]

    def some(self, n, threshold, rng):
        """Shares of n of these cases that are asked, and answered wrongly."""
        rows = rng.choice(len(self.right), n, replace=False)
        asked = self.confidence[rows] < threshold
        return asked.mean(), (~asked & ~self.right[rows]).mean()


class Question(NamedTuple):
    """One log, one draw of labels, one price: what was said and what came true."""

    checks: float
    ours: float
    argmax: float
    plug_in: float
    platt: float
    isotonic: float
    best: float
    answer_all: float
    stated: float
    cheaper: float
    decided: bool
    cost_held: bool
    mistakes_held: bool
    asked_held: bool


def logs(which, least, models=MODELS):
    for name in sets():
        if half(name) == which:
            for model in models:
                made = log(name, model)
                if len(made.right) >= max(LEAST, least):
                    yield made


def source_of(made, seed, draw):
    """The source of chance of one division of one log, whatever else is drawn."""
    return np.random.default_rng([seed, zlib.crc32(f"{made.name} {made.model}".encode()), draw])


def parted(made, rng):
    order = rng.permutation(len(made.right))
    cut = len(order) // 2
    today, rest = order[:cut], order[cut:]
    return (
        made.confidence[today],
        made.right[today],
        Tomorrow(made.confidence[rest], made.right[rest]),
    )


def held(expected, truth):
    return expected.low - 1e-9 <= truth <= expected.high + 1e-9


def platt_of(labels, cases, checks):
    scale = LogitScale(1e-6)
    return platt_threshold(scale.z(labels[0]), labels[1], checks, scale.z(cases), cases)


def asked_of(posterior, labels, cases, tomorrow, checks, rng):
    found = draw_prospects(posterior, rng, n_draws=N_DRAWS)
    questions = []
    for price in checks:
        n_new = min(1000, len(tomorrow.right))
        said = by_price(found, Price(price), rng, n_new=n_new)
        asked, mistakes = tomorrow.some(n_new, said.threshold, rng)
        questions.append(
            Question(
                price,
                tomorrow.cost(said.threshold, price),
                tomorrow.cost(Tomorrow(*labels).best(price)[1], price),
                tomorrow.cost(1 - 1 / price, price),
                tomorrow.cost(platt_of(labels, cases, price), price),
                tomorrow.cost(isotonic_threshold(*labels, price, cases), price),
                tomorrow.best(price)[0],
                tomorrow.cost(-np.inf, price),
                said.cost_per_1000.mean / 1000,
                said.cheaper_than_asking,
                said.decided,
                held(said.cost_per_1000, 1000 * (asked + price * mistakes)),
                held(said.mistakes, mistakes),
                held(said.asked, asked),
            )
        )
    return questions


def random_labels(which, n, draws, prior, seed=1, models=MODELS):
    questions = []
    for made in logs(which, 2 * n, models):
        for draw in range(draws):
            rng = source_of(made, seed, draw)
            confidence, right, tomorrow = parted(made, rng)
            posterior = RightnessPosterior(prior=prior).fit(confidence[:n], right[:n], confidence)
            labels = confidence[:n], right[:n]
            questions += asked_of(posterior, labels, confidence, tomorrow, CHECKS, rng)
    return questions


def proposed_labels(which, n, draws, prior, checks=CHECKS, seed=2):
    """As a user labels: 20 at first, then ten at a time, for one price."""
    questions = []
    for made in logs(which, 2 * n):
        for draw in range(draws):
            rng = source_of(made, seed, draw)
            confidence, right, tomorrow = parted(made, rng)
            for price in checks:
                known = np.zeros(len(right), dtype=bool)
                posterior = RightnessPosterior(prior=prior).fit([], [], confidence)
                while known.sum() < n:
                    open_rows = np.flatnonzero(~known)
                    batch = min(n - known.sum(), 10 if known.any() else 20)
                    rows = propose_cases(
                        posterior, confidence[open_rows], int(batch), rng, checks=price
                    ).rows
                    known[open_rows[rows]] = True
                    posterior.fit(confidence[known], right[known], confidence)
                labels = confidence[known], right[known]
                questions += asked_of(posterior, labels, confidence, tomorrow, [price], rng)
    return questions


def figures(questions):
    table = Question(*np.array(questions, dtype=float).T)
    base = np.minimum(1, table.answer_all)
    three = np.minimum(base, table.plug_in)
    room = (base - table.best).sum()
    claims = (table.cheaper >= 0.85) & (table.cheaper < 0.95)
    decided = table.decided == 1
    loses = table.ours > 1.1

    def share(part, of):
        return part[of].mean() if of.any() else np.nan

    return {
        "questions": len(questions),
        "gap": (base - table.ours).sum() / room,
        "of three": (three - table.ours).sum() / (three - table.best).sum(),
        "argmax": (base - table.argmax).sum() / room,
        "plug-in": (base - table.plug_in).sum() / room,
        "Platt": (base - table.platt).sum() / room,
        "isotonic": (base - table.isotonic).sum() / room,
        "stated/true": table.stated.sum() / table.ours.sum(),
        "cost": table.cost_held.mean(),
        "mistakes": table.mistakes_held.mean(),
        "asked": table.asked_held.mean(),
        "90% right": share(table.ours <= 1, claims),
        "claims": claims.sum(),
        "decided": decided.mean(),
        "decided, lose": share(loses, decided),
        "all, lose": loses.mean(),
        **{f"gap at {price}": gap_at(table, base, price) for price in (5, 20, 100, 200)},
    }


def gap_at(table, base, price):
    some = table.checks == price
    room = (base - table.best)[some].sum()
    return (base - table.ours)[some].sum() / room if some.any() and room > 0 else np.nan


def written(value):
    if np.isnan(value):
        return ""
    return f"{value:.0f}" if value > 1 and value == int(value) else f"{value:.3f}"


def rows(which, prior, sizes, draws, price):
    for n in sizes:
        yield f"{n} at random", random_labels(which, n, draws, prior)
    for n in (10, 100):
        yield f"{n} proposed", proposed_labels(which, n, 1, prior, price)


def main_by_model(which, sizes=(30, 100, 300, 1000), draws=2):
    """Share of the gap by kind of model, of each rule."""
    prior = fitted(logits, 1 - which)[0]
    columns = (
        "questions",
        "gap",
        "plug-in",
        "argmax",
        "Platt",
        "isotonic",
        "cost",
        "decided, lose",
    )
    print("| model, labels | " + " | ".join(columns) + " |")
    print("|" + "---|" * (len(columns) + 1))
    for model in MODELS:
        for n in sizes:
            found = figures(random_labels(which, n, draws, prior, models=(model,)))
            told = " | ".join(written(float(found[name])) for name in columns)
            print(f"| {model}, {n} | {told} |", flush=True)


def curve_held(which, n, prior, draws, seed=3):
    """By log and share of cases to review: how often the mistakes lay where the curve of the report says."""
    found = {}
    for made in logs(which, 2 * n):
        for draw in range(draws):
            rng = source_of(made, seed, draw)
            confidence, right, tomorrow = parted(made, rng)
            posterior = RightnessPosterior(prior=prior).fit(confidence[:n], right[:n], confidence)
            n_new = min(1000, len(tomorrow.right))
            prospects = draw_prospects(posterior, rng, n_draws=N_DRAWS)
            said = by_capacities(prospects, SHARES, rng, n_new=n_new)
            truth = [tomorrow.some(n_new, one.threshold, rng)[1] for one in said]
            points = [held(one.mistakes, it) for one, it in zip(said, truth, strict=True)]
            found.setdefault((made.name, made.model), []).append(points)
    return {key: np.array(rows).mean(axis=0) for key, rows in found.items()}


def main_curve(which, sizes=(10, 30, 100, 300, 1000), draws=10):
    """How often the mistakes of 1,000 cases lay in the band of the report's curve."""
    prior = fitted(logits, 1 - which)[0]
    columns = ("logs", "all shares", *(f"{share:.0%} to review" for share in SHARES), "worst log")
    print("| labels | " + " | ".join(columns) + " |")
    print("|" + "---|" * (len(columns) + 1))
    for n in sizes:
        by_log = np.array(list(curve_held(which, n, prior, draws).values()))
        cells = [by_log.mean(), *by_log.mean(axis=0), by_log.mean(axis=1).min()]
        told = " | ".join(f"{cell:.2f}" for cell in cells)
        print(f"| {n} at random | {len(by_log)} | {told} |", flush=True)


def main(which, quick):
    prior = fitted(logits, 1 - which)[0]
    sizes = (10, 100, 1000) if quick else (10, 30, 100, 300, 1000, 3000)
    prices = (10, 50) if quick else CHECKS
    start = perf_counter()
    for i, (name, questions) in enumerate(rows(which, prior, sizes, 1 if quick else 4, prices)):
        found = figures(questions)
        if not i:
            print("| labels | " + " | ".join(found) + " |")
            print("|" + "---|" * (len(found) + 1))
        print(f"| {name} | " + " | ".join(map(written, found.values())) + " |", flush=True)
    print(f"{perf_counter() - start:.0f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one draw, fewer sizes and prices")
    parser.add_argument("--half", type=int, default=1, choices=[0, 1], help="of the sets")
    parser.add_argument("--by-model", action="store_true", help="one row for each kind of model")
    parser.add_argument("--curve", action="store_true", help="the band of the report's curve")
    arguments = parser.parse_args()
    if arguments.curve:
        main_curve(arguments.half)
    elif arguments.by_model:
        main_by_model(arguments.half)
    else:
        main(arguments.half, arguments.quick)
