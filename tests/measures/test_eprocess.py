"""Evidence for a low risk: exact laws on small samples, and every moment of longer ones."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate, stats

from askpoint.measures.eprocess import log_grid_evidence, log_risk_evidence

BOTH = pytest.mark.parametrize("evidence", [log_risk_evidence, log_grid_evidence])


@pytest.mark.parametrize(("wrong", "n", "limit"), [(0, 0, 0.1), (0, 30, 0.1), (2, 50, 0.05)])
def test_the_beta_mixture_is_the_integral_that_it_claims_to_be(wrong, n, limit):
    b = 2 / limit

    def likelihood(p):
        return p**wrong * (1 - p) ** (n - wrong) * stats.beta.pdf(p, 1, b)

    most = max(limit, wrong / n) if n else limit
    expected = integrate.quad(likelihood, 0, 1)[0] / (most**wrong * (1 - most) ** (n - wrong))
    assert math.exp(log_risk_evidence(wrong, n, limit)) == pytest.approx(expected, rel=1e-7)


def test_the_grid_mixture_is_the_sum_that_it_claims_to_be():
    limit, wrong, n = Fraction(1, 20), 2, 9
    risks = [limit * Fraction(2 + 4 * i, 100) for i in range(25)]
    ratios = [(p / limit) ** wrong * ((1 - p) / (1 - limit)) ** (n - wrong) for p in risks]
    assert math.exp(log_grid_evidence(wrong, n, float(limit))) == pytest.approx(
        float(sum(ratios) / 25), rel=1e-12
    )


@BOTH
def test_no_cases_are_no_evidence(evidence):
    assert evidence(0, 0, 0.05) == pytest.approx(0, abs=1e-12)


@BOTH
@pytest.mark.parametrize("limit", [0.02, 0.2, 0.5])
def test_the_mean_is_at_most_one_wherever_the_risk_is_at_the_limit_or_above(evidence, limit):
    for n in range(13):
        w = np.arange(n + 1)
        for risk in np.linspace(limit, 1, 21):
            assert stats.binom.pmf(w, n, risk) @ np.exp(evidence(w, n, limit)) <= 1 + 1e-12


def chance_to_cross(evidence, risks, limit, delta):
    """Exact probability that the evidence ever reaches 1 / delta."""
    standing = np.array([1.0])
    for n, risk in enumerate(risks, start=1):
        standing = np.append(standing * (1 - risk), 0) + np.append(0, standing * risk)
        standing[evidence(np.arange(n + 1), n, limit) >= -math.log(delta)] = 0
    return 1 - standing.sum()


@BOTH
@pytest.mark.parametrize("limit", [0.05, 0.2])
def test_it_is_ever_misled_no_more_often_than_it_says(evidence, limit):
    delta = 0.1
    misled = chance_to_cross(evidence, [limit] * 400, limit, delta)
    assert 0.005 < misled <= delta
    assert chance_to_cross(evidence, [limit / 10] * 400, limit, delta) > 0.9


def test_the_grid_mixture_stands_risks_that_move_above_the_limit():
    risks = [0.2, 0.5, 0.2, 0.9] * 60
    assert chance_to_cross(log_grid_evidence, risks, 0.2, 0.1) <= 0.1
