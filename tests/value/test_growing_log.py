"""A promise on a growing log is kept at every look, and never falls."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from askpoint.errors import InputError, NotEstimableError
from askpoint.value.growing_log import growing_promise


def world(rng, n):
    """Right with 1 - .3 (1 - c): the risk above t is .15 (1 - t)."""
    confidence = rng.random(n)
    return confidence, rng.random(n) < 1 - 0.3 * (1 - confidence)


def test_no_look_ever_breaks_the_promise_and_thresholds_never_rise():
    rng = np.random.default_rng(20261122)
    runs, broken = 60, 0
    for _ in range(runs):
        confidence, right = world(rng, 2000)
        last, worst = np.inf, 0.0
        for n in (250, 500, 1000, 2000):
            found = growing_promise(confidence[:n], right[:n], 0.1)
            if found.threshold is not None:
                assert found.threshold <= last
                last = found.threshold
                worst = max(worst, 0.15 * (1 - last))
        broken += worst > 0.1
    assert broken <= stats.binom.ppf(0.999, runs, 0.05)
    assert last < 0.9  # and something is certified


def test_it_says_since_which_label():
    confidence, right = world(np.random.default_rng(5), 3000)
    found = growing_promise(confidence, right, 0.1)
    assert growing_promise(confidence[: found.since], right[: found.since], 0.1).threshold == (
        found.threshold
    )
    before = growing_promise(confidence[: found.since - 1], right[: found.since - 1], 0.1)
    assert before.threshold is None or before.threshold > found.threshold
    assert found.n_labels == 3000


def test_several_models_share_delta_and_a_hopeless_one_gets_nothing():
    confidence, right = world(np.random.default_rng(5), 1000)
    alone, one_of_many = (
        growing_promise(confidence, right, 0.1, n_models=k).threshold for k in (1, 1000)
    )
    assert one_of_many is None or one_of_many >= alone
    nothing = growing_promise(confidence, ~right, 0.05)
    assert (nothing.threshold, nothing.since) == (None, None)


def test_too_few_labels_and_odd_input_are_refused():
    with pytest.raises(NotEstimableError, match="first 200 labelled cases; there are 3"):
        growing_promise([0.5, 0.6, 0.7], [1, 1, 0], 0.05)
    with pytest.raises(InputError, match="one entry per item"):
        growing_promise([0.5, 0.6], [1], 0.05)
