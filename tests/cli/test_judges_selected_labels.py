"""Labels that were not drawn at random: refused, bounded, undecided at a gate, mended by a sealed order."""

from __future__ import annotations

import numpy as np
import pytest

N = 1000
WORDS = ("fail", "pass")


@pytest.fixture
def world(shell):
    """Five judges who share hard items, so that unanimous items are easier than others."""
    rng = np.random.default_rng(2)
    truth = (rng.random(N) < 0.6).astype(int)
    hard = rng.random(N) < 0.4
    right = rng.random((N, 5)) < np.where(hard, 0.55, 0.95)[:, None]
    votes = np.where(right, truth[:, None], 1 - truth[:, None])
    rows = [
        {"task": f"i{i}"} | {f"judge{j}": WORDS[v] for j, v in enumerate(row)}
        for i, row in enumerate(votes)
    ]
    return shell.write("votes.csv", rows), truth, votes


def gold(shell, truth, items, name="gold.csv", **more):
    return shell.write(name, [{"task": f"i{i}", "label": WORDS[truth[i]]} | more for i in items])


def said(shell, *words):
    return " ".join(shell.said("judges", *words).split())


def chosen(votes, how, rng, n=60):
    share = votes.mean(axis=1)
    where = {
        "unanimous": np.isin(share, (0, 1)),
        "failures": share <= np.quantile(share, 1 / 3),
    }[how]
    return rng.choice(np.flatnonzero(where), n, replace=False)


@pytest.mark.parametrize("how", ["unanimous", "failures"])
def test_selected_labels_give_no_number(shell, world, how):
    path, truth, votes = world
    labels = gold(shell, truth, chosen(votes, how, np.random.default_rng(0)))
    told = shell.json("judges", path, "--gold", labels)
    assert told["label_origin"]["is_refused"]
    assert told["with_gold"] is told["checking"] is told["effective_judges"] is None
    assert told["reasons"]["with_gold"] == "the labels were not drawn at random"
    low, high = told["label_origin"]["bounds"]["pass"]
    assert low <= truth.mean() <= high
    empty = [one for one in told["label_origin"]["strata"] if not one["n_labelled"]]
    assert empty
    assert high - low > sum(one["n_items"] for one in empty) / N  # all of them, or none
    text = said(shell, path, "--gold", labels)
    assert "These 60 labels were not drawn at random, so no number follows from them." in text
    assert "--propose 60 --random" in text
    assert "independence is not assumed" not in text
    assert "60 labels would tell" not in text  # which to label is said once


def test_a_gate_on_selected_labels_cannot_be_decided(shell, world):
    path, truth, votes = world
    labels = gold(shell, truth, chosen(votes, "unanimous", np.random.default_rng(0)))
    for edge in ("0.05", "0.95"):
        result = shell.run("gate", path, "--gold", labels, "--at-least", edge)
        assert result.exit_code == 3, result.output
        assert "the labels were not drawn at random" in " ".join(result.stdout.split())
    drawn = gold(shell, truth, np.random.default_rng(0).choice(N, 60, replace=False), "drawn.csv")
    assert shell.run("gate", path, "--gold", drawn, "--at-least", "0.05").exit_code == 0


def test_labels_as_proposed_are_not_refused(shell, world):
    path, truth, _ = world
    items: list[int] = []
    while len(items) < 60:
        words = ("--gold", gold(shell, truth, items)) if items else ()
        told = shell.json("judges", path, "--propose", 60 - len(items), *words)
        items += [int(task[1:]) for task in told["proposed"]]
    told = shell.json("judges", path, "--gold", gold(shell, truth, items))
    assert not told["label_origin"]["is_refused"]
    assert told["label_origin"]["p_proposed"] > 0.005
    assert told["with_gold"] is not None


def test_a_sealed_order_is_the_same_for_every_reader_and_mends_complaints(shell, world):
    path, truth, votes = world
    complaints = chosen(votes, "failures", np.random.default_rng(1), 80).tolist()
    labels = gold(shell, truth, complaints)
    before = shell.json("judges", path, "--gold", labels)
    assert before["label_origin"]["is_refused"]
    first = shell.json("judges", path, "--propose", 80, "--random")
    assert first["seal"] == shell.json("judges", path, "--propose", 5, "--random")["seal"]
    # with labels known, the order goes on where it is open
    again = shell.json("judges", path, "--gold", labels, "--propose", 80, "--random")["proposed"]
    known = {f"i{i}" for i in complaints}
    assert [task for task in first["proposed"] if task not in known] == again[: len(again)][
        : 80 - len(known & set(first["proposed"]))
    ]
    items = sorted({*complaints, *(int(task[1:]) for task in first["proposed"])})
    after = shell.json("judges", path, "--gold", gold(shell, truth, items))
    origin = after["label_origin"]
    assert not origin["is_refused"]
    assert origin["n_sealed"] >= 80
    assert origin["n_sealed"] + origin["n_left_out"] == len(items)
    assert after["n_gold"] == origin["n_sealed"]
    low, high = after["with_gold"]["interval"]["prevalence"]["pass"]
    assert low <= truth.mean() <= high
    sealed = gold(shell, truth, [int(task[1:]) for task in first["proposed"]], seal=first["seal"])
    assert shell.json("judges", path, "--gold", sealed)["label_origin"]["p_random"] is None
    text = said(shell, path, "--gold", sealed)
    assert "labels are the first in the sealed order" in text
    assert "must have been drawn at random" not in text  # they were
    loose = gold(shell, truth, np.random.default_rng(9).choice(N, 60, replace=False), "loose.csv")
    assert "must have been drawn at random" in said(shell, path, "--gold", loose)


@pytest.mark.parametrize("how", ["votes", "truth"])
def test_complaints_that_look_nearly_random_do_not_count_beside_a_sealed_order(shell, world, how):
    """The sealed labels are known to be drawn at random: what is odd beside them is left out."""
    path, truth, votes = world
    order = shell.json("judges", path, "--propose", 80, "--random")["proposed"]
    sealed = {int(task[1:]) for task in order}
    said = votes.mean(axis=1)
    chance = (
        np.exp(-2 * said) if how == "votes" else np.where((said > 0.5) & (truth == 0), 8.0, 1.0)
    )
    others = np.random.default_rng(4).choice(len(truth), 70, replace=False, p=chance / chance.sum())
    told = shell.json(
        "judges", path, "--gold", gold(shell, truth, sorted({*sealed, *others.tolist()}))
    )
    origin = told["label_origin"]
    assert origin["n_left_out"] >= 60 - len(sealed & set(others.tolist()))
    assert origin["n_sealed"] == told["n_gold"]
    more = np.random.default_rng(5).choice(len(truth), 70, replace=False)  # of somebody's own draw
    told = shell.json(
        "judges", path, "--gold", gold(shell, truth, sorted({*sealed, *more.tolist()}))
    )
    assert told["label_origin"]["n_left_out"] == 0


def test_a_seal_of_other_items_is_refused(shell, world):
    path, truth, _ = world
    labels = gold(shell, truth, range(40), seal="0123456789abcdef")
    line = shell.refusal("judges", path, "--gold", labels)
    assert "the seal of the labels must be" in line
    assert "got 0123456789abcdef" in line


def test_all_labels_on_one_stratum(shell, world):
    """Items on which all five say pass, and nothing else."""
    path, truth, votes = world
    labels = gold(shell, truth, np.flatnonzero(votes.sum(axis=1) == 5)[:50])
    told = shell.json("judges", path, "--gold", labels)
    assert told["label_origin"]["is_refused"]
    assert sum(one["n_labelled"] > 0 for one in told["label_origin"]["strata"]) == 1
