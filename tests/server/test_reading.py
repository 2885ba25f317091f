"""People who read hate all day: covered cases, limits a day, breaks; and what they are called."""

from __future__ import annotations

import csv
import io
import json
import threading
from datetime import timedelta

import pytest
from django.utils import timezone

from askpoint.arena.game.ledger import Ledger
from askpoint.arena.server.campaigns.models import Campaign, Consent, Workday
from askpoint.arena.server.campaigns.pseudonyms import by_pseudonym
from askpoint.arena.server.judges import services as judging
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.rulings.models import Judge, Ruling
from askpoint.arena.server.rulings.pools import join
from askpoint.errors import RuleError
from askpoint.server.api.tokens import make_token
from askpoint.server.labelling.models import Claim, Vote
from server.test_exports import transaction

NAMES = ("alice", "ann", "bob", "beth", "ben")


def test_a_judge_is_given_no_more_cases_a_day_than_the_limit(stage, enter):
    for number in range(4):
        stage.submit(f"case of the {number}th kind")
    Campaign.objects.update(most_cases=2)
    bob, url = enter(stage.bob), f"/judge/{stage.id}/"
    for _ in range(4):
        bob.post(url + "claim/")
        for lease in Claim.objects.filter(reviewer="bob"):
            bob.post(url + "vote/", {"case": lease.case_id, "choice": "clean"})
    assert Vote.objects.filter(reviewer="bob").count() == 2
    page = bob.get(url).content.decode()
    assert "That is enough for now: the most for a day is 2 cases." in page
    assert "You can go on in 24 hours" in page
    assert "Next case" not in page
    assert judging.claim(stage.id, "beth") is not None  # each for themselves
    Workday.objects.update(begun=timezone.now() - timedelta(days=1))
    assert judging.claim(stage.id, "bob") is not None


def test_a_claimed_case_is_finished_after_the_limit(stage):
    stage.submit("one")
    Campaign.objects.update(most_cases=1)
    case = judging.claim(stage.id, "bob")
    assert judging.claim(stage.id, "bob") == case  # the same again is no other one
    judging.vote(stage.id, "bob", case.pk, "clean")
    assert Vote.objects.count() == 1


def test_a_player_tries_no_more_than_the_limit_and_keeps_what_was_typed(stage, enter):
    Campaign.objects.update(most_cases=1)
    alice, url = enter(stage.alice), f"/play/{stage.id}/"
    assert alice.post(url, {"case": "one", "key": "1"}).status_code == 302
    again = alice.post(url, {"case": "another thought", "key": "2"})
    assert again.status_code == 429
    assert b"another thought</textarea>" in again.content
    assert b"the most for a day" in again.content
    assert alice.get(url).content.count(b"<textarea") == 0
    token = make_token(stage.alice, "player", label="x", scope="write")[1]
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "k"}
    sent = {"case": "by a program"}
    refused = enter().post(
        f"/api/play/{stage.id}/cases", sent, content_type="application/json", headers=headers
    )
    assert (refused.status_code, refused.json()["type"]) == (429, "rest")


def test_of_tries_that_race_as_many_count_as_are_allowed(both):
    Campaign.objects.update(most_cases=3)
    start, refused = threading.Barrier(8), []

    def race(number):
        start.wait()
        try:
            both.try_case(f"one of {number}", key=f"k{number}")
        except RuleError as error:
            refused.append(error.rule)

    threads = [threading.Thread(target=both.in_thread(race), args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (Probe.objects.count(), refused) == (3, ["rest"] * 5)


def test_a_break_is_due_and_said(stage, enter):
    for number in range(3):
        stage.submit(f"case of the {number}th kind")
    Campaign.objects.update(break_after=30, break_for=10, most_minutes=120)
    case = judging.claim(stage.id, "bob")
    Workday.objects.update(at=timezone.now() - timedelta(minutes=4), stretch=timedelta(minutes=27))
    bob, url = enter(stage.bob), f"/judge/{stage.id}/"
    bob.post(url + "vote/", {"case": case.pk, "choice": "clean"})
    page = bob.get(url).content.decode()
    assert "a break of 10 minutes is due after 30 minutes" in page
    assert "You can go on in 10 minutes" in page
    assert "2 hours a day; a break of 10 minutes after 30 minutes" in page
    bob.post(url + "claim/")
    assert not Claim.objects.exists()
    Workday.objects.update(at=timezone.now() - timedelta(minutes=10))
    bob.post(url + "claim/")
    assert Claim.objects.count() == 1
    Workday.objects.update(worked=timedelta(hours=2))
    bob.post(url + "vote/", {"case": Claim.objects.get().case_id, "choice": "clean"})
    assert "the most for a day is 2 hours" in bob.get(url).content.decode()


def test_without_limits_nothing_is_kept(stage):
    stage.submit("one")
    judging.claim(stage.id, "bob")
    assert not Workday.objects.exists()


@pytest.mark.parametrize("half", ["break_after", "break_for"])
def test_half_a_break_is_refused(half, stage, enter):
    answer = enter(stage.olga).post(f"/run/{stage.id}/joining/", {half: "10"})
    assert answer.status_code == 422
    assert b"A break needs both" in answer.content


TEXT = b"you are not from here"


def test_a_covered_case_is_not_on_the_page_and_ones_own_is(stage, enter):
    Campaign.objects.update(veiled=True)
    case = stage.submit(TEXT.decode()).pk
    judging.claim(stage.id, "bob")
    pages = {"bob": f"/judge/{stage.id}/", "olga": f"/run/{stage.id}/cases/{case}/"}
    for name, page in pages.items():
        browser = enter(getattr(stage, name))
        assert TEXT not in browser.get(page).content
        assert TEXT not in browser.get(page, {"show": "another"}).content
        assert TEXT in browser.get(page, {"show": case}).content
        assert TEXT in browser.get(page).content  # for this visit
        assert TEXT not in enter(getattr(stage, name)).get(page).content
    assert b'class="veiled"' in enter(stage.olga).get(f"/run/{stage.id}/cases/").content
    assert TEXT in enter(stage.alice).get(f"/play/{stage.id}/cases/{case}/").content
    Campaign.objects.update(veiled=False)
    assert TEXT in enter(stage.bob).get(f"/judge/{stage.id}/").content


def test_nobody_says_what_a_covered_case_is_without_having_seen_it(stage, enter):
    Campaign.objects.update(veiled=True)
    join(stage.id, stage.charlie, "judge")
    stage.examine([TEXT.decode(), "another"], 2)
    held = judging.claim(stage.id, "bob").pk
    other = Ruling.objects.exclude(pk=held).get()
    Ruling.objects.filter(pk=other.pk).update(state="referred")
    judge, decide = f"/judge/{stage.id}/", f"/run/{stage.id}/cases/{other.pk}/"

    def said():
        states = Ruling.objects.order_by("pk").values_list("state", flat=True)
        return Vote.objects.count(), Judge.objects.get(user=stage.charlie).trained, list(states)

    for name, page, case, address, fields in (
        ("bob", judge, held, f"{judge}vote/", {"case": held}),
        ("charlie", judge, "1", f"{judge}train/", {"number": "1"}),
        ("olga", decide, other.pk, decide, {}),
    ):
        browser, before = enter(getattr(stage, name)), said()
        answer = browser.post(address, {**fields, "choice": "clean"}, follow=True).content
        assert b"covered still: show it" in answer
        assert b'name="choice"' not in answer
        assert said() == before, name
        assert b'name="choice"' in browser.get(page, {"show": case}).content
        browser.post(address, {**fields, "choice": "clean"})
        assert said() != before, name


def sent(browser, path):
    return b"".join(browser.get(path).streaming_content).decode()


def test_files_call_people_by_pseudonyms(stage, enter):
    probe = stage.submit("you are not from here")
    stage.submit("another", "ann")
    for name in ("bob", "beth", "ben"):
        for _ in range(2):
            if judging.claim(stage.id, name):
                stage.vote(name, "clean" if name == "ben" else "offensive")
    judging.ask_again(stage.id, "beth")  # its keys hold the judge's name, too
    stage.examine(["one", "two"], 1)
    olga, run = enter(stage.olga), f"/run/{stage.id}"
    Campaign.objects.update(consent="Yes.")
    Consent.objects.create(
        campaign=stage.campaign, user=stage.bob, at=timezone.now(), digest="0" * 64, text="Yes."
    )
    files = ("export.jsonl", "export.csv", "examination/cases.csv")
    for file in files:
        assert not [name for name in NAMES if name in sent(olga, f"{run}/{file}")], file
    real = [json.loads(line) for line in sent(olga, f"{run}/export.jsonl?names=real").splitlines()]
    hidden = [json.loads(line) for line in sent(olga, f"{run}/export.jsonl").splitlines()]
    called = by_pseudonym(stage.id)
    # the same people wherever they stand, and everything else as it is
    text = json.dumps(real)
    for name in NAMES:
        for before, after in (('"', '"'), (":", '"'), ("/", '"'), ("/", "/")):
            text = text.replace(f"{before}{name}{after}", f"{before}{called(name)}{after}")
    assert json.loads(text) == hidden
    assert len({called(name) for name in NAMES}) == len(NAMES)
    assert by_pseudonym("another")("bob") != called("bob")
    kept = [transaction(item) for item in hidden if item["kind"] == "transaction"]
    balances = Ledger(kept)
    from askpoint.arena.game.transaction import LedgerAccount

    assert balances.balance(LedgerAccount("earned", called("alice"))) == stage.earned("alice")
    rows = list(csv.DictReader(io.StringIO(sent(olga, f"{run}/export.csv"))))
    assert {row["player"] for row in rows} == {called("alice"), called("ann")}
    del probe
