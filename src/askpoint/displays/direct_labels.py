"""Names beside what they name, where there is room; a legend for the others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.cbook import STEP_LOOKUP_MAP
from matplotlib.collections import Collection, LineCollection, PathCollection, PolyCollection
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text

from askpoint.displays.base import legend_below, level, thin_steps, width_of
from askpoint.displays.theme import figure_of
from askpoint.measures.inputs import FloatArray

__all__ = ["name_beside"]

_SIZE = 9.0  # points
_HIGH = 1.25 * _SIZE  # of a line
_GAP = 3.0
_LEAST, _CLEAR = 2.0, 14.0  # points to the next line: too near, and as good as more
_MOST = 24  # dots beside which a name is tried
_STEPS = np.linspace(0.02, 0.98, 33)


class _Place(NamedTuple):
    """A box for a name, in points from the lower left of the axes."""

    left: float
    bottom: float
    width: float

    def distance(self, points: FloatArray) -> float:
        """How far the nearest point lies outside the box; 0 if one lies inside."""
        if not len(points):
            return _CLEAR
        x, y = points.T
        dx = np.maximum(np.maximum(self.left - x, x - self.left - self.width), 0)
        dy = np.maximum(np.maximum(self.bottom - y, y - self.bottom - _HIGH), 0)
        return float(min(np.hypot(dx, dy).min(), _CLEAR))


def name_beside(ax: Axes, columns: int = 3, *, above: bool = False) -> None:
    """Write each name beside its line, band or dots; what finds no room is told by a legend.

    Axes that share a figure are too small for names, and have a legend.
    """
    level(ax)
    if len(figure_of(ax).axes) > 1:
        legend_below(ax, columns, above=above)
        return
    texts, left = _place_names(ax)
    if left:  # a legend leaves the picture less room: its names are placed anew
        legend_below(ax, columns, above=above, handles=left)
        layout = figure_of(ax).get_layout_engine()
        if layout is not None:
            layout.execute(figure_of(ax))
            for text in texts:
                text.remove()
            _, left = _place_names(ax)
            if left:
                legend_below(ax, columns, above=above, handles=left)
            elif (legend := ax.get_legend()) is not None:
                legend.remove()


def _place_names(ax: Axes) -> tuple[list[Text], list[Artist]]:
    """Write the names that find room; return them, and what is left without one."""
    artists, names = ax.get_legend_handles_labels()
    box = ax.get_position()
    width, height = figure_of(ax).get_size_inches() * 72
    size = np.array([box.width * width, box.height * height])
    drawn = {id(one): _outline(one, ax, size) for one in _lines(ax)}
    boxes: list[_Place] = []
    texts, left = [], []
    for artist, name in zip(artists, names, strict=True):
        own = _points(artist, ax, size)
        own = own[np.isfinite(own).all(axis=1)]
        others = [points for key, points in drawn.items() if key != id(artist)]
        place = _best(own, artist, name, np.concatenate([*others, np.empty((0, 2))]), boxes, size)
        if place is None:
            left.append(artist)
            continue
        boxes.append(place)
        x, y = (np.array([place.left, place.bottom]) / size).tolist()
        text = ax.text(x, y, name, transform=ax.transAxes, fontsize=_SIZE, zorder=6, va="bottom")
        text.set_color(_colour(artist))
        texts.append(text)
    return texts, left


def _best(
    own: FloatArray,
    artist: Artist,
    name: str,
    others: FloatArray,
    boxes: list[_Place],
    size: FloatArray,
) -> _Place | None:
    width = width_of(name, _SIZE)
    mine = own
    if not isinstance(artist, PathCollection):
        mine = np.empty((0, 2)) if isinstance(artist, PolyCollection) else _dense(own)
    best, most = None, 0.0
    for rank, (x, y) in enumerate(_candidates(own, artist, width, size)):
        place = _Place(x, y, width)
        inside = x >= 0 and x + width <= size[0] and y >= 0 and y + _HIGH <= size[1]
        if not inside or any(_overlap(place, other) for other in boxes):
            continue
        clear = min(place.distance(others), 4 * place.distance(mine))
        if clear > _LEAST and clear - rank / 1000 > most:
            best, most = place, clear - rank / 1000
    return best


def _candidates(
    own: FloatArray, artist: Artist, width: float, size: FloatArray
) -> Iterator[tuple[float, float]]:
    """Yield corners of boxes beside an artist, the best-liked first."""
    if isinstance(artist, PathCollection) or len(own) == 1:
        for x, y in own[:: len(own) // _MOST + 1]:
            yield from ((x - width / 2, y + 2 * _GAP), (x - width / 2, y - 2 * _GAP - _HIGH))
            yield from ((x + 2 * _GAP, y - _HIGH / 2), (x - 2 * _GAP - width, y - _HIGH / 2))
        return
    if not len(own):
        return
    if np.ptp(own[:, 0]) < 1:  # an upright line
        for share in _STEPS[::-1]:
            for x in (own[0, 0] + _GAP, own[0, 0] - _GAP - width):
                yield x, share * size[1]
        return
    for share in _STEPS[::-1]:
        for low, high in _between(own, share * size[0], width, artist):
            yield share * size[0] - width / 2, high
            yield share * size[0] - width / 2, low - _HIGH
    seen = _dense(own)
    seen = seen[((seen >= 0) & (seen <= size)).all(axis=1)]
    for x, y in seen[-1:]:  # where a steep line leaves
        yield from ((x + _GAP, y - _HIGH), (x - _GAP - width, y - _HIGH))


def _between(
    own: FloatArray, x: float, width: float, artist: Artist
) -> Iterator[tuple[float, float]]:
    """Yield the lowest and the highest point of a line below a name, or a band's room inside."""
    points = _dense(own)
    near = points[np.abs(points[:, 0] - x) <= width / 2]
    if not len(near):
        return
    if not isinstance(artist, PolyCollection):
        yield near[:, 1].min() - _GAP, near[:, 1].max() + _GAP
        return
    middle = np.median(near[:, 1])
    upper, lower = near[near[:, 1] > middle, 1], near[near[:, 1] <= middle, 1]
    if len(upper) and upper.min() - lower.max() > _HIGH + 2 * _GAP:
        yield upper.min() - _GAP, lower.max() + _GAP


def _overlap(a: _Place, b: _Place) -> bool:
    return (
        a.left < b.left + b.width and b.left < a.left + a.width and abs(a.bottom - b.bottom) < _HIGH
    )


def _lines(ax: Axes) -> list[Artist]:
    return [
        *ax.lines,
        *ax.patches,
        *(one for one in ax.collections if isinstance(one, LineCollection | PathCollection)),
    ]


def _outline(artist: Artist, ax: Axes, size: FloatArray) -> FloatArray:
    """Return the points of a line that names must not touch, some three points apart."""
    points = _points(artist, ax, size)
    points = points if isinstance(artist, PathCollection) else _dense(points)
    near: FloatArray = points[((points > -_CLEAR) & (points < size + _CLEAR)).all(axis=1)]
    return near


def _points(artist: Any, ax: Axes, size: FloatArray) -> FloatArray:
    """Return the corners of what is drawn, in points from the lower left of the axes."""
    if isinstance(artist, Line2D):
        stepped = STEP_LOOKUP_MAP[artist.get_drawstyle()]
        corners = np.column_stack(stepped(*np.asarray(artist.get_xydata(), dtype=np.float64).T))
    elif isinstance(artist, PathCollection):
        corners = np.asarray(artist.get_offsets(), dtype=np.float64)
        return (ax.transData - ax.transAxes).transform(corners) * size
    elif hasattr(artist, "get_paths"):
        parts = [path.vertices for path in artist.get_paths()]
        corners = np.concatenate([*parts, np.empty((0, 2))])
    elif hasattr(artist, "get_path"):
        corners = artist.get_path().vertices
    else:  # error bars: their first part is the line of the dots
        return _points(artist[0], ax, size)
    placed = (artist.get_transform() - ax.transAxes).transform(corners) * size
    return placed[np.isfinite(placed).all(axis=1)]  # type: ignore[no-any-return]


def _dense(points: FloatArray) -> FloatArray:
    """Return points along the lines between corners, some three points apart."""
    if len(points) < 2:
        return points
    points = points[thin_steps(len(points), 1000)]
    first, steps = points[:-1], np.diff(points, axis=0)
    n = np.clip(np.abs(steps).max(axis=1) / 3, 1, 300).astype(int)
    part = np.arange(n.sum()) - np.repeat(n.cumsum() - n, n)
    share = (part / np.repeat(n, n))[:, None]
    along: FloatArray = np.repeat(first, n, axis=0) + share * np.repeat(steps, n, axis=0)
    return np.concatenate([along, points[-1:]])


def _colour(artist: Any) -> str:
    if isinstance(artist, Line2D):
        return to_hex(artist.get_color())
    if isinstance(artist, Collection):
        filled = artist.get_facecolor()
        return to_hex((filled if len(filled) else artist.get_edgecolor())[0][:3])
    if isinstance(artist, Patch):
        return to_hex(artist.get_edgecolor())
    return _colour(artist[0])  # of error bars
