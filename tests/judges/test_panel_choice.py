"""Whom to pay for: against every subset of a panel, and prices that settle it."""

from __future__ import annotations

from itertools import combinations

import pytest

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.gold import panel_choice
from askpoint.judges.gold.label_worth import measure_panel, measure_worth
from askpoint.judges.gold.panel_choice import JudgePrices, choose_judges
from judges.test_label_worth import panel

JUDGES = ("j0", "j1", "j2", "j3")


def choose(patterns, prices):
    return choose_judges(patterns, "pass", measure_worth(patterns, "pass"), prices)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("price", [0.001, 0.02, 0.06])
def test_no_single_judge_more_or_less_saves_more_and_rarely_any_subset(seed, price):
    patterns = panel([0.9, 0.8, 0.75, 0.55], seed, n=1000, n_gold=100)
    prices = JudgePrices(check=1.0, votes=dict.fromkeys(JUDGES, price))
    found = choose(patterns, prices)

    def save(judges):
        labels = measure_panel(patterns, "pass", judges, 0.95).n_plain - 100
        return labels - price * 1000 * len(judges)

    subsets = [s for k in range(5) for s in combinations(JUDGES, k)]
    best = max(map(save, subsets))
    assert found.saved == pytest.approx(save(found.paid))
    assert found.saved_by_all == pytest.approx(save(JUDGES))
    assert found.saved >= best - 0.1 * abs(best)
    assert "j3" not in found.paid or price < 0.01  # he knows next to nothing


def test_free_votes_and_free_labels():
    patterns = panel([0.9, 0.8, 0.75, 0.55], 1, n=1000, n_gold=100)
    free = choose(patterns, JudgePrices(check=2.0, votes=dict.fromkeys(JUDGES, 0.0)))
    assert "j0" in free.paid
    assert {one.cost for one in free.judges.values()} == {0.0}
    nothing = choose(patterns, JudgePrices(check=0.0, votes=dict.fromkeys(JUDGES, 0.01)))
    assert nothing.paid == ()
    assert nothing.saved == 0
    assert nothing.saved_by_all == pytest.approx(-40)
    assert nothing.judges["j0"].saved == pytest.approx(-10)


def test_the_only_judge_is_weighed_against_labels_alone():
    patterns = panel([0.9], 0, n=1000, n_gold=100)
    worth = measure_worth(patterns, "pass")
    found = choose(patterns, JudgePrices(check=1.0, votes={"j0": 0.01}))
    assert found.judges["j0"].saved == pytest.approx(worth.n_plain - 100 - 10)


@pytest.mark.parametrize("price", [-1.0, float("nan"), float("inf")])
def test_prices_that_are_none(price):
    with pytest.raises(InputError, match="must be a number from 0 up; got"):
        JudgePrices(check=1.0, votes={"j0": price})


def test_judges_without_price_and_strangers(monkeypatch):
    patterns = panel([0.9, 0.8], 0, n=500, n_gold=60)
    with pytest.raises(InputError, match="j1 has none"):
        choose(patterns, JudgePrices(check=1.0, votes={"j0": 0.1}))
    with pytest.raises(InputError, match="no judge 'me'"):
        choose(patterns, JudgePrices(check=1.0, votes={"me": 0.1}))
    monkeypatch.setattr(panel_choice, "_MOST", 1)
    with pytest.raises(NotEstimableError, match="at most 1 judges"):
        choose(patterns, JudgePrices(check=1.0, votes={"j0": 0.1, "j1": 0.1}))
