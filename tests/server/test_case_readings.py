"""Who reads cases: owners, viewers where owners let them; and how many, counted for each person and day."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from askpoint.server.deployments.case_readings import log_readings
from askpoint.server.deployments.cases import cases_of
from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.models import CaseReading, Deployment
from askpoint.server.deployments.retention import delete_old_contents
from askpoint.server.journal.models import LogLine
from askpoint.server.labelling.models import Case
from askpoint.server.workspaces.services import first_workspace
from server.in_use import InUse
from server.talking import let_readings_be_counted


@pytest.fixture
def in_use(database):
    del database
    first_workspace()
    found = InUse()
    found.decide(60)
    return found


def open_as(in_use, enter, who, address):
    answer = enter(getattr(in_use, who)).get(f"/classifiers/{in_use.id}/{address}")
    let_readings_be_counted()
    return answer


def let_viewers_read(in_use, enter):
    form = {"title": "Posts", "keep_days": "180", "viewers_read": "on"}
    answer = enter(in_use.wanda).post(f"/classifiers/{in_use.id}/settings/", form)
    assert answer.status_code == 302


def shown_key(in_use):
    """The key of a case whose content is kept."""
    return cases_of(in_use.row).filter(content__isnull=False).exclude(key="").first().key


def test_viewers_read_cases_only_where_owners_let_them(in_use, enter):
    pages = ["cases/", f"cases/{shown_key(in_use)}/"]
    overview = open_as(in_use, enter, "vera", "").content.decode()
    assert f"/classifiers/{in_use.id}/cases/" not in overview
    for page in pages:
        assert open_as(in_use, enter, "vera", page).status_code == 404
    let_viewers_read(in_use, enter)
    assert f"/classifiers/{in_use.id}/cases/" in open_as(in_use, enter, "vera", "").content.decode()
    for page in pages:
        answer = open_as(in_use, enter, "vera", page)
        assert answer.status_code == 200
        assert "the post monday-" in answer.content.decode()
        assert "<button" not in answer.content.decode().partition("<main")[2].replace(
            '<button class="quiet">Show cases</button>', ""
        )
        for who in ("rosa", "oskar"):
            assert open_as(in_use, enter, who, page).status_code == 404
    here = f"/classifiers/{in_use.id}/{pages[1]}"
    for form in ({}, {"record": "1"}, {"gold": "1"}, {"opinion": "1"}):
        assert enter(in_use.vera).post(here, form).status_code == 404
    assert not CaseReading.objects.filter(reader__in=["rosa", "oskar"]).exists()
    (line,) = LogLine.objects.filter(what="settings")
    assert line.said["viewers_read"] is True


def test_the_activity_says_how_many_cases_somebody_read_on_a_day_that_is_over(in_use, enter):
    let_viewers_read(in_use, enter)
    shown = open_as(in_use, enter, "vera", "cases/").content.decode().count("the post monday-")
    assert 10 < shown < 50
    for _ in range(2):  # the same case counts once a day
        open_as(in_use, enter, "vera", f"cases/{shown_key(in_use)}/")
    open_as(in_use, enter, "wanda", f"cases/{shown_key(in_use)}/")
    assert log_readings() == 0
    tomorrow = timezone.now() + timedelta(days=1)
    assert log_readings(tomorrow) == 2
    assert log_readings(tomorrow) == 0
    said = {line.who: line for line in LogLine.objects.filter(what="cases read")}
    day = f"{timezone.now():%Y-%m-%d}"
    kept = {it.key for it in cases_of(in_use.row).filter(content__isnull=False)}
    assert said["wanda"].about == f"1 case on {day}"
    n = int(said["vera"].about.split()[0])
    assert shown <= n <= len(kept)
    assert said["vera"].about == f"{n} cases on {day}"
    assert said["vera"].campaign == in_use.id
    assert "cases read" in enter(in_use.wanda).get("/log/").content.decode()
    assert not CaseReading.objects.exists()


def test_a_case_without_content_is_not_counted(in_use, enter):
    key = shown_key(in_use)
    Case.objects.filter(key=key).update(content=None)
    open_as(in_use, enter, "wanda", f"cases/{key}/")
    assert not CaseReading.objects.exists()


def test_contents_are_kept_180_days_where_owners_say_nothing_else(in_use, enter):
    assert in_use.row.keep_days == 180
    kept = cases_of(in_use.row).filter(content__isnull=False)
    n = kept.count()
    kept.update(opened=timezone.now() - timedelta(days=179))
    assert delete_old_contents() == 0
    kept.update(opened=timezone.now() - timedelta(days=181))
    Deployment.objects.filter(pk=in_use.id).update(keep_days=None)
    assert delete_old_contents() == 0
    change_settings(in_use.id, keep_days=180)
    assert delete_old_contents() == n > 0
