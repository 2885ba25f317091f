"""How a policy stands: each number is that of its state."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.live.alarms import evidence_share
from askpoint.live.budget import mistakes_allowed, mistakes_at_most
from askpoint.live.group_scale import GroupScale
from askpoint.live.state import fresh_state
from askpoint.live.status import Status, Troubles, status_of
from askpoint.live.worth import LivePrices, worth_so_far
from live.worlds import MONEY, PROMISE, cases, live

PRICES = LivePrices(10, 1)
BOTH = pytest.mark.parametrize("terms", [MONEY, PROMISE], ids=lambda terms: terms.aim)


@BOTH
def test_a_policy_in_use(terms):
    c, wrong, draw = cases(2000, seed=1)
    state, answer, events = live(terms, c, wrong, draw, lost=np.arange(1980, 1990))
    found = status_of(state, terms, PRICES, Troubles(dead=3, clock_back=2))
    audit = answer & (draw < terms.rate)
    assert (found.decided, found.answered, found.asked) == (2000, answer.sum(), (~answer).sum())
    assert found.audited == audit.sum()
    assert found.awaited == (audit | ~answer)[1980:1990].sum() > 0
    moved = [event.numbers["threshold"] for event in events if event.kind in ("opened", "threshold")]  # fmt: skip
    assert found.threshold == moved[-1]
    assert (found.episode, found.waiting, found.booked) == (1, False, 0)
    assert found.evidence == evidence_share(state) < 1
    assert found.mistakes_at_most == mistakes_at_most(state, terms)
    assert found.mistakes_allowed == mistakes_allowed(state, terms) > found.mistakes_at_most
    assert (found.worth, found.missing_why) == (worth_so_far(state, terms, PRICES), "")
    assert found.troubles == (3, 2)
    assert found.group_thresholds == {}


def test_before_the_first_decision_there_is_no_worth_and_why():
    found = status_of(fresh_state(MONEY), MONEY, PRICES, Troubles())
    assert found.worth is None
    assert "no decisions yet" in found.missing_why
    assert (found.threshold, found.decided, found.awaited, found.evidence) == (None, 0, 0, 0.0)
    assert isinstance(found, Status)


def test_thresholds_of_groups_are_those_of_their_scale():
    c, wrong, draw = cases(2000, seed=1)
    state, _, _ = live(MONEY, c, wrong, draw)
    right = np.array([[0.6, 0.9, 0.99], [0.1, 0.3, 0.95]])
    scale = GroupScale("language", np.array([0.5, 0.7, 0.9]), ("en", "tr"), right, right[1])
    found = status_of(state.copy_with(threshold=0.91), MONEY, PRICES, Troubles(), scale)
    assert found.group_thresholds["en"] == found.group_thresholds["tr"] == 0.9
    assert status_of(state.copy_with(threshold=0.3), MONEY, PRICES, Troubles(), scale).group_thresholds["tr"] == 0.7  # fmt: skip
