"""The JSON API: what tokens open, what is refused and how, and that what comes twice acts once."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import asdict
from datetime import timedelta
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from django.test import Client
from django.utils import timezone

from askpoint.arena.server.campaigns.consents import record_consent
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.ledger.models import Posting
from askpoint.arena.server.payouts.models import Payout
from askpoint.arena.server.players import services as playing
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.rulings.models import Ruling
from askpoint.arena.server.rulings.pools import join
from askpoint.cli import server_folder
from askpoint.cli.main import main
from askpoint.errors import InputError, ModelError
from askpoint.server.accounts.models import Seat, User
from askpoint.server.api import account_routes as core_routes, json_api, openapi, roles
from askpoint.server.api.models import Reply, Token
from askpoint.server.api.tokens import find_token, make_token
from server.in_use import InUse
from server.stage import organiser


class Program:
    """A program with a token."""

    def __init__(self, user, role, scope="write", **more):
        self.row, self.words = make_token(user, role, label="a test", scope=scope, **more)
        self.browser = Client(headers={"Authorization": f"Bearer {self.words}"})

    def get(self, path, **query):
        return self.browser.get(f"/api/{path}", query)

    def post(self, path, body=None, key=""):
        headers = {"Idempotency-Key": key} if key else {}
        said = "" if body is None else body
        return self.browser.post(f"/api/{path}", said, "application/json", headers=headers)


def refused(answer, status, rule):
    """Check that an answer is a refusal by a rule, in the form that is promised; what it says."""
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    said = answer.json()
    assert (said["status"], said["type"]) == (status, rule)
    return said["detail"]


@pytest.fixture
def programs(stage):
    """A program of each role."""
    return {
        role: Program(user, role)
        for role, user in (
            ("organiser", stage.olga),
            ("player", stage.alice),
            ("judge", stage.bob),
        )
    }


def test_a_campaign_is_played_judged_and_paid_by_programs(stage, programs):
    olga, alice, bob = programs.values()
    where = f"play/{stage.id}/cases"
    tried = alice.post(where, {"case": "you are not from here"}, "one").json()
    assert (tried["state"], tried["decision"]) == ("tried", "clean")
    assert tried["points"] == {"clean": 10, "offensive": 910}
    assert alice.post(where, {"case": "you are not from here"}, "one").json() == tried
    assert len(stage.asked) == 1
    case = tried["id"]
    for _ in range(2):
        assert alice.post(f"{where}/{case}/submit").json()["state"] == "submitted"
    held = bob.post(f"judge/{stage.id}/claim").json()["held"]
    assert set(held) == {
        "id",
        "case",
        "options",
        "until",
        "guideline",
        "guideline_version",
        "before",
    }  # blind: no player, score or reward
    assert held["before"] is None
    vote = {"case": held["id"], "choice": "offensive"}
    for _ in range(2):
        assert bob.post(f"judge/{stage.id}/vote", vote).json() == {"held": None, "undo": None}
    assert bob.get("statement").json()["balance"] == 100
    stage.vote("beth", "offensive")
    seen = alice.get(f"{where}/{case}").json()
    assert (seen["truth"], seen["awarded"], seen["ruling"]) == ("offensive", 910, "ruled")
    known = olga.get(f"run/{stage.id}/cases/{case}").json()
    assert [vote["judge"] for vote in known["votes"]] == ["bob", "beth"]
    assert olga.get(f"run/{stage.id}/rulings", state="ruled").json()["count"] == 1
    for _ in range(2):
        paid = alice.post("payouts", key="pay").json()
        assert (paid["cents"], paid["state"]) == (18, "planned")
    assert Payout.objects.count() == 1
    lines = alice.get("statement").json()
    assert [line["points"] for line in lines["items"]] == [-900, 910]
    assert lines["balance"] == 10
    assert olga.get(f"run/{stage.id}/payouts").json()["items"] == [paid]
    ledger = olga.get(f"run/{stage.id}/ledger", limit=1000).json()["items"]
    assert {sum(entry["points"] for entry in item["entries"]) for item in ledger} == {0}
    assert len(ledger) == Posting.objects.filter(campaign=stage.id).count()
    stage.check_ledger()


def test_the_organisers_word_and_funds_count_once(stage, programs):
    olga = programs["organiser"]
    case = stage.submit("you are not from here").pk
    for name in ("bob", "beth"):
        stage.vote(name, "clean")
    why = {"why": "read it again"}
    assert programs["player"].post(f"play/{stage.id}/cases/{case}/appeal", why).json()["ruling"]
    assert olga.get(f"run/{stage.id}/cases", waiting=True).json()["items"][0]["id"] == case
    for _ in range(2):
        word = olga.post(f"run/{stage.id}/rulings/{case}", {"choice": "offensive"}, "word")
        assert (word.status_code, word.json()["state"]) == (200, "final")
    again = olga.post(f"run/{stage.id}/rulings/{case}", {"choice": "clean"}, "another")
    refused(again, 409, "not-referred")
    before = olga.get(f"run/{stage.id}").json()["budget"]
    for _ in range(2):
        funded = olga.post(f"run/{stage.id}/funds", {"points": 500}, "funds").json()
        assert funded["budget"] == before + 500
    other = olga.post(f"run/{stage.id}/funds", {"points": 700}, "funds")
    assert "belongs to another request" in refused(other, 422, "idempotency-key")
    refused(olga.post(f"run/{stage.id}/funds", {"points": 5}), 400, "idempotency-key")
    refused(olga.post(f"run/{stage.id}/funds", {"points": 5}, "x" * 65), 400, "idempotency-key")
    for state in ("closed", "open"):
        assert olga.post(f"run/{stage.id}/state", {"state": state}, state).json()["state"] == state
    stage.check_ledger()


def test_what_was_refused_kept_no_key_and_may_be_sent_again(stage, programs, monkeypatch):
    alice, where = programs["player"], f"play/{stage.id}/cases"
    ask = playing.ask

    def slow(*_):
        raise ModelError("the model did not answer within 1.5 seconds; try again in a moment")

    monkeypatch.setattr(playing, "ask", slow)
    refused(alice.post(where, {"case": "good"}, "k"), 503, "model")
    monkeypatch.setattr(playing, "ask", ask)
    assert alice.post(where, {"case": "good"}, "k").status_code == 200
    refused(alice.post(where, {"case": "other"}, "k"), 422, "idempotency-key")
    refused(alice.post("payouts", key="k"), 409, "too-little")
    assert not Reply.objects.exists()


def test_of_those_who_race_with_one_key_one_acts(both):
    program, start, said = Program(both.olga, "organiser"), threading.Barrier(6), []

    def race(_):
        start.wait()
        said.append(program.post(f"run/{both.id}/funds", {"points": 7}, "race").json())

    threads = [threading.Thread(target=both.in_thread(race), args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == [said[0]] * 6
    assert Posting.objects.filter(key__contains="/race").count() == 1


def test_a_token_opens_one_role_one_scope_and_one_campaign(stage):
    stage.submit("mine", "ann")
    reads = Program(stage.alice, "player", "read")
    refused(reads.post(f"play/{stage.id}/cases", {"case": "x"}, "k"), 403, "scope")
    assert "the token is for a player" in refused(reads.get("run"), 403, "role")
    assert reads.get("play").json()["count"] == 1
    assert reads.get(f"play/{stage.id}/cases").json() == {"items": [], "count": 0}
    theirs = Probe.objects.get().pk
    refused(reads.get(f"play/{stage.id}/cases/{theirs}"), 404, "not-found")
    elsewhere = Program(stage.alice, "player", resource=stage.id)
    Token.objects.filter(pk=elsewhere.row.pk).update(resource="another")
    refused(elsewhere.get(f"play/{stage.id}"), 404, "not-found")
    assert elsewhere.get("play").json()["count"] == 0
    assert elsewhere.get("account").json()["campaign"] == "another"


def test_consent_comes_first_and_who_watches_changes_nothing(stage, programs):
    Campaign.objects.update(consent="Your cases are kept for ten years.")
    for role, place in (("player", "play"), ("judge", "judge")):
        refused(programs[role].get(f"{place}/{stage.id}"), 403, "consent")
    record_consent(stage.campaign, stage.alice)
    assert programs["player"].get(f"play/{stage.id}").status_code == 200
    nora = organiser("nora")
    join(stage.id, nora, "watcher")
    watcher = Program(nora, "organiser", resource=stage.id)
    assert watcher.get("run").json()["count"] == 1
    assert watcher.get(f"run/{stage.id}").status_code == 200
    refused(watcher.post(f"run/{stage.id}/funds", {"points": 5}, "k"), 403, "watcher")


def test_a_token_ends(stage):
    program = Program(stage.olga, "organiser")
    assert program.get("run").status_code == 200
    used = Token.objects.get().used
    assert program.get("run").status_code == 200
    assert Token.objects.get().used == used  # kept once a minute, not with every request
    ends = {
        "revoked": {"revoked": timezone.now()},
        "too old": {"expires": timezone.now() - timedelta(seconds=1)},
    }
    for change in ends.values():
        Token.objects.update(**change)
        refused(program.get("run"), 401, "unauthorized")
        Token.objects.update(revoked=None, expires=timezone.now() + timedelta(days=1))
    User.objects.filter(username="olga").update(is_active=False)
    refused(program.get("run"), 401, "unauthorized")
    User.objects.filter(username="olga").update(is_active=True)
    Seat.objects.all().delete()
    refused(program.get("run"), 403, "role")
    assert "WWW-Authenticate" in Client().get("/api/run")


def test_only_a_digest_of_a_token_is_kept(stage):
    row, words = make_token(stage.alice, "player", label="tool")
    assert row.digest == hashlib.sha256(words.encode()).hexdigest()
    kept = " ".join(str(value) for value in Token.objects.values_list().get())
    assert words not in kept
    assert find_token(words) == row
    assert find_token(words + "x") is None
    for wrong in (
        {"role": "judge"},
        {"role": "player", "scope": "all"},
        {"role": "player", "days": 0},
        {"role": "player", "label": " "},
        {"role": "player", "resource": "none"},
    ):
        with pytest.raises(InputError):
            make_token(stage.alice, **{"label": "tool", **wrong})


def test_guessing_tokens_ends_at_the_limit_and_harms_no_token_that_holds(stage, monkeypatch):
    monkeypatch.setattr("askpoint.server.api.access._BY_ADDRESS", 3)
    program = Program(stage.olga, "organiser")
    guesser = Client(headers={"Authorization": "Bearer askpoint_guess"})
    statuses = [guesser.get("/api/run").status_code for _ in range(5)]
    assert statuses == [401] * 3 + [429] * 2
    assert program.get("run").status_code == 200


@pytest.mark.parametrize(
    ("body", "sent_as", "status", "rule"),
    [
        (b'{"case": ', "application/json", 400, "json"),
        (b'{"case": NaN}', "application/json", 400, "json"),
        (b'{"case": "a\\u0000b"}', "application/json", 400, "json"),
        (b'{"case": "\\ud800"}', "application/json", 400, "json"),
        (b"[" * 5000, "application/json", 400, "json"),
        (b'{"case": {"a": ' + b"9" * 5000 + b"}}", "application/json", 400, "json"),
        (b"\xff\xfe", "application/json", 400, "json"),
        (b'{"case": 5}', "application/json", 422, "input"),
        (b'{"else": 5}', "application/json", 422, "input"),
        (b'{"case": "good", "submit": true}', "application/json", 422, "input"),
        (b"[]", "application/json", 422, "input"),
        (b'{"case": " "}', "application/json", 422, "input"),
        (b"x" * 2_000_000, "application/json", 413, "request-entity-too-large"),
        (b"case=x", "application/x-www-form-urlencoded", 415, "content-type"),
        (b"--x\r\n", "multipart/form-data; boundary=x", 415, "content-type"),
    ],
)
def test_what_cannot_be_read_is_refused_in_json(body, sent_as, status, rule, stage, programs):
    browser, path = programs["player"].browser, f"/api/play/{stage.id}/cases"
    answer = browser.generic("POST", path, body, sent_as, headers={"Idempotency-Key": "k"})
    assert refused(answer, status, rule)
    assert not Probe.objects.exists()


def test_an_address_that_is_none_and_a_method_that_is_none(stage, programs):
    alice = programs["player"].browser
    refused(alice.get("/api/none"), 404, "not-found")
    refused(alice.get("/api/play?limit=0"), 422, "input")
    assert "limit, offset" in refused(alice.get("/api/play?limits=1"), 422, "input")
    refused(alice.get("/api/play?offset=99999999999999999999"), 422, "input")
    refused(alice.get("/api/play/%00"), 400, "bad-request")
    gone = alice.delete("/api/play")
    refused(gone, 405, "method-not-allowed")
    assert gone["Allow"] == "GET"


def test_a_failure_of_the_server_is_said_in_json_without_its_words(stage, monkeypatch):
    from askpoint.arena.server.api import account_routes

    def crash(*_):
        raise OSError("the disk is full")

    program = Program(stage.olga, "organiser")
    monkeypatch.setattr(account_routes, "choose_workspace", crash)
    program.browser.raise_request_exception = False
    assert "disk" not in refused(program.get("statement"), 500, "internal-server-error")


def test_without_wings_it_is_for_those_who_use_a_classifier(sqlite, monkeypatch):
    in_use = InUse()
    with monkeypatch.context() as patch:
        for module in (json_api, openapi, roles):
            patch.setattr(module, "server_parts", tuple)
        prefixes = {prefix for prefix, _ in json_api._list_routers()}
        about, known = openapi.describe_api(), list(roles.token_roles.__wrapped__())
    assert prefixes == {"account", "agents", "classifiers", "review"}
    assert about.startswith("For programs of those who use a classifier.")
    assert known == ["owner", "reviewer", "viewer", "agent"]
    row, _ = make_token(in_use.wanda, "owner", label="x", resource=in_use.id)
    said = asdict(core_routes.account(SimpleNamespace(auth=row)))
    assert (said["name"], said["role"], said["campaign"]) == ("wanda", "owner", in_use.id)
    whole = Program(in_use.wanda, "owner", resource=in_use.id).get("account").json()
    assert whole.keys() - said.keys() == {"balances"}  # what the arena adds


def test_a_token_of_a_role_that_is_gone_opens_nothing(stage, programs):
    Token.objects.filter(pk=programs["player"].row.pk).update(role="referee")
    assert "no such role" in refused(programs["player"].get("account"), 403, "role")


def test_a_long_list_is_turned_over(stage, programs):
    keys = [stage.submit(f"case number {number}, oh dear").pk for number in range(5)]
    path = f"play/{stage.id}/cases"
    parts = [programs["player"].get(path, limit=2, offset=start).json() for start in range(0, 6, 2)]
    assert [part["count"] for part in parts] == [5] * 3
    assert [item["id"] for part in parts for item in part["items"]] == keys[::-1]
    ruled = programs["organiser"].get(f"run/{stage.id}/rulings", limit=1, offset=1).json()
    assert ruled["items"][0]["id"] == Ruling.objects.order_by("opened")[1].pk


def test_a_token_is_made_shown_once_and_revoked_on_its_page(stage, enter):
    browser = enter(stage.alice)
    form = {"label": "my tool", "role": "player", "scope": "read", "resource": "", "days": "30"}
    assert browser.post("/tokens/", {**form, "role": "organiser"}).status_code == 422
    assert browser.post("/tokens/", {**form, "days": "9" * 5000}).status_code == 422
    page = browser.post("/tokens/", form).content.decode()
    words = page.split('class="secret">')[1].split("<")[0]
    row = find_token(words)
    assert (row.user, row.label, row.role, row.scope) == (stage.alice, "my tool", "player", "read")
    assert words not in browser.get("/tokens/").content.decode()
    enter(stage.ann).post(f"/tokens/{row.pk}/revoke/")  # another's
    assert find_token(words) == row
    browser.post(f"/tokens/{row.pk}/revoke/")
    assert find_token(words) is None
    assert "revoked" in browser.get("/tokens/").content.decode()


def test_who_runs_the_server_makes_lists_and_revokes_tokens(stage, monkeypatch):
    monkeypatch.setattr(server_folder, "open_database", lambda *_: "")

    def run(*words):
        done = CliRunner().invoke(main, ["token", *words])
        return done.exit_code, done.output.strip()

    role = ("--role", "player", "--label", "a nightly export")
    code, words = run("add", "alice", *role, "--campaign", stage.id, "--days", "30")
    row = find_token(words)
    assert (code, row.user, row.scope, row.resource) == (0, stage.alice, "read", stage.id)
    listed = run("list")[1]
    assert listed.startswith(f"{row.pk} alice: a nightly export: player, read in {stage.id}, until")
    assert words not in listed
    assert run("revoke", "ann", str(row.pk))[0] == 2  # another's
    assert run("revoke", "alice", str(row.pk))[0] == 0
    assert find_token(words) is None
    assert run("list") == (0, "")
    assert "there is no account" in run("add", "nobody", *role)[1]
    assert "a role of alice" in run("add", "alice", "--role", "judge", "--label", "x")[1]
