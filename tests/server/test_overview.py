"""A classifier in days: counts that equal the receipts, the numbers of a range, charts, and a week on home."""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import UTC, date, datetime, timedelta
from html import unescape

import pytest
from django.utils import timezone

from askpoint.live.mistake_window import WindowAudits, mistakes_in_window
from askpoint.reports.words import work_time
from askpoint.server.deployments import policies, status_page
from askpoint.server.deployments.day_charts import (
    WorkDay,
    closed_days,
    draw_mistakes,
    draw_work,
    mistake_days,
)
from askpoint.server.deployments.day_counts import DayCounts, days_of, window_of
from askpoint.server.deployments.incidents import open_incident
from askpoint.server.deployments.labelling import IncomingLabel, take_labels
from askpoint.server.deployments.models import Day, Deployment, Label, Receipt
from askpoint.server.deployments.overview import overview_of
from askpoint.server.deployments.state_lines import classifier_rows, state_line_of
from askpoint.server.deployments.status_page import status_of
from server.in_use import InUse

BEGIN = datetime(2027, 3, 1, 9, tzinfo=UTC)


@pytest.fixture
def in_use(stand, monkeypatch):
    made = stand(InUse)
    monkeypatch.setattr(timezone, "now", lambda: BEGIN)
    return made


@pytest.fixture
def go_to(monkeypatch):
    """Set the clock to a day, and an hour of it."""

    def go(day, hour=9.0):
        now = BEGIN + timedelta(days=day, hours=hour - 9)
        monkeypatch.setattr(timezone, "now", lambda: now)

    return go


def counted_by_hand(row):
    """The days of a classifier from its receipts and labels alone."""
    found = defaultdict(lambda: defaultdict(float))
    labels = {
        (one.policy_id, one.seq): one for one in Label.objects.filter(counts=True, seq__gte=0)
    }
    for one in Receipt.objects.filter(deployment=row):
        day = found[one.policy_id, one.at.date(), one.held]
        label = labels.get((one.policy_id, one.seq))
        day["decided"] += 1
        day["answered"] += one.action > 1 or one.action == 0
        day["audited"] += one.action == 2
        if label is not None:
            found[one.policy_id, label.at.date(), one.held]["labelled"] += 1
        if label is not None and one.action == 2:
            day["checked"] += 1
            day["seen"] += label.wrong * 0.1 / one.propensity
    return {key: {name: n for name, n in day.items() if n} for key, day in found.items()}


def counted_here(row):
    """The same as it was counted while it happened."""
    names = ("decided", "answered", "audited", "checked", "seen", "labelled")
    rows = Day.objects.filter(policy__deployment=row)
    return {
        (one.policy_id, one.date, one.held): {
            name: getattr(one, name) for name in names if getattr(one, name)
        }
        for one in rows
    }


def test_days_are_counted_as_the_receipts_have_them(in_use, go_to):
    late = []
    for day in range(4):
        go_to(day, 23.9)
        made = in_use.decide(80, f"day {day}", day, broken=day == 2)
        go_to(day + 1, 0.1)  # past midnight: labels of the day before
        in_use.label(made[:50])
        late.append(made[50:])
    policies.set_mode(in_use.id, "shadow", None)
    in_use.label(in_use.decide(40, "in shadow", 9))
    in_use.propose(why="the second")
    policies.adopt(in_use.id, in_use.wanda, 2, 1)
    policies.set_mode(in_use.id, "all", None)
    go_to(6)
    in_use.label(in_use.decide(60, "by the second", 10))
    for made in late:  # of the first version, while the second decides
        in_use.label(made)
    by_hand = counted_by_hand(in_use.row)
    assert len({policy for policy, *_ in by_hand}) == 2
    assert {held for *_, held in by_hand} == {True, False}
    found = counted_here(in_use.row)
    assert found.keys() == by_hand.keys()
    for key, day in by_hand.items():
        assert found[key] == pytest.approx(day), key
    assert sum(day.get("seen", 0) for day in found.values()) > 0


def test_a_clock_that_goes_back_an_hour_over_midnight_moves_no_day(in_use, go_to):
    go_to(1, 0.2)
    in_use.label(in_use.decide(30, "after midnight", 1))
    go_to(0, 23.5)  # it was set back: what happens is dated by what is recorded
    in_use.label(in_use.decide(30, "set back", 2))
    assert {one.date for one in Day.objects.all()} == {date(2027, 3, 2)}
    assert Day.objects.get().decided == 60
    told = overview_of(in_use.row, state_line_of(in_use.row), None, "7")
    assert "of 60 cases in one day" in told.stats[0].small


def test_the_same_label_again_counts_once(in_use):
    made = in_use.decide(40)
    in_use.label(made)
    before = counted_here(in_use.row)
    in_use.label(made, judge="rudi")
    take_labels(in_use.id, [IncomingLabel("gold-1", "fine", "rosa", "gold", "hate")])
    assert counted_here(in_use.row) == before


def test_a_window_is_that_of_its_versions(in_use, go_to):
    in_use.label(in_use.decide(300))
    (day,) = days_of([in_use.row])
    part = WindowAudits(
        answers=day.answered, audited=day.audited, labelled=day.checked, seen=day.seen, rate=0.1
    )
    window = window_of([day])
    assert window.mistakes == mistakes_in_window([part])
    assert window.coverage == day.answered / 300
    ends = [1000 * end / 300 for end in window.mistakes.interval]
    assert window.band_per_1000 == pytest.approx(ends)
    assert window_of([]).coverage is None
    assert window_of([]).estimate_per_1000 is None


def test_numbers_of_a_range_leave_out_what_is_older_and_what_was_in_shadow(in_use, go_to, enter):
    policies.set_mode(in_use.id, "shadow", None)
    in_use.label(in_use.decide(70, "in shadow", 1))
    policies.set_mode(in_use.id, "all", None)
    for day in range(1, 11):
        go_to(day)
        in_use.label(in_use.decide(40, f"day {day}", day))
    week = overview_of(in_use.row, state_line_of(in_use.row), None, "7")
    month = overview_of(in_use.row, state_line_of(in_use.row), None, "28")
    assert "of 280 cases in 7 days" in week.stats[0].small
    assert "of 400 cases in 10 days" in month.stats[0].small
    assert (week.apart, month.apart) == (
        "",
        "Not counted above: 70 decisions in shadow, on which nobody acted.",
    )
    client = enter(in_use.vera)
    page = unescape(client.get(f"/classifiers/{in_use.id}/?days=7").content.decode())
    assert "of 280 cases in 7 days" in page
    assert client.get(f"/classifiers/{in_use.id}/?days=8").status_code == 404


def test_saved_is_told_in_the_owners_money_and_greyed_while_its_sign_is_open(in_use, go_to):
    Deployment.objects.filter(pk=in_use.id).update(mistake=40.0, unit="EUR")
    in_use.label(in_use.decide(200))
    told = overview_of(in_use.row, state_line_of(in_use.row), None)
    saved = next(stat for stat in told.stats if "in one day" in stat.name)
    (day,) = days_of([in_use.row])
    window = window_of([day])
    check = 40 * 0.1  # a mistake is as bad as ten checks
    middle = check * (day.answered - day.audited) - 40 * window.mistakes.estimate
    assert saved.name == ("Saved in one day" if middle >= 0 else "Lost in one day")
    assert (
        saved.value == f"{abs(middle):.0f}\N{NO-BREAK SPACE}EUR"
        or f"{abs(middle):.2f}" in saved.value
    )
    assert saved.is_open == ("lost and" in saved.small) is True


def test_minutes_below_an_hour_and_never_no_hours():
    said = [work_time(seconds) for seconds in (0, 20, 60, 2400, 3569, 3600, 5400, 36_000, 7.2e5)]
    assert said == [
        "no time",
        "less than a minute",
        "1 minute",
        "40 minutes",
        "59 minutes",
        "1 hour",
        "1.5 hours",
        "10 hours",
        "200 hours",
    ]


def from_nothing():
    """A classifier that asks about every case, for it has no labels."""
    return InUse(rows=0)


def test_peoples_time_is_told_in_hours_once_it_is_known_how_long_a_label_takes(stand, go_to):
    learning = stand(from_nothing)
    Deployment.objects.update(capacity=360)
    go_to(0)
    learning.label(learning.decide(40)[:30])
    go_to(1)

    def last():
        told = overview_of(learning.row, state_line_of(learning.row), None).stats[-1]
        return told.name, told.value, told.small

    def queue():
        told = overview_of(learning.row, state_line_of(learning.row), None)
        return next(it for it in told.stats if it.name == "Waiting for review")

    assert last() == ("Labelled a day", "15", "people do 360 cases a day")
    assert queue().value == "10 cases"
    assert queue().small.endswith("people do 360 cases a day")
    Deployment.objects.update(label_seconds=40)
    assert last() == ("Review time a day", "10 minutes", "people have 4 hours a day")
    assert queue().value == "7 minutes"
    assert queue().small.endswith("people have 4 hours a day")


def test_a_case_that_holds_up_later_labels_is_told_with_how_many(in_use):
    in_use.decide(10, "first")
    assert "later labels" not in _queue_of(in_use).small
    made = in_use.decide(150)
    in_use.label(made)
    n = Label.objects.count()
    assert n >= 20
    said = f"{n} later labels count for alarms only once that case has a label"
    assert said in _queue_of(in_use).small


def _queue_of(in_use):
    told = overview_of(in_use.row, state_line_of(in_use.row), None)
    return next(it for it in told.stats if it.name == "Waiting for review")


def test_a_closed_classifier_tells_its_incident_and_not_what_it_would_do(in_use, enter, go_to):
    in_use.close()
    go_to(1)
    told = overview_of(in_use.row, state_line_of(in_use.row), open_incident(in_use.row))
    names = [stat.name for stat in told.stats]
    assert names[0] == "Wrong decisions that went out"
    assert "Labelled since" in names
    page = unescape(enter(in_use.wanda).get(f"/classifiers/{in_use.id}/").content.decode())
    assert "Open incident 1" in page
    assert 'class="closed"' in page
    go_to(2)
    policies.adopt(in_use.id, in_use.wanda, in_use.propose(why="anew").number, 1)
    page = unescape(enter(in_use.wanda).get(f"/classifiers/{in_use.id}/").content.decode())
    before_folds = page.split("<details")[0] + page.split("<h2>History</h2>")[1].split("<h2>")[0]
    assert 'class="closed"' in page  # version 2 wipes nothing
    assert "more mistakes than agreed" in before_folds
    assert not re.search(r'class="big[^"]*">(0|no time)', before_folds)


def test_home_shows_the_week_and_the_incident(in_use, enter):
    in_use.close()
    InUse(mode="shadow")
    home = unescape(enter(in_use.wanda).get("/").content.decode())
    rows = classifier_rows(list(Deployment.objects.order_by("pk")), {in_use.id})
    closed = rows[0]
    assert (closed.state.kind, closed.incident) == ("closed", 1)
    assert closed.week.decided == Receipt.objects.filter(deployment=in_use.row).count()
    assert f"/classifiers/{in_use.id}/incidents/1/" in home
    assert closed.band.words in home
    assert rows[1].band is None


def days(n, **more):
    """So many days of one version, alike."""
    given = {"decided": 100, "answered": 60, "audited": 6, "checked": 6, "seen": 0.5, **more}
    return [
        DayCounts("x", 1, date(2027, 1, 1) + timedelta(days=i), False, 0.1, labelled=40, **given)
        for i in range(n)
    ]


def test_charts_of_a_day_of_a_year_and_of_nothing_labelled():
    for n in (1, 2, 500):
        rows = days(n)
        first, last = rows[0].date, rows[-1].date
        points = mistake_days(rows, first, last)
        assert len(points) <= 120
        assert points[-1].date == last
        assert points[-1].window.decided == 100 * min(n, 7)
        for chart in draw_mistakes(
            points, limit=9.0, closed=[], versions=[(0.5, "version 1")], first=first, last=last
        ):
            numbers = [float(x) for x in re.findall(r"[\d.]+", f"{chart.band} {chart.line}")]
            assert all(0 <= x <= chart.width for x in numbers)
            assert bool(chart.band) == bool(chart.line) == (n > 1)
            assert 0 < chart.limit < chart.height
    rows = days(3, checked=0, seen=0.0)
    points = mistake_days(rows, rows[0].date, rows[-1].date)
    (wide, _) = draw_mistakes(
        points, limit=None, closed=[(1, 2)], versions=[], first=rows[0].date, last=rows[-1].date
    )
    assert (wide.line, wide.limit) == ("", None)  # not known, and not nothing
    assert wide.band


def test_lines_of_a_chart_are_named_where_there_is_room_and_what_closed_comes_first():
    rows = days(30)
    points = mistake_days(rows, rows[0].date, rows[-1].date)
    versions = [(at, f"version {n}") for n, at in enumerate((1.0, 18.0, 18.5, 29.8), 1)]
    charts = draw_mistakes(
        points,
        limit=9.0,
        closed=[(12.0, 13.0), (29.5, 30.0)],
        versions=versions,
        first=rows[0].date,
        last=rows[-1].date,
    )
    for chart in charts:
        assert chart.limit_label == "agreed: 9"
        assert len(chart.versions) == 4  # each has its line
        shown = [(anchor, label) for _, anchor, label in chart.marks]
        assert shown == [
            ("end", "closed"),
            ("start", "closed"),
            ("start", "version 3"),
            ("start", "version 1"),
        ]
        assert all(0 <= x <= chart.width for x, _, _ in chart.marks)


def test_bars_of_work_stand_on_the_ground():
    rows = [WorkDay(date(2027, 1, 1), 0.0), WorkDay(date(2027, 1, 3), 2.0)]
    for chart in draw_work(rows, 4.0, date(2027, 1, 1), date(2027, 1, 3)):
        (_, y, _, none), (_, top, _, tall) = chart.bars
        assert none == 0
        assert top + tall == pytest.approx(y)
        assert chart.limit < top


def test_what_was_closed_is_cut_to_the_days_that_are_shown():
    assert closed_days([(-5, -1), (-2, 1.5), (6, None), (9, 12)], 8) == [(0.0, 1.5), (6, 8.0)]


def test_a_closed_page_says_the_version_and_folds_how_many_were_wrong(in_use, enter):
    in_use.close()
    here = f"/classifiers/{in_use.id}/"
    page = enter(in_use.wanda).get(here).content.decode()
    assert "Version 1, policy " in page
    number = open_incident(in_use.row).number
    for text in (page, enter(in_use.wanda).get(f"{here}incidents/{number}/").content.decode()):
        (folded,) = re.findall(r"<summary>How many answers were wrong</summary><p>(.*?)</p>", text)
        assert re.match(r"About \d+ of the \d+ answers since the incident began", folded)


def test_a_few_gold_labels_accuse_nobody(in_use, enter):
    in_use.close()
    labels = [IncomingLabel(f"gold-{i}", "hate", "rosa", "gold", "hate") for i in range(70)]
    take_labels(in_use.id, labels[:4])
    page = unescape(enter(in_use.vera).get(f"/classifiers/{in_use.id}/?more=1").content.decode())
    assert "The model got worse" not in page
    assert "is not known yet" in page
    assert status_of(in_use.row).gold_needed == 56  # 60 without a mistake, as Clopper and Pearson
    take_labels(in_use.id, labels[4:])
    assert status_of(in_use.row).gold_needed == 0


def test_a_page_names_no_option_of_the_command_line(in_use, enter):
    promise = InUse(limit=0.2, aim="promise")
    promise.label(promise.decide(60))
    in_use.close()
    for one in (in_use, promise):
        page = unescape(enter(one.wanda).get(f"/classifiers/{one.id}/?more=1").content.decode())
        assert re.findall(r"[\s(]--[a-z][\w-]+", page.split("<main")[1]) == []


def test_the_first_screen_reads_no_state_and_the_folds_are_one_press_away(
    in_use, enter, monkeypatch
):
    in_use.label(in_use.decide(120))
    browser = enter(in_use.vera)
    monkeypatch.setattr(status_page, "read_state", lambda _: pytest.fail("the state was read"))
    page = unescape(browser.get(f"/classifiers/{in_use.id}/?days=7").content.decode())
    assert 'href="?days=7&more=1#more">Queue, costs' in page
    monkeypatch.undo()
    page = unescape(browser.get(f"/classifiers/{in_use.id}/?days=7&more=1").content.decode())
    folds = re.findall(r"<summary>([^<]*)</summary>", page)
    assert "How reliable these numbers are" in folds
    assert "Now" not in folds  # the state line says it
    assert browser.get(f"/classifiers/{in_use.id}/?days=9").status_code == 404
