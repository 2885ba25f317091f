"""The state of a classifier: alike on home, page and API, as its replayed life has it, and its history stays."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from askpoint.reports.words import short_threshold
from askpoint.server.accounts.models import Seat, User
from askpoint.server.api.serializers import serialize_classifier
from askpoint.server.deployments import policies
from askpoint.server.deployments.cases import waiting_cases
from askpoint.server.deployments.label_times import measure_label_times, seconds_of_a_label
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.state_lines import (
    classifier_rows,
    fleet_line,
    history_of,
    state_line_of,
)
from askpoint.server.deployments.status_page import standing_of
from askpoint.server.labelling import services as reviewing
from askpoint.server.labelling.models import Vote
from server.in_use import InUse


def test_it_is_what_the_replayed_life_says(in_use):
    assert state_line_of(in_use.row).word == "No case yet"
    seen = set()
    for day in range(14):
        in_use.label(in_use.decide(120, f"day {day}", day, broken=3 < day < 9))
        state, said = standing_of(in_use.row).state, state_line_of(in_use.row)
        assert (said.kind == "answering") == (state.threshold is not None and not state.waiting)
        if said.kind == "answering":
            assert short_threshold(state.threshold) in said.why
        seen.add(said.kind)
    assert {"answering", "closed"} <= seen


def test_the_page_home_and_api_say_the_same(in_use, enter):
    in_use.close()
    said = state_line_of(in_use.row)
    assert said.why == "Audits found more mistakes than agreed. Every case goes to review."
    page = unescape(enter(in_use.vera).get(f"/classifiers/{in_use.id}/").content.decode())
    home = unescape(enter(in_use.wanda).get("/").content.decode())
    wire = serialize_classifier(in_use.row).state
    assert (wire.kind, wire.word, wire.why, wire.since) == (
        "closed",
        "Closed",
        said.why,
        said.since,
    )
    assert "It decides all cases" not in page
    for text in (page, home):
        assert "is-closed" in text
        assert f"{said.since:%-d %b %Y %H:%M}" in text
    assert said.why in page
    assert "1 of 1 needs you. Worst first." in home


def test_home_leads_from_no_case_to_sending_one(in_use, enter):
    lines = f"/classifiers/{in_use.id}/first-case/"
    assert f'href="{lines}">Send a case<' in enter(in_use.wanda).get("/").content.decode()
    assert lines not in enter(in_use.vera).get("/").content.decode()  # she may not make a token
    in_use.decide(3)
    assert lines not in enter(in_use.wanda).get("/").content.decode()


def test_another_version_does_not_wipe_what_happened(in_use, enter):
    in_use.close()
    before = history_of(in_use.row)
    in_use.propose(why="the second")
    (row,) = classifier_rows([in_use.row], {in_use.id})
    assert row.proposed == 2
    assert fleet_line([row]) == "1 of 1 needs you. Worst first. 1 has a new version to read."
    assert row.last.brief == "Audits found more mistakes than agreed."
    policies.adopt(in_use.id, in_use.wanda, 2, 1)
    assert classifier_rows([in_use.row], {in_use.id})[0].proposed is None
    in_use.label(in_use.decide(50, "anew", 40))
    after = history_of(in_use.row)
    assert after[-len(before) :] == before
    assert {one.version for one in after if one.is_bad} == {1}
    page = unescape(enter(in_use.vera).get(f"/classifiers/{in_use.id}/").content.decode())
    _, _, history = page.partition("<h2>History</h2>")
    assert "more mistakes than agreed" in history


def queries_of(work):
    with CaptureQueriesContext(connection) as asked:
        made = work()
    return made, len(asked)


def test_who_needs_somebody_comes_first_and_many_cost_no_more_queries(stand_on_each, enter):
    in_use = stand_on_each(InUse)
    in_use.close()
    browser = enter(in_use.wanda)
    browser.get("/")
    _, page = queries_of(lambda: browser.get("/"))
    others = [InUse(mode=mode) for mode in ("shadow", "all", "rollout")]
    for one in others[:2]:
        one.decide(3)
    Deployment.objects.update(label_seconds=40)
    rows = list(Deployment.objects.all())
    assert len(rows) == 4
    _, few = queries_of(lambda: classifier_rows(rows[:1], set()))
    found, many = queries_of(lambda: classifier_rows(rows, {in_use.id}))
    assert many == few <= 4  # with session and user six
    assert queries_of(lambda: browser.get("/"))[1] == page <= 15  # all of it, other parts too
    assert [one.state.kind for one in found] == ["closed", "empty", "shadow", "answering"]
    assert [one.needs_somebody for one in found] == [True, False, False, False]
    assert [one.owned for one in found] == [True, False, False, False]
    assert fleet_line(found) == "1 of 4 needs you. Worst first."
    assert fleet_line(found[1:]) == "None needs you."


def test_home_says_the_queue_in_cases_until_it_is_known_how_long_a_label_takes(in_use, enter):
    def queue():
        page = unescape(enter(in_use.wanda).get("/").content.decode())
        return re.search(r'data-label="Queue">(.*?)</td>', page)[1]

    Deployment.objects.update(capacity=400, second=0)
    in_use.decide(300)
    n = waiting_cases(in_use.row).count()
    assert n > 60
    assert queue() == f"{n} cases<small>people do 400 cases a day</small>"
    vote(in_use, 20)
    assert measure_label_times() == 0  # 19 pauses tell nothing
    assert queue().startswith(f"{n - 20} cases<")
    vote(in_use, 1)
    assert queue().startswith(f"{n - 21} cases<")  # the page does not measure
    assert [measure_label_times(), measure_label_times()] == [1, 0]
    assert in_use.row.label_seconds == seconds_of_a_label(in_use.row) == 90
    hours = (n - 21) * 90 / 3600
    assert queue() == f"{hours:.1f} hours<small>people do 10 hours a day</small>"


def vote(in_use, n):
    """Let Rosa label so many cases, 90 seconds each."""
    for _ in range(n):
        held = reviewing.claim(in_use.queue, "rosa", others=False)
        reviewing.cast(in_use.queue, "rosa", held.case_id, "hate")
    begun = in_use.row.made
    for place, one in enumerate(Vote.objects.order_by("pk")):
        Vote.objects.filter(pk=one.pk).update(at=begun + place * timedelta(seconds=90))


def test_a_reviewer_reads_no_state(in_use, enter):
    in_use.close()
    home = enter(in_use.rosa).get("/").content.decode()
    assert "is-closed" not in home
    assert enter(in_use.rosa).get(f"/classifiers/{in_use.id}/").status_code == 404


def test_who_owns_the_workspace_sees_its_classifiers(in_use, enter):
    in_use.decide(3)
    boss = User.objects.get_or_create(username="boss")[0]
    Seat.objects.create(workspace=in_use.row.workspace, user=boss, role="owner", at=timezone.now())
    home = enter(boss).get("/").content.decode()
    assert f'href="/classifiers/{in_use.id}/"' in home
    page = enter(boss).get(f"/classifiers/{in_use.id}/").content.decode()
    assert f'href="/classifiers/{in_use.id}/cases/"' in page
