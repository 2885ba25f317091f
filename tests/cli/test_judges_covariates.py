"""What is known of the items: used where it helps, who leans, what to name, and bad columns."""

from __future__ import annotations

import numpy as np
import pytest
from tests.judges.test_item_covariates import LABELS, leaning_panel

JUDGES = ("alpha", "beta", "gamma", "delta", "eps")
N = 1500


@pytest.fixture
def panel(shell):
    """Votes, items and labels as files; 3 of 5 judges pass what is long."""
    rng = np.random.default_rng(1)
    length, truth, votes = leaning_panel(rng, N)
    known = [
        {
            "length": None if i % 40 == 0 else int(1000 * length[i]),
            "topic": ("art", "law", None)[i % 3],
        }
        for i in range(N)
    ]
    said = [{j: LABELS[v] for j, v in zip(JUDGES, row, strict=True)} for row in votes]
    tasks = [{"task": f"i{i}"} for i in range(N)]
    shell.write("votes.csv", [t | s for t, s in zip(tasks, said, strict=True)])
    shell.write("items.csv", [t | k for t, k in zip(tasks, known, strict=True)])
    shell.write("both.csv", [t | k | s for t, k, s in zip(tasks, known, said, strict=True)])
    checked = rng.choice(N, 200, replace=False)
    shell.write("gold.csv", [{"task": f"i{i}", "label": LABELS[truth[i]]} for i in checked])
    return shell.folder, truth


def test_length_is_used_and_who_leans_is_said(shell, panel):
    folder, truth = panel
    plain = shell.json("judges", folder / "votes.csv", "--gold", folder / "gold.csv")
    words = ("judges", folder / "votes.csv", "--gold", folder / "gold.csv")
    words = (
        *words,
        "--items",
        folder / "items.csv",
        "--covariate",
        "length",
        "--covariate",
        "topic",
    )
    told = shell.json(*words)
    found = told["covariates"]
    assert found["is_used"]
    assert found["missing"] == {"length": 38, "topic": 500}
    low, high = told["with_gold"]["interval"]["prevalence"]["pass"]
    before, after = plain["with_gold"]["interval"]["prevalence"]["pass"]
    assert low < truth.mean() < high
    assert high - low < after - before
    assert told["worth"]["n_plain"] > plain["worth"]["n_plain"]
    long = next(one for one in found["leans"] if one["covariate"] == "length")
    assert set(long["leaning"]) == {"alpha", "beta", "gamma"}
    said = " ".join(shell.said(*words).split())
    assert "Leaning: of items of length above" in said
    for judge in ("alpha", "beta", "gamma"):
        assert f"{judge} (" in said
    assert "say pass more often than of length up to" in said
    assert "so they are used" in said
    assert "No value: length of 38 items, topic of 500 items." in said


def test_the_same_columns_in_the_votes_or_beside_them(shell, panel):
    folder, _ = panel
    gold = ("--gold", folder / "gold.csv", "--covariate", "length")
    beside = shell.json("judges", folder / "votes.csv", *gold, "--items", folder / "items.csv")
    inside = shell.json("judges", folder / "both.csv", *gold)
    for told in (inside, shell.json(folder / "both.csv", *gold)):
        assert told["covariates"]["missing"] == beside["covariates"]["missing"]
        assert told["worth"]["n_plain"] == pytest.approx(beside["worth"]["n_plain"])


def test_a_gate_uses_them_too(shell, panel):
    folder, truth = panel
    words = ("gate", folder / "both.csv", "--gold", folder / "gold.csv", "--at-least")
    level = f"{truth.mean() - 0.2:.2f}"
    told = shell.run(*words, level, "--covariate", "length", "--json")
    assert told.exit_code == 0
    assert '"is_used": true' in told.stdout


def test_a_column_that_explains_errors_is_named_unasked(shell, panel):
    folder, _ = panel
    gold = ("--gold", folder / "gold.csv")
    for words in (
        ("judges", folder / "votes.csv", *gold, "--items", folder / "items.csv"),
        ("judges", folder / "both.csv", *gold),
        ("judges", folder / "both.csv", *gold, "--judges", ",".join(JUDGES)),
    ):
        said = " ".join(shell.said(*words).split())
        assert "length explains where these votes are wrong (p" in said
        assert "--covariate length uses it" in said
        assert "topic explains" not in said


def test_items_of_a_cluster_count_once(shell, panel):
    folder, _ = panel
    rows = [{"task": f"i{i}", "cluster": f"c{i // 3}"} for i in range(N)]
    clusters = shell.write("clusters.csv", rows)
    gold = shell.write(
        "same.csv", [{"task": f"i{i}", "label": LABELS[i % 2]} for i in range(0, N, 9)]
    )
    words = ("judges", folder / "votes.csv", "--gold", gold, "--clusters", clusters)
    told = shell.json(
        *words, "--items", folder / "items.csv", "--covariate", "length", "--covariate", "topic"
    )
    assert told["n_items"] == N // 3
    assert told["covariates"]["missing"] == {}  # a member or two have a value


def test_without_labels_nothing_is_made_of_them(shell, panel):
    folder, _ = panel
    words = ("judges", folder / "both.csv", "--covariate", "length")
    told = shell.json(*words)
    assert told["covariates"]["leans"] == []
    assert "Labels by people show what they are worth" in shell.said(*words)


def test_columns_that_cannot_be_used(shell, panel):
    folder, _ = panel
    gold = ("--gold", folder / "gold.csv")
    votes = ("judges", folder / "votes.csv", *gold)
    assert "no column 'lang'" in shell.refusal(*votes, "--covariate", "lang")
    items = ("--items", folder / "items.csv")
    assert "no column 'lang'" in shell.refusal(*votes, *items, "--covariate", "lang")
    texts = [{"task": f"i{i}", "text": f"word {i}", "none": None} for i in range(N)]
    other = ("--items", shell.write("texts.csv", texts))
    assert "at most 50 different texts; got 1500" in shell.refusal(
        *votes, *other, "--covariate", "text"
    )
    assert "must name items that were voted on" in shell.refusal(
        *votes, *other, "--covariate", "none"
    )
    twice = ("--items", shell.write("twice.csv", [{"task": "i1", "n": 1}, {"task": "i1", "n": 2}]))
    assert "'n' must say one thing of each item; got '1' and '2' of 'i1'" in shell.refusal(
        *votes, *twice, "--covariate", "n"
    )
    nameless = ("--items", shell.write("nameless.csv", [{"n": 1}]))
    assert "must name them in a column 'task'" in shell.refusal(
        *votes, *nameless, "--covariate", "n"
    )
    strange = ("--items", shell.write("strange.csv", [{"task": "x9", "n": 1}]))
    assert "got 'x9', where the votes name 'i0'" in shell.refusal(
        *votes, *strange, "--covariate", "n"
    )
    assert "leave it out for two" in shell.refusal(
        "compare", folder / "votes.csv", folder / "votes.csv", "--covariate", "n"
    )
