"""Pictures of judges draw the numbers that they were given, in light and dark."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from askpoint.displays.judges import (
    FailureRateDisplay,
    JudgeAccuracyDisplay,
    PairCorrelationDisplay,
    PrevalenceDisplay,
)
from askpoint.displays.learning_curves import LearningDisplay
from askpoint.measures.intervals import Interval
from displays.names import named

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


@pytest.mark.parametrize("n", [4, 130])
def test_the_strongest_pairs_are_drawn_and_those_beyond_chance_first_and_filled(n, ax):
    rng = np.random.default_rng(0)
    judges = [f"j{i}" for i in range(n)]
    residuals = np.triu(rng.normal(0, 0.1, (n, n)), 1)
    residuals[0, 1], residuals[2, 3] = 0.05, -0.3
    residuals += residuals.T
    PairCorrelationDisplay(judges, residuals, [("j0", "j1"), ("j3", "j2")]).plot(ax)
    dots = [line for line in ax.lines if line.get_marker() == "o"]
    assert [float(dot.get_xdata()[0]) for dot in dots[:2]] == [-0.3, 0.05]
    assert [text.get_text() for text in ax.get_yticklabels()][:2] == ["j3,\nj2", "j0,\nj1"]
    filled = [dot.get_markerfacecolor() == dot.get_color() for dot in dots]
    assert filled == [True, True] + [False] * (len(dots) - 2)
    others = np.sort(np.abs(residuals[np.triu_indices(n, 1)]))[::-1]
    others = others[~np.isin(others, [0.3, 0.05])][: len(dots) - 2]
    assert [abs(float(dot.get_xdata()[0])) for dot in dots[2:]] == others.tolist()
    assert len(dots) == min(12, n * (n - 1) // 2)
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
    assert [text.get_text() for text in ax.texts] == ["one", "two"]
    assert FailureRateDisplay({"one": [(25, 0.8)]}).plot().ax_.get_legend() is None
    ax.figure.draw_without_rendering()


def test_one_of_several_pictures_keeps_its_legend_inside():
    figure = Figure(figsize=(9, 7))
    axes = figure.subplots(2, 2)
    JudgeAccuracyDisplay(ACCURACY).plot(axes[1, 0])
    LearningDisplay({"a": [(1, 0.5, None)]}).plot(axes[0, 1])
    figure.canvas.draw()
    for ax in (axes[1, 0], axes[0, 1]):
        box, legend = ax.get_window_extent(), ax.get_legend().get_window_extent()
        assert box.x0 <= legend.x0 < legend.x1 <= box.x1
        assert box.y0 <= legend.y0 < legend.y1 <= box.y1
    alone = JudgeAccuracyDisplay(ACCURACY).plot()
    assert sorted(named(alone.ax_)) == ["as a coin", "x", "y"]
    assert alone.ax_.get_legend() is None
