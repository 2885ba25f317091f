"""Promises hold on new cases, and say what they cost."""

from __future__ import annotations

import contextlib
from fractions import Fraction
from itertools import accumulate
from math import comb

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from askpoint.errors import InputError, NotEstimableError, ObjectiveError, UnmetError
from askpoint.measures.exchange import ExchangeRate
from askpoint.measures.outcomes import Outcomes
from askpoint.value.curve import ValueCurve
from askpoint.value.guarantees import (
    best_promise,
    better_than_asking,
    conformal_risk_control,
    fixed_sequences,
    learn_then_test,
    rows_needed,
)
from askpoint.value.limits import MaxError

RISK, DELTA = 0.1, 0.05


def draw(rng, n):
    """Confidence uniform on [0, 1], right with its square root: risk above t is known exactly."""
    confidence = rng.random(n)
    return rng.random(n) < np.sqrt(confidence), confidence


def true_risk(t):
    """1 - E[sqrt c | c >= t]."""
    return 0.0 if t >= 1 else 1 - (2 / 3) * (1 - t**1.5) / (1 - t)


@pytest.mark.whole
def test_ltt_breaks_its_promise_less_often_than_delta_and_the_naive_choice_far_more():
    rng = np.random.default_rng(20261121)
    runs, broken, naive = 400, 0, 0
    for _ in range(runs):
        curve = ValueCurve.from_outcomes(*draw(rng, 1500))
        with contextlib.suppress(UnmetError):  # no promise is none broken
            broken += true_risk(learn_then_test(curve, RISK, DELTA)) > RISK
        naive += true_risk(MaxError(RISK).choose(curve).threshold) > RISK
    # the exact upper bound of a rate of 5% in 400 runs
    assert broken <= stats.binom.ppf(0.999, runs, DELTA)
    assert naive > 0.3 * runs


def test_crc_keeps_the_rate_of_accepted_mistakes_on_average():
    rng = np.random.default_rng(7)
    rates = []
    for _ in range(600):
        t = conformal_risk_control(ValueCurve.from_outcomes(*draw(rng, 60)), RISK)
        rates.append(0.0 if t >= 1 else true_risk(t) * (1 - t))
    mean, error = np.mean(rates), np.std(rates) / np.sqrt(len(rates))
    assert mean - 3 * error <= RISK
    assert mean >= RISK - 1 / 61 - 3 * error  # and gives away no more than one case


def test_rows_needed_is_the_least_number():
    for risk in (0.01, 0.05, 0.2):
        n = rows_needed(risk, DELTA)
        assert (1 - risk) ** n <= DELTA < (1 - risk) ** (n - 1)


def test_ltt_passes_only_what_the_binomial_test_passes():
    right = np.array([True] * 700 + [False] * 300)
    curve = ValueCurve.from_outcomes(right, np.arange(1000, 0, -1))
    t = learn_then_test(curve, 0.03, DELTA)
    wrong, answered = (~right)[: 1001 - int(t)].sum(), 1001 - int(t)
    assert stats.binomtest(int(wrong), answered, 0.03, alternative="less").pvalue <= DELTA


def test_ties_are_answered_together():
    curve = ValueCurve.from_outcomes([True] * 300 + [False] * 300, [0.9] * 300 + [0.1] * 300)
    assert learn_then_test(curve, 0.05) == 0.9


def test_too_few_rows_say_how_many_are_needed():
    curve = ValueCurve.from_outcomes([True] * 20, range(20))
    with pytest.raises(NotEstimableError, match=r"takes 299 labelled cases .* there are 20"):
        learn_then_test(curve, 0.01)
    with pytest.raises(NotEstimableError, match="takes 99 labelled cases; there are 20"):
        conformal_risk_control(curve, 0.01)


def test_a_promise_that_fails_at_once_says_what_the_surest_cases_show():
    curve = ValueCurve.from_outcomes([False] * 500, range(500))
    with pytest.raises(
        UnmetError, match=r"of the 153 surest cases 153 are wrong; no share below 1 can be promised"
    ):
        learn_then_test(curve, 0.05)


def test_a_promise_that_fails_says_the_least_that_can_be_made():
    confidence = np.arange(2000, 0, -1)
    curve = ValueCurve.from_outcomes(confidence % 10 > 0, confidence)  # one in ten, everywhere
    with pytest.raises(UnmetError, match="the least that can be promised is") as failure:
        learn_then_test(curve, 0.05)
    least = float(str(failure.value).rpartition(" ")[2])
    assert learn_then_test(curve, least) < np.inf
    with pytest.raises(UnmetError):
        learn_then_test(curve, least - 0.001)


def test_guarantees_refuse_weights_and_odd_parameters():
    weighted = ValueCurve.from_outcomes([1, 0], [0.9, 0.8], sample_weight=[1.0, 2.0])
    with pytest.raises(ObjectiveError, match="unweighted"):
        learn_then_test(weighted, 0.05)
    with pytest.raises(ObjectiveError, match="unweighted"):
        conformal_risk_control(weighted, 0.05)
    mean_one = ValueCurve.from_outcomes([1] * 200, range(200), sample_weight=[0.5, 1.5] * 100)
    with pytest.raises(ObjectiveError, match="unweighted"):
        learn_then_test(mean_one, 0.05)
    with pytest.raises(InputError, match="delta must be strictly between 0 and 1; got 1"):
        MaxError(0.05, delta=1)


def test_max_error_with_delta_is_learn_then_test():
    curve = ValueCurve.from_outcomes(*draw(np.random.default_rng(3), 2000))
    assert MaxError(RISK, delta=DELTA).choose(curve).threshold == learn_then_test(
        curve, RISK, DELTA
    )
    assert MaxError(RISK, delta=DELTA).choose(curve).outcomes.coverage < (
        MaxError(RISK).choose(curve).outcomes.coverage
    )


def sharp(rng, n):
    """Nearly always right above .6, often wrong below: the surest are 60% of the cases."""
    confidence = rng.random(n)
    return rng.random(n) < np.where(confidence > 0.4, 0.996, 0.75), confidence


def test_the_first_test_takes_a_quarter_so_that_few_labels_certify_more_often():
    rng = np.random.default_rng(11)
    runs, nothing, broken = 200, 0, 0
    for _ in range(runs):
        curve = ValueCurve.from_outcomes(*sharp(rng, 300))
        try:
            t = learn_then_test(curve, 0.05, DELTA)
        except UnmetError:
            nothing += 1
            continue
        broken += sharp_risk(t) > 0.05
    assert nothing <= 0.12 * runs
    assert broken <= stats.binom.ppf(0.999, runs, DELTA)


def sharp_risk(t):
    return 0.004 if t >= 0.4 else (0.6 * 0.004 + (0.4 - t) * 0.25) / (1 - t)


def test_nine_starts_keep_the_promise_together():
    rng = np.random.default_rng(12)
    runs, broken, nothing = 150, 0, 0
    for _ in range(runs):
        curve = ValueCurve.from_outcomes(*sharp(rng, 3000))
        try:
            broken += sharp_risk(learn_then_test(curve, 0.03, DELTA)) > 0.03
        except UnmetError:
            nothing += 1
    assert nothing == 0
    assert broken <= stats.binom.ppf(0.999, runs, DELTA)


def test_a_later_start_passes_where_the_surest_are_wrong():
    right = np.array([False] * 60 + [True] * 1940)
    curve = ValueCurve.from_outcomes(right, np.arange(2000, 0, -1))
    assert stats.binom.cdf(60, 500, 0.05) > DELTA  # a quarter of the cases proves nothing
    assert learn_then_test(curve, 0.05) == 1
    # nine starts take so many cases for their first tests that few labels have one
    few = ValueCurve.from_outcomes(right[:900], np.arange(900, 0, -1))
    with pytest.raises(UnmetError, match="surest cases 60 are wrong"):
        learn_then_test(few, 0.05)


def test_several_models_share_delta():
    right = np.array([True] * 59 + [False])
    curve = ValueCurve.from_outcomes(right, np.arange(60, 0, -1))
    assert learn_then_test(curve, 0.05) == 2
    with pytest.raises(NotEstimableError, match="takes 94 labelled cases"):
        learn_then_test(curve, 0.05, n_models=6)
    with pytest.raises(InputError, match="models must be 1 or more; got 0"):
        learn_then_test(curve, 0.05, n_models=0)


@given(st.integers(60, 120), st.integers(1, 12), st.integers(1, 12))
def test_the_mistakes_that_a_test_allows_are_those_of_exact_fractions(n, risk, delta):
    share, level = Fraction(risk, 64), Fraction(delta, 64)
    curve = ValueCurve.from_outcomes([True] * n, range(n))
    # so few cases that there is one sequence, at the whole of delta
    (sequence,) = fixed_sequences(curve, float(share), float(level))
    for step, allowed in zip(sequence.steps, sequence.allowed, strict=True):
        items = int(curve.items[step])
        chances = (comb(items, k) * share**k * (1 - share) ** (items - k) for k in range(items + 1))
        assert allowed == sum(total <= level for total in accumulate(chances)) - 1


def test_the_best_promise_is_the_least_that_is_kept():
    curve = ValueCurve.from_outcomes(*draw(np.random.default_rng(3), 2000))
    best = best_promise(curve)
    assert learn_then_test(curve, best) < np.inf
    with pytest.raises((UnmetError, NotEstimableError)):
        learn_then_test(curve, best - 0.001)
    assert best_promise(ValueCurve.from_outcomes([False] * 50, range(50))) is None


def test_better_than_asking_is_the_exact_binomial_test():
    p = better_than_asking(Outcomes(95, 5, 40), ExchangeRate(9))
    assert p == pytest.approx(stats.binomtest(95, 100, 0.9, alternative="greater").pvalue)
    with pytest.raises(NotEstimableError, match="nothing is answered"):
        better_than_asking(Outcomes(0, 0, 3), ExchangeRate(1))
