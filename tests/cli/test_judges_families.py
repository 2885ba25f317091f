"""`askpoint judges --family` and `--within`: copied judges named, and when to stop checking."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest


def answer(shell, *words):
    return shell.json("judges", *words)


def text(shell, *words):
    return " ".join(shell.said("judges", *words).split())


@pytest.fixture(scope="module")
def truth():
    return (np.random.default_rng(4).random(20_000) < 0.6).astype(int)


@pytest.fixture
def votes(tmp_path, truth):
    """Four judges who err independently, the first of them asked twice."""
    right = np.random.default_rng(6).random((len(truth), 4)) < [0.85, 0.9, 0.88, 0.92]
    said = np.where(right, truth[:, None], 1 - truth[:, None])[:, [0, 0, 1, 2, 3]]
    path = tmp_path / "votes.csv"
    pl.DataFrame(said, schema=["gpt-1", "gpt-2", "ann", "bob", "cy"]).write_csv(path)
    return path


GPT = ("--family", "gpt=gpt-1,gpt-2")


def test_a_named_family_is_kept_apart_and_told(votes, truth, shell):
    unnamed, named = answer(shell, votes, "--no-family"), answer(shell, votes, *GPT)
    assert unnamed["families"] is None
    assert unnamed["reasons"]["families"] == "none was named: --family"
    assert unnamed["trust"]["level"] == "not trusted"
    assert named["families"] == {"gpt": ["gpt-1", "gpt-2"]}
    assert named["ensemble"]["flagged"] == []
    assert named["trust"]["level"] == "not trusted"
    for found in (named["ensemble"], named["dawid_skene"]):
        assert found["prevalence"]["0"] == pytest.approx(1 - truth.mean(), abs=0.01)
    assert named["ensemble"]["prevalence"]["0"] == pytest.approx(1 - truth.mean(), abs=0.01)
    assert (unnamed["trios"]["n_trios"], named["trios"]["n_trios"]) == (10, 7)
    said = text(shell, votes, *GPT)
    assert "not taken to err independently: gpt-1, gpt-2 (gpt)" in said
    assert "No pair of judges of different families agrees more" in said


def test_three_families_cannot_show_whether_they_err_together(votes, shell):
    named = answer(shell, votes, *GPT, "--family", "human=ann,bob")
    assert named["trust"]["level"] == "not trusted"
    assert any("three families only" in reason for reason in named["trust"]["reasons"])


def test_two_families_have_no_evaluation_that_takes_them_for_independent(votes, shell):
    flags = (*GPT, "--family", "human=ann,bob,cy")
    named = answer(shell, votes, *flags, "--window", 5000)
    assert named["trios"] is None
    assert named["reasons"]["trios"] == "every trio has two judges of one family"
    assert "fewer than three families" in named["reasons"]["ensemble"]
    assert {window["prevalence"] for window in named["windows"]} == {None}
    assert "fewer than three families" in named["reasons"]["band"]
    assert "fewer than three families" in named["reasons"]["dawid_skene"]


def test_a_trio_with_two_of_a_family_is_not_evaluated(votes, shell):
    flags = ("--judges", "gpt-1,gpt-2,ann", *GPT)
    named = answer(shell, votes, *flags, "--window", 10_000)
    assert named["outcome"] is None
    assert "two of the three judges are of one family" in named["reasons"]["outcome"]
    assert {window["prevalence"] for window in named["windows"]} == {None}
    assert "of one family" in text(shell, votes, *flags)


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--family", "gpt"], "--family must be by-name, or NAME=JUDGE,JUDGE"),
        (["--family", "gpt=ann"], "two judges or more; got 'gpt=ann'"),
        (["--family", "=ann,bob"], "--family must be"),
        (["--family", "x=ann,"], "--family must be"),
        (["--family", "x=ann,bob", "--family", "y=bob,cy"], "'bob' is named twice, in 'x' and"),
        (["--family", "x=ann,zoe"], "'zoe' of the family 'x' is not a judge"),
        (["--within", "0"], "a share between 0 and 1"),
    ],
)
def test_bad_families_are_one_line(votes, flags, words, shell):
    assert words in shell.refusal("judges", votes, *flags)


def checked(votes, truth, n):
    rows = np.random.default_rng(9).permutation(len(truth))[:n]
    path = votes.parent / f"gold{n}.csv"
    pl.DataFrame({"task": rows, "label": truth[rows]}).write_csv(path)
    return "--gold", path


def test_it_says_how_many_more_to_check_until_it_is_enough(votes, truth, shell):
    few = answer(shell, votes, *checked(votes, truth, 150))["checking"]
    assert (few["enough"], few["within"]) == (False, 0.05)
    assert few["prevalence"]["n_checked"] == 150
    assert few["prevalence"]["label"] == "1"  # the label that is told first
    low, high = few["prevalence"]["interval"]
    assert low < truth.mean() < high
    assert few["accuracy"]["n_checked"] == 150
    said = text(shell, votes, *checked(votes, truth, 150))
    assert "Enough labels for ±5 percentage points? Not yet. Still needed:" in said
    least = few["accuracy"]
    assert (
        f"about {least['further']:,} more items for {least['judge']}'s accuracy on {least['label']}"
        in said
    )

    ordinary = answer(shell, votes, *checked(votes, truth, 150))["with_gold"]["interval"]
    assert high - low > np.diff(ordinary["prevalence"]["1"])[0]  # the price of looking

    many = 150 + max(few[k]["further"] for k in ("prevalence", "accuracy")) * 2
    gold = checked(votes, truth, many)
    assert answer(shell, votes, *gold)["checking"]["enough"] is True
    assert "Enough labels? Yes" in text(shell, votes, *gold)
    # between the two widths one is had and the other is not
    halves = [(i[1] - i[0]) / 2 for i in (few[k]["interval"] for k in ("prevalence", "accuracy"))]
    flags = (*checked(votes, truth, 150), "--within", sum(halves) / 2)
    some = answer(shell, votes, *flags)["checking"]
    lacking = "prevalence" if halves[0] > halves[1] else "accuracy"
    assert [k for k in ("prevalence", "accuracy") if some[k]["further"]] == [lacking]
    assert some["enough"] is False
    assert f"Still needed: about {some[lacking]['further']:,} more item" in text(
        shell, votes, *flags
    )


def test_without_gold_labels_there_is_nothing_to_stop(votes, shell):
    content = answer(shell, votes)
    assert content["checking"] is None
    assert content["reasons"]["checking"] == "no gold labels were given"


def test_few_labels_tell_nothing_to_who_looks_often(votes, truth, shell):
    flags = checked(votes, truth, 29)
    assert "need at least 30 labels; got 29" in answer(shell, votes, *flags)["reasons"]["checking"]
    assert "Enough labels? Not known yet: intervals that hold" in text(shell, votes, *flags)


def test_where_all_items_are_checked_it_is_enough(tmp_path, shell):
    rng = np.random.default_rng(1)
    label = rng.random(40) < 0.5
    right = rng.random((40, 3)) < 0.8
    said = np.where(right, label[:, None], ~label[:, None]).astype(int)
    path = tmp_path / "few.csv"
    pl.DataFrame(said, schema=["ann", "bob", "cy"]).with_columns(truth=label.astype(int)).write_csv(
        path
    )
    words = text(shell, path, "--gold", "truth", "--within", 0.01)
    assert "Enough labels? Yes: 1 and all accuracies are known to within 1" in words
