"""The queue of reviewers: blind, leased, each case once; what they say is told to the policy."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from fractions import Fraction

import httpx
import numpy as np
import pytest
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.test import Client as Browser
from django.urls import reverse
from django.utils import timezone

from askpoint import Client, InputError, RuleError
from askpoint.reports.words import work_time
from askpoint.server.accounts.models import User
from askpoint.server.api.tokens import make_token
from askpoint.server.books import check_books
from askpoint.server.deployments import queue
from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.models import Deployment, Event, Label, Policy
from askpoint.server.deployments.review_workload import fitting_threshold
from askpoint.server.labelling import blind_queue, services as reviewing
from askpoint.server.labelling.models import Case, Claim, Vote
from askpoint.server.labelling.queues import claim_of
from server.in_use import InUse


@pytest.fixture
def in_use(stand, monkeypatch):
    """A classifier whose asked cases come first, always: a test that is about luck brings its own."""
    in_use = stand(InUse)
    monkeypatch.setattr(blind_queue.secrets, "randbelow", lambda n: n - 1)
    change_settings(in_use.id, capacity=None, second=0.0)
    return in_use


def work_off(in_use, name="rosa"):
    """Label all that waits, as it is; how many."""
    count = 0
    while (held := reviewing.claim(in_use.queue, name)) is not None:
        reviewing.cast(
            in_use.queue, name, str(held.case.pk), in_use.truth.get(held.case.key, "hate")
        )
        count += 1
    return count


def test_reviewers_work_the_queue_off_and_the_policy_is_told(in_use):
    sent = [one.key for one in in_use.decide(80) if one.action in ("ask", "audit")]
    assert work_off(in_use) == len(sent)
    labels = Label.objects.all()
    assert sorted(one.key for one in labels) == sorted(sent)
    assert {(one.judge, one.counts, one.label == in_use.truth[one.key]) for one in labels} == {
        ("rosa", True, True)
    }
    assert not Case.objects.filter(labelled=None).exists()
    assert check_books().problems == ()


def test_who_holds_a_case_is_given_it_again_and_nobody_else_is(in_use):
    in_use.decide(10)
    held = reviewing.claim(in_use.queue, "rosa")
    assert reviewing.claim(in_use.queue, "rosa").case == held.case
    other = reviewing.claim(in_use.queue, "rudi")
    assert other.case != held.case
    reviewing.give_back(in_use.queue, "rudi", str(other.case.pk))
    assert claim_of(in_use.queue, "rudi", timezone.now()) is None
    reviewing.skip(in_use.queue, "rosa", str(held.case.pk))
    assert reviewing.claim(in_use.queue, "rosa").case != held.case  # for good
    with pytest.raises(RuleError, match="no claim on case"):
        reviewing.skip(in_use.queue, "rosa", str(held.case.pk))
    with pytest.raises(RuleError, match="no such case"):
        reviewing.cast(in_use.queue, "rosa", "999999", "hate")


def test_skips_end_and_votes_bring_more(in_use, enter):
    in_use.decide(150)
    browser, page = enter(in_use.rosa), reverse("review")
    for _ in range(5):
        reviewing.skip(in_use.queue, "rosa", str(reviewing.claim(in_use.queue, "rosa").case.pk))
    held = reviewing.claim(in_use.queue, "rosa")
    with pytest.raises(RuleError, match="5 cases are skipped after 0 votes") as caught:
        reviewing.skip(in_use.queue, "rosa", str(held.case.pk))
    assert caught.value.rule == "too-many-skips"
    assert "No “not sure” is left".encode() in browser.get(page).content
    for _ in range(5):
        held = reviewing.claim(in_use.queue, "rosa")
        reviewing.cast(in_use.queue, "rosa", str(held.case.pk), "hate")
    reviewing.claim(in_use.queue, "rosa")
    assert "No “not sure” is left".encode() not in browser.get(page).content
    reviewing.skip(in_use.queue, "rosa", str(reviewing.claim(in_use.queue, "rosa").case.pk))


def test_the_owner_reads_who_skips_and_who_is_stopped(in_use, enter):
    queue.add_gold(in_use.id, [(f"known {i}", "hate") for i in range(12)])
    golden = Case.objects.filter(purpose="gold")
    now = timezone.now()
    for name, choice in (("rosa", "hate"), ("rudi", "fine")):
        for case in golden:
            Claim.objects.create(case=case, reviewer=name, until=now + timedelta(minutes=9))
            if name == "rosa" and case == golden[0]:
                reviewing.skip(in_use.queue, name, str(case.pk))
            elif name == "rosa" or golden[10].pk > case.pk:
                reviewing.cast(in_use.queue, name, str(case.pk), choice)
    page = enter(in_use.wanda).get(reverse("work", args=[in_use.id])).content.decode()
    rows = {
        row.split(">")[1].split("<")[0]: re.findall(r"<td[^>]*>(?:<strong>)?([^<]*)", row)
        for row in page.partition('aria-label="Reviewers"')[2].split(
            '<th scope="row" class="text"'
        )[1:]
    }
    assert rows == {
        "rosa": ["0", "1", "11 of 11", "labels"],
        "rudi": ["0", "0", "0 of 10", "stopped"],
    }


def test_who_answers_after_the_lease_is_told_and_nothing_counts(in_use):
    in_use.decide(10)
    held = reviewing.claim(in_use.queue, "rosa")
    Claim.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert reviewing.claim(in_use.queue, "rudi").case == held.case
    with pytest.raises(RuleError, match="holds no claim") as refusal:
        reviewing.cast(in_use.queue, "rosa", str(held.case.pk), "hate")
    assert refusal.value.rule == "no-claim"
    reviewing.cast(in_use.queue, "rudi", str(held.case.pk), "fine")
    with pytest.raises(InputError, match="a label"):
        reviewing.cast(
            in_use.queue, "rosa", str(reviewing.claim(in_use.queue, "rosa").case.pk), "spam"
        )
    assert Vote.objects.get().reviewer == "rudi"


def test_a_second_judge_and_a_third_where_two_differ(in_use):
    change_settings(in_use.id, capacity=None, second=1.0)
    in_use.join(in_use.will, "reviewer")
    in_use.decide(4)
    for name, choice in (("rosa", "hate"), ("rudi", "fine")):
        held = reviewing.claim(in_use.queue, name)
        reviewing.cast(in_use.queue, name, str(held.case.pk), choice)
    first = held.case
    assert not Label.objects.exists()  # they differ
    with pytest.raises(RuleError, match="has voted"):
        reviewing.cast(in_use.queue, "rosa", str(first.pk), "hate")
    held = reviewing.claim(in_use.queue, "will")
    assert held.case == first
    reviewing.cast(in_use.queue, "will", str(first.pk), "fine")
    (label,) = Label.objects.all()
    assert (label.label, label.judge, label.counts) == ("fine", "rudi, will", True)
    assert Case.objects.get(pk=first.pk).state == "ruled"


def test_asked_cases_come_first_but_not_always_and_golden_items_as_often_as_audits(
    in_use, monkeypatch
):
    rng = np.random.default_rng(0)
    monkeypatch.setattr(blind_queue.secrets, "randbelow", lambda n: int(rng.integers(n)))
    in_use.decide(400)
    with pytest.raises(InputError, match="the truth of a gold case"):
        queue.add_gold(in_use.id, [("a text", "spam")])
    items = [(f"the known post {i}", "hate") for i in range(60)]
    assert (queue.add_gold(in_use.id, items), queue.add_gold(in_use.id, items)) == (60, 0)
    kinds = []
    for _ in range(60):
        held = reviewing.claim(in_use.queue, "rosa")
        kinds.append(held.case.purpose)
        reviewing.cast(
            in_use.queue, "rosa", str(held.case.pk), in_use.truth.get(held.case.key, "hate")
        )
    assert Case.objects.filter(labelled=None, purpose="audit").exists()
    assert 38 <= kinds.count("asked") <= 52  # three of four, by three standard deviations
    assert abs(kinds.count("gold") - kinds.count("audit")) <= 12
    assert Label.objects.filter(source="gold").count() == kinds.count("gold") > 0
    assert check_books().problems == ()


def test_people_who_drift_are_told_apart_from_the_model(in_use):
    queue.add_gold(in_use.id, [(f"known {i}", "hate") for i in range(40)])
    case = Case.objects.filter(purpose="gold")
    for one in case:
        Claim.objects.create(case=one, reviewer="rosa", until=timezone.now() + timedelta(minutes=1))
        reviewing.cast(in_use.queue, "rosa", str(one.pk), "fine")
    assert Event.objects.filter(kind="people").exists()


def test_many_reviewers_race_and_each_case_is_labelled_once(database):
    del database
    in_use = InUse()
    change_settings(in_use.id, capacity=None, second=0.0)
    in_use.decide(40)
    waiting = Case.objects.count()
    for name in ("ruth", "rose"):
        User.objects.create(username=name)

    def work(name):
        try:
            return work_off(in_use, name)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(work, ["rosa", "rudi", "ruth", "rose"]))
    assert sum(done) == waiting == Vote.objects.count() == Label.objects.filter(counts=True).count()


def test_the_page_shows_neither_the_machine_nor_why(in_use, enter):
    in_use.decide(60)
    browser, here = enter(in_use.rosa), reverse("review")
    assert "Next case" in browser.get(here).content.decode()
    for _ in range(6):
        page = browser.post(reverse("review-claim"), follow=True)
        held = claim_of(in_use.queue, "rosa", timezone.now())
        for word in ("asked", "audit", "gold", "confidence", "monday-"):
            assert word not in page.content.decode().replace(f"the post {held.case.key}", "")
        vote = {"case": page.context["held"].ticket, "choice": "hate"}
        browser.post(reverse("review-vote"), vote)
        twice = browser.post(reverse("review-vote"), vote, follow=True)
        assert not list(twice.context["messages"])
    case = {"case": twice.context["held"].ticket}
    browser.post(reverse("review-not-sure"), {**case, "reason": "several"})
    said = browser.post(reverse("review-vote"), {**case, "choice": "hate"}, follow=True)
    assert "hold no claim" in said.content.decode()
    browser.post(reverse("review-leave"), {"case": said.context["held"].ticket})
    assert claim_of(in_use.queue, "rosa", timezone.now()) is None


def test_a_reviewers_program(in_use):
    in_use.decide(10)
    token = make_token(in_use.rosa, "reviewer", label="x", scope="write")[1]
    through = httpx.WSGITransport(get_wsgi_application(), raise_app_exceptions=False)
    program = Client("http://localhost", token, transport=through)
    held = program.claim_label()
    assert held.options == ["fine", "hate"]
    program.label_held(held.id, "hate")
    program.label_held(held.id, "hate")
    with pytest.raises(RuleError, match="you said 'hate'"):
        program.label_held(held.id, "fine")
    other = program.claim_label()
    program.leave_unsure(other.id, "unclear", "half of it is cut off")
    third = program.claim_label()
    assert third.id not in (held.id, other.id)
    program.leave_held(third.id)
    assert program.claim_label() == program.claim_label()


def test_a_reviewer_comes_by_a_link(in_use, enter):
    here = reverse("classifier-people", args=[in_use.id])
    browser = enter(in_use.wanda)
    page = browser.post(here, {"part": "reviewer", "labels": "for Ruth"}, follow=True)
    (link,) = [it for _, it in page.context["waiting"]]
    visitor = Browser()
    assert "Label cases for" in visitor.get(link).content.decode()
    visitor.post(link, {"name": "ruth", "password": "long enough words"})
    assert in_use.row.members.get(user__username="ruth").role == "reviewer"
    assert "Next case" in visitor.get(reverse("review")).content.decode()
    browser.post(here, {"part": "viewer"})
    page = browser.get(here)
    ((row, link),) = page.context["waiting"]
    refused = visitor.post(link).content.decode()
    assert "reviewers label blind" in refused
    browser.post(here, {"withdraw": str(row.pk)})
    assert not browser.get(here).context["waiting"]
    assert User.objects.filter(username="ruth").count() == 1


def test_the_page_says_when_the_queue_outgrows_people(in_use, enter):
    in_use.decide(400)
    Policy.objects.update(adopted=timezone.now() - timedelta(hours=12))
    here, page = (reverse(name, args=[in_use.id]) for name in ("work", "classifier"))
    browser = enter(in_use.wanda)
    form = {
        "capacity": "200",
        "second": "10",
        "hold": "90",
        "gold": "hate | you utter fool\nfine | have a good day",
    }
    assert "2 new gold cases" in browser.post(here, form, follow=True).content.decode()
    row = Deployment.objects.get(pk=in_use.id)
    assert (row.capacity, row.second, row.hold) == (200, 0.1, 90)
    said = browser.get(f"{page}?more=1").content.decode()
    sent = Case.objects.exclude(purpose="gold").count()
    assert f"About {2 * sent} cases go to review" in said
    assert "than reviewers can label: you stated 200 cases a day. With a threshold of" in said
    Deployment.objects.update(label_seconds=36)
    said = browser.get(f"{page}?more=1").content.decode()
    assert "than reviewers can label: you stated 2 hours a day. With a threshold of" in said
    assert f"go to review a day ({work_time(36 * 2 * sent)})" in said
    browser.post(here, {"capacity": "20", "second": "10", "hold": "0"})
    row.refresh_from_db()
    said = browser.get(f"{page}?more=1").content.decode()
    assert "Not even the audits fit" in said
    wrongs = ({"second": "120"}, {"hold": "601"}, {"gold": "you fool"})
    for wrong in ({"second": "1", "hold": "0", **one} for one in wrongs):
        assert browser.post(here, wrong).status_code == 422


def test_the_threshold_that_fits_is_the_greatest_that_does():
    rng = np.random.default_rng(3)
    for _ in range(50):
        # in sixteenths nothing is rounded
        confidence = rng.integers(1, 9, 2 ** rng.integers(0, 4)) / 16
        rate, share = rng.integers(1, 5) / 16, rng.integers(1, 16) / 16
        fits = [
            t
            for t in confidence.tolist()
            if _sent(confidence, t, Fraction(rate)) <= Fraction(share)
        ]
        assert fitting_threshold(confidence, rate, share) == max(fits, default=None)


def _sent(confidence, threshold, rate):
    below = Fraction(int((confidence < threshold).sum()), len(confidence))
    return below + rate * (1 - below)


def test_gold_is_entered_in_the_shape_of_the_cases_or_refused(in_use, enter):
    from django.urls import reverse

    in_use.decide(200)
    page = enter(in_use.wanda)
    address = reverse("work", args=[in_use.id])
    form = {"capacity": "", "second": "0", "hold": "0"}
    told = page.post(address, {**form, "gold": 'hate | {"text": "the post"}'}, follow=True)
    assert "gold case must look like the others, which are a text" in told.content.decode()
    told = page.post(address, {**form, "gold": "hate | {no JSON"}, follow=True)
    assert "ine 1 is not JSON" in told.content.decode()
    page.post(address, {**form, "gold": "hate | the post of gold"})
    gold = Case.objects.filter(purpose="gold").values_list("content", flat=True)
    assert list(gold) == ["the post of gold"]
