"""A log in several files: those of a directory, or those that a pattern matches."""

from __future__ import annotations

import glob
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import narwhals as nw
import polars as pl

from askpoint.errors import LogError
from askpoint.records.table import Table
from askpoint.records.table_files import ending_of, open_file

__all__ = ["find_parts", "is_one_file", "join_parts"]

_SIMPLE = (pl.String, pl.Boolean, pl.Categorical, pl.Enum)
_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"  # how Spark writes that a folder's column is empty


def is_one_file(source: str | Path) -> bool:
    """Say whether a text is the path of a file, rather than of several, or an address."""
    return not Path(source).is_dir() and (Path(source).exists() or not glob.has_magic(str(source)))


def find_parts(source: str | Path) -> tuple[Path, list[Path]] | None:
    """Return the folder and the files of a directory or a pattern; None for the name of a file.

    Files whose names begin with a dot or an underscore are what engines keep for themselves.
    """
    path = Path(source)
    if path.is_dir():
        folder, files = path, list(path.rglob("*"))
        nothing = f"the directory {path} holds no file that could be read"
    elif not path.exists() and glob.has_magic(str(source)):
        folder = path.parent
        while glob.has_magic(str(folder)):
            folder = folder.parent
        files = [Path(name) for name in glob.glob(str(source), recursive=True)]
        nothing = f"no file matches {str(source)!r}"
    else:
        return None
    found = sorted(file for file in files if file.is_file() and not _is_kept(folder, file))
    if not found:
        raise LogError(nothing)
    return folder, found


def _is_kept(folder: Path, file: Path) -> bool:
    return any(part.startswith((".", "_")) for part in file.relative_to(folder).parts)


def join_parts(name: str, found: tuple[Path, list[Path]]) -> Table:
    """Open files of one kind, with the same columns, as one table; rows come in the files' order."""
    folder, files = found
    kinds: dict[str | None, Path] = {}
    for file in files:
        kinds.setdefault(ending_of(file), file)
    if None in kinds or len(kinds) > 1:
        shown = ", ".join(str(file.relative_to(folder)) for file in kinds.values())
        raise LogError(
            f"{name} holds files of several kinds, or of none that is known ({shown}): name those that "
            "belong together by a pattern, such as 'logs/*.parquet'"
        )
    return _join_tables(name, [_open_part(folder, file) for file in files])


def _open_part(folder: Path, file: Path) -> Table:
    """Open a file; folders called COLUMN=VALUE, as engines write them, are a column of its."""
    relative = file.relative_to(folder)
    table = open_file(file, str(relative))
    pairs = [part.partition("=") for part in relative.parts[:-1] if "=" in part]
    values = {
        unquote(column): None if value == _NO_VALUE else unquote(value)
        for column, _, value in pairs
        if unquote(column) not in table.columns
    }
    return _with_values(table, values) if values else table


def _with_values(table: Table, values: Mapping[str, str | None]) -> Table:
    """Add columns that have one value in all rows."""
    columns = [pl.lit(value, dtype=pl.String).alias(name) for name, value in values.items()]

    def present(wanted: Sequence[str]) -> list[str]:
        return [name for name in wanted if name not in values] or list(table.columns[:1])

    def read(wanted: Sequence[str]) -> pl.DataFrame:
        return table.reader(present(wanted)).with_columns(columns).select(wanted)

    def batches(wanted: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        for frame in table.batcher(present(wanted), size):
            yield frame.with_columns(columns).select(wanted)

    lazy = table.lazy
    if lazy is not None:
        lazy = lazy.with_columns(
            *(nw.lit(value, nw.String).alias(name) for name, value in values.items())
        )
    return replace(
        table,
        columns=(*table.columns, *values),
        reader=read,
        batcher=batches,
        schema={**(table.schema or {}), **dict.fromkeys(values, pl.String())},
        lazy=lazy,
    )


def _join_tables(name: str, parts: Sequence[Table]) -> Table:
    first = parts[0]
    for part in parts[1:]:
        for missing, has, lacks in (
            (set(first.columns) - set(part.columns), first, part),
            (set(part.columns) - set(first.columns), part, first),
        ):
            if missing:
                shown = ", ".join(map(repr, sorted(missing)[:5]))
                raise LogError(
                    f"the files of {name} have different columns: {has.name} has {shown}, {lacks.name} "
                    "has not; give them the same columns, or name those that belong together with a pattern"
                )
    kinds = {column: _kind(name, column, parts) for column in first.columns}

    def cast(frame: pl.DataFrame) -> pl.DataFrame:
        return frame.cast({column: kinds[column] for column in frame.columns})

    def read(columns: Sequence[str]) -> pl.DataFrame:
        return pl.concat([cast(part.reader(columns)) for part in parts])

    def batches(columns: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        for part in parts:
            yield from map(cast, part.batcher(columns, size))

    def count() -> int:
        return sum(part.n_rows() for part in parts)

    return Table(name, first.columns, read, batches, count, schema=kinds, parts=tuple(parts))


def _kind(name: str, column: str, parts: Sequence[Table]) -> pl.DataType:
    """Return the type that takes a column's cells of every part: texts take numbers, too."""
    of_part = {part.schema[column]: part for part in reversed(parts) if part.schema is not None}
    kinds = [kind for kind in of_part if kind != pl.Null] or [pl.Null()]
    if len(kinds) == 1:
        return kinds[0]
    if all(kind.is_numeric() for kind in kinds):
        empty = [pl.Series(column, [], dtype=kind).to_frame() for kind in kinds]
        return pl.concat(empty, how="vertical_relaxed").schema[column]
    if all(kind.is_numeric() or kind in _SIMPLE for kind in kinds):
        return pl.String()
    shown = " and ".join(f"{kind} in {of_part[kind].name}" for kind in kinds[:2])
    raise LogError(
        f"the files of {name} hold different things in the column {column!r}: {shown}; give it "
        "the same type in all files"
    )
