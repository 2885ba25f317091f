"""What happened to a policy, said."""

from __future__ import annotations

import pytest

from askpoint.live.events import Event
from askpoint.reports.live.events import event_text


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Event(5, "opened", {"threshold": 0.91234}), "it opens, from 0.91234 on"),
        (Event(5, "threshold", {"threshold": 0.8}), "the threshold moves, to 0.8 on"),
        (Event(5, "paused", {}), "it pauses"),
        (Event(5, "waiting", {"audit": 3}), "until labels come: there are none since the audit of"),
        (Event(5, "resumed", {"threshold": 0.8}), "the labels have come: it answers again"),
        (Event(5, "alarm", {"evidence": 45.0, "bound": 40.0}), "it closes: an alarm"),
        (
            Event(5, "budget_spent", {"mistakes_at_most": 30.0, "answers": 100, "budget": 20.0}),
            "it closes: the mistake budget is spent: up to 30 mistakes may have passed in 100 answers",
        ),
        (
            Event(5, "people", {"evidence": 50.0, "bound": 40.0, "items": 60, "mistakes": 12}),
            "people are wrong on items of known truth more often than stated (12 of 60)",
        ),
        (
            Event(5, "audit_rates", {"north": 0.2}),
            "other audit rates: north 20.0%",
        ),
    ],
)
def test_each_kind_of_event_has_its_words(event, words):
    assert words in event_text(event)
