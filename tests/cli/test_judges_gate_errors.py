"""What must never open a gate: selected labels, three items, a second reading of the same files."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.cli.panels import gold_rows, system_rows


@pytest.fixture
def files(shell):
    rows, truth = system_rows(n_items=400, seed=5)
    a, b = (shell.write(f"{name}.csv", rows[name]) for name in "AB")
    return a, b, rows, truth


def better_by_votes(rows):
    """Items that more judges pass for B than for A: what somebody shows who wants B to win."""
    votes = {
        name: {r["task"]: sum(v == "pass" for k, v in r.items() if k != "task") for r in of}
        for name, of in rows.items()
    }
    return [task for task in votes["A"] if votes["B"][task] > votes["A"][task]]


def test_items_chosen_because_the_judges_prefer_the_new_system_decide_nothing(shell, files):
    a, b, rows, truth = files
    chosen = better_by_votes(rows)[:60]
    gold = shell.write("gold.csv", gold_rows(truth, chosen))
    words = ("gate", b, "--no-worse-than", a, "--margin", "0.3", "--gold", gold)
    result = shell.run(*words, "--json")
    assert result.exit_code == 3
    told = json.loads(result.stdout)
    assert told["systems"]["is_refused"]
    assert told["systems"]["difference"] is None
    assert told["reasons"]["difference"] == "the labels were not drawn at random"
    (verdict,) = told["gate"]["verdicts"]
    assert verdict["reason"] == "the labels were not drawn at random"
    said = " ".join(shell.run(*words).stdout.split())
    assert "These 60 labelled items were not drawn at random" in said
    assert "on which the judges prefer A" in said
    both = shell.run("gate", b, "--no-worse-than", a, "--at-least", "0.1", "--gold", gold)
    assert both.exit_code == 3
    # what the gate then asks for is the sealed order, and mends it
    sealed = shell.json("compare", a, b, "--propose", 80, "--random")["systems"]["proposed"]
    assert (
        told["gate"]["proposed"]
        == [t for t in sealed if t not in chosen][: len(told["gate"]["proposed"])]
    )
    more = shell.write("more.csv", gold_rows(truth, [*chosen, *set(sealed) - set(chosen)]))
    result = shell.run("gate", b, "--no-worse-than", a, "--margin", "0.3", "--gold", more, "--json")
    assert result.exit_code == 0
    told = json.loads(result.stdout)["systems"]
    assert told["n_sealed"] >= 80
    gain = np.mean([(truth["B"][t] == "pass") - (truth["A"][t] == "pass") for t in truth["A"]])
    assert told["interval"][0] <= gain <= told["interval"][1]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_three_items_decide_nothing_however_clear(shell, n):
    """Every item labelled, every answer of B right and of A wrong."""
    rows = {name: [{"task": f"q{i}", "x": v, "y": v} for i in range(n)] for name, v in
            (("A", "fail"), ("B", "pass"))}  # fmt: skip
    a, b = (shell.write(f"{name}.csv", rows[name]) for name in "AB")
    truth = {name: {f"q{i}": v for i in range(n)} for name, v in (("A", "fail"), ("B", "pass"))}
    gold = shell.write("gold.csv", gold_rows(truth, list(truth["A"])))
    for new, old in ((b, a), (a, b)):
        result = shell.run("gate", new, "--no-worse-than", old, "--gold", gold)
        assert result.exit_code == 3, result.output
        assert f"So few labels ({n}) decide nothing" in " ".join(result.stdout.split())
    result = shell.run("gate", b, "--no-worse-than", a, "--at-least", "0.1", "--gold", gold)
    assert result.exit_code == 3


@pytest.mark.whole
def test_the_same_inputs_never_flip_the_verdict(shell, files):
    """Twice, and with rows, judges and labels in another order: the same words of each requirement."""
    a, b, rows, truth = files
    rng = np.random.default_rng(0)
    tasks = rng.permutation(list(truth["A"]))[:90].tolist()
    gold = gold_rows(truth, tasks)
    found = set()
    for k in range(3):
        if k == 2:
            for name in "AB":
                order = ["task", *reversed([c for c in rows[name][0] if c != "task"])]
                shuffled = [rows[name][i] for i in rng.permutation(400)]
                shell.write(f"{name}.csv", [{c: row[c] for c in order} for row in shuffled])
            gold = [gold[i] for i in rng.permutation(len(gold))]
        known = shell.write("gold.csv", gold)
        for margin in ("0.0", "0.02", "0.05", "0.1", "0.2"):
            words = ("--no-worse-than", a, "--margin", margin, "--gold", known, "--json")
            result = shell.run("gate", b, *words)
            (verdict,) = json.loads(result.stdout)["gate"]["verdicts"]
            found.add((margin, result.exit_code, verdict["outcome"], round(verdict["value"], 9)))
    assert len(found) == 5
