"""When judges have settled that a find is the same as another, and who repeats own ones too often."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import pytest

from askpoint.arena.game.same_finds import (
    NEW,
    is_repeating,
    is_surely_repeating,
    settle_comparison,
)


@pytest.mark.parametrize(
    ("answers", "settled"),
    [
        ([], None),
        (["a"], None),
        ([NEW], None),
        (["a", NEW], None),
        (["a", "b"], None),
        (["a", "a"], "a"),
        ([NEW, NEW], NEW),
        (["a", NEW, "a"], "a"),
        (["a", NEW, NEW], NEW),
        (["a", "b", NEW], NEW),
    ],
)
def test_two_equal_answers_settle(answers, settled):
    assert settle_comparison(answers) == settled


@pytest.mark.parametrize("answers", list(product(["a", "b", NEW], repeat=3)))
def test_the_order_of_three_answers_changes_nothing(answers):
    assert settle_comparison(answers) == settle_comparison(sorted(answers))


@pytest.mark.parametrize("n", [3, 10, 37, 100, 400])
def test_a_player_is_named_where_chance_brings_it_to_one_in_a_hundred(n):
    share = Fraction(1, 50)

    def chance(count):
        return sum(comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(count, n + 1))

    for count in range(min(n, 40) + 1):
        assert is_repeating(count, n) == (count >= 3 and chance(count) < Fraction(1, 100))
        surely = count >= 3 and chance(count) < Fraction(3, 1000)
        assert is_surely_repeating(count, n) == surely
