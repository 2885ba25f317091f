"""The evening that docs/tutorials/judges.md shows: its own commands and screens, on files as it describes them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.panels import gold_rows, system_rows

PAGE = Path(__file__).parents[2] / "docs" / "tutorials" / "judges.md"
WORDS = np.array(["first", "second"])


def commands():
    """The page's commands, in order."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    return [shlex.split(line)[2:] for line in lines if line.startswith("$ askpoint ")]


def screens():
    """What the page shows below its commands, each in one line."""
    blocks = PAGE.read_text(encoding="utf-8").split("```")[1::2]
    shown = [block for block in blocks if not block.startswith("console")]
    return [" ".join(block.split()) for block in shown]


def votes_of(rng, n, start):
    """Rows of five judges, and which answer is better: 0 is the first."""
    truth = (rng.random(n) < 0.55).astype(int)
    is_hard = rng.random(n) < 0.12

    def judge(accuracy):
        right = rng.random(n) < np.where(is_hard, 0.6, accuracy)
        return np.where(right, truth, 1 - truth)

    gpt, claude = judge(0.97), judge(0.94)
    lazy = np.where(rng.random(n) < 0.3, 0, judge(0.85))
    again = np.where(rng.random(n) < 0.004, 1 - gpt, gpt)
    none = np.zeros(n, int)
    votes = {"gpt": gpt, "claude": claude, "gpt again": again, "constant": none, "lazy": lazy}
    rows = [
        {"task": f"p{start + i}"} | {judge: WORDS[of[i]] for judge, of in votes.items()}
        for i in range(n)
    ]
    return rows, truth, votes


@pytest.fixture
def evening(shell, monkeypatch):
    """The files of the evening, in the folder where the commands run."""
    rng = np.random.default_rng(3)
    rows, truth, votes = votes_of(rng, 1000, 0)
    shell.write("pairs.csv", rows)
    wrong = np.where(votes["gpt"] != truth, 8.0, 1.0) * (votes["gpt"] == 0)
    complained = rng.choice(1000, 80, replace=False, p=wrong / wrong.sum()).tolist()
    shell.write("complaints.csv", label(truth, complained))
    later, after, _ = votes_of(rng, 600, 1000)
    shell.write("tomorrow.csv", later)
    systems, known = system_rows(n_items=400, passes=(0.6, 0.9))
    named = {"old": known["A"], "new": known["B"]}
    for name, system in (("old", "A"), ("new", "B")):
        shell.write(f"{name}.csv", systems[system])
    tasks = rng.permutation(list(known["A"]))[:120].tolist()
    shell.write("answers.csv", gold_rows(named, tasks, ("old", "new")))
    monkeypatch.chdir(shell.folder)
    monkeypatch.setenv("COLUMNS", "116")  # as the page shows it
    return truth, complained, after


def label(truth, items):
    return [{"task": f"p{i}", "label": WORDS[truth[i]]} for i in items]


def add_labels(shell, truth, complained, command):
    """Label what a command proposes, in one file with the complaints."""
    order = [int(task[1:]) for task in shell.json(*command)["proposed"]]
    shell.write("people.csv", label(truth, sorted({*complained, *order})))
    return len(order)


def test_the_evening(shell, evening):
    truth, complained, after = evening
    first, propose, told, more, write, decide, gate = commands()
    before, after_labels, alone_words, opened, decided_words = screens()
    said = " ".join(shell.said(*first).split())
    assert before in said
    assert "claude not known labels not at random" in said  # what each is worth
    assert shell.run("gate", *first[1:], "--at-least", "0.4").exit_code == 3

    assert add_labels(shell, truth, complained, propose) == 80
    screen = shell.said(*told).split("\n\nJudge by judge")[0]
    said = " ".join(screen.split())
    head, table = after_labels.split(" ... ")
    assert head.strip() in said
    assert table.strip() in said
    answer = shell.json(*told)
    assert answer["n_gold"] == 80  # the complaints do not count
    low, high = answer["with_gold"]["interval"]["prevalence"]["first"]
    assert low < np.mean(truth == 0) < high
    verdicts = {one["judge"]: one["verdict"] for one in answer["worth"]["judges"]}
    assert verdicts["gpt again"] == verdicts["constant"] == "drop"
    costs = {one["judge"]: one["cost"] for one in answer["choice"]["judges"]}
    assert costs == {judge: pytest.approx(c) for judge, c in zip(costs, (30, 10, 10), strict=True)}
    assert answer["choice"]["saved"] >= answer["choice"]["saved_by_all"]

    known = [int(row["task"][1:]) for row in pl.read_csv("people.csv").iter_rows(named=True)]
    assert add_labels(shell, truth, known, more) == 120
    made = shell.run(*write)
    assert made.exit_code == 0, made.output
    told_now = " ".join(made.output.split())
    assert alone_words in told_now
    assert opened in told_now
    unnamed = shell.refusal(*decide[: decide.index("--key")])
    assert "no column 'key' that names them" in unnamed
    assert "Name the column with --key" in unnamed
    alone = shell.run(*decide)
    assert alone.exit_code == 0, alone.output
    assert decided_words in " ".join(alone.output.split())
    found = pl.read_csv("decided.csv")
    is_alone = (found["action"] == "answer").to_numpy()
    right = found["prediction"].to_numpy() == WORDS[after]
    assert is_alone.mean() > 0.3
    assert right[is_alone].mean() > 0.96 > right[~is_alone].mean()

    result = shell.run(*gate, "--json")
    assert result.exit_code == 0, result.output
    (verdict,) = json.loads(result.stdout)["gate"]["verdicts"]
    assert verdict["outcome"] == "passes"
    assert Path("gate.md").read_text(encoding="utf-8").startswith("## Is new better than old?")
