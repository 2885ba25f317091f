"""Pictures of judges draw the numbers that they were given, in light and dark."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from askpoint.displays.crowd import BandsDisplay
from askpoint.displays.judges import (
    FailureRateDisplay,
    JudgeAccuracyDisplay,
    PairCorrelationDisplay,
    PrevalenceDisplay,
)
from askpoint.measures.intervals import Interval

ACCURACY = {"ann": {"x": 0.9, "y": 0.8}, "a-judge-of-a-very-long-name": {"x": None, "y": 0.6}}
INTERVALS = {
    "ann": {"x": Interval(0.85, 0.95), "y": Interval(0.7, 0.9)},
    "a-judge-of-a-very-long-name": {"x": None, "y": Interval(0.5, 0.7)},
}


def offsets(ax):
    return {
        (collection.get_label(), round(float(x), 6))
        for collection in ax.collections
        for x, _ in collection.get_offsets()
    }


def test_accuracies_are_dots_and_intervals_lines(ax):
    other = {judge: {"x": 0.2, "y": 0.1} for judge in ACCURACY}
    truth = {judge: {"x": 0.88, "y": None} for judge in ACCURACY}
    JudgeAccuracyDisplay(ACCURACY, INTERVALS, other, truth).plot(ax)
    drawn = offsets(ax)
    assert {("x", 0.9), ("y", 0.8), ("y", 0.6)} <= drawn
    assert {("the other point", 0.2), ("gold labels", 0.88)} <= drawn
    lines = {tuple(line.get_xdata()) for line in ax.lines}
    assert {(0.85, 0.95), (0.7, 0.9), (0.5, 0.7)} <= lines
    names = [text.get_text() for text in ax.get_yticklabels()]
    assert names[0] == "ann"
    assert len(names[1]) == 18
    ax.figure.draw_without_rendering()


def test_only_the_first_judges_are_drawn(ax):
    JudgeAccuracyDisplay({f"j{i}": {"x": 0.5, "y": 0.6} for i in range(30)}).plot(ax)
    assert len(ax.get_yticks()) == 20


@pytest.mark.parametrize("n", [3, 20])
def test_pairs_are_a_map_with_flagged_pairs_outlined(n, ax):
    judges = [f"judge {i}" for i in range(n)]
    residuals = np.zeros((n, n))
    residuals[0, 1] = residuals[1, 0] = 0.3
    PairCorrelationDisplay(judges, residuals, [("judge 0", "judge 1")]).plot(ax)
    (image,) = ax.images
    assert image.get_array().max() == 0.3
    assert image.get_clim() == (-0.3, 0.3)
    assert {patch.get_xy() for patch in ax.patches} == {(-0.5, 0.5), (0.5, -0.5)}
    assert len(ax.get_xticklabels()) == (n if n < 13 else 0)
    ax.figure.draw_without_rendering()


def test_prevalence_has_gaps_where_there_is_no_answer(ax):
    PrevalenceDisplay(
        [1, 101, 201], [0.3, None, 0.4], [Interval(0.2, 0.5), None, None], "spam"
    ).plot(ax)
    values = ax.lines[0].get_ydata()
    assert values[[0, 2]].tolist() == [0.3, 0.4]
    assert np.isnan(values[1])
    ax.figure.draw_without_rendering()


def test_failures_are_lines_by_size(ax):
    FailureRateDisplay({"one": [(25, 0.8), (100, 0.2)], "two": [(25, 0.5)]}).plot(ax)
    assert ax.lines[0].get_ydata().tolist() == [0.8, 0.2]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["one", "two"]
    assert FailureRateDisplay({"one": [(25, 0.8)]}).plot().ax_.get_legend() is None
    ax.figure.draw_without_rendering()


def test_one_of_several_pictures_keeps_its_legend_inside():
    figure = Figure(figsize=(9, 7))
    axes = figure.subplots(2, 2)
    JudgeAccuracyDisplay(ACCURACY).plot(axes[1, 0])
    BandsDisplay({"a": [(1, 0.5, None)]}, "cases", "area").plot(axes[0, 1])
    figure.canvas.draw()
    for ax in (axes[1, 0], axes[0, 1]):
        box, legend = ax.get_window_extent(), ax.get_legend().get_window_extent()
        assert box.x0 <= legend.x0 < legend.x1 <= box.x1
        assert box.y0 <= legend.y0 < legend.y1 <= box.y1
    alone = JudgeAccuracyDisplay(ACCURACY).plot()
    alone.figure_.canvas.draw()
    assert alone.ax_.get_legend().get_window_extent().y0 >= alone.ax_.get_window_extent().y1 - 1
