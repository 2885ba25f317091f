"""One-time links, accounts, signing in."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.utils import timezone

from askpoint.arena.server.rulings.pools import role_in
from askpoint.errors import RuleError
from askpoint.server.accounts.models import Invitation, Seat, User
from askpoint.server.accounts.services import accept_invitation, find_invitation, invite, token_of
from server.stage import TITLE

NEW = {"name": "dora", "password": "correct horse battery"}


def test_a_link_makes_an_account_with_its_role_once(stage, enter):
    url = f"/join/{token_of(invite('main', 'player', campaign=stage.id))}/"
    assert TITLE in enter().get(url).content.decode()
    browser = enter()
    assert browser.post(url, NEW).status_code == 302
    assert role_in(stage.id, User.objects.get(username="dora")) == "player"
    assert browser.get(f"/play/{stage.id}/").status_code == 200
    again = enter().post(url, {**NEW, "name": "eve"})
    assert again.status_code == 410
    assert b"already been used" in again.content
    assert not User.objects.filter(username="eve").exists()


def test_a_link_is_accepted_by_who_is_signed_in(stage, enter):
    url = f"/join/{token_of(invite('main', 'judge', campaign=stage.id))}/"
    assert enter(stage.charlie).post(url).status_code == 302
    assert role_in(stage.id, stage.charlie) == "judge"


def test_a_link_to_the_other_pool_is_refused_and_still_works_for_others(stage, enter):
    url = f"/join/{token_of(invite('main', 'judge', campaign=stage.id))}/"
    answer = enter(stage.alice).post(url)
    assert answer.status_code == 422
    assert b"players and judges are separate" in answer.content
    assert enter(stage.charlie).post(url).status_code == 302


def test_the_first_organiser_comes_in_by_a_link(stage, enter):
    browser = enter()
    browser.post(f"/join/{token_of(invite('main', 'owner'))}/", NEW)
    assert Seat.objects.get(user__username="dora").role == "owner"
    assert browser.get("/run/models/").status_code == 200


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"name": "dora", "password": "short"}, "at least 8 characters"),
        ({"name": "dora", "password": "password1"}, "too common"),
        ({"name": "alice", "password": NEW["password"]}, "looks like one"),
        ({"name": "", "password": NEW["password"]}, "blank"),
        ({"name": "a b<c", "password": NEW["password"]}, "valid username"),
    ],
)
def test_a_poor_name_or_password_is_refused_and_the_link_kept(form, says, stage, enter):
    url = f"/join/{token_of(invite('main', 'player', campaign=stage.id))}/"
    answer = enter().post(url, form)
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert enter().post(url, NEW).status_code == 302


def test_a_link_that_is_forged_or_too_old_is_none(stage):
    made = invite("main", "player", campaign=stage.id)
    with pytest.raises(RuleError, match="not an invitation"):
        find_invitation(token_of(made)[:-1] + "x")
    Invitation.objects.update(expires=timezone.now() - timedelta(seconds=1))
    with pytest.raises(RuleError, match="too old"):
        find_invitation(token_of(made))


def test_of_those_who_race_for_a_link_one_gets_in(both):
    token = token_of(invite("main", "player", campaign=both.id))
    start, entered = threading.Barrier(8), []

    def race(number):
        start.wait()
        try:
            user = accept_invitation(
                token, lambda: User.objects.create(username=f"racer-{number}"), lambda *_: True
            )
        except RuleError:
            return
        entered.append(user.username)

    threads = [threading.Thread(target=both.in_thread(race), args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(entered) == 1
    assert User.objects.filter(username__startswith="racer").count() == 1


def test_signing_in_and_out(stage, enter):
    User.objects.create_user("dora", password=NEW["password"])
    browser = enter()
    wrong = browser.post("/sign-in/", {"login": "dora", "password": "no"})
    assert b"do not match" in wrong.content
    right = browser.post("/sign-in/", {"login": "dora", "password": NEW["password"]})
    assert right["Location"] == "/"
    browser.post("/sign-out/")
    assert browser.get("/").status_code == 302


def test_nobody_enters_without_a_password_outside_the_demo(stage, enter):
    assert enter().post("/enter/alice/").status_code == 404
