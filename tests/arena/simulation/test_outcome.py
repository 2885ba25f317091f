from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from arena.game.small import small_world
from askpoint.arena.game.pay import PAPER_PAY
from askpoint.arena.game.reward import BY_REPEATS
from askpoint.arena.simulation.campaign import play_campaign
from askpoint.arena.simulation.crowd import COPY, Habits
from askpoint.arena.simulation.experiment import terms_of
from askpoint.arena.simulation.outcome import examine, outcome_of

WORLD = small_world()
EXACT = Habits(n_players=8, delay=40, retrain=10, n_gold=10, judge_error=0.0, copiers=1.0)


@pytest.mark.no_cover
@pytest.mark.parametrize("design", [2, 4])
def test_a_campaign_is_counted_by_the_truth_and_the_ledger(design):
    end = play_campaign(
        WORLD, terms_of(WORLD, design), EXACT, np.random.default_rng(3), n_cases=150
    )
    got = outcome_of(end)
    errors, unknown, origins, majority, severity = 0, 0, set(), 0, []
    for probe, filed in zip(end.probes, end.filed.values(), strict=True):
        sure = max(probe.answer.probabilities)
        wrong = probe.answer.decision != filed.truth
        if wrong and filed.truth == "hate":
            errors += 1
            severity.append(1000 * (1 - (1 - sure) / 0.5))
            if sure > 0.75:
                unknown += 1
                origins.add(filed.row)
        majority += wrong and filed.truth == "normal" and design == 2
    assert (got.n_cases, got.n_errors, got.n_unknown) == (150, errors, unknown)
    assert (got.n_distinct, got.majority) == (len(origins), majority)
    assert sorted(got.severities) == pytest.approx(sorted(severity))
    paid = sum(p.awarded for p in end.probes)
    votes = sum(len(item.votes) for item in end.arena.rulings.values())
    assert got.cents == (paid + 100 * votes) / 50
    assert set(got.topics) <= {"island 0", "island 1", "island 2"}
    assert got.positive.sum() == sum(filed.truth == "hate" for filed in end.filed.values())
    if design == 4:
        copies = Counter(item.activity == COPY for item in end.filed.values())[True]
        assert copies
        assert got.n_distinct < got.n_unknown


@pytest.mark.no_cover
def test_a_chat_models_mistakes_weigh_what_they_cost_times_how_often_they_repeat():
    terms = replace(terms_of(WORLD, 4), scheme=BY_REPEATS, boundary_pay=True)
    end = play_campaign(WORLD, terms, EXACT, np.random.default_rng(3), n_cases=60)
    shares = [
        max(probe.answer.probabilities)
        for probe, filed in zip(end.probes, end.filed.values(), strict=True)
        if filed.truth == "hate" and probe.answer.decision == "normal"
    ]
    # the dearest mistake, so of each the share of the answers that make it
    assert shares
    assert sorted(outcome_of(end).severities) == pytest.approx(sorted(1000 * np.array(shares)))
    usual, repeats = (
        examine(WORLD, "random", EXACT, PAPER_PAY, np.random.default_rng(0), scheme=scheme)
        for scheme in ("minimum-cost", BY_REPEATS)
    )
    assert repeats.severities == pytest.approx(500 + usual.severities / 2)  # p, and 2 p - 1


def test_an_examination_of_the_stream():
    rng = np.random.default_rng(0)
    got = examine(WORLD, "random", EXACT, PAPER_PAY, rng, n_cases=1000)
    assert got.n_cases == len(got.texts) == 1000
    assert got.cents == 2 * 1000 * 100 / 0.9 / 50  # two votes each and a tenth for gold
    assert (got.majority, got.recruited) == (0, 0)
    stream = WORLD.truths[WORLD.stream] == WORLD.classes.index("hate")
    assert got.positive.mean() == pytest.approx(stream.mean(), abs=0.02)
    rude = np.array(["rude" in text for text in got.texts])
    assert not got.positive[
        ~rude & np.array(["vile" not in t and "bad" not in t for t in got.texts])
    ].any()


def test_uncertainty_finds_no_unknown_unknown():
    got = examine(WORLD, "uncertainty", EXACT, PAPER_PAY, np.random.default_rng(0), n_cases=100)
    assert (got.n_unknown, got.n_distinct, got.topics) == (0, 0, ())


def test_judges_who_err_need_a_third_and_still_err_at_times():
    noisy = Habits(judge_error=0.2)
    got = examine(WORLD, "random", noisy, PAPER_PAY, np.random.default_rng(0), n_cases=2000)
    votes = got.cents * 50 * 0.9 / 100
    assert votes == pytest.approx(2000 * (2 + 0.32), rel=0.03)
    # .2 x .2 wrong at once, and 2 x .16 x .2 wrong by the third: about a tenth
    assert got.positive.mean() == pytest.approx(0.104 + 0.02, abs=0.03)
