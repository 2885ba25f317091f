"""Tables from files, directories, patterns, addresses and dataframes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from askpoint.records.addresses import is_address, open_address
from askpoint.records.partitioned_logs import find_parts, join_parts
from askpoint.records.table import Table
from askpoint.records.table_files import open_file

__all__ = ["open_table"]


def open_table(source: Any) -> Table:
    """Open a file by its ending, all files of a directory or pattern, an address, or a dataframe.

    A table that is open already stays as it is.
    """
    if isinstance(source, Table):
        return source
    if not isinstance(source, str | Path):
        from askpoint.records.table_frames import open_frame

        return open_frame(source)
    if is_address(source):
        return open_address(str(source))
    parts = find_parts(source)
    return open_file(Path(source)) if parts is None else join_parts(str(source), parts)
