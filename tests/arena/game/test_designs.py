"""Every design of the table: it pays within its bound, and says what it does."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from arena.game.generous import GENEROUS, NEW
from arena.game.scene import COSTS, HATE, terms
from askpoint.arena.game.designs import DESIGNS, PAPER_DESIGNS, SOUGHT_FROM, check_designs
from askpoint.arena.game.feedback import Feedback
from askpoint.arena.game.probe import prizes_of
from askpoint.arena.game.terms import CampaignTerms
from askpoint.errors import InputError
from askpoint.measures.model_answer import ModelAnswer

NUMBERS = pytest.mark.parametrize("number", DESIGNS)


@pytest.mark.no_cover
@NUMBERS
@given(p=st.floats(0, 1), similarity=st.floats(0, 1))
def test_no_design_pays_more_than_the_budget_reserves(number, p, similarity):
    on = terms(designs=[number])
    answer = ModelAnswer((1 - p, p), "hate" if p > 0.5 else "normal")
    assert 0 <= DESIGNS[number].factor(on, answer, "hate", similarity) <= DESIGNS[number].most
    assert max(prize.points for prize in prizes_of(on, answer, similarity)) <= on.most_prize


@NUMBERS
def test_a_design_says_what_it_is(number):
    design = DESIGNS[number]
    assert design.most >= 1  # a case can bring the top reward, whatever is on
    assert design.title
    assert design.rule(terms()).endswith(".")
    assert design.offer or number in (1, SOUGHT_FROM)  # those follow from other choices
    for error in (True, False):
        for similarity in (0.0, 0.6, 1.0):
            said = design.why(Feedback("normal", 0.9, 100, similarity, ""), error)
            assert said == "" or said.endswith(".")


def test_the_first_design_is_always_on_and_those_of_the_paper_by_default():
    assert terms(designs=[]).designs == {1}
    assert CampaignTerms(COSTS, sought=HATE).designs == set(PAPER_DESIGNS)


def test_a_number_that_no_design_has():
    with pytest.raises(InputError, match=r"the designs are 1, 2, .* and \d+; got \[999\]"):
        check_designs([999])


def test_the_budget_reserves_what_a_generous_design_may_pay(monkeypatch):
    monkeypatch.setitem(DESIGNS.own, NEW, GENEROUS)
    on = terms(designs=[2, NEW])
    assert on.most_promised == terms(designs=[2]).most_promised + on.pay.top
    sure, unsure = (ModelAnswer((1 - p, p), "normal") for p in (0.05, 0.2))
    assert prizes_of(on, sure)[1].points == 2 * on.pay.top
    assert prizes_of(on, unsure)[1].points == on.pay.top
    assert prizes_of(terms(designs=[2]), sure)[1].points == on.pay.top
    with pytest.raises(InputError, match=f"4, 5.* and {NEW};"):
        check_designs([999])


def test_what_nearly_repeats_is_said_by_how_sure_that_is():
    def said(**given):
        return DESIGNS[5].why(Feedback("clean", 0.9, 500, reason="", **given), False)

    waits = said(similarity=0.9, repeats=True, kept=0.5, kept_as_copy=0.25)
    assert "is not ruled yet" in waits
    assert "25%" in waits
    assert "nearly repeats an earlier find: it earns 25%" in said(similarity=1.0, kept=0.25)
    assert "It is new" in said(similarity=0.0)
    assert "It resembles earlier finds: it earns 60%" in said(similarity=0.4, kept=0.6)


def test_tries_of_an_address_are_those_that_were_set():
    few = terms(tries_per_address=7)
    assert few.address_limit(2) == few.address_limit(2_000) == 7
