"""The end of a classifier: archived and restored, a draft deleted at once, one that was used bit by bit."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import httpx
import pytest
from django.apps import apps
from django.core.wsgi import get_wsgi_application
from django.db import models, transaction
from django.test import Client as Browser
from django.utils import timezone

from askpoint import Client, RuleError
from askpoint.server.api.tokens import make_token
from askpoint.server.books import check_books
from askpoint.server.deployments import archiving, decisions, policies, queue
from askpoint.server.deployments.archiving import (
    archive,
    delete_classifier,
    delete_contents,
    remove_deleted,
    restore,
    tables_of,
)
from askpoint.server.deployments.cases import cases_of, waiting_cases
from askpoint.server.deployments.decision_log import grant_lease, prove_case
from askpoint.server.deployments.decisions import IncomingCase
from askpoint.server.deployments.labelling import IncomingLabel, take_labels
from askpoint.server.deployments.models import Deployment, Label, Policy, Receipt
from askpoint.server.deployments.pushing import push_waiting
from askpoint.server.deployments.state_lines import state_line_of
from askpoint.server.jobs.models import Job
from askpoint.server.journal.models import LogLine
from askpoint.server.labelling import services as reviewing
from askpoint.server.labelling.desk import desk_of
from askpoint.server.labelling.models import Case, Claim, Reviewer, Vote
from askpoint.server.webhooks.models import Delivery
from askpoint.server.webhooks.services import make_endpoint
from askpoint.server.workspaces.services import first_workspace
from server.in_use import InUse


@pytest.fixture
def in_use(database):
    del database
    first_workspace()
    return InUse()


def program(in_use):
    """The owner's program, in this process."""
    token = make_token(in_use.wanda, "owner", label="x", scope="write", resource=in_use.id)[1]
    through = httpx.WSGITransport(get_wsgi_application(), raise_app_exceptions=False)
    return Client("http://localhost", token, transport=through)


def settings(in_use, enter, **form):
    here = f"/classifiers/{in_use.id}/settings/"
    return enter(in_use.wanda).post(here, form, follow=True).content.decode()


def test_an_archived_classifier_refuses_every_case_with_410_and_decides_again_once_restored(
    in_use, enter
):
    make_endpoint("main", in_use.wanda, "https://hooks.example.org/x", ["classifier.archived"])
    made = in_use.decide(60)
    assert "Every case is refused" in settings(in_use, enter, action="archive")
    token = make_token(in_use.wanda, "owner", label="x", scope="write")[1]
    here = f"/api/classifiers/{in_use.id}/decisions"
    body = {"items": [{"key": "a", "prediction": "hate", "confidence": 0.9}], "model_version": "7"}
    sent = {"content_type": "application/json", "headers": {"Authorization": f"Bearer {token}"}}
    answer = Browser().post(here, json.dumps(body), **sent)
    assert answer.status_code == 410
    refusal = answer.json()
    assert (refusal["type"], refusal["title"]) == ("archived", "Gone")
    assert re.search(r"'Posts that hate' is archived since .*Settings", refusal["detail"])
    with program(in_use) as client:
        with pytest.raises(RuleError, match="archived") as refused:
            client.decide_cases(in_use.id, body["items"], model_version="7")
        assert refused.value.rule == "archived"
        assert list(client.wanted_cases(in_use.id)) == []
        status = client.classifier(in_use.id)
        assert (status.state.kind, status.to_label) == ("archived", 0)
        asked = next(
            one.key for one in made if one.action == "ask"
        )  # it belongs to what was decided
        assert client.label_cases(in_use.id, [{"key": asked, "label": "fine"}]).counted == 1
    with pytest.raises(RuleError, match="archived"):
        grant_lease(in_use.id, "edge")
    line = state_line_of(in_use.row)
    assert (line.kind, line.word) == ("archived", "Archived")
    assert "Restored" in settings(in_use, enter, action="restore")
    assert state_line_of(in_use.row).kind == "learning" or in_use.row.archived is None
    assert len(in_use.decide(5, "after")) == 5
    assert waiting_cases(in_use.row).exists()
    whats = list(LogLine.objects.filter(campaign=in_use.id).values_list("what", flat=True))
    assert [it for it in whats if it in ("classifier archived", "classifier restored")] == [
        "classifier archived",
        "classifier restored",
    ]
    first, second = (json.loads(it.body)["data"]["what"] for it in Delivery.objects.order_by("pk"))
    assert first.startswith("archived: every case is refused")
    assert second.startswith("restored")


def test_reviewers_get_no_more_cases_and_what_they_held_back_counts(in_use, enter):
    in_use.decide(60)
    first = reviewing.claim(in_use.queue, "rosa", others=False)
    reviewing.hold(in_use.queue, "rosa", first.case_id, "fine", timedelta(minutes=2))
    reviewing.claim(in_use.queue, "rosa", others=False)
    assert enter(in_use.rosa).get("/").content.decode().count("Posts that hate") == 1
    archive(in_use.id)
    assert not Claim.objects.exists()
    assert Vote.objects.get().choice == "fine"
    assert desk_of(in_use.rosa).places == []
    with pytest.raises(RuleError, match="archived"):  # of who asked for a case meanwhile
        reviewing.claim(in_use.queue, "rosa")
    assert "Posts that hate" not in enter(in_use.rosa).get("/").content.decode()
    restore(in_use.id)
    assert reviewing.claim(in_use.queue, "rosa") is not None


def test_pages_stay_and_home_names_it_last_and_never_as_needing_somebody(in_use, enter):
    in_use.label(in_use.decide(60))
    other = InUse(mode="shadow")
    archive(in_use.id)
    page = enter(in_use.wanda).get("/").content.decode()
    assert "None needs you." in page
    assert page.index(other.id) < page.index(in_use.id)
    assert "Archived" in page
    for address in ("", "cases/", "incidents/", "policies/", "people/", "settings/", "workload/"):
        found = enter(in_use.wanda).get(f"/classifiers/{in_use.id}/{address}")
        assert found.status_code == 200, address
    overview = enter(in_use.wanda).get(f"/classifiers/{in_use.id}/").content.decode()
    assert re.search(r'class="state is-archived".*Archived.*>Restore<', overview, re.DOTALL)
    assert "archived: no case goes to review" in overview
    assert ">Restore<" not in enter(in_use.vera).get(f"/classifiers/{in_use.id}/").content.decode()


def test_tools_and_metrics_hear_nothing_of_an_archived_classifier(in_use):
    make_endpoint("main", in_use.wanda, "https://hooks.example.org/x", ["case.waiting"])
    in_use.decide(40)
    token = make_token(in_use.wanda, "owner", label="x", scope="read")[1]
    asked = {"Authorization": f"Bearer {token}"}
    assert in_use.id in Browser().get("/metrics/", headers=asked).content.decode()
    archive(in_use.id)
    assert push_waiting() == 0
    assert in_use.id not in Browser().get("/metrics/", headers=asked).content.decode()
    restore(in_use.id)
    assert push_waiting() > 0


def test_twice_is_refused_in_words(in_use, enter):
    with pytest.raises(RuleError, match="is not archived"):
        restore(in_use.id)
    archive(in_use.id)
    with pytest.raises(RuleError, match="archived already"):
        archive(in_use.id)
    assert "is archived already" in settings(in_use, enter, action="archive")


@pytest.mark.parametrize("who", ["vera", "rosa", "oskar"])
def test_only_owners_end_it(in_use, enter, who):
    here = f"/classifiers/{in_use.id}/settings/"
    for action in ("archive", "restore", "delete"):
        form = {"action": action, "name": "Posts that hate"}
        assert enter(getattr(in_use, who)).post(here, form).status_code == 404
    assert in_use.row.archived is None


def test_a_draft_goes_at_once(in_use, enter):
    draft = policies.make_deployment("main", in_use.wanda, "A draft").pk
    here = f"/classifiers/{draft}/settings/"
    assert "It goes at once" in enter(in_use.wanda).get(here).content.decode()
    answer = enter(in_use.wanda).post(here, {"action": "delete"}, follow=True)
    assert answer.redirect_chain == [("/", 302)]
    assert not Deployment.objects.filter(pk=draft).exists()
    (line,) = LogLine.objects.filter(what="classifier removed")
    assert (line.campaign, line.about, line.who) == (draft, "A draft, a draft", "wanda")


def protectors(*targets):
    """The tables that keep rows of these from being deleted, directly or through others."""
    found = set(targets)
    while True:
        more = {
            model
            for model in apps.get_models()
            for field in model._meta.concrete_fields
            if field.remote_field
            and field.remote_field.on_delete is models.PROTECT
            and field.related_model in found
        } - found
        if not more:
            return found - set(targets)
        found |= more


def test_whatever_protects_a_version_or_a_case_goes_with_it():
    """A table that is added later is among them by itself: nobody keeps a list."""
    for target in (Policy, Case):
        goes = [model for model, _ in tables_of(target)]
        assert protectors(target) <= set(goes)
        for model in goes:  # what points at one of them goes first
            for further, _ in tables_of(model):
                assert goes.index(further) < goes.index(model)
    names = {model.__name__ for model, _ in tables_of(Policy)}
    assert {"Receipt", "Label", "CaseRuling", "Snapshot", "Moment", "Day"} <= names
    assert protectors(Deployment) <= {Policy, *(model for model, _ in tables_of(Policy))}


def test_a_used_one_goes_after_its_name_was_typed_contents_first_and_the_rest_after_30_days(
    in_use, enter, monkeypatch
):
    monkeypatch.setattr(archiving, "_AT_ONCE", 7)
    in_use.label(in_use.decide(150)[:100])
    queue.add_gold(in_use.id, [("the post of gold 1", "hate")])
    other = InUse()
    other.label(other.decide(30, "other"))
    assert "type its name" in settings(in_use, enter, action="delete", name="Posts")
    assert in_use.row.deleted is None
    page = settings(in_use, enter, action="delete", name=" Posts that hate ")
    assert "Contents are deleted; decision records and labels go on" in page
    assert Job.objects.get(kind="contents").about == in_use.id
    records, labels = (
        rows.filter(policy__deployment=in_use.id).count()
        for rows in (Receipt.objects, Label.objects)
    )
    delete_contents(in_use.id)
    assert not cases_of(in_use.row).filter(content__isnull=False).exists()
    assert cases_of(other.row).filter(content__isnull=False).exists()
    assert Receipt.objects.filter(deployment=in_use.id).count() == records == 150
    assert Label.objects.filter(policy__deployment=in_use.id).count() == labels > 0
    assert check_books().problems == ()  # records still verify
    assert prove_case(in_use.id, "monday-0").content is None
    with pytest.raises(RuleError, match="nothing brings it back"):
        restore(in_use.id)
    with pytest.raises(RuleError, match="was deleted on") as refused:
        decisions.decide(in_use.id, [IncomingCase("z", prediction="hate", confidence=0.9)], "7")
    assert refused.value.rule == "deleted"
    late = IncomingLabel("monday-0", "fine", "rosa")
    with pytest.raises(RuleError, match="was deleted on"):
        take_labels(in_use.id, [late])
    assert remove_deleted() == 0
    assert remove_deleted(timezone.now() + timedelta(days=29)) == 0
    assert Deployment.objects.filter(pk=in_use.id).exists()
    assert remove_deleted(timezone.now() + timedelta(days=31)) == 1
    assert not Deployment.objects.filter(pk=in_use.id).exists()
    left = [
        model.__name__
        for model in apps.get_models()
        for field in model._meta.fields
        if model not in (LogLine, Job)
        and model._meta.app_label not in ("sessions", "admin")
        and field.get_internal_type() in ("CharField", "ForeignKey")
        and field.name in ("deployment", "queue", "belongs_to", "campaign", "resource", "pool")
        and field.remote_field is None
        and model.objects.filter(**{f"{field.name}__contains": in_use.id}).exists()
    ]
    assert left == []
    assert check_books().problems == ()
    assert enter(in_use.wanda).get(f"/classifiers/{in_use.id}/").status_code == 404
    assert Receipt.objects.filter(deployment=other.id).count() == 30
    assert Case.objects.filter(queue=other.queue).exists()
    assert not Reviewer.objects.filter(queue=in_use.queue).exists()
    (line,) = LogLine.objects.filter(what="classifier removed")
    assert line.who == "(server)"


def test_a_name_that_was_deleted_is_free_again(in_use):
    delete_classifier(in_use.id, "Posts that hate")
    with transaction.atomic():
        policies.refuse_same_title("main", in_use.wanda, "Posts that hate")
    with pytest.raises(RuleError, match="deleted already"):
        delete_classifier(in_use.id, "Posts that hate")
    with pytest.raises(RuleError, match="was deleted on"):
        queue.add_gold(in_use.id, [("the post of gold 1", "hate")])
