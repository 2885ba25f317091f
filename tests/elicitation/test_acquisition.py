"""The next question: what each is expected to tell, by brute force over answers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from askpoint.elicitation.acquisition import Exchange, expected_gain, next_exchange
from askpoint.elicitation.posterior import DirichletPrior, Posterior


@pytest.fixture
def posterior(rng):
    posterior = Posterior(DirichletPrior(3), rng, n_particles=60)
    posterior.update([0.3, -0.2, 0.0], True)
    return posterior


def gains(posterior, ratio):
    """Information in nats and fall of variance, answer by answer."""
    mass, shares = posterior.cloud.mass, posterior.cloud.shares
    chances = posterior.chances(ratio[:, None])
    information, fall = 0.0, 0.0
    before = mass @ np.square(shares - mass @ shares)
    after = 0.0
    for column in chances:
        likelihood = column[:, 0]
        likely = mass @ likelihood
        posterior_mass = mass * likelihood / likely
        information += sum(
            m * c * math.log(c / likely) for m, c in zip(mass, likelihood, strict=True) if c > 0
        )
        after = after + likely * (posterior_mass @ np.square(shares - posterior_mass @ shares))
    fall = (before - after).sum()
    return information, fall


def test_expected_gains_are_those_of_every_answer(posterior):
    logs = posterior.cloud.log_weights
    ratios = np.stack([logs[:, 0] - logs[:, 1] - 0.3, logs[:, 1] - logs[:, 2]], axis=1)
    known = np.array([gains(posterior, column) for column in ratios.T])
    assert expected_gain(posterior, ratios, "ratios") == pytest.approx(known[:, 0], abs=1e-9)
    assert expected_gain(posterior, ratios, "shares") == pytest.approx(known[:, 1], abs=1e-9)


@pytest.mark.parametrize("aim", ["ratios", "shares"])
def test_no_other_quartile_of_a_pair_tells_more(posterior, aim):
    chosen = next_exchange(posterior, aim)
    logs, mass = posterior.cloud.log_weights, posterior.cloud.mass

    def gain(i, j, ratio):
        return expected_gain(posterior, (logs[:, i] - logs[:, j] - ratio)[:, None], aim)[0]

    best = gain(*chosen)
    for i, j in [(0, 1), (0, 2), (1, 2)]:
        difference = logs[:, i] - logs[:, j]
        order = np.argsort(difference)
        for level in (0.25, 0.5, 0.75):
            place = int((np.cumsum(mass[order]) < level).sum())
            assert gain(i, j, difference[order][place]) <= best + 1e-12


def test_m_is_the_share_of_the_first():
    assert Exchange(0, 1, math.log(3)).m == pytest.approx(0.75)
