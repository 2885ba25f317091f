"""The record of events: what every kind must have, and kinds of another version."""

from __future__ import annotations

import string

import pytest

from askpoint.live.events import EVENTS, WEBHOOKS, Event, event_kind, find_alarm_cause
from askpoint.reports.live.events import event_text

STRANGER = Event(7, "from-another-version", {"moons": 3.0})


@pytest.mark.parametrize("kind", EVENTS)
def test_every_kind_is_said_with_its_numbers(kind):
    record = EVENTS[kind]
    names = [name for _, name, *_ in string.Formatter().parse(record.words) if name]
    text = event_text(Event(5, kind, dict.fromkeys(names, 0.25)))
    assert "{" not in text
    assert "not known" not in text
    assert text.startswith("closed: ") == record.closes


@pytest.mark.parametrize("kind", EVENTS)
def test_a_number_that_an_older_record_lacks_is_not_known(kind):
    assert event_text(Event(5, kind, {}))


@pytest.mark.parametrize("kind", EVENTS)
def test_what_a_kind_does_fits_together(kind):
    record = EVENTS[kind]
    assert record.answers is False or not record.closes
    assert record.answers or not record.opens
    assert not record.webhook or record.webhook in WEBHOOKS
    assert record.accuses in {"", "model", "reviewers"}
    assert len(kind) <= 40  # the column of the server


def test_a_kind_of_another_version_is_said_and_has_no_consequences():
    record = event_kind(STRANGER.kind)
    assert "from-another-version" in event_text(STRANGER)
    assert (record.opens, record.closes, record.answers, record.webhook) == (False, False, None, "")
    assert find_alarm_cause([Event(1, "alarm", {}), STRANGER]) == "model"
