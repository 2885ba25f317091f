"""`askpoint examine --release-limit`: where the model is unsure and right, told with its rival, or why not."""

from __future__ import annotations

import random

import pytest


def make_log(n=1500, seed=0, island=True):
    """A model that is unsure everywhere, and right on the new scanner."""
    rng = random.Random(seed)
    rows = []
    for i in range(n):
        ill = round(rng.uniform(0.27, 0.49), 3)
        scanner = rng.choice(["new", "old", "mobile"])
        chance = 0.005 if island and scanner == "new" else ill
        rows.append(
            {
                "id": f"case {i}",
                "label": "ill" if rng.random() < chance else "well",
                "proba_well": round(1 - ill, 3),
                "proba_ill": ill,
                "scanner": scanner,
            }
        )
    return rows


def test_released_checks_are_counted_and_the_rival_is_told(shell):
    rows = make_log()
    log = shell.write("log.csv", rows)
    content = shell.json("examine", log, "--release-limit", "0.05")["releases"]
    inside = [row for row in rows if row["scanner"] == "new"]
    assert [one["region"] for one in content["certified"]] == ["scanner is 'new'"]
    assert (content["n_unsure"], content["n_released"]) == (len(rows), len(inside))
    assert content["plain_bound"] is None
    assert content["reasons"]["plain_bound"]
    said = " ".join(shell.said("examine", log, "--release-limit", "0.05").split())
    assert f"saves {1000 * len(inside) / len(rows):.0f} checks per 1,000 cases" in said
    assert "A lower threshold alone saves nothing" in said


def test_without_a_region_the_lower_threshold_is_told(shell):
    rows = make_log(island=False)
    for row in rows:
        row["label"] = "well" if row["proba_ill"] < 0.35 else row["label"]
    log = shell.write("log.csv", rows)
    content = shell.json("examine", log, "--release-limit", "0.05")["releases"]
    assert content["n_plain"] == sum(
        row["proba_ill"] <= content["plain_bound"] + 1e-12 for row in rows
    )
    said = " ".join(shell.said("examine", log, "--release-limit", "0.05").split())
    assert f"saves {1000 * content['n_plain'] / len(rows):.0f} checks per 1,000 cases" in said


def test_nothing_is_sought_unless_a_limit_is_stated(shell):
    log = shell.write("log.csv", make_log(200))
    assert "unsure and right" not in shell.said("examine", log)
    assert "releases" not in shell.json("examine", log)


@pytest.mark.parametrize(
    ("limit", "message"), [("0", "limit"), ("1.2", "limit"), ("half", "--release-limit")]
)
def test_a_limit_that_is_no_share(shell, limit, message):
    log = shell.write("log.csv", make_log(200))
    assert message in shell.refusal("examine", log, "--release-limit", limit)


def test_too_few_unsure_cases_say_how_many_would_do(shell):
    log = shell.write("log.csv", make_log(100))
    said = " ".join(shell.said("examine", log, "--release-limit", "0.05").split())
    assert "a limit of 0.05 can be certified from 118 such cases on" in said


def test_cases_that_were_not_drawn_evenly_release_nothing(shell):
    log = shell.write("log.csv", make_log())
    drawn = shell.folder / "sample.csv"
    for method, sought in (("stratified", False), ("random", True)):
        shell.said("examine", log, "--out", str(drawn), "--n", "900", "--method", method)
        truth = {row["id"]: row["label"] for row in make_log()}
        head, *lines = drawn.read_text(encoding="utf-8").splitlines()
        place = head.split(",").index("label")
        filled = []
        for line in lines:
            cells = line.split(",")
            cells[place] = truth[cells[0]]
            filled.append(",".join(cells))
        drawn.write_text("\n".join([head, *filled]) + "\n", encoding="utf-8")
        judged = shell.said("examine", log, "--judged", str(drawn), "--release-limit", "0.05")
        said = " ".join(judged.split())
        assert ("not drawn evenly" in said) != sought
        assert ("scanner is 'new'" in said.partition("unsure and right")[2]) == sought
        drawn.unlink()
