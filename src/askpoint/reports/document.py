"""What a report is made of, before it is known whether a terminal or a page shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = [
    "Block",
    "Document",
    "Figure",
    "Figures",
    "Grid",
    "Notice",
    "Paragraph",
    "Picture",
    "Section",
    "WhatIf",
    "is_wide",
    "join_options",
]

_FIRST = 14  # letters of a line in a first column, whose texts wrap
_PHONE = 33  # letters of a line on a phone


@dataclass(frozen=True)
class Paragraph:
    """A few plain sentences.

    Parameters
    ----------
    text : str
        Without markup.
    lead : bool, default=False
        Whether it is the answer itself, and stands out.
    options : str, default=""
        A sentence that follows where a command can be typed, and names its options.
    """

    text: str
    lead: bool = False
    options: str = ""

    @property
    def whole(self) -> str:
        """The text and its options."""
        return join_options(self.text, self.options)


@dataclass(frozen=True)
class Notice:
    """Why a number cannot be trusted, or is missing, and what to collect.

    Parameters
    ----------
    text : str
        Without markup.
    options : str, default=""
        A sentence that follows where a command can be typed, and names its options.
    """

    text: str
    options: str = ""

    @property
    def whole(self) -> str:
        """The text and its options."""
        return join_options(self.text, self.options)


def join_options(text: str, options: str) -> str:
    """Return what is said where a command can be typed."""
    return f"{text} {options}".strip()


@dataclass(frozen=True)
class Grid:
    """A table; its first column names the row, the others are numbers.

    Parameters
    ----------
    title : str
        What it shows.
    columns : tuple of str
        Headings.
    rows : tuple of tuple of str
        Cells, one for each heading.
    note : str, default=""
        What a reader must know to read it.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    @property
    def is_wide(self) -> bool:
        """Whether it has no room on a phone, and is shown there row below row."""
        return is_wide(self.columns, self.rows)


def is_wide(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Say whether a table is too wide for a phone.

    The texts of its first column and all headings may wrap; each other cell stays on one line.
    """
    words = [max(name.split(), key=len, default="") for name in columns]
    widths = [max(map(len, column)) for column in zip(words, *rows, strict=True)]
    return min(_FIRST, widths[0]) + sum(widths[1:]) + 2 * len(widths) > _PHONE


@dataclass(frozen=True)
class Picture:
    """A picture for the page, with its text alternative; terminals leave it out.

    Parameters
    ----------
    title : str
        What it shows.
    alternative : str
        The same in words, for those who do not see it.
    draw : callable
        Draws on matplotlib axes, as a Display's ``plot`` does.
    height : float, default=3.2
        Inches; all pictures are equally wide.
    """

    title: str
    alternative: str
    draw: Callable[[Any], object]
    height: float = 3.2


@dataclass(frozen=True)
class Figure:
    """A number in large type.

    Parameters
    ----------
    name : str
        What it is, in a few words.
    value : str
        The number.
    between : str, default=""
        Its interval, or what it compares with.
    """

    name: str
    value: str
    between: str = ""


@dataclass(frozen=True)
class Figures:
    """A few numbers that sum an answer up; terminals leave them out, for sentences say them.

    Parameters
    ----------
    title : str
        What they are of.
    parts : tuple of Figure
        Four at most.
    note : str, default=""
        What a reader must know to read them.
    """

    title: str
    parts: tuple[Figure, ...]
    note: str = ""


@dataclass(frozen=True)
class WhatIf:
    """A number that a page's reader turns, and what follows; terminals leave it out.

    Parameters
    ----------
    title : str
        What it shows.
    label : str
        The number.
    names : tuple of str
        What follows from it.
    stops : callable
        Returns a row for each stop: the number in words, then what follows, in the order of names.
    start : int
        The stop that is shown first.
    picture : Picture or None
        What is drawn of it, with a dot that moves.
    dots : callable, optional
        Returns where the dot stands at each stop, in the picture's data.
    """

    title: str
    label: str
    names: tuple[str, ...]
    stops: Callable[[], tuple[tuple[str, ...], ...]]
    start: int
    picture: Picture | None = None
    dots: Callable[[], tuple[tuple[float, float], ...]] = tuple


Block = Paragraph | Notice | Figures | Grid | Picture | WhatIf


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it.

    Parameters
    ----------
    title : str
        The heading.
    blocks : tuple of Block
        In their order.
    commands : tuple of str, default=()
        What to type for the same.
    inside : tuple of Section, default=()
        Further sections, which a page folds under this one; terminals leave them out.
    lost : str, default=""
        Why it, or its end, could not be made.
    """

    title: str
    blocks: tuple[Block, ...]
    commands: tuple[str, ...] = ()
    inside: tuple[Section, ...] = ()
    lost: str = ""


@dataclass(frozen=True)
class Document:
    """A whole report.

    Parameters
    ----------
    title : str
        Its heading.
    sections : tuple of Section
        In their order.
    footer : str, default=""
        Where the numbers come from.
    about : str, default=""
        What it is about, such as a file, where the title is the answer.
    """

    title: str
    sections: tuple[Section, ...]
    footer: str = ""
    about: str = ""

    @property
    def lost(self) -> list[dict[str, str]]:
        """What could not be made, as JSON names it: each section, and why."""
        everywhere = list(self.sections)
        for section in everywhere:
            everywhere.extend(section.inside)
        return [{"section": each.title, "why": each.lost} for each in everywhere if each.lost]
