"""The panel as a classifier: the sentence on the first screen, and a policy that decides new items."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

N = 1000
WORDS = ("A", "B")


def panel(rng, n):
    truth = (rng.random(n) < 0.55).astype(int)
    hard = rng.random(n) < 0.25
    right = rng.random((n, 5)) < np.where(hard[:, None], 0.6, [0.97, 0.95, 0.96, 0.93, 0.9])
    return truth, np.where(right, truth[:, None], 1 - truth[:, None])


def rows(votes, start=0):
    return [
        {"task": f"p{start + i}"} | {f"judge{j}": WORDS[v] for j, v in enumerate(row)}
        for i, row in enumerate(votes)
    ]


@pytest.fixture
def world(shell):
    """1,000 pairs with 250 labels drawn in sealed order, 600 new pairs, and the truth of all."""
    rng = np.random.default_rng(11)
    truth, votes = panel(rng, N)
    path = shell.write("pairs.csv", rows(votes))
    order = shell.json("judges", path, "--propose", 250, "--random")["proposed"]
    labels = [{"task": task, "label": WORDS[truth[int(task[1:])]]} for task in order]
    later, new = panel(rng, 600)
    return path, shell.write("gold.csv", labels), shell.write("new.csv", rows(new, N)), later


def test_the_first_screen_says_which_verdicts_the_panel_may_give(shell, world):
    path, gold, _, _ = world
    words = ("judges", path, "--gold", gold, "--mistake", 20, "--check", 1)
    said = " ".join(shell.said(*words).split())
    told = shell.json(*words)["panel_verdicts"]
    alone = round(told["coverage"] * N)
    assert f"The panel may decide {alone} of 1,000 items" in said
    assert said.index("The panel may decide") < said.index("Which judges to keep")
    assert told["checks_per_mistake"] == 20
    assert told["decided"]
    assert told["risk_interval"][0] <= told["risk"] <= told["risk_interval"][1]
    assert told["n_labelled"] == 250


def test_without_a_price_twenty_checks_are_taken_and_said(shell, world):
    path, gold, _, _ = world
    told = shell.json("judges", path, "--gold", gold)["panel_verdicts"]
    assert told["is_assumed"]
    assert told["checks_per_mistake"] == 20
    said = " ".join(shell.said("judges", path, "--gold", gold).split())
    assert "Add your own costs: --mistake 20 --check 1" in said
    assert "panel_verdicts" not in shell.json("judges", path)


def test_a_promise_is_one_sentence(shell, world):
    path, gold, _, _ = world
    words = ("judges", path, "--gold", gold, "--max-error", 0.08, "--guarantee", 0.1)
    said = " ".join(shell.said(*words).split())
    assert "at most 8% of these verdicts are wrong, as long as new items look like these." in said
    assert "(Chance that this fails: 10%.)" in said
    tight = (*words[:-3], 0.001, *words[-2:])
    assert "Nothing can be promised of verdicts that the panel gives alone" in " ".join(
        shell.said(*tight).split()
    )
    assert shell.json(*tight)["panel_verdicts"]["threshold"] is None


def test_the_policy_decides_new_items_of_the_panel(shell, world):
    path, gold, new, truth = world
    folder = shell.folder / "policy"
    words = ("--mistake", 20, "--check", 1, "--policy", folder / "policy.json")
    made = shell.run("judges", path, "--gold", gold, *words)
    assert made.exit_code == 0, made.output
    done = shell.run("decide", folder, new, "--key", "task", "--out", shell.folder / "out.csv")
    assert done.exit_code == 0, done.output
    made = pl.read_csv(shell.folder / "out.csv")
    assert made["key"].to_list() == [f"p{N + i}" for i in range(600)]
    assert set(made["action"]) == {"answer", "ask"}
    said = np.array([WORDS.index(label) for label in made["prediction"]])
    alone = (made["action"] == "answer").to_numpy()
    assert 0.2 < alone.mean() < 1
    wrong = said != truth
    assert wrong[alone].mean() < 0.05 < wrong[~alone].mean()
    # the same patterns of votes as in the file that it was learned from are decided alike
    known = shell.run("decide", folder, path, "--key", "task", "--out", shell.folder / "old.csv")
    assert known.exit_code == 0, known.output
    votes = {
        r["task"]: tuple(r[f"judge{j}"] for j in range(5)) for r in pl.read_csv(path).to_dicts()
    }
    votes |= {
        r["task"]: tuple(r[f"judge{j}"] for j in range(5)) for r in pl.read_csv(new).to_dicts()
    }
    by_votes: dict[tuple[str, ...], set[str]] = {}
    for row in [*made.to_dicts(), *pl.read_csv(shell.folder / "old.csv").to_dicts()]:
        by_votes.setdefault(votes[row["key"]], set()).add(row["prediction"])
    assert all(len(found) == 1 for found in by_votes.values())


def test_the_policy_reads_spellings_and_empty_cells(shell, world):
    path, gold, _, _ = world
    folder = shell.folder / "policy"
    made = shell.run("judges", path, "--gold", gold, "--rho", 0.05, "--policy", folder)
    assert made.exit_code == 0, made.output
    lines = [
        {"key": "x", "judge0": " a", "judge1": "A", "judge2": "", "judge3": None, "judge4": "A"}
    ]
    batch = shell.folder / "more.jsonl"
    batch.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert shell.run("decide", folder, batch).exit_code == 0
    for change, words in (
        ({"judge2": "tie"}, "a vote in the column 'judge2' must be one of 'A', 'B'; got 'tie'"),
        ({"judge2": None, "other": 1}, ""),
    ):
        batch.write_text(json.dumps(lines[0] | {"key": "y"} | change), encoding="utf-8")
        result = shell.run("decide", folder, batch)
        assert result.exit_code == (2 if words else 0), result.output
        assert words in result.output
    batch.write_text(json.dumps({"key": "z", "judge0": "A"}), encoding="utf-8")
    assert "judge1" in shell.refusal("decide", folder, batch)
    again = shell.refusal("judges", path, "--gold", gold, "--policy", folder)
    assert "holds a policy already" in again
    assert "it reads its judges' columns" in shell.refusal(
        "decide", folder, path, "--prediction", "judge0", "--confidence", "judge1"
    )


def test_probabilities_of_tokens_are_read_as_confidences(shell):
    rng = np.random.default_rng(3)
    truth = (rng.random(800) < 0.5).astype(int)
    logit = (2 * truth[:, None] - 1) * 1.6 + 1.8 * rng.standard_normal((800, 3))
    chance = 1 / (1 + np.exp(-2 * logit))
    lines = [
        {"task": f"p{i}", "text": f"pair {i}"} | {f"m{j}": f"{p:.6f}" for j, p in enumerate(row)}
        for i, row in enumerate(chance)
    ]
    path = shell.write("chances.csv", lines)
    order = shell.json(
        "judges", path, "--probability-of", "B", "--labels", "A,B", "--propose", 200, "--random"
    )
    labels = [{"task": t, "label": WORDS[truth[int(t[1:])]]} for t in order["proposed"]]
    gold = shell.write("gold.csv", labels)
    folder = shell.folder / "policy"
    words = ("--probability-of", "B", "--labels", "A,B", "--gold", gold, "--rho", 0.1)
    told = shell.json("judges", path, *words)["panel_verdicts"]
    assert 0.3 < told["coverage"] < 1
    made = shell.run("judges", path, *words, "--policy", folder)
    assert made.exit_code == 0, made.output
    out = shell.folder / "out.csv"
    assert shell.run("decide", folder, path, "--key", "task", "--out", out).exit_code == 0
    found = pl.read_csv(out)
    pooled = np.log(chance / (1 - chance)).mean(axis=1) > 0  # by hand
    assert found["prediction"].to_list() == [WORDS[int(one)] for one in pooled]
    alone = (found["action"] == "answer").to_numpy()
    wrong = pooled != truth
    assert wrong[alone].mean() < 0.1 < wrong[~alone].mean()


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (("--mistake", 5), "--mistake takes what a check costs, too: add --check AMOUNT"),
        (("--mistake", 5, "--check", 5), "--mistake must be more than --check"),
        (("--mistake", 0, "--check", 0), "--mistake must be more than --check"),
        (("--rho", 2), "--rho must be between 0 and 1"),
        (("--rho", 0.1, "--mistake", 5, "--check", 1), "got both"),
        (("--guarantee", 0.1), "add --max-error"),
        (("--policy", "x.json"), "the policy is called policy.json"),
        (("--probability-of", "A", "--labels", "B,C"), "'A' among them; got B, C"),
        (("--probability-of", "A"), "has no column of probabilities"),
    ],
)
def test_bad_options(shell, world, words, refusal):
    path, gold, _, _ = world
    assert refusal in shell.refusal("judges", path, "--gold", gold, *words)


def test_a_policy_takes_labels_drawn_at_random(shell, world):
    path, _, _, _ = world
    assert "no labels by people" in shell.refusal("judges", path, "--policy", shell.folder / "p")
    table = pl.read_csv(path)
    one = table.filter(pl.concat_list(pl.exclude("task")).list.n_unique() == 1)
    truth = [{"task": task, "label": "A"} for task in one["task"].to_list()[:80]]
    gold = shell.write("clear.csv", truth)
    line = shell.refusal("judges", path, "--gold", gold, "--policy", shell.folder / "p")
    assert "the labels were not drawn at random" in line
