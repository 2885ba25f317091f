"""Evidence for a low risk: exact laws on small samples, and every moment of longer ones."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, stats

from askpoint.measures.eprocess import log_risk_evidence


@pytest.mark.parametrize(("wrong", "n", "limit"), [(0, 0, 0.1), (0, 30, 0.1), (2, 50, 0.05)])
def test_the_beta_mixture_is_the_integral_that_it_claims_to_be(wrong, n, limit):
    b = 2 / limit

    def likelihood(p):
        return p**wrong * (1 - p) ** (n - wrong) * stats.beta.pdf(p, 1, b)

    most = max(limit, wrong / n) if n else limit
    expected = integrate.quad(likelihood, 0, 1)[0] / (most**wrong * (1 - most) ** (n - wrong))
    assert math.exp(log_risk_evidence(wrong, n, limit)) == pytest.approx(expected, rel=1e-7)


def test_no_cases_are_no_evidence():
    assert log_risk_evidence(0, 0, 0.05) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("limit", [0.02, 0.2, 0.5])
def test_the_mean_is_at_most_one_wherever_the_risk_is_at_the_limit_or_above(limit):
    for n in range(13):
        w = np.arange(n + 1)
        for risk in np.linspace(limit, 1, 21):
            assert stats.binom.pmf(w, n, risk) @ np.exp(log_risk_evidence(w, n, limit)) <= 1 + 1e-12


def chance_to_cross(risks, limit, delta):
    """Exact probability that the evidence ever reaches 1 / delta."""
    standing = np.array([1.0])
    for n, risk in enumerate(risks, start=1):
        standing = np.append(standing * (1 - risk), 0) + np.append(0, standing * risk)
        standing[log_risk_evidence(np.arange(n + 1), n, limit) >= -math.log(delta)] = 0
    return 1 - standing.sum()


@pytest.mark.parametrize("limit", [0.05, 0.2])
def test_it_is_ever_misled_no_more_often_than_it_says(limit):
    delta = 0.1
    misled = chance_to_cross([limit] * 400, limit, delta)
    assert 0.005 < misled <= delta
    assert chance_to_cross([limit / 10] * 400, limit, delta) > 0.9
