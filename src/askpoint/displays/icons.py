"""Icons in rows, one for each case, as a few lines of SVG: a question comes within 200 ms."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["icon_array"]

_MOST_ROWS = 25


def icon_array(parts: Sequence[tuple[str, int]], columns: int = 40) -> str:
    """Return an array of small squares as SVG, whose colours are the page's.

    A row of squares is one dashed line, so that thousands take a few hundred bytes.

    Parameters
    ----------
    parts : sequence of (str, int)
        Kinds of cases and how many there are; a kind is the class by which a style sheet colours
        its squares.
    columns : int, default=40
        Squares in a row; more where there would be more than 25 rows.

    Returns
    -------
    str

    Examples
    --------
    >>> from askpoint.displays.icons import icon_array
    >>> print(icon_array([("right", 3), ("wrong", 1)], columns=2))
    <svg class="icons" viewBox="0 0 2 2" aria-hidden="true"><path class="right" d="M0 .5h2M0 1.5h1"/><path class="wrong" d="M1 1.5h1"/></svg>
    """
    total = sum(n for _, n in parts)
    columns = max(columns, -(-total // _MOST_ROWS))
    rows = max(1, -(-total // columns))
    drawn, start = [], 0
    for kind, n in parts:
        if n:
            drawn.append(f'<path class="{kind}" d="{_squares(start, start + n, columns)}"/>')
        start += n
    head = f'<svg class="icons" viewBox="0 0 {columns} {rows}" aria-hidden="true">'
    return f"{head}{''.join(drawn)}</svg>"


def _squares(start: int, stop: int, columns: int) -> str:
    lines = []
    while start < stop:
        row, column = divmod(start, columns)
        width = min(columns - column, stop - start)
        lines.append(f"M{column} {row or ''}.5h{width}")
        start += width
    return "".join(lines)
