"""The living page: what another price would do, versions beside each other, people, finds."""

from __future__ import annotations

import itertools
import json
import time
from datetime import timedelta
from html import unescape

import numpy as np
import pytest
from django.db.models import F
from django.utils import timezone

from askpoint.arena.server.judges import guests
from askpoint.arena.server.judges.found_mistakes import Find, Finds
from askpoint.live.documents import state_to_dict
from askpoint.live.pending import PendingCases
from askpoint.server.deployments import policies, policy_state, version_diff
from askpoint.server.deployments.label_times import measure_label_times
from askpoint.server.deployments.labelling import IncomingLabel, take_labels
from askpoint.server.deployments.models import (
    Deployment,
    Event,
    Label,
    Policy,
    Receipt,
    Snapshot,
)
from askpoint.server.deployments.policy_state import load_state
from askpoint.server.deployments.recent_log import newest_log, tomorrow_of
from askpoint.server.deployments.version_diff import version_blocks
from askpoint.server.labelling.models import Case, Vote


def page_of(in_use, enter, query="", who="vera"):
    """The page as somebody sees it."""
    answer = enter(getattr(in_use, who)).get(f"/classifiers/{in_use.id}/{query or '?more=1'}")
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def test_another_price_is_told_by_the_newest_cases_of_the_episode(in_use, enter):
    made = in_use.decide(400)
    assert "Not known yet" in page_of(in_use, enter)
    in_use.label(made)
    log = newest_log(in_use.policy, 1)
    truth = [in_use.truth[one.key] for one in made if one.action in ("ask", "audit")]
    assert [log.classes[code] for code in log.label] == truth
    assert not log.labelled.all()
    tomorrow = tomorrow_of(log, 10).at_price(37.5)
    usual, dear = (page_of(in_use, enter, query) for query in ("", "?checks=37.5"))
    asked = 1000 * tomorrow.asked.mean
    assert "<output>37.5 checks</output>" in dear
    assert f"<output>{asked:.0f} (" in dear
    assert "<output>10 checks</output>" in usual  # the price that was agreed
    stops = json.loads(dear.split('data-stops="')[1].split('" hx')[0].split(']]"')[0] + "]]")
    assert max(float(stop[0].split()[0].replace(",", "")) for stop in stops) == 1000
    assert "?checks=37.5" in dear.split("What the next 1,000 cases")[0]  # its picture's address
    for odd in ("nan", "1e999", "0", "x", "9" * 5000):
        assert "1.01 to 100,000 checks" in page_of(in_use, enter, f"?checks={odd}")
    picture = enter(in_use.vera).get(
        f"/classifiers/{in_use.id}/pictures/"
        "what-the-next-1000-cases-cost-at-the-best-threshold-for-each-price-compared-with-reviewing-all-and-"
        "none.svg?checks=37.5"
    )
    assert picture["Content-Type"] == "image/svg+xml"


def test_labels_that_are_missing_are_told_first_until_it_opens(in_use, enter):
    def happens(kind, seq, **numbers):
        Event.objects.create(
            policy=in_use.policy,
            kind=kind,
            seq=seq,
            numbers=numbers,
            at=timezone.now(),
            n=seq,
            leaf=seq,
        )

    words = "30.0% of what was asked had no label at decision 1,200."
    assert words not in page_of(in_use, enter, "?days=28")
    happens("silence", 1200, share=0.3, episode=1)
    page = page_of(in_use, enter, "?days=28")
    assert words in page.split("<h2>History")[0]
    happens("opened", 1600, threshold=0.9, episode=1)
    assert words not in page_of(in_use, enter, "?days=28")


def test_people_who_err_make_asking_dearer_at_every_price(in_use):
    in_use.label(in_use.decide(600))
    log = newest_log(in_use.policy, 1)
    error, known = 0.05, 10**9  # so many labels that it is known
    charged, plain = tomorrow_of(log, 10, error, known), tomorrow_of(log, 10)
    for checks in (2.0, 10.0, 37.5, 300.0):
        # by hand: to ask costs 1 / checks + error mistakes, whoever adds them up
        dearer = 1 / (1 / checks + error)
        one, other = charged.at_price(checks), plain.at_price(dearer)
        assert one.threshold == other.threshold
        assert one.asked.mean == pytest.approx(other.asked.mean)
        mistakes = other.cost_per_1000.mean / dearer
        assert one.cost_per_1000.mean / checks == pytest.approx(mistakes, rel=1e-4)
        assert charged.always_at_price(checks) == pytest.approx(1000 * (1 + checks * error), 1e-4)
        assert plain.always_at_price(checks) == pytest.approx(1000)
    assert charged.at_price(300).asked.mean < plain.at_price(300).asked.mean


def test_the_what_if_charges_people_with_and_without_javascript_alike(in_use, enter):
    in_use.label(in_use.decide(600))
    assert "they have not been measured" in page_of(in_use, enter)
    before = stops_of(page_of(in_use, enter))
    said = [
        IncomingLabel(f"golden-{i}", "hate" if i else "fine", "rosa", "gold", "hate")
        for i in range(40)
    ]
    take_labels(in_use.id, said)
    page = page_of(in_use, enter)
    assert "reviewer errors (2.5% of their cases)" in page.replace("\xa0", " ")
    stops = stops_of(page)
    assert stops["200 checks"] != before["200 checks"]
    for price in ("40", "200"):
        typed = page_of(
            in_use, enter, f"?checks={price}"
        )  # what the form asks for without a script
        shown = typed.split('class="what-if"')[1].split("</dl>")[0].split("<output>")[1:]
        assert [it.split("</output>")[0] for it in shown] == stops[f"{price} checks"]


def stops_of(page):
    """What each stop of the slider says, by its price."""
    stops = json.loads(page.split('data-stops="')[1].split(']]"')[0] + "]]")
    return {stop[0]: stop for stop in stops}


def test_cases_before_an_alarm_are_of_another_world(in_use):
    for day in range(7):
        in_use.label(in_use.decide(150, f"day {day}", day, broken=day > 2))
    state = load_state(in_use.policy).replay.state
    assert state.episode == 2
    first = Receipt.objects.filter(policy=in_use.policy, episode=2).count()
    assert newest_log(in_use.policy, 2).n_items == first < 1050


def test_two_versions_are_told_beside_each_other_and_which_is_better(in_use, enter):
    in_use.label(in_use.decide(600))
    second = in_use.propose(why="dearer", limit=0.02)
    policies.adopt(in_use.id, in_use.wanda, second.number, 1)
    first = Policy.objects.get(deployment=in_use.id, number=1)

    def told():
        blocks = tuple(version_blocks(in_use.row, first, Policy.objects.get(pk=second.pk)))
        return blocks[0].text, {row[0]: row[1:] for row in blocks[1].rows}

    text, _ = told()
    assert "version 2 has no labels yet" in text
    for day in range(4):  # what is nearly always asked costs nearly as much as asking
        in_use.label(in_use.decide(300, f"later {day}", 9 + day))
    text, rows = told()
    assert "is not known yet" in text
    assert rows["cases decided"] == ("600", "1,200")
    both = rows["cost of 1,000 cases, mistakes"]
    page = enter(in_use.wanda).get(
        f"/classifiers/{in_use.id}/policies/beside/", {"first": 1, "second": 2}
    )
    assert all(cell in page.content.decode() for cell in both)
    browser = enter(in_use.wanda)
    address = f"/classifiers/{in_use.id}/policies/beside/"
    assert browser.get(address, {"first": 1, "second": 1}).status_code == 422
    assert browser.get(address, {"first": "9" * 5000, "second": "x"}).status_code == 422


def test_a_version_is_better_where_both_intervals_say_so(monkeypatch, in_use):
    from askpoint.live.worth import LiveCounts, worth_of

    in_use.label(in_use.decide(100))
    policies.adopt(in_use.id, in_use.wanda, in_use.propose().number, 1)
    one, two = Policy.objects.filter(deployment=in_use.id)
    counts = iter(
        [
            LiveCounts(9000, 8000, 1000, 800, 400.0, 0, 0),
            LiveCounts(9000, 8000, 1000, 800, 4.0, 0, 0),
        ]
    )
    monkeypatch.setattr(
        version_diff,
        "worth_so_far",
        lambda _, *of, delta: worth_of(next(counts), *of, delta=delta),
    )
    text = next(iter(version_blocks(in_use.row, one, two))).text
    assert text.startswith("Version 2 costs less than version 1, with a confidence of 95%")


def test_hours_judges_and_finds_stand_on_the_page(in_use, enter, monkeypatch):
    in_use.label(in_use.decide(100))
    golden = [
        IncomingLabel(f"g{i}", "fine", "rosa", "gold", "hate" if i < 2 else "fine")
        for i in range(10)
    ]
    take_labels(in_use.id, golden)
    now = timezone.now()
    cases = list(Case.objects.all()[:30])
    Vote.objects.bulk_create(
        Vote(case=one, reviewer="rudi", choice="fine", at=now + timedelta(seconds=12 * i))
        for i, one in enumerate(cases)
    )
    found = Finds("Slurs", 40, 9, 2, None, [Find({"text": "x" * 500}, "fine", "hate")])
    monkeypatch.setattr(guests, "finds_of", lambda _: [found])
    assert "A label takes people" not in page_of(in_use, enter)
    measure_label_times()  # the background does
    page = page_of(in_use, enter)
    assert "A label takes people 12 seconds" in page
    assert 'rosa</th><td data-label="gold cases">10</td><td data-label="wrong">2</td><td' in page
    assert "Slurs: 40 cases were judged, 9 found; 2 repeat" in page
    assert "x" * 200 not in page
    for browser, address in itertools.product(
        (enter(in_use.wanda), enter(in_use.vera)),
        (f"/classifiers/{in_use.id}/?more=1", f"/classifiers/{in_use.id}/report.html"),
    ):
        reads = int(browser.session["_auth_user_id"]) == in_use.wanda.pk
        said = browser.get(address).content.decode()
        assert "40 cases were judged" in said
        assert ("The newest finds in Slurs" in said) == reads


@pytest.mark.soak
def test_the_page_takes_as_long_after_a_hundred_million_decisions(in_use, enter):
    """The counts are written as if so many had been decided; contents and receipts are as they are."""
    in_use.label(in_use.decide(1000))
    browser = enter(in_use.vera)

    def seconds():
        best = []
        for _ in range(9):
            policy_state.clear_states()  # as another process would
            begun = time.process_time()
            assert browser.get(f"/classifiers/{in_use.id}/?more=1").status_code == 200
            best.append(time.process_time() - begun)
        return float(np.median(best))

    before = seconds()
    policy, many = in_use.policy, 10**8
    replay = load_state(policy).replay
    shift = many - replay.state.decided
    state = replay.state.copy_with(
        decided=many,
        answered=80_000_000,
        asked=20_000_000,
        audited=8_000_000,
        seen=4e5,
        latest=many - 1,
    )
    plain = state_to_dict(state.copy_with(pending=PendingCases()))
    Receipt.objects.filter(policy=policy).update(seq=None)
    Policy.objects.filter(pk=policy.pk).update(decided=many)
    Snapshot.objects.filter(policy=policy).delete()
    Snapshot.objects.create(
        policy=policy,
        decided=many,
        state=json.dumps(plain),
        pending=b"",
        log=policy.log,
        labels=replay.labels,
    )
    keys = list(Receipt.objects.filter(policy=policy).order_by("pk").values_list("pk", flat=True))
    for place, key in enumerate(keys):
        Receipt.objects.filter(pk=key).update(seq=shift + place)
    Label.objects.filter(policy=policy).update(seq=F("seq") + shift)
    after = seconds()
    assert "100,000,000" in page_of(in_use, enter)
    print({"empty": before, "after 1e8": after, "ratio": after / before})  # noqa: T201
    assert after < 1.5 * before
    assert Deployment.objects.count() == 1
