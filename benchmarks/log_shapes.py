"""Shapes of logs whose truth is known: each is one function, and a new one is registered by `@shape`.

A shape draws how sure a model is of n cases and how often it is right there. Where a step lies,
how deep a dip is, differs from log to log.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

SHAPES: dict[str, Callable[[np.random.Generator], Callable[[int], Cases]]] = {}


class Cases(NamedTuple):
    """Confidence and P(right) of each case; which belong together; how likely each is labelled."""

    confidence: np.ndarray
    rate: np.ndarray
    cluster: np.ndarray | None = None
    chance: np.ndarray | None = None


def shape(draw):
    """Register a shape: `draw(rng)` settles what differs from log to log and returns how n cases are drawn."""
    SHAPES[draw.__name__] = draw
    return draw


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def logit(c):
    c = np.clip(c, 1e-12, 1 - 1e-12)
    return np.log(c / (1 - c))


def usual(rng):
    """How sure real models are: beta distributions of two classes, from timid to bold."""
    a, b = rng.uniform(0.4, 0.9), rng.uniform(1.2, 2.6)
    return lambda n: 1 - rng.beta(a, b, n) / 2


def with_rate(confidence, rate):
    def cases(n):
        c = confidence(n)
        return Cases(c, rate(c))

    return cases


def bent(rng, shift, slope):
    """Usual confidences whose logits are shifted and stretched about as much as stated."""
    a, b = shift + rng.normal(0, 0.15), slope * np.exp(rng.normal(0, 0.1))
    return with_rate(usual(rng), lambda c: sigmoid(a + b * logit(c)))


@shape
def calibrated(rng):
    return with_rate(usual(rng), lambda c: c)


@shape
def overconfident(rng):
    return bent(rng, 0, 0.45)


@shape
def underconfident(rng):
    return bent(rng, 0.3, 1.6)


@shape
def step(rng):
    at, low, high = rng.uniform(0.65, 0.9), rng.uniform(0.5, 0.75), rng.uniform(0.95, 0.99)
    return with_rate(usual(rng), lambda c: np.where(c < at, low, high))


@shape
def cliff(rng):
    """The surest 1 to 5% are right about as often as a coin."""
    confidence, share, low = usual(rng), rng.uniform(0.01, 0.05), rng.uniform(0.4, 0.7)
    at = np.quantile(confidence(20_000), 1 - share)
    return with_rate(confidence, lambda c: np.where(c < at, c, low))


@shape
def dip(rng):
    """A stretch of 10 to 20% of the cases in which it is hardly right."""
    confidence, low, share = usual(rng), rng.uniform(0.45, 0.6), rng.uniform(0.1, 0.2)
    start = rng.uniform(0.3, 0.7)
    a, b = np.quantile(confidence(20_000), [start, start + share])
    return with_rate(confidence, lambda c: np.where((c >= a) & (c < b), low, c))


@shape
def inverted(rng):
    """The surer, the less often right."""
    high, low = rng.uniform(0.9, 0.98), rng.uniform(0.55, 0.75)
    return with_rate(usual(rng), lambda c: high - (high - low) * (2 * c - 1))


@shape
def island(rng):
    """Of the upper half a tenth is wrong in its own way, wherever it is as sure as the others."""
    confidence, share, low = usual(rng), rng.uniform(0.05, 0.15), rng.uniform(0.2, 0.5)
    middle = np.quantile(confidence(20_000), 0.5)
    return with_rate(confidence, lambda c: np.where(c < middle, c, (1 - share) * c + share * low))


@shape
def narrow(rng):
    """All confidences in a band as wide as a hundredth, as of a regularised model."""
    low, width, strength = rng.uniform(0.5, 0.6), rng.uniform(0.005, 0.03), rng.uniform(1, 1.6)

    def cases(n):
        u = rng.random(n)
        return Cases(low + width * u, sigmoid(2 + strength * (4 * u - 2)))

    return cases


@shape
def saturated(rng):
    """Naive Bayes: nearly all confidences close to 1, or 1 itself, and right in four of five."""
    slope, share = rng.uniform(0.1, 0.25), rng.uniform(0.1, 0.4)

    def cases(n):
        z = np.abs(rng.normal(8, 5, n)) + 0.1
        c = np.where(rng.random(n) < share, 1.0, sigmoid(z))
        return Cases(c, sigmoid(0.2 + slope * np.where(c == 1, 16, z)))

    return cases


LEVELS = np.array([0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.99, 1.0])


def verbal_levels(rng, rates):
    shares = rng.dirichlet([1, 1, 2, 3, 3, 5, 6, 3, 1])

    def cases(n):
        level = rng.choice(len(LEVELS), n, p=shares)
        return Cases(LEVELS[level], rates[level])

    return cases


@shape
def verbal(rng):
    """Nine levels said in words, overconfident, each a little off its curve."""
    return verbal_levels(
        rng, sigmoid(0.6 * logit(LEVELS.clip(max=0.995)) + rng.normal(0, 0.3, len(LEVELS)))
    )


@shape
def verbal_flat(rng):
    """Nine levels that say nothing."""
    return verbal_levels(rng, np.full(len(LEVELS), rng.uniform(0.6, 0.85)))


@shape
def near_perfect(rng):
    wrong = rng.uniform(0.004, 0.012)

    def cases(n):
        c = 1 - rng.beta(0.3, 6, n) / 2
        return Cases(c, 1 - wrong * (0.2 + 8 * (1 - c)))

    return cases


@shape
def useless(rng):
    rate = rng.uniform(0.6, 0.8)
    return with_rate(usual(rng), lambda c: np.full(len(c), rate))


@shape
def scores(rng):
    """A margin that is no probability."""
    slope, shift = rng.uniform(0.8, 1.6), rng.uniform(0.5, 2)

    def cases(n):
        s = rng.gamma(2, 1.0, n)
        return Cases(3 * s - 1, sigmoid(slope * s - 2 + shift))

    return cases


@shape
def deep_net(rng):
    """Most of the cases above .99, overconfident, with a lapse."""
    slope, lapse = rng.uniform(0.35, 0.55), rng.uniform(0, 0.03)

    def cases(n):
        z = np.abs(rng.gumbel(5, 2.5, n))
        return Cases(sigmoid(z), lapse / 2 + (1 - lapse) * sigmoid(slope * z))

    return cases


@shape
def subgroup(rng):
    """Two groups: calibrated, and overconfident by far; the log does not say which is which."""
    share, slope = rng.uniform(0.2, 0.4), rng.uniform(0.2, 0.4)
    confidence = usual(rng)
    return with_rate(confidence, lambda c: (1 - share) * c + share * sigmoid(slope * logit(c)))


@shape
def heavy_ties(rng):
    """Two decimals, and a third of the cases at one value with a rate of its own."""
    confidence, at, share = usual(rng), rng.choice([0.8, 0.9, 0.95]), rng.uniform(0.2, 0.4)
    rate = float(np.clip(at + rng.normal(0, 0.08), 0.4, 0.99))

    def cases(n):
        c = np.round(confidence(n), 2)
        tied = rng.random(n) < share
        return Cases(np.where(tied, at, c), np.where(tied | (c == at), rate, 0.98 * c))

    return cases


@shape
def hundred_classes(rng):
    """The greatest of 100 probabilities: from .03 on."""
    slope, shift = rng.uniform(0.6, 1.1), rng.uniform(-0.3, 0.6)

    def cases(n):
        c = np.clip(rng.beta(1.1, 0.7, n), 0.03, 1)
        return Cases(c, np.clip(sigmoid(shift + slope * logit(c)), 0.01, 1))

    return cases


def audited_where(rng, chance):
    cases_of = bent(rng, 0, 0.7)

    def cases(n):
        made = cases_of(n)
        return made._replace(chance=chance(made.confidence))

    return cases


@shape
def audited(rng):
    """Labels mostly where it is unsure; the chance, a smooth function of confidence, is recorded."""
    least, power = rng.uniform(0.03, 0.1), rng.uniform(1, 3)
    return audited_where(rng, lambda c: least + (1 - least) * (2 - 2 * c) ** power)


@shape
def audited_in_steps(rng):
    """All below a threshold labelled, and a tenth of those above."""
    at, least = rng.uniform(0.7, 0.9), rng.uniform(0.05, 0.2)
    return audited_where(rng, lambda c: np.where(c < at, 1.0, least))


def copied(rng, named):
    confidence, copies = usual(rng), int(rng.integers(3, 6))
    slope = rng.uniform(0.5, 1)

    def cases(n):
        whole = -(-n // copies)
        c = np.repeat(confidence(whole), copies)[:n]
        rate = np.repeat(rng.random(whole), copies)[:n]
        name = np.repeat(np.arange(whole), copies)[:n]
        # whether it is right is one matter for all copies
        right = rate < sigmoid(slope * logit(c))
        return Cases(c, right.astype(float), name if named else None)

    return cases


@shape
def clustered(rng):
    """Three to five copies of each case, and the log names them."""
    return copied(rng, named=True)


@shape
def duplicated(rng):
    """Every row of a log twice as often as it came, unlabelled: labels are of one copy."""
    confidence = usual(rng)

    def cases(n):
        half = -(-n // 2)
        c = confidence(half)
        c = np.concatenate([c, c])[:n]
        return Cases(c, sigmoid(0.7 * logit(c)))

    return cases
