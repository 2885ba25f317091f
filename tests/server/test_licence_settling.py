"""Licences that begin and end though nothing happens: labels settle, audits stay unread, and owners hear it at once."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from askpoint.live.licences.label_rules import LabelRules
from askpoint.server.licences import door
from askpoint.server.licences.models import Agent, LicenceEntry
from askpoint.server.licences.settling import settle_due
from askpoint.server.webhooks.models import Delivery
from askpoint.server.webhooks.services import make_endpoint
from server.agents import TERMS, WithAgent

REAL_NOW = timezone.now
LATE = replace(TERMS, labels=LabelRules(settle_hours=72.0, fast_seconds=0.0, bulk=1000))


class Clock:
    """Time as the test moves it."""

    def __init__(self, monkeypatch):
        self.ahead = timedelta()
        monkeypatch.setattr(timezone, "now", lambda: REAL_NOW() + self.ahead)

    def move(self, **span):
        self.ahead += timedelta(**span)


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


@pytest.fixture
def agent(database, clock):
    del clock
    one = WithAgent(LATE)
    told = ["licence.lost", "licence.earned"]
    make_endpoint(one.row.workspace_id, one.wanda, "https://example.org/hook", told)
    return one


def heard():
    return [json.loads(row.body)["type"] for row in Delivery.objects.order_by("pk")]


def approve(agent, n):
    for _ in range(n):
        agent.decide(agent.propose().key)


def test_owners_hear_of_a_licence_when_its_labels_settle(agent, clock):
    approve(agent, 18)  # what a limit of 20% takes
    entries = LicenceEntry.objects.count()
    clock.move(hours=71)
    settle_due()
    assert heard() == []
    clock.move(hours=1, minutes=1)
    assert settle_due() == 1
    assert heard() == ["licence.earned"]
    assert LicenceEntry.objects.count() == entries + 1
    assert Agent.objects.get().due is None
    assert settle_due() == 0
    assert agent.propose().verdict == "allow"
    assert heard() == ["licence.earned"]
    door.verify_agent(agent.row)


def test_labels_that_settle_without_a_licence_leave_no_entry(agent, clock):
    approve(agent, 3)
    clock.move(hours=1)
    approve(agent, 2)
    settle_due()
    entries = LicenceEntry.objects.count()
    clock.move(hours=71, minutes=30)
    assert settle_due() == 1
    assert LicenceEntry.objects.count() == entries
    assert Agent.objects.get().due > timezone.now()  # the two others
    assert settle_due() == 0
    clock.move(hours=1)
    assert settle_due() == 1
    assert Agent.objects.get().due is None
    assert heard() == []


def test_owners_hear_of_audits_that_nobody_read(agent, clock):
    approve(agent, 18)
    clock.move(hours=73)
    settle_due()
    for _ in range(20):
        if agent.unit().state == "asks":
            break
        for _ in range(30):
            agent.propose()
        clock.move(hours=LATE.max_label_delay_hours + 1)
        settle_due()
    assert agent.unit().lost_because
    assert heard() == ["licence.earned", "licence.lost"]
    door.verify_agent(agent.row)
