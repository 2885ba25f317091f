"""Example 4.1 of the paper, exactly, and by simulation."""

from fractions import Fraction

import numpy as np
import pytest

from askpoint.errors import InputError
from askpoint.unknowns.inspection import random_inspection


def test_example_4_1():
    assert random_inspection(0.001, 0.05) == (20_000, 999)
    assert random_inspection(Fraction(1, 1000), Fraction(5, 100)) == (20_000, 999)


def test_it_is_what_a_random_search_meets():
    rng = np.random.default_rng(1)
    rare = rng.random(400_000) < 0.01
    wrong = rng.random(400_000) < np.where(rare, 0.2, 0.03)
    inspected, false_positives = random_inspection(0.01, 0.2, 0.03)
    misses = (rare & wrong).sum()
    assert 400_000 / misses == pytest.approx(inspected, rel=0.1)
    assert (~rare & wrong).sum() / misses == pytest.approx(false_positives, rel=0.1)


@pytest.mark.parametrize("rates", [(0, 0.1), (0.1, 0), (1.1, 0.1), (0.1, 0.1, -0.1), (0.1, 2)])
def test_rates_must_be_shares(rates):
    with pytest.raises(InputError, match="prevalence and miss_rate"):
        random_inspection(*rates)
