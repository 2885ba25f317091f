"""Rows of home: what was decided alone before a closing, and what fits where reviewers are too few."""

from __future__ import annotations

import copy
import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from django.utils import timezone

from askpoint.server.deployments import policies
from askpoint.server.deployments.incident_actions import keep_closed
from askpoint.server.deployments.incidents import open_incident
from askpoint.server.deployments.models import Deployment, Member, Policy, Receipt
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.state_lines import classifier_rows, fleet_line, state_line_of
from server.in_use import InUse
from server.stage import organiser

BEGIN = datetime(2027, 3, 1, 9, tzinfo=UTC)


@pytest.fixture
def go_to(monkeypatch):
    """Set the clock to a day."""

    def go(day):
        now = BEGIN + timedelta(days=day)
        monkeypatch.setattr(timezone, "now", lambda: now)

    go(0)
    return go


@pytest.fixture
def in_use(stand, go_to):
    del go_to
    made = stand(InUse)
    Policy.objects.update(adopted=BEGIN)
    return made


def home(in_use, enter, who="wanda"):
    return unescape(enter(getattr(in_use, who)).get("/").content.decode())


def alone(page):
    return re.search(r'data-label="Decided alone">(.*?)</td>', page)[1]


def share_by_hand(rows):
    found = list(rows.values_list("action", flat=True))
    return sum(action != 1 for action in found) / len(found)


def test_a_closed_row_says_what_was_decided_alone_in_the_week_before(in_use, enter, go_to):
    for day in range(12):
        go_to(day)
        in_use.label(in_use.decide(60, f"day {day}", day))
    day = 12
    while state_line_of(in_use.row).kind != "closed":
        go_to(day)
        in_use.label(in_use.decide(100, f"day {day}", day, broken=True))
        day += 1
    began = open_incident(in_use.row).at.date()
    rows = Receipt.objects.filter(
        at__date__gte=began - timedelta(days=7), at__date__lt=began, held=False
    )
    share = share_by_hand(rows)
    assert 0.2 < share < 0.98
    for later in (0, 1, 30):  # what comes after it changes nothing
        go_to(day + later)
        in_use.label(in_use.decide(20, f"later {later}", 90 + later))
        (row,) = classifier_rows([in_use.row], {in_use.id})
        assert row.state.kind == "closed"
        assert row.alone_before == pytest.approx(share)
        assert alone(home(in_use, enter)) == f"none<small>was {share:.0%}</small>"
    assert share_by_hand(Receipt.objects.all()) < share - 0.01


def test_one_that_closed_on_its_first_day_counts_the_cases_before(in_use, enter):
    in_use.close()
    incident = open_incident(in_use.row)
    share = share_by_hand(Receipt.objects.filter(seq__lt=incident.seq))
    in_use.label(in_use.decide(50, "after it", 80))
    assert alone(home(in_use, enter)) == f"none<small>was {share:.0%}</small>"
    keep_closed(in_use.id)  # nobody acts on what comes: the days hold it apart
    (row,) = classifier_rows([in_use.row], {in_use.id})
    assert row.alone_before == pytest.approx(share)
    in_use.decide(50, "kept", 81)  # of the same day: which came before is not known
    (row,) = classifier_rows([in_use.row], {in_use.id})
    assert row.alone_before is None


def test_what_it_decided_alone_long_ago_is_not_told(in_use, go_to):
    in_use.label(in_use.decide(100, "long ago"))
    go_to(40)
    in_use.close()
    (row,) = classifier_rows([in_use.row], {in_use.id})
    assert (row.state.kind, row.alone_before) == ("closed", None)


def from_nothing():
    """A classifier that asks about every case, for it has no labels."""
    return InUse(rows=0)


@pytest.fixture
def learning(stand, go_to):
    """One of these: 300 cases came yesterday, of which people can do 120 a day."""
    made = stand(from_nothing)
    Policy.objects.update(adopted=BEGIN)
    Deployment.objects.update(capacity=120)
    made.came = made.decide(300)
    go_to(1)
    return made


def test_where_reviewers_are_too_few_home_leads_to_what_fits(learning, enter):
    fits = f'href="/classifiers/{learning.id}/policies/again/?aim=capacity">See what fits<'
    assert fits in home(learning, enter)
    assert fits not in home(learning, enter, "vera")  # she changes nothing
    (row,) = classifier_rows([learning.row], {learning.id})
    assert (row.per_day, row.outgrows) == (300, True)
    here = f"/classifiers/{learning.id}/"
    assert "See what fits" in enter(learning.wanda).get(here).content.decode()
    assert "See what fits" not in enter(learning.vera).get(here).content.decode()
    assert fleet_line([row]) == "None needs you. 1 has too few reviewers."
    Deployment.objects.update(capacity=300)
    assert "See what fits" not in home(learning, enter)
    Deployment.objects.update(capacity=None)
    assert "See what fits" not in home(learning, enter)


def test_what_fits_is_a_version_a_rollout_or_more_people(learning, enter):
    browser = enter(learning.wanda)
    learning.label(learning.came)
    here = f"/classifiers/{learning.id}/policies/again/"
    assert "What would fit" not in browser.get(here).content.decode()
    page = unescape(browser.get(f"{here}?aim=capacity").content.decode())
    assert "About 300 cases come a day, and reviewers label 120." in page
    threshold = float(re.search(r"At a threshold of ([\d.]+), no more of the newest", page)[1])
    sure = list(Receipt.objects.values_list("confidence", flat=True))
    below, rate = sum(one < threshold for one in sure), document_of(learning.policy).terms.rate
    assert below + rate * (300 - below) <= 120 + 1  # as far as it is rounded
    assert "rollout</a> of 40%, even" in page
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', page))
    assert (fields["ask_at_most"], fields["volume"]) == ("120", "300")
    assert 'value="capacity" id="id_aim_0" required checked' in page
    given = {name: fields[name] for name in ("audits", "planned_decisions", "max_label_delay")}
    given |= {"aim": "capacity", "why": "what reviewers can label", "version": "7"}
    given |= {"ask_at_most": "120", "volume": "300", "period": "day", "ask_period": "day"}
    answer = browser.post(f"{here}?aim=capacity", given)
    assert answer.status_code == 302, answer.content.decode()
    page = unescape(browser.get(answer["Location"]).content.decode())
    assert "People can check 120 of 300 cases a day" in page
    made = document_of(Policy.objects.get(number=2))
    assert made.terms.aim == "money"
    assert made.state.threshold is not None


def test_in_shadow_no_rollout_is_offered_and_a_smaller_one_where_there_is_one(learning, enter):
    browser = enter(learning.wanda)
    here = f"/classifiers/{learning.id}/policies/again/?aim=capacity"
    policies.set_mode(learning.id, "rollout", 0.5)
    assert "rollout</a> of 20%, even" in browser.get(here).content.decode()
    policies.set_mode(learning.id, "shadow", None)
    assert "About 300 cases" not in browser.get(here).content.decode()  # none came in shadow
    learning.decide(300, "in shadow", 5)
    page = browser.get(here).content.decode()
    assert "About 300 cases" in page
    assert "rollout</a> of" not in page


def test_an_empty_home_begins_with_classifiers_for_who_may_make_them(stage, enter):
    for person, title in ((organiser("nora"), "Classifiers"), (stage.alice, "Your campaigns")):
        page = enter(person).get("/").content.decode()
        assert re.findall(r"<h1>(.*?)</h1>", page) == [title]
        assert f"<title>{title} " in page
        assert "<h2>Classifiers</h2>" not in page


def test_who_is_refused_finds_the_way_home(stage, enter):
    browser = enter(stage.alice)
    for page in (browser.get("/classifiers/none-of-hers/"), browser.get("/nowhere/")):
        assert page.status_code == 404
        assert 'is on the <a href="/">home page</a>' in page.content.decode()


def test_many_classifiers_are_listed_by_state_and_fifty_at_a_time(in_use, enter):
    def shown(address):
        page = unescape(browser.get(address).content.decode())
        pills = re.search(r'aria-label="Which classifiers">(.*?)</nav>', page)
        words = re.findall(r">([^<]+) <small>(\d+)", pills[1]) if pills else []
        table = re.search(r"<tbody>(.*?)</tbody>", page, re.DOTALL)
        titles = re.findall(r'<th scope="row".*?>([^<]+)</a>', table[1]) if table else []
        return dict(words), titles, page

    in_use.close()
    browser = enter(in_use.wanda)
    words, titles, page = shown("/")
    assert words == {}  # one is in sight
    assert len(titles) == 1
    rows = [copy.copy(in_use.row) for _ in range(120)]
    for i, row in enumerate(rows):
        row.pk, row.title, row.current = f"copy-{i:03}", f"Copy {i:03}", None
    Deployment.objects.bulk_create(rows)
    Member.objects.bulk_create(
        Member(deployment=row, user=in_use.wanda, role="owner", at=BEGIN) for row in rows
    )

    words, titles, page = shown("/")
    assert words == {"All": "121", "Closed": "1", "No case yet": "120"}
    assert titles == ["Posts that hate", *(row.title for row in rows[:49])]
    assert "1 of 121 needs you. Worst first." in page
    assert '<a href="?page=2">Next</a>' in page
    # each is on one page of its state, and none on two
    listed = [title for n in (1, 2, 3) for title in shown(f"/?state=empty&page={n}")[1]]
    assert listed == [row.title for row in rows]
    assert '<a href="?state=empty&page=2">Next</a>' in shown("/?state=empty")[2]
    assert shown("/?state=closed")[1] == ["Posts that hate"]
    # what is chosen stays in sight where it lists none, and what is not there lists all
    words, titles, page = shown("/?state=shadow")
    assert words["Shadow"] == "0"
    assert titles == []
    assert "No classifier is in this state now." in page
    assert shown("/?state=odd&page=none")[1][0] == "Posts that hate"
    assert shown("/?page=999")[1] == [row.title for row in rows[99:]]
