"""Pay is final only when it is earned: votes when the judge passes, awards when the hold has passed."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

import numpy as np
import pytest

from arena.game.scene import DAY, HOUR, MINUTE, NOW, arena, submitted
from askpoint.arena.game.held_pay import (
    DECIDED_AFTER,
    LONGEST_HOLD,
    MOST_UNPROVEN,
    award_due,
    check_unproven,
    close_held_votes,
    finish_award,
    is_doubted,
    take_back_votes,
    void_held_votes,
)
from askpoint.arena.game.terms import CampaignTerms, campaign_protocol
from askpoint.errors import InputError, RuleError
from askpoint.labelling.gold_test import add_evidence, has_failed, has_passed, speaks_against
from askpoint.labelling.reviewer import Reviewer, see_gold as see_gold_case

VOTE, AWARD = 100, 810
HOLD = timedelta(hours=48)


def held_game(n_gold=60, **changes):
    """An arena where pay is held, with as much gold of each answer."""
    given = {"hold": HOLD, "protocol": campaign_protocol()}
    game = arena(**(given | changes))
    for number in range(n_gold):
        game.add_gold(f"gold-{number}", ("hate", "normal")[number % 2], NOW)
    return game


def see_gold(game, judge, n, *, right=True, now=NOW):
    for _ in range(n):
        case = game.claim(judge, now, gold=True)
        other = next(option for option in case.options if option != case.gold)
        game.vote(judge, case.id, case.gold if right else other, now)


def votes_needed(right):
    evidence, n = 0.0, 0
    while not (has_passed(evidence) or has_failed(evidence)):
        evidence, n = add_evidence(evidence, right=right, n_options=2), n + 1
    return n


def test_the_test_is_walds():
    # odds of a careful reader over a blind one, by brute force: .9^r .1^w / .5^n
    evidence = 0.0
    for right in (True, True, False, True):
        evidence = add_evidence(evidence, right=right, n_options=2)
    assert math.exp(evidence) == pytest.approx(0.9**3 * 0.1 / 0.5**4)
    assert 0.9 ** votes_needed(right=True) / 0.5 ** votes_needed(right=True) >= 99
    assert add_evidence(0.0, right=True, n_options=4) == pytest.approx(math.log(0.9 / 0.25))


@pytest.mark.parametrize(("error", "bound"), [(0.08, 0.01), (0.5, 1.0)])
def test_careful_readers_pass_and_blind_ones_fail(error, bound):
    rng, failed = np.random.default_rng(1), 0
    for _ in range(400):
        evidence = 0.0
        for _ in range(30):
            evidence = add_evidence(evidence, right=rng.random() > error, n_options=2)
            if has_failed(evidence) or has_passed(evidence):
                break
        failed += has_failed(evidence)
    assert failed / 400 <= bound
    assert error < 0.5 or failed / 400 > 0.9


def test_a_judges_first_claims_are_gold_and_pay_is_held_until_the_test_is_passed():
    game = held_game()
    n = votes_needed(right=True)
    see_gold(game, "bob", n - 1)
    assert (game.held_points("bob"), game.withdrawable("bob")) == ((n - 1) * VOTE, 0)
    assert game.judges["bob"].held == n - 1
    see_gold(game, "bob", 1)
    assert (game.held_points("bob"), game.withdrawable("bob")) == (0, n * VOTE)
    see_gold(game, "bob", 2)
    assert (game.held_points("bob"), game.withdrawable("bob")) == (2 * VOTE, n * VOTE)


def test_a_failed_test_takes_exactly_the_held_votes_back_and_asks_again():
    game = held_game()
    see_gold(game, "bob", votes_needed(right=True))
    before = game.withdrawable("bob")
    later = NOW + HOUR
    cases = [submitted(game, f"case {i}", now=later).id for i in range(3)]
    for _ in cases:
        case = game.claim("bob", later)
        game.vote("bob", case.id, "hate", later)
    budget = game.available
    n_wrong = votes_needed(right=False)
    see_gold(game, "bob", n_wrong, right=False, now=later + MINUTE)
    assert game.judges["bob"].stopped
    assert (game.held_points("bob"), game.withdrawable("bob")) == (0, before)
    # of gold nothing is lost to the budget; of three votes what must be asked again is reserved anew
    voided = [it for it in game.ledger if it.key.startswith("void/")]
    assert [it.entries[1].points for it in voided] == [(3 + n_wrong) * VOTE]
    assert game.available == budget
    assert all(game.rulings[case].n_counted == 0 for case in cases)
    with pytest.raises(RuleError) as refused:
        game.claim("bob", later + MINUTE)
    assert refused.value.rule == "paused"


def test_votes_before_the_last_pass_stay_when_a_later_test_fails():
    game = held_game()
    case = submitted(game).id
    game.vote("bob", game.claim("bob", NOW).id, "hate", NOW)
    see_gold(game, "bob", votes_needed(right=True), now=NOW + MINUTE)
    earned = game.withdrawable("bob")
    see_gold(game, "bob", votes_needed(right=False), right=False, now=NOW + 2 * MINUTE)
    assert game.rulings[case].n_counted == 1
    assert game.withdrawable("bob") == earned


def judged_by_two(game, now=NOW):
    case = submitted(game, now=now).id
    for judge in ("bob", "beth"):
        game.vote(judge, game.claim(judge, now).id, "hate", now)
    return case


def test_an_award_is_final_after_the_hold_and_when_its_judges_have_passed():
    game = held_game()
    judged_by_two(game)
    assert (game.held_points("alice"), game.withdrawable("alice")) == (AWARD, 0)
    game.finish(NOW + HOLD)
    assert game.withdrawable("alice") == 0  # its judges have not passed
    for judge in ("bob", "beth"):
        see_gold(game, judge, votes_needed(right=True), now=NOW + MINUTE)
    game.finish(NOW + HOLD - MINUTE)
    assert game.withdrawable("alice") == 0
    game.finish(NOW + HOLD)
    assert (game.held_points("alice"), game.withdrawable("alice")) == (0, AWARD)


def test_an_award_waits_for_judges_a_week_at_most():
    game = held_game()
    judged_by_two(game)
    game.finish(NOW + LONGEST_HOLD - MINUTE)
    assert game.withdrawable("alice") == 0
    game.finish(NOW + LONGEST_HOLD)
    assert game.withdrawable("alice") == AWARD


def test_the_organisers_word_needs_no_judge():
    game = held_game()
    case = judged_by_two(game)
    game.appeal("alice", case, NOW + MINUTE)
    game.finish(NOW + LONGEST_HOLD)
    assert game.withdrawable("alice") == 0  # it is open again
    game.decide(case, "hate", NOW + 2 * MINUTE)
    game.finish(NOW + 2 * MINUTE + HOLD)
    assert game.withdrawable("alice") == AWARD


def test_an_award_that_nobody_rules_on_again_is_final_two_weeks_after_the_end():
    game = held_game()
    case = judged_by_two(game)
    game.appeal(
        "alice", case, NOW + MINUTE
    )  # it is open again, as after votes that are asked again
    game.finish(NOW + DECIDED_AFTER + DAY)
    assert game.withdrawable("alice") == 0  # the campaign goes on
    end = NOW + DECIDED_AFTER + DAY
    game.close(end)
    game.finish(end + DECIDED_AFTER - MINUTE)
    assert (game.held_points("alice"), game.withdrawable("alice")) == (AWARD, 0)
    game.finish(end + DECIDED_AFTER)
    assert (game.held_points("alice"), game.withdrawable("alice")) == (0, AWARD)


@pytest.mark.parametrize("surely", [True, False])
def test_own_finds_again_pay_nothing_where_the_organiser_says_nothing(surely):
    game = held_game()
    case = judged_by_two(game)

    def finish(now):
        move = finish_award(
            game.campaign,
            game.rulings[case],
            game.probes[case],
            now,
            judges=game.judges,
            repeating=True,
            surely=surely,
        )
        if move is not None:
            game._keep(move)

    left = game.available
    finish(NOW + LONGEST_HOLD)
    assert game.rulings[case].state == "referred"
    game.close(NOW + LONGEST_HOLD)
    finish(NOW + LONGEST_HOLD + DECIDED_AFTER - MINUTE)
    assert (game.held_points("alice"), game.withdrawable("alice")) == (AWARD, 0)
    finish(NOW + LONGEST_HOLD + DECIDED_AFTER)
    assert game.probes[case].final
    assert (game.held_points("alice"), game.withdrawable("alice")) == (0, AWARD * (not surely))
    assert game.available == left + AWARD * surely


def test_a_final_award_that_is_corrected_is_taken_back_whole():
    game = held_game(protocol=campaign_protocol(gold_share=0.0))
    case = judged_by_two(game)
    game.finish(NOW + HOLD)
    game.appeal("alice", case, NOW + 3 * DAY)
    game.decide(case, "normal", NOW + 3 * DAY)
    assert (game.held_points("alice"), game.withdrawable("alice")) == (
        10,
        0,
    )  # the base pay of any case
    assert game.ledger.balance(game.campaign.reserved) == 0


@pytest.mark.parametrize(
    ("n_wrong", "pays", "after", "paid"),
    [
        (2, None, timedelta(0), None),  # they speak against the judge: the organiser looks
        (2, None, DECIDED_AFTER - MINUTE, None),
        (2, None, DECIDED_AFTER, False),  # who says nothing does not pay for clicking
        (2, False, timedelta(0), False),
        (2, True, timedelta(0), True),
        (1, None, timedelta(0), True),
        (0, None, timedelta(0), True),  # who deals no gold has no reason to wait
    ],
)
def test_votes_without_a_verdict_when_a_campaign_ends(n_wrong, pays, after, paid):
    game = held_game()
    submitted(game)
    game.vote("bob", game.claim("bob", NOW).id, "hate", NOW)
    see_gold(game, "bob", n_wrong, right=False)
    assert close_held_votes(game.campaign, game.judges["bob"], NOW) is None  # it is open
    game.close(NOW)
    settled = close_held_votes(game.campaign, game.judges["bob"], NOW + after, pays=pays)
    if paid is None:
        assert settled is None
        return
    judge, posted = settled
    game.ledger.post(*posted)
    assert judge.held == 0
    assert game.withdrawable("bob") == (n_wrong + 1) * VOTE * paid
    assert game.held_points("bob") == 0


@pytest.mark.parametrize(
    ("n_right", "n_wrong", "is_safe"),
    [
        (0, 0, True),
        (0, 1, True),
        (0, 2, False),
        (5, 2, True),
        (4, 3, False),
        (5, 4, False),
        (8, 1, True),
        (8, 2, False),
    ],
)  # eight right ones are a pass, after which the test starts anew
def test_pay_goes_back_only_where_gold_speaks_against_the_judge(n_right, n_wrong, is_safe):
    game = held_game()
    see_gold(game, "bob", n_right)
    see_gold(game, "bob", n_wrong, right=False)
    bob = game.judges["bob"]
    assert bob.passes == (n_right == 8)
    assert is_doubted(bob) is not is_safe
    game.close(NOW)
    after, posted = take_back_votes(game.campaign, bob, 1, NOW)
    assert (after.held, len(posted)) == ((bob.held, 0) if is_safe else (bob.held - 1, 1))
    if not bob.held:
        return
    if not is_safe:
        assert close_held_votes(game.campaign, bob, NOW, pays=False) is not None
        return
    with pytest.raises(RuleError, match="the gold cases do not speak against bob") as caught:
        close_held_votes(game.campaign, bob, NOW, pays=False)
    assert caught.value.rule == "careful"
    judge, posted = close_held_votes(game.campaign, bob, NOW)
    game.ledger.post(*posted)
    assert (judge.held, game.withdrawable("bob")) == (0, (n_right + n_wrong) * VOTE)


def chances(wrong, n):
    """Of a judge wrong in a share of votes, after so many gold cases: doubted, stopped, passed at any time; exact.

    By all orders of right and wrong, counted in fractions; the rule is Wald's, written with products of whole numbers.
    """
    at, ended = {(0, 0): Fraction(1)}, Counter()
    for _ in range(n):
        after = Counter()
        for (right, missed), chance in at.items():
            for hit, share in ((1, 1 - wrong), (0, wrong)):
                r, w = right + hit, missed + 1 - hit
                odds = Fraction(9, 5) ** r * Fraction(1, 5) ** w
                if odds >= 99 or odds <= Fraction(1, 99):
                    ended["passed" if odds > 1 else "stopped"] += chance * share
                else:
                    after[r, w] += chance * share
        at = after
    doubted = sum(
        chance
        for (r, w), chance in at.items()
        if Fraction(9, 5) ** r * Fraction(1, 5) ** w <= Fraction(1, 10)
    )
    return doubted, ended["stopped"], ended["passed"]


def drawn(wrong, n, seed, times=1000):
    """Return the same shares of so many judges who see so many gold cases, by the game's own functions."""
    rng, counts = np.random.default_rng(seed), Counter()
    for _ in range(times):
        judge = Reviewer("bob", "q", NOW)
        for _ in range(n):
            right = bool(rng.random() >= wrong)
            judge = see_gold_case(judge, right=right, protocol=campaign_protocol(), now=NOW)
            if judge.stopped or judge.passes:
                break
        counts["stopped" if judge.stopped else "passed" if judge.passes else is_doubted(judge)] += 1
    return counts[True] / times, counts["stopped"] / times, counts["passed"] / times


@pytest.mark.parametrize("wrong", [Fraction(8, 100), Fraction(1, 2)])
@pytest.mark.parametrize("n", [4, 7, 10])
def test_the_rule_errs_as_often_as_counted_by_hand(wrong, n):
    for counted, played in zip(chances(wrong, n), drawn(float(wrong), n, seed=n), strict=True):
        deviation = math.sqrt(float(counted * (1 - counted)) / 1000)
        assert abs(played - float(counted)) <= 4 * deviation + 1e-9


def test_gold_speaks_against_few_of_the_careful_and_most_who_toss_a_coin():
    """Two wrong of seven are no reason: one in ten of who errs in 8% would lose pay to a hostile organiser."""
    careful, coin = Fraction(8, 100), Fraction(1, 2)
    two_of_seven = 1 - sum(math.comb(7, k) * careful**k * (1 - careful) ** (7 - k) for k in (0, 1))
    assert float(two_of_seven) == pytest.approx(0.10, abs=0.003)
    for n in range(1, 13):
        doubted, stopped, _ = chances(careful, n)
        assert doubted <= Fraction(2, 100)
        assert stopped <= Fraction(2, 1000)
    for n in range(7, 13):  # the first six claims are gold cases
        doubted, stopped, _ = chances(careful, n)
        assert doubted <= Fraction(13, 1000)
        doubted, stopped, _ = chances(coin, n)
        assert doubted + stopped >= Fraction(5, 8)


@pytest.mark.parametrize("n_options", [2, 3, 4, 9, 1000])
def test_one_wrong_vote_is_never_enough(n_options):
    one = add_evidence(0.0, right=False, n_options=n_options)
    assert not speaks_against(one)
    assert speaks_against(add_evidence(one, right=False, n_options=n_options))


def test_who_says_what_is_common_meets_both_answers():
    game = held_game()
    seen = []
    for _ in range(4):
        case = game.claim("bob", NOW, gold=True)
        seen.append(case.gold)
        game.vote("bob", case.id, "normal", NOW)
    assert sorted(seen) == ["hate", "hate", "normal", "normal"]


def test_a_vote_before_anybody_could_look_is_refused():
    game = held_game(protocol=campaign_protocol(least_look=timedelta(seconds=3.75)))
    case = submitted(game).id
    game.claim("bob", NOW)
    with pytest.raises(
        RuleError, match="look at the case first: a vote is taken in 2 s"
    ) as refused:
        game.vote("bob", case, "hate", NOW + timedelta(seconds=2))
    assert refused.value.rule == "too-soon"
    game.vote("bob", case, "hate", NOW + timedelta(seconds=4))
    assert game.held_points("bob") == VOTE


def test_terms_that_hold_nothing_or_the_impossible():
    game = arena()
    judged_by_two(game)
    assert game.withdrawable("alice") == AWARD
    assert game.held_points("alice") == 0
    game.finish(NOW)
    with pytest.raises(InputError, match="hold must not be below nothing"):
        replace(game.campaign.terms, hold=timedelta(seconds=-1))
    with pytest.raises(InputError, match="least_look must be shorter than a claim"):
        campaign_protocol(least_look=timedelta(hours=1))
    assert CampaignTerms(game.campaign.terms.costs, (1,)).holds_awards


def test_a_pair_of_judges_that_decides_too_many_finds_of_one_player_is_looked_at():
    game = held_game(judges=("bob", "beth", "bill", "ben", "bea"), n_gold=0)
    game.next_case = lambda *_, **__: game.rulings[at]
    for number in range(6):
        at = submitted(game, f"friend {number}").id
        for judge in ("bob", "beth"):
            game.claim(judge, NOW)
            game.vote(judge, at, "hate", NOW)
    pairs = [("bob", "bill"), ("beth", "ben"), ("bill", "bea"), ("bob", "ben"), ("beth", "bea")]
    for number, pair in enumerate(pairs):
        at = submitted(game, f"eve {number}", "eve").id
        for judge in pair:
            game.claim(judge, NOW)
            game.vote(judge, at, "hate", NOW)
    first = next(iter(game.rulings))
    at = submitted(game, "found late").id
    for judge in ("bob", "beth"):
        game.claim(judge, NOW + DAY)
        game.vote(judge, at, "hate", NOW + DAY)
    game.finish(NOW + LONGEST_HOLD)
    assert game.withdrawable("eve") == 5 * AWARD
    assert game.withdrawable("alice") == 0
    again = [one.id for one in game.rulings.values() if one.state == "open"]
    assert len(again) == 6
    assert game.held_points("bob") == 9 * VOTE  # whose votes are set aside, and stay paid
    with pytest.raises(RuleError, match="is open: the organiser decides what judges refer"):
        game.decide(first, "normal", NOW + LONGEST_HOLD)
    for at in again:  # the others are asked
        for judge in ("bill", "ben"):
            game.claim(judge, NOW + LONGEST_HOLD)
            game.vote(judge, at, "hate" if at == first else "normal", NOW + LONGEST_HOLD)
    game.finish(NOW + 2 * LONGEST_HOLD)
    assert game.withdrawable("alice") == AWARD + 5 * 10
    assert game.held_points("alice") == AWARD  # found late by the pair, which is still suspicious
    game.close(NOW + 2 * LONGEST_HOLD)
    game.finish(NOW + 2 * LONGEST_HOLD + DECIDED_AFTER)  # nobody looked at that one
    assert game.withdrawable("alice") == 2 * AWARD + 5 * 10


def test_where_the_budget_pays_no_other_judges_the_organiser_decides():
    game = held_game(judges=("bob", "beth", "bill", "ben", "bea"), n_gold=0)
    case = judged_by_two(game)
    move = finish_award(
        game.campaign,
        game.rulings[case],
        game.probes[case],
        NOW + LONGEST_HOLD,
        judges=game.judges,
        suspicious={frozenset({"bob", "beth"})},
        available=0,
    )
    assert (move.ruling.state, move.transactions) == ("referred", ())


def test_where_two_judge_no_pair_is_suspicious():
    game = held_game(judges=("bob", "beth"), n_gold=0)
    for number in range(6):
        case = submitted(game, f"case {number}").id
        for judge in ("bob", "beth"):
            game.vote(judge, game.claim(judge, NOW).id, "hate", NOW)
        assert game.rulings[case].state == "ruled"
    game.finish(NOW + LONGEST_HOLD)
    assert game.withdrawable("alice") == 6 * AWARD


def test_who_never_passed_has_a_bounded_pay_held():
    game = held_game()
    bob = game.judges["bob"]
    most = MOST_UNPROVEN // VOTE
    check_unproven(game.campaign, replace(bob, held=most - 1))
    with pytest.raises(RuleError, match="250 votes are held") as caught:
        check_unproven(game.campaign, replace(bob, held=most))
    assert caught.value.rule == "unproven"
    check_unproven(game.campaign, replace(bob, held=most, passes=1))
    free = replace(
        game.campaign,
        terms=replace(game.campaign.terms, protocol=campaign_protocol(gold_test=False)),
    )
    check_unproven(free, replace(bob, held=most))
    case = submitted(game, digest="x").id
    game.judges["bob"] = replace(bob, held=most)
    see_gold(game, "bob", 1)  # gold is given all the same, so that a verdict comes
    with pytest.raises(RuleError, match="are held"):
        game.claim("bob", NOW)
    game.judges["bob"] = replace(game.judges["bob"], held=most - 1)
    assert game.claim("bob", NOW).id == case


def test_so_many_votes_take_their_pay_back_and_no_more():
    game = held_game()
    see_gold(game, "bob", 4)
    after, posted = void_held_votes(game.campaign, game.judges["bob"], 3, NOW)
    assert after.held == 1
    assert [sorted(points for _, points in one.entries) for one in posted] == [
        [-3 * VOTE, 3 * VOTE]
    ]
    after, posted = void_held_votes(game.campaign, game.judges["bob"], 9, NOW)
    assert (after.held, posted[0].entries[0].points) == (0, -4 * VOTE)


def test_an_award_without_a_ruling_is_not_due():
    game = held_game()
    case = submitted(game).id
    ruling, campaign = game.rulings[case], game.campaign
    assert (ruling.state, ruling.ruled_at) == ("open", None)
    assert award_due(campaign, ruling, game.judges) is None
    decided = replace(ruling, state="final", ruled_at=NOW + MINUTE)  # by the organiser
    assert award_due(campaign, decided, game.judges) == NOW + MINUTE + HOLD
    for state in ("open", "referred"):  # ruled once, and opened again
        assert award_due(campaign, replace(decided, state=state), game.judges) is None
