"""The demo's classifier in use, time compressed: it closes, is told why, opens; a person may label."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.conf import settings

from askpoint.server import demo_stream
from askpoint.server.accounts.models import User
from askpoint.server.deployments.cases import queue_of
from askpoint.server.deployments.models import Deployment, Event, Label, Receipt
from askpoint.server.jobs.models import Job
from askpoint.server.labelling import services as reviewing
from askpoint.server.labelling.models import Case
from server.in_use import drawn_from


@pytest.fixture
def sent(sqlite, monkeypatch):
    """Return a function that sends batches, ten times as large, until something has happened."""
    del sqlite
    monkeypatch.setattr(settings, "ASKPOINT", replace(settings.ASKPOINT, demo=True))
    monkeypatch.setattr(demo_stream, "_BATCH", 60)
    people = {name: User.objects.create_user(name) for name, _ in demo_stream.IN_USE}
    with drawn_from(1):
        demo_stream.begin_stream(people)
        demo_stream.begin_stream(people)  # the server is started again
    row = Deployment.objects.get()

    def until(*kinds):
        for _ in range(40):
            demo_stream.send_cases(row.pk)
            if Event.objects.filter(kind__in=kinds).exists():
                return row
        raise AssertionError(f"{kinds} did not happen")

    return until


def test_a_scanner_breaks_the_policy_closes_and_opens_again(sent):
    row = sent("alarm", "budget_spent")
    shut = Event.objects.get(kind__in=("alarm", "budget_spent"))
    assert shut.seq > demo_stream.BREAKS
    sent("opened")
    assert Event.objects.get(kind="opened").seq > shut.seq
    keys = Receipt.objects.values_list("key", flat=True)
    assert sorted(keys) == sorted(
        f"scan-{n}" for n in range(len(keys))
    )  # none twice, none left out
    assert Job.objects.filter(kind="stream", done=None).count() == 1
    waiting = Case.objects.filter(queue=queue_of(row.pk), labelled=None)
    assert 0 < waiting.count() <= 12
    held = reviewing.claim(queue_of(row.pk), "rita")
    assert set(held.case.content) <= set("░▒▓█\n")
    demo_stream.send_cases(row.pk)  # nobody else labels what she holds
    reviewing.cast(queue_of(row.pk), "rita", str(held.case_id), "7")
    assert Label.objects.get(judge="rita").label == "7"


def test_without_the_demo_nothing_comes(sqlite):
    del sqlite
    demo_stream.send_cases("none")
    assert not Job.objects.exists()


def test_the_terminal_says_whom_to_enter_as_and_when_to_look():
    said = "\n".join(demo_stream.what_happens())
    for name, _ in demo_stream.IN_USE:
        assert name.title() in said
    assert "180 of them a minute" in said
    assert "after about 3 minutes" in said.lower()
