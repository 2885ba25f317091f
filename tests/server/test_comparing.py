"""A find beside earlier ones: who is asked, what an answer does to the pay, and who sends the same again and again."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import httpx
import pytest
from django.core.wsgi import get_wsgi_application
from django.urls import reverse
from django.utils import timezone

from askpoint.arena.client.arena_client import ArenaClient
from askpoint.arena.game.held_pay import DECIDED_AFTER, LONGEST_HOLD
from askpoint.arena.game.same_finds import NEW
from askpoint.arena.game.terms import campaign_protocol
from askpoint.arena.game.transaction import LedgerAccount
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import terms_of, terms_text
from askpoint.arena.server.judges import find_questions
from askpoint.arena.server.judges.comparing import answer_find
from askpoint.arena.server.judges.find_questions import DISGUISE, find_question
from askpoint.arena.server.ledger.services import balance_of
from askpoint.arena.server.organisers.decisions import decide_case_of
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.probes.records import probe_of
from askpoint.arena.server.rulings.comparisons import is_compared, own_repeats, uncompared_finds
from askpoint.arena.server.rulings.held_pay import finish_pay, held_lines
from askpoint.arena.server.rulings.models import Comparison, Judge, Ruling
from askpoint.errors import InputError
from askpoint.server.api.tokens import make_token
from askpoint.server.labelling.models import Vote
from server.stage import refused

FIRST = "people of that sort have no place in this town of ours"
AGAIN = "our municipality has got nowhere for such folk to live"
OTHER = "whoever prays in that house over there is a danger to us"


@pytest.fixture
def held(both, monkeypatch):
    """The cast in a campaign that holds pay for two days, without gold among votes or comparisons."""
    row = both.campaign
    protocol = campaign_protocol(training_items=2, gold_share=1e-9, gold_first=0)
    protocol = replace(protocol, gold_probation=0.0)
    terms = replace(terms_of(row.terms), protocol=protocol, hold=timedelta(hours=48))
    Campaign.objects.filter(pk=row.pk).update(terms=terms_text(terms))
    monkeypatch.setattr(find_questions, "_GOLD_EVERY", 10**80)
    return both


def find(stage, text, player="alice", judges=("bob", "beth")):
    """Submit a find, and let two judges rule that it is one."""
    case = stage.submit(text, player).pk
    for name in judges:
        stage.vote(name, "offensive", case)
    return case


def question(stage, name):
    return find_question(
        Judge.objects.select_related("user", "campaign").get(campaign=stage.id, user__username=name)
    )


def answer(stage, name, same):
    """Answer what a judge is asked by the name of what is shown."""
    asked = question(stage, name)
    names = [NEW, *(key for key, _ in asked.earlier)]
    answer_find(stage.id, name, asked.case, str(names.index(same)))


def points(stage, name, kind="held"):
    return balance_of(stage.campaign.workspace_id, LedgerAccount(kind, name))


def earlier(stage, by):
    for row in Ruling.objects.filter(campaign=stage.id).exclude(ruled_at=None):
        Ruling.objects.filter(pk=row.pk).update(ruled_at=row.ruled_at - by)


def test_the_first_find_is_beside_nothing_and_the_second_beside_it(held):
    first = find(held, FIRST)
    assert question(held, "bob") is None
    second = find(held, AGAIN)
    asked = question(held, "bob")
    assert (asked.case, asked.text, asked.texts) == (second, AGAIN, [FIRST])
    assert question(held, "beth").case == second
    assert question(held, "ben") is None  # who did not vote on it
    assert [key for key, _ in asked.earlier] == [first]


def test_two_judges_who_say_the_same_make_it_one_find_that_is_paid_once(held):
    first = find(held, FIRST)
    once = points(held, "alice")
    second = find(held, AGAIN)
    assert points(held, "alice") == 2 * once
    answer(held, "bob", first)
    assert points(held, "alice") == 2 * once  # one answer settles nothing
    answer(held, "beth", first)
    assert points(held, "alice") == once
    row = Probe.objects.get(pk=second)
    assert (row.family, row.place, row.awarded) == (first, "unpaid", 0)
    assert question(held, "bob") is None
    assert own_repeats(held.campaign, "alice") == (1, 1)
    held.check_ledger()


def test_which_of_the_two_was_ruled_first_changes_nothing(held):
    early = held.submit(FIRST).pk
    Ruling.objects.filter(pk=early).update(state="referred")  # out of the queue
    late = find(held, AGAIN)
    Ruling.objects.filter(pk=early).update(state="open")
    for name in ("bob", "beth"):
        held.vote(name, "offensive", early)
    assert question(held, "bob").case == early
    for name in ("bob", "beth"):
        answer(held, name, late)
    assert Probe.objects.get(pk=early).place == "first"
    assert Probe.objects.get(pk=late).awarded == 0
    held.check_ledger()


def test_a_new_find_stays_one(held):
    find(held, FIRST)
    other = find(held, OTHER)
    before = points(held, "alice")
    for name in ("bob", "beth"):
        answer(held, name, NEW)
    assert points(held, "alice") == before
    assert Probe.objects.get(pk=other).family == other
    assert own_repeats(held.campaign, "alice") == (0, 1)


def test_a_third_judge_is_asked_where_two_differ(held):
    first = find(held, FIRST)
    second = find(held, AGAIN)
    answer(held, "bob", first)
    answer(held, "beth", NEW)
    assert Comparison.objects.get(pk=second).answer == ""
    answer(held, "ben", first)
    assert Probe.objects.get(pk=second).family == first


def test_who_is_asked_is_anybody_after_a_day(held):
    find(held, FIRST)
    second = find(held, AGAIN)
    row = Comparison.objects.get(pk=second)
    Comparison.objects.filter(pk=second).update(at=row.at - timedelta(days=1, minutes=1))
    assert question(held, "ben").case == second


def test_a_find_of_another_player_becomes_a_repeat_and_keeps_what_one_brings(held):
    first = find(held, FIRST, "alice")
    second = find(held, AGAIN, "ann")
    for name in ("bob", "beth"):
        answer(held, name, first)
    assert Probe.objects.get(pk=second).place == "repeat"
    assert own_repeats(held.campaign, "ann") == (0, 1)
    held.check_ledger()


def test_an_award_waits_for_the_comparison_and_a_week_at_most(held):
    find(held, FIRST)
    second = find(held, AGAIN)
    Judge.objects.filter(campaign=held.id).update(passes=1, proven=Vote.objects.latest("at").at)
    earlier(held, timedelta(hours=49))
    finish_pay(held.id)
    assert Probe.objects.filter(final=True).count() == 1
    waits = uncompared_finds(held.campaign)
    assert second in waits
    assert not is_compared(probe_of(Probe.objects.get(pk=second)), waits)
    assert [line.due for line in held_lines(held.alice)] == [None]
    earlier(held, LONGEST_HOLD)
    finish_pay(held.id)
    assert Probe.objects.get(pk=second).final
    held.check_ledger()


def test_what_may_be_withdrawn_already_is_never_taken_back(held):
    first = find(held, FIRST)
    second = find(held, AGAIN)
    earlier(held, LONGEST_HOLD + timedelta(hours=1))
    finish_pay(held.id)
    paid = points(held, "alice", "earned")
    for name in ("bob", "beth"):
        answer(held, name, first)
    assert points(held, "alice", "earned") == paid
    assert Probe.objects.get(pk=second).family == second
    assert own_repeats(held.campaign, "alice") == (1, 1)  # and still it counts
    held.check_ledger()


def test_nobody_is_asked_about_a_find_for_the_first_time_when_its_award_is_final(held):
    first = find(held, FIRST)  # beside nothing, as it was the only one
    second = find(held, AGAIN)
    earlier(held, LONGEST_HOLD + timedelta(hours=1))
    finish_pay(held.id)
    assert Probe.objects.get(pk=first).final
    assert list(Comparison.objects.values_list("pk", flat=True)) == [second]
    for name in ("bob", "beth"):
        answer(held, name, first)
        assert question(held, name) is None
    assert own_repeats(held.campaign, "alice") == (
        1,
        1,
    )  # two finds that are the same are one repeat


def test_who_sends_own_finds_again_and_again_waits_for_the_organiser(held, enter):
    first = find(held, FIRST)
    texts = (AGAIN, "there is no room here for them", "they should look for another city")
    for text in texts:
        find(held, text)
        for name in ("bob", "beth"):
            answer(held, name, first)
    assert own_repeats(held.campaign, "alice").too_many
    earlier(held, LONGEST_HOLD + timedelta(hours=1))
    finish_pay(held.id)
    assert Ruling.objects.get(pk=first).state == "referred"
    assert points(held, "alice", "earned") == 0
    page = enter(held.olga).get(reverse("decide", args=[held.id, first])).content.decode()
    assert "3 of alice&#x27;s 3 compared finds" in page
    decide_case_of(held.id, first, "offensive")
    earlier(held, LONGEST_HOLD + timedelta(hours=1))
    finish_pay(held.id)
    assert points(held, "alice", "earned") > 900
    held.check_ledger()


def test_own_finds_again_pay_nothing_where_the_organiser_never_looks(held):
    first = find(held, FIRST)
    for text in (AGAIN, "there is no room here for them", "they should look for another city"):
        find(held, text)
        for name in ("bob", "beth"):
            answer(held, name, first)
    assert own_repeats(held.campaign, "alice").surely
    earlier(held, LONGEST_HOLD + timedelta(hours=1))
    finish_pay(held.id)
    Campaign.objects.filter(pk=held.id).update(
        state="closed", at=timezone.now() - DECIDED_AFTER - timedelta(hours=1)
    )
    finish_pay(held.id)
    assert Probe.objects.get(pk=first).final
    assert points(held, "alice", "earned") == points(held, "alice", "held") == 0
    held.check_ledger()


def test_a_judge_who_does_not_see_the_find_itself_was_wrong_on_gold(held, monkeypatch):
    monkeypatch.setattr(find_questions, "_GOLD_EVERY", 1)
    find(held, FIRST)
    find(held, AGAIN)
    asked = question(held, "bob")
    assert asked.is_gold
    assert asked.texts == ["for such folk to live our municipality has got nowhere"]
    answer(held, "bob", NEW)
    judge = Judge.objects.get(campaign=held.id, user=held.bob)
    assert (judge.gold_seen, judge.gold_right) == (1, 0)
    assert not question(held, "bob").is_gold  # and then the same find is asked about
    answer(held, "beth", DISGUISE)
    assert Judge.objects.get(campaign=held.id, user=held.beth).gold_seen == 0
    assert Comparison.objects.get().answer == ""


def test_a_judge_who_never_reads_comparisons_is_stopped(held, monkeypatch):
    monkeypatch.setattr(find_questions, "_GOLD_EVERY", 1)
    find(held, FIRST)
    for number, text in enumerate(
        (AGAIN, OTHER, "they smell, and everybody knows it", "thieves all")
    ):
        find(held, f"{text}, I say so for the {number}th time", judges=("bob", "beth"))
    for _ in range(8):
        if Judge.objects.get(campaign=held.id, user=held.bob).stopped:
            break
        answer_find(held.id, "bob", question(held, "bob").case, "0")
    assert Judge.objects.get(campaign=held.id, user=held.bob).stopped
    assert points(held, "bob") == 0
    held.check_ledger()


@pytest.mark.parametrize("bad", ["", "2", "-1", "one", "01", "٣", "9" * 5000])
def test_an_answer_that_is_none_of_those_shown_is_refused(held, bad):
    find(held, FIRST)
    second = find(held, AGAIN)
    with pytest.raises(InputError, match="at most 1; got"):
        answer_find(held.id, "bob", second, bad)
    assert question(held, "bob").case == second


def test_an_answer_to_another_question_or_twice_changes_nothing(held):
    first = find(held, FIRST)
    second = find(held, AGAIN)
    with refused("no-question"):
        answer_find(held.id, "bob", first, "0")
    with refused("no-question"):
        answer_find(held.id, "ben", second, "0")
    answer_find(held.id, "bob", second, "0")
    with refused("no-question"):
        answer_find(held.id, "bob", second, "0")


def test_the_judges_page_asks_and_takes_the_answer(held, enter):
    find(held, FIRST)
    second = find(held, AGAIN)
    bob = enter(held.bob)
    page = bob.get(reverse("judge", args=[held.id])).content.decode()
    assert "Is this a new find?" in page
    assert AGAIN in page
    assert FIRST in page
    where = reverse("compare-find", args=[held.id])
    page = bob.post(where, {"case": second, "same": "7"}, follow=True).content.decode()
    assert "at most 1; got" in page
    page = bob.post(where, {"case": second, "same": "1"}, follow=True).content.decode()
    assert "Is this a new find?" not in page
    enter(held.beth).post(where, {"case": second, "same": "1"})
    page = enter(held.alice).get(reverse("case", args=[held.id, second])).content.decode()
    assert "the same as an earlier find of yours" in page


def test_a_covered_campaign_shows_no_find_that_was_not_asked_for(held, enter):
    find(held, FIRST)
    second = find(held, AGAIN)
    Campaign.objects.filter(pk=held.id).update(veiled=True)
    bob, where = enter(held.bob), reverse("judge", args=[held.id])
    page = bob.get(where).content.decode()
    assert FIRST not in page
    assert AGAIN not in page
    bob.post(reverse("compare-find", args=[held.id]), {"case": second, "same": "1"})
    assert question(held, "bob") is not None
    assert FIRST in bob.get(where, {"show": f"compare-{second}"}).content.decode()


def test_a_program_is_asked_and_answers(held):
    through = httpx.WSGITransport(get_wsgi_application(), raise_app_exceptions=False)
    token = make_token(held.bob, "judge", label="x", scope="write")[1]
    with ArenaClient("http://localhost", token, transport=through) as bob:
        first = find(held, FIRST)
        assert bob.find_to_compare(held.id) is None
        second = find(held, AGAIN)
        asked = bob.find_to_compare(held.id)
        assert (asked.case, asked.text, asked.others) == (second, AGAIN, [FIRST])
        with pytest.raises(InputError, match="at most 1; got"):
            bob.answer_find(held.id, second, 2)
        assert bob.answer_find(held.id, second, 1) is None
        with refused("no-question"):
            bob.answer_find(held.id, second, 1)
    answer(held, "beth", first)
    assert Probe.objects.get(pk=second).family == first


def test_where_pay_is_not_held_nothing_is_compared(both):
    find(both, FIRST)
    find(both, AGAIN)
    assert not Comparison.objects.exists()
