"""`askpoint value`: each number against plain Python, each bad input against one plain line."""

from __future__ import annotations

import csv
import json
import math
import random
from collections import Counter
from fractions import Fraction

import polars as pl
import pytest
from scipy.stats import binomtest

KEYS = {
    "n_items",
    "n_unlabelled",
    "accuracy",
    "objective",
    "omega",
    "rho",
    "checks_per_mistake",
    "threshold",
    "value",
    "expected_profit",
    "coverage",
    "asked",
    "accepted_error",
    "baselines",
    "interval",
    "groups",
    "models",
}
CLASSES = ("ham", "spam")
GOOD = [
    {"label": "ham", "proba_ham": 0.875, "proba_spam": 0.125},
    {"label": "spam", "proba_ham": 0.25, "proba_spam": 0.75},
    {"label": "ham", "proba_ham": 0.375, "proba_spam": 0.625},
]


def make_log(n=60, seed=0, *, labelled=1.0, groups=(), models=()):
    """A log whose probabilities are multiples of 1/32: exact, and full of ties."""
    rng = random.Random(seed)
    rows = []
    for model in models or [None]:
        for i in range(n):
            spam = rng.randint(0, 32) / 32
            slope = 1.2 if model == "sharp" else 0.95
            right = rng.random() < 0.5 + slope * abs(spam - 0.5)
            truth = CLASSES[(spam > 0.5) == right]
            row = {"id": i, "label": truth if rng.random() < labelled else ""}
            row |= {"proba_ham": 1 - spam, "proba_spam": spam}
            row |= {"region": groups[i % len(groups)]} if groups else {}
            row |= {"model": model} if model else {}
            rows.append(row)
    return rows


# What plain Python makes of a log, without a line of askpoint.


def confidence(row):
    return Fraction(max(row["proba_ham"], row["proba_spam"]))


def is_right(row):
    return row["label"] == CLASSES[row["proba_spam"] > row["proba_ham"]]


def alike(_):
    return 1


def outcomes(rows, threshold, weight=alike):
    """Weights of right, wrong and asked cases."""
    counted = Counter()
    for row in rows:
        kind = "asked" if confidence(row) < threshold else "right" if is_right(row) else "wrong"
        counted[kind] += weight(row)
    return counted["right"], counted["wrong"], counted["asked"]


def best_threshold(rows, omega, weight=alike):
    """The threshold of greatest value; on a tie the one that asks more."""

    def value(threshold):
        right, wrong, _ = outcomes(rows, threshold, weight)
        return right - omega * wrong

    return max({math.inf, *map(confidence, rows)}, key=lambda t: (value(t), t))


def close(value):
    return pytest.approx(float(value), rel=1e-12, abs=1e-12)


def policy(content, name):
    (found,) = [b for b in content["baselines"] if b["name"] == name]
    return found


# The numbers


@pytest.mark.parametrize("seed", range(3))
def test_json_says_what_plain_python_says(seed, shell):
    rows = make_log(seed=seed)
    log = shell.write("log.csv", rows)
    for flags, omega in ((["--omega", 3], 3), (["--rho", 0.125], 7), ([], 19)):
        content = shell.answer(log, *flags)
        assert set(content) >= KEYS
        threshold = best_threshold(rows, omega)
        right, wrong, asked = outcomes(rows, threshold)
        n = len(rows)
        never = math.isinf(threshold)
        assert content["n_items"] == n
        assert content["n_unlabelled"] == 0
        assert content["accuracy"] == close(Fraction(sum(map(is_right, rows)), n))
        assert content["omega"] == close(omega)
        assert content["rho"] == close(Fraction(1, 1 + omega))
        assert content["checks_per_mistake"] == close(1 + omega)
        assert content["threshold"] == (None if never else float(threshold))
        assert content["value"] == close(Fraction(right - omega * wrong, n))
        profit = (right + (1 - Fraction(1, 1 + omega)) * asked) / Fraction(n)
        assert content["expected_profit"] == close(profit)
        assert content["coverage"] == close(Fraction(n - asked, n))
        assert content["asked"] == asked
        risk = None if never else close(Fraction(wrong, right + wrong))
        assert content["accepted_error"] == risk
        assert content["objective"]["assumed"] == (flags == [])


def test_baselines_are_those_of_plain_python(shell):
    rows = make_log(seed=5)
    content = shell.answer(shell.write("log.csv", rows), "--omega", 3, "--default", "ham")
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
    assert [b["name"] for b in content["baselines"]] == list(expected)
    for baseline in content["baselines"]:
        right, wrong, asked = expected[baseline["name"]]
        assert (baseline["right"], baseline["wrong"], baseline["asked"]) == (right, wrong, asked)
        assert baseline["cost_per_1000"] == close(Fraction(1000 * (asked + 4 * wrong), n))
        assert baseline["unit"] == "checks"
    costs = [b["cost_per_1000"] for b in content["baselines"]]
    assert costs[0] == min(costs[:4])
    assert costs[4] <= costs[0]


def test_intervals_are_those_of_scipy(shell):
    rows = make_log(200, seed=1)
    content = shell.answer(shell.write("log.csv", rows), "--omega", 3)
    right, wrong, _ = outcomes(rows, best_threshold(rows, 3))
    interval = content["interval"]
    for key, part, whole in (
        ("accepted_error", wrong, right + wrong),
        ("coverage", right + wrong, 200),
    ):
        exact = binomtest(part, whole).proportion_ci(0.95, "exact")
        assert interval[key] == pytest.approx([exact.low, exact.high], rel=1e-9)
    for key in ("value", "expected_profit"):
        assert interval[key][0] < content[key] < interval[key][1]
    assert interval["level"] == 0.95
    assert interval["band_half_width"] == close(math.sqrt(math.log(4 / 0.05) / 400))


@pytest.mark.parametrize("measure", ["margin", "negative_entropy", "standard_deviation"])
def test_two_classes_are_ordered_alike_by_every_measure(measure, shell):
    log = shell.write("log.csv", make_log(seed=2))
    flags = ["--omega", 3, "--measure"]
    ours, theirs = (shell.answer(log, *flags, name) for name in ("max_probability", measure))
    for key in ("asked", "accepted_error", "value", "coverage"):
        assert ours[key] == theirs[key]
    assert ours["threshold"] != theirs["threshold"]


def test_f_beta_is_the_greatest_of_all_thresholds(shell):
    rows = make_log(seed=3)
    content = shell.answer(shell.write("log.csv", rows), "--beta", 0.5)

    def f(threshold):
        right, _, asked = outcomes(rows, threshold)
        return Fraction(5, 4) * right / (Fraction(5, 4) * len(rows) - asked)

    greatest = max(map(f, {math.inf, *map(confidence, rows)}))
    assert f(Fraction(content["threshold"])) == greatest
    assert content["rho"] == close(1 - greatest / Fraction(5, 4))


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
    assert 300 - content["asked"] == within(rows, Fraction(1, 8))
    spam = [row for row in rows if row["proba_spam"] > row["proba_ham"]]
    content = shell.answer(log, "--min-precision", "spam=0.875")
    assert 300 - content["asked"] == within(spam, Fraction(1, 8))
    truly = [row for row in rows if row["label"] == "spam"]
    kept = [t for t in thresholds if outcomes(truly, t)[1] <= Fraction(1, 8) * len(truly)]
    content = shell.answer(log, "--min-recall", "spam=0.875")
    assert 300 - content["asked"] == max(map(coverage, kept))


@pytest.mark.parametrize("labelled", [1.0, 0.5])
def test_capacity_is_never_exceeded(labelled, shell):
    rows = make_log(400, seed=6, labelled=labelled)
    log = shell.write("log.csv", rows)
    sizes = [sum(confidence(row) < t for row in rows) for t in {math.inf, *map(confidence, rows)}]
    for limit, allowed in ((0, 0), (7, 7), (50, 50), (0.3, 120), (399, 399), (1000, 400)):
        content = shell.answer(log, "--ask-at-most", limit)
        assert content["asked"] in sizes
        most = max(n for n in sizes if n <= allowed)
        if labelled < 1:  # where it is not known what asking saves, capacity is used
            assert content["asked"] == most
        else:  # else no more are asked than saves mistakes
            assert content["asked"] <= most
            threshold = Fraction(content["threshold"]) if content["threshold"] else math.inf
            fewest = min(
                outcomes(rows, t)[1]
                for t in {math.inf, *map(confidence, rows)}
                if outcomes(rows, t)[2] <= allowed
            )
            assert outcomes(rows, threshold)[1] == fewest
        assert content["coverage"] == close(1 - Fraction(content["asked"], 400))


def test_prices_are_answered_in_money(shell):
    rows = make_log(seed=7)
    content = shell.answer(shell.write("log.csv", rows), "--prices", "1,-0.5,-20")
    threshold = best_threshold(rows, 13)

    def money(right, wrong, asked):
        return right - Fraction(asked, 2) - 20 * wrong

    assert content["omega"] == close(13)
    hits = sum(map(is_right, rows))
    expected = {
        "threshold": money(*outcomes(rows, threshold)),
        "ask_all": money(0, 0, 60),
        "answer_all": money(hits, 60 - hits, 0),
        "upper_limit": money(hits, 0, 60 - hits),
    }
    for name, total in expected.items():
        assert content["money"][name] == close(total)
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
    assert total(content["threshold"] - 1e-9) == least
    assert policy(content, "threshold")["cost_per_1000"] == close(Fraction(1000 * least, 80))
    assert policy(content, "ask_all")["cost_per_1000"] == close(
        Fraction(1000 * total(math.inf), 80)
    )
    answer_all = Fraction(1000 * total(-math.inf), 80)
    assert policy(content, "answer_all")["cost_per_1000"] == close(answer_all)
    limit = sum(min(cost[truth][best], reject[truth]) for _, truth, best in decided)
    assert policy(content, "upper_limit")["cost_per_1000"] == close(Fraction(1000 * limit, 80))
    assert policy(content, "upper_limit")["unit"] == "EUR"


# Groups, models, weights


def test_groups_are_the_parts_of_the_log(shell):
    rows = make_log(120, seed=9, labelled=0.7, groups=("north", "south", ""))
    for row in rows:
        if row["region"] == "south":
            row["label"] = ""
    content = shell.answer(
        shell.write("log.csv", rows), "--group", "region", "--labels-are-random", "--omega", 1
    )
    threshold = Fraction(content["threshold"])
    assert [line["group"] for line in content["groups"]] == ["north", "south", None]
    for line in content["groups"]:
        part = [row for row in rows if (row["region"] or None) == line["group"]]
        known = [row for row in part if row["label"]]
        right, wrong, _ = outcomes(known, threshold)
        answered = sum(confidence(row) >= threshold for row in part)
        assert line["n_items"] == len(part)
        assert line["n_unlabelled"] == len(part) - len(known)
        assert line["coverage"] == close(Fraction(answered, len(part)))
        if known:
            exact = binomtest(wrong, right + wrong).proportion_ci(0.95, "exact")
            assert line["accepted_error"] == close(Fraction(wrong, right + wrong))
            assert line["interval"] == pytest.approx([exact.low, exact.high])
        else:
            assert line["accepted_error"] is line["interval"] is None
            assert line["reasons"]["accepted_error"] == "no answered case has a label"
    assert content["groups"][2]["reasons"] == {"group": "these rows name no group"}


def test_models_are_each_the_answer_to_their_own_rows(shell):
    rows = make_log(100, seed=10, models=("blunt", "sharp"))
    both = shell.answer(shell.write("log.csv", rows), "--model", "model", "--omega", 4)
    assert [part["model"] for part in both["models"]] == ["sharp", "blunt"]
    costs = [policy(part, "threshold")["cost_per_1000"] for part in both["models"]]
    assert costs == sorted(costs)
    for part in both["models"]:
        own = [row for row in rows if row["model"] == part["model"]]
        alone = shell.answer(shell.write("own.csv", own), "--omega", 4)
        assert alone["models"] == []
        assert alone["reasons"].pop("comparison")
        of_all = {"models", "comparison"}
        assert {k: part[k] for k in alone if k not in of_all} == {
            k: v for k, v in alone.items() if k not in of_all
        }
    best = {k: v for k, v in both["models"][0].items() if k != "model"}
    assert both["comparison"] is not None
    assert {k: v for k, v in both.items() if k not in of_all} == best


def test_a_model_that_misses_the_limit_does_not_take_down_the_others(shell):
    rows = make_log(100, seed=10, models=("blunt", "sharp"))
    for row in rows:
        if row["model"] == "blunt":
            row["label"] = CLASSES[row["proba_spam"] <= 0.5]  # always wrong
    log = shell.write("log.csv", rows)
    content = shell.answer(log, "--model", "model", "--max-error", 0.2)
    assert [part["model"] for part in content["models"]] == ["sharp", "blunt"]
    assert content["models"][1]["threshold"] is None
    assert "0.2" in content["models"][1]["reasons"]["threshold"]
    text = shell.said("value", log, "--model", "model", "--max-error", 0.2)
    assert "blunt: no threshold keeps" in text
    for row in rows:
        row["label"] = CLASSES[row["proba_spam"] <= 0.5]
    log = shell.write("log.csv", rows)
    message = shell.refusal("value", log, "--model", "model", "--max-error", 0.2)
    assert "'blunt': " in message
    assert "'sharp': " in message


def test_a_weight_is_so_many_rows(shell):
    rows = make_log(80, seed=11)
    for i, row in enumerate(rows):
        row["times"] = 1 + i % 3
    weighted = shell.answer(shell.write("log.csv", rows), "--weight", "times", "--omega", 4)
    repeated = [dict(row) for row in rows for _ in range(row["times"])]
    for i, row in enumerate(repeated):
        row["id"] = i
    plain = shell.answer(shell.write("repeated.csv", repeated), "--omega", 4)
    for key in ("accuracy", "threshold", "value", "expected_profit", "coverage", "accepted_error"):
        assert weighted[key] == close(plain[key])
    for ours, theirs in zip(weighted["baselines"], plain["baselines"], strict=True):
        for key in ("right", "wrong", "asked", "cost_per_1000"):
            assert ours[key] == close(theirs[key])
    assert weighted["n_items"] == 80
    assert weighted["asked"] == sum(confidence(row) < weighted["threshold"] for row in rows)
    assert weighted["interval"]["band_half_width"] is None
    assert "weighted" in weighted["reasons"]["interval.band_half_width"]
    for ours, theirs in zip(
        weighted["interval"]["accepted_error"], plain["interval"]["accepted_error"], strict=True
    ):  # 80 weighted rows say less than 160 equal ones
        assert abs(ours - weighted["accepted_error"]) > abs(theirs - plain["accepted_error"])


def test_weights_that_do_not_add_up_exactly_are_no_mistakes(shell):
    rows = [
        {"label": "ham", "proba_ham": 0.5 + i / 64, "proba_spam": 0.5 - i / 64, "w": 0.1 * (i + 1)}
        for i in range(30)
    ]
    content = shell.answer(shell.write("log.csv", rows), "--weight", "w")
    for name in ("answer_all", "default", "upper_limit"):
        assert policy(content, name)["wrong"] == pytest.approx(0, abs=1e-12)
        assert policy(content, name)["wrong"] >= 0


def looked_at_where_unsure(n=4000, seed=12, *, sure=0.1):
    """Rows labelled with a known chance: 1 below .75, and `sure` above."""
    rng = random.Random(seed)
    rows, truth = make_log(n, seed), []
    for row in rows:
        truth.append(dict(row))
        chance = 1.0 if confidence(row) < Fraction(3, 4) else sure
        row["chance"] = chance
        if rng.random() >= chance:
            row["label"] = ""
    return rows, truth


def test_labels_only_where_the_model_was_unsure_carry_no_verdict(shell):
    rows, _ = looked_at_where_unsure(1000)
    log = shell.write("log.csv", rows)
    content = shell.answer(log)
    assert set(content) >= KEYS
    for key in KEYS - {"n_items", "n_unlabelled", "objective", "groups", "models"}:
        assert content[key] is None
        assert "--propensity" in content["reasons"][key]
        assert "--labels-are-random" in content["reasons"][key]
    assert content["selection"]["is_selective"] is True
    shares = content["selection"]["labelled_share_by_tenth"]
    assert shares[0] == 1
    assert shares[-1] < 0.3
    text = shell.said("value", log)
    assert "No verdict" in text
    assert "Let the model decide" not in text


def test_the_users_word_overrides_the_refusal(shell):
    rows, _ = looked_at_where_unsure(1000)
    log = shell.write("log.csv", rows)
    content = shell.answer(log, "--labels-are-random")
    assert content["selection"]["is_selective"] is True
    known = [row for row in rows if row["label"]]
    threshold = best_threshold(known, 19)
    assert content["threshold"] == float(threshold)
    right, wrong, _ = outcomes(known, threshold)
    assert content["accepted_error"] == close(Fraction(wrong, right + wrong))
    coverage = Fraction(sum(confidence(row) >= threshold for row in rows), 1000)
    assert content["coverage"] == close(coverage)
    risk = Fraction(wrong, right + wrong)
    assert content["value"] == close(coverage * (1 - risk) - 19 * coverage * risk)
    assert "You stated that they are random" in shell.said("value", log, "--labels-are-random")


def test_propensities_weigh_the_labels_by_hajek(shell):
    rows, truth = looked_at_where_unsure()
    log = shell.write("log.csv", rows)
    content = shell.answer(log, "--propensity", "chance", "--omega", 4)
    known = [row for row in rows if row["label"]]

    def weight(row):
        return 1 / Fraction(row["chance"]).limit_denominator(10)

    mass = sum(map(weight, known))
    accuracy = sum(weight(row) for row in known if is_right(row)) / mass
    assert content["accuracy"] == close(accuracy)
    threshold = best_threshold(known, 4, weight)
    assert content["threshold"] == float(threshold)
    right, wrong, _ = outcomes(known, threshold, weight)
    assert content["accepted_error"] == close(wrong / (right + wrong))
    # widened: no surer than the number of labels that were there to see
    low, high = content["interval"]["accepted_error"]
    seen = outcomes(known, threshold)
    narrow = binomtest(seen[1], seen[0] + seen[1]).proportion_ci(0.95, "exact")
    assert high - low > 0.9 * (narrow.high - narrow.low)
    # and true: the labels that the log does not show are these
    _, missed, _ = outcomes(truth, threshold)
    answered = sum(confidence(row) >= threshold for row in truth)
    assert low < missed / answered < high


def test_propensities_that_do_not_explain_the_labels_are_found_out(shell):
    rows, _ = looked_at_where_unsure(1000)
    for row in rows:
        row["chance"] = 0.5
    content = shell.answer(shell.write("log.csv", rows), "--propensity", "chance")
    assert content["threshold"] is None
    assert "do not make up for it" in content["reasons"]["threshold"]


def test_no_propensity_helps_where_nobody_ever_looked(shell):
    rows, _ = looked_at_where_unsure(1000, sure=0.0)
    for row in rows:
        row["chance"] = 1.0
    content = shell.answer(shell.write("log.csv", rows), "--propensity", "chance")
    assert content["threshold"] is None
    assert "no weight helps" in content["reasons"]["threshold"]


def test_answers_that_no_label_vouches_for_are_no_verdict(shell):
    rows = [
        {"prediction": "ham", "confidence": c, "label": "ham" if i == 0 else ""}
        for i, c in enumerate((0.5, 0.6, 0.7, 0.8))
    ]
    rows.append({"prediction": "spam", "confidence": 0.4, "label": ""})
    content = shell.answer(
        shell.write("log.csv", rows), "--ask-at-most", 3, "--classes", "ham,spam"
    )
    assert content["threshold"] is None
    assert "2 cases of which none has a label" in content["reasons"]["threshold"]


# The form


def nulls(content, path=""):
    """Where a JSON object is null: the dotted key, and the object beside it."""
    for key, value in content.items():
        if value is None:
            yield f"{path}{key}", content
        elif isinstance(value, dict) and key not in ("reasons", "objective"):
            yield from nulls(value, f"{path}{key}.")


@pytest.mark.parametrize(
    "flags",
    [
        [],
        ["--omega", 1000],
        ["--max-error", 0.6],
        ["--ask-at-most", 0],
        ["--ask-at-most", 60],
        ["--prices", "1,0,-2"],
        ["--beta", 1],
        ["--weight", "id1"],
    ],
)
def test_whatever_is_null_has_a_reason(flags, shell):
    rows = make_log(seed=13)
    for row in rows:
        row["id1"] = row["id"] + 1
        row["label"] = CLASSES[row["id"] % 2]
    content = shell.answer(shell.write("log.csv", rows), *flags)
    assert {key for key, _ in nulls(content)} <= set(content["reasons"])
    assert all(content["reasons"].values())
    for key in content["reasons"]:
        if "." not in key:
            assert content[key] is None


def test_never_answering_is_null_not_infinite(shell):
    rows = [{"label": "ham", "proba_ham": 0.25, "proba_spam": 0.75}] * 3 + [GOOD[1]]
    content = shell.answer(shell.write("log.csv", rows))
    assert content["threshold"] is content["accepted_error"] is None
    assert "infinite" in content["reasons"]["threshold"]
    assert content["reasons"]["accepted_error"] == "nothing is answered"
    assert content["coverage"] == content["value"] == 0
    assert content["asked"] == 4
    assert "Leave all 4 cases to people" in shell.said("value", shell.write("log.csv", rows))


def test_json_is_one_object_of_plain_ascii(shell):
    rows = [{**row, "gruppe": "süd 🎉"} for row in GOOD]
    text = shell.said("value", shell.write("log.csv", rows), "--json", "--group", "gruppe")
    assert text.isascii()
    assert json.loads(text)["groups"][0]["group"] == "süd 🎉"


@pytest.mark.parametrize("kind", ["parquet", "jsonl", "csv.gz"])
def test_every_kind_of_file_says_the_same(kind, shell):
    rows = make_log(seed=14, labelled=0.8)
    frame = pl.DataFrame(rows).with_columns(pl.col("label").replace("", None))
    path = shell.folder / f"log.{kind}"
    if kind == "parquet":
        frame.write_parquet(path)
    elif kind == "jsonl":
        frame.write_ndjson(path)
    else:
        import gzip

        path.write_bytes(gzip.compress(frame.write_csv().encode()))
    assert shell.answer(path) == shell.answer(shell.write("log.csv", rows))


def test_columns_may_have_any_name(shell):
    rows = make_log(seed=15)
    renamed = [
        {"truth": row["label"], "score for spam, %": row["proba_spam"], "x": 1} for row in rows
    ]
    log = shell.write("renamed.csv", renamed)
    theirs = shell.answer(shell.write("log.csv", rows))
    found = pl.read_csv(log).columns[1]
    ours = shell.answer(
        log, "--label", "truth", "--proba", f"{found[:5]}*", "--classes", "ham,spam"
    )
    assert ours == theirs


def test_the_page_is_written_beside_the_words(shell):
    log = shell.write("log.csv", make_log())
    page = shell.folder / "page.html"
    result = shell.run("value", log, "--html", page, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == shell.answer(log)
    assert result.stderr == f"page written to {page}\n"
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_the_words_are_those_of_the_numbers(shell):
    rows = make_log(200, seed=1)
    log = shell.write("log.csv", rows)
    content, text = shell.answer(log, "--rho", 0.25), shell.said("value", log, "--rho", 0.25)
    flat = " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())
    assert f"decides {200 - content['asked']} of 200 cases" in flat
    assert f"leaves {content['asked']} to people" in flat
    assert f"{100 * content['accepted_error']:.1f} % are wrong" in flat
    assert "one mistake is worth 4 checks (omega 3, rho 0.25)" in flat


# What is refused


def edited(row=0, **cells):
    rows = [dict(row) for row in GOOD]
    rows[row] |= cells
    return rows


def test_no_labels_at_all(shell):
    rows = [{**row, "label": ""} for row in GOOD]
    message = shell.refusal("value", shell.write("log.csv", rows))
    assert "no row has a label" in message
    assert "'label'" in message
    assert "label some rows" in message


@pytest.mark.parametrize("value", [1.5, -0.25])
def test_a_probability_outside_0_and_1(value, shell):
    rows = edited(row=1, proba_ham=value, proba_spam=1 - value)
    message = shell.refusal("value", shell.write("log.csv", rows))
    assert "between 0 and 1" in message or "[0, 1]" in message
    assert str(value) in message or str(1 - value) in message
    assert "row 1" in message


def test_rows_that_do_not_sum_to_1_say_by_how_much(shell):
    message = shell.refusal("value", shell.write("log.csv", edited(row=2, proba_ham=0.5)))
    assert "sum" in message
    assert "row 2" in message
    assert "1.125" in message or "0.125" in message


@pytest.mark.parametrize("cell", ["nan", "NaN", ""])
def test_a_probability_that_is_missing(cell, shell):
    message = shell.refusal("value", shell.write("log.csv", edited(proba_ham=cell)))
    assert "missing" in message or "NaN" in message
    assert "row 0" in message


def test_a_cell_that_is_no_number(shell):
    message = shell.refusal("value", shell.write("log.csv", edited(row=1, proba_ham="much")))
    assert "'much' in row 1" in message
    assert "'proba_ham'" in message


def test_classes_and_columns_that_do_not_match(shell):
    log = shell.write("log.csv", GOOD)
    message = shell.refusal("value", log, "--classes", "ham,spam,eggs")
    assert "3 classes" in message
    assert "2 columns" in message
    message = shell.refusal("value", log, "--classes", "ham,eggs")
    assert "'eggs'" in message
    assert "ham, spam" in message
    message = shell.refusal("value", shell.write("log.csv", edited(row=1, label="eggs")))
    assert "'eggs' in row 1" in message
    assert "'ham', 'spam'" in message


def test_a_single_class(shell):
    rows = [{"label": "ham", "prediction": "ham", "confidence": 0.5}] * 3
    message = shell.refusal("value", shell.write("log.csv", rows))
    assert "only one class" in message
    assert "'ham'" in message
    rows = [{"label": "ham", "proba": 0.5}] * 3
    assert "two classes" in shell.refusal("value", shell.write("log.csv", rows))
    rows = [{"label": "ham", "proba_ham": 1.0}] * 3
    assert "two classes" in shell.refusal("value", shell.write("log.csv", rows))


@pytest.mark.parametrize("name", ["log.csv", "log.jsonl", "log.parquet"])
def test_an_empty_file(name, shell):
    message = shell.refusal("value", shell.write(name, ""))
    assert name in message
    assert "empty" in message


def test_a_file_of_a_header_alone(shell):
    message = shell.refusal("value", shell.write("log.csv", "label,proba_ham,proba_spam\n"))
    assert "not a single row" in message


def test_a_file_that_is_cut_off(shell):
    whole = shell.write("log.csv", make_log())
    text = (shell.folder / "log.csv").read_text()
    half = shell.write("half.csv", text[: len(text) // 2].rsplit(",", 1)[0])
    assert "broken or cut off" in shell.refusal("value", half)
    pl.read_csv(whole).write_parquet(shell.folder / "log.parquet")
    content = (shell.folder / "log.parquet").read_bytes()
    (shell.folder / "half.parquet").write_bytes(content[: len(content) // 2])
    assert "broken or cut off" in shell.refusal("value", shell.folder / "half.parquet")
    half = shell.write("half.jsonl", '{"label": "ham", "proba_ham": 0.5, "proba_spam": 0.5}\n{"la')
    assert "line 2" in shell.refusal("value", half)


def test_no_file(shell):
    assert "no file" in shell.refusal("value", shell.folder / "log.csv")
    assert "directory" in shell.refusal("value", shell.folder)
    assert ".parquet, .csv" in shell.refusal("value", shell.write("log.xls", "x"))


@pytest.mark.parametrize(
    "option",
    ["--label", "--proba", "--prediction", "--group", "--model", "--weight", "--propensity"],
)
def test_an_unknown_column_suggests_the_nearest(option, shell):
    log = shell.write("log.csv", GOOD)
    message = shell.refusal("value", log, option, "lable")
    assert "no column 'lable'" in message
    assert "did you mean 'label'?" in message
    assert "label, proba_ham, proba_spam" in message


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--omega", -1], ["omega", "0 or more", "-1"]),
        (["--omega", "nan"], ["omega", "finite"]),
        (["--omega", "inf"], ["omega", "finite"]),
        (["--omega", "much"], ["--omega", "'much'"]),
        (["--rho", 0], ["rho", "above 0", "at most"]),
        (["--rho", 1.5], ["rho", "above 0", "1.5"]),
        (["--beta", 0], ["beta", "above 0"]),
        (["--ask-at-most", -3], ["ask-at-most", "-3"]),
        (["--ask-at-most", 1.5], ["ask-at-most", "whole number", "1.5"]),
        (["--max-error", 1], ["max-error", "below 1"]),
        (["--max-error", -0.1], ["max-error", "-0.1"]),
        (["--min-recall", "spam"], ["--min-recall", "CLASS=LEVEL", "'spam'"]),
        (["--min-recall", "spam=much"], ["--min-recall", "CLASS=LEVEL", "spam=much"]),
        (["--min-recall", "=0.5"], ["--min-recall", "CLASS=LEVEL"]),
        (["--min-recall", "spam=1.5"], ["min-recall"]),
        (["--min-recall", "eggs=0.5"], ["'eggs'", "'ham', 'spam'"]),
        (["--min-precision", "spam=0"], ["min-precision"]),
        (["--min-precision", "eggs=0.5"], ["'eggs'", "'ham', 'spam'"]),
        (["--prices", "1,2"], ["--prices", "RIGHT,ASK,WRONG", "'1,2'"]),
        (["--prices", "-20,-0.5,1"], ["wrong < ask < right", "-20"]),
        (["--prices", "1,1,0"], ["wrong < ask < right"]),
        (["--measure", "surprise"], ["'surprise'", "max_probability"]),
        (["--default", "eggs"], ["'eggs'", "ham, spam"]),
        (["--omega", 3, "--rho", 0.5], ["one objective", "--omega", "--rho"]),
        (["--max-error", 0.1, "--prices", "1,0,-1"], ["one objective", "--max-error", "--prices"]),
        (["--beta", 1, "--costs", "costs.json"], ["one objective", "--beta", "--costs"]),
        (["--lable", "x"], ["--lable", "'--label'", "value --help"]),
        (["--html"], ["--html", "argument"]),
        (["twice.csv"], ["twice.csv"]),
    ],
)
def test_an_objective_or_option_out_of_range(flags, words, shell):
    message = shell.refusal("value", shell.write("log.csv", GOOD), *flags)
    for word in words:
        assert word in message


def test_no_log_is_named(shell):
    assert "LOG" in shell.refusal("value")


@pytest.mark.parametrize("value", [0, -2, "", "nan"])
def test_weights_that_are_not_above_0(value, shell):
    rows = [{**row, "w": value if i == 1 else 1} for i, row in enumerate(GOOD)]
    log = shell.write("log.csv", rows)
    message = shell.refusal("value", log, "--weight", "w")
    assert "weight" in message
    assert "row 1" in message
    message = shell.refusal("value", log, "--propensity", "w")
    assert "propensity" in message
    assert "row 1" in message


def test_weight_and_propensity_together(shell):
    rows = [{**row, "w": 1} for row in GOOD]
    message = shell.refusal(
        "value", shell.write("log.csv", rows), "--weight", "w", "--propensity", "w"
    )
    assert "not both" in message


COSTS = {
    "classes": ["ham", "spam"],
    "rows": "truth",
    "columns": "decision",
    "cost": {"ham": {"ham": 0, "spam": 5}, "spam": {"ham": 1, "spam": 0}},
    "reject_cost": 0.5,
}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rows": None}, ["axes", '"rows": "truth"']),
        ({"columns": "truth"}, ["axes", '"columns": "decision"']),
        ({"cost": {"ham": {"ham": 0, "spam": -5}, "spam": {"ham": 1, "spam": 0}}}, ["negative"]),
        ({"cost": {"ham": {"ham": 0}, "spam": {"ham": 1, "spam": 0}}}, ["cell", "'ham'", "'spam'"]),
        ({"cost": {"ham": {"ham": 3, "spam": 2}, "spam": {"ham": 1, "spam": 0}}}, ["must not pay"]),
        ({"cost": {"ham": {"ham": 0, "spam": None}, "spam": {"ham": 1, "spam": 0}}}, ["number"]),
        ({"cost": {"ham": {"ham": 0, "spam": 0}, "spam": {"ham": 0, "spam": 0}}}, ["mistake"]),
        ({"classes": ["ham", "eggs"]}, ["eggs"]),
        ({"reject_cost": -1}, ["reject_cost", "negative"]),
        ({"reject_cost": None}, ["reject_cost", "asking"]),
    ],
)
def test_costs_that_can_not_be_used(change, words, shell):
    costs = shell.write("costs.json", json.dumps({**COSTS, **change}))
    message = shell.refusal("value", shell.write("log.csv", GOOD), "--costs", costs)
    for word in words:
        assert word in message


def test_costs_that_can_not_be_read(shell):
    log = shell.write("log.csv", GOOD)
    assert "no.json" in shell.refusal("value", log, "--costs", shell.folder / "no.json")
    cut = shell.write("cut.json", json.dumps(COSTS)[:40])
    assert "JSON" in shell.refusal("value", log, "--costs", cut)
    other = {**COSTS, "classes": ["a", "b"], "cost": {"a": {"a": 0, "b": 1}, "b": {"a": 1, "b": 0}}}
    message = shell.refusal("value", log, "--costs", shell.write("ab.json", json.dumps(other)))
    assert "a, b" in message
    assert "ham, spam" in message


def test_costs_and_measures_need_probabilities(shell):
    rows = [{"label": "ham", "prediction": p, "confidence": 0.5} for p in CLASSES]
    log = shell.write("log.csv", rows)
    message = shell.refusal("value", log, "--costs", shell.write("costs.json", json.dumps(COSTS)))
    assert "probabilities" in message
    message = shell.refusal("value", log, "--measure", "margin")
    assert "confidence of its own" in message
    log = shell.write("good.csv", GOOD)
    costs = shell.folder / "costs.json"
    assert "margin" in shell.refusal("value", log, "--costs", costs, "--measure", "margin")


def test_an_unmet_limit_says_the_best(shell):
    rows = [{**row, "label": "ham"} for row in GOOD for _ in range(4)]
    rows[0]["label"] = "spam"  # one of the surest is wrong, too
    message = shell.refusal("value", shell.write("log.csv", rows), "--max-error", 0.01)
    assert "0.01" in message
    assert "0.25" in message
    assert "33.3%" in message
    rows = [{**row, "label": "ham" if row["label"] == "spam" else "spam"} for row in GOOD]
    message = shell.refusal("value", shell.write("log.csv", rows), "--min-precision", "spam=0.9")
    assert "'spam'" in message


def test_recall_of_a_class_that_never_occurs(shell):
    rows = [{**row, "label": "ham"} for row in GOOD]
    message = shell.refusal("value", shell.write("log.csv", rows), "--min-recall", "spam=0.9")
    assert "'spam'" in message
    assert "recall" in message


def test_a_page_that_can_not_be_written(shell):
    log = shell.write("log.csv", GOOD)
    message = shell.refusal("value", log, "--html", shell.folder / "no" / "page.html")
    assert "can not be written" in message
    assert "No such file or directory" in message
    assert "can not be written" in shell.refusal("value", log, "--html", shell.folder)
    assert "can not be written" in shell.refusal("value", log, "--html", "")


def test_a_model_without_labels_is_named(shell):
    rows = make_log(20, models=("blunt", "sharp"))
    for row in rows:
        if row["model"] == "sharp":
            row["label"] = ""
    message = shell.refusal("value", shell.write("log.csv", rows), "--model", "model")
    assert "'sharp'" in message
    assert "label" in message


def test_two_rows_of_one_case(shell):
    rows = [{"id": 7, **row} for row in GOOD]
    message = shell.refusal("value", shell.write("log.csv", rows))
    assert "7" in message
    assert "more than once" in message


def test_columns_named_twice(shell):
    text = "label,proba_ham,proba_ham\nham,0.5,0.5\n"
    assert "'proba_ham'" in shell.refusal("value", shell.write("log.csv", text))


def test_csv_is_read_as_it_was_written(shell):
    """The oracle above reads what it wrote: guard it against its own rounding."""
    rows = make_log(5)
    path = shell.write("log.csv", rows)
    with open(path, newline="", encoding="utf-8") as file:
        assert [float(row["proba_spam"]) for row in csv.DictReader(file)] == [
            row["proba_spam"] for row in rows
        ]


def test_a_long_log_is_counted_in_a_sketch(tmp_path, monkeypatch):
    from click.testing import CliRunner

    from askpoint.cli import value

    path = tmp_path / "log.csv"
    path.write_text("label,proba\n" + "1,0.875\n0,0.25\n1,0.25\n0,0.25\n" * 50)
    marker = "counted in bins"

    def words(*options):
        done = CliRunner().invoke(value.value_command, [str(path), *options])
        assert done.exit_code == 0, done.output
        return " ".join(done.stdout.split())

    assert marker not in words()
    assert marker in words("--sketch")
    monkeypatch.setattr(value, "_MANY", 199)
    assert marker in words()
    assert marker not in words("--exact")
    monkeypatch.setattr(value, "_MANY", 200)
    assert marker not in words()
