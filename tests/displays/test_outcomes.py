"""What becomes of 1,000 cases: a square each, in the colour of its kind."""

from __future__ import annotations

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest

from askpoint.displays.outcomes import OutcomesDisplay
from askpoint.displays.theme import LIGHT, svg
from askpoint.measures.outcomes import Outcomes


def squares(ax):
    """Number of squares by colour, and their places."""
    counts, places = {}, []
    for patch in ax.patches:
        corners = patch.get_path().vertices.reshape(-1, 5, 2)[:, 0]
        counts[mpl.colors.to_hex(patch.get_facecolor())] = len(corners)
        places += map(tuple, corners)
    return counts, places


@pytest.mark.parametrize("counts", [(80, 5, 15), (2, 0, 1), (0, 0, 7), (1, 1, 1), (9999, 1, 0)])
def test_every_case_has_its_square(counts, ax, theme):
    outcomes = Outcomes(*counts)
    display = OutcomesDisplay(outcomes).plot(ax)
    assert display.ax_ is ax
    found, places = squares(ax)
    colours = (theme.accent, theme.wrong, theme.paper)
    expected = dict(zip(colours, outcomes.per_thousand(), strict=True))
    assert found == {colour: n for colour, n in expected.items() if n}
    assert len(set(places)) == len(places) == 1000
    low, high = np.min(places, axis=0), np.max(places, axis=0)
    assert ax.get_xlim()[0] < low[0] < high[0] < ax.get_xlim()[1]
    assert ax.get_ylim()[0] < low[1] < high[1] < ax.get_ylim()[1]


def test_a_new_figure_and_a_light_picture():
    display = OutcomesDisplay(Outcomes(1, 0, 0)).plot()
    assert display.figure_ is display.ax_.get_figure()
    plt.close(display.figure_)
    draw = OutcomesDisplay(Outcomes(3, 1, 1)).plot
    assert svg(draw, LIGHT) == svg(draw, LIGHT)
    assert len(svg(draw, LIGHT)) < 200_000
