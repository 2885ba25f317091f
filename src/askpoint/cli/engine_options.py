"""How a command is told where rows lie and are counted, and where their counts are kept."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from askpoint.cli.report import say
from askpoint.errors import InputError
from askpoint.records.engine_names import ENGINES

if TYPE_CHECKING:
    from askpoint.records.log_stream import Progress
    from askpoint.records.sketch_cache import SketchCache

__all__ = ["counting", "counting_option", "counting_options", "source_to_count"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


def counting_options(command: _Command) -> _Command:
    """Add --query, --engine and --cache to a command."""
    query = click.option(
        "--query",
        metavar="SQL",
        help="With the address of a database (postgresql://..., sqlite:///FILE, duckdb:///FILE): a SELECT, or "
        "a table's name. Where rows are counted, the database counts them.",
    )
    cache = click.option(
        "--cache",
        type=click.Path(),
        metavar="DIR",
        help="Keep the counts of each file in this folder: only new or changed files are counted.",
    )
    engine = click.option(
        "--engine",
        type=click.Choice(list(ENGINES)),
        help="Let this engine read and count Parquet, so that no row comes here: DuckDB, or Spark on the "
        "cluster that its own configuration names.",
    )
    return query(engine(cache(command)))


def counting_option(options: Mapping[str, Any]) -> str | None:
    """Return the option by which rows are only counted, if there is one."""
    if options["engine"] is not None and options["cache"] is not None:
        raise InputError(
            "--cache keeps counts of files that are read here, and --engine reads them elsewhere: give one of them"
        )
    return next((f"--{name}" for name in ("engine", "cache") if options[name] is not None), None)


def source_to_count(source: Any, options: Mapping[str, Any]) -> Any:
    """Return what is counted: the source, or what the engine or the database makes of it."""
    engine, query = options["engine"], options["query"]
    if isinstance(source, str) and "://" in source:
        from askpoint.records.databases import is_database, open_database

        if is_database(source):
            if engine is not None:
                raise InputError(
                    f"a database counts its own rows; got --engine {engine}. Leave it out"
                )
            return open_database(source, query)
    if query is not None:
        raise InputError(
            "--query must come with the address of a database (postgresql://, sqlite:/// or duckdb:///)"
        )
    if engine is None:
        return source
    from askpoint.records.engines import open_on_engine

    return open_on_engine(engine, source)


@contextlib.contextmanager
def counting(
    what: str, total: int | None, options: Mapping[str, Any]
) -> Iterator[tuple[Progress, SketchCache | None]]:
    """Show how far the counting is, open the cache, and say what it saved."""
    from askpoint.cli.progress import LateProgress

    cache = None
    if options["cache"] is not None:
        from askpoint.records.sketch_cache import SketchCache

        cache = SketchCache(options["cache"])
    with LateProgress(what, total) as bar:
        yield lambda rows: bar.update(done=rows), cache
    if cache is not None:
        for name in cache.damaged:
            say(f"the kept counts of {name} were damaged: counted again", err=True)
        files = (
            f"{cache.n_kept + cache.n_counted} file{'s' * (cache.n_kept + cache.n_counted != 1)}"
        )
        say(
            f"{files}: {cache.n_counted} counted, {cache.n_kept} as kept in {cache.folder}",
            err=True,
        )
