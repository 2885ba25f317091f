"""A classifier that decides each group by how often the model is right in it, on the server."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import httpx
import numpy as np
import polars as pl
import pytest
from django.core.wsgi import get_wsgi_application
from django.test import Client as Visitor
from django.urls import reverse
from scipy import special

from askpoint import CheckCost, Client, read_log
from askpoint.answers.value.verdict import answer_value
from askpoint.errors import InputError
from askpoint.server.api.tokens import make_token
from askpoint.server.books import check_books
from askpoint.server.deployments import decisions
from askpoint.server.deployments.decisions import IncomingCase
from askpoint.server.deployments.labelling import IncomingLabel, take_labels
from askpoint.server.deployments.models import Deployment, LogReport, Policy, Receipt
from askpoint.server.deployments.policies import propose_document
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.renewal import propose_again, question_of
from askpoint.server.deployments.status_page import status_of
from askpoint.server.jobs.services import run_next
from server.in_use import InUse
from server.stage import organiser
from server.test_gateway import FORM
from server.works import WORKS

pytestmark = pytest.mark.usefixtures("no_process")


def made_posts(n, seed):
    rng = np.random.default_rng(seed)
    z = rng.normal(2.2, 1.8, n)
    language = np.array(["en", "tr"])[rng.integers(0, 2, n)]
    right = rng.random(n) < special.expit(z - 2.5 * (language == "tr"))
    return special.expit(z), language, np.where(right, "hate", "fine")


def csv(n=1500):
    sure, language, label = made_posts(n, 1)
    frame = pl.DataFrame({"label": label, "prediction": "hate", "confidence": sure})
    file = io.BytesIO(frame.with_columns(language=pl.Series(language)).write_csv().encode())
    file.name = "log.csv"
    return file


def made_by_the_form():
    """A classifier made by the form from a log with two languages, and decided on by its policy."""
    InUse()
    browser = Visitor()
    browser.force_login(organiser("oskar"))
    given = {**FORM, "checks": "5", "file": csv(), "by": "language"}
    answer = browser.post(reverse("new-classifier"), given)
    assert answer.status_code == 302
    told = browser.get(answer["Location"]).content.decode()
    assert "What it does in each group" in told
    assert "In a report on the same log" in told
    assert re.search(r"<td[^>]*>\s*(yes|no|undecided)\s*</td>", told)
    browser.post(answer["Location"], {"action": "adopt", "seen": "0"})
    found = Deployment.objects.get(title=FORM["title"])
    browser.post(reverse("traffic", args=[found.pk]), {"mode": "all", "rollout": "25"})
    return found


@pytest.fixture
def row(stand, enter):
    """It, with its owner's browser."""
    found = stand(made_by_the_form)
    found.browser = enter(found.members.get(role="owner").user)
    return found


def test_from_the_form_to_the_status_page_and_the_next_version(row):
    sure, language, truth = made_posts(800, 2)
    items = [
        IncomingCase(f"k{i}", prediction="hate", confidence=p, group=name)
        for i, (p, name) in enumerate(zip(sure.tolist(), language.tolist(), strict=True))
    ]
    made = decisions.decide(row.pk, items)
    policy = Policy.objects.get(deployment=row)
    thresholds = document_of(policy).group_scale.thresholds(document_of(policy).state.threshold)
    assert thresholds["tr"] > thresholds["en"]
    for item, one in zip(items, made, strict=True):
        assert (one.action != "ask") == (item.confidence >= thresholds[item.group])
    wanted = [i for i, one in enumerate(made) if one.action != "answer"]
    take_labels(row.pk, [IncomingLabel(f"k{i}", truth[i], "rosa") for i in wanted])
    page = row.browser.get(f"{reverse('classifier', args=[row.pk])}?more=1").content.decode()
    assert "Group by group" in page
    assert "In use now is a threshold for each group" in page
    audits = Receipt.objects.filter(policy=policy, action=2).count()
    assert sum(each.audits for each in _groups(row)) == audits > 0
    assert sum(each.decided for each in _groups(row)) == 800
    assert check_books().problems == ()
    again = propose_again(row.pk, "wanda", "a week of it", question_of(policy))
    scale = document_of(again).group_scale
    assert scale.names == ("en", "tr")
    assert scale.right.tolist() != document_of(policy).group_scale.right.tolist()


def _groups(row):
    return status_of(row).groups


def test_a_case_without_its_group_and_groups_without_a_log_are_refused(row):
    with pytest.raises(InputError, match="a case names none"):
        decisions.decide(row.pk, [IncomingCase("k", prediction="hate", confidence=0.99)])
    given = {**FORM, "classes": "a, b", "by": "language"}
    answer = row.browser.post(reverse("new-classifier"), given)
    assert answer.status_code == 422
    assert "roups are learned from the labels of a log" in answer.content.decode()


def test_a_policy_of_documents_is_not_brought_to_a_server(sqlite):
    del sqlite
    in_use = InUse()
    document = document_of(in_use.policy)
    of_documents = replace(document, model={**document.model, "documents": {"by": None}})
    with pytest.raises(InputError, match="a server decides single cases"):
        propose_document(in_use.id, in_use.wanda, "why", of_documents.to_json())


@pytest.mark.whole
def test_a_report_by_group_says_what_differs_and_its_policy_decides_by_group(sqlite, enter):
    del sqlite
    browser = enter(organiser("olga"))
    given = {"aim": "money", "checks": "5", "file": csv(), "by": "language"}
    assert browser.post("/reports/", given).status_code == 302
    assert run_next({"report": WORKS["report"]})
    row = LogReport.objects.get()
    assert row.problem == ""
    grid = next(
        block
        for section in row.told
        for block in section["blocks"]
        if block["kind"] == "grid" and "differs" in block["columns"]
    )
    log = read_log(pl.read_csv(csv()), group="language")
    found = answer_value(log, CheckCost(1 / 5)).own_thresholds
    assert {line[0]: line[-1] for line in grid["rows"]} == {
        name: each.differs for name, each in zip(found.names, found.groups, strict=True)
    }
    page = browser.get(f"/reports/{row.pk}/").content.decode()
    assert "A threshold for each group" in page
    assert "Only labels, groups and model outputs are stored." in page
    there = f"/reports/{row.pk}/policy/"
    assert re.search('name="groups"[^>]*checked', browser.get(there).content.decode())
    fields = {**FORM, "checks": "5", "groups": "on", "action": "start"}
    assert browser.post(there, fields).status_code == 302
    scale = document_of(Policy.objects.get()).group_scale
    assert (scale.column, scale.names) == ("language", ("en", "tr"))
    plain = browser.post(there, {**fields, "groups": "", "title": "One threshold"})
    assert plain.status_code == 302
    assert document_of(Policy.objects.latest("pk")).group_scale is None


def test_through_the_gateway_each_case_is_decided_by_its_group_s_threshold(row):
    token = make_token(row.members.get().user, "owner", label="x", scope="write", resource=row.pk)
    through = httpx.WSGITransport(get_wsgi_application(), raise_app_exceptions=False)
    program = Client("http://localhost", token[1], transport=through)
    document = document_of(Policy.objects.get(deployment=row))
    own = document.group_scale.thresholds(document.state.threshold)
    between = (own["en"] + own["tr"]) / 2  # sure enough in English, not in Turkish
    cases = [
        {"key": name, "prediction": "hate", "confidence": between, "group": name}
        for name in ("en", "tr")
    ]
    said = {one.key: one.action for one in program.decide_cases(row.pk, cases)}
    assert said["en"] in ("answer", "audit")
    assert said["tr"] == "ask"
    with pytest.raises(InputError, match="a case names none"):
        program.decide_cases(row.pk, [{"key": "none", "prediction": "hate", "confidence": 0.9}])
