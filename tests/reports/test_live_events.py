"""What happened to a policy, said."""

from __future__ import annotations

import pytest

from askpoint.live.events import Event
from askpoint.reports.live.events import event_text


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Event(5, "opened", {"threshold": 0.9123456789}), "opened, deciding alone from 0.9124 up"),
        (Event(5, "threshold", {"threshold": 0.8}), "threshold changed to 0.8"),
        (Event(5, "paused", {}), "paused: at no confidence"),
        (Event(5, "waiting", {"audit": 3}), "until labels come: there are none since the audit of"),
        (Event(5, "resumed", {"threshold": 0.8}), "labels arrived: it decides alone again"),
        (Event(5, "alarm", {"evidence": 45.0, "bound": 40.0}), "closed: an alarm"),
        (
            Event(5, "budget_spent", {"mistakes_at_most": 30.0, "answers": 100, "budget": 20.0}),
            "closed: the mistake budget is spent: of all 100 answers since it opened, up to 30 may be",
        ),
        (
            Event(5, "people", {"evidence": 50.0, "bound": 40.0, "items": 60, "mistakes": 12}),
            "reviewers are wrong on gold cases more often than stated (12 of 60)",
        ),
        (
            Event(5, "audit_rates", {"north": 0.2}),
            "other audit rates: north 20.0%",
        ),
    ],
)
def test_each_kind_of_event_has_its_words(event, words):
    assert words in event_text(event)
