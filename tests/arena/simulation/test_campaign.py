from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from arena.game.play import Play
from arena.game.small import small_world
from askpoint.arena.game.ledger import Ledger
from askpoint.arena.game.transaction import LedgerAccount
from askpoint.arena.simulation.campaign import play_campaign
from askpoint.arena.simulation.crowd import COPY, FLAGGED, SPAM, Habits
from askpoint.arena.simulation.experiment import terms_of
from askpoint.errors import InputError
from askpoint.labelling.protocol import Protocol

WORLD = small_world()
SMALL = Habits(n_players=8, delay=40, retrain=10, n_gold=10)


def played(design: int, seed: int = 0, n_cases: int = 80, **given):
    habits = replace(SMALL, **given)
    rng = np.random.default_rng(seed)
    return play_campaign(WORLD, terms_of(WORLD, design), habits, rng, n_cases=n_cases)


@pytest.mark.parametrize("design", [1, 2, 3, 4, 5])
def test_a_campaign_is_played_to_its_end_by_the_rules(design):
    seen: list[int] = []
    rng = np.random.default_rng(design)
    end = play_campaign(
        WORLD, terms_of(WORLD, design), SMALL, rng, n_cases=60, progress=seen.append
    )
    assert seen == list(range(1, 61))
    assert len(end.probes) == len(end.filed) == 60
    assert all(probe.truth is not None for probe in end.probes)
    game = end.arena
    assert game.campaign.state == "closed"
    assert Ledger(game.ledger).balances == game.ledger.balances
    assert game.ledger.balance(LedgerAccount("reserved", "simulated")) == 0
    assert sum(game.ledger.balances.values()) == 0
    # earnings from cases and votes, by the laws of the random play
    for player in game.players:
        assert game.withdrawable(player) == sum(p.awarded for p in end.probes if p.player == player)
    votes = Counter(vote.reviewer for item in game.rulings.values() for vote in item.votes)
    for judge in game.judges:
        assert game.withdrawable(judge) == 100 * votes[judge]
    for ruling in game.rulings.values():
        Play.check_ruling(_Table(game, end.ticks), ruling)


class _Table:
    def __init__(self, game, ticks):
        from askpoint.arena.simulation.crowd import moment

        self.game, self.now = game, moment(ticks)


@pytest.mark.no_cover
def test_the_same_state_gives_the_same_campaign():
    first, again, other = played(5), played(5), played(5, seed=1)
    assert list(first.arena.ledger) == list(again.arena.ledger)
    assert list(first.arena.ledger) != list(other.arena.ledger)


def test_rulings_come_after_the_delay_and_mostly_say_what_is():
    end = played(4, n_cases=150)
    late = [
        end.arena.rulings[case].ruled_at - end.arena.probes[case].submitted
        for case in end.filed
        if end.arena.rulings[
            case
        ].ruled_at  # else a pair had ruled alike too often, and others are asked
    ]
    assert len(late) > 0.9 * len(end.filed)
    assert min(late).total_seconds() >= 40 * 10
    right = [end.arena.probes[case].truth == item.truth for case, item in end.filed.items()]
    assert np.mean(right) > 0.97  # two judges who err in 4%, and a third
    assert played(4, judge_error=0.0).probes[0].truth is not None


@pytest.mark.whole
def test_without_the_models_answer_nobody_looks_through_flagged_cases():
    for design in (1, 3, 4, 5):
        assert FLAGGED not in {item.activity for item in played(design).filed.values()}
    looked = [item for item in played(2, n_cases=150).filed.values() if item.activity == FLAGGED]
    assert len(looked) > 50
    assert all("bad" in item.text or "rude" in item.text for item in looked)


def test_design_3_lets_nobody_submit_what_the_model_is_sure_of():
    for design in (3, 4, 5):
        for probe in played(design).probes:
            hate = probe.answer.probabilities[WORLD.classes.index("hate")]
            assert probe.answer.decision == "normal" or hate < 0.8


def test_cheaters_file_anything_and_are_suspended():
    end = played(3, n_cases=200, cheaters=1.0)
    assert {item.activity for item in end.filed.values()} == {SPAM}
    assert end.suspended > 0
    for player in end.arena.players:
        assert sum(item.player == player for item in end.probes) < 60


def test_copies_share_their_origin_and_are_no_exact_duplicates():
    end = played(4, n_cases=200, copiers=1.0, cheaters=0.0)
    copies = [item for item in end.filed.values() if item.activity == COPY]
    assert copies
    rows = {item.row for item in end.filed.values() if item.activity != COPY}
    assert all(item.row in rows for item in copies)
    assert len({probe.digest for probe in end.probes}) == 200


@pytest.mark.no_cover
@pytest.mark.soak
def test_design_5_pays_copies_less():
    def points(design: int) -> float:
        end = played(design, n_cases=300, copiers=1.0, cheaters=0.0)
        late = [c for c, item in end.filed.items() if item.activity == COPY][-20:]
        return float(np.mean([end.arena.probes[case].best_prize for case in late]))

    assert points(5) < 0.5 * points(4)


def test_a_paused_judge_is_trained_anew_and_the_cases_are_judged_again():
    terms = replace(
        terms_of(WORLD, 4), protocol=Protocol(gold_share=0.5, gold_least=2, gold_accuracy=0.9)
    )
    habits = replace(SMALL, judge_error=0.2)
    end = play_campaign(WORLD, terms, habits, np.random.default_rng(0), n_cases=60)
    void = [vote for item in end.arena.rulings.values() for vote in item.votes if vote.void]
    assert void
    assert all(probe.truth is not None for probe in end.probes)
    assert end.arena.ledger.balance(end.arena.campaign.reserved) == 0


@pytest.mark.soak
def test_flooding_and_voting_blindly_do_not_pay_where_design_5_is_on():
    habits = replace(
        SMALL, cheaters=0.0, copiers=0.0, flooders=0.5, blind_judges=2, n_judges=6, n_gold=20
    )
    end = play_campaign(WORLD, terms_of(WORLD, 5), habits, np.random.default_rng(3), n_cases=150)
    rate = {}
    for floods in (False, True):
        people = [one for one in end.people if one.floods == floods]
        points = sum(end.arena.withdrawable(one.name) for one in people)
        rate[floods] = points / sum(one.steps for one in people)
    assert rate[True] < 0.6 * rate[False]
    families = Counter(probe.family for probe in end.probes)
    assert max(families.values()) > 5
    judges = [end.arena.withdrawable(f"judge-{i + 1}") for i in range(6)]
    blind = [end.arena.withdrawable(name) for name in end.blind]
    assert len(blind) == 2
    assert max(blind) <= max(judges)


def test_no_more_judges_are_blind_than_there_are():
    with pytest.raises(InputError, match="of 6 judges, 7 cannot be blind"):
        Habits(blind_judges=7)


def test_blind_judges_find_errors_in_what_their_friends_file_until_gold_finds_them_out():
    habits = replace(
        SMALL, cheaters=0.0, copiers=0.0, flooders=0.5, blind_judges=2, n_judges=6, n_gold=20
    )
    end = play_campaign(WORLD, terms_of(WORLD, 5), habits, np.random.default_rng(3), n_cases=40)
    friends = {one.name for one in end.people if one.floods}
    assert friends
    filed = Counter(
        item.activity
        for case, item in end.filed.items()
        if end.arena.probes[case].player in friends
    )
    assert filed[COPY] > filed.total() / 2  # each find is followed by its variants
    rows = [item.row for item in end.filed.values() if item.activity == COPY]
    assert max(Counter(rows).values()) > 1
    common = WORLD.sought.decision, WORLD.sought.truth
    votes = [
        (ruling.author in friends, vote.choice)
        for ruling in end.arena.rulings.values()
        for vote in ruling.votes
        if vote.reviewer in end.blind
    ]
    assert {is_friend for is_friend, _ in votes} == {False, True}
    assert all(choice == common[is_friend] for is_friend, choice in votes)
    # gold finds them out, and the organiser takes others in their place
    assert len(end.blind) == 2
    assert {f"judge-{i}" for i in range(1, 9)} <= set(end.arena.judges)


def test_agreements_are_looked_for_among_a_judges_newest_ruled_votes(monkeypatch):
    end = play_campaign(WORLD, terms_of(WORLD, 4), SMALL, np.random.default_rng(0), n_cases=60)
    game = end.arena
    every = {judge: game.agreements(judge) for judge in game.judges}
    votes = Counter(
        vote.reviewer for one in game.rulings.values() if one.answer for vote in one.votes
    )
    assert {judge: len(found) for judge, found in every.items()} == dict(votes)
    assert max(map(len, every.values())) > 20
    monkeypatch.setattr(Protocol, "agreement_sought", 20)
    assert {judge: game.agreements(judge) for judge in every} == {
        judge: found[-20:] for judge, found in every.items()
    }
