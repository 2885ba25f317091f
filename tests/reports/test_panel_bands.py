"""The table of how often a panel is right: digits that tell its bands apart, and no more."""

from __future__ import annotations

import pytest

from askpoint.reports.judges.panel_verdicts import _digits


@pytest.mark.parametrize(
    ("edges", "digits"),
    [
        ([0.5, 0.6, 0.92111], 2),
        ([0.92111, 0.9234], 3),
        ([0.92111, 0.9975], 3),  # with two the last would read as certain
        ([0.9, 1.0], 2),
        ([0.921111, 0.921114], 2),  # one number to all digits that are shown
    ],
)
def test_bands_show_the_digits_that_tell_them_apart(edges, digits):
    assert _digits(edges) == digits
