"""Who may join what: a player is no judge, and who runs a campaign is neither."""

from __future__ import annotations

import pytest

from arena.game.scene import NOW
from askpoint.arena.game.campaign import check_pools
from askpoint.arena.game.ruling import Ruling
from askpoint.arena.game.settlement import Move, settle_anew
from askpoint.errors import RuleError


def test_who_runs_a_campaign_is_in_neither_pool():
    with pytest.raises(RuleError, match="ann runs this campaign"):
        check_pools("ann", "player", None, organises=True)


def test_nobody_is_in_both_pools():
    check_pools("ann", "judge", None)
    check_pools("ann", "judge", "judge")
    with pytest.raises(RuleError, match="ann"):
        check_pools("ann", "judge", "player")


def test_a_case_that_is_open_again_is_settled_when_it_is_ruled():
    ruling = Ruling("c", "campaign", "ann", ("hate", "normal"), NOW, NOW)
    move = settle_anew(None, ruling, NOW, probe=None, player=None, family=(), available=0)
    assert move == Move(ruling)
