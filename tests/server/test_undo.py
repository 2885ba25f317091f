"""Labels that can be taken back: held for a while, alike for every kind of case, and counted once."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import httpx
import pytest
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.urls import reverse
from django.utils import timezone

from askpoint import Client, RuleError
from askpoint.server.api.tokens import make_token
from askpoint.server.books import check_books
from askpoint.server.deployments import labelling, queue
from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.models import Deployment, Label
from askpoint.server.labelling import desk as pool, services as reviewing
from askpoint.server.labelling.models import Case, Claim, Reviewer, Vote
from server.in_use import InUse

HOLD = 120


def eighty_cases():
    """A classifier in use for eighty cases, whose labels can be taken back."""
    in_use = InUse()
    change_settings(in_use.id, capacity=None, second=0.0, hold=HOLD)
    in_use.decide(80)
    return in_use


@pytest.fixture
def in_use(stand):
    return stand(eighty_cases)


def say(in_use, choice="hate", name="rosa"):
    """Claim, and label; the case's ticket."""
    desk = pool.desk_of(getattr(in_use, name))
    held = pool.claim(desk)
    pool.vote(desk, held.ticket, choice)
    return held.ticket


def move_clock(monkeypatch, **by):
    """Set the server's clock on, or back."""
    real = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: real() + timedelta(**by))


def test_a_label_is_taken_back_and_the_changed_one_alone_is_told(in_use, enter):
    browser = enter(in_use.rosa)
    page = browser.post(reverse("review-claim"), follow=True)
    first = page.context["held"]
    form = {"case": first.ticket, "choice": "fine"}
    page = browser.post(reverse("review-vote"), form, follow=True)
    second = page.context["held"]
    assert second.ticket != first.ticket
    assert "You said <strong>fine</strong> of the last one" in page.content.decode()
    assert not Label.objects.exists()
    page = browser.post(reverse("review-undo"), {"case": first.ticket}, follow=True)
    assert page.context["held"].ticket == first.ticket
    assert "You took back “fine”" in page.content.decode()
    browser.post(reverse("review-vote"), {"case": first.ticket, "choice": "hate"})
    page = browser.get(reverse("review"))
    assert page.context["held"].ticket == second.ticket  # where the reviewer was
    assert reviewing.count_due() == 0
    pool.count_votes_of("rosa")
    (label,) = Label.objects.all()
    assert (label.label, label.judge, label.counts) == ("hate", "rosa", True)
    (vote,) = Vote.objects.all()
    assert vote.said < vote.at
    assert check_books().problems == ()


def test_an_undo_that_comes_after_the_hold_is_refused_and_takes_back_no_other(in_use, enter):
    first = say(in_use)
    Claim.objects.filter(said__isnull=False).update(until=timezone.now() - timedelta(seconds=1))
    second = say(in_use)
    desk, browser = pool.desk_of(in_use.rosa), enter(in_use.rosa)
    for counted in (False, True):  # due, and then counted
        with pytest.raises(RuleError, match="counted by now") as caught:
            pool.take_back(desk, first)
        assert caught.value.rule == "undo-late"
        if not counted:
            assert reviewing.count_due() == 1
    page = browser.post(reverse("review-undo"), {"case": first}, follow=True).content.decode()
    assert "This label is counted by now" in page
    assert desk.last_vote().ticket == second
    assert Label.objects.count() == 1
    with pytest.raises(RuleError, match="you hold no claim"):
        pool.take_back(desk, "f" * 16)


def test_a_label_counts_with_the_sixth_and_all_at_a_break_or_when_one_signs_out(in_use, enter):
    tickets = [say(in_use) for _ in range(5)]
    assert not Label.objects.exists()
    tickets.append(say(in_use))
    assert Label.objects.count() == 1
    with pytest.raises(RuleError, match="counted by now"):
        pool.take_back(pool.desk_of(in_use.rosa), tickets[0])
    desk = pool.desk_of(in_use.rosa)
    pool.take_back(desk, tickets[5])
    pool.take_back(desk, tickets[4])
    pool.give_back(desk, pool.claim(desk).ticket)
    assert Label.objects.count() == 4  # what was taken back goes back, and is none
    assert not Claim.objects.exists()
    assert desk.count_votes() == 4
    browser = enter(in_use.rosa)
    say(in_use)
    browser.post(reverse("sign-out"))
    assert Label.objects.count() == 5
    order = Vote.objects.order_by("pk").values_list("said", flat=True)
    assert list(order) == sorted(order)


def test_the_same_click_twice_is_one_label_and_another_is_refused(in_use):
    ticket, desk = say(in_use), pool.desk_of(in_use.rosa)
    pool.vote(desk, ticket, "hate")
    with pytest.raises(RuleError, match="you said 'hate'"):
        pool.vote(desk, ticket, "fine")
    assert Claim.objects.filter(said__isnull=False).count() == 1


@pytest.mark.parametrize("claims", [25, pytest.param(1_000, marks=pytest.mark.soak)])
def test_gold_is_scored_when_the_label_counts_and_no_answer_tells(in_use, enter, claims):
    """No count, header, order, time to the second or length: but for the case itself all answers are one."""
    queue.add_gold(in_use.id, [(f"the known {i}", "hate") for i in range(40 + claims // 2)])
    in_use.decide(80 + 5 * claims, "tuesday")
    browser, seen, golden = enter(in_use.rosa), set(), 0
    page = browser.post(reverse("review-claim"), follow=True)
    page = browser.post(
        reverse("review-vote"), {"case": page.context["held"].ticket, "choice": "hate"}, follow=True
    )
    for n in range(1, claims):
        held = page.context["held"]
        assert page.context["day"].cases == n  # gold or not, and counted or held
        golden += "known" in held.case
        text = page.content.decode().replace(held.case, "")
        text = re.sub(
            r"value=\"(\w{16}|\w{64})\"|labelled \d+|[\d,]+ today|[\d:]+ UTC|datetime=\"[^\"]+\"",
            "",
            text,
        )
        heads = {name: it for name, it in page.headers.items() if name != "Content-Length"}
        cookies = sorted(page.cookies)
        steps = [(address, status) for address, status in page.redirect_chain]
        seen.add((text, str(sorted(heads.items())), str(cookies), str(steps)))
        form = {"case": held.ticket, "choice": "hate"}
        page = browser.post(reverse("review-vote"), form, follow=True)
        counted = Vote.objects.filter(reviewer="rosa", case__purpose="gold").count()
        assert Reviewer.objects.get(user=in_use.rosa).gold_seen == counted
    assert golden or not counted
    assert golden > claims // 20 - 2  # half of a quarter are gold
    assert len(seen) == 1


def test_two_who_label_the_same_case_hold_a_place_each(in_use):
    change_settings(in_use.id, capacity=None, second=1.0, hold=HOLD)
    in_use.join(in_use.will, "reviewer")
    in_use.decide(3, "tuesday")
    one = Case.objects.filter(key__startswith="tuesday", wanted=2).order_by("opened", "pk").first()
    Case.objects.exclude(pk=one.pk).update(labelled=timezone.now())
    say(in_use, "hate"), say(in_use, "fine", "rudi")
    assert pool.claim(pool.desk_of(in_use.will)) is None
    Claim.objects.update(until=timezone.now())
    assert pool.claim(pool.desk_of(in_use.will)) is None  # also where they are not counted yet
    assert pool.claim(pool.desk_of(in_use.rosa)) is None
    assert reviewing.count_due() == 2
    assert not Label.objects.exists()
    say(in_use, "hate", "will")
    pool.count_votes_of("will")
    assert Label.objects.get().judge == "rosa, will"


def test_what_was_said_of_a_case_counts_when_its_content_is_deleted(in_use):
    ticket = say(in_use)
    key = Claim.objects.get(said__isnull=False).case.key
    assert labelling.forget(in_use.id, [key]) == 1
    assert Label.objects.get().key == key
    assert Case.objects.get(key=key).content is None
    with pytest.raises(RuleError, match="counted by now"):
        pool.take_back(pool.desk_of(in_use.rosa), ticket)


@pytest.mark.parametrize("hours", [1, -1])
def test_a_clock_an_hour_off_keeps_nobody_waiting(in_use, monkeypatch, hours):
    say(in_use)
    move_clock(monkeypatch, hours=hours)
    assert reviewing.count_due() == 1
    assert Label.objects.count() == 1
    say(in_use, name="rudi")  # and labels go on, by a clock that does not run back
    pool.count_votes_of("rudi")
    assert Label.objects.count() == 2
    assert check_books().problems == ()


def test_a_label_that_a_new_version_does_not_know_goes_back_to_the_queue(in_use, monkeypatch):
    say(in_use, "hate")
    monkeypatch.setattr(queue, "classes_of", lambda _: ["fine", "spite"])
    pool.count_votes_of("rosa")
    assert not Vote.objects.exists()
    assert not Claim.objects.exists()
    assert Case.objects.filter(free=0).count() == 0


def test_a_label_that_cannot_be_told_is_given_up_and_the_next_ones_count(in_use, monkeypatch):
    say(in_use), say(in_use)
    first = Claim.objects.order_by("said").first().case.key
    real = queue.take_labels

    def fail(deployment, items):
        if items[0].key == first:
            raise RuleError("unknown-key", "it is gone")
        return real(deployment, items)

    monkeypatch.setattr(queue, "take_labels", fail)
    Claim.objects.update(until=timezone.now())
    assert reviewing.count_due() == 2
    assert Label.objects.count() == Vote.objects.count() == 1
    assert not Claim.objects.exists()


def test_an_undo_and_the_end_of_the_hold_race_and_one_of_them_wins(database):
    del database
    in_use = InUse()
    change_settings(in_use.id, capacity=None, second=0.0, hold=HOLD)
    in_use.decide(20)
    for _ in range(8):
        ticket = say(in_use)
        start = Barrier(2)

        def undo(ticket=ticket, start=start):
            start.wait()
            try:
                pool.take_back(pool.desk_of(in_use.rosa), ticket)
            except RuleError as error:
                return error.rule
            finally:
                connections.close_all()
            return "taken back"

        def count(start=start):
            start.wait()
            try:
                pool.count_votes_of("rosa")
            finally:
                connections.close_all()

        before = Label.objects.count()
        with ThreadPoolExecutor(2) as threads:
            said, _ = threads.submit(undo), threads.submit(count)
        assert Label.objects.count() - before == (said.result() == "undo-late")
        assert said.result() in ("undo-late", "taken back")
        desk = pool.desk_of(in_use.rosa)
        if said.result() == "taken back":
            pool.give_back(desk, ticket)
    assert check_books().problems == ()


def test_with_a_hold_of_zero_a_label_counts_at_once(in_use):
    change_settings(in_use.id, capacity=None, second=0.0, hold=0)
    say(in_use)
    assert Label.objects.count() == 1
    assert pool.desk_of(in_use.rosa).last_vote() is None
    assert Deployment.objects.get().hold == 0


def test_a_program_takes_a_label_back(in_use):
    token = make_token(in_use.rosa, "reviewer", label="x", scope="write")[1]
    through = httpx.WSGITransport(get_wsgi_application(), raise_app_exceptions=False)
    client = Client("http://localhost", token, transport=through)
    first = client.claim_label()
    client.label_held(first.id, "fine")
    again = client.take_back_label(first.id)
    assert (again.id, again.before) == (first.id, "fine")
    client.label_held(first.id, "hate")
    pool.count_votes_of("rosa")
    assert Label.objects.get().label == "hate"
    with pytest.raises(RuleError, match="counted by now"):
        client.take_back_label(first.id)
