"""An order that nobody chose: the same for every reader, and another for other items."""

from __future__ import annotations

import hashlib

import pytest

from askpoint.measures.seals import count_sealed, order_by_seal, seal_of

TASKS = [f"t{i}" for i in range(40)]


def test_a_seal_is_that_of_the_set_and_of_no_other():
    assert seal_of(TASKS) == seal_of(TASKS[::-1])
    assert seal_of(["ab", "c"]) == hashlib.sha256(b"2:ab1:c").hexdigest()[:16]
    lists = (["ab", "c"], ["a", "bc"], ["abc"], ["ab", "c", ""], ["ab"])
    assert len({seal_of(one) for one in lists}) == 5


def test_the_order_follows_from_the_names_alone():
    order = order_by_seal(TASKS)
    assert sorted(order) == sorted(TASKS)
    assert order_by_seal(TASKS[::-1]) == order != tuple(TASKS)
    rest = order_by_seal(TASKS[1:])  # another set has another order
    assert rest != tuple(task for task in order if task != TASKS[0])


@pytest.mark.parametrize("n", [0, 1, 7, 39, 40])
def test_labels_count_up_to_the_first_gap(n):
    order = order_by_seal(TASKS)
    assert count_sealed(TASKS, order[:n]) == n
    assert count_sealed(TASKS, {*order[:n], *order[n + 1 :]}) == n
    assert count_sealed(TASKS, [*order[:n], "a stranger"]) == n
