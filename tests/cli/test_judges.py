"""`askpoint judges`: known votes, real crowds, gold labels, and each bad input in one line."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from askpoint.judges.evaluators import EVALUATORS

KEYS = {
    "n_items",
    "judges",
    "labels",
    "outcome",
    "points",
    "chosen",
    "interval",
    "majority",
    "ensemble",
    "agreement",
    "alarm",
    "errors",
}
# UCI adult by true label, in the order aaa, aab, ..., bbb
ADULT_A = [715, 161, 2406, 455, 290, 94, 1335, 231]
ADULT_B = [271, 469, 3395, 7517, 272, 399, 6377, 12455]


def answer(shell, *words):
    return shell.json("judges", *words)


@pytest.fixture
def adult(tmp_path):
    rows = [
        {"ann": "ab"[i >> 2 & 1], "bob": "ab"[i >> 1 & 1], "cid": "ab"[i & 1], "truth": label}
        for label, counts in (("a", ADULT_A), ("b", ADULT_B))
        for i, n in enumerate(counts)
        for _ in range(n)
    ]
    path = tmp_path / "adult.parquet"
    pl.DataFrame(rows).write_parquet(path)
    return str(path)


def test_the_golden_case_of_the_field(adult, shell):
    content = answer(shell, adult, "--judges", "ann,bob,cid")
    assert set(content) >= KEYS
    assert content["n_items"] == 36_842
    assert content["judges"] == ["ann", "bob", "cid"]
    assert content["outcome"] == "inside"
    assert round(content["chosen"]["prevalence"]["a"], 5) == 0.16711
    assert round(content["majority"]["prevalence"]["a"], 5) == 0.21657
    assert len(content["points"]) == 2
    low, high = content["interval"]["prevalence"]["a"]
    assert low < 0.16711 < high
    assert content["errors"] is None
    assert content["reasons"]["errors"] == "no gold labels were given"


def test_gold_from_a_column_says_how_far_off_each_evaluator_is(adult, shell):
    content = answer(shell, adult, "--gold", "truth")
    assert content["judges"] == ["ann", "bob", "cid"]
    assert content["n_gold"] == 36_842
    errors = content["errors"]
    assert errors["independent"]["prevalence"] == pytest.approx(0.16711 - 0.15436, abs=1e-5)
    assert errors["majority"]["prevalence"] == pytest.approx(0.21657 - 0.15436, abs=1e-5)


def test_words_and_page_say_the_same(adult, shell, tmp_path):
    page = tmp_path / "page.html"
    text = " ".join(
        shell.said(
            "judges", adult, "--judges", "ann,bob,cid", "--positive", "b", "--html", page
        ).split()
    )
    assert re.search(r"b is the true label of \d+% to \d+% of 36,842 items", text)
    assert "By votes alone: " in text
    assert "the majority 78%" in text
    assert "otes cannot reveal an error that all judges make" in text
    assert "the one with b at 83.3% counts, because most judges are better than chance" in text
    assert "rust" not in text  # neither Trust nor trusted
    html = page.read_text()
    assert html.count("<img") >= 2
    assert "36,842 items" in html


def test_the_root_is_as_stated(adult, shell):
    flags = ["--judges", "ann,bob,cid", "--root", "0.5,1"]
    content = answer(shell, adult, *flags)
    assert round(content["chosen"]["prevalence"]["a"], 5) == 0.83289
    content = answer(shell, adult, *flags, "--root", "better-than-chance")
    assert content["chosen"] is None
    assert "neither point" in content["reasons"]["chosen"]
    assert "Neither point was chosen" in shell.said(
        "judges", adult, *flags, "--root", "better-than-chance"
    )


@pytest.mark.parametrize("name", ["rte", "bluebird", "temporal"])
def test_real_crowds_with_gold_and_windows(name, data, shell):
    votes, gold = (str(data / "crowd" / f"{name}{kind}.csv.gz") for kind in ("", ".gold"))
    content = answer(shell, votes, "--gold", gold, "--window", 100)
    assert content["outcome"] is None
    assert "three judges" in content["reasons"]["outcome"]
    frame = pl.read_csv(votes, infer_schema=False)
    assert content["n_items"] == frame["task"].n_unique()
    assert content["errors"]["ensemble"]["prevalence"] < 0.05
    assert len(content["windows"]) == -(-content["n_items"] // 100)
    assert content["alarm"]["required"] == 0.5
    text = shell.said("judges", votes, "--gold", gold, "--window", 100)
    assert "All methods" in text
    assert "gold labels" in text


def test_more_labels_stand_one_against_the_rest(data, shell):
    votes, gold = (str(data / "crowd" / f"dog{kind}.csv.gz") for kind in ("", ".gold"))
    content = answer(shell, votes, "--gold", gold, "--positive", "2")
    assert content["labels"] == ["2", "not 2"]
    truth = (pl.read_csv(gold, infer_schema=False)["label"] == "2").mean()
    assert content["errors"]["majority"]["prevalence"] < 0.2
    assert abs(content["majority"]["prevalence"]["2"] - truth) == pytest.approx(
        content["errors"]["majority"]["prevalence"]
    )


def test_four_labels_are_evaluated_by_confusions(data, shell):
    votes, gold = (str(data / "crowd" / f"dog{kind}.csv.gz") for kind in ("", ".gold"))
    content = answer(shell, votes, "--gold", gold)
    assert content["labels"] == ["0", "1", "2", "3"]
    assert set(content["confusions"]["prevalence"]) == set(content["labels"])
    assert content["ensemble"] is None
    assert "two labels" in content["reasons"]["ensemble"]
    assert content["errors"]["confusions"]["accuracy"] < 0.25
    around = content["confusions"]["interval"]
    for label, share in content["confusions"]["prevalence"].items():
        lower, upper = around["prevalence"][label]
        assert 0 <= lower < share < upper <= 1
    assert set(around["accuracy"]) == set(content["judges"])
    assert 0 < len(content["confusions"]["few_votes"]) < len(content["judges"])
    words = " ".join(shell.said("judges", votes).split())
    assert "fewer than 20 votes on the items of a label, too few for intervals" in words


def test_judges_too_many_for_intervals_are_told(data, shell):
    votes = str(data / "crowd" / "web.csv.gz")
    content = answer(shell, votes)
    assert "interval" not in content["confusions"]
    assert "177 judges" in content["reasons"]["confusions_interval"]
    assert set(content["band"]["prevalence"]) == set(content["labels"])


def test_every_key_of_the_object_is_documented(adult, shell):
    page = (Path(__file__).parents[2] / "docs" / "reference" / "judges-json.md").read_text()
    content = answer(shell, adult, "--judges", "ann,bob,cid")
    listed = {evaluator.name for evaluator in EVALUATORS}  # the page makes a list of them
    assert "```{evaluators}" in page
    assert [key for key in content if key not in listed and f"`{key}`" not in page] == []


def test_repeated_votes_are_told(data, shell):
    votes, gold = (str(data / "crowd" / f"hit_spam{kind}.csv.gz") for kind in ("", ".gold"))
    assert "4169 votes repeat a pair" in shell.refusal("judges", votes)
    content = answer(shell, votes, "--repeats", "first", "--gold", gold)
    assert (content["n_repeats"], content["n_gold"], content["n_gold_unjudged"]) == (4169, 100, 1)


def test_drift_is_seen(shell, tmp_path):
    rng = np.random.default_rng(3)
    truth = rng.random(4000) < 0.4
    votes = np.where(rng.random((4000, 3)) < 0.85, truth[:, None], ~truth[:, None]).astype(int)
    votes[2000:, 1] = 1
    path = tmp_path / "votes.csv"
    pl.DataFrame(votes, schema=["ann", "bob", "cid"]).write_csv(path)
    content = answer(shell, str(path), "--window", 1000)
    assert content["drift"]["judges"]["bob"] < 1e-6 < content["drift"]["judges"]["ann"]
    assert content["drift"]["alarms"] == ["bob"]
    assert content["windows"][3]["prevalence"] is None
    said = " ".join(shell.said("judges", path, "--window", 1000).split())
    assert "bob changed since item" in said


@pytest.mark.parametrize(
    ("votes", "flags", "words"),
    [
        ("ann,bob\nx,y\n", ["--propose", "-1"], "propose a natural number"),
        ("ann,bob\nx,y\n", ["--required", "2"], "between 0 and 1"),
        ("ann,bob\nx,y\n", ["--correlation", "1"], "a correlation must be between 0 and 1"),
        ("ann,bob\nx,y\n", ["--window", "0"], "at least one item"),
        ("ann,bob\nx,y\n", ["--root", "0.2"], "--root must be"),
        ("ann,bob\nx,y\n", ["--repeats", "first"], "one row per vote"),
        ("ann,bob\nx,y\n", ["--labels", "x,z"], "'y' is not one of the labels"),
        ("ann,bob\nx,y\n", ["--judges", "zoe"], "'zoe'"),
        ("ann,bob\nx,y\n", ["--gold", "no.csv"], "there is no file"),
        (
            "ann,bob,truth\nx,y,z\n",
            ["--gold", "truth"],
            "'z' of '0' is not one of the judges' labels",
        ),
        ("ann,bob\nx,x\n", [], "one label only"),
        ("ann,bob\n", [], "not a single row"),
        ("worker,task,label\na,1,x\na,1,y\n", [], "repeat a pair"),
        ("worker,task,label\na,,x\nb,1,y\n", [], "must hold a name in every row"),
    ],
)
def test_bad_input_is_one_line(votes, flags, words, shell):
    assert words in shell.refusal("judges", shell.write("votes.csv", votes), *flags)


@pytest.mark.parametrize(
    ("votes", "words"),
    [
        ("ann,bob\nx,y\ny,y\n", "it takes three judges"),
        ("ann,bob,cid\nx,y,\ny,y,\n", "no item has votes of all three"),
        ("ann,bob,cid\nx,x,x\nx,x,x\ny,x,x\n", "infinitely many evaluations"),
    ],
)
def test_votes_that_carry_no_evaluation_say_why(votes, words, shell):
    path = shell.write("votes.csv", votes)
    content = answer(shell, path)
    assert content["chosen"] is None
    assert words in content["reasons"]["chosen"]
    assert shell.said("judges", path)


def test_perfect_judges_of_whole_numbers(shell):
    path = shell.write("votes.csv", "ann,bob,cid\n" + "x,x,x\n" * 30 + "y,y,y\n" * 10)
    content = answer(shell, path)
    assert content["is_resolved"] is True
    assert content["is_integer_consistent"] is True
    assert content["chosen"]["exact"] == {"x": "3/4", "y": "1/4"}
    assert content["alarm"]["fires"] is False
    assert "Even perfect judges" in shell.said("judges", path)


@pytest.fixture
def correlated(tmp_path):
    """Judges of whom two share a third of their votes; votes, truth, and 100 checked items."""
    rng = np.random.default_rng(8)
    truth = (rng.random(5000) < 0.7).astype(int)
    votes = np.where(rng.random((5000, 3)) < 0.8, truth[:, None], 1 - truth[:, None])
    share = rng.random(5000) < 0.35
    votes[share, 1] = votes[share, 0]
    frame = pl.DataFrame(votes, schema=["ann", "bob", "cid"])
    frame = frame.with_columns(task=pl.Series([f"t{i}" for i in range(5000)]))
    frame.write_csv(tmp_path / "votes.csv")
    gold = pl.DataFrame({"task": frame["task"], "label": truth})
    gold.sample(100, seed=1).write_csv(tmp_path / "gold.csv")
    return tmp_path, dict(zip(frame["task"], truth, strict=True))


def test_a_few_gold_labels_mend_what_independence_breaks(correlated, shell):
    folder, truth = correlated
    p = 1 - np.mean(list(truth.values()))
    content = answer(shell, folder / "votes.csv", "--gold", folder / "gold.csv")
    low, high = content["with_gold"]["interval"]["prevalence"]["0"]
    assert low < p < high
    low, high = content["interval"]["prevalence"]["0"]
    assert not low < p < high
    assert content["trust"]["level"] == "not trusted"
    assert sum(of["n_labelled"] for of in content["sure"].values()) <= 100
    assert content["effective_judges"]["n_labelled"] == 100
    said = " ".join(
        shell.said("judges", folder / "votes.csv", "--gold", folder / "gold.csv").split()
    )
    assert "independence is not assumed" in said
    assert "drawn at random" in said
    assert "These 3 judges carry as much information as" in said
    assert "labelled items that the votes are confident are" in said


def test_labels_of_both_periods_tell_who_changed(shell, tmp_path):
    """Two judges only, of whom votes alone cannot tell; the second one passes all since item 300."""
    rng = np.random.default_rng(5)
    truth = rng.random(600) < 0.5
    votes = np.where(rng.random((600, 2)) < 0.9, truth[:, None], ~truth[:, None])
    votes[300:, 1] = True
    frame = pl.DataFrame(np.where(votes, "pass", "fail"), schema=["ann", "bob"])
    truths = pl.Series("human", np.where(truth, "pass", "fail"))
    labelled = pl.Series(np.isin(np.arange(600), rng.permutation(600)[:160]))
    frame = frame.with_columns(pl.when(labelled).then(truths).alias("human"))
    frame.write_csv(tmp_path / "votes.csv")
    flags = (tmp_path / "votes.csv", "--gold", "human", "--window", 300)
    content = answer(shell, *flags)
    assert content["drift"] is None
    assert content["drift_by_labels"]["alarms"] == ["bob"]
    said = " ".join(shell.said("judges", *flags).split())
    assert "By labels bob changed since item 301: right on" in said
    assert "of what is fail before and on 0% since" in said
    calm = " ".join(shell.said("judges", *flags, "--judges", "ann").split())
    assert "By labels of both periods no judge changed for sure. The least p-value is ann's" in calm
    fewer = " ".join(shell.said("judges", *flags[:3], "--window", 590).split())
    assert "By labels: drift by labels needs 20 labelled items before and as many since" in fewer


def test_proposed_items_are_new_and_make_the_answer_better(correlated, shell):
    folder, truth = correlated
    flags = [folder / "votes.csv", "--gold", folder / "gold.csv"]
    before = answer(shell, *flags, "--propose", 400)
    assert answer(shell, *flags, "--propose", 400) == before  # the same until something is new
    checked = pl.read_csv(folder / "gold.csv")
    proposed = before["proposed"]
    assert len(set(proposed)) == 400
    assert not set(proposed) & set(checked["task"])
    more = pl.DataFrame({"task": proposed, "label": [int(truth[task]) for task in proposed]})
    pl.concat([checked, more.cast(checked.schema)]).write_csv(folder / "more.csv")
    after = answer(shell, folder / "votes.csv", "--gold", folder / "more.csv")

    def width(content):
        low, high = content["with_gold"]["interval"]["prevalence"]["0"]
        return high - low

    assert after["n_gold"] == 500
    assert width(after) < 0.7 * width(before)
    assert after["proposed"] is None
    assert "--propose N" in after["reasons"]["proposed"]
    assert proposed[0] in shell.said("judges", *flags, "--propose", 400)


def test_a_first_batch_says_what_waits_for_it(correlated, shell):
    folder, _ = correlated
    content = answer(shell, folder / "votes.csv", "--propose", 60)
    assert (len(content["proposed"]), content["n_later"]) == (25, 35)
    said = " ".join(shell.said("judges", folder / "votes.csv", "--propose", 60).split())
    assert "Check these 25 items first" in said
    assert "The other 35 are best chosen where these find the votes wrong" in said


def test_no_votes_are_trusted_and_their_misfits_are_said(shell, tmp_path):
    rng = np.random.default_rng(2)
    truth = (rng.random(20_000) < 0.5).astype(int)
    votes = np.where(rng.random((20_000, 6)) < 0.9, truth[:, None], 1 - truth[:, None])
    names = [f"judge {i}" for i in range(6)]
    pl.DataFrame(votes, schema=names).write_csv(tmp_path / "good.csv")
    content = answer(shell, tmp_path / "good.csv")
    assert content["trust"]["level"] == "not trusted"
    assert "cannot reveal an error that all judges make" in content["trust"]["reasons"][0]
    band = content["band"]
    assert band["correlation"] == 0.32
    low, high = band["prevalence"]["0"]
    assert low < 1 - truth.mean() < high
    assert set(band["accuracy"]) == set(names)
    wide = answer(shell, tmp_path / "good.csv", "--correlation", 0.5)
    assert wide["band"]["prevalence"] == content["other_bands"][0]["prevalence"]
    said = " ".join(shell.said("judges", tmp_path / "good.csv").split())
    assert "The votes fit judges who err independently" in said
    assert "60 labels would tell: --propose 60" in said
    share = rng.random(20_000) < 0.6
    votes[share, 1] = votes[share, 0]
    pl.DataFrame(votes, schema=names).write_csv(tmp_path / "shared.csv")
    content = answer(shell, tmp_path / "shared.csv")
    assert content["ensemble"]["flagged"][0]["judges"] == ["judge 0", "judge 1"]
    assert "1 pair of judges errs together" in content["trust"]["reasons"]
    said = " ".join(shell.said("judges", tmp_path / "shared.csv").split())
    assert "do not fit judges who err independently: 1 pair of judges errs together" in said
    # a majority gives no sign of its own mistakes
    path = shell.write("two.csv", "ann,bob\nx,y\ny,y\n")
    assert answer(shell, path)["trust"]["level"] == "not trusted"
    said = " ".join(shell.said("judges", path).split())
    assert "Votes alone do not show how often x is the true label of 2 items" in said
    assert "these two judges agree on 50% of those that both judged" in said
    assert "How often each judge" not in said


def test_two_families_are_told_what_would_help(shell, tmp_path):
    rows = "a,a,a,b\nb,b,b,b\na,b,a,a\nb,a,b,b\n" * 20
    path = shell.write("votes.csv", "gpt-4o,gpt-4o-mini,claude-3,claude-4\n" + rows)
    said = " ".join(shell.said("judges", path, "--family", "by-name").split())
    assert "Votes alone do not show" in said
    assert "fewer than three families" in said
    assert "60 labels would tell: --propose 60" in said
    assert "How often each judge votes as the majority does" in said
    assert "Beware" not in said
    items = " ".join(shell.said("judges", path, "--family", "by-name", "--propose", 60).split())
    assert "Check these 25 items first" in items


def test_labels_that_settle_every_number_are_trusted(shell, tmp_path):
    rng = np.random.default_rng(4)
    truth = (rng.random(3000) < 0.5).astype(int)
    votes = np.where(rng.random((3000, 4)) < 0.9, truth[:, None], 1 - truth[:, None])
    frame = pl.DataFrame(votes, schema=["ann", "bob", "cy", "dan"])
    frame.with_columns(truth=truth).write_csv(tmp_path / "votes.csv")
    content = answer(shell, tmp_path / "votes.csv", "--gold", "truth")
    assert content["trust"]["level"] == "trusted"
    said = shell.said("judges", tmp_path / "votes.csv", "--gold", "truth")
    assert "All numbers are accurate to within 5 percentage points" in " ".join(said.split())


def test_families_are_asked_for_by_name(shell):
    rows = "a,a,a,b\nb,b,b,b\na,b,a,a\nb,a,b,b\n" * 5
    path = shell.write("votes.csv", "gpt-4o,gpt-4o-mini,ann,bob\n" + rows)
    said = " ".join(shell.said("judges", path).split())
    assert "gpt-4o and gpt-4o-mini look like one family" in said
    assert "--family openai=gpt-4o,gpt-4o-mini" in said
    assert answer(shell, path)["guessed_families"] == {"openai": ["gpt-4o", "gpt-4o-mini"]}
    assert answer(shell, path, "--no-family")["guessed_families"] is None
    named = answer(shell, path, "--family", "by-name")
    assert named["families"] == {"openai": ["gpt-4o", "gpt-4o-mini"]}
    both = ("--family", "by-name", "--family", "x=ann,bob")
    assert "must be the only --family" in shell.refusal("judges", path, *both)


@pytest.mark.whole
def test_items_that_are_one_count_once(adult, shell, tmp_path):
    """Every item twice, as two of one cluster: the same answer as every item once."""
    once = pl.read_parquet(adult).sample(600, seed=0).with_row_index("task")
    path, clusters = tmp_path / "twice.csv", tmp_path / "clusters.csv"
    pl.concat([once, once.with_columns(pl.col("task") + 600)]).write_csv(path)
    items = range(1200)
    pl.DataFrame({"task": items, "cluster": [i % 600 for i in items]}).write_csv(clusters)
    judges = ("--judges", "ann,bob,cid", "--gold", "truth")
    found = answer(shell, str(path), *judges, "--clusters", str(clusters))
    once.write_csv(single := tmp_path / "once.csv")
    expected = answer(shell, str(single), *judges)
    assert (found.pop("n_clustered"), expected.pop("n_clustered")) == (600, 0)
    assert found == expected
    words = " ".join(shell.said("judges", str(path), *judges, "--clusters", str(clusters)).split())
    assert "600 items count together with another one of the same cluster" in words


def test_clusters_of_other_items(adult, shell, tmp_path):
    clusters = tmp_path / "clusters.csv"
    pl.DataFrame({"task": ["p"], "cluster": ["one"]}).write_csv(clusters)
    message = shell.refusal("judges", adult, "--judges", "ann,bob,cid", "--clusters", str(clusters))
    assert "none of the 36842 items has a cluster" in message


def test_two_judges_cannot_be_told_apart(shell, tmp_path):
    path = tmp_path / "two.csv"
    pl.DataFrame({"ann": ["x", "y"], "bob": ["y", "x"]}).write_csv(path)
    words = " ".join(shell.said("judges", str(path)).split())
    assert "No evaluator has an answer: at least 3 judges must have voted" in words
    assert "no window" not in words
    assert "equal votes among pairs" in words
