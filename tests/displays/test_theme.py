"""One look: the page's colours, readable in both modes, the same text for the same picture."""

from __future__ import annotations

import base64
import re
from dataclasses import asdict
from importlib import resources

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from matplotlib.axes import Axes

from askpoint.displays.theme import DARK, LIGHT, axes_or_new, figure_of, svg, theme_of, use_theme
from askpoint.errors import InputError


def contrast(one, other):
    """Contrast ratio of two colours by WCAG 2."""
    levels = []
    for colour in (one, other):
        channels = [
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
            for c in mpl.colors.to_rgb(colour)
        ]
        levels.append(0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2])
    low, high = sorted(levels)
    return (high + 0.05) / (low + 0.05)


def test_what_is_read_stands_out_from_the_paper(theme):
    for colour in (theme.ink, theme.muted, theme.accent, theme.wrong):
        assert contrast(colour, theme.paper) >= 4.5


def test_the_page_has_the_same_colours(theme):
    style = resources.files("askpoint.reports").joinpath("templates/page.css").read_text()
    light, dark = style.split("@media screen and (prefers-color-scheme: dark)")
    part = light if theme is LIGHT else dark
    found = dict(re.findall(r"--(\w+): (#\w+);", part))
    colours = {key: value for key, value in asdict(theme).items() if key != "name"}
    assert {key: found[key] for key in colours} == colours


def test_settings_last_as_long_as_the_context(theme):
    before = dict(mpl.rcParams)
    with use_theme(theme):
        assert mpl.rcParams["text.color"] == theme.ink
        assert mpl.rcParams["axes.facecolor"] == theme.paper
    assert dict(mpl.rcParams) == before


def test_a_display_finds_the_theme_of_its_axes(ax, theme):
    assert theme_of(ax) is theme


def test_axes_of_other_styles_are_light_or_dark():
    figure, (light, dark) = plt.subplots(1, 2)
    dark.set_facecolor("#222222")
    assert (theme_of(light), theme_of(dark)) == (LIGHT, DARK)
    plt.close(figure)


def test_axes_are_made_where_none_are_given(ax):
    assert axes_or_new(ax) is ax
    new = axes_or_new(None)
    assert theme_of(new) is LIGHT
    assert figure_of(new) is new.get_figure()
    plt.close(figure_of(new))


def test_the_figure_is_the_whole_one():
    figure, ax = plt.subplots()
    inner = figure.subfigures(1, 2)[0].subplots()
    assert figure_of(ax) is figure_of(inner) is figure
    plt.close(figure)


def test_axes_without_a_figure_are_refused():
    figure, ax = plt.subplots()
    ax.remove()
    plt.close(figure)
    with pytest.raises(InputError, match="make them with figure"):
        figure_of(ax)


def test_svg_is_the_same_text_for_the_same_picture(theme):
    def draw(ax: Axes) -> None:
        ax.plot([0, 1], label="a < b")
        ax.set_title("Überschrift")
        ax.legend()

    first, second = svg(draw, theme), svg(draw, theme)
    assert first == second
    assert first.startswith("<svg")
    assert theme.paper in first
    assert "<text" not in first  # drawn as paths: the same whatever fonts a reader has
    assert not re.search(r"\d{4}-\d\d-\d\d", first)  # no date
    assert "Matplotlib" not in first
    base64.b64encode(first.encode())


def test_svg_has_the_size_asked_for_and_leaves_no_figure_open():
    before = plt.get_fignums()
    text = svg(lambda ax: ax.plot([0, 1]), LIGHT, height=1)
    assert 'width="309.6pt" height="72pt"' in text
    assert plt.get_fignums() == before


def test_one_drawing_has_both_palettes_and_no_colour_outside_them():
    def draw(ax: Axes) -> None:
        theme = theme_of(ax)
        ax.plot([0, 1], color=theme.wrong, label="a")
        ax.fill_between([0, 1], [0, 1], color=theme.accent, alpha=0.2)
        ax.set(title="Title", xlabel="x")
        ax.legend()

    text = svg(draw)
    style, drawn = re.search(r"<style>(svg.*?)</style>(.*)", text, re.DOTALL).groups()
    colours = re.findall(r"--(\w+):(#\w{6});", style)
    half = len(colours) // 2
    assert dict(colours[:half]) == {role: getattr(LIGHT, role) for role, _ in colours}
    assert dict(colours[half:]) == {role: getattr(DARK, role) for role, _ in colours}
    assert set(re.findall(r"var\(--(\w+)\)", drawn)) == {role for role, _ in colours}
    assert re.findall(r": ?#[0-9a-f]{3,6}", drawn) == []
