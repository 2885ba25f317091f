"""The cloud of particles: against integration on a grid, and against its own prior."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from askpoint.elicitation.particles import Particles
from askpoint.elicitation.posterior import DirichletPrior, Posterior, SeverityPrior
from askpoint.elicitation.preferences import answer_chances

# how people answer before they have: logarithm of the slope, logit of the lapse, logarithm of nu,
# logit of the share of lapses that take the first
MEAN, SPREAD = (np.log(0.4), -2.5, -1.5, 0.0), (1.0, 1.6, 1.5, 1.5)


def share_on_a_grid(record, n=31):
    """Mean and deviation of the first of two shares, uniform before, by plain summation."""
    share = (np.arange(n) + 0.5) / n
    steps = np.linspace(-2.5, 2.5, 9)
    axes = [m + s * steps for m, s in zip(MEAN, SPREAD, strict=True)]
    a, slope, lapse, equal, side = np.meshgrid(share, *axes, indexing="ij", sparse=True)
    z = np.meshgrid(share, steps, steps, steps, steps, indexing="ij", sparse=True)[1:]
    mass = np.exp(-0.5 * sum(np.square(part) for part in z))
    for d, answer in record:
        ratio = np.log(a * abs(d[0])) - np.log((1 - a) * abs(d[1]))
        ratio = ratio if d[0] > 0 else -ratio
        lapses, first = 1 / (1 + np.exp(-lapse)), 1 / (1 + np.exp(-side))
        chances = answer_chances(ratio, np.exp(slope), lapses, np.exp(equal), first)
        mass = mass * chances[{True: 0, None: 1, False: 2}[answer]]
    mass /= mass.sum()
    mean = (mass * a).sum()
    return mean, np.sqrt((mass * np.square(a - mean)).sum())


RECORDS = [
    [((0.5, -0.5), True), ((0.25, -0.75), True), ((0.125, -0.875), False)],
    [((-0.5, 0.5), True), ((0.75, -0.25), None), ((0.75, -0.25), True), ((0.9, -0.1), True)],
    [((0.5, -0.5), answer) for answer in (True, False, True, False, None)],
    [((0.1, -0.9), True)] * 6 + [((0.1, -0.9), False)],
]


@pytest.mark.parametrize("record", RECORDS)
def test_two_shares_come_out_as_on_a_grid(record, rng):
    posterior = Posterior(DirichletPrior(2), rng, n_particles=4000)
    for difference, answer in record:
        posterior.update(difference, answer)
    mean, deviation = share_on_a_grid(record)
    cloud = posterior.cloud
    assert cloud.weights[0] == pytest.approx(mean, abs=0.02)
    spread = np.sqrt(cloud.mass @ np.square(cloud.shares[:, 0] - cloud.weights[0]))
    assert spread == pytest.approx(deviation, abs=0.02)


@pytest.mark.parametrize("prior", [DirichletPrior(3), SeverityPrior((0.0, 1.0, 3.0), 0.5)])
def test_moves_leave_the_prior_as_it_is(prior, rng):
    posterior = Posterior(prior, rng, n_particles=2000)
    posterior.update(np.zeros(3), True)  # tells nothing
    before = posterior.cloud.log_weights
    posterior._move()
    after = posterior.cloud.log_weights
    for i in range(3):
        assert stats.ks_2samp(before[:, i], after[:, i]).pvalue > 0.001
    assert posterior.n_weights == 3


def test_dirichlet_shares_are_uniform(rng):
    shares = Particles(DirichletPrior(3).sample(5000, rng), np.full(5000, 1 / 5000)).shares
    assert stats.kstest(shares[:, 0], stats.beta(1, 2).cdf).pvalue > 0.001


@pytest.mark.parametrize("prior", [DirichletPrior(2, 1.5), SeverityPrior((0.5, -1.0), 2.0)])
def test_densities_are_those_of_scipy(prior):
    logs = np.random.default_rng(0).normal(size=(5, 2))
    if isinstance(prior, DirichletPrior):  # of the logarithm of a gamma variable
        known = stats.loggamma(1.5).logpdf(logs).sum(axis=1)
    else:
        known = stats.norm(prior.guess, 2.0).logpdf(logs).sum(axis=1)
    density = prior.log_density(logs)
    assert density - density[0] == pytest.approx(known - known[0])


def test_a_long_one_sided_record_stays_finite(rng):
    posterior = Posterior(DirichletPrior(4), rng)
    for _ in range(60):
        posterior.update([0.01, -1.0, 0.0, 0.0], True)
    assert np.isfinite(posterior.cloud.log_weights).all()
    assert posterior.cloud.ratio(0, 1)[0] > 100
    for _ in range(30):
        posterior.update([0.0, -1.0, 0.0, 1e-300], True)
    assert np.isfinite(posterior.cloud.log_weights).all()
