"""Cases and a case: the mistakes can be opened, by the owner alone, page by page, and content can go."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from html import unescape

import numpy as np
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from askpoint.server.deployments import case_counts, case_lists, policies
from askpoint.server.deployments.case_counts import count_cases
from askpoint.server.deployments.case_filters import FILTERS, CaseFilter, regions_of
from askpoint.server.deployments.case_lists import (
    list_cases,
    neighbours_of,
    parse_place,
)
from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.labelling import forget
from askpoint.server.deployments.models import Deployment, Label, Receipt
from askpoint.server.deployments.queue import settle
from askpoint.server.labelling import services as reviewing
from askpoint.server.labelling.models import Case
from server.in_use import InUse

INDEXES = ("one_key_each", "use_label_wrong", "labelling_fewest", "labelling_contents")


def three_days():
    """A classifier in use for three days; on the last the model breaks."""
    made = InUse()
    for day in range(3):
        made.label(made.decide(90, f"day/{day}", day, broken=day == 2))
    return made


@pytest.fixture
def in_use(stand):
    return stand(three_days)


def read(in_use, enter, query="", who="wanda"):
    answer = enter(getattr(in_use, who)).get(f"/classifiers/{in_use.id}/cases/{query}")
    return answer.status_code, unescape(answer.content.decode())


def all_pages(row, **which):
    found, place = [], None
    while True:
        page = list_cases(row, CaseFilter(**which), place)
        found += page.rows
        if page.older is None:
            return found
        assert len(page.rows) == 50 or page.is_cut
        place = page.older


def with_region(in_use, word="7"):
    """Let labels have confirmed a region: the posts that hold a word."""
    region = {"name": f"text has '{word}'", "conditions": [["text", "has", word]]}
    Deployment.objects.filter(pk=in_use.id).update(regions={"cases": 90, "found": [region]})
    (rule,) = regions_of(in_use.row).values()
    return rule


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
        for version in (None, 1, 2):
            listed = [it.receipt.key for it in all_pages(in_use.row, show=show, version=version)]
            held = (one for one in rows if version in (None, one.policy.number))
            assert listed == [one.key for one in held if holds(one)], (show, version)


def review(in_use, n, *, unsure=4):
    """Let three reviewers go through what waits: they differ on some, and are not sure of each so-manieth case."""
    in_use.join(in_use.will, "reviewer")
    rng = np.random.default_rng(3)
    for turn in range(n):
        for name in ("rosa", "rudi", "will"):
            held = reviewing.claim(in_use.queue, name)
            if held is None:
                continue
            if turn > 5 and turn % unsure == 0 and name != "will":
                reviewing.skip(in_use.queue, name, held.case_id, reason="unclear")
            else:
                choice = "hate" if rng.random() < 0.7 else "fine"
                reviewing.cast(in_use.queue, name, held.case_id, choice)


def by_votes(in_use):
    """The keys that reviewers differ on, were not sure of, and those that wait for the owner: from votes and remarks."""
    rows = Case.objects.filter(queue=in_use.queue).exclude(purpose="gold")
    rows = list(rows.prefetch_related("votes", "remarks"))
    return {
        "differ": {it.key for it in rows if len({vote.choice for vote in it.votes.all()}) > 1},
        "unsure": {it.key for it in rows if any(one.reason for one in it.remarks.all())},
        "unsettled": {it.key for it in rows if it.state == "referred" and it.labelled is None},
    }


def reviewed_by_two():
    """The same, and a day that two reviewers went through."""
    in_use = three_days()
    change_settings(in_use.id, capacity=None, second=1.0)  # each case for two
    in_use.decide(150, "twice", 5)
    review(in_use, 30)
    return in_use


@pytest.fixture
def reviewed(stand):
    return stand(reviewed_by_two)


def test_what_reviewers_differ_on_or_are_not_sure_of_is_listed_as_votes_say(reviewed, monkeypatch):
    wanted = by_votes(reviewed)
    assert min(map(len, wanted.values())) > 1
    assert wanted["unsettled"] < wanted["differ"] | wanted["unsure"]
    for show, keys in wanted.items():
        ordered = [it.receipt.key for it in all_pages(reviewed.row) if it.receipt.key in keys]
        for most in (1_000, 2):
            monkeypatch.setattr(case_lists, "_MOST_UNSETTLED", most)
            assert [it.receipt.key for it in all_pages(reviewed.row, show=show)] == ordered, show
        places = [it.place for it in all_pages(reviewed.row, show=show)]
        which = CaseFilter(show)
        for newer, place, older in zip(ordered, places[1:], ordered[2:], strict=False):
            around = neighbours_of(reviewed.row, which, place)
            assert [it.receipt.key for it in around] == [newer, older]
        asked = [it for it in all_pages(reviewed.row, show="review") if it.receipt.key in keys]
        narrowed = [
            it
            for it in all_pages(reviewed.row, show=show, key="twice-1*", answer="hate")
            if it.receipt.key in {one.receipt.key for one in asked}
        ]
        assert [it.receipt.key for it in narrowed] == [
            it.receipt.key for it in asked if it.receipt.key.startswith("twice-1")
        ]


def test_a_settled_case_leaves_the_unsettled_and_stays_among_those_they_differ_on(reviewed):
    key = next(iter(by_votes(reviewed)["unsettled"]))
    before = by_votes(reviewed)
    settle(reviewed.id, "wanda", Case.objects.get(key=key).pk, "hate")
    for show in ("differ", "unsure"):
        listed = {it.receipt.key for it in all_pages(reviewed.row, show=show)}
        assert listed == before[show]
    waiting = {it.receipt.key for it in all_pages(reviewed.row, show="unsettled")}
    assert waiting == before["unsettled"] - {key}


def test_a_group_is_found_among_all_or_so_many_at_once(in_use, monkeypatch):
    rows = Receipt.objects.filter(deployment=in_use.id)
    rows.filter(seq__in=range(3, 270, 11)).update(group="tr")
    rows.filter(seq=200).update(group="rare")
    everything = all_pages(in_use.row)
    for which in (
        {},
        {"show": "audited"},
        {"answer": "hate"},
        {"label": "hate"},
        {"key": "day/1*"},
    ):
        listed = [it.receipt.key for it in all_pages(in_use.row, **which)]
        for group in ("tr", "rare", "nobody’s"):
            wanted = [it.receipt.key for it in everything if it.receipt.group == group]
            wanted = [key for key in wanted if key in listed]
            for most, part in ((100_000, 10_000), (40, 16)):
                monkeypatch.setattr(case_lists, "_MOST_SCANNED", most)
                monkeypatch.setattr(case_lists, "_PART_SCANNED", part)
                found = all_pages(in_use.row, group=group, **which)
                assert [it.receipt.key for it in found] == wanted, (which, group)
                for place, record in enumerate(found):
                    newer, _ = neighbours_of(
                        in_use.row, CaseFilter(group=group, **which), record.place
                    )
                    if most > 1_000 and place:
                        assert newer.receipt.key == wanted[place - 1]


def test_links_count_what_they_list_by_version_and_day_or_say_nothing(reviewed, enter, monkeypatch):
    reviewed.propose(why="the second")
    policies.adopt(reviewed.id, reviewed.wanda, 2, 1)
    reviewed.label(reviewed.decide(60, "anew", 9))
    days = {"since": datetime.now(UTC).date()}
    for which in ({}, {"version": 1}, {"version": 2}, days, {"until": date(2020, 1, 1)}):
        counts = count_cases(reviewed.row, CaseFilter(**which))
        without = {"unsettled"} if which else set()
        without |= set() if which.keys() <= {"version"} else {"wrong", "differ", "unsure"}
        assert counts.keys() == FILTERS.keys() - without
        for show, count in counts.items():
            listed = all_pages(reviewed.row, show=show, **which)
            assert (count.n, count.is_cut) == (len(listed), False), (which, show)
    assert count_cases(reviewed.row, CaseFilter(label="hate")) == {}
    wrong = count_cases(reviewed.row, CaseFilter())["wrong"].n
    assert f"Model wrong <small>{wrong}</small>" in read(reviewed, enter)[1]
    assert "Model wrong</a>" in read(reviewed, enter, "?label=hate")[1]
    monkeypatch.setattr(case_counts, "_MOST", 2)
    assert "Model wrong <small>more than 2</small>" in read(reviewed, enter)[1]


def spread(in_use, a_day):
    """Let so many decisions in a row have been made on each day from New Year on."""
    for day in range(1 + in_use.policy.decided // a_day):
        at = datetime(2026, 1, 1, 23, 59, tzinfo=UTC) + timedelta(days=day)
        some = Receipt.objects.filter(deployment=in_use.id, seq__gte=day * a_day)
        some.update(at=at)


def test_filters_combine_as_brute_force_says(in_use, monkeypatch):
    spread(in_use, 70)
    listed = [it for it in all_pages(in_use.row) if it.content is not None]
    forget(in_use.id, [it.receipt.key for it in listed[::2]])
    everything = all_pages(in_use.row)
    days = {"since": date(2026, 1, 2), "until": date(2026, 1, 3)}
    holds = {
        "show": lambda it, _: it.label is not None and it.label.wrong,
        "label": lambda it, name: it.label is not None and it.label.label == name,
        "answer": lambda it, name: it.said == name,
        "since": lambda it, day: it.receipt.at.date() >= day,
        "until": lambda it, day: it.receipt.at.date() <= day,
        "key": lambda it, key: it.receipt.key.startswith(key.rstrip("*")),
        "deleted": lambda it, _: it.receipt.salt is None,
    }
    counts = []
    for which in (
        {"label": "fine"},
        {"label": "hate"},
        {"answer": "hate", **days},
        {"deleted": True},
        days,
        {"since": date(2026, 1, 4)},
        {"key": "day/2-*"},
        {"show": "wrong", "deleted": True},
        {"label": "hate", "deleted": True, "key": "day/1*", **days},
        {"show": "wrong", "label": "fine", "answer": "hate", **days, "key": "day/*"},
        {"answer": "fine"},
        {"since": date(2027, 1, 1)},
        {"until": date(2025, 1, 1)},
    ):
        wanted = [
            it.receipt.key
            for it in everything
            if all(holds[name](it, value) for name, value in which.items())
        ]
        counts.append(len(wanted))
        for most, part in ((20_000, 1_000), (60, 25)):  # much at once, and little
            monkeypatch.setattr(case_lists, "_MOST_READ", most)
            monkeypatch.setattr(case_lists, "_PART", part)
            assert [it.receipt.key for it in all_pages(in_use.row, **which)] == wanted, which
    assert min(counts[:-3]) > 0
    assert max(counts[-3:]) == 0


def test_a_whole_key_is_one_case_and_a_beginning_of_many_is_refused(in_use, enter, monkeypatch):
    found = list_cases(in_use.row, CaseFilter(key="day/1-1")).rows
    assert [it.receipt.key for it in found] == ["day/1-1"]
    assert list_cases(in_use.row, CaseFilter(key="DAY/1-1*")).rows == []
    monkeypatch.setattr(case_lists, "_MOST_KEYS", 11)  # 1-1, 1-10 to 1-19
    assert len(list_cases(in_use.row, CaseFilter(key="day/1-1*")).rows) == 11
    status, page = read(in_use, enter, "?key=day/1*")
    assert (status, "Over 11 keys begin with “day/1”" in page) == (200, True)
    here = reverse("classifier-case", args=[in_use.id, "day/1-1"])
    assert enter(in_use.wanda).get(f"{here}?key=day/1*").status_code == 200


def test_a_bookmark_keeps_all_filters_and_words_say_them(in_use, enter):
    query = "?show=audited&version=1&label=hate&answer=hate&from=2026-01-02&to=2126-01-03&key=day%2F%2A&deleted=1"
    status, page = read(in_use, enter, query)
    words = "version 1, label hate, the model said hate, from 2 Jan 2026 UTC, to 3 Jan 2126 UTC, key day/*, content deleted"
    assert status == 200
    assert f'<span class="note">{words}</span>' in page
    assert f"No case matches all of this: audited, {words}." in page
    assert f'href="/classifiers/{in_use.id}/cases/{query.replace("audited", "wrong")}"' in page
    usual = read(in_use, enter)[1]
    assert "any label, answer, day and key" in usual
    assert "Remove filters" not in usual


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (
            "label=spam",
            "No version of this classifier has a class “spam”. Choose one of fine, hate.",
        ),
        ("answer=spam", "has a class “spam”"),
        ("from=2026-02-30", "“2026-02-30” is not a day. Write it as 2026-11-28."),
        ("to=x", "is not a day"),
        ("from=2026-03-02&to=2026-03-01", "2 Mar 2026 UTC comes after 1 Mar 2026 UTC"),
        ("key=" + "x" * 202, "A key has at most 200 characters"),
        ("group=" + "x" * 101, "A group has at most 100 characters"),
    ],
)
def test_a_bad_value_is_refused_with_a_word(in_use, enter, query, words):
    status, page = read(in_use, enter, f"?{query}")
    assert (status, words in page, "<table" in page) == (200, True, False)


NARROWED = (
    {"show": "wrong"},
    {"show": "audited", "answer": "hate"},
    {"show": "alone", "since": date(2026, 1, 2), "until": date(2026, 1, 3)},
    {"label": "hate"},
    {"show": "wrong", "label": "fine", "deleted": True},
    {"deleted": True},
    {"key": "day/1-*", "label": "hate"},
    {"answer": "fine"},
    {"group": "tr", "show": "alone"},
    {"show": "differ"},
    {"show": "unsure", "label": "hate"},
    {"show": "unsettled"},
)


def test_each_filter_is_read_by_indexes_on_both_databases(database):
    in_use = InUse()
    in_use.label(in_use.decide(60, "day/1", 1))
    found = list_cases(in_use.row, CaseFilter()).rows
    forget(in_use.id, [it.receipt.key for it in found if it.content is not None][:5])
    explain = "EXPLAIN QUERY PLAN" if database.startswith("sqlite") else "EXPLAIN"
    for which in NARROWED:
        with CaptureQueriesContext(connection) as asked:
            list_cases(in_use.row, CaseFilter(**which))
            list_cases(in_use.row, CaseFilter(**which), found[0].place)
            count_cases(in_use.row, CaseFilter(**which))
        plans = []
        with transaction.atomic(), connection.cursor() as cursor:
            if explain == "EXPLAIN":  # so few rows are read faster without
                cursor.execute("SET LOCAL enable_seqscan = off")
                cursor.execute("SET LOCAL enable_bitmapscan = off")
                cursor.execute(
                    "SET LOCAL enable_sort = off"
                )  # a sort is left where no index has the order
            for query in asked:
                cursor.execute(f"{explain} {query['sql']}")
                plan = " ".join(str(line[-1]) for line in cursor.fetchall())
                assert not re.search(r"\bSCAN (?!subquery)|Seq Scan", plan), plan
                if "LIMIT" in query["sql"]:
                    assert not re.search(r"TEMP B-TREE|\bSort\b", plan), plan
                plans.append(plan)
        if "key" in which:
            begins = r"key>\? AND key<\?|~>=~ 'day/1-'"
            assert any(re.search(begins, plan) for plan in plans), plans


def test_a_page_costs_the_same_queries_however_many_cases(in_use):
    with CaptureQueriesContext(connection) as asked:
        list_cases(in_use.row, CaseFilter())
    assert len(asked) <= 7


@pytest.mark.parametrize("show", ["all", "wrong", "audited", "review", "alone"])
def test_a_page_is_read_by_indexes_alone(in_use, show):
    which = CaseFilter(show, 1, with_region(in_use))
    page = list_cases(in_use.row, CaseFilter(show))
    with CaptureQueriesContext(connection) as asked:
        list_cases(in_use.row, which)
        list_cases(in_use.row, CaseFilter(show), page.rows[0].place)
        neighbours_of(in_use.row, which, page.rows[0].place)
    used = set()
    for query in asked:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}")
            plan = [line for *_, line in cursor.fetchall()]
        assert not [it for it in plan if it.startswith("SCAN")], query
        if "LIMIT" in query["sql"]:  # all would be sorted to take the first of them
            assert not [it for it in plan if "TEMP B-TREE" in it], query
        used |= {name for name in INDEXES if any(f" {name} " in it for it in plan)}
    assert used == {"one_key_each"} | ({"use_label_wrong"} if show == "wrong" else set())


@pytest.mark.parametrize("show", ["all", "wrong", "audited", "review", "alone"])
def test_a_region_is_looked_up_in_what_is_kept_so_much_at_once(in_use, monkeypatch, show):
    region = with_region(in_use, "post")
    kept = {it.receipt.key for it in all_pages(in_use.row, show=show) if it.content is not None}
    inside = [it.receipt.key for it in all_pages(in_use.row, show=show, region=region)]
    assert set(inside) == kept
    assert len(inside) == len(kept) > 0
    monkeypatch.setattr(case_lists, "_MOST_CONTENTS", 20)
    monkeypatch.setattr(case_lists, "_PART_OF_CONTENTS", 8)
    assert [it.receipt.key for it in all_pages(in_use.row, show=show, region=region)] == inside
    rare = with_region(in_use, "nobodysaysthis")
    page = list_cases(in_use.row, CaseFilter(show, region=rare))
    assert (page.rows, page.is_cut) == ([], len(kept) > 20)
    assert all_pages(in_use.row, show=show, region=rare) == []


def test_the_keys_lead_through_the_list_and_back(in_use, enter):
    region = with_region(in_use, "post")
    which = CaseFilter("wrong", 1, region)
    listed = all_pages(in_use.row, show="wrong", version=1, region=region)
    for place, record in enumerate(listed):
        around = [it and it.receipt.key for it in neighbours_of(in_use.row, which, record.place)]
        newer = listed[place - 1].receipt.key if place else None
        older = listed[place + 1].receipt.key if place + 1 < len(listed) else None
        assert around == [newer, older]
    here, before, after = (
        reverse("classifier-case", args=[in_use.id, listed[place].receipt.key])
        for place in (1, 0, 2)
    )
    query = "?show=wrong&version=1&region=text+has+%27post%27"
    shown = unescape(enter(in_use.wanda).get(here + query).content.decode())
    assert f'data-key="ArrowLeft" href="{before}{query}"' in shown
    assert f'data-key="ArrowRight" href="{after}{query}"' in shown
    assert "Cases: Model wrong, version 1, text has 'post'" in shown
    status, page = read(in_use, enter, query)
    assert (status, f'href="{here}{query}"' in page) == (200, True)
    answer = enter(in_use.wanda).post(here + query)
    assert answer["Location"] == here + query  # what was done leads back to the same place


def test_a_bookmark_of_a_region_that_is_gone_says_so(in_use, enter):
    with_region(in_use)
    status, page = read(in_use, enter, "?show=wrong&region=text+has+%27old%27")
    assert (status, "Labels confirm no region “text has 'old'” any more" in page) == (200, True)
    assert "<table" not in page


def test_from_the_closed_page_to_a_mistake_in_two_clicks(sqlite, enter):
    in_use = InUse()
    in_use.close()
    page = unescape(enter(in_use.wanda).get(f"/classifiers/{in_use.id}/").content.decode())
    assert f'href="/classifiers/{in_use.id}/cases/?show=wrong">See the mistakes' in page
    mistake = list_cases(in_use.row, CaseFilter("wrong")).rows[0]
    status, listed = read(in_use, enter, "?show=wrong")
    here = reverse("classifier-case", args=[in_use.id, mistake.receipt.key])
    assert status == 200
    assert f'href="{here}?show=wrong"' in listed
    shown = unescape(enter(in_use.wanda).get(here).content.decode())
    assert f"the post {mistake.receipt.key}" in shown  # its content
    assert "Model wrong</span>" in shown
    assert mistake.receipt.digest in shown


def test_content_goes_and_the_record_stays(in_use, enter):
    record = list_cases(in_use.row, CaseFilter("audited")).rows[0]
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
    key = list_cases(in_use.row, CaseFilter("all")).rows[0].receipt.key
    here = reverse("classifier-case", args=[in_use.id, key])
    assert enter(getattr(in_use, who)).get(here).status_code == 404
    assert enter(getattr(in_use, who)).post(here).status_code == 404


@pytest.mark.parametrize(
    "query",
    [
        "?show=odd",
        "?version=x",
        "?version=" + "9" * 99,
        "?before=x",
        "?before=1.x",
        "?before=" + "9" * 99,
    ],
)
def test_an_address_that_leads_nowhere(in_use, enter, query):
    assert read(in_use, enter, query)[0] == 404


def test_past_the_end_and_no_such_case(in_use, enter):
    assert "No older case" in read(in_use, enter, "?before=1.0")[1]
    assert read(in_use, enter, "nobody-sent-this/")[0] == 404
    assert str(parse_place("2.17")) == "2.17"
