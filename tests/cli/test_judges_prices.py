"""Whom to pay for: prices of zero, prices that say nothing, opposites, labels on one stratum."""

from __future__ import annotations

import re

import numpy as np
import pytest

WORDS = np.array(["first", "second"])
N = 1000


def pairs():
    """A thousand pairs, and five judges: a copy, a constant and one that prefers the first place among them."""
    rng = np.random.default_rng(11)
    truth = (rng.random(N) < 0.55).astype(int)
    is_hard = rng.random(N) < 0.25

    def judge(easy, hard):
        right = rng.random(N) < np.where(is_hard, hard, easy)
        return np.where(right, truth, 1 - truth)

    gpt, claude = judge(0.93, 0.6), judge(0.88, 0.55)
    lazy = np.where(rng.random(N) < 0.35, 0, judge(0.8, 0.5))
    again = np.where(rng.random(N) < 0.004, 1 - gpt, gpt)
    none = np.zeros(N, int)
    votes = {"gpt": gpt, "claude": claude, "gpt again": again, "constant": none, "lazy": lazy}
    return truth, votes


@pytest.fixture
def evening(shell):
    truth, votes = pairs()
    rows = [{"task": f"p{i}"} | {k: WORDS[v[i]] for k, v in votes.items()} for i in range(N)]
    return truth, votes, shell.write("votes.csv", rows)


def label(truth, items):
    return [{"task": f"p{i}", "label": WORDS[truth[i]]} for i in items]


def test_a_price_of_zero(shell, evening):
    truth, _, path = evening
    gold = shell.write("gold.csv", label(truth, range(0, N, 10)))
    free = shell.json("judges", path, "--gold", gold, "--check", "2", "--vote", "0")
    assert free["choice"]["paid"]
    assert {one["cost"] for one in free["choice"]["judges"]} == {0}
    nothing = ("judges", path, "--gold", gold, "--check", "0", "--vote", "0.01")
    assert shell.json(*nothing)["choice"]["paid"] == []
    assert "Pay for none of these judges" in " ".join(shell.said(*nothing).split())


def test_what_votes_save_is_said_in_labels(shell, evening):
    truth, _, path = evening
    gold = shell.write("gold.csv", label(truth, range(0, N, 10)))
    words = ("judges", path, "--gold", gold, "--check", "2", "--vote", "0.001")
    saved = shell.json(*words)["choice"]["saved"] / 2
    said = " ".join(shell.said(*words).split())
    found = re.search(
        r"together they save the price of ([\d,]+) labels \(between (.+?)\) at the", said
    )
    assert found is not None
    assert float(found[1].replace(",", "")) == float(f"{saved:.2g}")
    low, high = (float(end.replace(",", "")) for end in found[2].split(" and "))
    assert low < saved < high


@pytest.mark.parametrize(
    ("step", "vote", "says"),
    [
        (10, "0.001", r"Pay for gpt, claude and lazy: .* \(between [\d.,]+ and [\d.,]+\)"),
        (100, "0.001", r"Not decided yet whom to pay for\. Best guess: gpt; that judge saves .*would save [\d.,]+ \(between"),
        (10, "0.15", r"Not decided yet whom to pay for\. Best guess: .*would lose [\d.,]+ \(between [\d.,]+ and [\d.,]+\)"),
        (10, "0.04", r"Not decided yet whom to pay for\. Best guess: .*between [\d.,]+ lost and [\d.,]+ saved"),
        (10, "5", r"Pay for none of these judges: together they cost"),
    ],
)  # fmt: skip
def test_whom_to_pay_for_is_decided_only_where_they_surely_save(shell, evening, step, vote, says):
    truth, _, path = evening
    gold = shell.write("gold.csv", label(truth, range(0, N, step)))
    words = ("judges", path, "--gold", gold, "--check", "2", "--vote", vote)
    told = shell.json(*words)
    said = " ".join(shell.said(*words).split())
    assert re.search(says, said), said[:400]
    choice, worth = told["choice"], told["worth"]
    ends = [end - worth["n_plain"] + choice["saved_by_all"] / 2 for end in worth["interval"]]
    is_all = len(choice["paid"]) == len(told["judges"]) - 2  # but for the copy and the constant
    sure = max(ends) <= 0 if not choice["paid"] else min(ends) >= 0 and is_all
    assert ("Not decided yet whom" not in said) == sure
    whys = {one["judge"]: one["why"] for one in worth["judges"]}
    for one in choice["judges"]:
        if one["judge"] in choice["paid"]:
            assert (whys[one["judge"]] == "saves more than it costs") == (one["saved"] > 0)


def test_prices_that_say_nothing(shell, evening):
    truth, _, path = evening
    gold = shell.write("gold.csv", label(truth, range(0, N, 10)))

    def refusal(*words):
        return shell.refusal("judges", path, "--gold", gold, *words)

    assert "--vote needs --check" in refusal("--vote", "0.01")
    assert "--vote gpt must be a price from 0 up; got -1" in refusal(
        "--check", "2", "--vote", "gpt=-1"
    )
    assert "--check must be a price from 0 up; got nan" in refusal("--check", "nan", "--vote", "1")
    assert "name each judge once; got gpt twice" in refusal(
        "--check", "2", "--vote", "gpt=1", "--vote", "gpt=2"
    )
    assert "AMOUNT, or JUDGE=AMOUNT" in refusal("--check", "2", "--vote", "=3")
    assert "claude, lazy has no price" in refusal("--check", "2", "--vote", "gpt=1")
    assert "there is no judge 'me'" in refusal("--check", "2", "--vote", "1", "--vote", "me=1")


def test_two_judges_who_are_each_others_opposite(shell):
    truth, votes = pairs()
    rows = [
        {"task": f"p{i}", "gpt": WORDS[votes["gpt"][i]], "not gpt": WORDS[1 - votes["gpt"][i]]}
        for i in range(N)
    ]
    path = shell.write("two.csv", rows)
    said = " ".join(shell.said("judges", path).split())
    assert "Opposites, left out: not gpt (of gpt)." in said
    gold = shell.write("gold.csv", label(truth, range(0, N, 10)))
    told = shell.json("judges", path, "--gold", gold)
    low, high = told["with_gold"]["interval"]["prevalence"]["first"]
    assert low < np.mean(truth == 0) < high
    assert told["worth"]["judges"][1]["why"] == "opposite of gpt"
    counted = shell.json("judges", path, "--gold", gold, "--no-family")  # both, as asked
    low, high = counted["with_gold"]["interval"]["prevalence"]["first"]
    assert low < np.mean(truth == 0) < high


def test_all_labels_on_one_stratum(shell, evening):
    truth, votes, path = evening
    agreed = [i for i in range(N) if votes["gpt"][i] == votes["claude"][i] == votes["lazy"][i] == 0]
    gold = shell.write("gold.csv", label(truth, agreed[:80]))
    told = shell.json("judges", path, "--gold", gold)
    assert told["label_origin"]["is_refused"]
    assert told["with_gold"] is None
    assert told["worth"] is None
    low, high = told["label_origin"]["bounds"]["first"]
    assert low < np.mean(truth == 0) < high
