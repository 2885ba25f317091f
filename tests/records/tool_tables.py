"""Tables and logs in the shapes of many tools."""

from __future__ import annotations

import random
from collections.abc import Iterator

from records import tool_logs, tool_predictions, tool_votes
from records.made_files import Made

__all__ = ["tool_files"]

SHAPES = (*tool_predictions.SHAPES, *tool_votes.SHAPES, *tool_logs.SHAPES)


def tool_files(seed: int) -> Iterator[Made]:
    """Yield a file of each tool."""
    for i, make in enumerate(SHAPES):
        yield make(random.Random(1000 * seed + i))
