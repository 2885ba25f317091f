from __future__ import annotations

import pytest

from arena.game.scene import MINUTE, NOW, arena, submitted
from askpoint.errors import InputError, RuleError
from askpoint.labelling.clock import check_clock


def test_the_same_moment_and_a_later_one_pass():
    assert check_clock(NOW) == check_clock(NOW, NOW) == check_clock(NOW, NOW - MINUTE) == NOW


def test_a_moment_without_time_zone_is_refused():
    with pytest.raises(InputError, match="needs a time zone"):
        check_clock(NOW.replace(tzinfo=None))


def test_a_clock_that_goes_backwards_is_refused():
    with pytest.raises(RuleError, match="went backwards") as caught:
        check_clock(NOW, NOW - MINUTE, NOW + MINUTE)
    assert caught.value.rule == "clock"


def test_every_move_refuses_a_clock_that_goes_backwards():
    game = arena()
    probe = submitted(game, now=NOW + MINUTE)
    game.claim("bob", NOW + MINUTE)
    early = [
        lambda: game.fund(1, NOW - MINUTE),
        lambda: game.close(NOW - MINUTE),
        lambda: game.train("bob", ["more"], NOW - MINUTE),
        lambda: game.try_case("alice", "two", probe.answer, NOW - MINUTE),
        lambda: game.submit(probe.id, NOW),
        lambda: game.claim("beth", NOW),
        lambda: game.give_back(probe.id, NOW),
        lambda: game.vote("bob", probe.id, "hate", NOW),
        lambda: game.appeal("alice", probe.id, NOW),
        lambda: game.decide(probe.id, "hate", NOW),
    ]
    before = (dict(game.probes), dict(game.rulings), dict(game.ledger.balances))
    for move in early:
        with pytest.raises(RuleError) as caught:
            move()
        assert caught.value.rule == "clock"
    assert before == (game.probes, game.rulings, game.ledger.balances)
