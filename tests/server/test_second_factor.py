"""Codes of a second factor: who needs one, that each works once, and that no mail or link goes around it."""

from __future__ import annotations

import re
import smtplib
import threading
import time
from dataclasses import replace

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth
from click.testing import CliRunner
from django.conf import settings
from django.core.cache import cache

from askpoint.cli import server_folder
from askpoint.cli.main import main
from askpoint.server.accounts.models import Seat
from askpoint.server.accounts.people import reset_path
from askpoint.server.accounts.second_factor import has_factor, needs_factor
from askpoint.server.options import Options
from server.stage import organiser

GOOD, OTHER = "correct horse battery", "a better one, far longer"
NEW = {"password1": OTHER, "password2": OTHER}


@pytest.fixture
def required(monkeypatch):
    """A server that asks whoever owns or pays for a second factor, as one with a public address does."""
    monkeypatch.setattr(settings, "ASKPOINT", replace(settings.ASKPOINT, second_factor="required"))


def signed_in(enter, user, password=GOOD):
    user.set_password(password)
    user.save()
    browser = enter()
    assert (
        browser.post("/sign-in/", {"login": user.username, "password": password}).status_code == 302
    )
    return browser


def code_of(secret, ago=0):
    return auth.format_hotp_value(auth.hotp_value(secret, int(time.time() // 30) - ago))


def set_up(browser):
    """Turn a second factor on; the secret, and the recovery codes."""
    browser.post("/account/again/", {"password": GOOD})
    page = browser.get("/account/code/").content.decode()
    secret = re.search(r"Secret: <code>(\w+)</code>", page)[1]
    assert "data:image/svg+xml" in page
    answer = browser.post("/account/code/", {"code": code_of(secret, 1)})
    assert answer["Location"] == "/account/codes/"
    return secret, re.findall(
        r"<code>(\d{8})</code>", browser.get("/account/codes/").content.decode()
    )


def test_a_code_is_asked_for_after_the_password(stage, enter):
    secret, spare = set_up(signed_in(enter, stage.alice))
    assert len(spare) == 10
    assert secret not in str(Authenticator.objects.values_list("data"))  # sealed
    browser = enter()
    answer = browser.post("/sign-in/", {"login": "alice", "password": GOOD})
    assert answer["Location"] == "/sign-in/code/"
    assert browser.get("/account/").status_code == 302
    assert b"Incorrect code" in browser.post("/sign-in/code/", {"code": "000000"}).content
    code = code_of(secret)
    assert browser.post("/sign-in/code/", {"code": code})["Location"] == "/"
    assert b"you sign in with your password and a code" in browser.get("/account/").content
    cache.clear()  # as in another process
    again = enter()
    again.post("/sign-in/", {"login": "alice", "password": GOOD})
    assert b"used already" in again.post("/sign-in/code/", {"code": code}).content
    assert again.post("/sign-in/code/", {"code": spare[0]}).status_code == 302
    third = enter()
    third.post("/sign-in/", {"login": "alice", "password": GOOD})
    assert b"code" in third.post("/sign-in/code/", {"code": spare[0]}).content
    assert third.get("/account/").status_code == 302


def test_guessing_codes_ends_at_the_limit_for_all_browsers(stage, enter):
    secret, _ = set_up(signed_in(enter, stage.alice))
    for _ in range(5):
        browser = enter()
        browser.post("/sign-in/", {"login": "alice", "password": GOOD})
        for _ in range(2):
            browser.post("/sign-in/code/", {"code": "000000"})
    assert b"too often" in browser.post("/sign-in/code/", {"code": code_of(secret)}).content
    assert browser.get("/account/").status_code == 302


def test_of_those_who_race_with_one_code_one_gets_in(both, enter):
    secret, _ = set_up(signed_in(enter, both.alice))
    browsers = [enter() for _ in range(4)]
    for browser in browsers:
        browser.post("/sign-in/", {"login": "alice", "password": GOOD})
    cache.clear()
    code, start, got = code_of(secret), threading.Barrier(4), []

    def race(browser):
        start.wait()
        got.append(browser.post("/sign-in/code/", {"code": code}).status_code)

    threads = [threading.Thread(target=both.in_thread(race), args=(one,)) for one in browsers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == [200, 200, 200, 302]


def test_whoever_pays_or_owns_sends_nothing_without_a_fresh_code(stage, enter, required):
    Seat.objects.filter(user=stage.olga).update(pays=True)
    browser = signed_in(enter, stage.olga)
    assert b"set up a second factor" in browser.get("/account/").content
    doors = ("/payouts/", "/tokens/", "/webhooks/", f"/run/{stage.id}/budget/")
    for path in doors:
        assert browser.get(path).status_code == 200
        assert browser.post(path, {"action": "plan"})["Location"] == f"/account/code/?next={path}"
    _, spare = set_up(browser)
    session = browser.session
    session["account_authentication_methods"] = []  # some time later
    session.save()
    answer = browser.post("/payouts/", {"action": "plan"}, follow=True)
    assert b"Nothing was sent: enter a code" in answer.content
    browser.post("/account/again/code/?next=/payouts/", {"code": spare[0]})
    assert browser.post("/payouts/", {"action": "plan"})["Location"] == "/payouts/"
    assert b"payouts are planned" in browser.get("/payouts/").content


def test_an_owner_changes_seats_with_a_code_only(stage, enter, required):
    ada = organiser("ada", role="owner")
    browser = signed_in(enter, ada)
    form = {"invite": "1", "role": "watcher", "note": "x"}
    assert "/account/code/" in browser.post("/workspaces/main/", form)["Location"]
    set_up(browser)
    session = browser.session
    marks = session["account_authentication_methods"]
    session["account_authentication_methods"] = [*marks, {"method": "mfa", "at": time.time()}]
    session.save()
    assert browser.post("/workspaces/main/", form)["Location"] == "/workspaces/main/"
    session["account_authentication_methods"] = [{"method": "mfa", "at": time.time() - 601}]
    session.save()
    assert "/account/again/code/" in browser.post("/workspaces/main/", form)["Location"]
    session["account_authentication_methods"] = [{"method": "mfa", "at": time.time() + 601}]
    session.save()  # a clock that was set back makes no code fresh
    assert "/account/again/code/" in browser.post("/workspaces/main/", form)["Location"]


def test_players_and_servers_of_one_machine_need_none(stage, enter, required, monkeypatch):
    assert not needs_factor(stage.alice)
    monkeypatch.setattr(settings, "ASKPOINT", replace(settings.ASKPOINT, second_factor="offered"))
    assert not needs_factor(organiser("ada", role="owner"))
    base = {"database": "sqlite:///x", "secret": "x", "sockets": "x"}
    assert Options(**base).factor == "offered"
    assert Options(**base, url="https://x.example").factor == "required"
    assert Options(**base, url="https://x.example", second_factor="offered").factor == "offered"


def test_a_link_does_not_go_around_the_second_factor(stage, enter):
    secret, _ = set_up(signed_in(enter, stage.alice))
    stage.alice.refresh_from_db()
    browser = enter()
    there = browser.get(reset_path(stage.alice))["Location"]
    assert browser.post(there, NEW)["Location"] == "/sign-in/code/"
    assert browser.get("/account/").status_code == 302
    assert browser.post("/sign-in/code/", {"code": code_of(secret)}).status_code == 302
    assert browser.get("/account/").status_code == 200


def test_it_is_removed_with_the_password_and_told(stage, enter):
    browser = signed_in(enter, stage.alice)
    set_up(browser)
    session = browser.session
    session["account_authentication_methods"] = []
    session.save()
    answer = browser.post("/account/code/remove/")
    assert "/account/again" in answer["Location"]
    assert has_factor(stage.alice)
    browser.post("/account/again/", {"password": GOOD})
    assert browser.post("/account/code/remove/")["Location"] == "/account/"
    assert not has_factor(stage.alice)


def test_who_lost_it_asks_who_runs_the_server(stage, enter, monkeypatch):
    monkeypatch.setattr(server_folder, "open_database", lambda *_: "")
    set_up(signed_in(enter, stage.alice))
    run = CliRunner().invoke
    assert "by the password alone" in run(main, ["user", "drop-factor", "alice"]).output
    assert "no second factor" in run(main, ["user", "drop-factor", "alice"]).output
    browser = signed_in(enter, stage.alice)
    assert b"Second factor removed" in browser.get("/account/").content


def test_guessing_the_password_again_ends_at_the_limit(stage, enter):
    browser = signed_in(enter, stage.alice)
    statuses = [browser.post("/account/again/", {"password": "no"}).status_code for _ in range(11)]
    assert statuses == [200] * 10 + [429]


@pytest.fixture
def post(monkeypatch):
    """A server of mail; what it was given."""
    sent, problems = [], []

    class Wire:
        def __init__(self, *_, **__):
            return

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return

        def ehlo(self):
            return

        def has_extn(self, _):
            return False

        def send_message(self, mail):
            if problems:
                raise smtplib.SMTPRecipientsRefused({mail["To"]: (550, b"no such mailbox")})
            sent.append((mail["To"], mail["Subject"], mail.get_content()))

    monkeypatch.setattr(smtplib, "SMTP", Wire)
    monkeypatch.setenv("ASKPOINT_SMTP", "smtp://mail.example:25")
    monkeypatch.setattr("askpoint.server.accounts.adapters.threading.Thread", Now)
    Wire.sent, Wire.problems = sent, problems
    return Wire


class Now:
    """A thread that is over when it was started."""

    def __init__(self, target, args):
        self.start = lambda: target(*args)


def confirmed(browser, post, address="alice@example.org"):
    browser.post("/account/again/", {"password": GOOD})
    browser.post("/account/mail/", {"email": address, "action_add": "1"})
    to, subject, text = post.sent[-1]
    assert (to, subject) == (address, "Confirm your mail address")
    path = re.search(r"http://testserver(/account/mail/\S+)", text)[1]
    assert b"will be the address of alice" in browser.get(path).content
    assert browser.post(path).status_code == 302


def test_a_link_goes_to_the_confirmed_address_alone(stage, enter, post):
    browser = signed_in(enter, stage.alice)
    asked = lambda address: enter().post("/sign-in/forgotten/", {"email": address})  # noqa: E731
    EmailAddress.objects.create(user=stage.alice, email="not-yet@example.org", verified=False)
    assert asked("not-yet@example.org")["Location"] == "/sign-in/sent/"
    assert asked("nobody@example.org")["Location"] == "/sign-in/sent/"
    assert post.sent == []
    EmailAddress.objects.all().delete()
    confirmed(browser, post)
    post.sent.clear()
    assert asked("Alice@example.org")["Location"] == "/sign-in/sent/"
    [(to, _, text)] = post.sent
    assert to == "alice@example.org"
    path = re.search(r"http://testserver(/reset/\S+)", text)[1]
    there = enter()
    form = there.get(path)["Location"]
    assert there.post(form, NEW).status_code == 302
    assert b"Password link" in there.get("/account/").content
    assert enter().get(path).status_code == 410
    assert browser.get("/account/").status_code == 302


def test_an_address_needs_the_password_again(stage, enter, post):
    browser = signed_in(enter, stage.alice)
    answer = browser.post("/account/mail/", {"email": "mallory@example.org", "action_add": "1"})
    assert "/account/again/" in answer["Location"]
    assert not EmailAddress.objects.exists()


def test_asking_for_links_has_a_limit(stage, enter, post):
    confirmed(signed_in(enter, stage.alice), post)
    post.sent.clear()
    form = {"email": "alice@example.org"}
    statuses = [enter().post("/sign-in/forgotten/", form).status_code for _ in range(4)]
    assert statuses == [302, 302, 302, 429]
    assert len(post.sent) == 3


def test_mail_that_bounces_is_logged_and_the_page_says_the_same(stage, enter, post, caplog):
    confirmed(signed_in(enter, stage.alice), post)
    post.problems.append(1)
    answer = enter().post("/sign-in/forgotten/", {"email": "alice@example.org"})
    assert answer["Location"] == "/sign-in/sent/"
    assert "'alice@example.org' was not sent" in caplog.text
    assert "/reset/" not in caplog.text


def test_what_others_do_to_an_account_is_mailed_to_its_person(stage, enter, post, monkeypatch):
    monkeypatch.setattr(server_folder, "open_database", lambda *_: "")
    confirmed(signed_in(enter, stage.alice), post)
    post.sent.clear()
    CliRunner().invoke(main, ["user", "reset-link", "alice"])
    [(to, subject, text)] = post.sent
    assert to == "alice@example.org"
    assert subject.startswith("Password link, by (command line)")
    assert "/reset/" not in text


def test_without_a_server_of_mail_there_is_no_page_for_it(stage, enter, monkeypatch):
    monkeypatch.delenv("ASKPOINT_SMTP", raising=False)
    assert enter().get("/sign-in/forgotten/").status_code == 404
    assert b"The administrator of this server can make one" in enter().get("/sign-in/").content
