"""Every address by everybody: what docs/reference/roles.md says, no more and no less."""

from __future__ import annotations

import copy
import re

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from askpoint.arena.server.campaigns import services as campaigns
from askpoint.arena.server.judges import services as judging
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.rulings.models import Ruling
from askpoint.reports.page import page_policy
from askpoint.server.accounts.models import User
from askpoint.server.api.json_api import api
from askpoint.server.api.tokens import make_token
from askpoint.server.classifiers.cases import image_case, image_of
from askpoint.server.deployments.models import Incident, LogReport
from askpoint.server.images.services import hold_image
from askpoint.server.images.serving import IMAGE_POLICY
from askpoint.server.jobs.services import beat
from askpoint.server.labelling import services as reviewing
from askpoint.server.labelling.desk import desk_of
from askpoint.server.labelling.models import Case, Vote
from askpoint.server.policy import CONTENT_POLICY
from askpoint.server.uploads.decoding import read_picture
from server.agents import WithAgent
from server.in_use import InUse
from server.matrix import API, ROUTES, walked
from server.pictures import encoded, scene
from server.stage import TITLE, Stage, organiser

PEOPLE = {"P": "alice", "J": "bob", "O": "olga", "N": "nora", "C": "charlie", "S": ""} | {
    "W": "wanda",
    "R": "rosa",
    "V": "vera",
    "M": "ada",
}
TOKENS = {"P": "player", "J": "judge", "O": "organiser", "N": "organiser"} | {
    "W": "owner",
    "R": "reviewer",
    "V": "viewer",
    "M": "organiser",
    "A": "agent",
}
FORM, SENT = b"role=player&name=alice&action=readmit", "application/x-www-form-urlencoded"
OWN_RULES = {
    "invitation": 410,
    "questions": 410,
    "account_reset_password_from_key": 410,
    "account_reset_password": 404,  # no mail is sent here
    "account_confirm_email": 200,  # that the link works no more
    "openid_connect_login": 404,
    "openid_connect_callback": 404,
    "mfa_authenticate": 302,  # nobody is half signed in
    "mfa_activate_totp": 200,  # or to the page for the password
    "mfa_generate_recovery_codes": 200,
    "mfa_deactivate_totp": 404,  # none was set up
    "mfa_view_recovery_codes": 404,
    "account_reauthenticate": 200,  # 403 without a password
    "mfa_reauthenticate": 403,  # or to the page for the password
    "enter": 404,
    "payout-list": 404,
    "pool-offer": 404,
    "aap-instances": 401,
    "aap-requests": 401,
    "aap-request": 401,
    "aap-consume": 401,
    "aap-outcome": 401,
}  # whoever asks
_LEAD_TO_SIGN_IN = (
    "payout-list",
    "pool-offer",
    "account_reauthenticate",
    "mfa_reauthenticate",
    "mfa_activate_totp",
    "mfa_deactivate_totp",
    "mfa_generate_recovery_codes",
    "mfa_view_recovery_codes",
)


class World(Stage):
    """A campaign with a case, an examination, and a classifier in use; everybody's tokens."""

    def __init__(self, monkeypatch):
        super().__init__(monkeypatch)
        self.nora = organiser("nora")
        self.ada = organiser("ada", role="owner")
        classifier = self.classifier
        classifier.pk, classifier.owner = None, self.nora
        classifier.save(force_insert=True)
        campaigns.make_campaign(
            self.nora,
            title="Another",
            classifier=classifier,
            wanted="Else.",
            terms=campaigns.terms_of(self.campaign.terms),
        )
        self.image = self.submit_image(scene()).pk
        assert judging.claim(self.id, "bob").pk == self.image
        judging.add_gold(self.id, Ruling.objects.get(pk=self.image).content, "clean")
        gold = Ruling.objects.get(purpose="gold", campaign=self.id)
        self.known = image_of(gold.content)["sha256"]
        self.case = self.submit("you are not from here").pk
        self.examine(["one", "two"], 1)
        self.tags = self.open_tags()
        self.in_use = InUse()
        Incident.objects.create(
            deployment=self.in_use.row,
            policy=self.in_use.policy,
            number=1,
            kind="alarm",
            seq=0,
            at=timezone.now(),
        )
        self.in_use.decide(50)
        self.in_use.ask_for_costs()
        held = reviewing.claim(self.in_use.queue, "rosa").case
        picture = read_picture(encoded(scene(7)))
        kept = hold_image(self.in_use.id, self.in_use.wanda, picture, kept=True)
        Case.objects.filter(pk=held.pk).update(
            content=image_case(kept.sha256, kept.kind, kept.width, kept.height)
        )
        self.shown = kept.sha256
        self.ticket = desk_of(self.in_use.rosa).find_held().ticket
        self.wanda, self.rosa, self.vera = (
            getattr(self.in_use, name) for name in ("wanda", "rosa", "vera")
        )
        self.agent = WithAgent()
        self.agent.propose("call-1")
        self.report = LogReport.objects.create(
            workspace=self.workspace,
            id="report",
            owner=self.olga,
            name="log.csv",
            question={"aim": "money", "limit": 0.05},
            random=False,
            page="<!doctype html>",
            labelled=1,
            made=timezone.now(),
        ).pk
        self.tokens = {
            role: make_token(
                getattr(self, {**PEOPLE, "A": "wanda"}[role]), kind, label="x", scope="write"
            )[1]
            for role, kind in TOKENS.items()
        }


@pytest.fixture
def world(build, tmp_path, monkeypatch):
    """The world, with everybody signed in; their browsers."""
    with build(World).again(tmp_path, monkeypatch) as stage:
        beat()
        stage.browsers = {}
        for role, name in PEOPLE.items():
            stage.browsers[role] = Client()
            if name:
                stage.browsers[role].force_login(getattr(stage, name))
        yield stage


def address(template, stage):
    """Fill an address in."""
    values = {
        "campaign": stage.id,
        "classifier": stage.in_use.id,
        "agent": stage.agent.id,
        "case": stage.image if "/image" in template else stage.case,
        "token": "none",
        "uidb36": "1",
        "provider_id": "nobody",
        "key": 1,
        "report": stage.report,
        "workspace": "main",
        "number": 1,
        "person": 1,
        "ticket": stage.ticket,
    }
    if template.startswith("/tags/") or re.search("/(items|proposals)$", template):
        values["campaign"] = stage.tags
    if template.startswith("/classifiers/"):
        values["key"] = "monday-0"  # a decided case
    kind = "cases" if "examination" in template else "csv"
    name = stage.image if "/image" in template else stage.case
    name = stage.known if "/judging/" in template else name
    name = "share-decided-alone" if "pictures" in template else name
    name = stage.shown if "{classifier}/images" in template else name
    name = "rosa" if "{agent}/people" in template else name
    name = "alice" if "statement" in template or "enter" in template else name
    query = "?role=player&name=alice&action=bar" if "people/standing/" in template else ""
    query = "?key=call-1" if template.endswith("/action") else query
    query = "?key=monday-0" if template.endswith("/record") else query
    return template.format(**values, name=name, kind=kind) + query


def asked(browser, method, path, **more):
    """Ask for something, and undo what that did, here and there."""
    cookies = copy.deepcopy(browser.cookies)
    with transaction.atomic():
        answer = browser.generic(method, path, **more)
        if answer.streaming:  # is read while what it tells of is there
            answer.getvalue()
        transaction.set_rollback(True)
    browser.cookies = cookies
    return answer


def disabled(stage, role):
    """A browser of somebody whose account was disabled while they were signed in."""
    User.objects.filter(username=PEOPLE[role]).update(is_active=False)
    return stage.browsers[role]


def test_every_address_has_a_line_and_every_line_an_address():
    pages = {name: route for name, route in walked() if ":" not in name}
    assert pages == {name: route.address for name, route in ROUTES.items()}
    assert len(pages) == sum(":" not in name for name, _ in walked())  # no name twice
    paths = {path for name, path in walked() if ":" in name}
    documents = {"/api/openapi.json", "/api/"}
    assert paths - documents == {request.split()[1] for request in API}
    said = {
        f"{method.upper()} {path}": operation["description"].splitlines()[0]
        for path, operations in api.get_openapi_schema(path_prefix="/api/")["paths"].items()
        for method, operation in operations.items()
    }
    assert said == {name: request.does for name, request in API.items()}


def is_shut(answer, role):
    """Tell whether an answer says no more than that there is nothing, or leads to signing in."""
    status = answer.status_code
    if role == "S" and status == 302:
        return answer["Location"].startswith("/sign-in/")
    return status in (404, 405) and TITLE.encode() not in answer.content


@pytest.mark.parametrize("role", PEOPLE)
def test_a_page_opens_and_takes_for_its_roles_and_nobody_else(role, world):
    browser = world.browsers[role]
    before = (Probe.objects.count(), Vote.objects.count(), User.objects.count())
    for name, route in ROUTES.items():
        path = address(route.address, world)
        for method, roles in (("GET", route.opens), ("POST", route.sends)):
            answer = asked(browser, method, path, data=FORM, content_type=SENT)
            policy = CONTENT_POLICY
            if answer.get("Content-Type", "").startswith("image/p"):
                policy = IMAGE_POLICY
            elif name == "log-page" and answer.status_code == 200:
                policy = f"{page_policy()}; frame-ancestors 'none'; sandbox allow-scripts"
            assert answer["Content-Security-Policy"] == policy
            if name in OWN_RULES and not (role == "S" and name in _LEAD_TO_SIGN_IN):
                others = (302, 403) if name.startswith("mfa_") or "again" in path else (404,)
                assert answer.status_code in (OWN_RULES[name], 405, *others), (name, method)
            elif role not in roles:
                assert is_shut(answer, role), (name, method, answer.status_code)
            elif method == "GET":
                assert answer.status_code == 200, name
            else:
                assert answer.status_code not in (403, 404, 405, 500), (name, answer.status_code)
                assert not answer.get("Location", "").startswith("/sign-in/?"), name
    assert (Probe.objects.count(), Vote.objects.count(), User.objects.count()) == before


@pytest.mark.parametrize("role", "PJOW")
def test_who_is_disabled_is_a_stranger(role, world):
    browser = disabled(world, role)
    for name, route in ROUTES.items():
        for method, roles in (("GET", route.opens), ("POST", route.sends)):
            if role in roles and "S" not in roles:
                answer = asked(browser, method, address(route.address, world))
                assert is_shut(answer, "S"), (name, method, answer.status_code)
    for request in API:
        assert by_token(world, request, role).status_code == 401, request


def by_token(stage, request, role):
    """Ask the API."""
    method, template = request.split()
    headers = {"Idempotency-Key": "k"}
    if role in stage.tokens:
        headers["Authorization"] = f"Bearer {stage.tokens[role]}"
    more = {"content_type": "application/json"} if method == "POST" else {}
    return asked(Client(), method, address(template, stage), headers=headers, **more)


@pytest.mark.parametrize("role", [*PEOPLE, "A"])
def test_a_request_of_the_api_is_for_its_roles_and_nobody_else(role, world):
    for request, (opens, _) in API.items():
        status = by_token(world, request, role).status_code
        if role not in TOKENS or opens == "H":  # which nobody has signed
            assert status == 401, request
        elif role in opens:
            assert status in ((200, 409, 422) if "POST" in request else (200,)), request
        elif role == "N" and "O" in opens:
            assert status in (404, 422), request  # the campaign is not there
        else:
            assert status == 403, request


def test_nobody_learns_from_the_api_whether_a_campaign_is_there(world):
    for request, (opens, _) in API.items():
        if opens == "O" and "{" in request:
            answers = []
            for campaign in (world.id, "none"):
                template = request.replace("{campaign}", campaign)
                answers.append(by_token(world, template, "N").content)
            assert answers[0] == answers[1]
