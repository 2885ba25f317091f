"""Sections that may fail, alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ParamSpec

from askpoint.records.lost_parts import guard_part
from askpoint.reports.document import Block, Notice, Section

__all__ = ["guard_section", "lost_section"]

_Given = ParamSpec("_Given")
_STANDS = "What else is on this page stands. Please report it, with the log if you may."


def guard_section(
    title: str,
    make: Callable[_Given, Iterable[Block]],
    /,
    *given: _Given.args,
    **named: _Given.kwargs,
) -> Section:
    """Return a section of what is made, and of as much as was made before it failed."""
    blocks: list[Block] = []
    lost: dict[str, str] = {}
    with guard_part(title, lost):
        blocks.extend(make(*given, **named))
    if not lost:
        return Section(title, tuple(blocks))
    return _with_notice(title, tuple(blocks), lost[title])


def lost_section(title: str, why: str) -> Section:
    """Return a section that says only why it was lost."""
    return _with_notice(title, (), why)


def _with_notice(title: str, blocks: tuple[Block, ...], why: str) -> Section:
    what = "The rest of this section" if blocks else "This section"
    return Section(title, (*blocks, Notice(f"{what} was lost: {why}. {_STANDS}")), lost=why)
