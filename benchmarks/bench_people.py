"""How well simulated people are understood: weights, ratios, omega, doubts, and what follows.

    python benchmarks/bench_people.py [PEOPLE] [PART ...]

Parts: shares, ratios, profit, flips, signals, omega, speed; all without any. A person tells ratios
apart by a logistic curve of slope 0.25 and lapses in 4% of the answers, unless a row says otherwise.
Every tenth question is an earlier one put again, and counts as an answer.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

import numpy as np
from unexpected_people import AbsolutePerson, AnchoredPerson, LexicographicPerson, TiredPerson

from askpoint.elicitation.abstention import omega_questionnaire, omega_worth
from askpoint.elicitation.bayesian import bayesian_script
from askpoint.elicitation.costing import combine_costs
from askpoint.elicitation.families import diagonal_questionnaire
from askpoint.elicitation.metrics import diagonal_metric
from askpoint.elicitation.mistakes import DeployedPairs, mistakes_questionnaire
from askpoint.elicitation.posterior import DirichletPrior, SeverityPrior
from askpoint.elicitation.questionnaire import Questionnaire
from askpoint.elicitation.respondents import ExactRespondent, FlippingRespondent, MajorityRespondent
from askpoint.elicitation.samples import Sample
from askpoint.elicitation.simulated_people import SimulatedPerson
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.value.cost_curves import decisions_and_savings

_PAIRS = {}


def sampled(k, n=2000, doubt=0.6):
    """Cases whose probabilities are right; the less doubt, the more of them are next to certain."""
    rng = np.random.default_rng(k)
    proba = rng.dirichlet(np.full(k, doubt), n)
    y = (rng.random(n)[:, None] > proba.cumsum(axis=1)).sum(axis=1).clip(max=k - 1)
    return y, proba


def pairs_of(k):
    if k not in _PAIRS:
        _PAIRS[k] = DeployedPairs(Sample.of(*sampled(k)), tuple((i,) for i in range(k)))
    return _PAIRS[k]


def interview(k, person, rng, aim, marks, n_checks=0, repeat=True):
    """Beliefs after so many answers, and at the end."""
    pairs = pairs_of(k)
    prior = DirichletPrior(k) if aim == "shares" else SeverityPrior((0.0,) * k)
    questionnaire = Questionnaire(
        lambda: bayesian_script(
            pairs,
            pairs.features,
            prior,
            rng,
            budget=max(marks),
            repeat=repeat,
            n_checks=n_checks,
            aim=aim,
        ),
        {},
        "",
    )
    beliefs = {}
    while (question := questionnaire.question) is not None:
        questionnaire.answer(person.prefers(question.first, question.second))
        if len(questionnaire.log) in marks:
            beliefs[len(questionnaire.log)] = questionnaire.estimate
    return beliefs, questionnaire.estimate


def severities(rng, k):
    """Weights spread evenly over the magnitudes from 1 to 1,000."""
    weights = np.exp(rng.uniform(0, np.log(1000), k))
    return weights / weights.sum()


def factors(cloud, weights):
    """How far the ratios are off: the worst of all, and that of the first two weights."""
    k = len(weights)
    off = [
        abs(np.log(cloud.ratio(i, j)[0] * weights[j] / weights[i]))
        for i in range(k)
        for j in range(i)
    ]
    return np.exp(max(off)), np.exp(off[0])


def regions_hold(cloud, weights):
    """Whether the region of all shares holds the truth, and how many intervals of ratios do."""
    pairs = [(i, j) for i in range(len(weights)) for j in range(i)]
    inside = [
        low <= weights[i] / weights[j] <= high
        for i, j in pairs
        for low, high in (cloud.ratio(i, j)[1],)
    ]
    return np.abs(cloud.weights - weights).max() <= cloud.radius(), np.mean(inside)


def part_shares(people):
    print("weights uniform on the simplex; greatest error of a share, 90% region")
    print(
        f"{'classes':>8} {'slope':>6} {'answers':>8} {'median':>7} {'p90':>6} {'bar':>5} {'covered':>8}"
    )
    bars = {(3, 20): 0.08, (3, 40): 0.05, (6, 20): 0.19, (6, 40): 0.09}
    for k, slope in ((3, 0.25), (3, 0.5), (4, 0.25), (6, 0.25), (6, 0.5)):
        found = {20: [], 40: []}
        for seed in range(people):
            rng = np.random.default_rng([seed, k])
            a = rng.dirichlet(np.ones(k))
            person = SimulatedPerson(np.diag(a), rng, slope=slope)
            for n, belief in interview(k, person, rng, "shares", (20, 40))[0].items():
                error = np.abs(belief.cloud.weights - a).max()
                found[n].append((error, error <= belief.cloud.radius()))
        for n, rows in found.items():
            error, inside = np.array(rows).T
            bar = bars.get((k, n), "") if slope == 0.25 else ""
            p50, p90 = np.quantile(error, [0.5, 0.9])
            print(
                f"{k:8} {slope:6} {n:8} {p50:7.3f} {p90:6.3f} {bar:>5} {inside.mean():8.2f}",
                flush=True,
            )


def part_ratios(people):
    print("severities from 1 to 1,000; factor by which a ratio of two costs is off, p90 (bar 2)")
    print(
        f"{'classes':>8} {'answers':>8} {'two of them':>12} {'worst pair':>11} {'median worst':>13}"
    )
    for k in (2, 3, 6):
        found = {20: [], 40: []}
        for seed in range(people):
            rng = np.random.default_rng([seed, k, 1])
            a = severities(rng, k)
            person = SimulatedPerson(np.diag(a), rng)
            for n, belief in interview(k, person, rng, "ratios", (20, 40))[0].items():
                found[n].append(factors(belief.cloud, a))
        for n, rows in found.items():
            worst, two = np.array(rows).T
            print(
                f"{k:8} {n:8} {np.quantile(two, 0.9):12.2f} {np.quantile(worst, 0.9):11.2f} "
                f"{np.median(worst):13.2f}",
                flush=True,
            )


def part_profit(people):
    print("three classes, mistakes worth 2 to 200 checks: 12 choices of outcomes and 8 of offers;")
    print("gap in expected cost between the best single policy and knowing all (bar 0.9 closed)")
    logs = {doubt: sampled(3, doubt=doubt) for doubt in (0.2, 0.6)}
    gaps = {doubt: [] for doubt in logs}
    for seed in range(people):
        rng = np.random.default_rng([seed, 2])
        checks = np.exp(rng.uniform(np.log(2), np.log(200), 3))
        belief = interview(3, SimulatedPerson(np.diag(checks), rng), rng, "ratios", (12,))[1]
        decider = SimulatedPerson(omega_worth(checks[0] - 1), rng)
        guess = max(1.0, checks[0] * np.exp(rng.normal(0, 0.7)))
        omega = omega_questionnaire(rng, guess=guess, n_questions=8).ask(decider)
        deployed = pairs_of(3).deployed.confusion
        told = combine_costs(range(3), [[0], [1], [2]], belief.cloud, omega.cloud, deployed).costs
        truth = CostMatrix(range(3), checks[:, None] * (1 - np.eye(3)), 1.0)
        for doubt, (y, proba) in logs.items():
            decided = (proba.argmax(axis=1), *range(3))
            default = min(1.0, *(truth.cost[y, decision].mean() for decision in decided))
            best, ours = (paid(truth, costs, y, proba) for costs in (truth, told))
            gaps[doubt].append((default - best, default - ours))
    for doubt, rows in gaps.items():
        whole, part = np.array(rows).T
        y, proba = logs[doubt]
        print(
            f"model right in {np.mean(proba.argmax(axis=1) == y):.0%}: {part.sum() / whole.sum():.3f} "
            f"of all closed, median {np.median(part / whole):.3f}, p10 "
            f"{np.quantile(part / whole, 0.1):.3f}; mean gap {whole.mean():.3f} checks per case"
        )


def paid(truth, used, y, proba):
    """Mean true cost of deciding and asking by some costs."""
    decisions, saving = decisions_and_savings(proba, used)
    return np.where(saving >= 0, truth.cost[y, decisions], truth.reject_costs[y]).mean()


def part_flips(people):
    people = max(people // 5, 10)
    print(f"a tenth of all answers turned round, {people} people; greatest error of a share")
    for k, budget in ((4, 105), (6, 175)):
        ours, chord = [], []
        for seed in range(people):
            rng = np.random.default_rng([seed, k, 3])
            a = rng.dirichlet(np.ones(k))
            flipping = FlippingRespondent(ExactRespondent(diagonal_metric(a)), 0.1, rng)
            belief = interview(k, flipping, rng, "shares", (budget,), repeat=False)[1]
            ours.append(np.abs(belief.cloud.weights - a).max())
            majority = MajorityRespondent(flipping, 5)
            found = diagonal_questionnaire(*sampled(k)).ask(majority)
            chord.append(np.abs(found.weights - a).max())
        for name, errors in (("bayesian", ours), ("chord, majority of 5", chord)):
            p50, p90 = np.quantile(errors, [0.5, 0.9])
            print(
                f"{k:8} classes, {budget} answers, {name:>20}: median {p50:.4f} p90 {p90:.4f}",
                flush=True,
            )


class Coin:
    """Tosses a coin for every answer."""

    def __init__(self, rng):
        self.rng = rng

    def prefers(self, *_):
        """Look at neither."""
        return bool(self.rng.random() < 0.5)


def part_signals(people):
    print("severities from 1 to 1,000, 4 checks; harmless: no share off by more than 0.08")
    print(
        f"{'person':>14} {'classes':>8} {'answers':>8} {'named':>6} {'harmless':>9} {'either':>7} "
        f"{'region':>7} {'ratios':>7}  signals"
    )
    makers = {
        "as expected": SimulatedPerson,
        "slope 0.5": lambda w, rng: SimulatedPerson(w, rng, slope=0.5),
        "slope 1": lambda w, rng: SimulatedPerson(w, rng, slope=1.0),
        "lapse 0.2": lambda w, rng: SimulatedPerson(w, rng, lapse=0.2),
        "tired": TiredPerson,
        "lexicographic": LexicographicPerson,
        "anchored": lambda w, rng: AnchoredPerson(SimulatedPerson(w, rng), 0.6, rng),
        "absolute": lambda w, rng: AbsolutePerson(w, rng, slope=0.01),
        "coin": lambda _, rng: Coin(rng),
    }
    for k, n in ((3, 20), (6, 40)):
        for name, make in makers.items():
            named, harmless, held, signals = [], [], [], Counter()
            for seed in range(people):
                rng = np.random.default_rng([seed, k, 4])
                a = severities(rng, k)
                belief = interview(k, make(np.diag(a), rng), rng, "ratios", (n,), n_checks=4)[1]
                named.append(not belief.reliability.is_good)
                harmless.append(np.abs(belief.cloud.weights - a).max() <= 0.08)
                held.append(regions_hold(belief.cloud, a))
                signals.update(signal.split(":")[0] for signal in belief.reliability.signals)
            either = np.mean(np.logical_or(named, harmless))
            print(
                f"{name:>14} {k:8} {n + 4:8} {np.mean(named):6.2f} {np.mean(harmless):9.2f} "
                f"{either:7.2f} {' '.join(f'{share:7.2f}' for share in np.mean(held, axis=0))}  "
                f"{dict(signals)}",
                flush=True,
            )


def part_omega(people):
    print("omega from 1 to 1,000, first guess off by a factor 2 (1 sigma); factor off")
    print(
        f"{'slope':>6} {'lapse':>6} {'answers':>8} {'median':>7} {'p90':>6} {'covered':>8} {'guess p90':>10}"
    )
    for slope, lapse, n in ((0.1, 0.01, 10), (0.25, 0.04, 10), (0.25, 0.04, 30)):
        rows = []
        for seed in range(people):
            rng = np.random.default_rng([seed, 5])
            omega = np.exp(rng.uniform(0, np.log(1000)))
            guess = max(1.0, (1 + omega) * np.exp(rng.normal(0, 0.7)))
            person = SimulatedPerson(omega_worth(omega), rng, slope=slope, lapse=lapse)
            found = omega_questionnaire(rng, guess=guess, n_questions=n).ask(person)
            low, high = found.interval
            wrong = abs(np.log(found.omega / omega))
            rows.append((wrong, low <= omega <= high, abs(np.log(guess / (1 + omega)))))
        wrong, inside, direct = np.array(rows).T
        p50, p90 = np.exp(np.quantile(wrong, [0.5, 0.9]))
        print(
            f"{slope:6} {lapse:6} {n:8} {p50:7.2f} {p90:6.2f} {inside.mean():8.2f} "
            f"{np.exp(np.quantile(direct, 0.9)):10.2f}",
            flush=True,
        )


def part_speed(_):
    rng = np.random.default_rng(0)
    y, proba = sampled(10, 100_000)
    start = time.process_time()
    questionnaire = mistakes_questionnaire(y, proba, rng, n_questions=30)
    begun = time.process_time() - start
    person = SimulatedPerson(np.diag(severities(rng, 10)), rng)
    times = []
    while (question := questionnaire.question) is not None:
        answer = person.prefers(question.first, question.second)
        start = time.process_time()
        questionnaire.answer(answer)
        times.append(time.process_time() - start)
    print(
        f"ten classes, 100,000 cases: {begun:.1f} s of processor time to the first question, the next after "
        f"{1000 * np.median(times):.0f} ms (median), {1000 * max(times):.0f} ms (longest; bar 200)"
    )


def main(people, parts):
    for name in parts or ("shares", "ratios", "profit", "flips", "signals", "omega", "speed"):
        globals()[f"part_{name}"](people)
        print()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100, sys.argv[2:])
