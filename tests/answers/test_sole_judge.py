"""One judge taken for the truth: shares and paired differences."""

from itertools import product
from math import comb

import numpy as np
import pytest

from askpoint.answers.judges.sole_judge import difference_as_truth, share_as_truth
from askpoint.judges.sketch.tables import VoteTable


def table(votes, judges=("exact",)):
    codes = np.array(votes, dtype=np.int16).reshape(len(votes), len(judges))
    return VoteTable(tuple(map(str, range(len(votes)))), judges, ("pass", "fail"), codes)


def pairs(only_first, only_second, n):
    first = [0] * only_first + [1] * (n - only_first)
    second = [1] * only_first + [0] * only_second + [1] * (n - only_first - only_second)
    return table(first), table(second)


def test_a_missing_vote_and_several_judges():
    assert share_as_truth(table([0, 0, 1, -1]), "pass").value == pytest.approx(2 / 3)
    assert share_as_truth(table([-1]), "pass") is None
    two = table([(0, 1)], ("a", "b"))
    assert share_as_truth(two, "pass") is None
    assert difference_as_truth(two, two, "pass") is None
    assert difference_as_truth(table([-1]), table([0]), "pass") is None


def test_the_other_way_round_is_the_other_sign():
    first, second = pairs(3, 9, 40)
    one, other = (
        difference_as_truth(first, second, "pass"),
        difference_as_truth(second, first, "pass"),
    )
    assert one.value == pytest.approx(6 / 40)
    assert one.apart == (3, 9)
    assert list(one.interval) == pytest.approx([-x for x in reversed(list(other.interval))])


@pytest.mark.parametrize(("b", "c"), [(0.1, 0.1), (0.05, 0.2), (0.25, 0.3)])
def test_the_interval_holds_the_difference_by_enumeration(b, c):
    n, held = 30, 0.0
    for x, y in product(range(n + 1), repeat=2):
        if x + y <= n:
            chance = comb(n, x) * comb(n - x, y) * b**x * c**y * (1 - b - c) ** (n - x - y)
            if chance > 1e-6:
                low, high = difference_as_truth(*pairs(x, y, n), "pass").interval
                held += chance * (low <= c - b <= high)
    assert held > 0.93
