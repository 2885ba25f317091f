"""The rules of the game hold in the database, on both of them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from askpoint.arena.game.transaction import LedgerAccount
from askpoint.arena.server.campaigns import services as campaigns
from askpoint.arena.server.campaigns.records import campaign_of, terms_of, terms_text
from askpoint.arena.server.judges import services as judging
from askpoint.arena.server.ledger.models import Posting
from askpoint.arena.server.ledger.services import balance_of, statement
from askpoint.arena.server.organisers.decisions import decide_case_of
from askpoint.arena.server.players import services as playing
from askpoint.arena.server.probes.models import Draft, Probe
from askpoint.arena.server.rulings.models import Ruling
from askpoint.arena.server.rulings.pools import change_standing, join
from askpoint.errors import InputError, ModelError
from server.stage import refused


def test_a_case_is_tried_submitted_judged_and_paid(both):
    probe = both.try_case("you are not from here")
    assert (probe.state, probe.decision) == ("tried", "clean")
    best = max(points for points, _ in probe.prizes)
    assert best == 900  # 1000 (1 - .05 / .5)
    playing.submit(both.player(), probe)
    reserved = balance_of("main", LedgerAccount("reserved", both.id))
    assert reserved == 10 + best + 3 * 100
    both.vote("bob", "offensive")
    assert both.vote("beth", "offensive").state == "ruled"
    assert (both.earned("alice"), both.earned("bob"), both.earned("beth")) == (910, 100, 100)
    assert balance_of("main", LedgerAccount("reserved", both.id)) == 0
    assert campaigns.budget_left(both.campaign) == 100_000 - 910 - 200
    player = both.player()
    assert (player.judged, player.found) == (1, 1)
    lines = statement("main", LedgerAccount("earned", "alice"))
    assert [(line["what"], line["points"], line["balance"]) for line in lines] == [
        ("award", 910, 910)
    ]
    both.check_ledger()


def test_an_appeal_is_decided_once_and_corrected_by_a_reversal(both):
    probe = both.submit("you are not from here")
    for name in ("bob", "beth"):
        both.vote(name, "clean")
    player = both.player()
    with refused("not-referred"):
        decide_case_of(both.id, probe.pk, "offensive")
    with refused("not-own-case"):
        playing.appeal(both.id, probe.pk, both.player("ann"), "mine")
    playing.appeal(both.id, probe.pk, player, "they did not see the point")
    with refused("appealed-before"):
        playing.appeal(both.id, probe.pk, player, "again")
    decide_case_of(both.id, probe.pk, "offensive")
    assert both.earned("alice") == 910
    assert [line["points"] for line in statement("main", LedgerAccount("earned", "alice"))] == [
        910,
        -10,
        10,
    ]
    with refused("not-referred"):
        decide_case_of(both.id, probe.pk, "clean")
    both.check_ledger()


def test_what_the_model_surely_knows_is_turned_away(stage):
    probe = stage.try_case("badword")
    assert probe.state == "turned-away"
    with refused("turned-away"):
        playing.submit(stage.player(), probe)


def test_a_copy_is_refused_before_the_model_is_asked(stage):
    stage.submit("you are not from here")
    asked = len(stage.asked)
    with refused("exact-duplicate"):
        stage.try_case("You  are not from here", "ann")
    assert len(stage.asked) == asked


def test_a_copy_that_was_tried_before_is_refused_at_submission(stage):
    mine, other = stage.try_case("same"), stage.try_case("same", "ann")
    playing.submit(stage.player("ann"), other)
    with refused("exact-duplicate"):
        playing.submit(stage.player(), mine)
    stage.check_ledger()


def test_nobody_submits_what_another_tried(stage):
    probe = stage.try_case("mine")
    with refused("not-own-case"):
        playing.submit(stage.player("ann"), probe)


def test_a_form_that_is_sent_twice_makes_one_probe(both):
    first, again = both.try_case("one", key="k"), both.try_case("one", key="k")
    assert first.pk == again.pk
    playing.submit(both.player(), first)
    with refused("submitted-before"):
        playing.submit(both.player(), first)
    assert Posting.objects.filter(about=first.pk).count() == 1
    assert both.try_case("one", key="k").pk == first.pk  # a stale form


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("   \n", "empty"),
        ("x" * 5001, "5,001"),
        ("a\0b", "characters that no text has"),
        ("\x89PNG\r\n\x1a\n\x00", "characters that no text has"),
        ("?!...", "no letter"),
    ],
)
def test_what_is_no_case_is_refused_with_a_reason(text, says, stage):
    with pytest.raises(InputError, match=says):
        stage.try_case(text)
    assert not stage.asked


@pytest.mark.parametrize("text", ["أهلا بك في بيتنا", "🤡🤡🤡", "שלום\u202eabc", "e\u0301te\u0301"])
def test_texts_of_all_scripts_are_played(text, both):
    probe = both.submit(text)
    assert Ruling.objects.get(pk=probe.pk).content == text


def test_without_budget_nothing_is_taken_and_what_is_reserved_is_honoured(both):
    both.fund(1310)
    probe = both.submit("the last one")
    with refused("budget"):
        both.try_case("one more")
    both.vote("bob", "offensive")
    both.vote("beth", "offensive")
    assert both.earned("alice") == 910
    assert Probe.objects.get(pk=probe.pk).state == "judged"
    both.check_ledger()


def test_a_campaign_without_budget_does_not_open(stage):
    campaigns.change_state(stage.id, "close")
    campaigns.fund(stage.id, -100_000, "out")
    with refused("budget"):
        campaigns.change_state(stage.id, "open")


def test_a_model_that_fails_costs_nothing(stage, monkeypatch):
    def down(*_):
        raise ModelError("the model is not running")

    monkeypatch.setattr(playing, "ask", down)
    with pytest.raises(ModelError):
        stage.try_case("a case")
    assert not Probe.objects.exists()


def test_tries_are_limited_by_account_and_address(sqlite, monkeypatch):
    from server.stage import Stage

    stage = Stage(monkeypatch, tries_per_hour=2, tries_per_address=3)
    stage.try_case("one")
    stage.try_case("two")
    with refused("too-many-tries"):
        stage.try_case("three")
    stage.try_case("three", "ann")
    with refused("too-many-tries"):
        stage.try_case("four", "ann")


def test_pools_stay_apart_and_joining_twice_changes_nothing(stage):
    with refused("other-pool"):
        join(stage.id, stage.alice, "judge")
    with refused("other-pool"):
        join(stage.id, stage.bob, "player")
    join(stage.id, stage.alice, "player")


def test_a_barred_player_plays_no_more_until_readmitted(stage):
    change_standing(stage.id, "alice", "player", barred=True)
    with refused("barred"):
        stage.try_case("a case")
    change_standing(stage.id, "alice", "player", barred=False)
    stage.try_case("a case")


def test_an_organiser_neither_judges_nor_plays_in_the_own_campaign(stage):
    for role in ("judge", "player"):
        with refused("own-campaign"):
            join(stage.id, stage.olga, role)


def test_terms_are_fixed_once_open_and_survive_storage(stage):
    terms = campaign_of(stage.campaign).terms
    assert terms_of(terms_text(terms)) == terms
    with refused("not-a-draft"):
        campaigns.change_draft(stage.id, terms)
    with refused("not-a-draft"):
        campaigns.set_training(stage.id, [])


def test_a_draft_is_kept_until_the_case_is_submitted(stage):
    playing.keep_draft(stage.player(), "half a thought")
    assert Draft.objects.get().case == "half a thought"
    stage.submit("a whole one")
    assert Draft.objects.get().case == ""


def test_watch_tells_of_drift_and_of_a_classifier_that_cannot_tell(stage, enter, monkeypatch):
    from askpoint.arena.server.organisers import drift

    page = enter(stage.olga).get(f"/run/{stage.id}/").content.decode()
    assert "there are 0 so far" in page
    assert "Ledger, budget and cases agree" in page
    texts = [f"{word} and nothing else" for word in ("weather", "kitchen") * 40]
    truths = [False] * 60 + [True] * 20
    from askpoint.arena.server.organisers import views
    from askpoint.unknowns.topic_drift import watch_topics

    told = drift.Drift(watch_topics(texts, truths), "")
    monkeypatch.setattr(views, "drift_of", lambda _: told)
    monkeypatch.setattr(drift, "newest_floor", lambda _: 0.91)
    page = enter(stage.olga).get(f"/run/{stage.id}/").content.decode()
    assert "More errors than before in cases with “" in page
    assert "Everyday texts score 91% as finds" in page


def test_an_hour_back_stops_nobody(stage, monkeypatch):
    find = "nobody of that sort belongs into this town of ours"
    first = stage.submit(find)
    stage.vote("bob", "offensive")
    held = judging.claim(stage.id, "ben")
    early = timezone.now() - timedelta(hours=1)
    monkeypatch.setattr(timezone, "now", lambda: early)
    judging.vote(stage.id, "ben", held.pk, "clean")
    stage.vote("beth", "offensive")
    second = stage.submit(find + "!")
    assert second.submitted > first.submitted
    judging.skip(stage.id, "bob", judging.claim(stage.id, "bob").pk)
    playing.appeal(stage.id, first.pk, stage.player(), "no")
    decide_case_of(stage.id, first.pk, "offensive")
    change_standing(stage.id, "alice", "player", barred=True)
    campaigns.change_state(stage.id, "close")
    campaigns.fund(stage.id, 5, "after")
    assert judging.expire_claims(stage.id) >= 0
