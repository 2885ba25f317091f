"""Numbers as people read them: true to the number, and finer where that matters."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st

from askpoint.measures.intervals import Interval
from askpoint.reports.words import (
    amount,
    count,
    plural,
    round_share,
    share,
    share_range,
    short_threshold,
    threshold_text,
)

shares = st.floats(0, 1) | st.floats(0, 1e-3) | st.floats(0, 1e-3).map(lambda x: 1 - x)
finite = st.floats(-1e9, 1e9)


def per_cent(text):
    number = text.replace("\N{NO-BREAK SPACE}", " ").removesuffix("%")
    return float(number.removeprefix("< ").removeprefix("> "))


@given(shares)
@settings(deadline=None)
def test_a_share_is_rounded_by_less_than_its_last_digit(value):
    text = share(value)
    shown = per_cent(text)
    if text[0] in "<>":
        assert min(value, 1 - value) <= 1e-6
        assert (100 * value < 50) == (text[0] == "<")
    else:
        digits = len(text.removesuffix("%").partition(".")[2])
        assert abs(shown - 100 * value) <= 0.5 * 10.0**-digits + 1e-12


@given(shares)
@settings(deadline=None)
def test_only_nothing_reads_0_and_only_all_reads_100(value):
    text = share(value)
    assert (text == share(0.0)) == (value == 0)
    assert (text == share(1.0)) == (value == 1)
    assert 0 < per_cent(text) < 100 or value in (0, 1)


@given(st.floats(1e-6, 0.5))
@settings(deadline=None)
def test_a_share_and_its_rest_are_told_to_the_same_digit(value):
    digits = [len(share(part).partition(".")[2]) for part in (value, 1 - value)]
    assert abs(digits[0] - digits[1]) <= 1  # 1 - value may round across a power of ten


@given(shares, shares)
@settings(deadline=None)
def test_a_greater_share_never_reads_smaller(one, other):
    low, high = sorted((one, other))
    assert per_cent(share(low)) <= per_cent(share(high))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.5, "50.0%"),
        (0.01, "1.0%"),
        (0.0999, "10.0%"),
        (0.99, "99.0%"),
        (0.999, "99.90%"),
        (0.00001, "0.0010%"),
        (1e-9, "< 0.0001%"),
        (1 - 1e-9, "> 99.9999%"),
    ],
)
def test_shares_by_hand(value, text):
    assert share(value).replace("\N{NO-BREAK SPACE}", " ") == text


def test_a_number_stays_with_its_sign():
    assert " " not in share(0.5) + share(1e-9) + round_share(0.95)
    assert share_range(Interval(0.25, 0.5)) == f"{share(0.25)} to {share(0.5)}"
    assert round_share(0.125) == "12.5%"


@given(finite)
@settings(deadline=None)
def test_an_amount_has_three_digits_that_count(value):
    text = amount(value)
    assert float(text.replace(",", "")) == pytest.approx(value, rel=0.005, abs=1e-300)
    assert "nan" not in text


def test_amounts_and_counts_by_hand():
    assert [amount(x) for x in (0, 1, 20.0, 99.95, 999.6, -12345.6, 0.05)] == [
        "0",
        "1",
        "20",
        "100",
        "1,000",
        "-12,346",
        "0.05",
    ]
    assert count(0) == "0"
    assert plural(1, "case", "cases") == "1 case"
    assert plural(0, "case", "cases") == "0 cases"
    assert plural(1000, "case", "cases") == "1,000 cases"


confidences = st.lists(
    st.floats(0, 1) | st.floats(-1e30, 1e30) | st.integers(0, 20).map(lambda i: i / 20), min_size=2
)


@given(confidences, st.data(), st.booleans())
@settings(deadline=None, max_examples=300)
def test_a_threshold_as_text_divides_the_cases_alike(values, data, single):
    scores = np.unique(np.asarray(values, dtype=np.float32 if single else np.float64))
    k = data.draw(st.integers(0, len(scores) - 1))
    threshold, below = float(scores[k]), float(scores[k - 1]) if k else -math.inf
    typed = float(threshold_text(threshold, below))
    assert ((scores >= typed) == (scores >= scores[k])).all()


@given(st.floats(0.5, 1), st.floats(1e-6, 0.1))
@example(0.8611, 0.8611 - 0.861)
@settings(deadline=None)
def test_a_threshold_as_text_is_as_short_as_can_be(threshold, gap):
    text = threshold_text(threshold, threshold - gap)
    digits = len(text.partition(".")[2])
    below = max(threshold - gap, threshold * 0.99)
    step = Fraction(1, 10 ** max(digits - 2, 0))  # the last digit may be a 5 for the middle
    nearest = math.floor(Fraction(threshold) / step) * step
    # as a float, for who types it compares with that: 0.861 is no float, and the nearest may be the case below
    assert digits < 2 or not below < float(nearest) <= threshold


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_neighbours_are_told_apart(kind):
    for low in np.random.default_rng(0).random(2000).astype(kind):
        high = np.nextafter(low, kind(2))
        typed = kind(threshold_text(float(high), float(low)))
        assert low < typed <= high


def test_thresholds_by_hand():
    assert threshold_text(math.inf, 0.9) == "never"
    assert threshold_text(1.0, 0.5) == "1"
    assert float(threshold_text(1e300, 1e299)) == 1e300
    assert threshold_text(0.0, -math.inf) == "0"
    assert threshold_text(0.75, -math.inf) == "0.75"
    assert float(threshold_text(-0.25, -0.5)) <= -0.25
    assert float(threshold_text(0.1 + 0.2, 0.3)) == 0.1 + 0.2


@given(st.floats(0.01, 1 - 1e-6))
def test_what_reaches_a_short_threshold_reaches_the_threshold(threshold):
    text = short_threshold(threshold)
    assert threshold <= float(text) <= threshold + 0.01 * (1 - threshold) + 1e-12
    assert 0 < float(text) < 1
    assert len(text) <= 10


@pytest.mark.parametrize(
    ("threshold", "text"),
    [
        (0.9271634827163, "0.9272"),
        (0.915, "0.915"),
        (0.5, "0.5"),
        (0.99912345, "0.999124"),
        (1.0, "1.0"),
        (3.25, "3.25"),
        (3.1415926535897931, "3.1416"),
        (-0.12345678901234567, "-0.123456"),
        (97.53186420975318, "97.5319"),
        (0.0, "0.0"),
        (12345678.9, "12345700"),
        (float("inf"), "inf"),
    ],
)
def test_short_thresholds_by_hand(threshold, text):
    assert short_threshold(threshold) == text
