"""Shares in parts of the items: the whole in one part, exact where all is labelled, held together."""

import numpy as np
import pytest
from simulated_panels import PANEL_WORLDS, simulate_panel

from askpoint.errors import InputError
from askpoint.judges.gold.evaluation import evaluate_with_gold
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.gold.simultaneous import slice_shares
from askpoint.judges.sketch.tables import VoteTable
from askpoint.judges.sketch.vote_sketch import VoteSketch

LABELS = ("fail", "pass")


def panel(seed, n=400):
    found = simulate_panel(PANEL_WORLDS["hard5"], np.random.default_rng(seed))
    tasks = tuple(f"t{i}" for i in range(n))
    truth = {t: LABELS[v] for t, v in zip(tasks, found.truth[:n], strict=True)}
    return VoteTable(tasks, tuple("abcde"), LABELS, found.votes[:n]), truth


@pytest.mark.parametrize("any_time", [False, True])
@pytest.mark.parametrize("drawn", ["at random", "as proposed"])
def test_one_part_is_the_whole(drawn, any_time):
    table, truth = panel(1)
    tasks = np.random.default_rng(1).permutation(table.tasks)[:90].tolist()
    gold = {t: truth[t] for t in tasks}
    whole = dict.fromkeys(table.tasks, "all")
    found = slice_shares(table, gold, whole, "pass", drawn=drawn, any_time=any_time)["all"]
    sketch = VoteSketch(table.judges, LABELS)
    sketch.update_codes(table.codes)
    evaluation = evaluate_with_gold(sketch, GoldSketch.from_table(table, gold), drawn=drawn)
    assert found.share == pytest.approx(evaluation.prevalence["pass"])
    interval = evaluation.interval(any_time=any_time).prevalence["pass"]
    assert list(found.interval) == pytest.approx(list(interval))
    assert (found.n_items, found.n_gold) == (400, 90)


def test_with_every_label_a_part_is_known_but_for_half_an_item():
    table, truth = panel(2)
    parts = {t: "ab"[i % 2] for i, t in enumerate(table.tasks)}
    for name, one in slice_shares(table, truth, parts, "pass").items():
        real = np.mean([truth[t] == "pass" for t in parts if parts[t] == name])
        assert one.share == pytest.approx(real)
        assert one.interval.upper - one.interval.lower <= 1 / one.n_items + 1e-9


def test_all_parts_hold_together_and_a_part_without_labels_has_none():
    together = 0
    for seed in range(40):
        table, truth = panel(seed)
        parts = {t: "abcd"[i % 4] for i, t in enumerate(table.tasks)}
        rng = np.random.default_rng(seed)
        tasks = rng.permutation([t for t in parts if parts[t] != "d"])[:120].tolist()
        gold = {t: truth[t] for t in tasks}
        found = slice_shares(table, gold, parts, "pass")
        assert found.pop("d") is None
        together += all(
            one.interval.lower
            <= np.mean([truth[t] == "pass" for t in parts if parts[t] == name])
            <= one.interval.upper
            for name, one in found.items()
        )
    assert together >= 35  # fewer with a chance of .02 if all hold together 19 times of 20


def test_what_cannot_be_sliced():
    table, truth = panel(3)
    with pytest.raises(InputError, match="items' names"):
        slice_shares(table, truth, {"elsewhere": "a"}, "pass")
    with pytest.raises(InputError, match="label"):
        slice_shares(table, truth, dict.fromkeys(table.tasks, "a"), "good")
