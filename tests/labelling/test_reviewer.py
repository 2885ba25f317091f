from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from arena.game.scene import MINUTE, NOW, TRAINING, arena, judged, submitted
from askpoint.errors import RuleError
from askpoint.labelling.protocol import Protocol
from askpoint.labelling.reviewer import (
    Reviewer,
    bar_reviewer,
    check_reviewer,
    is_paused,
    is_trained,
    readmit_reviewer,
    see_gold,
    skip_gold,
    train,
)

RULES = Protocol()
BOB = Reviewer("bob", "hate", NOW, frozenset(TRAINING))


def test_training_comes_first_and_counts_each_item_once():
    judge = Reviewer("bob", "hate", NOW)
    for item in TRAINING[:4] * 2:
        judge = train(judge, item, NOW)
    assert not is_trained(judge, RULES)
    with pytest.raises(RuleError, match="4 of 5 training items") as caught:
        check_reviewer(judge, "hate", RULES)
    assert caught.value.rule == "untrained"
    check_reviewer(train(judge, TRAINING[4], NOW), "hate", RULES)


@pytest.mark.parametrize("share", [0.5, 0.7, 0.8, 0.9, 1.0])
def test_a_judge_is_paused_below_the_share_and_not_before_ten(share):
    rules = Protocol(gold_accuracy=share)
    for seen in range(60):
        for right in range(seen + 1):
            below = Fraction(right) < Fraction(str(share)) * seen
            judge = replace(BOB, recent=(True,) * right + (False,) * (seen - right))
            assert is_paused(judge, rules) == (seen >= 10 and below)


def test_who_may_judge():
    check_reviewer(BOB, "hate", RULES)
    for judge, rule in (
        (replace(BOB, recent=(True,) * 7 + (False,) * 3), "paused"),
        (bar_reviewer(BOB, NOW), "barred"),
        (replace(BOB, queue="spam"), "other-queue"),
    ):
        with pytest.raises(RuleError) as caught:
            check_reviewer(judge, "hate", RULES)
        assert caught.value.rule == rule
    anew = Reviewer("bob", "hate", NOW, since=NOW)
    assert readmit_reviewer(bar_reviewer(BOB, NOW), NOW) == anew  # trains anew
    common, rare = [("normal", True)] * 30, [("hate", False)] * 11
    check_reviewer(BOB, "hate", RULES, common + rare)  # of hate not 12 votes yet
    with pytest.raises(RuleError, match="65% of the newest votes agree") as caught:
        check_reviewer(BOB, "hate", RULES, [*common, *rare, ("hate", False)])
    assert caught.value.rule == "astray"
    share = [("hate", True)] * 6 + [("hate", False)] * 14  # .3 of the newest 20: .65 in the mean
    check_reviewer(BOB, "hate", RULES, common + share)
    check_reviewer(BOB, "hate", RULES, [("hate", False)] * 20 + common + share)
    with pytest.raises(RuleError, match="65%"):
        check_reviewer(
            BOB, "hate", RULES, [("hate", True)] * 20 + common + share + [("hate", False)]
        )
    with pytest.raises(RuleError, match="65%"):  # one answer alone, and mostly against it
        check_reviewer(BOB, "hate", RULES, [("hate", True)] * 7 + [("hate", False)] * 5)


def test_gold_is_counted_and_only_the_newest_tells():
    judge = see_gold(BOB, right=True, protocol=RULES, now=NOW)
    judge = see_gold(judge, right=False, protocol=RULES, now=NOW + MINUTE)
    assert (judge.gold_seen, judge.gold_right, judge.at) == (2, 1, NOW + MINUTE)
    for right in [True] * 100 + [False] * 5:
        assert not is_paused(judge, RULES)
        judge = see_gold(judge, right=right, protocol=RULES, now=NOW + MINUTE)
    assert (judge.gold_seen, judge.gold_right) == (107, 101)
    assert is_paused(judge, RULES)  # 15 of the last 20


def test_a_gold_case_that_is_skipped_counts_as_wrong_from_the_third_on():
    judge = BOB
    for times in range(1, 6):
        judge = skip_gold(judge, RULES, NOW)
        wrong = max(times - 2, 0)
        assert (judge.gold_skipped, judge.gold_seen, judge.gold_right) == (times, wrong, 0)
        assert judge.recent == (False,) * wrong
    assert readmit_reviewer(judge, NOW).gold_skipped == 0
    blind = replace(BOB, recent=(True,) * RULES.gold_window)
    for _ in range(2 + RULES.gold_window):
        blind = skip_gold(blind, RULES, NOW)
    assert is_paused(blind, RULES)


def test_skips_are_counted_limited_and_for_good():
    game = arena(judges=("bob", "beth", "bill", "bo"), protocol=Protocol(skips_free=2))
    cases = [submitted(game, digest=name).id for name in ("one", "two", "three")]
    seen = []
    for _ in range(2):
        seen.append(game.claim("bob", NOW).id)
        game.skip("bob", seen[-1], NOW)
    last = game.claim("bob", NOW).id
    assert [*seen, last] == cases  # what was skipped is not offered again
    with pytest.raises(RuleError, match="2 cases are skipped after 0 votes") as caught:
        game.skip("bob", last, NOW)
    assert caught.value.rule == "too-many-skips"
    with pytest.raises(RuleError, match="holds no claim"):
        game.skip("beth", last, NOW)
    game.give_back(last, NOW, "bob")
    assert game.claim("bob", NOW).id == last  # a break is no choice either
    for judge in ("beth", "bill"):
        game.skip(judge, game.claim(judge, NOW).id, NOW)
    assert game.rulings[cases[0]].state == "referred"  # nobody wants it: the organiser decides
    game.decide(cases[0], "hate", NOW)
    assert game.rulings[cases[0]].state == "final"


def test_ruled_cases_become_gold_for_judges_who_had_no_part():
    game = arena(judges=("bob", "beth", "bill", "bo"))
    assert game.claim("bo", NOW, gold=True) is None
    judged(game, submitted(game, digest="one").id, {"bob": "hate", "beth": "hate"})
    judged(
        game, submitted(game, digest="two").id, {"bob": "hate", "beth": "normal", "bill": "hate"}
    )  # not all agreed
    gold = game.claim("bo", NOW, gold=True)
    assert (gold.purpose, gold.gold, gold.author) == ("gold", "hate", "alice")
    assert game.claim("bob", NOW, gold=True) is None
    game.vote("bo", gold.id, "hate", NOW)
    assert game.judges["bo"].recent == (True,)
    assert game.claim("bo", NOW, gold=True) is None  # nobody sees an item twice


def test_who_is_always_outvoted_is_stopped_without_gold():
    rules = Protocol(agreement_window=4, agreement_votes=4)
    game = arena(judges=("eva", "beth", "bill"), protocol=rules)
    for i in range(5):
        case = submitted(game, digest=str(i)).id
        order = {"eva": "normal", "beth": "hate", "bill": "hate"}
        if i < 4:
            judged(game, case, order)
    assert game.agreements("eva") == [("hate", False)] * 4
    assert game.agreements("beth") == [("hate", True)] * 4
    with pytest.raises(RuleError, match="until the organiser has looked"):
        game.claim("eva", NOW)
    game.judges["eva"] = readmit_reviewer(game.judges["eva"], NOW + MINUTE)
    game.train("eva", TRAINING, NOW + MINUTE)
    assert game.claim("eva", NOW + MINUTE).id == case


def fail_gold(game, judge, now, n_wrong=3, n=10):
    """See `n` gold items, the last `n_wrong` of them wrongly."""
    for i in range(n):
        item = game.claim(judge, now, gold=True)
        assert item.gold == "hate"
        game.vote(judge, item.id, "normal" if i >= n - n_wrong else "hate", now)


def test_a_paused_judges_recent_rulings_are_queued_again():
    game = arena(judges=("bob", "beth", "bill", "bo"))
    for i in range(10):
        game.add_gold(f"gold-{i}", "hate", NOW)
    case = submitted(game).id
    judged(game, case, {"bob": "hate", "beth": "hate"})
    assert game.withdrawable("alice") == 810
    fail_gold(game, "bob", NOW + MINUTE)
    ruling = game.rulings[case]
    assert ruling.state == "open"
    assert [vote.void for vote in ruling.votes] == [True, False]
    assert game.withdrawable("alice") == 810  # stands until the case is ruled again
    with pytest.raises(RuleError, match="7 of the last 10 votes on cases with a known"):
        game.claim("bob", NOW + MINUTE)
    judged(game, case, {"bill": "normal", "bo": "normal"}, NOW + 2 * MINUTE)
    assert game.rulings[case].answer == "normal"
    assert game.withdrawable("alice") == 10
    assert game.withdrawable("bob") == 100 + 10 * 100  # work is paid, gold too
    assert game.ledger.balance(game.campaign.reserved) == 0


def test_gold_does_not_tell_itself_from_a_case():
    game = arena()
    game.add_gold("gold", "hate", NOW)
    case = submitted(game).id
    gold, real = game.claim("bob", NOW, gold=True), game.claim("bob", NOW)
    assert gold.options == real.options
    for item, choice in ((gold, "hate"), (real, "hate")):
        game.vote("bob", item.id, choice, NOW)
    keys = ("vote/gold/bob", f"vote/{case}/bob")
    assert len({game.ledger[key].entries for key in keys}) == 1  # the same pay, the same way
