"""The look: one accent colour, light and dark, and a figure as SVG text."""

from __future__ import annotations

import contextlib
import io
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from askpoint.errors import InputError

if TYPE_CHECKING:  # an extra part: a page without pictures needs the sizes and no more
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "DARK",
    "HEIGHT",
    "LIGHT",
    "WIDTH",
    "Drawn",
    "Theme",
    "axes_or_new",
    "draw_svg",
    "figure_of",
    "svg",
    "theme_of",
    "use_theme",
]


@dataclass(frozen=True)
class Theme:
    """Colours of one mode; the page uses the same ones.

    Parameters
    ----------
    name : {"light", "dark"}
        The mode.
    paper, ink, muted, faint : str
        Ground, text, secondary text, hair lines.
    accent, wrong : str
        The one accent colour, and the colour of mistakes.
    """

    name: str
    paper: str
    ink: str
    muted: str
    faint: str
    accent: str
    wrong: str


LIGHT = Theme("light", "#ffffff", "#1c1e21", "#5b6168", "#dfe2e6", "#0b6e6e", "#b3401f")
DARK = Theme("dark", "#15181b", "#e8eaec", "#a2a9b0", "#34393f", "#5ec4c0", "#f0825c")
WIDTH, HEIGHT = 4.3, 3.2  # inches: what is drawn as 9 points, a phone shows as 10 pixels
_PLACES = re.compile(r' d="[^"]*"|translate\([^)]*\)| [xy]="[^"]*"')
_settings = threading.RLock()  # matplotlib's are one for all threads
_ROLES = ("paper", "ink", "muted", "faint", "accent", "wrong")


@contextlib.contextmanager
def use_theme(theme: Theme) -> Iterator[None]:
    """Draw in a theme while the context lasts."""
    import matplotlib as mpl
    from cycler import cycler

    settings: dict[str, Any] = {
        "axes.edgecolor": theme.faint,
        "axes.facecolor": theme.paper,
        "axes.grid": True,
        "axes.labelcolor": theme.muted,
        "axes.prop_cycle": cycler(color=[theme.accent, theme.ink, theme.muted, theme.wrong]),
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.titlecolor": theme.ink,
        "axes.titlelocation": "left",
        "axes.titlesize": 11,
        "axes.titleweight": "bold",
        "figure.constrained_layout.h_pad": 0.1,  # layouts see half of the words over an axis
        "figure.facecolor": theme.paper,
        "figure.figsize": (WIDTH, HEIGHT),
        "font.family": "sans-serif",
        "font.size": 10,
        "grid.color": theme.faint,
        "grid.linewidth": 0.6,
        "legend.frameon": False,
        "legend.labelcolor": theme.ink,
        "lines.linewidth": 1.8,
        "savefig.facecolor": theme.paper,
        "svg.fonttype": "path",  # the same picture whatever fonts the reader has
        "svg.hashsalt": "askpoint",  # the same text for the same numbers
        "text.color": theme.ink,
        "xtick.color": theme.muted,
        "ytick.color": theme.muted,
    }
    with _settings, mpl.rc_context(settings):
        yield


def theme_of(ax: Axes) -> Theme:
    """Return the theme that an axes was made in."""
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(ax.get_facecolor())
    return DARK if red + green + blue < 1.5 else LIGHT


def axes_or_new(ax: Axes | None) -> Axes:
    """Return the given axes, or those of a new figure in the light theme."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    with use_theme(LIGHT):
        new: Axes = plt.subplots(layout="constrained")[1]
        return new


def figure_of(ax: Axes) -> Figure:
    """Return the whole figure that an axes is part of."""
    figure = ax.get_figure(root=True)
    if figure is None:
        raise InputError("the axes belong to no figure; make them with figure.subplots()")
    return figure


class Drawn(NamedTuple):
    """A picture as SVG text, and where points of its data lie in it.

    Attributes
    ----------
    text : str
        The picture.
    places : list of tuple of float
        From its left and its top, in shares of its width and height; what lies outside the axes is put on
        their edge.
    """

    text: str
    places: list[tuple[float, float]]


def svg(
    draw: Callable[[Axes], object],
    theme: Theme | None = None,
    *,
    height: float = HEIGHT,
) -> str:
    """Draw into a new figure and return it as SVG text, without pyplot's global state.

    All are equally wide, so that their letters are equally large. Without a theme the picture has both palettes, and follows its reader's choice of mode.
    """
    return draw_svg(draw, (), theme, height=height).text


def draw_svg(
    draw: Callable[[Axes], object],
    points: Sequence[tuple[float, float]],
    theme: Theme | None = None,
    *,
    height: float = HEIGHT,
) -> Drawn:
    """Draw as `svg` does, and find where points of the data came to lie."""
    from matplotlib.figure import Figure

    with use_theme(theme or LIGHT):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        ax = figure.subplots()
        draw(ax)
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
        places = _places_of(points, ax, figure) if points else []
    content = text.getvalue()
    content = _compact(content[content.index("<svg") :])
    return Drawn(content if theme else _in_both(content), places)


def _places_of(
    points: Sequence[tuple[float, float]], ax: Axes, figure: Figure
) -> list[tuple[float, float]]:
    (left, right), (bottom, top) = sorted(ax.get_xlim()), sorted(ax.get_ylim())
    inside = [(min(max(x, left), right), min(max(y, bottom), top)) for x, y in points]
    shares = figure.transFigure.inverted().transform(ax.transData.transform(inside))
    return [(float(x), 1 - float(y)) for x, y in shares]


def _compact(drawn: str) -> str:
    """Leave out comments, space between elements, and digits below a hundredth of a point."""
    drawn = re.sub(r"<!--.*?-->", "", drawn, flags=re.DOTALL)
    drawn = re.sub(r">\s+<", "><", re.sub(r"\s+", " ", drawn))
    return _PLACES.sub(lambda found: re.sub(r"(\.\d\d)\d+", r"\1", found[0]), drawn)


def _in_both(drawn: str) -> str:
    """Give names to the colours of the light theme, and each name its colour by the mode."""
    for role in _ROLES:
        drawn = drawn.replace(getattr(LIGHT, role), f"var(--{role})")
    light, dark = (
        "".join(f"--{role}:{getattr(theme, role)};" for role in _ROLES) for theme in (LIGHT, DARK)
    )
    style = (
        f"<style>svg{{{light}}}"
        f"@media screen and (prefers-color-scheme:dark){{svg{{{dark}}}}}</style>"
    )
    head = drawn.index(">") + 1
    return drawn[:head] + style + drawn[head:]
