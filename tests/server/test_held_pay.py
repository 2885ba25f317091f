"""Held pay on the server: what a judge and a player read, and when it is let go."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from askpoint.arena.game.held_pay import DECIDED_AFTER, LONGEST_HOLD
from askpoint.arena.game.terms import campaign_protocol
from askpoint.arena.game.transaction import LedgerAccount
from askpoint.arena.server.campaigns import services as campaigns
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import terms_of, terms_text
from askpoint.arena.server.campaigns.services import budget_left
from askpoint.arena.server.judges import services as judging
from askpoint.arena.server.ledger.services import balance_of
from askpoint.arena.server.organisers.decisions import decide_case_of
from askpoint.arena.server.payouts.services import plan_all
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.rulings.held_pay import (
    decide_held_votes,
    finish_pay,
    held_lines,
    undecided_judges,
)
from askpoint.arena.server.rulings.models import Judge, Ruling
from askpoint.arena.server.rulings.pools import join
from askpoint.server.accounts.models import User
from askpoint.server.books import check_books
from askpoint.server.labelling.models import Vote
from server.stage import refused

HOLD = timedelta(hours=48)


@pytest.fixture
def held(both):
    """The cast in a campaign that holds pay, with gold of both answers."""
    row = both.campaign
    protocol = campaign_protocol(training_items=2, gold_share=1e-9, gold_probation=0.0)
    terms = replace(terms_of(row.terms), protocol=protocol, hold=HOLD)
    Campaign.objects.filter(pk=row.pk).update(terms=terms_text(terms))
    for number in range(30):
        judging.add_gold(row.pk, f"gold {number}", both.classes[number % 2])
    return both


def vote_on(stage, name, right=True):
    """Let a judge vote on what comes next, gold first; whether it was a gold case."""
    case = judging.claim(stage.id, name)
    answer = case.gold or "offensive"
    if not right:
        answer = next(option for option in stage.classes if option != answer)
    judging.vote(stage.id, name, case.pk, answer)
    return case.purpose == "gold"


def earlier(stage, by):
    """Let all rulings and votes have been made earlier."""
    for ruling in Ruling.objects.filter(campaign=stage.id).exclude(ruled_at=None):
        Ruling.objects.filter(pk=ruling.pk).update(ruled_at=ruling.ruled_at - by)


def balances(stage, name):
    return tuple(
        balance_of(stage.campaign.workspace_id, LedgerAccount(kind, name))
        for kind in ("held", "earned")
    )


def test_votes_and_award_are_held_and_then_let_go(held, enter):
    held.submit("nobody of that sort belongs into this town of ours")
    for name in ("bob", "beth"):
        while vote_on(held, name):
            pass
    assert Judge.objects.get(campaign=held.id, user=held.bob).held == 7  # six of gold first
    assert balances(held, "bob") == (700, 0)
    assert balances(held, "alice")[0] > 900
    page = enter(held.bob).get(reverse("points")).content.decode()
    assert "7 votes in" in page
    page = enter(held.alice).get(reverse("points")).content.decode()
    assert "final when its judges have been checked" in page
    with refused("too-little"):
        from askpoint.arena.server.payouts.services import withdraw

        withdraw(held.campaign.workspace_id, held.alice)
    finish_pay(held.id)
    assert balances(held, "alice")[1] == 0
    earlier(held, LONGEST_HOLD)
    finish_pay(held.id)
    assert balances(held, "alice")[0] == 0
    assert balances(held, "alice")[1] > 900
    assert held_lines(held.alice) == []
    finish_pay(held.id)  # nothing twice
    held.check_ledger()


def test_a_judge_who_never_reads_is_stopped_and_earns_nothing(held):
    case = held.submit("nobody of that sort belongs into this town of ours").pk
    for _ in range(6):
        vote_on(held, "bob", right=False)
        if Judge.objects.get(campaign=held.id, user=held.bob).stopped:
            break
    assert balances(held, "bob") == (0, 0)
    assert not Ruling.objects.get(pk=case).votes.filter(void=False).exists()
    with refused("paused"):
        judging.claim(held.id, "bob")
    held.check_ledger()


def test_the_organiser_decides_on_votes_that_gold_speaks_against(held, enter):
    held.submit("nobody of that sort belongs into this town of ours")
    for name in ("bob", "beth"):
        for _ in range(2):
            vote_on(held, name, right=False)
    campaigns.change_state(held.id, "close")
    Ruling.objects.filter(campaign=held.id, state="open").exclude(purpose="gold").update(
        state="referred"
    )
    finish_pay(held.id)
    assert [judge.user.username for judge in undecided_judges(held.campaign)] == ["beth", "bob"]
    page = enter(held.beth).get(reverse("points")).content.decode()
    assert (
        "too many of these were wrong, so the votes are paid only if the organiser says so" in page
    )
    decide_held_votes(held.id, "bob", pays=True)
    assert balances(held, "bob") == (0, 200)
    with refused("nothing-held"):
        decide_held_votes(held.id, "bob", pays=False)
    left = budget_left(Campaign.objects.get(pk=held.id))
    Campaign.objects.filter(pk=held.id).update(at=timezone.now() - DECIDED_AFTER)
    finish_pay(held.id)
    assert balances(held, "beth") == (0, 0)  # nobody said that clicking is paid
    assert budget_left(Campaign.objects.get(pk=held.id)) == left + 200
    assert undecided_judges(held.campaign) == []
    held.check_ledger()


def test_an_award_whose_votes_are_asked_again_is_final_two_weeks_after_the_end(held, enter):
    held.submit("nobody of that sort belongs into this town of ours")
    for name in ("bob", "beth"):
        while vote_on(held, name):
            pass
    award = balances(held, "alice")[0]
    assert award > 900
    assert judging.ask_again(held.id, "bob") == 1
    campaigns.change_state(held.id, "close")
    earlier(held, LONGEST_HOLD)
    finish_pay(held.id)
    assert balances(held, "alice") == (award, 0)
    (line,) = held_lines(held.alice)
    end = Campaign.objects.get(pk=held.id).at
    assert line.latest == end + DECIDED_AFTER
    page = enter(held.alice).get(reverse("points")).content.decode()
    assert "final when it is ruled on again" in page
    Campaign.objects.filter(pk=held.id).update(at=end - DECIDED_AFTER)
    finish_pay(held.id)
    assert balances(held, "alice") == (0, award)
    held.check_ledger()


def test_the_pay_of_who_judged_with_care_cannot_be_refused_however_fast(held, enter):
    """The organiser who ends a campaign may not be faster than the background, which pays."""
    held.submit("nobody of that sort belongs into this town of ours")
    while vote_on(held, "bob"):
        pass
    for _ in range(2):
        vote_on(held, "beth", right=False)
    campaigns.change_state(held.id, "close")
    olga, path = enter(held.olga), reverse("standing", args=[held.id])

    def refuse(name):
        form = {"role": "judge", "name": name, "action": "void-held"}
        return olga.post(path, form, follow=True).content.decode()

    assert "gold cases do not speak against bob" in refuse("bob")
    assert balances(held, "bob") == (700, 0)
    assert "The last votes of beth are not paid." in refuse("beth")
    assert "No votes of beth are held" in refuse("beth")
    assert "No votes of ben are held" in refuse("ben")
    Ruling.objects.filter(campaign=held.id, state="open").exclude(purpose="gold").update(
        state="referred"
    )
    finish_pay(held.id)
    assert balances(held, "bob") == (0, 700)
    held.check_ledger()


@pytest.mark.parametrize("careful", [True, False])
def test_votes_that_are_asked_again_take_pay_back_where_gold_speaks_against_them(held, careful):
    for number in range(3):
        held.submit(f"nobody of that sort belongs into the town number {number} of ours")
    right = iter([careful, careful, True, careful])
    while vote_on(held, "bob", right=next(right, True)):
        pass
    vote_on(held, "bob")
    assert balances(held, "bob") == (800, 0)  # six of gold, two cases
    assert judging.ask_again(held.id, "bob") == 2
    assert Vote.objects.filter(reviewer="bob", void=True).count() == 2
    left = 800 if careful else 600
    assert balances(held, "bob") == (left, 0)
    assert Judge.objects.get(campaign=held.id, user=held.bob).held == left // 100
    assert judging.ask_again(held.id, "bob") == 0
    assert balances(held, "bob") == (left, 0)
    campaigns.change_state(held.id, "close")
    Ruling.objects.filter(campaign=held.id, state="open").exclude(purpose="gold").update(
        state="referred"
    )
    finish_pay(held.id)
    assert balances(held, "bob") == ((0, 800) if careful else (600, 0))
    held.check_ledger()


def test_who_deals_no_gold_pays_all_the_same(held):
    Ruling.objects.filter(campaign=held.id, purpose="gold").delete()
    for number in range(3):
        held.submit(f"nobody of that sort belongs into the town number {number} of ours")
    for _ in range(3):
        assert not vote_on(held, "bob")
    assert judging.ask_again(held.id, "bob") == 3
    campaigns.change_state(held.id, "close")
    with refused("careful"):
        decide_held_votes(held.id, "bob", pays=False)
    assert undecided_judges(held.campaign) == []
    decide_held_votes(held.id, "bob", pays=True)
    assert balances(held, "bob") == (0, 300)
    held.check_ledger()


def test_what_two_judges_decide_too_often_goes_to_others_and_not_to_the_organiser(held, enter):
    Ruling.objects.filter(campaign=held.id, purpose="gold").delete()
    texts = [
        hashlib.sha256(bytes([number])).hexdigest() for number in range(8)
    ]  # none like another
    cases = [held.submit(text).pk for text in texts]
    for name in ("bob", "beth"):
        for _ in cases:
            vote_on(held, name)
    award = balances(held, "alice")[0]
    assert award > 8 * 900
    earlier(held, LONGEST_HOLD)
    finish_pay(held.id)
    assert balances(held, "alice") == (award, 0)
    assert balances(held, "bob") == (800, 0)
    assert set(Ruling.objects.filter(pk__in=cases).values_list("state", flat=True)) == {"open"}
    page = enter(held.alice).get(reverse("points")).content.decode()
    assert "final when it is ruled on again" in page
    with refused("not-referred"):
        decide_case_of(held.id, cases[0], "clean")
    jane = User.objects.create_user("jane")
    join(held.id, jane, "judge")
    for number in (1, 2):
        judging.answer_training(held.id, "jane", number, "clean")
    for name in ("ben", "jane"):
        for _ in cases:
            case = judging.claim(held.id, name)
            judging.vote(held.id, name, case.pk, "offensive" if case.pk == cases[0] else "clean")
    earlier(held, LONGEST_HOLD)
    finish_pay(held.id)
    assert balances(held, "alice") == (0, award // 8 + 7 * 10)
    assert balances(held, "bob") == (800, 0)
    held.check_ledger()


def test_a_pass_asks_as_little_of_the_database_however_many_awards_wait_or_are_due(held):
    Ruling.objects.filter(campaign=held.id, purpose="gold").delete()

    def add_finds(n):
        for _ in range(n):
            held.submit(hashlib.sha256(bytes([Ruling.objects.count()])).hexdigest())
        for name in ["bob"] * n + ["beth"] * n:
            vote_on(held, name)

    def asked(by):
        earlier(held, by)
        with CaptureQueriesContext(connection) as queries:
            finish_pay(held.id)
        return [query["sql"] for query in queries]

    def reads_votes(queries):
        return sum("SELECT" in sql and 'FROM "labelling_vote"' in sql for sql in queries)

    add_finds(2)
    two_wait = asked(HOLD)
    two_go = asked(LONGEST_HOLD)
    assert Probe.objects.filter(final=True).count() == 2
    add_finds(5)
    assert len(asked(HOLD)) == len(two_wait) < len(two_go)
    five_go = asked(LONGEST_HOLD)
    assert Probe.objects.filter(final=True).count() == 7
    assert reads_votes(five_go) == reads_votes(two_go) == reads_votes(two_wait) > 0
    held.check_ledger()


def test_who_leaves_with_points_held_gets_them_all_the_same(held):
    held.submit("nobody of that sort belongs into this town of ours")
    for name in ("bob", "beth"):
        while vote_on(held, name):
            pass
    User.objects.filter(username__in=["alice", "bob"]).update(is_active=False)  # they left
    Judge.objects.filter(campaign=held.id, user=held.bob).update(barred=True)
    earlier(held, LONGEST_HOLD)
    assert balances(held, "bob") == (700, 0)
    finish_pay(held.id)
    assert balances(held, "alice")[0] == 0
    assert balances(held, "alice")[1] > 900
    campaigns.change_state(held.id, "close")
    finish_pay(held.id)
    assert balances(held, "bob") == (0, 700)  # right on six gold cases
    assert plan_all(held.campaign.workspace_id, {"alice", "bob"}) == 2
    assert not check_books().problems


def test_who_asks_for_votes_again_and_closes_holds_no_pay_longer_than_two_weeks(held):
    """Nobody comes to judge the cases that are open then."""
    held.submit("nobody of that sort belongs into this town of ours")
    for name in ("bob", "beth"):
        while vote_on(held, name):
            pass
    assert judging.ask_again(held.id, "bob") == 1
    campaigns.change_state(held.id, "close")
    assert Ruling.objects.filter(campaign=held.id, state="open").exclude(purpose="gold").exists()
    for days, paid in ((13, 0), (15, 700), (15, 700)):
        Campaign.objects.filter(pk=held.id).update(at=timezone.now() - timedelta(days=days))
        finish_pay(held.id)
        for name in ("bob", "beth"):
            assert balances(held, name) == (700 - paid, paid)
    held.check_ledger()


def test_a_clock_that_is_set_back_lets_nothing_go_early_and_nothing_twice(held, monkeypatch):
    real = timezone.now
    held.submit("nobody of that sort belongs into this town of ours")
    for name in ("bob", "beth"):
        while vote_on(held, name):
            pass
    award = balances(held, "alice")[0]
    for shift in (-LONGEST_HOLD, HOLD - timedelta(minutes=1), -LONGEST_HOLD):
        monkeypatch.setattr(timezone, "now", lambda shift=shift: real() + shift)
        finish_pay(held.id)
        assert balances(held, "alice") == (award, 0)
    for shift in (LONGEST_HOLD + timedelta(minutes=1), -LONGEST_HOLD, LONGEST_HOLD):
        monkeypatch.setattr(timezone, "now", lambda shift=shift: real() + shift)
        finish_pay(held.id)
        assert balances(held, "alice") == (0, award)
    assert not check_books().problems
