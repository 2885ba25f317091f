"""Rooms, links in bulk, participants of a provider, consent, and who is behind the scenes."""

from __future__ import annotations

import csv
import hashlib
import io
import threading
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from askpoint.arena.server.campaigns.models import Campaign, Colleague, Consent
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.campaigns.services import make_campaign
from askpoint.arena.server.rulings.pools import join, role_in
from askpoint.errors import RuleError
from askpoint.server.accounts.models import Acceptance, Invitation, Seat, User
from askpoint.server.accounts.services import (
    accept_invitation,
    find_invitation,
    invite,
    token_of,
    waiting,
)
from server.stage import TITLE

PASSWORD = "correct horse battery"  # noqa: S105 - of nobody


def link(*args, **named):
    return f"/join/{token_of(invite('main', *args, **named))}/"


def come(enter, url, name, **more):
    return enter().post(url, {"name": name, "password": PASSWORD, **more})


def another(stage, organiser):
    """Make a second campaign; its name."""
    made = make_campaign(
        organiser,
        title="Another",
        classifier=stage.classifier,
        wanted="Else.",
        terms=terms_of(stage.campaign.terms),
    )
    return made.pk


def test_a_room_takes_as_many_as_it_has_places(stage, enter):
    url = link("player", campaign=stage.id, places=2, note="the course")
    assert [come(enter, url, name).status_code for name in ("dora", "dirk")] == [302, 302]
    full = come(enter, url, "dina")
    assert full.status_code == 410
    assert b"all 2 places of this link are taken" in full.content.lower()
    assert not User.objects.filter(username="dina").exists()
    page = enter(stage.olga).get(f"/run/{stage.id}/people/").content.decode()
    assert page.count("Came by “the course”") == 2


def test_of_those_who_race_for_a_rooms_places_as_many_get_in(both):
    token = token_of(invite("main", "player", campaign=both.id, places=3))
    start, entered = threading.Barrier(8), []

    def race(number):
        start.wait()
        try:
            user = accept_invitation(
                token,
                lambda: User.objects.create(username=f"racer-{number}"),
                lambda found, user: join(found.campaign, user, found.role),
            )
        except RuleError:
            return
        entered.append(user)

    threads = [threading.Thread(target=both.in_thread(race), args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(entered) == Acceptance.objects.count() == 3
    assert {role_in(both.id, user) for user in entered} == {"player"}


def test_organisers_links_die_with_the_first_that_is_used(both):
    Seat.objects.all().delete()
    tokens = [token_of(invite("main", "owner")) for _ in range(4)]
    start, entered = threading.Barrier(4), []

    def race(number):
        start.wait()
        try:
            entered.append(
                accept_invitation(
                    tokens[number],
                    lambda: User.objects.create(username=f"racer-{number}"),
                    lambda *_: True,
                )
            )
        except RuleError:
            return

    threads = [threading.Thread(target=both.in_thread(race), args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(entered) == Seat.objects.count() == 1
    for token in tokens:
        with pytest.raises(RuleError):
            find_invitation(token)


def test_a_link_is_not_burnt_by_whom_it_is_not_for(stage, enter):
    url = link("judge", campaign=stage.id, note="for the second judge")
    for name in ("bob", "alice", "olga"):  # in already, in the other pool, runs it
        assert enter(getattr(stage, name)).post(url).status_code == 422
    assert b"it is for another person" in enter(stage.bob).post(url).content
    assert not Acceptance.objects.exists()
    assert come(enter, url, "dora").status_code == 302
    other = link("organiser")
    assert enter(stage.olga).post(other).status_code == 422
    assert come(enter, other, "dirk").status_code == 302


def test_links_are_made_in_bulk_and_taken_as_a_file(stage, enter):
    olga, url = enter(stage.olga), f"/run/{stage.id}/people/"
    file = SimpleUploadedFile(
        "people.csv", "mail,label\na@example.org,Ann Ö\nb@example.org,=1+1\n".encode("utf-8-sig")
    )
    made = {"role": "judge", "labels": "first\n\n  second ", "file": file, "days": "3"}
    assert olga.post(url, made).status_code == 302
    answer = olga.get(url + "links.csv")
    assert "attachment" in answer["Content-Disposition"]
    text = b"".join(answer.streaming_content).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["label"] for row in rows][::-1] == ["first", "second", "Ann Ö", "'=1+1"]
    for row in rows:
        found = find_invitation(row["link"].split("/")[-2])
        assert (found.role, found.places) == ("judge", 1)
        assert found.expires - found.made == timedelta(days=3)
    assert come(enter, rows[0]["link"].removeprefix("http://testserver"), "dora").status_code == 302
    assert len(waiting(stage.id)) == 3


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"labels": "x\n" * 501}, "501 links at once"),
        ({"labels": "x" * 201}, "at most 200 characters"),
        ({"places": "1001"}, "less than or equal to 1000"),
        ({"days": "0"}, "greater than or equal to 1"),
        ({"role": "watcher", "places": "2"}, "a link of their own"),
        ({"role": "king"}, "not one of the available choices"),
        ({"file": SimpleUploadedFile("x.csv", b"\xff\xfe\x00")}, "not UTF-8 text"),
    ],
)
def test_a_form_of_links_says_what_is_wrong(form, says, stage, enter):
    answer = enter(stage.olga).post(f"/run/{stage.id}/people/", {"role": "player", **form})
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert not Invitation.objects.exists()


def test_a_participant_id_names_and_never_lets_in(stage, enter):
    url = link("player", campaign=stage.id, places=9) + "?PROLIFIC_PID=5f1c9a&SESSION_ID=x"
    assert b"5f1c9a" in enter().get(url).content
    come(enter, url, "dora")
    come(enter, url, "dirk")  # the same id again is somebody else
    assert set(User.objects.filter(participant="5f1c9a").values_list("username", flat=True)) == {
        "dora",
        "dirk",
    }
    assert b"as is another account" in enter(stage.olga).get(f"/run/{stage.id}/people/").content
    # whoever is somebody already is renamed by no link
    dora = User.objects.get(username="dora")
    judge = link("judge", campaign=stage.id)
    assert (
        enter(dora)
        .post(link("player", campaign=another(stage, stage.olga)) + "?participant=evil")
        .status_code
    )
    dora.refresh_from_db()
    assert dora.participant == "5f1c9a"
    come(enter, judge + "?PROLIFIC_PID=<b>'; DROP", "dina")
    assert User.objects.get(username="dina").participant == ""


def test_nobody_joins_without_consent_and_what_was_agreed_is_kept(stage, enter):
    Campaign.objects.update(consent="It is kept.\nFor ever.", age=18)
    url = link("judge", campaign=stage.id)
    page = enter().get(url).content.decode()
    assert "It is kept.<br>For ever." in page
    assert "I am 18 years old or older." in page
    for ticked in ({}, {"consent": "on"}, {"age": "on"}):
        assert come(enter, url, "dora", **ticked).status_code == 422
    assert enter(stage.charlie).post(url, {"consent": "on"}).status_code == 422
    assert not User.objects.filter(username="dora").exists()
    assert come(enter, url, "dora", consent="on", age="on").status_code == 302
    consent = Consent.objects.get()
    text = "It is kept.\nFor ever.\n\nI am 18 years old or older."
    assert (consent.user.username, consent.text) == ("dora", text)
    assert consent.digest == hashlib.sha256(text.encode()).hexdigest()


def test_who_is_in_is_asked_when_the_text_changes(stage, enter):
    alice, play = enter(stage.alice), f"/play/{stage.id}/"
    assert alice.get(play).status_code == 200
    Campaign.objects.update(consent="New.")
    for page in (alice.get(play), alice.post(play, {"case": "one"})):
        assert page["Location"] == f"/agree/{stage.id}/"
    assert alice.post(page["Location"]).status_code == 422
    assert alice.post(page["Location"], {"consent": "on"})["Location"] == play
    assert alice.get(play).status_code == 200
    assert enter(stage.bob).get(f"/judge/{stage.id}/").status_code == 302
    Campaign.objects.update(consent="Newer.")
    assert alice.get(play).status_code == 302
    Campaign.objects.update(consent="New.")  # as it was
    assert alice.get(play).status_code == 200
    assert enter(stage.charlie).get(f"/agree/{stage.id}/").status_code == 404


def test_an_invitation_says_what_it_pays_and_whom_to_ask(stage, enter):
    Campaign.objects.update(contact="Olga, room 12", takes="an hour or so")
    player = enter().get(link("player", campaign=stage.id)).content.decode()
    assert "An error that you find brings up to 1,010 points (20.2 cents)" in player
    judge = enter().get(link("judge", campaign=stage.id)).content.decode()
    assert "Each vote brings 100 points (2 cents)" in judge
    for page in (player, judge):
        assert "Olga, room 12" in page
        assert "an hour or so" in page
    assert "Olga, room 12" in enter(stage.bob).get(f"/judge/{stage.id}/").content.decode()


def test_a_second_organiser_does_all_and_a_watcher_looks(stage, enter):
    come(enter, link("organiser", campaign=stage.id), "dora")
    come(enter, link("watcher", campaign=stage.id), "dirk")
    dora, dirk = (enter(User.objects.get(username=name)) for name in ("dora", "dirk"))
    names = ("watch", "people", "cases", "budget", "judging", "joining", "examination")
    for browser in (dora, dirk):
        assert TITLE in browser.get("/").content.decode()
        for name in names:
            there = browser.get(reverse(name, args=[stage.id]), follow=True)
            assert there.status_code == 200
        assert browser.get("/payouts/").status_code == 404
        assert browser.get("/run/").status_code == 404
    form = {"contact": "Dora"}
    refused = dirk.post(f"/run/{stage.id}/joining/", form)
    assert refused.status_code == 403
    assert b"change nothing" in refused.content
    assert dora.post(f"/run/{stage.id}/joining/", form).status_code == 302
    assert Campaign.objects.get().contact == "Dora"
    # nobody has a part on both sides
    for name in ("dora", "dirk"):
        user = User.objects.get(username=name)
        for role in ("player", "judge"):
            with pytest.raises(RuleError, match="runs this campaign"):
                join(stage.id, user, role)
    with pytest.raises(RuleError, match="cannot see what organisers see"):
        join(stage.id, stage.alice, "watcher")
    out = {"role": "colleague", "name": "dora", "action": "remove"}
    enter(stage.olga).post(f"/run/{stage.id}/people/standing/", out)
    assert dora.get(f"/run/{stage.id}/").status_code == 404
    assert Colleague.objects.get().user.username == "dirk"


def test_suspending_asks_first(stage, enter):
    olga, url = enter(stage.olga), f"/run/{stage.id}/people/standing/"
    asked = olga.get(url, {"role": "player", "name": "alice", "action": "bar"})
    assert b"Shut alice out?" in asked.content
    assert not stage.player().barred
    for wrong in ({"role": "player", "name": "bob"}, {"role": "king", "name": "alice"}):
        assert olga.get(url, {**wrong, "action": "bar"}).status_code == 404
    wrong = {"role": "player", "name": "alice", "action": "ask-again"}
    assert olga.post(url, wrong).status_code == 404


def test_no_organiser_makes_a_link_into_somebodys_account(stage, enter):
    olga, run = enter(stage.olga), f"/run/{stage.id}/people/"
    ask = {"role": "player", "name": "alice", "action": "reset-link"}
    for answer in (olga.post(f"{run}standing/", ask), olga.get(f"{run}standing/", ask)):
        assert answer.status_code == 404
        assert b"/reset/" not in answer.content
    page = olga.get(run).content.decode()
    assert "askpoint user reset-link" in page
    assert "/reset/" not in page
