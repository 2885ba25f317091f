"""Rulings and appeals at once, by programs of two workspaces: one ruling counts, no appeal is lost or answered twice, on both databases.

A round here; the many of `make soak` are marked so.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from unittest.mock import patch

import httpx
import pytest
from django.core.wsgi import get_wsgi_application
from django.test import Client
from django.urls import reverse

from askpoint.server.accounts.models import User
from askpoint.server.api.tokens import make_token
from askpoint.server.books import check_books
from askpoint.server.deployments.case_rulings import open_appeals, rule_on_case, rulings_of
from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.models import CaseReading, CaseRuling, Deployment
from askpoint.server.journal.models import LogLine
from askpoint.server.labelling import services as reviewing
from askpoint.server.labelling.models import Appeal, Case
from askpoint.server.webhooks.models import Delivery
from askpoint.server.webhooks.services import make_endpoint
from askpoint.server.workspaces.services import first_workspace, make_workspace
from server import in_use
from server.stage import Stage
from server.talking import let_readings_be_counted

REVIEWERS = ("rosa", "rudi")


class Tenant:
    """A workspace with a classifier and people of its own; two reviewers said hate of some cases, and its owner ruled fine."""

    def __init__(self, workspace, name, n_cases):
        self.name = name
        with patch.object(in_use, "first_workspace", lambda: workspace):
            self.use = in_use.InUse()
        for person in ("wanda", *REVIEWERS):
            other = User.objects.create(username=f"{name}-{person}")
            self.use.row.members.filter(user=getattr(self.use, person)).update(user=other)
            setattr(self.use, person, other)
        self.id, self.owner = self.use.id, self.use.wanda
        self.token = make_token(self.owner, "owner", label="x", scope="write")[1]
        url = f"https://hooks.example.org/{name}"
        make_endpoint(workspace.pk, self.owner, url, ["case.appealed"])
        change_settings(self.id, capacity=None, second=1.0)
        self.use.decide(3 * n_cases, name)
        for person in REVIEWERS:
            who = getattr(self.use, person).username
            for _ in range(n_cases):
                held = reviewing.claim(self.use.queue, who, others=False)
                reviewing.cast(self.use.queue, who, held.case_id, "hate")
        self.cases = list(Case.objects.filter(queue=self.use.queue, state="ruled"))
        assert len(self.cases) == n_cases
        for case in self.cases:
            rule_on_case(self.id, self.owner, case.key, "fine", "it quotes it")

    def browser(self, who):
        """A browser of one of its people."""
        made = Client(raise_request_exception=False)
        made.force_login(who)
        return made

    def appeals(self, person):
        """What a reviewer does: appeals on each case, twice."""
        browser, where = self.browser(getattr(self.use, person)), reverse("review-appeal")
        forms = [{"case": case.pk, "why": f"{person} means it"} for case in self.cases * 2]
        return [(lambda form=form: browser.post(where, form).status_code) for form in forms]

    def openings(self):
        """What its owner does: opens each case."""
        browser = self.browser(self.owner)
        pages = [reverse("classifier-case", args=[self.id, case.key]) for case in self.cases]
        return [(lambda page=page: browser.get(page).status_code) for page in pages]

    def program(self, token=None):
        """A program of a token, in this process."""
        return httpx.Client(
            transport=httpx.WSGITransport(get_wsgi_application(), raise_app_exceptions=False),
            base_url=f"http://localhost/api/classifiers/{self.id}/",
            headers={"Authorization": f"Bearer {token or self.token}"},
        )

    def rulings(self, labels, token=None):
        """What a program does: rules on each case by each label, and lists what waits."""
        program, made = self.program(token), []
        for label in labels:
            for case in self.cases:
                body = {"key": case.key, "label": label, "why": f"{label}, read again"}
                made.append(lambda body=body: program.post("rulings", json=body))
                made.append(lambda: program.get("appeals"))
        return made


def at_once(*lanes):
    """Do what is in each lane, all lanes at once; what came of each."""
    start = threading.Barrier(len(lanes))

    def run(lane):
        start.wait()
        return [work() for work in lane]

    with ThreadPoolExecutor(len(lanes)) as pool:
        found = list(pool.map(Stage.in_thread(run), lanes))
    let_readings_be_counted()
    return found


@pytest.fixture
def tenants(database):
    """Return a function: two tenants with so many cases."""
    del database

    def make(n_cases):
        n = Deployment.objects.count()
        places = (first_workspace(), make_workspace(f"Other {n}"))
        return [
            Tenant(place, f"{name}-{n}", n_cases)
            for place, name in zip(places, ("here", "there"), strict=True)
        ]

    return make


def check_rulings(tenant):
    """Each ruling changes the label or answers an appeal, each appeal has the words of one ruling, and all is told once."""
    appeals = Appeal.objects.filter(case__in=tenant.cases)
    for case in tenant.cases:
        rulings = list(rulings_of(tenant.use.row, [case.key]))
        answered = Counter(
            (one.answer, one.reason, one.answered)
            for one in appeals.filter(case=case).exclude(answered=None)
        )
        for before, ruling in pairwise(rulings):
            told = (ruling.label, ruling.why, ruling.at)
            assert before.label != ruling.label or told in answered
        assert answered.keys() <= {(one.label, one.why, one.at) for one in rulings}
    n = CaseRuling.objects.filter(policy__deployment=tenant.id).count()
    assert LogLine.objects.filter(what="case ruled", campaign=tenant.id).count() == n
    told = Delivery.objects.filter(endpoint__url__endswith=f"/{tenant.name}")
    assert told.count() == appeals.count()


def check_readings(tenant):
    """The owner read each case, once a day, and nobody else read any."""
    read = CaseReading.objects.filter(deployment=tenant.id).values_list("reader", "key")
    assert set(read) == {(tenant.owner.username, case.key) for case in tenant.cases}


def check_answers(tenant, answers):
    """A program met no error, and was told of no case of another tenant."""
    own = {case.key for case in tenant.cases}
    for answer in answers:
        assert answer.status_code == 200, answer.text
        body = answer.json()
        assert {one["key"] for one in body.get("items", [body])} <= own


def one_label(tenants, n_programs):
    """Programs rule alike while strangers try: one ruling counts, and answers all that was appealed before."""
    for tenant in tenants:
        at_once(*(tenant.appeals(person) for person in REVIEWERS))
        assert open_appeals(tenant.use.row).count() == 2 * len(tenant.cases)
    here, there = tenants
    own = [(one, one.rulings(["hate"])) for one in tenants for _ in range(n_programs)]
    strangers = [here.rulings(["fine"], there.token), there.rulings(["fine"], here.token)]
    found = at_once(*(lane for _, lane in own), *strangers, *(one.openings() for one in tenants))
    for (tenant, _), answers in zip(own, found, strict=False):
        check_answers(tenant, answers)
    assert {one.status_code for lane in found[len(own) : len(own) + 2] for one in lane} == {404}
    assert {one for lane in found[-2:] for one in lane} == {200}
    for tenant in tenants:
        assert not open_appeals(tenant.use.row).exists()
        for case in tenant.cases:
            labels = [one.label for one in rulings_of(tenant.use.row, [case.key])]
            assert labels == ["fine", "hate"]
        check_rulings(tenant)
        check_readings(tenant)
    assert check_books().problems == ()


def many_labels(tenants, n_programs):
    """Programs rule by turns otherwise while reviewers appeal: nothing is lost, and the last ruling is what is told."""
    lanes = [
        (one, one.rulings(["hate", "fine"] if i % 2 else ["fine", "hate"]))
        for one in tenants
        for i in range(n_programs)
    ]
    others = [one.appeals(person) for one in tenants for person in REVIEWERS]
    found = at_once(*(lane for _, lane in lanes), *others, *(one.openings() for one in tenants))
    for (tenant, _), answers in zip(lanes, found, strict=False):
        check_answers(tenant, answers)
    assert {one for lane in found[len(lanes) :] for one in lane} <= {200, 302}
    for tenant in tenants:
        check_rulings(tenant)
        check_readings(tenant)
        last = {
            case.key: rulings_of(tenant.use.row, [case.key]).last().label for case in tenant.cases
        }
        waiting = tenant.program().get("appeals").json()["items"]
        assert len(waiting) == open_appeals(tenant.use.row).count()
        assert all(one["settled"] == last[one["key"]] for one in waiting)
    assert check_books().problems == ()


@pytest.mark.parametrize("race", [one_label, many_labels])
def test_one_ruling_counts_and_no_appeal_is_lost(tenants, race):
    race(tenants(1), 8)


@pytest.mark.soak
@pytest.mark.parametrize("race", [one_label, many_labels])
def test_one_ruling_counts_and_no_appeal_is_lost_in_many_rounds(tenants, race):
    for _ in range(int(os.environ.get("ASKPOINT_SOAK_ROUNDS", "10"))):
        race(tenants(6), 16)
