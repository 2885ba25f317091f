"""What reviewers learn of their own work, and that it does not tell which case was gold."""

from __future__ import annotations

import re
import sqlite3
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.urls import reverse
from scipy.stats import binomtest

from askpoint.server.deployments import queue
from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.second_opinions import ask_second_opinions
from askpoint.server.labelling import desk as pool, own_work, services as reviewing
from askpoint.server.labelling.models import Case, Vote
from server.in_use import InUse

NOON = datetime(2026, 3, 4, 12, 3, tzinfo=UTC)  # a Wednesday
MONDAY = datetime(2026, 3, 2, tzinfo=UTC)


@pytest.fixture
def in_use(stand, monkeypatch):
    in_use = stand(InUse)
    change_settings(in_use.id, capacity=61, second=0.0, hold=0)
    in_use.noon = NOON
    monkeypatch.setattr(own_work.timezone, "now", lambda: in_use.noon)
    return in_use


def vote(in_use, case, at, choice="hate", name="rosa"):
    return Vote.objects.create(case=case, reviewer=name, choice=choice, at=at)


def make(in_use, n, purpose="gold", **more):
    given = {"gold": "hate"} if purpose == "gold" else {}
    first = Case.objects.count()
    return [
        Case.objects.create(
            id=f"c{first + i:04d}",
            queue=in_use.queue,
            purpose=purpose,
            key=f"k{first + i}",
            content=f"post {i}",
            opened=NOON - timedelta(days=60),
            at=NOON,
            **given,
            **more,
        )
        for i in range(n)
    ]


def right(in_use, name="rosa"):
    return own_work.told_right(pool.desk_of(getattr(in_use, name)))


def test_right_is_told_over_whole_weeks_of_at_least_20_cases_and_rounded(in_use):
    gold = make(in_use, 45)
    for i, case in enumerate(gold[:12]):  # the week from 16 February: too few alone
        vote(in_use, case, MONDAY - timedelta(days=14, minutes=-i), "hate" if i else "fine")
    assert right(in_use) is None
    for i, case in enumerate(gold[12:24]):  # the next week: 23 of 24 together
        vote(in_use, case, MONDAY - timedelta(days=7, minutes=-i))
    told = right(in_use)
    assert told.share == 0.95  # 23/24 = .958
    low, high = binomtest(23, 24).proportion_ci(0.95)
    assert told.interval.lower <= low < told.interval.lower + 0.05
    assert told.interval.upper - 0.05 < high <= told.interval.upper
    assert (told.first, told.last) == (MONDAY - timedelta(days=14), MONDAY - timedelta(days=1))
    for i, case in enumerate(gold[24:]):  # this week: all wrong, and nothing is told of it yet
        vote(in_use, case, MONDAY + timedelta(hours=1, minutes=i), "fine")
        assert right(in_use) == told
    in_use.noon += timedelta(days=7)
    assert right(in_use).share == 0.0
    assert right(in_use).first == MONDAY
    assert right(in_use, "rudi") is None


def test_void_votes_and_those_on_other_cases_are_not_among_them(in_use):
    for case in make(in_use, 20):
        vote(in_use, case, MONDAY - timedelta(days=3))
    told = right(in_use)
    for case in make(in_use, 30, "asked"):
        vote(in_use, case, MONDAY - timedelta(days=3), "fine")
    assert right(in_use) == told
    Vote.objects.filter(case__purpose="gold", pk__gt=0).first().delete()
    assert right(in_use) is None
    assert told.share == 1.0


def test_agreement_is_with_who_labelled_the_same_case_or_gave_a_second_opinion(in_use):
    at = MONDAY - timedelta(days=3)
    cases = make(in_use, 6, "asked", labelled=at)
    for case in cases:
        vote(in_use, case, at), vote(in_use, case, at, "hate", "rudi")
    desk = pool.desk_of(in_use.rosa)
    assert own_work.told_agreement(desk) is None  # 6 pairs
    more = make(in_use, 4, "asked", labelled=at)
    for case in more:
        vote(in_use, case, at)
    assert ask_second_opinions(in_use.id, [case.key for case in more]) == 4
    for copy in Case.objects.filter(purpose="opinion"):
        vote(in_use, copy, at + timedelta(hours=1), "fine", "rudi")
    assert own_work.told_agreement(desk).share == 0.6


def test_a_long_life_of_labels_names_no_more_than_a_database_takes(in_use):
    at = MONDAY - timedelta(days=3)
    for case in make(in_use, 60, "asked", labelled=at):
        vote(in_use, case, at), vote(in_use, case, at, "hate", "rudi")
    connection.ensure_connection()
    usual = connection.connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 50)
    try:
        assert own_work.told_agreement(pool.desk_of(in_use.rosa)).share == 1.0
        assert right(in_use) is None
    finally:
        connection.connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, usual)


def test_the_number_that_waits_stands_for_ten_minutes_whatever_is_labelled(in_use):
    in_use.decide(60)
    queue.add_gold(in_use.id, [("you fool now", "hate")])
    in_use.noon = (in_use.row.at + timedelta(hours=1)).replace(minute=3)
    desk = pool.desk_of(in_use.rosa)
    n = Case.objects.exclude(purpose="gold").count()
    shown = own_work.count_waiting_about(desk)
    assert shown == int(float(f"{n:.2g}"))
    case = reviewing.claim(in_use.queue, "rosa").case
    reviewing.cast(in_use.queue, "rosa", case.pk, "hate")
    Case.objects.filter(pk=case.pk).update(labelled=in_use.noon)
    assert own_work.count_waiting_about(desk) == shown
    in_use.noon += timedelta(minutes=10)
    assert own_work.count_waiting_about(desk) == int(float(f"{n - 1:.2g}"))


def test_a_day_counts_gold_and_not_sure_alike_and_leaves_pauses_out(in_use):
    begun = NOON.replace(hour=8, minute=0)
    cases = [*make(in_use, 2), *make(in_use, 3, "asked")]
    for case, minutes in zip(cases, (0, 2, 4, 60, 61), strict=True):
        vote(in_use, case, begun + timedelta(minutes=minutes))
    (left,) = make(in_use, 1, "audit")
    left.remarks.create(reviewer="rosa", reason="unclear", at=begun + timedelta(minutes=62))
    left.remarks.create(reviewer="rudi", note="a note alone", at=begun)
    vote(in_use, *make(in_use, 1), begun - timedelta(days=1))
    day = own_work.day_of(pool.desk_of(in_use.rosa))
    assert (day.cases, day.minutes, day.seconds) == (6, 6, None)
    assert day.goal == 31  # 61 a day, of two reviewers


def test_the_pages_of_a_reviewer_say_it(in_use, enter):
    settled, agreed = make(in_use, 2, "asked", state="ruled", ruled_at=NOON)
    Case.objects.update(answer="fine")
    vote(in_use, settled, NOON), vote(in_use, agreed, NOON, "fine")
    Case.objects.filter(pk=settled.pk).update(content="Typical, <late>")
    browser = enter(in_use.rosa)
    page = browser.get(reverse("review-mine")).content.decode()
    assert "Typical, &lt;late&gt;" in page
    assert "post 1" not in page  # there they agreed
    assert "not known yet" in page
    start = browser.get(reverse("review")).content.decode()
    assert "of 31</span>" in start
    for user in (in_use.wanda, in_use.vera, in_use.oskar):
        assert enter(user).get(reverse("review-mine")).status_code == 404


def test_home_is_one_press_from_the_next_case(in_use, enter):
    make(in_use, 30, "asked")
    home = enter(in_use.rosa).get("/").content.decode()
    form = re.search(
        r'<form method="post" action="([^"]+)">(?:(?!</form>).)*Next case', home, re.DOTALL
    )
    assert "About 30 cases wait" in form[0]
    assert "autofocus" in form[0]  # Enter starts
    assert re.findall("<dt>([^<]+)</dt>", home) == ["Today", "Time today", "A case takes you"]
    page = enter(in_use.rosa).post(form[1], follow=True).content.decode()
    assert 'name="choice"' in page
    top, _ = page.split("<h1", 1)
    assert "Posts that hate" in top.split("<main", 1)[1]  # whose case it is stands above it
    assert "Next case" not in enter(in_use.vera).get("/").content.decode()
    InUse().row.members.filter(user__username="rosa").update(role="viewer")
    assert "autofocus" not in enter(in_use.rosa).get("/").content.decode()  # there is more to read


def test_classifiers_of_the_same_title_are_told_apart_by_their_id(in_use, enter):
    other = InUse()
    third = InUse()
    Deployment.objects.filter(pk=third.id).update(title="Letters")
    desk = pool.desk_of(in_use.rosa)
    twice = [f"Posts that hate ({row.id[-6:]})" for row in (in_use, other)]
    assert sorted(desk.titles) == sorted([*twice, "Letters"])
    assert [place.title for place in desk.places] == desk.titles
    page = enter(in_use.rosa).get(reverse("review")).content.decode()
    assert page.count(f"“{twice[0]}”") == page.count(f"“{twice[1]}”") == 1
    only = pool.desk_of(in_use.rosa, other.id)  # a program that is limited to one reads the same
    assert only.titles == [twice[1]]
    home = enter(in_use.rosa).get("/").content.decode()
    assert f"<small>{other.id}</small>" in home
    assert f"<small>{third.id}</small>" not in home
