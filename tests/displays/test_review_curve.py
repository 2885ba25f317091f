"""What people's time buys: the curve is that of the numbers, and begins and ends where they do."""

from __future__ import annotations

from askpoint.displays.review_curve import ReviewCurveDisplay

REVIEW, MISTAKES = [0.0, 100, 400, 1000], [150.0, 90, 30, 0]
LOW, HIGH = [120.0, 60, 10, 0], [180.0, 120, 55, 0]


def test_the_curve_and_the_dot_are_those_of_the_numbers(ax):
    ReviewCurveDisplay(REVIEW, MISTAKES, LOW, HIGH, (400, 30)).plot(ax)
    drawn = [(list(line.get_xdata()), list(line.get_ydata())) for line in ax.lines]
    assert drawn == [(REVIEW, MISTAKES), ([400], [30])]
    (band,) = ax.collections
    corners = {tuple(map(float, corner)) for corner in band.get_paths()[0].vertices}
    assert corners >= {*zip(REVIEW, LOW, strict=True), *zip(REVIEW, HIGH, strict=True)}
    assert [text.get_text() for text in ax.texts] == ["expected, 95%"]


def test_the_axes_hold_all_of_it_and_nothing_below_nothing(ax):
    ReviewCurveDisplay(REVIEW, MISTAKES, LOW, HIGH, unit="people's hours a month").plot(ax)
    assert ax.get_xlim() == (0, 1000)
    bottom, top = ax.get_ylim()
    assert bottom == 0
    assert top > 180
    assert ax.get_xlabel() == "people's hours a month"
    assert len(ax.lines) == 1  # without a threshold of one's own there is no dot


def test_a_model_that_never_errs_is_a_flat_line(ax):
    ReviewCurveDisplay([0.0, 1000], [0.0, 0], [0.0, 0], [0.0, 0], (0, 0)).plot(ax)
    assert ax.get_ylim() == (0, 1)
