"""Simulated campaigns whose budget runs out: not a point more is spent than was put in."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from arena.game.small import small_world
from askpoint.arena.game.pay import Pay
from askpoint.arena.simulation.campaign import PlayedCampaign, play_campaign
from askpoint.arena.simulation.crowd import Habits
from askpoint.arena.simulation.experiment import terms_of
from askpoint.errors import RuleError
from askpoint.labelling.protocol import Protocol

WORLD = small_world()
SMALL = Habits(n_players=8, delay=30, retrain=10, n_gold=10)
PRICES = (Pay(), Pay(base=0, vote=0), Pay(base=200, top=400, vote=250))


def played(seed: int) -> tuple[PlayedCampaign, int]:
    """A campaign of up to 40 cases with a budget between one case and enough for all."""
    rng = np.random.default_rng(seed)
    terms = terms_of(WORLD, seed % 5 + 1, PRICES[seed % 3])
    budget = int(rng.integers(terms.most_promised, 30 * terms.most_promised))
    return play_campaign(WORLD, terms, SMALL, rng, n_cases=40, budget=budget), budget


def check_money(end: PlayedCampaign, budget: int) -> None:
    """Replay the ledger entry by entry: at no time is more promised or spent than was put in."""
    book: Counter[str] = Counter()
    for transaction in end.arena.ledger:
        for account, points in transaction.entries:
            book[account.kind] += points
        held = book["budget"], book["reserved"], book["held"], book["earned"]
        assert min(held) >= 0
        assert sum(held) == budget == -book["funding"]
    assert book["reserved"] == 0  # all is judged
    terms = end.arena.campaign.terms
    awarded = sum(probe.awarded for probe in end.probes)
    n_votes = sum(len(ruling.votes) for ruling in end.arena.rulings.values())
    voided = [it.entries[1].points for it in end.arena.ledger if it.key.startswith("void/")]
    assert book["held"] == 0  # long after the end
    assert book["earned"] == awarded + terms.pay.vote * n_votes - sum(voided)
    if len(end.filed) < 40:  # it stopped because not one case more could be promised
        assert book["budget"] < terms.most_promised


def check_campaigns(seeds: range) -> None:
    short = 0
    for seed in seeds:
        end, budget = played(seed)
        check_money(end, budget)
        short += len(end.filed) < 40
    assert 0.1 < short / len(seeds) < 0.9


@pytest.mark.no_cover
@pytest.mark.soak
def test_simulated_campaigns_never_exceed_their_budget():
    check_campaigns(range(30))


@pytest.mark.soak
def test_a_thousand_simulated_campaigns_never_exceed_their_budget():
    check_campaigns(range(1000))


def test_players_wait_for_rulings_that_release_what_was_promised():
    terms = replace(terms_of(WORLD, 4), protocol=Protocol())  # gold first would take it all
    rng = np.random.default_rng(0)
    spammers = replace(SMALL, cheaters=1.0)  # what they file costs the base pay and the votes
    end = play_campaign(WORLD, terms, spammers, rng, n_cases=40, budget=2 * terms.most_promised)
    # two cases at most could be promised at a time, and yet more came in turn
    assert len(end.filed) > 3
    check_money(end, 2 * terms.most_promised)


def test_a_budget_smaller_than_one_case_starts_nothing():
    terms = terms_of(WORLD, 4)
    rng = np.random.default_rng(0)
    with pytest.raises(RuleError) as refused:
        play_campaign(WORLD, terms, SMALL, rng, budget=terms.most_promised - 1)
    assert refused.value.rule == "budget"
