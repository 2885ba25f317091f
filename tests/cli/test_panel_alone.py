"""The evening that docs/panel-alone.md tells: its own commands, on files as it describes them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.panels import gold_rows, system_rows

PAGE = Path(__file__).parents[2] / "docs" / "panel-alone.md"
WORDS = ("B", "A")


def commands():
    """The page's commands, in order."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    return [shlex.split(line)[2:] for line in lines if line.startswith("$ askpoint ")]


def votes_of(rng, n, start):
    """Rows of six judges, and who is better: 1 is A."""
    truth = (rng.random(n) < 0.5).astype(int)
    hard = rng.random(n) < 0.15

    def judge(accuracy):
        right = rng.random(n) < np.where(hard, 0.6, accuracy)
        return np.where(right, truth, 1 - truth)

    alpha, first = judge(0.96), rng.random(n) < 0.3
    columns = {
        "alpha": alpha,
        "beta": judge(0.94),
        "gamma": judge(0.95),
        "echo": alpha,
        "yes": np.ones(n, dtype=int),
        "placer": np.where(first, 1, judge(0.85)),
    }
    rows = [
        {"task": f"p{start + i}"} | {name: WORDS[of[i]] for name, of in columns.items()}
        for i in range(n)
    ]
    return rows, truth, np.mean([columns[k] for k in ("alpha", "beta", "gamma")], axis=0)


@pytest.fixture
def evening(shell, monkeypatch):
    """The files of the evening, in the folder where the commands run."""
    rng = np.random.default_rng(21)
    rows, truth, share = votes_of(rng, 1000, 0)
    shell.write("pairs.csv", rows)
    lost = rng.permutation(np.flatnonzero(share < 0.5))[:80]
    complaints = [{"task": f"p{i}", "label": WORDS[truth[i]]} for i in lost]
    shell.write("complaints.csv", complaints)
    later, after, _ = votes_of(rng, 600, 1000)
    shell.write("tomorrow.csv", later)
    systems, known = system_rows(n_items=400, passes=(0.6, 0.9))
    named = {"old": known["A"], "new": known["B"]}
    for name, system in (("old", "A"), ("new", "B")):
        shell.write(f"{name}.csv", systems[system])
    tasks = rng.permutation(list(known["A"]))[:120].tolist()
    shell.write("answers.csv", gold_rows(named, tasks, ("old", "new")))
    monkeypatch.chdir(shell.folder)
    return truth, complaints, after


def test_the_evening(shell, evening):
    truth, complaints, after = evening
    first, propose, told, write, decide, gate = commands()
    said = " ".join(shell.said(*first).split())
    assert "These 80 labels were not drawn at random, so no number follows from them." in said
    assert shell.run("gate", *first[1:], "--at-least", "0.4").exit_code == 3

    order = shell.json(*propose)["proposed"]
    assert len(order) == 200
    drawn = [{"task": t, "label": WORDS[truth[int(t[1:])]]} for t in order]
    known = {row["task"] for row in drawn}
    shell.write("people.csv", [*(c for c in complaints if c["task"] not in known), *drawn])

    said = " ".join(shell.said(*told).split())
    answer = shell.json(*told)
    alone = answer["panel_verdicts"]
    assert f"The panel may decide {round(1000 * alone['coverage'])} of 1,000 items" in said
    assert alone["coverage"] > 0.5
    assert alone["risk_interval"][1] < 0.06
    assert "yes (always A)" in said
    assert "first in the sealed order, so drawn at random" in said
    assert answer["n_gold"] >= 200
    assert set(answer["redundant"]["constant"]) == {"yes"}
    assert set(answer["redundant"]["copies"]) == {"echo"}

    made = shell.run(*write)
    assert made.exit_code == 0, made.output
    assert shell.run(*decide).exit_code == 0
    found = pl.read_csv("decided.csv")
    is_alone = (found["action"] == "answer").to_numpy()
    right = found["prediction"].to_numpy() == np.array(WORDS)[after]
    assert is_alone.mean() > 0.3
    assert right[is_alone].mean() > 0.96 > right[~is_alone].mean()

    result = shell.run(*gate, "--json")
    assert result.exit_code == 0, result.output
    (verdict,) = json.loads(result.stdout)["gate"]["verdicts"]
    assert verdict["outcome"] == "passes"
    assert Path("gate.md").read_text(encoding="utf-8").startswith("## Is new better than old?")
