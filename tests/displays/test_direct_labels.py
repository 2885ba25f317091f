"""Names beside lines touch neither each other, nor another line, nor the edge, once drawn."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from matplotlib.figure import Figure

from askpoint.displays.direct_labels import name_beside
from askpoint.displays.theme import HEIGHT, LIGHT, WIDTH, use_theme
from displays.names import named


@pytest.mark.parametrize("seed", range(6))
def test_what_is_drawn_leaves_names_free(seed):
    rng = np.random.default_rng(seed)
    figure = Figure(figsize=(5.4, 3.8), layout="constrained")
    ax = figure.subplots()
    x = np.linspace(0, 1, 40)
    walks = rng.normal(size=(4, 40)).cumsum(axis=1)
    for i, walk in enumerate(walks):
        ax.plot(x, walk, label=f"the line {i}")
    ax.fill_between(x, walks[0] - 4, walks[0] + 4, alpha=0.2, label="a band")
    ax.axvline(rng.random(), label="upright")
    ax.axhline(rng.normal(), label="level")
    ax.plot([0, 0.5, 1], rng.normal(size=3), drawstyle="steps-post", label="steps")
    name_beside(ax)
    assert len(ax.texts) >= 3
    assert sorted(named(ax)) == sorted(ax.get_legend_handles_labels()[1])
    figure.canvas.draw()
    boxes = {text.get_text(): text.get_window_extent() for text in ax.texts}
    for one, other in itertools.combinations(boxes.values(), 2):
        assert not one.overlaps(other)
    frame = ax.get_window_extent().padded(3)
    for name, box in boxes.items():
        assert frame.x0 <= box.x0 < box.x1 <= frame.x1
        assert frame.y0 <= box.y0 < box.y1 <= frame.y1
        for line in ax.lines:
            path = line.get_transform().transform_path(line.get_path())
            assert line.get_label() == name or not path.intersects_bbox(box, filled=False)


def test_what_finds_no_room_is_in_the_legend():
    figure = Figure(figsize=(3, 2))
    ax = figure.subplots()
    ax.plot([0, 1], [0, 1], label="a name that is longer than the whole picture is wide, by far")
    ax.plot([0, 1], [1, 0], label="short")
    name_beside(ax)
    assert [text.get_text() for text in ax.texts] == ["short"]
    assert [text.get_text()[:6] for text in ax.get_legend().get_texts()] == ["a name"]


def test_a_name_has_the_colour_of_what_it_names():
    ax = Figure().subplots()
    ax.hlines([1, 2], [0, 1], [1, 2], color="#0b6e6e", label="strokes")
    ax.errorbar([0], [8], yerr=[1], color="#b3401f", fmt="o", label="error bars")
    ax.scatter([1], [5], color="#1c1e21", label="dots")
    ax.stairs([6, 7], [1, 2, 3], color="#5b6168", label="stairs")
    name_beside(ax)
    assert {text.get_text(): text.get_color() for text in ax.texts} == {
        "strokes": "#0b6e6e",
        "error bars": "#b3401f",
        "dots": "#1c1e21",
        "stairs": "#5b6168",
    }


def test_a_picture_without_names_has_no_legend():
    ax = Figure().subplots()
    ax.plot([0, 1])
    name_beside(ax)
    assert named(ax) == []
    assert ax.get_legend() is None


def test_a_tall_legend_pushes_no_name_onto_a_line():
    x = np.linspace(0, 1, 40)
    with use_theme(LIGHT):
        figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
        ax = figure.subplots()
        for i in range(5):
            ax.plot(
                x, np.cos(9 * (i + 1) * x), label=f"{i}: a name as wide as the whole picture is"
            )
        for y in (1.4, 1.84, 2.28, 2.72):  # a name fits between them without a legend only
            ax.plot(x, 0 * x + y, label=f"level {y}")
        ax.set(xlim=(0, 1), ylim=(-1.2, 3.2))
        name_beside(ax)
        figure.draw_without_rendering()
    assert len(ax.get_legend().get_texts()) >= 4
    boxes = {text.get_text(): text.get_window_extent() for text in ax.texts}
    assert sorted(named(ax)) == sorted(ax.get_legend_handles_labels()[1])
    for name, box in boxes.items():
        for line in ax.lines:
            path = line.get_transform().transform_path(line.get_path())
            assert line.get_label() == name or not path.intersects_bbox(box, filled=False)
