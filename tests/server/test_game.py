"""The rules of the game hold in the database, on both of them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from askpoint.errors import InputError, ModelError, RuleError
from askpoint.game.transaction import Account
from askpoint.server.campaigns import services as campaigns
from askpoint.server.campaigns.records import campaign_of, terms_of, terms_text
from askpoint.server.jobs.models import Job
from askpoint.server.judges import services as judging
from askpoint.server.ledger.models import Balance, Entry, Posting
from askpoint.server.ledger.services import audit, balance_of, statement
from askpoint.server.organisers.decisions import decide_case_of
from askpoint.server.organisers.figures import figures_of
from askpoint.server.players import services as playing
from askpoint.server.probes.families import family_members, family_so_far
from askpoint.server.probes.models import Draft, Probe, Similar
from askpoint.server.probes.similar import learn, likeness
from askpoint.server.rulings.models import Judge, Lease, Ruling, Vote
from askpoint.server.rulings.pools import change_standing, join


def refused(rule):
    return pytest.raises(RuleError, match="") if rule is None else _Refused(rule)


class _Refused:
    def __init__(self, rule):
        self.rule = rule

    def __enter__(self):
        self.caught = pytest.raises(RuleError)
        self.info = self.caught.__enter__()

    def __exit__(self, *args):
        done = self.caught.__exit__(*args)
        assert self.info.value.rule == self.rule
        return done


def test_a_case_is_tried_submitted_judged_and_paid(both):
    probe = both.try_case("you are not from here")
    assert (probe.state, probe.decision) == ("tried", "clean")
    best = max(points for points, _ in probe.prizes)
    assert best == 900  # 1000 (1 - .05 / .5)
    playing.submit(both.player(), probe)
    reserved = balance_of(Account("reserved", both.id))
    assert reserved == 10 + best + 3 * 100
    both.vote("bob", "offensive")
    assert both.vote("beth", "offensive").state == "ruled"
    assert (both.earned("alice"), both.earned("bob"), both.earned("beth")) == (910, 100, 100)
    assert balance_of(Account("reserved", both.id)) == 0
    assert campaigns.budget_left(both.campaign) == 100_000 - 910 - 200
    player = both.player()
    assert (player.judged, player.found) == (1, 1)
    lines = statement(Account("earned", "alice"))
    assert [(line["what"], line["points"], line["balance"]) for line in lines] == [
        ("award", 910, 910)
    ]
    both.check_ledger()


def test_a_third_judge_decides_a_disagreement(both):
    probe = both.submit("you are not from here")
    both.vote("bob", "offensive")
    both.vote("beth", "clean")
    assert Ruling.objects.get(pk=probe.pk).state == "open"
    assert both.vote("ben", "clean", probe.pk).answer == "clean"
    assert both.earned("alice") == 10
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
    assert [line["points"] for line in statement(Account("earned", "alice"))] == [910, -10, 10]
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
    assert Ruling.objects.get(pk=probe.pk).case == text


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


def test_an_untrained_or_barred_judge_claims_nothing(stage):
    stage.submit("a case")
    join(stage.id, stage.charlie, "judge")
    with refused("untrained"):
        judging.claim(stage.id, "charlie")
    change_standing(stage.id, "bob", "judge", barred=True)
    with refused("barred"):
        judging.claim(stage.id, "bob")
    change_standing(stage.id, "bob", "judge", barred=False)
    with refused("untrained"):
        judging.claim(stage.id, "bob")


def test_a_barred_player_plays_no_more_until_readmitted(stage):
    change_standing(stage.id, "alice", "player", barred=True)
    with refused("barred"):
        stage.try_case("a case")
    change_standing(stage.id, "alice", "player", barred=False)
    stage.try_case("a case")


def test_a_claim_is_kept_given_back_and_ends(both):
    probe = both.submit("a case")
    assert judging.claim(both.id, "bob").pk == probe.pk
    assert judging.claim(both.id, "bob").pk == probe.pk  # another tab
    assert judging.claim(both.id, "beth").pk == probe.pk
    assert judging.claim(both.id, "ben") is None  # both places are taken
    judging.rest(both.id, "beth", probe.pk)
    assert judging.claim(both.id, "ben").pk == probe.pk
    Lease.objects.update(until=timezone.now() - timedelta(seconds=1))
    with refused("no-lease"):
        judging.vote(both.id, "ben", probe.pk, "clean")
    assert judging.expire_leases(both.id) == 1
    assert not Lease.objects.exists()
    both.vote("beth", "clean")
    both.check_ledger()


def test_a_second_vote_is_refused(both):
    probe = both.submit("a case")
    both.vote("bob", "clean")
    with refused("second-vote"):
        judging.vote(both.id, "bob", probe.pk, "clean")
    with pytest.raises(DatabaseError), transaction.atomic():
        Vote.objects.create(ruling_id=probe.pk, judge="bob", choice="x", at=timezone.now())


def test_the_queue_starves_nobody(stage):
    cases = [stage.submit(f"case {word}").pk for word in ("one", "two", "three", "four")]
    claimed = [judging.claim(stage.id, name).pk for name in ("bob", "beth", "ben")]
    assert claimed == cases[:3]  # one vote for each before a second for any
    for name, case in zip(("bob", "beth", "ben"), claimed, strict=True):
        judging.vote(stage.id, name, case, "clean")
    assert judging.claim(stage.id, "bob").pk == cases[3]


def test_gold_pauses_a_bad_judge_and_recalls_the_votes(sqlite, monkeypatch):
    from askpoint.game.protocol import Protocol
    from server.stage import Stage

    rules = Protocol(training_items=2, gold_share=1.0, gold_least=2)  # 1 + 2 for a vote
    stage = Stage(monkeypatch, protocol=rules)
    probe = stage.submit("a case")
    stage.vote("bob", "clean", probe.pk)  # no gold yet
    stage.vote("beth", "clean", probe.pk)
    assert stage.earned("alice") == 10
    for text in ("gold one", "gold two"):
        judging.add_gold(stage.id, text, "clean")
    assert judging.claim(stage.id, "bob") is None  # never on an empty queue
    other = stage.submit("it waits")
    for _ in range(2):
        assert stage.vote("bob", "offensive").kind == "gold"
    bob = Judge.objects.get(user=stage.bob)
    assert (bob.gold_right, bob.recent, bob.voted) == (0, [False, False], 1)
    Ruling.objects.filter(pk=other.pk).update(state="final")
    with refused("paused"):
        judging.claim(stage.id, "bob")
    ruling = Ruling.objects.get(pk=probe.pk)
    assert (ruling.state, ruling.votes.get(judge="bob").void) == ("open", True)
    stage.check_ledger()


def test_a_gold_claim_that_ends_gives_its_pay_back(sqlite, monkeypatch):
    from askpoint.game.protocol import Protocol
    from server.stage import Stage

    stage = Stage(monkeypatch, protocol=Protocol(training_items=2, gold_share=1.0))
    judging.add_gold(stage.id, "gold", "clean")
    stage.submit("a case that waits")
    before = campaigns.budget_left(stage.campaign)
    judging.claim(stage.id, "bob")
    assert campaigns.budget_left(stage.campaign) == before - 100
    Lease.objects.update(until=timezone.now())
    judging.expire_leases(stage.id)
    assert campaigns.budget_left(stage.campaign) == before
    stage.check_ledger()


def test_gold_is_renewed_by_what_all_agreed_on_and_used_up_gold_is_told(sqlite, monkeypatch):
    from askpoint.game.protocol import Protocol
    from askpoint.server.organisers.figures import judge_lines
    from server.stage import Stage

    stage = Stage(monkeypatch, protocol=Protocol(training_items=2, gold_share=1.0))
    first = stage.submit("the first of all")
    for name in ("bob", "beth"):
        assert stage.vote(name, "clean").kind == "submitted"
    second = stage.submit("quite another one")
    gold = judging.claim(stage.id, "ben")  # made of the first case, in which ben had no part
    assert (gold.kind, gold.source, gold.gold, gold.case) == (
        "gold",
        first.pk,
        "clean",
        "the first of all",
    )
    judging.vote(stage.id, "ben", gold.pk, "clean")
    assert judging.claim(stage.id, "ben").pk == second.pk
    judging.vote(stage.id, "ben", second.pk, "offensive")
    lines = {line.name: line for line in judge_lines(stage.campaign)}
    assert (lines["ben"].gold_left, lines["ben"].unchecked) == (0, 1)
    assert judging.ask_again(stage.id, "ben") == 1
    assert Ruling.objects.get(pk=second.pk).votes.get(judge="ben").void
    assert {line.name: line.unchecked for line in judge_lines(stage.campaign)}["ben"] == 0
    stage.check_ledger()


@pytest.mark.parametrize("rulings", ["3- 1- 2+ 0+", "2+ 0- 3+ 1+", "1- 0- 2- 3-"])
def test_what_a_new_variant_needs_to_know_is_read_in_short(stage, rulings):
    find = "nobody of that sort belongs into this town of ours"
    cases = [stage.submit(find + end).pk for end in ("", "!", " today", " or ever")]
    for number, said in rulings.split():
        case = cases[int(number)]
        Ruling.objects.filter(pk=case).update(opened=timezone.now() - timedelta(days=1))
        for name in ("bob", "beth"):
            stage.vote(name, "offensive" if said == "+" else "clean", case)
        whole = family_members(stage.campaign, cases[0])
        short = family_so_far(stage.campaign, cases[0])
        assert len(short) <= 3
        assert {one.family for one in short} == {cases[0]}
        assert any(one.prize.found for one in short) == any(one.prize.found for one in whole)


def test_variants_of_one_sentence_are_one_find(both):
    find = "nobody of that sort belongs into this town of ours"
    cases = [both.submit(find + end).pk for end in ("", "!", " today", " or ever", "?!")]
    for _ in cases:
        for name in ("bob", "beth"):
            both.vote(name, "offensive")
    pay = [Probe.objects.get(pk=case).awarded for case in cases]
    assert pay[0] > 900
    assert pay[1:] == [90] * 4
    figures = figures_of(both.campaign)
    assert (figures.found, figures.unknown, figures.repeats) == (1, 1, 4)
    late = both.try_case("really, " + find, "ann")
    assert (late.family, late.similarity) == (cases[0], 1.0)
    both.check_ledger()


def test_an_organiser_neither_judges_nor_plays_in_the_own_campaign(stage):
    from askpoint.server.rulings.pools import join

    for role in ("judge", "player"):
        with refused("own-campaign"):
            join(stage.id, stage.olga, role)


def test_the_ledger_cannot_be_emptied(emptied_postgres):
    from django.db import DatabaseError, connection

    for table in ("ledger_posting", "ledger_entry"):
        with pytest.raises(DatabaseError, match="append-only"), connection.cursor() as cursor:
            cursor.execute(f"TRUNCATE {table} CASCADE")


def test_the_ledger_is_append_only_in_the_database(both):
    both.submit("a case")
    for rows in (Posting.objects, Entry.objects):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            rows.update(id=7)
        with (
            pytest.raises(DatabaseError, match="append-only"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(f"DELETE FROM {rows.model._meta.db_table}")  # noqa: S608


def test_no_balance_falls_below_zero_even_by_hand(both):
    with pytest.raises(DatabaseError), transaction.atomic():
        Balance.objects.filter(kind="budget").update(points=-1)


def test_the_audit_finds_a_balance_that_its_entries_do_not_say(stage):
    Balance.objects.filter(kind="budget").update(points=7)
    with refused("audit"):
        audit()


def test_the_audit_bears_a_clock_that_was_set_back(stage, monkeypatch):
    from datetime import timedelta

    from django.utils import timezone

    real = timezone.now
    campaigns.change_state(stage.id, "close")
    monkeypatch.setattr(timezone, "now", lambda: real() + timedelta(hours=1))
    left = campaigns.budget_left(stage.campaign)
    campaigns.fund(stage.id, 500, "ahead")
    monkeypatch.setattr(timezone, "now", lambda: real() - timedelta(hours=1))
    type(stage.campaign).objects.update(at=real() - timedelta(hours=2))
    campaigns.fund(
        stage.id, -left - 500, "after the step"
    )  # by its times, before there was so much
    assert campaigns.budget_left(stage.campaign) == 0
    stage.check_ledger()


def test_a_funding_happens_once(both):
    with refused("posted-before"):
        campaigns.fund(both.id, 100, "first")
    both.check_ledger()


def test_no_more_is_taken_back_than_there_is(both):
    campaigns.change_state(both.id, "close")
    left = campaigns.budget_left(both.campaign)
    with refused("overdrawn"):
        campaigns.fund(both.id, -left - 1, "back")
    assert campaigns.budget_left(both.campaign) == left
    campaigns.fund(both.id, -left, "back")  # the refused one has left no trace, its key neither
    both.check_ledger()


def test_terms_are_fixed_once_open_and_survive_storage(stage):
    terms = campaign_of(stage.campaign).terms
    assert terms_of(terms_text(terms)) == terms
    with refused("not-a-draft"):
        campaigns.change_draft(stage.id, terms)
    with refused("not-a-draft"):
        campaigns.set_training(stage.id, [])


def test_what_resembles_an_earlier_find_earns_less(stage):
    from askpoint.server.demo import _EVERYDAY

    type(stage.campaign).objects.update(reference=list(_EVERYDAY))
    probe = stage.submit("people from the north are all thieves, everybody knows that")
    for name in ("bob", "beth"):
        stage.vote(name, "offensive")
    assert Job.objects.get(kind="learn").about == stage.id
    learn(stage.id)
    assert Similar.objects.get().successful == [probe.pk]
    again = stage.try_case("people from the north are all thieves, as everybody knows", "ann")
    assert again.similarity > 0.5
    best = max(points for points, _ in again.prizes)
    assert best < 900 / 2
    assert likeness(stage.campaign, "nice weather").resemblance.similarity < 0.5


def test_without_texts_to_tell_it_from_only_a_near_duplicate_earns_less(stage):
    text = "people from the north are all thieves, everybody here knows that very well"
    stage.submit(text)
    for name in ("bob", "beth"):
        stage.vote(name, "offensive")
    learn(stage.id)
    assert likeness(stage.campaign, "thieves from the north").resemblance.similarity == 0
    near = likeness(stage.campaign, text + "!")
    assert (near.resemblance.similarity, near.reason) == (1, "near-duplicate")


def test_a_draft_is_kept_until_the_case_is_submitted(stage):
    playing.keep_draft(stage.player(), "half a thought")
    assert Draft.objects.get().case == "half a thought"
    stage.submit("a whole one")
    assert Draft.objects.get().case == ""


def test_watch_tells_of_drift_and_of_a_classifier_that_cannot_tell(stage, enter, monkeypatch):
    from askpoint.server.organisers import drift

    page = enter(stage.olga).get(f"/run/{stage.id}/").content.decode()
    assert "there are 0 so far" in page
    assert "Ledger, budget and cases agree" in page
    texts = [f"{word} and nothing else" for word in ("weather", "kitchen") * 40]
    truths = [False] * 60 + [True] * 20
    from askpoint.server.organisers import views
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
    assert judging.expire_leases(stage.id) >= 0
