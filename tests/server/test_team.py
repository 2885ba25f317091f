"""The team of a classifier: links for many at once, who came by which, and what each did."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client as Browser
from django.urls import reverse
from django.utils import timezone

from askpoint.labelling.guideline import Guideline
from askpoint.server.accounts.services import waiting
from askpoint.server.deployments.cases import cases_of, queue_of
from askpoint.server.deployments.queue import add_gold
from askpoint.server.deployments.team import (
    TeamCounts,
    count_for_team,
    list_team,
    list_work_by_month,
)
from askpoint.server.labelling.guidelines import add_version
from askpoint.server.labelling.models import Case, Remark, Reviewer, Vote


def read_csv(answer):
    assert "attachment" in answer["Content-Disposition"]
    return list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode())))


def test_twenty_reviewers_are_invited_in_one_form(in_use, enter):
    here, owner = reverse("classifier-people", args=[in_use.id]), enter(in_use.wanda)
    names = "\n".join(f"Reviewer {n}" for n in range(18))
    file = SimpleUploadedFile("two.csv", b"label\nAnn\nBea\n")
    made = owner.post(here, {"part": "reviewer", "labels": names, "file": file, "days": "3"})
    assert made.status_code == 302
    links = read_csv(owner.get(reverse("classifier-links", args=[in_use.id])))
    assert [one["label"] for one in links][::-1] == [*names.split("\n"), "Ann", "Bea"]
    assert {one["role"] for one in links} == {"reviewer"}
    assert all(one.expires - one.made == timedelta(days=3) for one in waiting(in_use.id))
    visitor = Browser()
    visitor.post(links[0]["link"], {"name": "bea", "password": "long enough words"})
    assert "reviewer since" in (text := owner.get(here).content.decode())
    assert "by the link for Bea" in text
    assert len(waiting(in_use.id)) == 19
    for who in (in_use.rosa, in_use.vera):  # nobody but owners
        for name in ("classifier-links", "classifier-work-file"):
            assert enter(who).get(reverse(name, args=[in_use.id])).status_code == 404
    wrong = owner.post(here, {"part": "reviewer", "labels": "x\n" * 501})
    assert (wrong.status_code, "501 links at once" in wrong.content.decode()) == (422, True)


def test_the_page_counts_what_else_there_is_for_the_team(in_use, enter):
    in_use.decide(40)
    assert count_for_team(in_use.row) == TeamCounts(0, 0, 0)
    cases = list(cases_of(in_use.row).filter(purpose="asked")[:3])
    Case.objects.filter(pk__in=[one.pk for one in cases]).update(state="referred")
    add_gold(in_use.id, [("the post of gold 1", "hate"), ("the post of gold 2", "fine")])
    add_version(in_use.queue, "wanda", Guideline("Judge what is meant.", ()), 0, timezone.now())
    assert count_for_team(in_use.row) == TeamCounts(3, 2, 1)
    page = enter(in_use.wanda).get(reverse("classifier-people", args=[in_use.id])).content.decode()
    for said in ("Unsettled <small>3<", "Gold cases <small>2<", "Guideline <small>version 1<"):
        assert said in page


def look(case, name, at, choice=None):
    if choice is None:
        Remark.objects.create(case=case, reviewer=name, reason="unclear", at=at)
    else:
        Vote.objects.create(case=case, reviewer=name, choice=choice, at=at)


def test_what_each_did_is_told_lately_and_by_month(in_use, enter):
    in_use.decide(60)
    cases = list(cases_of(in_use.row)[:5])
    Case.objects.filter(pk=cases[2].pk).update(gold="hate")
    now = timezone.now()
    if (now - timedelta(hours=1)).month != now.month:
        now -= timedelta(hours=1)  # all of it in one month
    for n, choice in enumerate(("fine", "fine", "fine", None)):  # the third is gold and wrong
        look(cases[n], "rosa", now - timedelta(minutes=40 - n), choice)
    look(cases[4], "rosa", now - timedelta(minutes=20), "fine")  # 17 minutes away: not work
    old = datetime(2025, 3, 31, 23, 59, tzinfo=UTC)
    look(cases[0], "rudi", old, "fine")
    look(cases[1], "rudi", old + timedelta(minutes=2), "fine")  # the next month
    Reviewer.objects.create(
        queue=queue_of(in_use.id), user=in_use.rosa, at=now, gold_seen=40, gold_right=36
    )
    team = {one.name: one for one in list_team(in_use.row)}
    work = team["rosa"].work
    assert (work.cases, work.unsure, work.gold, work.gold_right) == (5, 1, 1, 0)
    assert work.seconds == 180
    assert team["wanda"].work is None
    page = enter(in_use.wanda).get(reverse("classifier-people", args=[in_use.id]))
    text = page.content.decode()
    assert "3 minutes" in text
    assert "36 of 40 <small>76% to 97%</small>" in text
    rows = read_csv(enter(in_use.wanda).get(reverse("classifier-work-file", args=[in_use.id])))
    assert rows == [{k: str(v) for k, v in it.items()} for it in list_work_by_month(in_use.row)]
    assert [(it["month"], it["reviewer"], it["cases"]) for it in rows] == [
        ("2025-03", "rudi", "1"),
        ("2025-04", "rudi", "1"),
        (f"{now - timedelta(minutes=40):%Y-%m}", "rosa", "5"),
    ]
    assert (rows[2]["hours"], rows[2]["not_sure"], rows[2]["gold"]) == ("0.05", "1", "1")
