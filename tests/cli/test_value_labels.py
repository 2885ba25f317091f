"""`askpoint value` where only some rows have a label: who was looked at, and how likely."""

from __future__ import annotations

import random
from fractions import Fraction

from scipy.stats import binomtest

from cli.logs import KEYS, answered, best_threshold, close, confidence, is_right, make_log, outcomes


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
    for row in rows:
        if row["chance"] < 1:
            row["label"] = ""
    log = shell.write("log.csv", rows)
    content = shell.answer(log)
    assert set(content) >= KEYS
    rules = ("recommended", "hindsight", "ask_all", "answer_all")
    figures = {f"{rule}.{key}" for rule in rules for key in ("rule", "asked", "mistakes", "cost")}
    for path in {"accuracy", "threshold", "expected"} | figures:
        rule, _, key = path.rpartition(".")
        assert (content[rule] if rule else content)[key] is None
        assert "no case has a label" in content["reasons"][path]
        assert "--propose 100" in content["reasons"][path]
    assert content["decided"] is False
    assert content["hindsight"]["selection"]["is_selective"] is True
    shares = content["hindsight"]["selection"]["labelled_share_by_tenth"]
    assert shares[0] == 1
    assert shares[-1] == 0
    text = shell.said("value", log)
    assert "No verdict" in text
    assert "Let the model decide" not in text


def test_the_users_word_overrides_the_refusal(shell):
    rows, _ = looked_at_where_unsure(1000)
    log = shell.write("log.csv", rows)
    content = shell.answer(log, "--labels-are-random")
    assert content["hindsight"]["selection"]["is_selective"] is True
    known = [row for row in rows if row["label"]]
    threshold = best_threshold(known, 19)
    assert answered(rows, content["threshold"]) == answered(rows, threshold)
    right, wrong, _ = outcomes(known, threshold)
    assert content["hindsight"]["risk"]["estimate"] == close(Fraction(wrong, right + wrong))
    coverage = Fraction(sum(confidence(row) >= threshold for row in rows), 1000)
    assert 1 - content["hindsight"]["asked"]["share"] == close(coverage)
    risk = Fraction(wrong, right + wrong)
    assert content["hindsight"]["value"]["estimate"] == close(
        coverage * (1 - risk) - 19 * coverage * risk
    )
    assert "You stated that they are random" in shell.said("value", log, "--labels-are-random")


def test_propensities_weigh_the_labels_by_hajek(shell):
    rows, truth = looked_at_where_unsure()
    log = shell.write("log.csv", rows)
    content = shell.answer(log, "--propensity", "chance", "--rho", 0.2)
    known = [row for row in rows if row["label"]]

    def weight(row):
        return 1 / Fraction(row["chance"]).limit_denominator(10)

    mass = sum(map(weight, known))
    accuracy = sum(weight(row) for row in known if is_right(row)) / mass
    assert content["accuracy"] == close(accuracy)
    threshold = best_threshold(known, 4, weight)
    printed = content["hindsight"]["rule"]["threshold"]
    assert answered(rows, printed) == answered(rows, threshold)
    right, wrong, _ = outcomes(known, threshold, weight)
    assert content["hindsight"]["risk"]["estimate"] == close(wrong / (right + wrong))
    # widened: no surer than the number of labels that were there to see
    low, high = content["hindsight"]["risk"]["interval"]
    seen = outcomes(known, threshold)
    narrow = binomtest(seen[1], seen[0] + seen[1]).proportion_ci(0.95, "exact")
    assert high - low > 0.9 * (narrow.high - narrow.low)
    # and true: the labels that the log does not show are these
    _, missed, _ = outcomes(truth, threshold)
    alone = sum(confidence(row) >= threshold for row in truth)
    assert low < missed / alone < high


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
