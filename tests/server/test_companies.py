"""Sign-in by a company's OpenID Connect: joined by its person, never by an address, and no way in without a link."""

from __future__ import annotations

import json

import httpx
import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.test import override_settings

from askpoint.errors import InputError
from askpoint.server.accounts.companies import form_origins, read_companies
from askpoint.server.accounts.models import User
from server.openid_provider import Company

GOOD = "correct horse battery"


@pytest.fixture
def company(tmp_path, monkeypatch):
    """A company whose people may sign in here."""
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")  # it speaks http on this machine
    made = Company()
    made.back = "http://testserver/sign-in/by/acme/back/"
    known = {
        "openid_connect": {
            "APPS": read_companies([made.file(tmp_path)]),
            "OAUTH_PKCE_ENABLED": True,
        }
    }
    with override_settings(SOCIALACCOUNT_PROVIDERS=known):
        yield made
    made.close()


def through(browser, *, process="login"):
    """Press the company's button, and come back from there."""
    there = browser.post(f"/sign-in/by/acme/?process={process}")
    assert there.status_code == 302, there.content
    back = httpx.get(there["Location"], follow_redirects=False).headers["Location"]
    return browser.get(back.removeprefix("http://testserver"))


def joined(stage, enter, company):
    """Join alice's account, by alice, who says the password once more."""
    stage.alice.set_password(GOOD)
    stage.alice.save()
    browser = enter()
    browser.post("/sign-in/", {"login": "alice", "password": GOOD})
    browser.post("/account/again/", {"password": GOOD})
    answer = through(browser, process="connect")
    assert answer.status_code == 302
    assert answer["Location"] == "/account/companies/"
    return browser


def test_who_joined_a_company_signs_in_by_it(stage, enter, company):
    browser = joined(stage, enter, company)
    page = browser.get("/account/companies/").content.decode()
    assert "Acme: acme-7" in page
    fresh = enter()
    assert b"Sign in with Acme" in fresh.get("/sign-in/").content
    assert through(fresh)["Location"] == "/"
    assert b"alice" in fresh.get("/account/").content
    assert not EmailAddress.objects.exists()  # claims without an address are enough


def test_an_equal_address_is_nobodys_way_in(stage, enter, company):
    EmailAddress.objects.create(
        user=stage.alice, email="alice@acme.example", verified=True, primary=True
    )
    company.claims = {"sub": "acme-8", "email": "alice@acme.example", "email_verified": True}
    people = User.objects.count()
    browser = enter()
    answer = through(browser)
    assert b"No account is joined to this sign-in" in answer.content
    assert browser.get("/account/").status_code == 302
    assert (User.objects.count(), SocialAccount.objects.count()) == (people, 0)


def test_joining_needs_the_password_again(stage, enter, company):
    stage.alice.set_password(GOOD)
    stage.alice.save()
    browser = enter()
    browser.post("/sign-in/", {"login": "alice", "password": GOOD})
    session = browser.session
    session["account_authentication_methods"] = []
    session.save()
    assert through(browser, process="connect")["Location"].startswith("/account/again/")
    assert not SocialAccount.objects.exists()


def test_another_person_of_the_company_is_somebody_else(stage, enter, company):
    joined(stage, enter, company)
    company.claims = {"sub": "acme-9"}
    assert b"No account is joined" in through(enter()).content
    browser = enter()
    there = browser.post("/sign-in/by/acme/")
    forged = (
        "/sign-in/by/acme/back/?code=made-up&state="
        + there["Location"].split("state=")[1].split("&")[0]
    )
    assert b"did not work" in browser.get(forged).content
    assert browser.get("/account/").status_code == 302


def test_a_company_that_is_down_is_named_as_such(stage, enter, company):
    company.broken = True
    answer = enter().post("/sign-in/by/acme/")
    assert b"did not work" in answer.content
    assert enter().get("/sign-in/by/nobody/").status_code == 404


def test_a_form_may_lead_to_the_company_and_nowhere_else(stage, enter, company):
    policy = enter().get("/sign-in/")["Content-Security-Policy"]
    assert f"form-action 'self' {company.address};" in policy
    assert form_origins() == [company.address]


def test_leaving_a_company_is_told(stage, enter, company):
    browser = joined(stage, enter, company)
    row = SocialAccount.objects.get()
    assert browser.post("/account/companies/", {"account": row.pk}).status_code == 302
    assert not SocialAccount.objects.exists()


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ({"server": "http://login.acme.example"}, "must begin with https://"),
        ({"id": "a/b"}, "letters, digits and hyphens"),
        ({"secret": ""}, "must hold the texts"),
        ({"more": "x"}, "must hold the texts"),
    ],
)
def test_a_file_of_a_company_is_checked(other, says, tmp_path):
    path = tmp_path / "acme.json"
    said = {
        "id": "acme",
        "name": "Acme",
        "server": "https://login.acme.example",
        "client_id": "a",
        "secret": "b",
    }
    path.write_text(json.dumps(said), "utf-8")
    assert read_companies([path])[0]["name"] == "Acme"
    path.write_text(json.dumps(said | other), "utf-8")
    with pytest.raises(InputError, match=says):
        read_companies([path])


def test_a_file_that_is_none_is_refused(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_companies([tmp_path / "none.json"])
    (tmp_path / "x.json").write_text("{", "utf-8")
    with pytest.raises(InputError, match="is not JSON"):
        read_companies([tmp_path / "x.json"])
