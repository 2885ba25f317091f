"""Promises for the whole output: every truth and every draw of labels, in exact fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb

import numpy as np
import pytest
from scipy import stats

from askpoint.errors import InputError
from askpoint.value.acceptance import (
    audit_acceptance_number,
    batch_acceptance_number,
    labels_for_more,
    labels_to_promise,
    mistakes_allowed,
    stream_acceptance_number,
    threshold_before,
)
from askpoint.value.acceptance_again import log_prior_posterior_ratio, threshold_at_any_time
from askpoint.value.acceptance_reviewers import ErringReviewers, threshold_with_reviewers


def left_wrong(order, wrong, labelled, accepted):
    """Wrong cases that the rule leaves in the output; `order` holds confidences, the surest first."""
    confidence = -np.asarray(order, dtype=float)
    mistakes = confidence[[i for i in labelled if wrong[i]]]
    threshold = threshold_before(confidence, mistakes, accepted)
    return sum(
        wrong[i] and i not in labelled and confidence[i] >= threshold for i in range(len(order))
    )


def broken(order, wrong, n_labelled, allowed, accepted):
    """Exact probability, over all draws of labels, that more than `allowed` are left."""
    n = len(order)
    draws = list(combinations(range(n), n_labelled))
    bad = sum(left_wrong(order, wrong, set(draw), accepted) > allowed for draw in draws)
    return Fraction(bad, len(draws))


@pytest.mark.parametrize("delta", [Fraction(9, 40), Fraction(9, 20)])
@pytest.mark.parametrize(("n_labelled", "allowed"), [(2, 1), (3, 1), (4, 0), (5, 0)])
def test_no_batch_of_six_breaks_the_promise_more_often_than_delta(n_labelled, allowed, delta):
    n, order = 6, range(6)
    c = batch_acceptance_number(n, n_labelled, allowed, float(delta))
    chances = [broken(order, wrong, n_labelled, allowed, c) for wrong in product([0, 1], repeat=n)]
    assert max(chances) <= delta
    # one more would break it for some batch, unless all labels may be wrong already
    if c < n_labelled:
        more = [
            broken(order, wrong, n_labelled, allowed, c + 1) for wrong in product([0, 1], repeat=n)
        ]
        assert max(more) > delta


def test_ties_move_together_and_keep_the_promise():
    order = [1, 1, 2, 2, 2, 3, 3]
    for allowed, n_labelled in ((1, 3), (2, 3)):
        c = batch_acceptance_number(7, n_labelled, allowed, 0.2)
        for wrong in product([0, 1], repeat=7):
            assert broken(order, wrong, n_labelled, allowed, c) <= Fraction(1, 5)


@pytest.mark.parametrize(("n", "n_labelled", "allowed"), [(40, 12, 3), (60, 20, 0), (30, 29, 5)])
def test_the_batch_number_is_the_largest_by_binomial_coefficients(n, n_labelled, allowed):
    def cdf(c):
        wrong = allowed + c + 1
        if wrong > n:
            return Fraction(1)
        hits = sum(comb(wrong, k) * comb(n - wrong, n_labelled - k) for k in range(c + 1))
        return Fraction(hits, comb(n, n_labelled))

    for delta in (Fraction(1, 100), Fraction(1, 10), Fraction(1, 2)):
        c = batch_acceptance_number(n, n_labelled, allowed, float(delta))
        if n - n_labelled <= allowed:
            assert c == n_labelled
            continue
        assert c == max((k for k in range(n_labelled + 1) if cdf(k) <= delta), default=-1)


def test_the_stream_number_is_the_largest_by_powers():
    for n, share, delta in ((30, 0.1, 0.05), (300, 0.05, 0.1), (10, 0.01, 0.1), (200, 0.0, 0.1)):
        p = Fraction(share)
        cdf, best = Fraction(0), -1
        for k in range(n + 1):
            cdf += comb(n, k) * p**k * (1 - p) ** (n - k)
            if cdf > Fraction(delta):
                break
            best = k
        assert stream_acceptance_number(n, share, delta) == best


def test_the_audit_number_is_the_largest_by_powers():
    for allowed, chance, delta in ((5, 0.3, 0.1), (20, 0.1, 0.1), (0, 0.5, 0.2), (3, 0.9, 0.05)):
        p = Fraction(chance)

        def cdf(c, p=p, allowed=allowed):
            n = allowed + c + 1
            return sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(c + 1))

        within = [c for c in range(60) if cdf(c) <= Fraction(delta)]
        assert audit_acceptance_number(allowed, chance, delta) == max(within, default=-1)


def test_audits_from_the_top_keep_the_promise_wherever_they_stop():
    pi, delta, allowed = Fraction(3, 5), Fraction(1, 5), 3
    c = audit_acceptance_number(allowed, float(pi), float(delta))
    assert c >= 0
    for n_wrong in range(1, 10):  # all cases wrong: right ones change nothing
        bad = Fraction(0)
        for coins in product([0, 1], repeat=n_wrong):
            found = left = worst = 0
            for coin in coins:
                found, left = found + coin, left + (1 - coin)
                if found > c:
                    break
                worst = max(worst, left)  # the walk may have been ended here
            chance = pi ** sum(coins) * (1 - pi) ** (n_wrong - sum(coins))
            bad += chance * (worst > allowed)
        assert bad <= delta


def test_looking_after_every_label_breaks_the_promise_no_more_often_than_delta():
    n, allowed, delta = 6, 1, 0.3
    for n_above in (3, 6):
        for n_wrong in range(allowed + 1, n_above + 1):
            wrong = np.arange(n_above) < n_wrong
            ever = [
                log_prior_posterior_ratio(
                    np.cumsum(wrong[list(order)]).astype(float),
                    np.arange(1.0, n_above + 1),
                    n_above,
                    allowed,
                    allowed / n,
                ).max()
                >= -np.log(delta)
                for order in permutations(range(n_above))
            ]
            assert np.mean(ever) <= delta


def test_the_ratio_has_mean_one_where_the_limit_is_just_exceeded():
    n, allowed = 12, 2
    for m in (1, 4, 9):
        w = np.arange(0, 4.0)
        labels = np.full(4, float(m))
        chance = stats.hypergeom(n, allowed + 1, m).pmf(w)
        with np.errstate(invalid="ignore"):
            ratio = np.exp(log_prior_posterior_ratio(w, labels, n, allowed, 0.2))
        assert (chance * np.where(chance > 0, ratio, 0)).sum() <= 1 + 1e-9


def test_no_order_of_labels_lets_a_bad_threshold_through_more_often_than_delta():
    every = np.array([0.9, 0.8, 0.7, 0.6, 0.5])
    for wrong in ([0, 1, 1, 0, 0], [1, 1, 0, 1, 0]):
        left = np.cumsum(wrong)  # from the surest case down to each
        bad = 0
        for order in permutations(range(5)):
            bad += any(
                left[every >= threshold_at_any_time(
                    every, every[list(order[:n])], 1 - np.array(wrong)[list(order[:n])],
                    allowed=1, delta=0.3,
                )].max(initial=0) > 1
                for n in range(1, 6)
            )  # fmt: skip
        assert bad / 120 <= 0.3


def test_enough_right_labels_let_everything_be_answered_at_any_time():
    every = np.random.default_rng(7).random(400)
    labels = np.ones(200)
    found = threshold_at_any_time(every, every[:200], labels, allowed=20, delta=0.1)
    assert found == every.min()
    assert threshold_at_any_time(every, every[:1], labels[:1], allowed=20, delta=0.1) > 0.9


def test_limits_of_none_and_all():
    assert batch_acceptance_number(50, 10, 50, 0.1) == 10  # all may be wrong: all is answered
    assert batch_acceptance_number(50, 10, 0, 0.1) == -1
    assert batch_acceptance_number(50, 50, 0, 0.1) == 50  # all labels known
    assert stream_acceptance_number(10, 1.0, 0.1) == 10
    assert labels_for_more(50, 50, 0, 0.1) is None
    assert mistakes_allowed(1000, 0.003) == 3


def test_labels_for_more_is_the_next_step():
    now = batch_acceptance_number(300, 40, 15, 0.1)
    n = labels_for_more(300, 40, 15, 0.1)
    assert batch_acceptance_number(300, n, 15, 0.1) > now
    assert batch_acceptance_number(300, n - 1, 15, 0.1) == now


@pytest.mark.parametrize("bad", [0, 1, -0.1, float("nan")])
def test_delta_is_a_probability(bad):
    with pytest.raises(InputError):
        batch_acceptance_number(100, 10, 5, bad)
    with pytest.raises(InputError):
        audit_acceptance_number(5, 0.1, bad)
    with pytest.raises(InputError, match="the 10 cases"):
        batch_acceptance_number(10, 11, 5, 0.1)


def test_people_who_never_err_ask_for_no_more_than_the_fixed_sequence():
    rng = np.random.default_rng(3)
    every = rng.random(1000)
    rows = rng.choice(1000, 200, replace=False)
    right = (rng.random(200) < 0.9 + 0.1 * every[rows]).astype(float)
    found = [
        threshold_with_reviewers(
            every, every[rows], right, share=0.05, delta=0.1, reviewers=ErringReviewers(rate)
        )
        for rate in (0.0, 0.01, 0.03)
    ]
    assert found[0].by_people == 0
    assert found[0].threshold <= found[1].threshold <= found[2].threshold
    assert found[1].by_people >= stats.binom.ppf(0.995, 200, 0.01)


def test_people_whose_errors_alone_exceed_the_share_promise_nothing():
    every = np.linspace(0, 1, 1000)
    found = threshold_with_reviewers(
        every, every[::3], np.ones(334), share=0.02, delta=0.1, reviewers=ErringReviewers(0.1)
    )
    assert found.threshold == np.inf
    assert found.by_people > found.allowed
    with pytest.raises(InputError, match="from 0 to below 1"):
        ErringReviewers(1.0)


def test_outputs_with_people_who_err_are_kept():
    rng = np.random.default_rng(11)
    n, rate, kept, runs = 600, 0.02, 0, 250
    for _ in range(runs):
        confidence = rng.random(n)
        wrong = rng.random(n) < 0.13 * (1 - confidence) + 0.02
        rows = rng.choice(n, 150, replace=False)
        slips = rng.random(n) < rate
        noticed = wrong[rows] ^ slips[rows]
        found = threshold_with_reviewers(
            confidence,
            confidence[rows],
            (~noticed).astype(float),
            share=0.07,
            delta=0.2,
            reviewers=ErringReviewers(rate),
        )
        by_people = confidence < found.threshold
        by_people[rows] = True
        kept += (by_people & slips).sum() + (~by_people & wrong).sum() <= 0.07 * n
    assert stats.binom.cdf(kept, runs, 0.8) > 1e-3


def test_so_many_labels_are_named_as_promise_something():
    """Also where the chance is delta itself, which rounding puts on either side."""
    for share, delta in product((0.05, 0.1, 0.3, 0.5, 0.7, 0.9), (0.5, 0.3, 0.25, 0.1, 0.01)):
        least = labels_to_promise(share, delta)
        assert stream_acceptance_number(least, share, delta) >= 0
        assert least == 1 or stream_acceptance_number(least - 1, share, delta) == -1
