"""Which items are one, for a command: a file that says so, or a column of what was read before."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from askpoint.cli.reading_context import current_reading
from askpoint.records.readers.brought import BroughtVotes
from askpoint.records.votes import read_clusters

__all__ = ["clusters_of"]


def clusters_of(
    options: Mapping[str, Any], votes: BroughtVotes | None = None
) -> dict[str, str] | None:
    """Return the cluster of each item, None if nobody asked."""
    named, given = options["clusters"], current_reading()
    if named is None:
        return None
    if given is not None and votes is not None and not Path(named).exists():
        return votes.parts(given.reading, named)
    return read_clusters(named, options["task"])
