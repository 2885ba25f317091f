"""What choosing, promising and labelling by chance do to numbers: how often they still hold.

    python benchmarks/bench_choosing.py [PART ...] [--runs 100]

Parts: models, promises, chances, islands, censored, answers; all without any. Worlds are those of
`bench_tomorrow.py` and of the specification: confidence 1 - Beta(.6, 2.2)/2; P(wrong | c) smooth
1.3 (1 - c) + .002, sharp .004 above .85 and else .25.
"""

from __future__ import annotations

import argparse
from time import perf_counter

import numpy as np
import polars as pl
from real_logs import MODELS, log, sets
from unexpected_people import AnchoredPerson, TiredPerson

from askpoint.answers.value.proposal import propose_labels
from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.row_case import RowCase
from askpoint.answers.value.verdict import answer_question
from askpoint.answers.value.worst_cases import worst_case
from askpoint.elicitation.abstention import omega_questionnaire, omega_worth
from askpoint.elicitation.simulated_people import SimulatedPerson
from askpoint.measures.weighted_shares import weighted_share
from askpoint.records.logs import read_log
from askpoint.value.curve import ValueCurve
from askpoint.value.growing_log import growing_promise
from askpoint.value.guarantees import certify_step
from askpoint.value.posterior.best_threshold import expected_best
from askpoint.value.posterior.choosing import CHOSEN_IN_FOLDS, compare_costs
from askpoint.value.posterior.cross_fitting import cross_fit, draw_folds
from askpoint.value.posterior.rightness import RightnessPosterior
from askpoint.value.priced import CheckCost

SEED = 20261122


def sure(rng, n):
    return 1 - rng.beta(0.6, 2.2, n) / 2


def wrong_of(c, world):
    smooth = np.minimum(0.5, 1.3 * (1 - c) + 0.002)
    return smooth if world == "smooth" else np.where(c > 0.85, 0.004, 0.25)


def part_models(runs):
    """Equal models on 400 cases that share half of their difficulty: is one called better?"""
    print("| equal models | logs | some pair called different | one called the best |")
    print("|---|---|---|---|")
    for k in (2, 4, 8):
        some = best = 0
        for run in range(runs):
            rng = np.random.default_rng([SEED, k, run])
            shared, costs, folds = rng.random(400), [], draw_folds(400, rng)
            for _ in range(k):
                c = sure(rng, 400)
                luck = np.where(rng.random(400) < 0.5, shared, rng.random(400))
                right = luck >= wrong_of(c, "smooth")

                def state(chosen_on, stated_on, c=c, right=right):
                    posterior = RightnessPosterior().fit(c[chosen_on], right[chosen_on], c)
                    answered = c[stated_on] >= expected_best(posterior, CheckCost(0.1))
                    return np.where(answered, 10 * ~right[stated_on], 1.0)

                costs.append(cross_fit(folds, state))
            found = compare_costs(np.column_stack(costs), rng, inflation=CHOSEN_IN_FOLDS)
            some += min(pair.p_value for pair in found.pairs) <= 0.05
            best += found.best is not None
        print(f"| {k} | {runs} | {some / runs:.3f} | {best / runs:.3f} |", flush=True)


def part_promises(runs):
    """The boldest of k promises, once at 1,000 labels and at each of 12 looks up to 3,000."""
    grid = sure(np.random.default_rng(0), 400_000)
    print(
        "| world | models | logs | once: nothing | once: broken | again: nothing | again: ever broken |"
    )
    print("|---|---|---|---|---|---|---|")
    for world in ("smooth", "sharp"):
        order = np.sort(grid)[::-1]
        risk = np.cumsum(wrong_of(order, world)) / np.arange(1, len(order) + 1)

        def breaks(threshold, order=order, risk=risk):
            place = int(np.searchsorted(-order, -threshold, side="right"))
            return place > 0 and risk[place - 1] > 0.05

        for k in (1, 3, 6):
            counts = np.zeros(4)
            for run in range(runs):
                rng = np.random.default_rng([SEED, k, run])
                once, again = [], []
                for _ in range(k):
                    c = sure(rng, 3000)
                    right = rng.random(3000) >= wrong_of(c, world)
                    curve = ValueCurve.from_outcomes(right[:1000], c[:1000])
                    step = certify_step(curve, 0.05, n_models=k)
                    once.append(float(curve.thresholds[step]))
                    for n in np.linspace(250, 3000, 12).astype(int):
                        t = growing_promise(c[:n], right[:n], 0.05, n_models=k).threshold
                        again.append(np.inf if t is None else t)
                counts += (
                    min(once) == np.inf,
                    any(map(breaks, once)),
                    min(again) == np.inf,
                    any(map(breaks, again)),
                )
            shares = " | ".join(f"{x:.3f}" for x in counts / runs)
            print(f"| {world} | {k} | {runs} | {shares} |", flush=True)


DESIGNS = {
    "island labelled at 2%, others 50%": (10_000, 0.02, 0.5),
    "the same, 2,000 cases": (2000, 0.02, 0.5),
    "island at 10%, others 50%": (10_000, 0.1, 0.5),
    "audits of 5% everywhere": (10_000, 0.05, 0.05),
    "audits of 1%": (10_000, 0.01, 0.01),
    "two strata, 50% and 1%": (10_000, 0.5, 0.01),
}


def part_chances(runs):
    """5% of the cases are an island, half of them wrong; of the others 2% are."""
    truth = 0.05 * 0.5 + 0.95 * 0.02
    print("| design | refused | held | truth below | truth above | mean width |")
    print("|---|---|---|---|---|---|")
    for name, (n, isle_rate, rate) in DESIGNS.items():
        found = []
        refused = 0
        for run in range(20 * runs):
            rng = np.random.default_rng([SEED, n, run])
            isle = rng.random(n) < 0.05
            wrong = rng.random(n) < np.where(isle, 0.5, 0.02)
            chance = np.where(isle, isle_rate, rate)
            seen = rng.random(n) < chance
            heaviest = 1 / chance.min()
            interval = weighted_share(wrong[seen], 1 / chance[seen], heaviest=heaviest).interval
            if interval is None:
                refused += 1
            else:
                found.append(interval)
        low, high = np.array(found).T if found else (np.zeros(0), np.zeros(0))
        said = [(low <= truth) & (truth <= high), truth < low, truth > high]
        shares = [f"{part.mean():.3f}" if found else "" for part in (*said, high - low)]
        print(f"| {name} | {refused / (20 * runs):.3f} | {' | '.join(shares)} |", flush=True)


def part_islands(runs):
    """The answer about new cases behind unequal chances: does its interval hold the truth?"""
    print("| design | refused | mistakes held | cost held |")
    print("|---|---|---|---|")
    rest = sure(np.random.default_rng(1), 200_000)
    for name, (n, isle_rate, rate) in list(DESIGNS.items())[:3]:
        held, refused = [], 0
        for run in range(runs):
            rng = np.random.default_rng([SEED, n, run])
            c, isle = sure(rng, n), rng.random(n) < 0.05
            risk = np.where(isle, 0.5, 0.3 * wrong_of(c, "smooth"))
            wrong, says = rng.random(n) < risk, rng.random(n) < 0.5
            chance = np.where(isle, isle_rate, rate)
            seen = rng.random(n) < chance
            label = np.where(wrong, ~says, says).astype(int)
            frame = pl.DataFrame(
                {
                    "label": [int(y) if s else None for y, s in zip(label, seen, strict=True)],
                    "proba": np.where(says, c, 1 - c),
                    "chance": chance,
                }
            )
            answer = answer_question(
                read_log(frame, propensity="chance"), ValueQuestion(CheckCost(0.1))
            )
            if answer.tomorrow is None:
                refused += 1
                continue
            best = answer.tomorrow.best
            new = rng.choice(rest, 1000)
            risk = np.where(rng.random(1000) < 0.05, 0.5, 0.3 * wrong_of(new, "smooth"))
            asked = new < best.threshold
            lost = (~asked & (rng.random(1000) < risk)).mean()
            cost = 1000 * (asked.mean() + 10 * lost)
            held.append(
                (
                    best.mistakes.low <= lost <= best.mistakes.high,
                    best.cost_per_1000.low <= cost <= best.cost_per_1000.high,
                )
            )
        shares = np.mean(held, axis=0) if held else [np.nan, np.nan]
        print(f"| {name} | {refused / runs:.2f} | {shares[0]:.3f} | {shares[1]:.3f} |", flush=True)


def _frame(made, known):
    """A real log as a table: class a where the model is right."""
    label = np.where(made.right, "a", "b")
    return pl.DataFrame(
        {
            "id": np.arange(len(label)),
            "label": [str(y) if k else None for y, k in zip(label, known, strict=True)],
            "proba_a": made.confidence,
            "proba_b": 1 - made.confidence,
        }
    )


def part_censored(runs):
    """Labels only where the model is less sure than a cut: do bounds hold, and shrink by proposals?"""
    names = sets()
    chosen = [n for n in names if len(log(n, "forest").right) >= 400][:10]
    draws = max(runs // 5, 2)
    print("| set | bounds hold | width before | after 100 proposed labels | hold still |")
    print("|---|---|---|---|---|")
    widths = []
    for name in chosen:
        rows = []
        for run in range(draws):
            rng = np.random.default_rng([SEED, run])
            made = log(name, MODELS[run % len(MODELS)])
            made = made._replace(confidence=made.confidence.clip(0.5, 1))
            cut = np.quantile(made.confidence, rng.uniform(0.3, 0.7))
            known = (made.confidence <= cut) & (rng.random(len(made.right)) < rng.uniform(0.3, 1))
            known &= np.cumsum(known) <= 500
            question, truth = ValueQuestion(CheckCost(0.1)), 1 - made.right.mean()
            before = worst_case(RowCase(read_log(_frame(made, known)), question))
            found = propose_labels(read_log(_frame(made, known)), question, 100)
            more = known.copy()
            more[found.rows] = True
            after = worst_case(RowCase(read_log(_frame(made, more)), question))
            rows.append(
                (
                    before.low <= truth <= before.high,
                    before.high - before.low,
                    after.high - after.low,
                    after.low <= truth <= after.high,
                )
            )
        held, wide, narrow, still = np.mean(rows, axis=0)
        widths.append((held, wide, narrow, still))
        print(f"| {name} | {held:.2f} | {wide:.3f} | {narrow:.3f} | {still:.2f} |", flush=True)
    held, wide, narrow, still = np.mean(widths, axis=0)
    print(
        f"| all, {draws * len(chosen)} logs | {held:.2f} | {wide:.3f} | {narrow:.3f} "
        f"({1 - narrow / wide:.0%} less) | {still:.2f} |"
    )


PEOPLE = {
    "as expected": lambda omega, rng: SimulatedPerson(omega_worth(omega), rng),
    "slope 0.5": lambda omega, rng: SimulatedPerson(omega_worth(omega), rng, slope=0.5),
    "tired": lambda omega, rng: TiredPerson(omega_worth(omega), rng),
    "anchored": lambda omega, rng: AnchoredPerson(
        SimulatedPerson(omega_worth(omega), rng), 0.3, rng
    ),
}


def part_answers(runs):
    """20 answers of a person and 100 proposed labels, beside all labels and the true price."""
    chosen = [n for n in sets() if len(log(n, "logistic").right) >= 800]
    draws = max(runs // 50, 1)
    print("| set | checks | " + " | ".join(PEOPLE) + " |")
    print("|---|---|" + "---|" * len(PEOPLE))
    total = np.zeros((len(PEOPLE), 2))
    for name in chosen:
        for checks in (5, 20, 100):
            cells = []
            for p, person in enumerate(PEOPLE.values()):
                sums = np.zeros(2)
                for run in range(draws * len(MODELS)):
                    rng = np.random.default_rng([SEED, checks, run])
                    made = log(name, MODELS[run % len(MODELS)])
                    order = rng.permutation(len(made.right))
                    today, rest = np.split(order, [len(order) // 2])
                    guess = max(1.0, checks * np.exp(rng.normal(0, 0.7)))
                    told = (
                        omega_questionnaire(rng, guess=guess, n_questions=20)
                        .ask(person(checks - 1, rng))
                        .omega
                    )
                    price = CheckCost(1 / (1 + told))
                    part = made._replace(
                        confidence=made.confidence[today].clip(0.5, 1), right=made.right[today]
                    )
                    known = np.zeros(len(today), dtype=bool)
                    while known.sum() < 100:
                        rows = read_log(_frame(part, known), need_labels=False)
                        n = 20 if not known.any() else 40
                        known[propose_labels(rows, ValueQuestion(price), n).rows] = True
                    chosen_by = [(price, known), (CheckCost(1 / checks), np.ones_like(known))]
                    costs = []
                    for objective, labels in chosen_by:
                        posterior = RightnessPosterior().fit(
                            part.confidence[labels], part.right[labels], part.confidence
                        )
                        t = expected_best(posterior, objective)
                        answered = made.confidence[rest].clip(0.5, 1) >= t
                        lost = answered & ~made.right[rest]
                        costs.append((~answered).mean() + checks * lost.mean())
                    alone = min(1.0, checks * (~made.right[rest]).mean())
                    sums += (alone - costs[0], alone - costs[1])
                total[p] += sums
                cells.append(f"{sums[0] / sums[1]:.2f}" if sums[1] > 0.02 * draws else "–")
            print(f"| {name} | {checks} | " + " | ".join(cells) + " |", flush=True)
    print("| all, pooled in checks | | " + " | ".join(f"{a / b:.2f}" for a, b in total) + " |")


def main(parts, runs):
    for name in parts or ("models", "promises", "chances", "islands", "censored", "answers"):
        start = perf_counter()
        globals()[f"part_{name}"](runs)
        print(f"{name}: {perf_counter() - start:.0f} s\n", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*")
    parser.add_argument("--runs", type=int, default=100)
    arguments = parser.parse_args()
    main(arguments.parts, arguments.runs)
