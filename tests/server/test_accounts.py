"""Names that are one, passwords that are changed, and what the one who runs the server may do."""

from __future__ import annotations

import re
import threading

import pytest
from click.testing import CliRunner

from askpoint.cli import server_folder
from askpoint.cli.main import main
from askpoint.errors import InputError
from askpoint.server.accounts.models import User
from askpoint.server.accounts.names import fold_case, is_reserved, skeleton
from askpoint.server.accounts.people import (
    keep_person,
    new_person,
    problems_of,
    reset_path,
)
from askpoint.server.api.tokens import find_token, make_token

GOOD, OTHER = "correct horse battery", "a better one, far longer"


# from Unicode's technical standard 39, and its table confusables.txt
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("paypal", "p\u0430yp\u0430l"),  # Cyrillic
        ("scope", "\u0455\u0441\u043e\u0440\u0435"),  # all of it
        ("alice", "aIice"),  # a capital i
        ("paul", "pau1"),
        ("bob", "b0b"),
        ("modern", "modem"),
        ("Alice", "ALICE"),
        ("strasse", "straße"),
        ("müller", "mu\u0308ller"),
        ("alice", "\uff41lice"),  # wide
    ],
)
def test_names_that_look_alike_are_one(one, other):
    assert one != other
    assert fold_case(one) == fold_case(other) or skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"), [("ann", "anna"), ("ann", "anne"), ("user-2", "user-3"), ("иван", "иvan-2")]
)
def test_names_that_differ_are_two(one, other):
    assert not {fold_case(one), skeleton(one)} & {fold_case(other), skeleton(other)}


@pytest.mark.parametrize("name", ["admin", "ROOT", "\u0430skpoint", "Y0u", "jUdge"])
def test_reserved_names_are_nobodys(name, sqlite):
    assert is_reserved(name)
    assert "would pass for" in problems_of(new_person(name), None)["username"][0]


def test_a_look_alike_cannot_join_or_be_kept(stage):
    for name in ("Alice", "a1ice", "\u0430lice", "alice "):
        assert "looks like one" in problems_of(new_person(name), GOOD)["username"][0]
        with pytest.raises(InputError, match="looks like one"):
            keep_person(new_person(name))
    assert problems_of(new_person("alison"), GOOD) == {}
    assert new_person(" \uff21da ").username == "Ada"
    assert "too long" in problems_of(new_person("\u0390" * 150 + "x" * 60), None)["username"][
        -1
    ] or ("at most 150" in problems_of(new_person("\u0390" * 150 + "x" * 60), None)["username"][0])


def test_of_those_who_race_for_a_look_one_gets_it(both):
    names = ["zoe0", "zoeO", "zoeo", "ZOE0"]
    start, kept = threading.Barrier(len(names)), []

    def race(name):
        start.wait()
        try:
            kept.append(keep_person(new_person(name)))
        except InputError:
            return

    threads = [threading.Thread(target=both.in_thread(race), args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(kept) == 1


def test_people_sign_in_in_any_case(stage, enter):
    User.objects.create_user("Dora", password=GOOD)
    for name in ("Dora", "dora", "DORA"):
        there = enter().post("/sign-in/", {"login": name, "password": GOOD})
        assert there.status_code == 302


def test_a_password_is_changed_by_the_old_one(stage, enter):
    stage.alice.set_password(GOOD)
    stage.alice.save()
    browser, other = enter(stage.alice), enter(stage.alice)
    form = {"oldpassword": GOOD, "password1": OTHER, "password2": OTHER}
    for wrong in ({"oldpassword": "no"}, {"password2": "x"}, {"password1": "short"}):
        assert browser.post("/account/", {**form, **wrong}).status_code == 422
    assert browser.post("/account/", form).status_code == 302
    assert b"other browsers are signed out" in browser.get("/account/").content
    assert other.get("/account/").status_code == 302
    assert enter().post("/sign-in/", {"login": "alice", "password": OTHER}).status_code == 302


@pytest.mark.parametrize(
    ("password", "says"),
    [
        ("short", "too short"),
        ("password1", "too common"),
        ("konstantin1", "too similar to the username"),
        ("5f1c9a0b2e77", "too similar to the participant"),
    ],
)
def test_passwords_that_can_be_guessed_are_refused(password, says, sqlite):
    user = new_person("Konstantin")
    user.participant = "5f1c9a0b2e77"
    assert says in " ".join(problems_of(user, password)["password"])
    assert "password" not in problems_of(user, GOOD)


def token_of(user, role="player"):
    return make_token(user, role, label="a tool")[1]


def opens(words):
    return find_token(words) is not None


def test_a_new_password_ends_the_tokens_unless_they_are_kept(stage, enter):
    stage.alice.set_password(GOOD)
    stage.alice.save()
    browser, first, others = enter(stage.alice), token_of(stage.alice), token_of(stage.bob, "judge")
    form = {"oldpassword": GOOD, "password1": OTHER, "password2": OTHER}
    assert b'name="end_tokens"' in browser.get("/account/").content
    browser.post("/account/", {**form, "password2": "x", "end_tokens": "on"})
    assert opens(first)  # nothing was changed
    browser.post("/account/", form)
    assert opens(first)
    form = {"oldpassword": OTHER, "password1": GOOD, "password2": GOOD}
    assert (
        b"1 token opens nothing"
        in browser.post("/account/", {**form, "end_tokens": "on"}, follow=True).content
    )
    assert not opens(first)
    assert opens(others)
    assert b"What others did" not in browser.get("/account/").content


def test_a_reset_ends_browsers_and_tokens_and_is_told(stage, enter, said):
    old, words = enter(stage.alice), token_of(stage.alice)
    path = re.search(r"http://127.0.0.1:8000(/reset/\S+)", said("reset-link", "alice"))[1]
    browser = enter()
    there = browser.get(path)["Location"]
    browser.post(there, {"password1": OTHER, "password2": OTHER})
    assert old.get("/account/").status_code == 302
    assert not opens(words)
    page = browser.get("/account/").content.decode()
    assert page.index("What others did to this account") < page.index("Password link")
    assert "by (command line)" in page
    words = token_of(stage.alice)
    said("password", "alice", typed=f"{GOOD}\n{GOOD}\n")
    assert not opens(words)
    assert browser.get("/account/").status_code == 302


def test_guessing_the_old_password_ends_at_the_limit(stage, enter):
    stage.alice.set_password(GOOD)
    stage.alice.save()
    browser = enter(stage.alice)
    form = {"oldpassword": "no", "password1": OTHER, "password2": OTHER}
    statuses = [browser.post("/account/", form).status_code for _ in range(11)]
    assert statuses == [422] * 10 + [429]


def test_a_reset_link_works_once_and_for_a_day(stage, enter, monkeypatch):
    stage.alice.set_password(GOOD)
    stage.alice.save()
    path, new = reset_path(stage.alice), {"password1": OTHER, "password2": OTHER}
    assert enter().get(path[:-2] + "/").status_code == 410
    browser = enter()
    there = browser.get(path)["Location"]
    assert path.split("/")[3] not in there  # no address holds what it takes
    assert browser.post(there, {**new, "password2": "other"}).status_code == 422
    assert browser.post(there, new).status_code == 302
    assert browser.get("/").status_code == 200
    assert enter().get(path).status_code == 410
    assert enter().post("/sign-in/", {"login": "alice", "password": OTHER}).status_code == 302

    from datetime import datetime, timedelta

    from allauth.account.forms import default_token_generator

    stage.alice.refresh_from_db()
    path = reset_path(stage.alice)
    tomorrow = datetime.now() + timedelta(days=1, minutes=1)  # noqa: DTZ005 - as Django counts
    monkeypatch.setattr(default_token_generator, "_now", lambda: tomorrow)
    assert enter().get(path).status_code == 410


@pytest.fixture
def said(monkeypatch, stage):
    """Run `askpoint user` on the stage's database; what it says."""
    monkeypatch.setattr(server_folder, "open_database", lambda *_: "")

    def run(*words, code=0, typed=None):
        result = CliRunner().invoke(main, ["user", *words], input=typed)
        assert result.exit_code == code, result.output
        return result.output

    return run


def test_who_runs_the_server_adds_an_organiser(said, enter):
    words = said("add", "Nina", "--url", "https://play.example.org/")
    path = re.search(r"https://play.example.org(/reset/\S+)", words)[1]
    browser = enter()
    there = browser.get(path)["Location"]
    browser.post(there, {"password1": GOOD, "password2": GOOD})
    assert browser.get("/run/models/").status_code == 200
    assert "Nina: organiser in main, since" in said("list")
    for name, says in (("nina", "looks like one"), ("support", "would pass"), ("a b", "valid")):
        assert says in said("add", name, code=2)
    assert "http(s)://" in said("add", "pia", "--url", "play.example.org", code=2)
    assert not User.objects.filter(username="pia").exists()


def test_a_role_is_given_and_taken(said, enter, stage):
    said("role", "CHARLIE", "organiser")
    assert enter(stage.charlie).get("/run/models/").status_code == 200
    said("role", "charlie", "none")
    assert enter(stage.charlie).get("/run/models/").status_code == 404
    assert "there is no account 'nobody-here'" in said("role", "nobody-here", "none", code=2)


def test_a_password_is_set_without_being_shown(said, enter):
    assert GOOD not in said("password", "charlie", typed=f"{GOOD}\n{GOOD}\n")
    assert enter().post("/sign-in/", {"login": "charlie", "password": GOOD}).status_code == 302
    assert "too short" in said("password", "charlie", typed="x\n", code=2)
    assert "not the same" in said("password", "charlie", typed=f"{OTHER}\n{GOOD}\n", code=2)
    assert enter().post("/sign-in/", {"login": "charlie", "password": OTHER}).status_code == 200


def test_a_closed_account_is_signed_out_at_once(said, enter, stage):
    stage.alice.set_password(GOOD)
    stage.alice.save()
    browser, right = enter(stage.alice), {"login": "alice", "password": GOOD}
    said("disable", "Alice")
    assert browser.get("/").status_code == 302
    assert enter().post("/sign-in/", right).status_code == 200
    assert "is closed" in said("reset-link", "alice", code=2)
    assert "alice: closed" in said("list")
    said("enable", "alice")
    assert enter().post("/sign-in/", right).status_code == 302
    assert "/reset/" in said("reset-link", "alice")
