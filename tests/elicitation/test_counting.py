"""How many questions it takes: attempts to ask fewer, exhaustive where they can be, and chords on the count."""

from __future__ import annotations

import functools
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import optimize, stats

from askpoint.elicitation.counting import chord_count, least_questions, section_count
from askpoint.elicitation.families import diagonal_questionnaire
from askpoint.elicitation.metrics import diagonal_metric
from askpoint.elicitation.respondents import ExactRespondent
from askpoint.errors import InputError

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
"""The simplex of three weights, by the first two."""


def area(polygon):
    x, y = polygon.T
    return abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def clip(polygon, normal, offset):
    """The part of a convex polygon with normal @ x <= offset."""
    kept = []
    for p, q in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        a, b = normal @ p - offset, normal @ q - offset
        if a <= 0:
            kept.append(p)
        if a * b < 0:
            kept.append(p + a / (a - b) * (q - p))
    return np.array(kept).reshape(-1, 2)


def spread(polygon):
    """The least greatest error that one estimate of three weights has on a polygon."""
    weights = np.column_stack([polygon, 1 - polygon.sum(axis=1)])
    return float((weights.max(axis=0) - weights.min(axis=0)).max()) / 2


@pytest.mark.parametrize("k", range(2, 11))
def test_the_section_of_the_cube_is_irwin_and_halls(k):
    """By the law of a sum of uniform numbers, and by drawing them."""
    law = stats.irwinhall(k - 1) if hasattr(stats, "irwinhall") else None
    if law is not None:
        inside = law.cdf(k / 2) - law.cdf(k / 2 - 1)  # |sum of k-1 on [-1, 1]| <= 1
        known = inside * 2 ** (k - 1) * math.factorial(k - 1)
        assert section_count(k) == pytest.approx(known, rel=1e-6)
    drawn = np.random.default_rng(k).uniform(-1, 1, (200_000, k - 1)).sum(axis=1)
    share = np.mean(np.abs(drawn) <= 1)
    expected = section_count(k) / (2 ** (k - 1) * math.factorial(k - 1))
    assert share == pytest.approx(expected, abs=5 * math.sqrt(0.25 / 200_000))


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**6), st.floats(0.02, 0.6))
def test_no_ball_holds_more_of_the_simplex(seed, radius):
    """Of three weights, exactly; centres anywhere, on the simplex or off it."""
    rng = np.random.default_rng(seed)
    centre = rng.dirichlet(np.ones(3)) + rng.normal(0, radius / 2, 3) * (seed % 2)
    part = CORNERS
    for axis, sign in itertools.product(range(3), (1, -1)):
        normal = np.eye(3)[axis] * sign
        # the third weight is what the first two leave
        flat, constant = normal[:2] - normal[2], normal[2]
        part = clip(part, flat, sign * centre[axis] + radius - constant)
        if len(part) < 3:
            return
    assert area(part) / area(CORNERS) <= section_count(3) * radius**2 + 1e-9


def straightest(rng, polygon):
    """A cut through the middle of what is left, across its longest side: a strong opponent."""
    middle = polygon.mean(axis=0)
    axis = np.linalg.svd(polygon - middle)[2][0]
    return axis, float(axis @ middle)


def any_line(rng, polygon):
    """A cut anywhere through what is left."""
    axis = rng.normal(size=2)
    return axis, float(axis @ (rng.dirichlet(np.ones(len(polygon))) @ polygon))


@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 10**6),
    st.sampled_from([0.2, 0.1, 0.03, 0.01]),
    st.sampled_from([straightest, any_line]),
)
def test_an_adversary_leaves_more_than_the_tolerance(seed, tolerance, strategy):
    """Whoever asks one question less than the bound, and gets the answer that leaves more, fails."""
    rng = np.random.default_rng(seed)
    polygon = CORNERS
    for _ in range(least_questions(3, tolerance) - 1):
        normal, offset = strategy(rng, polygon)
        halves = clip(polygon, normal, offset), clip(polygon, -normal, -offset)
        polygon = max((half for half in halves if len(half) > 2), key=area)
    assert spread(polygon) > tolerance


def test_no_tree_of_cuts_beats_the_count():
    """All decision trees on the 15 points of a grid: every line that tells some from others."""
    n = 4
    points = np.array([(i, j) for i in range(n + 1) for j in range(n + 1 - i)], dtype=float) / n
    cuts = set()
    for a, b in itertools.combinations(range(len(points)), 2):
        direction = points[b] - points[a]
        for turn in (-1e-3, 1e-3):  # lines through two points, turned a little either way
            normal = np.array([-direction[1], direction[0]]) + turn * direction
            for shift in (-1e-6, 1e-6):
                middle = normal @ (points[a] + points[b]) / 2
                for at in (middle, normal @ points[a], normal @ points[b]):
                    sides = points @ normal < at + shift
                    cuts.add(sum(1 << i for i in np.flatnonzero(sides).tolist()))

    def depth_of(tolerance):
        def is_leaf(subset):
            chosen = points[[i for i in range(len(points)) if subset >> i & 1]]
            return spread(chosen) <= tolerance + 1e-12

        @functools.cache
        def depth(subset):
            if is_leaf(subset):
                return 0
            return 1 + min(
                max(depth(subset & cut), depth(subset & ~cut))
                for cut in cuts
                if subset & cut and subset & ~cut
            )

        whole = (1 << len(points)) - 1
        largest = max(
            sum(inside(point, c, tolerance) for point in points)
            for c in itertools.product(np.arange(-1, 2 * n + 2) / (2 * n), repeat=3)
        )
        return depth(whole), math.ceil(math.log2(len(points) / largest))

    def inside(point, centre, tolerance):
        weights = np.array([*point, 1 - point.sum()])
        return bool((np.abs(weights - centre) <= tolerance + 1e-12).all())

    for tolerance in (1 / 8, 1 / 4):
        found, least = depth_of(tolerance)
        assert found >= least
        # on finitely many points the simplex itself needs no less than they do
        assert chord_count(3, tolerance) >= found


@pytest.mark.parametrize("k", range(2, 11))
def test_chords_reach_the_tolerance_in_the_stated_number(k):
    """With weights at random and the worst ones; their own log counted."""
    tolerance = 0.01
    rng = np.random.default_rng(k)
    proba = rng.dirichlet(np.ones(k), 400)
    y = np.array([*range(k), *(rng.choice(k, p=p) for p in proba[k:])])
    least, most = least_questions(k, tolerance), chord_count(k, tolerance)
    constant = (k - 1) * math.log2(k - 1) + math.log2(section_count(k))
    exact = -math.log2(section_count(k) * tolerance ** (k - 1))
    assert least <= most <= exact + constant + 1e-9
    worst = (np.eye(k)[0] + 1e-9) / (1 + k * 1e-9)
    half = (np.eye(k)[0] + np.eye(k)[1] + 1e-9) / (2 + k * 1e-9)
    for a in (worst, worst[::-1], half, *rng.dirichlet(np.ones(k), 5)):
        oracle = ExactRespondent(diagonal_metric(a))
        found = diagonal_questionnaire(y, proba, tolerance=2 * tolerance / (k - 1)).ask(oracle)
        assert found.n_queries == most
        assert np.abs(found.weights - a).max() <= tolerance


def test_the_error_of_chords_is_no_larger_than_proved():
    """(k - 1) times half the last interval; looked for by an optimiser, and nearly reached."""
    k, delta = 4, 0.05

    def error(z):
        m = 0.75 + 0.25 * np.tanh(z[: k - 1])
        held = np.clip(m + delta * np.tanh(z[k - 1 :]), 0.5, 1)
        truth, found = (np.append(1, (1 - x) / x) for x in (m, held))
        return -np.abs(truth / truth.sum() - found / found.sum()).max()

    rng = np.random.default_rng(0)
    best = min(
        optimize.minimize(error, rng.normal(0, 4, 2 * k - 2), method="Nelder-Mead").fun
        for _ in range(20)
    )
    assert 0.7 * (k - 1) * delta < -best <= (k - 1) * delta


@pytest.mark.parametrize(("n", "flips"), [(6, 0.1), (9, 0.15), (9, 0.3)])
def test_no_posterior_is_surer_than_the_noisy_bound(n, flips):
    """Bisection of two weights at the posterior median, all answers summed exactly."""
    cells = 64

    def success(mass, left):
        """Chance that the likeliest window of a width holds the truth, after the answers left."""
        if not left:
            return max(mass[i : i + width].sum() for i in range(cells - width + 1))
        at = np.searchsorted(np.cumsum(mass), mass.sum() / 2) + 1
        below = np.arange(cells) < at
        return sum(
            success(mass * np.where(below == side, 1 - flips, flips), left - 1)
            for side in (True, False)
        )

    for width in (2, 8):
        reached = success(np.full(cells, 1 / cells), n)
        tolerance = width / cells / 2  # a window of a width is a ball of half of it
        assert least_questions(2, tolerance, flips=flips, failure=1 - reached) <= n
    assert reached > 0.45  # or the bound would ask for nothing


def test_more_noise_more_classes_and_less_tolerance_need_more():
    counts = [least_questions(k, 0.01, flips=f, failure=0.1) for k in (3, 5) for f in (0, 0.1, 0.2)]
    assert counts == sorted(counts[:3]) + sorted(counts[3:])
    assert counts[0] < counts[3]
    assert least_questions(4, 0.4) <= least_questions(4, 0.1) <= least_questions(4, 0.01)
    assert least_questions(2, 0.5) == 0  # one half is within one half of everything
    assert least_questions(2, 0.01, failure=0.5) == least_questions(2, 0.01) - 1


@pytest.mark.parametrize(
    ("numbers", "options", "said"),
    [
        ((1, 0.1), {}, "two or more; got 1"),
        ((3, 0), {}, "between 0 and 1; got 0"),
        ((3, 0.1), {"flips": 0.5}, "below .5; got 0.5"),
        ((3, 0.1), {"flips": 0.1}, "above 0 where answers are turned round"),
        ((3, 0.1), {"failure": 1}, "below 1"),
    ],
)
def test_what_cannot_be_counted_is_refused(numbers, options, said):
    with pytest.raises(InputError, match=said):
        least_questions(*numbers, **options)
    if not options:
        with pytest.raises(InputError, match=said):
            chord_count(*numbers)
