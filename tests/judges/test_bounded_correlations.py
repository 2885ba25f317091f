"""Evaluations whose error correlations are bounded: brute force over labelled tests tries to get outside."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import InputError
from askpoint.judges.methods.algebra import TrioAlgebra
from askpoint.judges.trios.bounded_correlations import bound_evaluation, least_correlation

PATTERNS = list(itertools.product((0, 1), repeat=3))
GROUPS = ((0, 1), (0, 2), (1, 2), (0, 1, 2))


def evaluate(of_a, of_b):
    """Return p, accuracies and the greatest error correlation of a labelled test, in exact fractions."""
    n_a, n_b = sum(of_a), sum(of_b)
    correlations, rates = [], []
    for counts, n in ((of_a, n_a), (of_b, n_b)):
        means = [
            Fraction(sum(c * v[i] for c, v in zip(counts, PATTERNS, strict=True)), n)
            for i in range(3)
        ]
        rates.append(means)
        for group in GROUPS:
            total = sum(
                c * math.prod(v[i] - means[i] for i in group)
                for c, v in zip(counts, PATTERNS, strict=True)
            )
            correlations.append(abs(Fraction(total) / n))
    accuracy = [(1 - a, b) for a, b in zip(*rates, strict=True)]
    return Fraction(n_a, n_a + n_b), accuracy, max(correlations)


COUNTS = st.lists(st.integers(0, 6), min_size=8, max_size=8)


@settings(max_examples=100)
@given(COUNTS, COUNTS)
def test_no_labelled_test_lies_outside(of_a, of_b):
    """With a test's own greatest correlation as the bound, its evaluation is inside."""
    of_a[0] += 1
    of_b[7] += 1
    cells = [a + b for a, b in zip(of_a, of_b, strict=True)]
    p, accuracy, greatest = evaluate(of_a, of_b)
    floats = [(float(a), float(b)) for a, b in accuracy]
    least = least_correlation(cells, float(p), floats)
    assert least is not None
    assert least <= float(greatest) + 1e-7
    if any(a + b < 1 for a, b in accuracy):
        return  # worse than chance: bounds are of better judges
    bounds = bound_evaluation(cells, float(greatest))
    assert bounds is not None
    assert bounds.prevalence[0] - 1e-9 <= p <= bounds.prevalence[1] + 1e-9
    for (a, b), (on_a, on_b) in zip(accuracy, bounds.accuracy, strict=True):
        assert on_a[0] - 1e-9 <= a <= on_a[1] + 1e-9
        assert on_b[0] - 1e-9 <= b <= on_b[1] + 1e-9
    # a smaller bound that the evaluation's best labelling keeps holds it, too
    tighter = bound_evaluation(cells, min(least + 1e-6, 0.25))
    assert tighter is not None
    assert tighter.prevalence[0] - 1e-5 <= p <= tighter.prevalence[1] + 1e-5


def test_the_least_correlation_is_that_of_the_best_labelling():
    """All labellings of a small test, tripled: none beats the linear programme, and the best comes near."""
    cells = (6, 3, 3, 0, 3, 3, 0, 6)
    alike: dict = {}  # labellings of one prevalence and one accuracy of each judge
    for of_a in itertools.product(*(range(c + 1) for c in cells)):
        if 0 < sum(of_a) < sum(cells):
            said = [sum(a for a, v in zip(of_a, PATTERNS, strict=True) if v[i]) for i in range(3)]
            alike.setdefault((sum(of_a), *said), []).append(of_a)
    rng = np.random.default_rng(0)
    groups = list(alike.values())
    gaps = []
    for place in rng.choice(len(groups), 150, replace=False):
        found = [
            evaluate(of_a, [c - a for c, a in zip(cells, of_a, strict=True)])
            for of_a in groups[place]
        ]
        p, accuracy, _ = found[0]
        assert all(other[:2] == (p, accuracy) for other in found)
        best = min(greatest for _, _, greatest in found)
        least = least_correlation(cells, float(p), [(float(a), float(b)) for a, b in accuracy])
        assert least is not None
        assert least <= float(best) + 1e-7
        gaps.append(float(best) - least)
    assert np.median(gaps) < 0.005  # whole items only: 24 of them


@settings(max_examples=50)
@given(st.lists(st.integers(55, 99), min_size=6, max_size=6), st.integers(5, 95))
def test_at_zero_it_is_the_independent_evaluators_point(percents, prevalence):
    *rates, p = (Fraction(x, 100) for x in (*percents, prevalence))
    pairs = list(zip(rates[::2], rates[1::2], strict=True))
    chances = [
        p * math.prod(1 - a if x else a for (a, _), x in zip(pairs, v, strict=True))
        + (1 - p) * math.prod(b if x else 1 - b for (_, b), x in zip(pairs, v, strict=True))
        for v in PATTERNS
    ]
    cells = [int(chance * 100**4) for chance in chances]
    assert TrioAlgebra.from_cells(cells).outcome == "inside"
    bounds = bound_evaluation(cells, 0)
    assert bounds is not None
    assert bounds.prevalence == pytest.approx((float(p),) * 2, abs=1e-6)
    for (a, b), (on_a, on_b) in zip(pairs, bounds.accuracy, strict=True):
        assert on_a == pytest.approx((float(a),) * 2, abs=1e-6)
        assert on_b == pytest.approx((float(b),) * 2, abs=1e-6)
    found = least_correlation(cells, float(p), [(float(a), float(b)) for a, b in pairs])
    assert found == pytest.approx(0, abs=1e-7)


def test_a_greater_bound_leaves_more():
    cells = (400, 50, 40, 30, 50, 30, 30, 300)
    widths = []
    for g in (0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25):
        bounds = bound_evaluation(cells, g)
        assert bounds is not None
        widths.append(bounds.prevalence[1] - bounds.prevalence[0])
    assert widths == sorted(widths)
    assert widths[0] < 1e-9
    assert widths[-1] > 0.9


def test_what_cannot_be_is_refused():
    assert bound_evaluation((0, 0, 0, 10, 10, 0, 0, 0), 0.2) is None  # judge 1 against both others
    assert least_correlation((1,) * 8, 0.5, [(0.9, 0.9)] * 3) is None
    with pytest.raises(InputError, match=r"between 0 and 0.25; got 0.3"):
        bound_evaluation((1,) * 8, 0.3)
    with pytest.raises(InputError, match="got none"):
        bound_evaluation((0,) * 8, 0.1)
    with pytest.raises(InputError, match="got 1"):
        least_correlation((1,) * 8, 1.0, [(0.5, 0.5)] * 3)


@pytest.mark.parametrize(
    ("cells", "at_most"),
    [([1, 0, 0, 0, 0, 1, 1, 2], 0.02), ([2, 0, 2, 0, 1, 2, 0, 3], 0.01), ([2, 1, 0, 1, 0, 1, 2, 2], 0.01),
     ([3, 0, 0, 1, 1, 1, 2, 0], 0.02)],
)  # fmt: skip
def test_where_there_is_none_no_labelled_test_is_within(cells, at_most):
    """All ways to split these items between the labels, in fractions."""
    assert bound_evaluation(cells, at_most) is None
    assert bound_evaluation(cells, 0.0) is None  # less than that leaves none, too
    least = math.inf
    for of_a in itertools.product(*(range(n + 1) for n in cells)):
        of_b = tuple(n - a for n, a in zip(cells, of_a, strict=True))
        if not sum(of_a) or not sum(of_b):
            continue
        _, accuracy, greatest = evaluate(of_a, of_b)
        if all(a + b > 1 for a, b in accuracy):
            least = min(least, greatest)
            assert greatest > at_most
    assert least < 0.25
    assert bound_evaluation(cells, float(least)) is not None
