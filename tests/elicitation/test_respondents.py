"""Oracles: exact, noisy, turned, outvoted, recorded."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.elicitation.respondents import (
    ExactRespondent,
    FlippingRespondent,
    MajorityRespondent,
    NoisyRespondent,
    pair_digest,
)
from askpoint.errors import InputError

BETTER, WORSE = np.diag([0.5, 0.3]), np.diag([0.5, 0.1])


class Says:
    """Gives these answers in turn."""

    def __init__(self, *answers):
        self.answers = list(answers)

    def prefers(self, _first, _second):
        return self.answers.pop(0)


@pytest.mark.parametrize(
    ("indifference", "answers"), [(0, (True, False, None)), (0.3, (None, None, None))]
)
def test_an_exact_oracle_follows_its_metric(indifference, answers):
    oracle = ExactRespondent(np.trace, indifference)
    pairs = [(BETTER, WORSE), (WORSE, BETTER), (BETTER, BETTER)]
    assert tuple(oracle.prefers(*pair) for pair in pairs) == answers


def test_noise_strikes_only_where_values_are_close():
    rng = np.random.default_rng(0)
    far, close = NoisyRespondent(np.trace, 0.1, rng), NoisyRespondent(np.trace, 0.3, rng)
    assert {far.prefers(BETTER, WORSE) for _ in range(50)} == {True}
    assert {close.prefers(BETTER, WORSE) for _ in range(50)} == {True, False}


def test_flips_come_at_their_rate():
    exact = ExactRespondent(np.trace)
    oracle = FlippingRespondent(exact, 0.3, np.random.default_rng(0))
    share = np.mean([oracle.prefers(WORSE, BETTER) for _ in range(4000)])
    assert share == pytest.approx(0.3, abs=4 * np.sqrt(0.3 * 0.7 / 4000))
    assert oracle.prefers(BETTER, BETTER) is None  # nothing to turn round


@pytest.mark.parametrize(
    ("votes", "answer"),
    [((True, False, True), True), ((None, False, False), False), ((True, None, False), None)],
)
def test_the_majority_decides(votes, answer):
    oracle = MajorityRespondent(Says(*votes), 3)
    assert oracle.prefers(BETTER, WORSE) is answer
    assert oracle.n_asked == 3


def test_digests_tell_pairs_apart_but_not_round_off():
    digests = {
        pair_digest(BETTER, WORSE),
        pair_digest(WORSE, BETTER),
        pair_digest(BETTER.reshape(1, 4), WORSE.reshape(1, 4)),
        pair_digest(BETTER + 1e-6, WORSE),
    }
    assert len(digests) == 4
    assert pair_digest(BETTER - 1e-14, -0.0 * WORSE) == pair_digest(BETTER, 0.0 * WORSE)


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: ExactRespondent(np.trace, -1), "0 or more"),
        (lambda: FlippingRespondent(ExactRespondent(np.trace), 1.5, None), "between 0 and 1"),
        (lambda: MajorityRespondent(ExactRespondent(np.trace), 4), "odd"),
    ],
)
def test_settings_out_of_range(make, match):
    with pytest.raises(InputError, match=match):
        make()
