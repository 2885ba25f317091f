"""What new cases cost at every price: the lines are those of the numbers, with names beside them."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from askpoint.displays.expected import ExpectedCostDisplay
from askpoint.displays.theme import draw_svg

CHECKS = [2.0, 5, 20, 100]
COST, LOW, HIGH = [100.0, 300, 600, 900], [50.0, 100, 300, 700], [200.0, 500, 900, 1400]
NEVER = [200.0, 500, 2000, 10_000]


def draw(ax):
    return ExpectedCostDisplay(CHECKS, COST, LOW, HIGH, NEVER, 20).plot(ax)


def test_lines_and_names_are_those_of_the_numbers(ax):
    draw(ax)
    lines = [tuple(map(float, line.get_ydata())) for line in ax.lines]
    assert tuple(NEVER) in lines
    assert tuple(COST) in lines
    assert (1000.0,) * len(CHECKS) in lines  # asking always
    assert (600.0,) in lines  # the price that was stated
    assert {text.get_text() for text in ax.texts} == {
        "every case to review",
        "decide all alone",
        "this model, 95%",
    }


def test_where_people_err_asking_always_costs_more_the_dearer_a_mistake(ax):
    always = [1000 * (1 + 0.05 * checks) for checks in CHECKS]
    ExpectedCostDisplay(CHECKS, COST, LOW, HIGH, NEVER, 20, always).plot(ax)
    assert tuple(always) in [tuple(map(float, line.get_ydata())) for line in ax.lines]
    assert ax.get_ylim()[1] > 2000  # what it costs at the price that was stated is in the picture
    assert ax.get_xlim() == (CHECKS[0], CHECKS[-1])


def test_prices_at_which_all_costs_more_than_the_picture_shows_are_left_out(ax):
    checks, dear = [2.0, 20, 200, 2000], [500.0, 900, 9000, 90_000]
    always = [1000 * (1 + 0.01 * price) for price in checks]
    ExpectedCostDisplay(checks, dear, dear, dear, dear, 20, always).plot(ax)
    assert ax.get_xlim() == (2, 20)


def test_without_a_price_there_is_no_dot_and_a_dear_model_has_no_name_for_never(ax):
    ExpectedCostDisplay(CHECKS, COST, LOW, HIGH, [2000.0] * 4).plot(ax)
    assert len(ax.lines) == 3
    assert {text.get_text() for text in ax.texts} == {"every case to review", "this model, 95%"}


def test_places_are_where_the_points_are_drawn():
    """The dot of a page lies where matplotlib itself draws the point."""
    points = [(2.0, 100.0), (20.0, 600.0), (100.0, 9000.0)]

    def dotted(ax):
        draw(ax)
        ax.plot([20.0], [600.0], "s", color="#ff0000", markersize=4, zorder=9)

    figure = Figure(figsize=(6.4, 3.8), dpi=100, layout="constrained")
    dotted(figure.subplots())
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    red = np.argwhere((np.asarray(canvas.buffer_rgba())[:, :, :3] == (255, 0, 0)).all(axis=2))
    middle = red.mean(axis=0) / (380, 640)
    found = draw_svg(draw, points).places
    assert found[1][::-1] == pytest.approx(tuple(middle), abs=0.02)
    assert found[0][0] < found[1][0] < found[2][0] < 1
    assert 0 < found[2][1] < found[1][1] < found[0][1] < 1  # what lies above stays inside


def test_names_stand_inside_where_asking_never_is_dear_at_any_price(ax):
    checks = [1.5, 2, 3, 20, 1000]
    ExpectedCostDisplay(checks, [700] * 5, [600] * 5, [800] * 5, [500 * c for c in checks]).plot(ax)
    frame = ax.get_window_extent()
    names = [text.get_window_extent() for text in ax.texts]
    assert len(names) == 3
    assert all(frame.x0 <= box.x0 and box.x1 <= frame.x1 and box.y1 <= frame.y1 for box in names)
    line = ax.transData.transform(np.column_stack([checks, [700] * 5]))
    assert not any(box.y0 <= line[0, 1] <= box.y1 for box in names)  # not on the model's own line
    assert not any(a.overlaps(b) for i, a in enumerate(names) for b in names[:i])
