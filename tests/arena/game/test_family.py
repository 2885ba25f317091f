"""One find is one find: what repeats an earlier case, ruled or not, is no find of its own."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product

import pytest

from arena.game.scene import MINUTE, NOW, SURE, arena
from askpoint.arena.game.campaign import return_funds
from askpoint.arena.game.family import is_new_find
from askpoint.arena.game.feedback import Resemblance
from askpoint.arena.game.probe import feedback_on
from askpoint.arena.game.settlement import settle
from askpoint.measures.model_answer import ModelAnswer

FIND = "women belong in the kitchen and nowhere else"
VARIANTS = [FIND, *(FIND + end for end in ("!", " today", " now", "?!", " again"))]
FULL, COPY, BASE = 800, 80, 10  # .9 sure: 800 points, of which design 5 leaves an exact copy 80


def filed(game, texts=VARIANTS, player="alice"):
    """Submit texts, a minute apart, and return their cases."""
    cases = []
    for i, text in enumerate(texts):
        now = NOW + i * MINUTE
        tried = game.try_case(player, f"{player}{text}", SURE, now, text=text)
        cases.append(game.submit(tried.id, now).id)
    return cases


def ruled(game, case, truth, now=NOW + 60 * MINUTE):
    """Two judges say the same of one case, wherever it stands in the queue."""
    game.next_case = lambda *_, **__: game.rulings[case]
    for judge in ("bob", "beth"):
        game.claim(judge, now)
        game.vote(judge, case, truth, now)


def test_fifteen_variants_of_a_sentence_are_one_find():
    game = arena()
    texts = [FIND + "!" * i + " today" * (i % 2) for i in range(15)]
    cases = filed(game, texts)  # all of them before any vote
    for case in cases:
        ruled(game, case, "hate")
    assert game.withdrawable("alice") == BASE + FULL  # an own repeat is not paid
    assert [is_new_find(game.probes[case]) for case in cases] == [True] + [False] * 14
    assert game.ledger.balance(game.campaign.reserved) == 0


@pytest.mark.parametrize("truths", list(product(["hate", "normal"], repeat=3)))
def test_the_order_of_rulings_changes_nobodys_pay(truths):
    paid = set()
    for order in permutations(range(3)):
        game = arena()
        cases = filed(game, VARIANTS[:3])
        for i in order:
            ruled(game, cases[i], truths[i])
            assert game.ledger.balance(game.campaign.reserved) == sum(
                ruling.reserved for ruling in game.rulings.values()
            )
        paid.add(tuple(game.probes[case].awarded for case in cases))
        assert game.ledger.balance(game.campaign.reserved) == 0
    (awards,) = paid
    first = truths.index("hate") if "hate" in truths else 3
    for i, award in enumerate(awards):
        found = BASE + FULL if i == first else 0
        assert award == (found or (BASE if i == 0 else 0))


def test_a_find_waits_for_the_one_before_and_is_promised_no_more():
    game = arena()
    one, two, three = filed(game, VARIANTS[:3])
    ruled(game, three, "hate")
    assert game.probes[three].place == "waits"
    assert game.withdrawable("alice") == COPY
    assert game.rulings[three].reserved == BASE + FULL - COPY
    ruled(game, one, "normal")
    assert game.withdrawable("alice") == COPY + BASE
    ruled(game, two, "normal")
    assert game.probes[three].place == "first"
    assert game.withdrawable("alice") == BASE + FULL + BASE
    game.appeal("alice", one, NOW + 61 * MINUTE)
    game.decide(one, "hate", NOW + 62 * MINUTE)  # the first find is another one now
    assert [game.probes[it].awarded for it in (one, two, three)] == [BASE + FULL, 0, 0]


def test_where_the_budget_does_not_carry_the_new_place_the_organiser_decides():
    game = arena()
    unsure = game.try_case("alice", "unsure", ModelAnswer((0.6, 0.4), "normal"), NOW, text=FIND)
    game.submit(unsure.id, NOW)
    (two,) = filed(game, [FIND + " now"])
    for case in (unsure.id, two):
        ruled(game, case, "hate")
    assert game.withdrawable("alice") == BASE + 200
    late = NOW + 61 * MINUTE
    game.close(late)
    game.ledger.post(*return_funds(game.campaign, game.available, "all", late))
    game.appeal("alice", unsure.id, late)
    game.decide(unsure.id, "normal", late)  # 200 points are free again, and 810 are wanted
    assert game.rulings[two].state == "referred"
    assert game.probes[two].awarded == 0
    game.fund(1000, late)
    game.decide(two, "hate", late)
    assert game.probes[two].awarded == BASE + FULL
    assert game.rulings[two].state == "final"


def test_a_repeat_of_a_ruled_find_is_promised_a_tenth_from_the_start():
    game = arena()
    (one,) = filed(game, [FIND])
    ruled(game, one, "hate")
    later = NOW + 61 * MINUTE
    probe = game.try_case("eve", "hers", SURE, later, Resemblance(0.2, "v"), text=FIND + " now")
    assert probe.best_prize == COPY
    said = feedback_on(game.campaign.terms, probe)
    assert (said.repeats, said.kept) == (True, pytest.approx(0.1))
    game.submit(probe.id, later, Resemblance(0.2, "v"))
    ruled(game, probe.id, "hate", later)
    assert game.withdrawable("eve") == COPY
    assert game.probes[probe.id].place == "repeat"


def test_without_design_5_repeats_are_paid_and_are_still_no_finds():
    game = arena(designs=(1, 2, 3, 4))
    cases = filed(game, VARIANTS[:2])
    for case in cases:
        ruled(game, case, "hate")
    assert game.withdrawable("alice") == 2 * (BASE + FULL)
    assert [is_new_find(game.probes[case]) for case in cases] == [True, False]


def test_another_text_is_a_family_of_its_own():
    game = arena()
    cases = filed(game, [FIND, "they should all be sent back where they came from"])
    assert [game.probes[case].family for case in cases] == cases
    for case in cases:
        ruled(game, case, "hate")
    assert game.withdrawable("alice") == 2 * (BASE + FULL)


def test_a_case_ruled_again_by_as_many_votes_moves_its_points_again():
    """The first votes were void, others say otherwise: the award goes back, and once more to the budget."""
    game = arena()
    (case,) = filed(game, [FIND])
    ruled(game, case, "hate")
    before = game.ledger.balance(game.campaign.budget)
    probe, ruling = game.probes[case], game.rulings[case]
    assert probe.awarded == BASE + FULL
    for answer, awarded in (("normal", BASE), ("hate", BASE + FULL), ("normal", BASE)):
        again = replace(ruling, answer=answer)  # the same state, and as many votes
        known = {"probe": probe, "player": game.players["alice"], "family": (probe,)}
        move = settle(game.campaign, again, probe.at, **known)
        game.ledger.post(*move.transactions)
        probe = move.probe
        assert probe.awarded == awarded
        taken = game.ledger.balance(game.campaign.budget) - before
        assert taken == BASE + FULL - awarded
        assert game.ledger.balance(game.campaign.reserved) == 0
