from __future__ import annotations

from datetime import timedelta

import pytest

from arena.game.scene import COSTS, HATE, terms
from askpoint.arena.game.pay import Pay
from askpoint.arena.game.terms import CampaignTerms, Sought
from askpoint.errors import CostsError, InputError
from askpoint.labelling.protocol import Protocol
from askpoint.measures.cost_matrix import CostMatrix


@pytest.mark.parametrize("design", [1, 2, 3, 4, 5])
def test_each_design_can_be_switched_on_alone(design):
    given = terms(designs=[design])
    assert given.designs == {1, design}
    assert (given.sought is None) == (design != 3)
    assert given.scheme == ("minimum-cost" if design == 4 else "flat")


def test_the_most_that_a_case_can_cost():
    pay = Pay(base=10, top=1000, vote=100)
    assert terms(pay=pay).most_promised == 10 + 1000 + 3 * 100
    assert terms(pay=pay, protocol=Protocol(votes=1)).most_promised == 10 + 1000 + 100


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"designs": [1, 999]}, "the designs are 1, 2, 3, 4"),
        ({"designs": [1, 2], "sought": HATE}, "design 3 looks for one kind"),
        ({"sought": None}, "design 3 looks for one kind"),
        ({"appeal_window": timedelta(-1)}, "appeal_window"),
        ({"sought": Sought("hate", "hate")}, "one class taken for another"),
        ({"sought": Sought("hate", "spam")}, "one class taken for another"),
        ({"turn_away": 0.6}, "turn_away must be above .6"),
        ({"turn_away": 1.01}, "turn_away must be above .6"),
        ({"shrink": 1.0}, "shrink must be at least"),
        ({"precision_floor": 1.0}, "precision_floor"),
        ({"tries_per_hour": 0}, "tries_per_hour"),
        ({"tries_per_address": 0}, "tries_per_address"),
        ({"scheme": "generous"}, "a reward scheme must be one of"),
    ],
)
def test_terms_that_contradict_or_leave_their_range(changes, message):
    with pytest.raises(InputError, match=message):
        CampaignTerms(**{"costs": COSTS, "sought": HATE, **changes})


def test_a_scheme_that_pays_at_the_boundary():
    with pytest.raises(InputError, match=r"pays 50% of the top reward .* tossed a coin"):
        terms(scheme="wrong-class")
    with pytest.raises(InputError, match="pays 100% of the top reward"):
        terms(scheme="flat")
    dear = CostMatrix(["normal", "hate"], [[0, 1], [9, 0]])
    with pytest.raises(InputError, match="pays 64% of the top reward"):
        terms(costs=dear, scheme="expected-cost")
    assert terms(scheme="expected-cost").scheme_end == 0.5
    assert terms(scheme="wrong-class", boundary_pay=True).scheme == "wrong-class"


def test_costs_under_which_nothing_is_uncertain():
    with pytest.raises(CostsError, match="never costs anything"):
        terms(costs=CostMatrix(["normal", "hate"], [[0, 0], [1, 0]]))
