from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from askpoint.errors import RuleError
from askpoint.game.judge import (
    Judge,
    bar_judge,
    check_judge,
    is_paused,
    is_trained,
    readmit_judge,
    see_gold,
    train,
)
from askpoint.game.protocol import Protocol
from game.scene import MINUTE, NOW, TRAINING, arena, judged, submitted

RULES = Protocol()
BOB = Judge("bob", "hate", NOW, frozenset(TRAINING))


def test_training_comes_first_and_counts_each_item_once():
    judge = Judge("bob", "hate", NOW)
    for item in TRAINING[:4] * 2:
        judge = train(judge, item, NOW)
    assert not is_trained(judge, RULES)
    with pytest.raises(RuleError, match="4 of 5 training items") as caught:
        check_judge(judge, "hate", RULES)
    assert caught.value.rule == "untrained"
    check_judge(train(judge, TRAINING[4], NOW), "hate", RULES)


@pytest.mark.parametrize("share", [0.5, 0.7, 0.8, 0.9, 1.0])
def test_a_judge_is_paused_below_the_share_and_not_before_ten(share):
    rules = Protocol(gold_accuracy=share)
    for seen in range(60):
        for right in range(seen + 1):
            below = Fraction(right) < Fraction(str(share)) * seen
            judge = replace(BOB, gold_seen=seen, gold_right=right)
            assert is_paused(judge, rules) == (seen >= 10 and below)


def test_who_may_judge():
    check_judge(BOB, "hate", RULES)
    for judge, rule in (
        (replace(BOB, gold_seen=10, gold_right=7), "paused"),
        (bar_judge(BOB, NOW), "barred"),
        (replace(BOB, campaign="spam"), "other-campaign"),
    ):
        with pytest.raises(RuleError) as caught:
            check_judge(judge, "hate", RULES)
        assert caught.value.rule == rule
    assert readmit_judge(bar_judge(BOB, NOW), NOW) == Judge("bob", "hate", NOW)  # trains anew


def test_gold_is_counted():
    judge = see_gold(see_gold(BOB, right=True, now=NOW), right=False, now=NOW + MINUTE)
    assert (judge.gold_seen, judge.gold_right, judge.at) == (2, 1, NOW + MINUTE)


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
    assert game.earned("alice") == 810
    fail_gold(game, "bob", NOW + MINUTE)
    ruling = game.rulings[case]
    assert ruling.state == "open"
    assert [vote.void for vote in ruling.votes] == [True, False]
    assert game.earned("alice") == 810  # stands until the case is ruled again
    with pytest.raises(RuleError, match="7 of 10 votes on cases with a known answer"):
        game.claim("bob", NOW + MINUTE)
    judged(game, case, {"bill": "normal", "bo": "normal"}, NOW + 2 * MINUTE)
    assert game.rulings[case].answer == "normal"
    assert game.earned("alice") == 10
    assert game.earned("bob") == 100 + 10 * 100  # work is paid, gold too
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
