"""The summary of a week: on Mondays, once, in the words of home; by mail and chat; never a content."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.policy import default

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from askpoint.server.deployments.archiving import archive
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.state_lines import classifier_rows
from askpoint.server.deployments.weekly_summaries import send_summaries, summary_text
from askpoint.server.webhooks.delivery import deliver
from askpoint.server.webhooks.models import Delivery
from askpoint.server.webhooks.services import claim_due, make_endpoint
from askpoint.server.workspaces.services import first_workspace
from postbox import mail_server
from server.in_use import InUse

WEEK = timedelta(days=7)


@pytest.fixture
def in_use(database):
    del database
    first_workspace()
    found = InUse()
    found.label(found.decide(150))
    make_endpoint("main", found.wanda, "https://hooks.example.org/x", ["classifier.week"])
    return found


def monday(after=None):
    """The next Monday, at six in the morning in UTC."""
    day = (after or timezone.now()).astimezone(UTC)
    at = datetime(day.year, day.month, day.day, 6, tzinfo=UTC)
    at += timedelta(days=(-day.weekday()) % 7)
    return at if at > day else at + WEEK


def test_it_comes_on_mondays_and_once(in_use):
    first = monday()
    assert send_summaries() == 0  # it was made this week
    assert send_summaries(first - timedelta(minutes=1)) == 0
    assert send_summaries(first) == 1
    assert send_summaries(first + timedelta(minutes=1)) == 0
    assert send_summaries(first + WEEK - timedelta(minutes=1)) == 0
    assert send_summaries(first + 3 * WEEK) == 1  # a server that slept sends one, not three
    assert Delivery.objects.count() == 2


def test_its_words_are_those_of_home_and_no_content_is_in_it(in_use):
    send_summaries(monday())
    (row,) = classifier_rows([in_use.row], ())
    told = json.loads(Delivery.objects.get().body)
    data = told["data"]
    assert told["type"] == "classifier.week"
    assert data["what"] == f"{row.state.word}. {row.state.why}"
    assert data["page"].endswith(f"/classifiers/{in_use.id}/")
    week = row.week
    assert data["count"].startswith(f"Last 7 days: {week.answered} of 150 cases decided alone (")
    assert "Mistakes per 1,000 cases: " in data["count"]
    assert row.band.words in data["count"]
    assert data["count"].endswith(f"{row.waiting} cases wait for review.")
    assert (data["decided"], data["answered"], data["waiting"]) == (150, week.answered, row.waiting)
    assert "the post" not in Delivery.objects.get().body


def test_in_shadow_and_before_the_first_case_it_says_so(in_use):
    shadow = InUse(mode="shadow")
    (row,) = classifier_rows([shadow.row], ())
    assert summary_text(row) == "No case came in the last 7 days. 0 cases wait for review."
    shadow.label(shadow.decide(40, "shadow"))
    (row,) = classifier_rows([shadow.row], ())
    assert "of 40 cases would have been decided alone" in summary_text(row)


def test_a_draft_and_an_archived_one_send_none(in_use):
    archive(in_use.id)
    assert send_summaries(monday()) == 0
    Deployment.objects.update(archived=None, adopted=0)
    assert send_summaries(monday()) == 0


def test_it_arrives_by_mail_with_one_link(in_use, monkeypatch):
    EmailAddress.objects.create(user=in_use.wanda, email="wanda@example.org", verified=True)
    with mail_server() as server:
        monkeypatch.setenv("ASKPOINT_SMTP", f"smtp://127.0.0.1:{server.server_address[1]}")
        make_endpoint("main", in_use.wanda, "wanda@example.org", ["classifier.week"], "mail")
        send_summaries(monday())
        for delivery in claim_due():
            if delivery.endpoint.notifier == "mail":
                deliver(delivery)
        mail = message_from_bytes(server.heard[0].encode(), policy=default)
    assert mail["Subject"] == "Posts that hate: the summary of the week is ready"
    text = mail.get_content()
    assert "Last 7 days: " in text
    assert text.count("http") == 1
    assert "the post" not in text
