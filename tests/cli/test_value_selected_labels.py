"""Labels of a log that were visibly not drawn at random: refused, weighted by strata, or mended by a sealed order."""

from __future__ import annotations

import csv

import numpy as np
import pytest

N = 2000


@pytest.fixture
def world(shell):
    """2,000 cases, how sure the model is of each, and what is true."""
    rng = np.random.default_rng(4)
    sure = 1 - rng.beta(0.7, 1.8, N) / 2
    right = rng.random(N) < sure
    said = rng.random(N) < 0.5
    truth = np.where(right, said, ~said).astype(int)

    def log(labelled, name="log.csv"):
        rows = [
            {
                "id": f"c{i}",
                "label": int(truth[i]) if labelled[i] else "",
                "prediction": int(said[i]),
                "confidence": f"{sure[i]:.6f}",
            }
            for i in range(N)
        ]
        return shell.write(name, rows)

    return log, sure, right, truth


def drawn(chance, seed, n=300):
    found = np.zeros(N, dtype=bool)
    rng = np.random.default_rng(seed)
    found[rng.choice(N, n, replace=False, p=chance / chance.sum())] = True
    return found


def test_labels_without_the_surest_third_give_no_verdict_and_say_which_to_label(shell, world):
    log, sure, _, _ = world
    top = np.quantile(sure, 2 / 3)
    content = shell.answer(log(drawn((sure < top).astype(float), 0)), "--rho", 0.1)
    assert content["threshold"] is None
    assert content["hindsight"]["selection"]["p_random"] < 0.005
    why = " ".join(content["reasons"]["threshold"].split())
    n = int((sure > sure[drawn((sure < top).astype(float), 0)].max()).sum())
    assert f"({n:,} cases with a confidence of" in why
    assert "--propose 100 lists the cases to label, there first" in why


def test_an_audit_whose_chance_falls_with_confidence_is_answered(shell, world):
    log, sure, right, _ = world
    chance = 0.1 + (1 - sure) * 2
    content = shell.answer(log(drawn(chance, 1)), "--rho", 0.1)
    selection = content["hindsight"]["selection"]
    assert selection["is_selective"]
    assert selection["is_balanced"]
    assert selection["p_random"] < 0.005
    assert 0.5 < content["threshold"] < 1
    # of 300 labels in 8 strata a standard error is .02; the labelled ones alone are right less often
    assert content["accuracy"] == pytest.approx(right.mean(), abs=0.05)
    assert right[drawn(chance, 1)].mean() < content["accuracy"] - 0.03
    said = " ".join(shell.said("value", log(drawn(chance, 1)), "--rho", 0.1).split())
    # before any number that hangs on it
    assert "The answer ! The labels were not drawn with equal chances" in said
    assert "No verdict" not in said


def test_labels_at_random_say_nothing_of_it(shell, world):
    log, _, _, _ = world
    content = shell.answer(log(drawn(np.ones(N), 2)), "--rho", 0.1)
    assert not content["hindsight"]["selection"]["is_selective"]
    assert not content["hindsight"]["selection"]["is_balanced"]
    assert content["hindsight"]["selection"]["p_random"] > 0.05


def test_a_promise_is_not_made_from_such_labels(shell, world):
    log, sure, _, _ = world
    path = log(drawn(0.1 + (1 - sure) * 2, 1))
    content = shell.answer(path, "--max-error", 0.2, "--guarantee", 0.1)
    assert content["threshold"] is None
    assert "labels are not spread evenly over confidence" in content["reasons"]["threshold"]


def fill(path, truth, n=None):
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows[:n]:
        row["label"] = truth[int(row["id"][1:])]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return rows


def test_a_sealed_order_shows_that_nobody_chose(shell, world):
    log, sure, _, truth = world
    failures = drawn((sure < np.quantile(sure, 1 / 3)).astype(float), 3)
    path, to = log(failures), shell.folder / "drawn.csv"
    before = shell.answer(path, "--rho", 0.1)
    assert before["threshold"] is None
    shell.said("value", path, "--rho", 0.1, "--propose", 120, "--random", "--to", to)
    rows = fill(to, truth)
    assert len({row["seal"] for row in rows}) == 1
    assert not {row["id"] for row in rows} & {f"c{i}" for i in np.flatnonzero(failures)}
    after = shell.answer(path, "--rho", 0.1, "--labels", to)
    assert after["threshold"] is not None
    assert not after["hindsight"]["selection"]["is_selective"]
    assert (
        120 <= N - after["n_unlabelled"] < 300
    )  # the failures that lie among the first count, too
    said = " ".join(shell.said("value", path, "--rho", 0.1, "--labels", to).split())
    assert "first in the sealed order, so drawn at random" in said
    # from an empty log the same order, whatever was labelled; half of it filled in counts as well
    empty, again = log(np.zeros(N, dtype=bool), "empty.csv"), shell.folder / "again.csv"
    shell.said("value", empty, "--propose", 150, "--random", "--to", again)
    order = [row["id"] for row in fill(again, truth, 60)]
    open_ = [name for name in order if not failures[int(name[1:])]]
    assert [row["id"] for row in rows][: len(open_)] == open_[: len(rows)]
    content = shell.answer(empty, "--rho", 0.1, "--labels", again)
    assert N - content["n_unlabelled"] == 60
    assert not content["hindsight"]["selection"]["is_selective"]


def test_a_seal_of_another_log_is_refused(shell, world):
    log, _, _, truth = world
    path, to = log(np.zeros(N, dtype=bool)), shell.folder / "drawn.csv"
    shell.said("value", path, "--propose", 40, "--random", "--to", to)
    rows = fill(to, truth)
    text = to.read_text(encoding="utf-8").replace(rows[0]["seal"], "0123456789abcdef")
    to.write_text(text, encoding="utf-8")
    line = shell.refusal("value", path, "--labels", to)
    assert "the seal of" in line
    assert "got 0123456789abcdef" in line
    assert "add --propose N" in shell.refusal("value", path, "--random")
