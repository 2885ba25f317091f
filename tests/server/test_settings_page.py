"""The settings of a classifier: who is notified, with a test; prices and people; contents; its name."""

from __future__ import annotations

import re
from dataclasses import asdict
from html import unescape

import pytest
from allauth.account.models import EmailAddress

from askpoint import InputError
from askpoint.server.deployments.classifier_settings import change_settings, settings_of
from askpoint.server.deployments.label_times import measure_label_times
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.version_diff import check_text
from askpoint.server.journal.models import LogLine
from askpoint.server.labelling import services as reviewing
from askpoint.server.webhooks.models import Delivery
from askpoint.server.webhooks.services import make_endpoint
from askpoint.server.workspaces.services import first_workspace
from postbox import mail_server
from server.in_use import InUse

USUAL = {"title": "Posts", "mistake": "10", "unit": "EUR", "hour": "24", "capacity": "400"}


@pytest.fixture
def in_use(database):
    del database
    first_workspace()
    return InUse()


def send(in_use, enter, who="wanda", **form):
    here = f"/classifiers/{in_use.id}/settings/"
    answer = enter(getattr(in_use, who)).post(here, form, follow=True)
    return answer.status_code, re.sub(r"\s+", " ", unescape(answer.content.decode()))


def read(in_use, enter):
    page = enter(in_use.wanda).get(f"/classifiers/{in_use.id}/settings/").content.decode()
    return re.sub(r"\s+", " ", unescape(page))


def test_prices_and_people_are_kept_and_stand_in_the_activity(in_use, enter):
    assert "Saved." in send(in_use, enter, **USUAL)[1]
    row = in_use.row
    assert (row.mistake, row.unit, row.hour, row.capacity) == (10, "EUR", 24, 400)
    said = LogLine.objects.get(what="settings").said
    assert (said["hour"], said["capacity"]) == (24, 400)
    page = read(in_use, enter)
    assert 'value="24' in page
    assert 'value="400"' in page
    in_use.decide(40)
    assert "people do 400 cases a day" in enter(in_use.wanda).get("/").content.decode()


ALL = {
    "title": "Posts",
    "mistake": 10.0,
    "unit": "EUR",
    "hour": 24.0,
    "capacity": 400,
    "second": 0.25,
    "hold": 60,
    "renews": True,
    "keep_days": 30,
    "viewers_read": True,
}


def test_a_form_that_sends_some_settings_keeps_the_others(in_use, enter):
    assert asdict(change_settings(in_use.id, **ALL)) == ALL == asdict(settings_of(in_use.row))
    send(in_use, enter, title="Letters")
    assert asdict(settings_of(in_use.row)) == {**ALL, "title": "Letters"}
    send(in_use, enter, keep_days="", title="Posts")  # what is sent empty is taken away
    assert asdict(settings_of(in_use.row)) == {**ALL, "keep_days": None}
    work = f"/classifiers/{in_use.id}/workload/"
    assert enter(in_use.wanda).post(work, {"second": "50"}).status_code == 302
    assert asdict(settings_of(in_use.row)) == {**ALL, "keep_days": None, "second": 0.5}
    assert [line.said for line in LogLine.objects.filter(what="settings").order_by("pk")] == [
        {name: it for name, it in ALL.items() if name != "second"} | {"second": 0.25},
        {"title": "Letters"},
        {"title": "Posts", "keep_days": None},
        {"second": 0.5},
    ]
    send(in_use, enter, title="Posts")
    assert LogLine.objects.filter(what="settings").count() == 4  # nothing was new


def test_a_box_is_sent_when_it_is_empty_too(in_use, enter):
    change_settings(in_use.id, **ALL)
    page = read(in_use, enter)
    for name in ("renews", "viewers_read"):
        hidden = page.index(f'<input type="hidden" name="{name}" value="">')
        assert hidden < page.index(f'<input type="checkbox" name="{name}"')
    send(in_use, enter, renews="")
    assert (in_use.row.renews, in_use.row.viewers_read) == (False, True)
    send(in_use, enter, viewers_read=["", "on"], renews=["", "on"])  # as a browser sends them
    assert asdict(settings_of(in_use.row)) == ALL


def test_settings_that_do_not_go_together_are_refused_whoever_changes_them(in_use):
    for wrong, said in (
        ({"mistake": 10.0}, "and in which unit"),
        ({"unit": "EUR"}, "what a mistake costs and"),
        ({"hour": 3.0}, "an hour is priced in its unit"),
    ):
        with pytest.raises(InputError, match=said):
            change_settings(in_use.id, **wrong)
    with pytest.raises(TypeError):
        change_settings(in_use.id, colour="red")
    assert not LogLine.objects.filter(what="settings").exists()


def test_an_hour_without_a_unit_is_refused_beside_its_field(in_use, enter):
    status, page = send(in_use, enter, title="Posts", hour="24")
    assert status == 422
    assert "Say what a mistake costs, too: an hour is priced in its unit" in page
    for wrong in ("0", "-3", "much"):
        assert send(in_use, enter, **{**USUAL, "hour": wrong})[0] == 422
    assert send(in_use, enter, **{**USUAL, "capacity": "0"})[0] == 422
    assert in_use.row.hour is None


def test_the_price_of_an_hour_says_what_a_check_costs_and_what_waits(in_use, enter):
    send(in_use, enter, **USUAL)
    assert check_text(in_use.row) == ""  # nobody knows yet how long a label takes
    Deployment.objects.filter(pk=in_use.id).update(second=0)
    in_use.decide(150)
    for _ in range(30):
        held = reviewing.claim(in_use.queue, "rosa", others=False)
        if held is None:
            break
        reviewing.cast(in_use.queue, "rosa", held.case_id, "hate")
    assert measure_label_times() == 1
    said = check_text(in_use.row)
    assert "a check costs" in said
    assert "Version 1 counts" in said
    assert said in read(in_use, enter)
    overview = unescape(enter(in_use.wanda).get(f"/classifiers/{in_use.id}/").content.decode())
    assert re.search(r"\d cases?, about [^,]*EUR", overview)


def test_who_is_notified_of_what_with_the_last_delivery(in_use, enter):
    assert "Nobody yet, on your behalf." in read(in_use, enter)
    chosen = ["policy.closed", "people.alarm", "mix.moved", "log.head", "people.silent"]
    make_endpoint("main", in_use.wanda, "https://hooks.example.org/secret-path", chosen)
    make_endpoint("main", in_use.wanda, "https://other.example.org/x", ["licence.lost"])
    make_endpoint("main", in_use.will, "https://wills.example.org/x", chosen)
    make_endpoint("main", in_use.wanda, "https://hooks.example.org/another", ["policy.closed"])
    page = read(in_use, enter)
    assert "Send a test to a webhook, hooks.example.org (2)" in page
    assert "1 more" in page
    assert "nothing yet" in page
    for unseen in ("secret-path", "other.example.org", "wills.example.org"):
        assert unseen not in page
    in_use.close()
    assert re.search(r"hooks\.example\.org.*waiting", read(in_use, enter))
    Delivery.objects.update(state="failed", said="answered with 503")
    assert "failed: answered with 503" in read(in_use, enter)


def test_a_test_is_sent_at_once_to_ones_own_endpoint_alone(in_use, enter, monkeypatch):
    EmailAddress.objects.create(user=in_use.wanda, email="wanda@example.org", verified=True)
    with mail_server() as server:
        monkeypatch.setenv("ASKPOINT_SMTP", f"smtp://127.0.0.1:{server.server_address[1]}")
        made = make_endpoint("main", in_use.wanda, "wanda@example.org", ["policy.closed"], "mail")
        page = send(in_use, enter, action="test", key=str(made.pk))[1]
        assert "The test arrived: answered with 200." in page
        assert len(server.heard) == 1
        other = make_endpoint("main", in_use.will, "https://wills.example.org/x", ["policy.closed"])
        for key in (str(other.pk), "", "x", "9" * 30):
            assert "The test" not in send(in_use, enter, action="test", key=key)[1]
    assert "The test did not arrive" in send(in_use, enter, action="test", key=str(made.pk))[1]
    assert send(in_use, enter, "vera", action="test", key=str(made.pk))[0] == 404
