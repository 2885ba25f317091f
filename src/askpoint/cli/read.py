"""``askpoint read``: what files would be read as, and nothing more."""

from __future__ import annotations

import json
from typing import Any

import click

from askpoint.cli.file_options import parse_choices, reading_options, save_choices
from askpoint.cli.parameters import SOURCE
from askpoint.registry import list_names

__all__ = ["read_command"]


_ADDED = list_names("readers")


@click.command(
    "read",
    context_settings={"show_default": True},
    epilog=f"Files of these, too, by plugins: {', '.join(_ADDED)}." if _ADDED else None,
)
@click.argument("files", nargs=-1, required=True, type=SOURCE)
@reading_options
@click.option("--why", is_flag=True, help="Show the evidence for each column.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def read_command(files: tuple[str, ...], **options: Any) -> None:
    """Show what files hold, and how each column is read.

    FILES are tables (CSV, xlsx, Parquet, Feather, JSON, Stata, SPSS, SAS, NumPy), logs of the usual
    tools, directories of them, or - for the standard input. What a column is follows from what its
    values do, and from its name where they do not tell. Where a file could be read in two ways, one
    line names the option that settles it.
    """
    from askpoint.cli.actions.sources import fetch_sources, open_sources, source_name
    from askpoint.records.databases import database_faults
    from askpoint.records.readers.registry import read_files
    from askpoint.reports.readings import reading_lines, reading_object, reading_table

    choices = parse_choices(options)
    with database_faults(*files):
        opened = open_sources(files, options["query"])
        sources = fetch_sources(opened, list(map(source_name, files)))
    reading = read_files(sources, choices)
    if options["save_reading"] is not None:
        save_choices(choices, options["save_reading"])
    if options["as_json"]:
        click.echo(json.dumps(reading_object(reading), indent=2, allow_nan=False))
    else:
        for line in reading_lines(reading):
            click.echo(line)
        if options["why"]:
            click.echo("\n" + "\n".join(reading_table(reading)))
