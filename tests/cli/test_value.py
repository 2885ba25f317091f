"""`askpoint value`: each number against plain Python."""

from __future__ import annotations

import csv
import json
import math
from fractions import Fraction

import pytest
from scipy.stats import binomtest

from cli.logs import (
    CLASSES,
    KEYS,
    answered,
    best_threshold,
    close,
    confidence,
    is_right,
    make_log,
    outcomes,
    policy,
)


@pytest.mark.parametrize("seed", range(3))
def test_json_says_what_plain_python_says(seed, shell):
    rows = make_log(seed=seed)
    log = shell.write("log.csv", rows)
    for flags, omega in ((["--rho", 0.25], 3), (["--rho", 0.125], 7), ([], 19)):
        content = shell.answer(log, *flags)
        assert set(content) == KEYS
        threshold = best_threshold(rows, omega)
        right, wrong, asked = outcomes(rows, threshold)
        n = len(rows)
        never = math.isinf(threshold)
        assert content["n_items"] == n
        assert content["n_unlabelled"] == 0
        assert content["accuracy"] == close(Fraction(sum(map(is_right, rows)), n))
        assert content["hindsight"]["price"]["checks_per_mistake"] - 1 == close(omega)
        assert content["hindsight"]["price"]["rho"] == close(Fraction(1, 1 + omega))
        assert content["hindsight"]["price"]["checks_per_mistake"] == close(1 + omega)
        printed = content["hindsight"]["rule"]["threshold"]
        assert answered(rows, printed) == answered(rows, None if never else threshold)
        assert content["hindsight"]["value"]["estimate"] == close(
            Fraction(right - omega * wrong, n)
        )
        profit = (right + (1 - Fraction(1, 1 + omega)) * asked) / Fraction(n)
        assert content["hindsight"]["expected_profit"]["estimate"] == close(profit)
        assert 1 - content["hindsight"]["asked"]["share"] == close(Fraction(n - asked, n))
        assert content["hindsight"]["asked"]["rows"] == asked
        risk = None if never else close(Fraction(wrong, right + wrong))
        assert content["hindsight"]["risk"]["estimate"] == risk
        assert content["recommended"]["objective"]["assumed"] == (flags == [])


def test_baselines_are_those_of_plain_python(shell):
    rows = make_log(seed=5)
    content = shell.answer(shell.write("log.csv", rows), "--rho", 0.25, "--default", "ham")
    n, hits = len(rows), sum(map(is_right, rows))
    ham = sum(row["label"] == "ham" for row in rows)
    threshold = best_threshold(rows, 3)
    expected = {
        "threshold": outcomes(rows, threshold),
        "ask_all": (0, 0, n),
        "answer_all": (hits, n - hits, 0),
        "default": (ham, n - ham, 0),
        "upper_limit": (hits, 0, n - hits),
    }
    assert [b["name"] for b in content["hindsight"]["baselines"]] == list(expected)
    for baseline in content["hindsight"]["baselines"]:
        right, wrong, asked = expected[baseline["name"]]
        assert (baseline["right"], baseline["wrong"], baseline["asked"]) == (right, wrong, asked)
        assert baseline["cost_per_1000"] == close(Fraction(1000 * (asked + 4 * wrong), n))
        assert baseline["unit"] == "checks"
    costs = [b["cost_per_1000"] for b in content["hindsight"]["baselines"]]
    assert costs[0] == min(costs[:4])
    assert costs[4] <= costs[0]


def test_intervals_are_those_of_scipy(shell):
    rows = make_log(200, seed=1)
    content = shell.answer(shell.write("log.csv", rows), "--rho", 0.25)
    right, wrong, _ = outcomes(rows, best_threshold(rows, 3))
    found = content["hindsight"]
    for key, part, whole in (
        ("risk", wrong, right + wrong),
        ("mistakes", wrong, 200),
        ("asked", 200 - right - wrong, 200),
    ):
        exact = binomtest(part, whole).proportion_ci(0.95, "exact")
        assert found[key]["interval"] == pytest.approx([exact.low, exact.high], rel=1e-9)
    for key in ("value", "expected_profit"):
        low, high = found[key]["interval"]
        assert low < found[key]["estimate"] < high
    low, high = found["cost"]["interval"]
    assert low < found["cost"]["per_1000"] < high
    assert found["level"] == 0.95
    band = found["expected_profit"]["band_half_width"]
    assert band == close(math.sqrt(math.log(4 / 0.05) / 400))


@pytest.mark.parametrize("measure", ["margin", "negative_entropy", "standard_deviation"])
def test_two_classes_are_ordered_alike_by_every_measure(measure, shell):
    log = shell.write("log.csv", make_log(seed=2))
    flags = ["--rho", 0.25, "--measure"]
    ours, theirs = (shell.answer(log, *flags, name) for name in ("max_probability", measure))
    for key in ("asked", "mistakes", "cost", "risk", "value"):
        assert ours["hindsight"][key] == theirs["hindsight"][key]
    assert ours["threshold"] != theirs["threshold"]


def test_f_beta_is_the_greatest_of_all_thresholds(shell):
    rows = make_log(seed=3)
    content = shell.answer(shell.write("log.csv", rows), "--beta", 0.5)

    def f(threshold):
        right, _, asked = outcomes(rows, threshold)
        return Fraction(5, 4) * right / (Fraction(5, 4) * len(rows) - asked)

    greatest = max(map(f, {math.inf, *map(confidence, rows)}))
    assert f(Fraction(content["hindsight"]["rule"]["threshold"])) == greatest
    assert content["hindsight"]["price"]["rho"] == close(1 - greatest / Fraction(5, 4))


def test_limits_are_met_as_widely_as_they_allow(shell):
    rows = make_log(300, seed=4)
    log = shell.write("log.csv", rows)
    thresholds = sorted(set(map(confidence, rows)))

    def coverage(threshold):
        return sum(confidence(row) >= threshold for row in rows)

    def within(part, allowed):
        """Greatest coverage at which the share of mistakes among `part` is allowed."""
        fine = [
            t
            for t in thresholds
            if (right_wrong := outcomes(part, t)[:2])
            and right_wrong[1] <= allowed * sum(right_wrong)
        ]
        return max(map(coverage, fine))

    content = shell.answer(log, "--max-error", 0.125)
    assert 300 - content["hindsight"]["asked"]["rows"] == within(rows, Fraction(1, 8))
    spam = [row for row in rows if row["proba_spam"] > row["proba_ham"]]
    content = shell.answer(log, "--min-precision", "spam=0.875")
    assert 300 - content["hindsight"]["asked"]["rows"] == within(spam, Fraction(1, 8))
    truly = [row for row in rows if row["label"] == "spam"]
    kept = [t for t in thresholds if outcomes(truly, t)[1] <= Fraction(1, 8) * len(truly)]
    content = shell.answer(log, "--min-recall", "spam=0.875")
    assert 300 - content["hindsight"]["asked"]["rows"] == max(map(coverage, kept))


@pytest.mark.parametrize("labelled", [1.0, 0.5])
def test_capacity_is_never_exceeded(labelled, shell):
    rows = make_log(400, seed=6, labelled=labelled)
    log = shell.write("log.csv", rows)
    sizes = [sum(confidence(row) < t for row in rows) for t in {math.inf, *map(confidence, rows)}]
    for limit, allowed in ((0, 0), (7, 7), (50, 50), (0.3, 120), (399, 399), (1000, 400)):
        content = shell.answer(log, "--ask-at-most", limit)
        assert content["hindsight"]["asked"]["rows"] in sizes
        most = max(n for n in sizes if n <= allowed)
        if labelled < 1:  # where it is not known what asking saves, capacity is used
            assert content["hindsight"]["asked"]["rows"] == most
        else:  # else no more are asked than saves mistakes
            assert content["hindsight"]["asked"]["rows"] <= most
            threshold = (
                Fraction(content["hindsight"]["rule"]["threshold"])
                if content["hindsight"]["rule"]["threshold"]
                else math.inf
            )
            fewest = min(
                outcomes(rows, t)[1]
                for t in {math.inf, *map(confidence, rows)}
                if outcomes(rows, t)[2] <= allowed
            )
            assert outcomes(rows, threshold)[1] == fewest
        assert 1 - content["hindsight"]["asked"]["share"] == close(
            1 - Fraction(content["hindsight"]["asked"]["rows"], 400)
        )


def test_prices_are_answered_in_money(shell):
    rows = make_log(seed=7)
    content = shell.answer(shell.write("log.csv", rows), "--prices", "1,-0.5,-20")
    threshold = best_threshold(rows, 13)

    def money(right, wrong, asked):
        return right - Fraction(asked, 2) - 20 * wrong

    assert content["hindsight"]["price"]["checks_per_mistake"] - 1 == close(13)
    hits = sum(map(is_right, rows))
    expected = {
        "threshold": money(*outcomes(rows, threshold)),
        "ask_all": money(0, 0, 60),
        "answer_all": money(hits, 60 - hits, 0),
        "upper_limit": money(hits, 0, 60 - hits),
    }
    for name, total in expected.items():
        assert content["hindsight"]["money"][name] == close(total)
        assert policy(content, name)["cost_per_1000"] == close(-1000 * total / 60)
        assert policy(content, name)["unit"] == "money"


def test_costs_are_least_by_brute_force(shell):
    rows = make_log(80, seed=8)
    log = shell.write("log.csv", rows)
    cost = {"ham": {"ham": 1, "spam": 10}, "spam": {"ham": 4, "spam": 0}}
    reject = {"ham": 2, "spam": 1}
    costs = {
        "classes": ["spam", "ham"],  # in another order than the log's
        "rows": "truth",
        "columns": "decision",
        "cost": cost,
        "reject_cost": reject,
        "unit": "EUR",
    }
    content = shell.answer(log, "--costs", shell.write("costs.json", json.dumps(costs)))

    def expected(row, costs_of):
        p = {"ham": Fraction(row["proba_ham"]), "spam": Fraction(row["proba_spam"])}
        return sum(p[truth] * costs_of(truth) for truth in CLASSES)

    decided = []
    for row in rows:
        best = min(CLASSES, key=lambda d, row=row: expected(row, lambda t, d=d: cost[t][d]))
        saving = expected(row, reject.get) - expected(row, lambda t, best=best: cost[t][best])
        decided.append((saving, row["label"], best))

    def total(threshold):
        return sum(
            cost[truth][best] if saving >= threshold else reject[truth]
            for saving, truth, best in decided
        )

    least = min(total(t) for t in [math.inf, *(saving for saving, _, _ in decided)])
    assert total(content["hindsight"]["rule"]["threshold"] - 1e-9) == least
    assert policy(content, "threshold")["cost_per_1000"] == close(Fraction(1000 * least, 80))
    assert policy(content, "ask_all")["cost_per_1000"] == close(
        Fraction(1000 * total(math.inf), 80)
    )
    answer_all = Fraction(1000 * total(-math.inf), 80)
    assert policy(content, "answer_all")["cost_per_1000"] == close(answer_all)
    limit = sum(min(cost[truth][best], reject[truth]) for _, truth, best in decided)
    assert policy(content, "upper_limit")["cost_per_1000"] == close(Fraction(1000 * limit, 80))
    assert policy(content, "upper_limit")["unit"] == "EUR"


def test_csv_is_read_as_it_was_written(shell):
    """The oracle above reads what it wrote: guard it against its own rounding."""
    rows = make_log(5)
    path = shell.write("log.csv", rows)
    with open(path, newline="", encoding="utf-8") as file:
        assert [float(row["proba_spam"]) for row in csv.DictReader(file)] == [
            row["proba_spam"] for row in rows
        ]
