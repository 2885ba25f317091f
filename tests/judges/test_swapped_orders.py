"""One pairwise judge in two orders: flips and the preferred place, against a plain loop."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.judges.checks.swapped_orders import compare_orders, pairs_of_orders
from askpoint.judges.sketch.vote_sketch import VoteSketch


@pytest.mark.parametrize(
    ("names", "pairs"),
    [
        (["GPT-4|CoT|AB", "GPT-4|CoT|BA"], {"GPT-4|CoT": ("GPT-4|CoT|AB", "GPT-4|CoT|BA")}),
        (["m", "m swapped"], {"m": ("m", "m swapped")}),
        (["m order 1", "m order 2"], {"m": ("m order 1", "m order 2")}),
        (["x|Swap", "x"], {"x": ("x", "x|Swap")}),
        (["x|Swap"], {}),
        (["ab", "ba", "crab", "samba"], {}),
    ],
)
def test_runs_are_told_by_their_names(names, pairs):
    assert pairs_of_orders(names) == pairs


@pytest.mark.parametrize(("lean", "place"), [(0.8, "first"), (0.2, "second"), (0.5, None)])
def test_flips_and_places_are_those_of_a_loop(lean, place):
    rng = np.random.default_rng(11)
    given = rng.integers(0, 2, 600)
    swapped = given.copy()
    flips = rng.random(600) < 0.3
    to_first = rng.random(600) < lean
    given[flips], swapped[flips] = np.where(to_first, 0, 1)[flips], np.where(to_first, 1, 0)[flips]
    given[:10] = -1
    sketch = VoteSketch(["gpt AB", "gpt BA"], ["A", "B"])
    sketch.update_codes(np.column_stack([given, swapped]))
    (found,) = compare_orders(sketch)
    rows = [(a, b) for a, b in zip(given, swapped, strict=True) if a >= 0]
    assert (found.n_items, found.n_changed) == (590, sum(a != b for a, b in rows))
    assert (found.n_first, found.n_second) == (rows.count((0, 1)), rows.count((1, 0)))
    assert found.place == place
    assert found.changed.lower < found.n_changed / 590 < found.changed.upper


def test_labels_that_name_no_answer_tell_of_no_place():
    sketch = VoteSketch(["gpt AB", "gpt BA"], ["fail", "pass"])
    sketch.update_codes([[0, 1]] * 40)
    (found,) = compare_orders(sketch)
    assert (found.n_changed, found.n_first, found.n_second, found.place) == (40, 0, 0, None)


def test_runs_that_share_no_item_are_not_compared():
    sketch = VoteSketch(["gpt AB", "gpt BA", "m", "m swapped"], ["A", "B"])
    sketch.update_codes([[0, -1, 1, 1], [-1, 1, 0, 1]] * 20)
    (found,) = compare_orders(sketch)
    assert (found.judge, found.n_items, found.n_changed) == ("m", 40, 20)
