"""Which columns of a file `askpoint judges` takes for judges, where nobody names them."""

from __future__ import annotations

import json

import numpy as np
import polars as pl


def table(n=60):
    rng = np.random.default_rng(3)
    truth = rng.random(n) < 0.6
    votes = {
        f"j{k}": np.where(np.where(rng.random(n) < 0.85, truth, ~truth), "pass", "fail")
        for k in range(3)
    }
    notes = np.array(["all of it is fine, I think", "this one is odd", "I would not say so"])
    return pl.DataFrame(
        {
            "id": [f"case {i}" for i in range(n)],
            **votes,
            "rationale": notes[rng.integers(0, 3, n)],
            "cost_usd": rng.uniform(0.001, 0.02, n).round(5),
            "human": [("pass" if t else "fail") if i < 25 else None for i, t in enumerate(truth)],
        }
    )


def test_texts_costs_and_what_people_said_are_no_judges(shell):
    table().write_csv(shell.folder / "votes.csv")
    said = shell.run("judges", shell.folder / "votes.csv").stdout
    assert "read as votes: 60 items; 3 judges (j0, j1, j2); 25 labels by people from human" in said
    assert "rationale, cost_usd: no votes (--judges)" in said
    answer = json.loads(shell.run("judges", shell.folder / "votes.csv", "--json").stdout)
    assert answer["judges"] == ["j0", "j1", "j2"]
    assert answer["n_gold"] == 25


def test_named_judges_and_a_file_of_votes_alone_are_taken_as_they_are(shell):
    table().write_csv(shell.folder / "votes.csv")
    named = shell.run("judges", shell.folder / "votes.csv", "--judges", "j0,j1,j2")
    table().select("j0", "j1", "j2").write_csv(shell.folder / "alone.csv")
    alone = shell.run("judges", shell.folder / "alone.csv")
    assert "read as votes" not in named.output + alone.output
    assert named.stdout.splitlines()[2:] == alone.stdout.splitlines()[2:]


def test_grades_beside_other_columns_ask_what_passes(shell):
    grades = table().with_columns(
        pl.col("j0", "j1", "j2").replace_strict({"pass": "4", "fail": "2"}),
        human=pl.Series([3, 4, 1] * 20),
    )
    grades.write_csv(shell.folder / "grades.csv")
    result = shell.run("judges", shell.folder / "grades.csv")
    assert result.exit_code == 2
    assert "--pass-at" in result.stderr
    assert "--judges" in result.stderr
