"""What looks wrong in answers, one thing at a time."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.elicitation.posterior import DirichletPrior, Posterior
from askpoint.elicitation.reliability import PairReply, Reliability, judge_replies


def after(rng, record):
    posterior = Posterior(DirichletPrior(3), rng)
    for difference, answer in record:
        posterior.update(difference, answer)
    return posterior


def test_steady_answers_look_right(rng):
    record = [((0.5, -0.5, 0), True), ((0.2, -0.8, 0), False), ((0, 0.5, -0.5), False)] * 4
    replies = [
        PairReply(0, 1, True),
        PairReply(1, 0, True),
        PairReply(1, 2, False),
        PairReply(2, 0, False),
    ]
    replies += [PairReply(1, 0, False, repeats=0), PairReply(0, 1, None, repeats=1)]
    found = judge_replies(after(rng, record), replies)
    assert found.is_good
    assert (found.n_repeats, found.n_agreeing) == (2, 2)
    assert found.score > 0.85


def test_contradictions_throughout_lower_the_score(rng):
    record = [((0.9, -0.1, 0), i % 2 == 0) for i in range(20)]
    record += [((0.1, -0.9, 0), i % 2 == 0) for i in range(20)]
    replies = [PairReply(0, 1, i % 2 == 0) for i in range(20)]
    found = judge_replies(after(rng, record), replies)
    assert "careless" in found.signals
    assert 0.5 <= found.score < 0.85


def test_other_answers_to_the_same_questions_are_told(rng):
    replies = [PairReply(0, 1, True), PairReply(0, 2, False)]
    replies += [PairReply(1, 0, True, repeats=0), PairReply(2, 0, False, repeats=1)]
    assert judge_replies(after(rng, []), replies).is_good  # two tell too little
    replies += [PairReply(1, 2, True, expected=True)]
    found = judge_replies(after(rng, []), replies)
    assert found.signals == ("contradicts",)
    assert (found.n_agreeing, found.n_checks, found.n_confirmed) == (0, 1, 1)


@pytest.mark.parametrize(("side", "name"), [(True, "first"), (False, "second")])
def test_a_side_that_is_always_taken_is_told(side, name, rng):
    replies = [PairReply(i % 2, 1 - i % 2, side) for i in range(12)]
    assert judge_replies(after(rng, []), replies).signals == (name,)


def test_one_weight_that_always_decides_is_told(rng):
    replies = [PairReply(*((2, 0) if i % 2 else (1, 2)), bool(i % 2)) for i in range(8)]
    assert judge_replies(after(rng, []), replies).signals == ("one-sided:2",)
    replies.append(PairReply(0, 2, True))
    assert judge_replies(after(rng, []), replies).is_good


def test_before_the_first_answer_nothing_is_said(rng):
    found = judge_replies(Posterior(DirichletPrior(2), rng), [])
    assert found.is_good
    assert np.isfinite(found.score)


def test_plain_questions_answered_otherwise_widen_regions():
    def widening(failed, n):
        return Reliability(0.9, n, n - failed, 4, 4, ()).widening

    assert widening(0, 2) == 1
    assert 1 < widening(1, 2) < widening(2, 2)
    assert widening(2, 2) == pytest.approx(1 + 0.2 * (2 - 0.07 * 6))
