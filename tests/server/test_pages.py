"""Every page for every role, and what browsers may send."""

from __future__ import annotations

import re
from datetime import timedelta

from django.utils import timezone

from arena.game.generous import GENEROUS, NEW
from askpoint.arena.game.designs import DESIGNS
from askpoint.arena.game.transaction import LedgerAccount
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.judges import services as judging
from askpoint.arena.server.ledger.services import balance_of
from askpoint.arena.server.organisers import views as organisers
from askpoint.arena.server.players import services as playing, views as players
from askpoint.arena.server.players.words import rules_of
from askpoint.arena.server.probes.models import Draft, Probe
from askpoint.arena.server.rulings.models import Judge, Ruling
from askpoint.server.accounts.models import Invitation
from askpoint.server.accounts.services import find_invitation, invite, token_of
from askpoint.server.classifiers.faults import fault_error
from askpoint.server.labelling.models import Claim, Vote
from server.matrix import ROUTES
from server.stage import TITLE


def address(name, stage, case):
    return ROUTES[name].address.format(campaign=stage.id, name=case)


def test_a_player_sees_no_case_of_another(stage, enter):
    case = stage.submit("mine").pk
    for page in ("case", "submit", "drop", "appeal"):
        ann = enter(stage.ann)
        url = address(page, stage, case)
        assert (ann.get(url) if page == "case" else ann.post(url)).status_code == 404


def test_a_judge_is_blind(stage, enter):
    stage.submit("you are not from here")
    bob = enter(stage.bob)
    bob.post(f"/judge/{stage.id}/claim/")
    shown = bob.get(f"/judge/{stage.id}/").content.decode()
    assert "you are not from here" in shown
    assert not re.search(r"alice|0\.05|95 ?%|\b9[01]0\b", shown)


def play(browser, stage, text, **more):
    return browser.post(f"/play/{stage.id}/", {"case": text, "key": "k1", **more})


def test_a_case_is_played_by_forms_alone(stage, enter):
    alice = enter(stage.alice)
    there = play(alice, stage, "you are not from here")
    assert there.status_code == 302
    page = alice.get(there["Location"]).content.decode()
    assert "The machine says <strong>clean</strong>" in page
    assert "910 points (18.2 cents)" in page
    assert "It is new" in page
    alice.post(there["Location"] + "submit/")
    assert "Submitted" in alice.get(there["Location"]).content.decode()
    for name in ("bob", "beth"):
        judge = enter(getattr(stage, name))
        judge.post(f"/judge/{stage.id}/claim/")
        case = Claim.objects.get(reviewer=name).case_id
        judge.post(f"/judge/{stage.id}/vote/", {"case": case, "choice": "offensive"})
    decided = enter(stage.olga).get(f"/run/{stage.id}/cases/{case}/").content.decode()
    assert decided.index(">bob<") < decided.index(">beth<")  # who voted what, in their order
    assert "You beat the machine" in alice.get(there["Location"]).content.decode()
    assert "+910" in alice.get("/points/").content.decode()


def test_a_client_that_sends_its_own_score_is_not_believed(stage, enter):
    alice = enter(stage.alice)
    play(
        alice,
        stage,
        "you are not from here",
        probabilities="[0.0, 1.0]",
        decision="offensive",
        prizes="[[0, true], [9999, true]]",
        points="9999",
        state="judged",
        truth="offensive",
        awarded="9999",
    )
    probe = Probe.objects.get()
    assert (probe.state, probe.decision, probe.awarded) == ("tried", "clean", 0)
    assert max(points for points, _ in probe.prizes) == 900
    alice.post(f"/play/{stage.id}/cases/{probe.pk}/submit/", {"points": "9999", "similarity": "0"})
    assert balance_of("main", LedgerAccount("reserved", stage.id)) == 1210


def test_a_double_click_tries_and_submits_once(stage, enter):
    alice = enter(stage.alice)
    first, second = play(alice, stage, "one"), play(alice, stage, "one")
    assert first["Location"] == second["Location"]
    for _ in range(2):
        alice.post(first["Location"] + "submit/")
    assert Ruling.objects.count() == 1
    stage.check_ledger()


def test_a_draft_survives_errors_and_is_there_in_another_tab(stage, enter, monkeypatch):
    def slow(*_):
        raise fault_error("timeout")

    monkeypatch.setattr(playing, "ask", slow)
    alice = enter(stage.alice)
    answer = play(alice, stage, "half a day's <b>thought</b>")
    assert answer.status_code == 503
    assert b"did not answer in time" in answer.content
    assert b"half a day&#x27;s &lt;b&gt;thought" in answer.content
    assert b"half a day&#x27;s" in alice.get(f"/play/{stage.id}/").content


def test_an_enormous_text_is_refused_politely(stage, enter):
    alice = enter(stage.alice)
    answer = play(alice, stage, "x" * 10_000_000)
    assert answer.status_code == 413
    assert b"far too large" in answer.content
    answer = play(alice, stage, "x" * 500_000)
    assert answer.status_code == 422
    assert not Draft.objects.exists()


def test_a_copy_is_refused_and_said_so(stage, enter):
    stage.submit("same", "ann")
    answer = play(enter(stage.alice), stage, "same")
    assert answer.status_code == 409
    assert b"This very case was submitted before" in answer.content


def test_a_campaign_without_budget_says_so(stage, enter):
    stage.fund(1310)
    stage.submit("the last one", "ann")
    alice = enter(stage.alice)
    assert b"The budget is used up" in alice.get(f"/play/{stage.id}/").content
    assert play(alice, stage, "another").status_code == 422


def test_a_stale_vote_is_not_counted_and_the_judge_reads_why(stage, enter):
    case = stage.submit("a case").pk
    bob = enter(stage.bob)
    bob.post(f"/judge/{stage.id}/claim/")
    Claim.objects.update(until=timezone.now() - timedelta(minutes=1))
    bob.post(f"/judge/{stage.id}/vote/", {"case": case, "choice": "clean"})
    assert not Vote.objects.exists()
    assert b"has ended and the case went back" in bob.get(f"/judge/{stage.id}/").content


def test_two_tabs_of_a_judge_vote_once(stage, enter):
    case = stage.submit("a case").pk
    first, second = enter(stage.bob), enter(stage.bob)
    for tab in (first, second):
        tab.post(f"/judge/{stage.id}/claim/")
    for tab in (first, second):
        tab.post(f"/judge/{stage.id}/vote/", {"case": case, "choice": "clean"})
    assert Vote.objects.count() == 1
    second.post(f"/judge/{stage.id}/vote/", {"case": case, "choice": "offensive"})
    assert b"has voted on case" in second.get(f"/judge/{stage.id}/").content
    assert Vote.objects.get().choice == "clean"


def test_a_vote_for_what_is_no_option_is_refused(stage, enter):
    case = stage.submit("a case").pk
    bob = enter(stage.bob)
    bob.post(f"/judge/{stage.id}/claim/")
    bob.post(f"/judge/{stage.id}/vote/", {"case": case, "choice": "nonsense"})
    bob.post(f"/judge/{stage.id}/vote/", {"case": "none", "choice": "clean"})
    assert not Vote.objects.exists()


def test_a_break_gives_the_case_back(stage, enter):
    case = stage.submit("a case").pk
    bob = enter(stage.bob)
    bob.post(f"/judge/{stage.id}/claim/")
    bob.post(f"/judge/{stage.id}/rest/", {"case": case})
    assert not Claim.objects.exists()
    assert b"You are taking a break" in bob.get(f"/judge/{stage.id}/").content


def test_a_skipped_case_is_not_offered_again_and_a_break_is_no_choice(stage, enter):
    one, two = stage.submit("one").pk, stage.submit("two").pk
    bob, url = enter(stage.bob), f"/judge/{stage.id}/"
    for act, case, held in (
        ("claim", "", one),
        ("rest", one, ""),
        ("claim", "", one),
        ("skip", one, two),
    ):
        bob.post(url + act + "/", {"case": case})
        assert "".join(lease.case_id for lease in Claim.objects.all()) == held
    bob.post(url + "skip/", {"case": "x" * 100_000})  # holds no such claim, and keeps nothing
    assert b"x" * 100 not in bob.session.encode(dict(bob.session)).encode()
    bob.post(url + "skip/", {"case": two})
    assert b"Nothing waits for you just now" in bob.get(url).content
    Judge.objects.filter(user=stage.bob).update(skipped=5)
    Ruling.objects.filter(pk=two).update(skipped="")
    bob.post(url + "claim/")
    assert b"No skip is left" in bob.get(url).content
    assert (
        b"more can be only after more votes"
        in bob.post(url + "skip/", {"case": two}, follow=True).content
    )


def test_training_shows_the_answers_first(stage, enter):
    from askpoint.arena.server.rulings.pools import join

    join(stage.id, stage.charlie, "judge")
    charlie = enter(stage.charlie)
    url = f"/judge/{stage.id}/"
    assert b"Training: 0 of 2" in charlie.get(url).content
    charlie.post(url + "train/", {"number": "1", "choice": "offensive"})
    page = charlie.get(url).content.decode()
    assert "the right answer is “clean”. harmless" in page
    charlie.post(url + "train/", {"number": "9", "choice": "clean"})
    assert b"There is no training item 9" in charlie.get(url).content
    charlie.post(url + "train/", {"number": "2", "choice": "offensive"})
    assert b"That was the whole training set" in charlie.get(url).content


def test_a_text_is_shown_as_a_text(stage, enter):
    text = "<script>alert(1)</script> {{ 7 }} ' OR 1=1; --"
    there = play(enter(stage.alice), stage, text)
    page = enter(stage.alice).get(there["Location"]).content
    assert b"<script>alert" not in page
    assert b"&lt;script&gt;alert(1)&lt;/script&gt; {{ 7 }}" in page


def test_without_a_token_nothing_is_taken(stage):
    from django.test import Client

    browser = Client(enforce_csrf_checks=True)
    browser.force_login(stage.alice)
    assert browser.post(f"/play/{stage.id}/", {"case": "one"}).status_code == 403
    assert not Probe.objects.exists()


def test_an_appeal_goes_from_the_player_to_the_organiser(stage, enter):
    case = stage.submit("you are not from here").pk
    for name in ("bob", "beth"):
        stage.vote(name, "clean")
    enter(stage.alice).post(f"/play/{stage.id}/cases/{case}/appeal/", {"why": "read it again"})
    olga = enter(stage.olga)
    assert b"1 case waits for your decision" in olga.get(f"/run/{stage.id}/").content
    page = olga.get(f"/run/{stage.id}/cases/{case}/").content
    assert b"read it again" in page
    olga.post(f"/run/{stage.id}/cases/{case}/", {"choice": "offensive"})
    assert stage.earned("alice") == 910
    olga.post(f"/run/{stage.id}/cases/{case}/", {"choice": "clean"})
    assert stage.earned("alice") == 910
    stage.check_ledger()


def test_an_organiser_suspends_and_readmits(stage, enter):
    olga = enter(stage.olga)
    for role, name in (("player", "alice"), ("judge", "bob")):
        form = {"role": role, "name": name}
        olga.post(f"/run/{stage.id}/people/standing/", {**form, "action": "bar"})
        assert b"shut out" in olga.get(f"/run/{stage.id}/people/").content
        olga.post(f"/run/{stage.id}/people/standing/", {**form, "action": "readmit"})
        assert b"shut out" not in olga.get(f"/run/{stage.id}/people/").content
    wrong = {"role": "judge", "name": "alice", "action": "bar"}
    assert olga.post(f"/run/{stage.id}/people/standing/", wrong).status_code == 404


def test_a_link_that_went_to_the_wrong_person_is_withdrawn(stage, enter):
    olga, url = enter(stage.olga), f"/run/{stage.id}/people/"
    for role in ("player", "judge"):
        olga.post(url, {"role": role, "labels": role})
    first, second = Invitation.objects.order_by("pk")
    elsewhere = invite("main", "player", campaign="another")
    for link in (first.pk, elsewhere.pk, "none"):
        olga.post(url, {"withdraw": link})
    # a token holds the second when it was made: the page's are told by what they open
    shown = re.findall(r"/join/([^/]+)/", olga.get(url).content.decode())
    assert [find_invitation(token) for token in shown] == [second]
    assert enter().get(f"/join/{token_of(first)}/").status_code == 410
    assert find_invitation(token_of(elsewhere)) == elsewhere


def test_a_draft_is_corrected_and_an_open_campaign_is_not(stage, enter):
    olga, url = enter(stage.olga), f"/run/{stage.id}/what/"
    form = {"title": "Corrected", "wanted": "Find it.", "classifier": "9"}
    assert b"the terms are fixed" in olga.post(url, form).content.lower()
    assert Campaign.objects.get().title == TITLE
    Campaign.objects.update(state="draft")
    assert olga.post(url, form).status_code == 302
    found = Campaign.objects.get()
    assert (found.title, found.wanted) == ("Corrected", "Find it.")
    assert found.classifier == stage.classifier


def test_long_lists_are_turned_over_and_what_waits_comes_first(stage, enter, monkeypatch):
    for module in (organisers, players):
        monkeypatch.setattr(module, "_ON_A_PAGE", 2)
    cases = [stage.submit(f"case {number}").pk for number in range(5)]
    Ruling.objects.filter(pk=cases[0]).update(state="referred")
    olga, url = enter(stage.olga), f"/run/{stage.id}/cases/"
    shown = re.findall(r">(case \d)<", olga.get(url).content.decode())
    assert shown == ["case 0", "case 4"]
    last = olga.get(url, {"page": "3"}).content.decode()
    assert re.findall(r">(case \d)<", last) == ["case 1"]
    assert "Page 3 of 3, 5 cases" in last
    mine = enter(stage.alice).get(f"/play/{stage.id}/cases/", {"page": "nonsense"})
    assert re.findall(r">(case \d)<", mine.content.decode()) == ["case 4", "case 3"]


def test_what_only_a_form_may_send_to_says_so(stage, enter):
    answer = enter(stage.bob).get(f"/judge/{stage.id}/vote/")
    assert answer.status_code == 405
    assert answer["Allow"] == "POST"
    assert b"takes only what a form sends" in answer.content


def test_a_closed_campaign_shows_no_form_that_would_be_refused(stage, enter):
    alice, url = enter(stage.alice), f"/play/{stage.id}/"
    assert b"<textarea" in alice.get(url).content
    Campaign.objects.update(state="closed")
    assert b"<textarea" not in alice.get(url).content
    late = alice.post(url, {"case": "typed before it was closed", "key": "k"})
    assert late.status_code == 422
    assert b"typed before it was closed</textarea>" in late.content


def test_a_dropped_case_can_still_be_submitted(stage, enter):
    case, alice = stage.try_case("on second thoughts").pk, enter(stage.alice)
    url = f"/play/{stage.id}/cases/"
    alice.post(f"{url}{case}/drop/")
    assert b">dropped<" in alice.get(url).content
    assert b"It can still be submitted" in alice.get(f"{url}{case}/").content
    alice.post(f"{url}{case}/submit/")
    assert b">with the judges<" in alice.get(url).content


def test_a_new_design_is_offered_promised_and_explained(stage, enter, monkeypatch):
    monkeypatch.setitem(DESIGNS.own, NEW, GENEROUS)
    olga = enter(stage.olga)
    there = olga.post(
        "/run/", {"title": "Second", "wanted": "Find it.", "classifier": stage.classifier.pk}
    )["Location"]
    assert GENEROUS.offer in olga.get(there).content.decode()
    form = {
        "sought": "",
        "top": "2000",
        "base": "20",
        "unsure": "50",
        "vote": "150",
        "designs": ["2", str(NEW)],
        "scheme": "minimum-cost",
        "votes": "2",
        "case_seconds": "60",
        "vote_seconds": "15",
        "tries": "200",
        "cost-0": "1",
        "cost-1": "1",
    }
    assert olga.post(there, form).status_code == 302
    terms = terms_of(Campaign.objects.get(title="Second").terms)
    assert terms.designs == {1, 2, NEW}
    assert terms.most_promised == 20 + 2 * 2000 + 3 * 150
    assert "Where the model is very sure, an error pays double 2000 points." in rules_of(terms)


def test_a_campaign_is_made_step_by_step(stage, enter):
    olga = enter(stage.olga)
    there = olga.post(
        "/run/", {"title": "Second", "wanted": "Find it.", "classifier": stage.classifier.pk}
    )["Location"]
    form = {
        "sought": '["offensive", "clean"]',
        "top": "2000",
        "base": "20",
        "unsure": "50",
        "vote": "150",
        "designs": ["2", "4", "5"],
        "scheme": "minimum-cost",
        "votes": "2",
        "case_seconds": "60",
        "vote_seconds": "15",
        "tries": "200",
        "warning": "Mind your step.",
        "cost-0": "1",
        "cost-1": "4",
    }
    assert olga.post(there, {**form, "scheme": "wrong-class"}).status_code == 422  # at a boundary
    assert olga.post(there, {**form, "top": "0"}).status_code == 422
    olga.post(there, {**form, "hourly": "1200"})
    pay = terms_of(Campaign.objects.get(title="Second").terms).pay
    assert (pay.base, pay.vote, pay.top, pay.hourly_floor) == (1000, 250, 2000, 1200)
    there = olga.post(there, form)["Location"]
    items = {"guide": "Go by the meaning.", "reference": "one\ntwo", "gold": "clean | ok"}
    assert olga.post(there, {**items, "training": "rubbish"}).status_code == 422
    there = olga.post(there, {**items, "training": "clean | good day | why not"})["Location"]
    there = olga.post(there, {"contact": "Olga", "age": "18"})["Location"]
    refused = olga.post(there, {"action": "open"})
    assert refused.status_code == 422
    assert b"add funds first" in refused.content
    for _ in range(2):  # a double click
        olga.post(there, {"action": "add", "points": "5000", "key": "one"})
    wrong = olga.post(there, {"action": "add", "points": "-5", "key": "two"}).content.decode()
    assert "Give a whole number of points" in wrong
    assert 'value="-5" aria-invalid="true" aria-describedby="problem"' in wrong
    olga.post(there, {"action": "open"})
    page = olga.get(there).content.decode()
    assert "<dd>5,000<small>points, $1.00" in page
    assert "Close the campaign" in page
    refused = olga.post(there, {"action": "return", "points": "10", "key": "three"})
    assert b"close it first" in refused.content
    olga.post(there, {"action": "close"})
    refused = olga.post(there, {"action": "return", "points": "5001", "key": "four"})
    assert b"The budget holds only 5,000 points" in refused.content
    olga.post(there, {"action": "return", "points": "10", "key": "three"})
    assert "<dd>4,990<small>" in olga.get(there).content.decode()


def test_a_forecast_is_looked_up_while_the_crowd_plays(stage, enter):
    from askpoint.server.jobs.models import Job

    olga, url = enter(stage.olga), f"/run/{stage.id}/budget/"
    assert b"hx-trigger" not in olga.get(url).content
    olga.post(url, {"action": "simulate"})
    assert b'hx-trigger="every 2s"' in olga.get(url).content
    Job.objects.update(done=timezone.now())
    numbers = {"campaigns": 2, "cases": 10, "calibrated": False, "cents_per_case": [1.5, 1.2, 1.8]}
    numbers |= {"per_hundred": [20.0, 10.0, 30.0], "cents_per_unknown": None}
    Campaign.objects.update(simulated=numbers)
    page = olga.get(url).content.decode()
    assert "hx-trigger" not in page
    assert "<td>1.5</td><td>1.2</td><td>1.8</td>" in page
    assert "not estimable: none was found" in page
    assert "from 20 judged cases on" in page
    assert "and 0 are judged so far" in page
    Campaign.objects.update(simulated={**numbers, "calibrated": True, "judged": 31})
    assert "in their first 31 judged cases" in olga.get(url).content.decode()


def test_judges_wait_where_there_is_nothing(stage, enter):
    page = enter(stage.bob).get(f"/judge/{stage.id}/").content
    assert b"Nothing waits for you" in page
    assert judging.claim(stage.id, "bob") is None
