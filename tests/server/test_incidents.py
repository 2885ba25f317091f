"""Incidents: each closing has a page that stays, says what went out and where, and what an owner may do."""

from __future__ import annotations

import csv
import io
import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from html import unescape

import pytest
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from askpoint import RuleError
from askpoint.live.ask_rules import ASKED_BY_RULE, rules_of
from askpoint.live.events import Event
from askpoint.server.api.tokens import make_token
from askpoint.server.books import check_books
from askpoint.server.deployments import decisions, policies
from askpoint.server.deployments.asked_regions import propose_asking
from askpoint.server.deployments.audit_rates import look_for_regions
from askpoint.server.deployments.cases import cases_of
from askpoint.server.deployments.decisions import IncomingCase
from askpoint.server.deployments.incident_actions import keep_closed, let_go_on
from askpoint.server.deployments.incident_records import IncidentRecord
from askpoint.server.deployments.incidents import follow_events, open_incident
from askpoint.server.deployments.labelling import forget
from askpoint.server.deployments.models import Event as EventRow, Incident, Label, Receipt
from askpoint.server.deployments.policy_state import load_state
from askpoint.server.deployments.recent_log import newest_log
from askpoint.server.deployments.renewal import propose_again, question_of
from askpoint.server.deployments.retention import delete_old_contents
from askpoint.server.deployments.state_lines import state_line_of
from askpoint.server.journal.models import LogLine
from askpoint.server.labelling.models import Case
from askpoint.server.webhooks.delivery import _message
from askpoint.server.webhooks.models import Delivery
from askpoint.server.webhooks.services import make_endpoint
from askpoint.server.workspaces.services import first_workspace
from server.in_use import InUse, posts


def made_and_closed():
    """A classifier that closed, as its endpoint was told."""
    in_use = InUse()
    make_endpoint(
        first_workspace().pk, in_use.wanda, "https://hooks.example.org/x", ["policy.closed"]
    )
    in_use.close()
    return in_use


@pytest.fixture
def closed(stand):
    return stand(made_and_closed)


def read(in_use, enter, number, who="wanda"):
    answer = enter(getattr(in_use, who)).get(f"/classifiers/{in_use.id}/incidents/{number}/")
    return answer.status_code, unescape(answer.content.decode())


def send(in_use, enter, number, **form):
    page = f"/classifiers/{in_use.id}/incidents/{number}/"
    answer = enter(in_use.wanda).post(page, form, follow=True)
    return unescape(answer.content.decode())


def test_each_closing_has_one_incident_and_it_ends_where_it_decides_again(in_use):
    for day in range(16):
        in_use.label(in_use.decide(150, f"day {day}", day, broken=3 < day < 8))
    kinds = [
        (one.kind, one.seq)
        for one in EventRow.objects.filter(kind__in=["alarm", "budget_spent", "opened"])
    ]
    began = {seq for kind, seq in kinds if kind != "opened"}
    found = list(Incident.objects.order_by("number"))
    assert found
    assert {one.seq for one in found} <= began
    assert [one.number for one in found] == list(range(1, len(found) + 1))
    closed_now = load_state(in_use.policy).replay.state.threshold is None
    assert (open_incident(in_use.row) is not None) == closed_now
    assert all(one.ended is not None for one in found[:-1])


def test_the_page_says_what_went_out_beside_the_truth(closed, enter):
    incident = open_incident(closed.row)
    record = IncidentRecord(Incident.objects.select_related("policy", "deployment").get())
    first = Receipt.objects.filter(at__gte=record.began.first, seq__lt=incident.seq).order_by("seq")
    went_out = [one for one in first if one.action != 1 and not one.held]
    wrong = sum(closed.truth[one.key] != "hate" for one in went_out)
    lower, upper = record.began.out.interval
    assert lower <= wrong <= upper
    assert record.began.wrong <= record.began.out.estimate <= len(went_out)
    status, page = read(closed, enter, 1)
    assert status == 200
    assert "<h1>Audits found more mistakes than agreed</h1>" in page or "Wrong where" in page
    assert f"{record.began.wrong} of {record.began.audited} audits were wrong" in page
    assert "the post closing/" in page  # some of the wrong answers


def test_behind_a_case_without_a_label_nothing_was_heard_so_the_beginning_is_not_after_it(sqlite):
    """The evidence for alarms hears labels in the order of decisions: one early case held them all up."""
    del sqlite
    in_use = InUse(mistake_budget=300.0)
    in_use.decide(30, "first")  # never labelled
    for day in range(12):
        broke = Receipt.objects.count()
        in_use.label(in_use.decide(150, f"closing/{day}", day, broken=day > 1))
        if day == 2:
            since = broke
        if open_incident(in_use.row) is not None:
            break
    assert open_incident(in_use.row).kind == "budget_spent"
    record = IncidentRecord(Incident.objects.select_related("policy", "deployment").get())
    assert record.incident.seq > since + 200  # it closed later than in the first broken batch
    wrong = Label.objects.filter(source="audit", wrong=True, seq__gte=since).order_by("seq")
    assert record.began.first <= Receipt.objects.get(seq=wrong[0].seq).at
    out = Receipt.objects.filter(seq__gte=since, seq__lt=record.incident.seq).exclude(action=1)
    assert record.began.out.interval[1] >= sum(in_use.truth[one.key] != "hate" for one in out)


def test_owners_are_told_with_a_link_and_no_contents(closed, enter):
    told = json.loads(Delivery.objects.get().body)["data"]
    assert told["incident"] == 1
    assert told["page"].endswith(f"/classifiers/{closed.id}/incidents/1/")
    assert "the post" not in json.dumps(told)
    assert "notified by a webhook, hooks.example.org: on its way" in read(closed, enter, 1)[1]
    home = enter(closed.wanda).get(f"/classifiers/{closed.id}/").content.decode()
    assert f'href="/classifiers/{closed.id}/incidents/1/">Open incident 1' in home


def test_another_version_leaves_the_incident_as_it_was(closed, enter):
    before = IncidentRecord(Incident.objects.select_related("policy", "deployment").get())
    known = (before.title, before.began)
    closed.propose(why="the second")
    policies.adopt(closed.id, closed.wanda, 2, 1)
    closed.label(closed.decide(60, "anew", 9))
    after = IncidentRecord(Incident.objects.select_related("policy", "deployment").get())
    assert (after.title, after.began) == known
    assert after.incident.successor == 2
    assert "until version 2 took its place" in read(closed, enter, 1)[1]
    assert open_incident(closed.row) is None


def test_kept_closed_nobody_acts_until_an_owner_says_so(closed, enter):
    assert "stays closed until an owner" in send(closed, enter, 1, action="keep")
    assert state_line_of(closed.row).word == "Kept closed"
    made = closed.decide(20, "kept", 3)
    assert {one.action for one in made} == {"hold"}
    with pytest.raises(RuleError, match="already"):  # two owners press at once
        keep_closed(closed.id)
    assert "Let it continue" in read(closed, enter, 1)[1]
    assert "It goes on" in send(closed, enter, 1, action="go-on")
    assert closed.row.mode == "all"
    assert {one.action for one in closed.decide(20, "on", 4)} == {"ask"}
    with pytest.raises(RuleError, match="not kept closed"):
        let_go_on(closed.id)


def test_in_shadow_there_is_nothing_to_keep_closed(sqlite):
    del sqlite
    with pytest.raises(RuleError, match="in shadow"):
        keep_closed(InUse(mode="shadow").id)


def test_a_choice_on_the_rollout_page_ends_it_too(closed):
    keep_closed(closed.id)
    policies.set_mode(closed.id, "rollout", 0.5)
    assert closed.row.kept_closed is None


def test_a_note_stays_and_a_long_one_is_refused(closed, enter):
    assert "The note is kept" in send(closed, enter, 1, action="note", note="a new kind of post")
    assert "a new kind of post" in read(closed, enter, 1, "vera")[1]
    assert "at most 4,000 characters" in send(closed, enter, 1, action="note", note="x" * 4001)
    assert Incident.objects.get().note == "a new kind of post"


def test_the_region_comes_with_the_labels(in_use, enter):
    island(in_use)
    incident = Incident.objects.order_by("number").first()
    assert "Looking for a region" in read(in_use, enter, incident.number)[1]
    look_for_regions(in_use.id)
    page = read(in_use, enter, incident.number)[1]
    assert "<h1>Wrong where" in page
    assert "fr" in Incident.objects.get(pk=incident.pk).regions["found"][0]["name"]


def island(in_use):
    for day in range(15):
        sure, right = posts(200, day)
        tongue = ["fr" if i % 3 == 0 else "de" for i in range(200)]
        items = []
        for i in range(200):
            key = f"{day}-{i}"
            wrong = (day > 2 and tongue[i] == "fr") or not right[i]
            in_use.truth[key] = "fine" if wrong else "hate"
            case = {"text": f"some words {i}", "language": tongue[i]}
            items.append(IncomingCase(key, None, "hate", sure[i], case))
        in_use.label(decisions.decide(in_use.id, items, "7"))
        if open_incident(in_use.row) is not None and day > 7:
            return
    raise AssertionError("it never closed")


def test_second_reviewers_are_asked_about_the_wrong_ones_among_right_ones(closed, enter):
    here = f"/classifiers/{closed.id}/incidents/1/"
    page = enter(closed.wanda).post(here, {"action": "opinions"}, follow=True).content.decode()
    assert "to reviewers who have not seen them" in page
    asked = Case.objects.filter(purpose="opinion").values_list("source", flat=True)
    keys = Case.objects.filter(pk__in=list(asked)).values_list("key", flat=True)
    labels = Label.objects.filter(counts=True, key__in=list(keys))
    assert 0 < labels.filter(wrong=True).count() <= 20
    assert 0 < labels.filter(wrong=False).count() <= 10
    assert labels.count() == len(asked)


def test_the_file_weighs_each_case_by_its_draw(closed, enter):
    answer = enter(closed.wanda).get(f"/classifiers/{closed.id}/incidents/1/cases.csv")
    rows = list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode())))
    labelled = {one.key: one for one in Label.objects.filter(counts=True, seq__gte=0)}
    assert rows
    for row in rows:
        receipt = Receipt.objects.get(key=row["key"])
        assert float(row["weight"]) == pytest.approx(1 / receipt.propensity)
        assert row["label"] == labelled[row["key"]].label
        assert row["content"] == f"the post {row['key']}"


def test_contents_that_were_deleted_are_missing_and_the_page_stays(closed, enter):
    forget(closed.id, list(Receipt.objects.values_list("key", flat=True)))
    status, page = read(closed, enter, 1)
    assert status == 200
    assert "the post closing" not in page
    assert "audits were wrong" in page


def test_contents_go_when_they_are_as_old_as_owners_keep_them_and_the_incident_stays(closed, enter):
    browser, settings = enter(closed.wanda), f"/classifiers/{closed.id}/settings/"
    given = {"title": "Posts", "mistake": "", "unit": "", "keep_days": "30"}
    assert browser.post(settings, {**given, "keep_days": "0"}).status_code == 422
    browser.post(settings, given)
    kept = cases_of(closed.row).filter(content__isnull=False)
    n, old = kept.count(), timezone.now() - timedelta(days=31)
    assert n > 20
    assert delete_old_contents() == 0
    aged = list(kept.values_list("pk", flat=True)[: n - 5])
    kept.filter(pk__in=aged).update(opened=old)
    records, labels = Receipt.objects.count(), Label.objects.count()
    assert delete_old_contents() == n - 5
    assert kept.count() == 5
    assert delete_old_contents() == 0
    assert (Receipt.objects.count(), Label.objects.count()) == (records, labels)
    check_books()
    assert browser.get(f"/classifiers/{closed.id}/incidents/1/").status_code == 200
    (line,) = LogLine.objects.filter(what="content deleted")
    assert line.about == f"{n - 5} contents older than 30 days"


def test_a_classifier_renamed_meanwhile(closed, enter):
    row = closed.row
    row.title = "Another name"
    row.save(update_fields=["title"])
    assert "Another name" in read(closed, enter, 1)[1]


@pytest.mark.parametrize("who", ["rosa", "oskar"])
def test_reviewers_and_strangers_see_none(closed, enter, who):
    assert read(closed, enter, 1, who)[0] == 404
    assert (
        enter(getattr(closed, who)).get(f"/classifiers/{closed.id}/incidents/").status_code == 404
    )


def test_a_viewer_reads_and_changes_nothing(closed, enter):
    status, page = read(closed, enter, 1, "vera")
    assert status == 200
    assert "the post closing" not in page  # contents are the owners'
    browser = enter(closed.vera)
    here = f"/classifiers/{closed.id}/incidents/1/"
    assert browser.post(here, {"action": "keep"}).status_code == 404
    assert browser.get(f"{here}cases.csv").status_code == 404


def test_missing_labels_are_a_lesser_matter_and_an_alarm_begins_anew(in_use):
    now, policy = timezone.now(), in_use.policy

    def follow(kind):
        return follow_events(
            in_use.row,
            policy,
            [
                Event(
                    5,
                    kind,
                    {
                        "audit": 3,
                        "evidence": 50.0,
                        "bound": 40.0,
                        "threshold": 0.9,
                        "mistakes_at_most": 3.0,
                        "answers": 9,
                        "budget": 2.0,
                    },
                )
            ],
            now,
        )

    assert follow("waiting").number == 1
    assert follow("waiting").number == 1
    assert follow("alarm").number == 2
    assert follow("budget_spent").number == 2  # part of it
    assert follow("opened") is None
    assert [one.ended is None for one in Incident.objects.all()] == [False, False]


@pytest.mark.whole
def test_ten_thousand_incidents_are_read_page_by_page(closed, enter):
    policy, now = closed.policy, timezone.now()
    Incident.objects.bulk_create(
        Incident(
            deployment=closed.row, policy=policy, number=n, kind="alarm", seq=n, at=now, ended=now
        )
        for n in range(2, 10_001)
    )
    browser = enter(closed.wanda)
    page = browser.get(f"/classifiers/{closed.id}/incidents/").content.decode()
    assert ">10000. " in page
    assert 'before=9951"' in page
    last = browser.get(f"/classifiers/{closed.id}/incidents/?before=3").content.decode()
    assert ">1. " in last
    assert "Older incidents" not in last
    assert browser.get(f"/classifiers/{closed.id}/incidents/?before=x").status_code == 404
    with CaptureQueriesContext(connection) as asked:  # home and page read the one that lasts
        assert "Open incident 1<" in browser.get("/").content.decode()
        assert "Open incident 1<" in browser.get(f"/classifiers/{closed.id}/").content.decode()
    read_rows = [one["sql"] for one in asked if "deployments_incident" in one["sql"]]
    assert read_rows
    assert all("ended" in sql and "IS NULL" in sql for sql in read_rows)


def test_two_counts_are_said_with_the_reason_and_alike_everywhere(sqlite, enter):
    del sqlite
    in_use = InUse(mistake_budget=60.0)
    make_endpoint(
        first_workspace().pk, in_use.wanda, "https://hooks.example.org/x", ["policy.closed"]
    )
    for day in range(12):
        in_use.label(in_use.decide(150, f"closing/{day}", day, broken=day > 1))
        if open_incident(in_use.row) is not None:
            break
    event = EventRow.objects.get(kind="budget_spent")
    answers, at_most = event.numbers["answers"], event.numbers["mistakes_at_most"]
    terms = load_state(in_use.policy).replay.document.terms
    allowed = terms.answer_below * answers + 60.0
    assert at_most + 1 > allowed  # so it closed
    said = json.loads(Delivery.objects.get().body)["data"]["count"]
    assert f"of all {answers:,.0f} answers since it opened up to {at_most:,.0f} may be" in said
    assert f"{allowed:,.0f} were allowed" in said
    assert "since the incident began were wrong (between" in said
    token = make_token(in_use.wanda, "owner", label="x")[1]
    answer = (
        Client()
        .get(f"/api/classifiers/{in_use.id}", headers={"Authorization": f"Bearer {token}"})
        .json()
    )
    assert answer["incident"]["count"] == said
    lower, upper = answer["incident"]["wrong_range"]
    assert lower <= answer["incident"]["wrong"] <= upper <= at_most
    assert said in read(in_use, enter, 1)[1]
    assert said in unescape(enter(in_use.wanda).get(f"/classifiers/{in_use.id}/").content.decode())
    (row,) = Delivery.objects.all()
    assert said in _message(row, row.body).text


def test_an_owner_has_it_answer_outside_the_region(in_use, enter):
    island(in_use)
    look_for_regions(in_use.id)
    here = f"/classifiers/{in_use.id}/incidents/{open_incident(in_use.row).number}/"
    browser = enter(in_use.wanda)
    page = unescape(browser.get(here).content.decode())
    assert "Decide alone outside this region" in page
    (mistakes,) = re.findall(r'href="([^"]*show=wrong&region=[^"]*)"', page)
    assert "<table" in browser.get(mistakes).content.decode()
    made = browser.post(here, {"action": "ask-where", "region": "0"})
    number = in_use.row.policies.count()
    assert made["Location"].endswith(f"/policies/{number}/")
    page = unescape(browser.get(made["Location"]).content.decode())
    assert "It sends every case to review where" in page
    assert "starts over" in page
    policies.adopt(in_use.id, in_use.wanda, number, 1)
    page = browser.get(here).content.decode()
    assert "Decide alone outside this region" not in page  # its cases go to review already
    document = load_state(in_use.policy).replay.document
    (rule,) = rules_of(document.model)
    assert document.state.threshold is None  # its certificates begin anew
    for day in range(20, 34):
        sure, right = posts(200, day)
        tongue = ["fr" if i % 3 == 0 else "de" for i in range(200)]
        items = []
        for i in range(200):
            key = f"{day}-{i}"
            in_use.truth[key] = "fine" if tongue[i] == "fr" or not right[i] else "hate"
            case = {"text": f"some words {i}", "language": tongue[i]}
            items.append(IncomingCase(key, None, "hate", sure[i], case))
        decided = decisions.decide(in_use.id, items, "7")
        there = [rule.covers(item.case) for item in items]
        assert {one.action for one, inside in zip(decided, there, strict=True) if inside} == {"ask"}
        in_use.label(decided)
    assert state_line_of(in_use.row).kind == "answering"
    assert f"but never where {rule.name}" in state_line_of(in_use.row).why
    asked = Receipt.objects.filter(policy=in_use.policy, group=ASKED_BY_RULE)
    assert asked.count() == sum(rule.covers(item.case) for item in items) * 14
    (without,) = decisions.decide(
        in_use.id, [IncomingCase("bare", None, "hate", 0.9999, None)], "7"
    )
    assert without.action == "ask"  # nobody knows whether the condition holds
    assert len(newest_log(in_use.policy, 1).scores()) < in_use.policy.decided
    with pytest.raises(RuleError, match="asks there already"):
        propose_asking(Incident.objects.order_by("-number").first(), 0, "wanda")
    again = propose_again(in_use.id, "wanda", "from the newest", question_of(in_use.policy))
    assert rules_of(load_state(again).replay.document.model) == [rule]


def test_a_program_proposes_it_too_and_a_region_that_is_not_there_is_refused(closed):
    number = open_incident(closed.row).number
    Incident.objects.update(
        regions={"found": [{"name": "x", "share": 0.1, "conditions": [["text", "has", "post"]]}]}
    )
    token = make_token(closed.wanda, "owner", label="x", scope="write")[1]

    def send(region):
        return Client().post(
            f"/api/classifiers/{closed.id}/incidents/{number}/ask-where",
            {"region": region},
            content_type="application/json",
            headers={"Authorization": f"Bearer {token}"},
        )

    assert "has no region 2: labels confirmed 1" in send(2).json()["detail"]
    assert "has no region 0" in send(0).json()["detail"]
    for _ in range(2):  # another owner presses it, too
        assert send(1).json()["version"] == 2
    assert closed.row.policies.count() == 2
    assert closed.row.adopted == 1  # a person activates it


def test_two_owners_who_press_two_answers_at_once_both_get_them_and_each_once(database):
    del database
    in_use = InUse()
    in_use.close()
    Incident.objects.update(
        regions={"found": [{"name": "x", "share": 0.1, "conditions": [["text", "has", "post"]]}]}
    )
    incident = open_incident(in_use.row)

    def press(answer):
        try:
            return answer()
        except RuleError as error:
            return error.rule
        finally:
            connections.close_all()

    def ask():
        return propose_asking(incident, 0, "wanda").number

    def keep():
        return keep_closed(in_use.id)

    with ThreadPoolExecutor(4) as threads:
        said = list(threads.map(press, [ask, keep, ask, keep]))
    assert said[::2] == [2, 2]  # one proposal, whoever is first
    assert sorted(map(str, said[1::2])) == ["None", "kept-meanwhile"]
    row = in_use.row
    assert (row.adopted, row.mode, row.kept_mode) == (1, "shadow", "all")
    assert [one.number for one in row.policies.all()] == [1, 2]
    let_go_on(in_use.id)
    assert in_use.row.mode == "all"  # nobody's second press wrote over how it goes on
    assert check_books().problems == ()
