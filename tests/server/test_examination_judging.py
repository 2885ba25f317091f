"""Drawn cases among players' cases: judged alike, paid, void and asked for again."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from askpoint.arena.game.transaction import LedgerAccount
from askpoint.arena.server.campaigns import services as campaigns
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.examinations import services
from askpoint.arena.server.examinations.records import judgements_of
from askpoint.arena.server.judges import services as judging
from askpoint.arena.server.organisers.accuracies import accuracies_of
from askpoint.arena.server.organisers.decisions import decide_case_of
from askpoint.arena.server.organisers.figures import figures_of, judge_lines
from askpoint.arena.server.players import services as playing
from askpoint.arena.server.rulings.models import Judge, Ruling
from askpoint.errors import RuleError
from askpoint.server.labelling.models import Claim
from askpoint.unknowns.examination import ExaminationDesign
from server.examining import STREAM, drawn, judge_all, reserved, truth


def test_what_votes_do_not_cost_is_free_again(both):
    row = drawn(both)
    judge_all(both, names=("bob", "beth"))
    judged = judgements_of(row)
    assert (len(judged.answers), judged.n_ruled) == (10, 10)
    assert judged.answers == [truth(item.case) for item in judged.cases]
    assert (both.earned("bob"), both.earned("beth")) == (1000, 1000)
    assert (reserved(both), campaigns.budget_left(both.campaign)) == (0, 98_000)
    both.check_ledger()


def test_a_judge_sees_nothing_that_tells_it_from_a_players_case(stage, enter):
    drawn(stage, 1)
    stage.submit("you are not from here")
    pages = {}
    for name in ("bob", "beth", "ben"):
        browser = enter(getattr(stage, name))
        browser.post(f"/judge/{stage.id}/claim/")
        ruling = Claim.objects.get(reviewer=name).case
        page = browser.get(f"/judge/{stage.id}/").content.decode()
        assert ruling.content in page
        page = page.replace(ruling.content, "CASE").replace(ruling.pk, "ID").replace(name, "JUDGE")
        pages.setdefault(ruling.purpose, []).append(page[page.index("<main") :])
    strip = [
        [
            line
            for line in page[0].splitlines()
            if "csrf" not in line and "Yours until" not in line and "waits" not in line
        ]
        for page in pages.values()
    ]
    assert set(pages) == {"drawn", "submitted"}
    assert strip[0] == strip[1]


def test_a_copy_of_a_players_case_is_ruled_for_itself(both):
    both.submit("mild 7")
    row = drawn(both, 12, sample=STREAM[:12])
    assert both.try_case("mild 8").state == "tried"  # nor does a draw stop players
    judge_all(both, lambda _: "clean")
    assert both.player().judged == 1
    assert judgements_of(row).n_ruled == 12


def test_two_votes_that_differ_bring_a_third_and_the_organiser_has_the_last_word(both):
    row = drawn(both, 1)
    case = judgements_of(row).cases[0].ruling_id
    both.vote("bob", "clean", case)
    both.vote("beth", "offensive", case)
    Judge.objects.filter(user__username="ben").update(gold_seen=9, gold_right=6)
    assert Ruling.objects.get(pk=case).state == "open"
    with pytest.raises(RuleError, match="the organiser decides what judges refer"):
        decide_case_of(both.id, case, "clean")
    Ruling.objects.filter(pk=case).update(state="referred")
    assert figures_of(both.campaign).drawn_referred == 1
    assert figures_of(both.campaign).referred == 0
    decide_case_of(both.id, case, "offensive")
    assert judgements_of(row).answers == ["offensive"]
    assert reserved(both) == 0
    both.check_ledger()


def test_three_different_answers_wait_for_the_organiser(both):
    from askpoint.arena.server.campaigns.models import Campaign
    from askpoint.arena.server.campaigns.records import terms_text
    from askpoint.measures.cost_matrix import CostMatrix

    three = ("clean", "offensive", "unclear")
    terms = replace(
        terms_of(both.campaign.terms), costs=CostMatrix.zero_one(three), sought=None, designs=[1]
    )
    Campaign.objects.update(terms=terms_text(terms))
    row = services.bring_sample(both.id, ["one", "two"])
    for item in row.cases.all():
        item.probabilities, item.decision = [0.5, 0.25, 0.25], "clean"
        item.save()
    services.answer_sample(str(row.pk))
    row = services.draw(both.id, row.pk, ExaminationDesign("random", 1, 1), 0)
    case = judgements_of(row).cases[0].ruling_id
    for name, choice in zip(("bob", "beth", "ben"), three, strict=True):
        both.vote(name, choice, case)
    (waiting,) = judgements_of(row).waiting
    assert (waiting.pk, waiting.state, reserved(both)) == (case, "referred", 0)
    decide_case_of(both.id, case, "unclear")
    assert judgements_of(row).answers == ["unclear"]
    both.check_ledger()


def test_nobody_appeals_against_a_drawn_case(stage):
    row = drawn(stage, 1)
    judge_all(stage)
    case = judgements_of(row).cases[0].ruling_id
    with pytest.raises(RuleError) as caught:
        playing.appeal(stage.id, case, stage.player(), "mine")
    assert caught.value.rule == "not-own-case"


def test_a_paused_judges_votes_on_drawn_cases_are_void_and_asked_for_again(both):
    row = drawn(both, 2)
    judge_all(both, names=("bob", "beth"))
    assert judgements_of(row).n_ruled == 2
    judging.add_gold(both.id, "you fool", "offensive")
    Judge.objects.filter(user__username="bob").update(recent=[True] * 7 + [False] * 2)
    gold = Ruling.objects.get(purpose="gold")
    now = timezone.now()
    Claim.objects.create(case=gold, reviewer="bob", until=now + timedelta(minutes=5), number=1)
    from django.db import transaction

    from askpoint.arena.game.transaction import transfer
    from askpoint.arena.server.campaigns.services import lock_campaign
    from askpoint.arena.server.ledger.services import post

    with transaction.atomic():  # the gold vote's pay, as a claim reserves it
        lock_campaign(both.id)
        accounts = LedgerAccount("budget", both.id), LedgerAccount("reserved", both.id)
        moved = transfer(f"reserve/{gold.pk}/1", now, 100, *accounts, gold.pk)
        post("main", moved, both.id)
        Ruling.objects.filter(pk=gold.pk).update(reserved=100)
    judging.vote(both.id, "bob", gold.pk, "clean")
    judged = judgements_of(row)
    assert (judged.n_ruled, judged.answers) == (0, [])
    assert reserved(both) == 2 * 200  # two counted votes may still come
    both.check_ledger()
    judge_all(both, names=("ben",))
    assert judgements_of(row).n_ruled == 2
    assert reserved(both) == 0
    both.check_ledger()


def test_an_ended_claim_on_a_drawn_case_goes_back(both):
    drawn(both, 1)
    judging.claim(both.id, "bob")
    Claim.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert judging.expire_claims(both.id) == 1
    assert not Claim.objects.exists()
    assert reserved(both) == 300
    both.check_ledger()


def test_votes_on_drawn_cases_count_for_judges_and_never_for_players(both):
    row = drawn(both, 30, sample=STREAM[:30])
    judge_all(both)
    figures = figures_of(both.campaign)
    assert (figures.tried, figures.submitted, figures.judged, figures.found) == (0, 0, 0, 0)
    assert figures.cents_per_unknown is None
    n_votes = sum(item.votes for item in judge_lines(both.campaign))
    assert n_votes == sum(len(item.ruling.votes.all()) for item in judgements_of(row).cases) >= 60
    assert figures.paid == 100 * n_votes
    assert accuracies_of(both.campaign).n_cases == 30


def test_the_price_of_a_players_find_leaves_drawn_cases_out(both):
    both.submit("you are not from here")
    judge_all(both, lambda _: "offensive")
    before = figures_of(both.campaign).cents_per_unknown
    drawn(both, 5)
    judge_all(both)
    after = figures_of(both.campaign)
    assert after.cents_per_unknown == before == (910 + 200) / 50
    assert after.paid > 1110
