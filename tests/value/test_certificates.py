"""How often a log certifies, against labels drawn anew from the world itself."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.errors import UnmetError
from askpoint.value.certificates import certificate_odds, certificate_worth
from askpoint.value.curve import ValueCurve
from askpoint.value.guarantees import learn_then_test
from askpoint.value.posterior.rightness import RightnessPosterior


def world(rng, n, wrong):
    """P(wrong | c) = wrong * (1 - c) for confidences between .5 and 1."""
    confidence = 1 - rng.beta(0.8, 2, n) / 2
    return confidence, rng.random(n) >= wrong * (1 - confidence)


def fitted(confidence, right):
    return RightnessPosterior().fit(confidence, right), ValueCurve.from_outcomes(right, confidence)


@pytest.mark.no_cover
@pytest.mark.whole
def test_odds_are_those_of_logs_drawn_anew():
    rng = np.random.default_rng(2)
    given = 0
    for _ in range(100):
        confidence, right = world(rng, 300, 1.3)
        try:
            learn_then_test(ValueCurve.from_outcomes(right, confidence), 0.05, 0.05)
        except UnmetError:
            continue
        given += 1
    said = []
    for _ in range(8):
        odds = certificate_odds(*fitted(*world(rng, 300, 1.3)), 0.05, 0.05, rng, n_draws=50)
        said.append(odds.given)
    assert np.mean(said) == pytest.approx(given / 100, abs=0.2)


def test_promises_are_kept_over_all_logs_yet_rare_certificates_are_worth_little():
    rng = np.random.default_rng(3)
    good = certificate_odds(*fitted(*world(rng, 1000, 0.3)), 0.05, 0.05, rng, n_draws=60)
    assert good.given > 0.9
    assert good.true_if_given > 0.95
    # a tenth of all answers is wrong, however sure: hardly any log proves 5%
    confidence = 1 - rng.beta(0.8, 2, 2000) / 2
    bad = certificate_odds(*fitted(confidence, rng.random(2000) < 0.9), 0.05, 0.05, rng, n_draws=60)
    assert bad.given < 0.2
    assert bad.broken <= 0.1


def test_worth_is_the_posterior_chance():
    rng = np.random.default_rng(4)
    posterior, curve = fitted(*world(rng, 1000, 0.3))
    assert certificate_worth(posterior, curve.thresholds[-1], 0.2, rng) > 0.99
    assert certificate_worth(posterior, curve.thresholds[-1], 0.001, rng) < 0.01
    assert certificate_worth(posterior, np.inf, 0.001, rng) == 1


def test_none_given_is_none_of_which_a_share_could_hold():
    rng = np.random.default_rng(5)
    confidence = np.linspace(0.5, 0.99, 50)
    odds = certificate_odds(*fitted(confidence, np.zeros(50, bool)), 0.01, 0.05, rng, n_draws=5)
    assert odds == (0.0, 0.0, None)
