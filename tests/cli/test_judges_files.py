"""`askpoint judges` and the files of real people: ids, texts, slips, spellings, words for no vote."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
import pytest


def panel(n=60, seed=0, judges=("ann", "bob", "cy")):
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.6
    right = rng.random((n, len(judges))) < 0.85
    votes = np.where(right, truth[:, None], ~truth[:, None])
    return pl.DataFrame({j: np.where(votes[:, i], "pass", "fail") for i, j in enumerate(judges)})


def text(shell, *words):
    return " ".join(shell.said("judges", *words).split())


def test_ids_and_texts_are_no_judges(shell, tmp_path):
    frame = panel().with_columns(
        id=pl.Series([f"q{i}" for i in range(60)]),
        comment=pl.Series(
            [f"a long remark on why number {i} was judged as it was" for i in range(60)]
        ),
    )
    frame.write_csv(tmp_path / "votes.csv")
    content = shell.json("judges", tmp_path / "votes.csv")
    assert content["judges"] == ["ann", "bob", "cy"]
    assert content["notes"]["columns"] == {"id": "id", "comment": "text"}
    assert "No judges: id (names of items), comment (texts)" in text(shell, tmp_path / "votes.csv")


@pytest.mark.parametrize("n", [200, 2000])
def test_too_many_labels_are_refused_in_one_line(n, shell, tmp_path):
    frame = panel(n).with_columns(score=pl.Series(np.arange(n) % (n // 2) + 0.5))
    frame.write_csv(tmp_path / "votes.csv")
    message = shell.refusal("judges", tmp_path / "votes.csv", "--judges", "ann,bob,score")
    assert "too many for votes" in message or "none of the labels" in message
    assert "--task" in message
    assert "--judges" in message
    assert len(message) < 400


def test_labels_nearly_unique_are_refused(shell):
    rows = "".join(f"a{i},b{i},c{i}\n" for i in range(8))
    path = shell.write("votes.csv", "ann,bob,cy\n" + rows)
    assert "too many for votes" in shell.refusal("judges", path, "--judges", "ann,bob,cy")


def test_a_slip_is_left_out_and_said(shell, tmp_path):
    frame = panel(12_000).with_columns(
        ann=pl.when(pl.int_range(pl.len()) == 5).then(pl.lit("10")).otherwise(pl.col("ann"))
    )
    frame.write_csv(tmp_path / "votes.csv")
    content = shell.json("judges", tmp_path / "votes.csv")
    assert content["labels"] == ["fail", "pass"]
    assert content["notes"]["slips"] == {"10": 1}
    assert "Left out as slips" in text(shell, tmp_path / "votes.csv")
    assert "'10' (1)" in text(shell, tmp_path / "votes.csv", "--labels", "pass,fail")
    all_three = shell.json("judges", tmp_path / "votes.csv", "--labels", "pass,fail,10")
    assert all_three["labels"] == ["pass", "fail", "10"]
    # the same with a row an item that is named, which is another way through the reader
    frame.with_row_index("task").write_csv(tmp_path / "named.csv")
    named = shell.json("judges", tmp_path / "named.csv", "--positive", "PASS")
    assert (named["labels"], named["notes"]["slips"]) == (["pass", "fail"], {"10": 1})


def test_spellings_of_one_label_are_joined_in_votes_and_gold(shell, tmp_path):
    frame = panel(200)
    frame.with_columns(bob=pl.col("bob").str.to_uppercase()).write_csv(tmp_path / "votes.csv")
    content = shell.json("judges", tmp_path / "votes.csv")
    assert content["labels"] == ["fail", "pass"]
    assert set(content["notes"]["joined"]) == {"fail", "pass"}
    said = text(shell, tmp_path / "votes.csv")
    assert "Read 'PASS' as 'pass'." in said
    named = frame.with_columns(bob=pl.col("bob").str.to_uppercase()).with_row_index("task")
    named.write_csv(tmp_path / "named.csv")
    gold = pl.DataFrame({"task": range(40), "human": ["Pass"] * 20 + ["FAIL"] * 20})
    gold.write_csv(tmp_path / "gold.csv")
    found = shell.json("judges", tmp_path / "named.csv", "--gold", tmp_path / "gold.csv")
    assert found["n_gold"] == 40


def test_words_for_no_vote(shell, tmp_path):
    frame = panel(300).with_columns(
        ann=pl.when(pl.int_range(pl.len()) < 30).then(pl.lit("ERROR")).otherwise(pl.col("ann"))
    )
    path = tmp_path / "votes.csv"
    frame.write_csv(path)
    assert "add --missing ERROR" in text(shell, path)
    content = shell.json("judges", path, "--missing", "error,N/A")
    assert content["labels"] == ["fail", "pass"]
    assert content["notes"]["missing"] == {"ERROR": 30}
    assert "Not counted as votes: 'ERROR' (30)" in text(shell, path, "--missing", "error,N/A")
    long = frame.with_row_index("task").unpivot(
        index="task", variable_name="worker", value_name="label"
    )
    long.write_csv(tmp_path / "long.csv")
    found = shell.json("judges", tmp_path / "long.csv", "--missing", "ERROR")
    assert found["dawid_skene"]["prevalence"] == pytest.approx(content["dawid_skene"]["prevalence"])


def test_gold_labels_that_name_no_column_say_which_option_does(shell, tmp_path):
    panel().with_row_index("task").write_csv(tmp_path / "votes.csv")
    votes = tmp_path / "votes.csv"
    two = shell.write("two.csv", "task,mine,yours\n0,pass,pass\n")
    assert "--label" in shell.refusal("judges", votes, "--gold", two)
    unnamed = shell.write("unnamed.csv", "name,label\n0,pass\n")
    assert "--task" in shell.refusal("judges", votes, "--gold", unnamed)
    contradictory = shell.write("both.csv", "task,label\n0,pass\n0,fail\n")
    assert "both 'pass' and 'fail' of '0'" in shell.refusal(
        "judges", votes, "--gold", contradictory
    )
    unknown = shell.write("unknown.csv", "task,label\nnobody,pass\n0,pass\n")
    assert shell.json("judges", votes, "--gold", unknown)["n_gold_unjudged"] == 1


def test_an_edited_proposal_counts_for_what_is_left_of_it(shell, tmp_path):
    """Rows in another order, one twice, some left blank, one of an item that nobody judged."""
    panel(200).with_row_index("task").write_csv(tmp_path / "votes.csv")
    votes = tmp_path / "votes.csv"
    proposed = shell.json("judges", votes, "--propose", 30)["proposed"]
    labels = ["pass", "fail"] * 20
    whole = dict(zip(proposed, labels, strict=False))
    kept = proposed[::-1][:10]
    edited = "task,label\n" + "".join(f"{task},{whole[task]}\n" for task in [*kept, kept[0]])
    edited += "".join(f"{task},\n" for task in proposed[:3]) + "stranger,pass\n"
    found = shell.json("judges", votes, "--gold", shell.write("edited.csv", edited))
    plain = "task,label\n" + "".join(f"{task},{whole[task]}\n" for task in kept)
    expected = shell.json("judges", votes, "--gold", shell.write("plain.csv", plain))
    assert (found["n_gold"], found["n_gold_unjudged"]) == (10, 1)
    assert found["with_gold"] == expected["with_gold"]
    again = shell.json("judges", votes, "--gold", tmp_path / "edited.csv", "--propose", 30)
    assert not set(again["proposed"]) & set(kept)
    strangers = shell.write("strangers.csv", "task,label\nq1,pass\nq2,fail\n")
    message = shell.refusal("judges", votes, "--gold", strangers)
    assert "none of the 2 gold labels matches an item with votes: they name 'q1'" in message
    assert "--task" in message


@pytest.mark.parametrize("key", ["id", "pair", "Case key"])
def test_a_column_that_names_the_items_is_found_and_said(key, shell, tmp_path):
    """As if it were called task, in the votes and in the labels: an evening's files have an id."""
    named = panel(200).with_columns(task=pl.Series([f"q{i}" for i in range(200)]))
    gold = pl.DataFrame({"task": [f"q{i}" for i in range(0, 200, 4)], "label": ["pass"] * 50})
    answers = []
    for called in ("task", key):
        named.rename({"task": called}).write_csv(tmp_path / f"{called} votes.csv")
        gold.rename({"task": called}).write_csv(tmp_path / f"{called} gold.csv")
        words = (tmp_path / f"{called} votes.csv", "--gold", tmp_path / f"{called} gold.csv")
        answers.append(shell.json("judges", *words, "--propose", 7))
    expected, found = answers
    assert found["n_gold"] == 50
    assert found["proposed"] == expected["proposed"]
    assert found["with_gold"] == expected["with_gold"]
    assert found["notes"]["columns"] == {key: "items"}
    assert f"The column '{key}' names the items" in text(shell, *words)
    mixed = text(shell, tmp_path / f"{key} votes.csv", "--gold", tmp_path / "task gold.csv")
    assert "of 200 items (95% interval" in mixed  # the labels' file calls them otherwise
    message = shell.refusal("judges", words[0], "--propose", 7, "--task", "pairs")
    assert "no column 'pairs'" in message


def test_a_judge_with_ten_votes_and_equal_votes(shell, tmp_path):
    frame = panel(300).with_columns(
        cy=pl.when(pl.int_range(pl.len()) < 10).then(pl.col("cy")).otherwise(None)
    )
    frame.write_csv(tmp_path / "few.csv")
    said = text(shell, tmp_path / "few.csv")
    assert "Beware: 1 judge has fewer than 20 votes" in said
    equal = shell.write("equal.csv", "ann,bob,cy\n" + "pass,pass,pass\n" * 50)
    assert "one label only" in shell.refusal("judges", equal)
    named = text(shell, equal, "--labels", "fail,pass")
    assert "otes cannot reveal an error that all judges make" in named


@pytest.mark.whole
def test_ten_thousand_workers_of_three_votes(shell, tmp_path):
    rng = np.random.default_rng(3)
    truth = rng.random(1500) < 0.3
    worker = np.repeat(np.arange(10_000), 3)
    task = np.concatenate([rng.choice(1500, 3, replace=False) for _ in range(10_000)])
    right = rng.random(30_000) < 0.8
    label = np.where(np.where(right, truth[task], ~truth[task]), "yes", "no")
    frame = pl.DataFrame({"worker": worker, "task": task, "label": label})
    frame.write_csv(tmp_path / "crowd.csv")
    said = text(shell, tmp_path / "crowd.csv")
    low, high = re.search(r"yes is the true label of (\d+)% to (\d+)%", said).groups()
    assert int(low) < 100 * truth.mean() < int(high)
    assert "Most votes come from judges who cast fewer than 40" in said[:900]
    assert "10,000 judges have fewer than 20 votes" in said
