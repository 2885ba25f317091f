"""Arms and bands: each number is where it belongs, and what is undefined is not drawn."""

from __future__ import annotations

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest

from askpoint.arena.displays.crowd import ArmsDisplay
from askpoint.displays.learning_curves import LearningDisplay
from askpoint.measures.intervals import Interval
from displays.names import named

ARMS = {"a": (27.0, Interval(25.0, 29.0)), "b": (None, None), "c": (1.0, None)}


def dots(ax):
    return {
        (float(line.get_xdata()[0]), float(line.get_ydata()[0])): line.get_color()
        for line in ax.lines
        if line.get_marker() == "o"
    }


@pytest.mark.parametrize("log", [False, True])
def test_every_number_has_its_place(ax, theme, log):
    display = ArmsDisplay(ARMS, "found", log, quiet=["c"]).plot(ax)
    assert display.ax_ is ax
    assert dots(ax) == {(27.0, 0.0): theme.accent, (1.0, 2.0): theme.muted}
    spans = [line.get_xdata() for line in ax.lines if line.get_marker() != "o"]
    np.testing.assert_array_equal(spans, [[25.0, 29.0]])
    assert ax.get_xscale() == ("log" if log else "linear")
    assert ax.get_ylim()[0] > ax.get_ylim()[1]  # the first arm on top
    assert ax.get_xlim()[0] > 0 if log else ax.get_xlim()[0] <= 0


def test_logarithms_have_no_zero(ax):
    arms = {"a": (10.0, Interval(0.0, 40.0)), "b": (0.0, Interval(0.0, 0.0))}
    ArmsDisplay(arms, "cents", log=True).plot(ax)
    assert all((np.asarray(line.get_xdata()) > 0).all() for line in ax.lines)
    ax.figure.canvas.draw()


def test_a_picture_without_any_number():
    display = ArmsDisplay({"a": (None, None)}, "found", log=True).plot()
    assert not display.ax_.lines
    plt.close(display.figure_)


def test_learning_curves_leave_out_what_is_not_known(ax, theme):
    lines = {
        "one": [(10, 0.7, Interval(0.6, 0.8)), (20, None, None)],
        "two": [(10, None, None), (20, None, None)],
        "three": [(10, 0.5, None), (20, 0.6, None)],
    }
    LearningDisplay(lines, "cases").plot(ax)
    drawn = {line.get_label(): line for line in ax.lines}
    assert list(drawn["one"].get_xdata()) == [10]
    assert list(drawn["two"].get_xdata()) == []
    assert list(drawn["three"].get_ydata()) == [0.5, 0.6]
    assert drawn["three"].get_linestyle() == ":"
    upright = [line for line in ax.lines if list(line.get_xdata()) == [10, 10]]
    assert [list(line.get_ydata()) for line in upright] == [[0.6, 0.8]]
    assert mpl.colors.same_color(drawn["one"].get_color(), theme.accent)
    assert sorted(named(ax)) == sorted(lines)


def test_an_area_that_nothing_was_learned_for_is_marked(ax):
    LearningDisplay({"one": [(1, 0.9, None)]}).plot(ax)
    chance, drawn = ax.lines
    assert set(chance.get_ydata()) == {0.5}
    assert list(drawn.get_ydata()) == [0.9]
