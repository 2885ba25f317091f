"""Pictures of a policy in use: what is drawn is what its life says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from askpoint.displays.live import (
    AuditMoneyDisplay,
    CoverageDisplay,
    EvidenceDisplay,
    LiveCostDisplay,
)
from askpoint.live.events import Event, LoggedEvent
from askpoint.live.history import history_of
from askpoint.live.worth import LivePrices
from live.test_history import blocks, document

PRICES = LivePrices(mistake=10, check=1)


@pytest.fixture(scope="module")
def life():
    found = history_of(document(), blocks(), PRICES)
    assert {timed.event.kind for timed in found.events} >= {"opened", "alarm"}
    return found


def lines(ax):
    """What is drawn, by what the legend calls it."""
    return {line.get_label(): line.get_xydata() for line in ax.lines}


def test_the_cost_of_all_times_and_of_asking(life, ax):
    LiveCostDisplay(life, PRICES, "EUR").plot(ax)
    drawn = lines(ax)
    assert (drawn["every case to review"][:, 1] == 1000).all()
    last = life.moments[-1]
    x, y = drawn["estimate so far"][-1]
    low, high = last.worth.cost
    assert (x, low <= y <= high) == (last.decided, True)
    (band,) = ax.collections
    at = band.get_paths()[0].vertices
    edge = at[np.isclose(at[:, 0], x), 1]
    assert [edge.min(), edge.max()] == pytest.approx([low, high])
    assert ax.get_ylabel() == "cost of 1,000 cases, EUR"
    assert y == pytest.approx(
        1000
        * (10 * last.worth.estimate + last.worth.asked + last.worth.audited)
        / last.worth.decided
    )


def test_events_are_marked_where_they_happened(life, ax):
    LiveCostDisplay(life, PRICES).plot(ax)
    marked = {line.get_xdata()[0] for line in ax.lines if line.get_linestyle() in {":", "--"}}
    kinds = {"opened", "alarm", "budget_spent"}
    assert marked == {timed.event.seq for timed in life.events if timed.event.kind in kinds}


def test_coverage_and_thresholds(life, ax):
    CoverageDisplay(life).plot(ax)
    (stairs,) = ax.patches
    values, edges, _ = stairs.get_data()
    assert (values * np.diff(edges)).sum() == pytest.approx(life.state.answered)
    steps = lines(ax)["confidence threshold"]
    assert np.isnan(steps[0, 1])  # it began by asking everything
    for timed in life.events:
        if timed.event.kind in {"opened", "threshold"}:
            assert [timed.event.seq, timed.event.numbers["threshold"]] in steps.tolist()


def test_a_wait_for_labels_leaves_a_gap_and_alarms_on_people_none(life, ax):
    rows = [("opened", 10), ("people", 30), ("waiting", 60), ("resumed", 80)]
    events = tuple(
        LoggedEvent(
            Event(seq, kind, {"threshold": 0.9} if kind in {"opened", "resumed"} else {}), seq
        )
        for kind, seq in rows
    )
    CoverageDisplay(replace(life, events=events)).plot(ax)
    steps = lines(ax)["confidence threshold"]
    drawn = {int(x): y for x, y in steps[1:-1]}
    assert {x: y for x, y in drawn.items() if not np.isnan(y)} == {10: 0.9, 80: 0.9}
    assert set(drawn) == {10, 60, 80}
    assert [line.get_xdata()[0] for line in ax.lines if line.get_linestyle() == "-."] == [60]


def test_evidence_rises_to_the_alarm_and_falls(life, ax):
    EvidenceDisplay(life).plot(ax)
    drawn = lines(ax)["evidence so far"]
    alarm = next(timed.event for timed in life.events if timed.event.kind == "alarm")
    place = int(np.flatnonzero((drawn[:, 0] == alarm.seq) & (drawn[:, 1] >= 1))[0])
    assert drawn[place, 1] == pytest.approx(alarm.numbers["evidence"] / alarm.numbers["bound"])
    assert drawn[place + 1, 0] == alarm.seq
    assert drawn[place + 1, 1] < 1


def test_money_of_audits_and_what_they_watch(life, ax):
    AuditMoneyDisplay(life, PRICES).plot(ax)
    drawn = lines(ax)
    assert drawn["spent on audits"][-1].tolist() == [life.state.decided, life.state.audited]
    assert drawn["checks saved"][-1, 1] == life.state.answered


def test_before_the_first_decision_there_is_an_empty_picture(ax):
    empty = history_of(document(), [], PRICES)
    for display in (LiveCostDisplay(empty, PRICES), AuditMoneyDisplay(empty, PRICES)):
        display.plot(ax)
    CoverageDisplay(empty).plot(ax)
    EvidenceDisplay(empty).plot(ax)
