"""Cases and a case: the mistakes can be opened, by the owner alone, page by page, and content can go."""

from __future__ import annotations

from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from askpoint.server.deployments import policies
from askpoint.server.deployments.case_records import list_cases, parse_place
from askpoint.server.deployments.models import Label, Receipt
from server.in_use import InUse


@pytest.fixture
def in_use(sqlite):
    del sqlite
    made = InUse()
    for day in range(3):
        made.label(made.decide(90, f"day/{day}", day, broken=day == 2))
    return made


def read(in_use, enter, query="", who="wanda"):
    answer = enter(getattr(in_use, who)).get(f"/classifiers/{in_use.id}/cases/{query}")
    return answer.status_code, unescape(answer.content.decode())


def all_pages(row, show):
    found, place = [], None
    while True:
        page = list_cases(row, show, place)
        found += page.rows
        if page.older is None:
            return found
        assert len(page.rows) == 50
        place = page.older


def test_each_filter_is_what_its_receipts_say_over_all_versions(in_use):
    in_use.propose(why="the second")
    policies.adopt(in_use.id, in_use.wanda, 2, 1)
    in_use.label(in_use.decide(60, "anew", 9))
    rows = list(Receipt.objects.filter(deployment=in_use.id).order_by("-policy__number", "-seq"))
    wrong = set(Label.objects.filter(wrong=True, counts=True).values_list("key", flat=True))
    assert wrong
    for show, holds in {
        "all": lambda _: True,
        "wrong": lambda one: one.key in wrong,
        "audited": lambda one: one.action == 2,
        "review": lambda one: one.action == 1,
        "alone": lambda one: one.action != 1,
    }.items():
        listed = [record.receipt.key for record in all_pages(in_use.row, show)]
        assert listed == [one.key for one in rows if holds(one)], show


def test_a_page_costs_the_same_queries_however_many_cases(in_use):
    with CaptureQueriesContext(connection) as asked:
        list_cases(in_use.row, "all")
    assert len(asked) <= 6


def test_from_the_closed_page_to_a_mistake_in_two_clicks(sqlite, enter):
    in_use = InUse()
    in_use.close()
    page = unescape(enter(in_use.wanda).get(f"/classifiers/{in_use.id}/").content.decode())
    assert f'href="/classifiers/{in_use.id}/cases/?show=wrong">See the mistakes' in page
    mistake = list_cases(in_use.row, "wrong").rows[0]
    status, listed = read(in_use, enter, "?show=wrong")
    here = reverse("classifier-case", args=[in_use.id, mistake.receipt.key])
    assert status == 200
    assert f'href="{here}"' in listed
    shown = unescape(enter(in_use.wanda).get(here).content.decode())
    assert f"the post {mistake.receipt.key}" in shown  # its content
    assert "the model was wrong" in shown
    assert mistake.receipt.digest in shown


def test_content_goes_and_the_record_stays(in_use, enter):
    record = list_cases(in_use.row, "audited").rows[0]
    here = reverse("classifier-case", args=[in_use.id, record.receipt.key])
    browser = enter(in_use.wanda)
    answer = browser.post(here, follow=True).content.decode()
    assert "The content is deleted" in answer
    assert f"the post {record.receipt.key}" not in answer
    assert record.receipt.digest in answer
    assert "The content is deleted" not in browser.post(here, follow=True).content.decode()
    assert "content deleted" in browser.get("/log/").content.decode()


@pytest.mark.parametrize("who", ["rosa", "vera", "oskar"])
def test_nobody_else_reads_cases(in_use, enter, who):
    assert read(in_use, enter, who=who)[0] == 404
    key = list_cases(in_use.row, "all").rows[0].receipt.key
    here = reverse("classifier-case", args=[in_use.id, key])
    assert enter(getattr(in_use, who)).get(here).status_code == 404
    assert enter(getattr(in_use, who)).post(here).status_code == 404


@pytest.mark.parametrize("query", ["?show=odd", "?before=x", "?before=1.x", "?before=" + "9" * 99])
def test_an_address_that_leads_nowhere(in_use, enter, query):
    assert read(in_use, enter, query)[0] == 404


def test_past_the_end_and_no_such_case(in_use, enter):
    assert "No older case" in read(in_use, enter, "?before=1.0")[1]
    assert read(in_use, enter, "nobody-sent-this/")[0] == 404
    assert str(parse_place("2.17")) == "2.17"
