"""``askpoint FILE``: read whatever file somebody has, say as what, and evaluate it."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from askpoint.cli.file_options import parse_choices, reading_options, save_choices
from askpoint.cli.reading_context import ReadingContext
from askpoint.errors import LogError
from askpoint.records.readers.reading import Choices, Doubt, Reading

__all__ = ["file_command"]

_APPROVALS = (
    "This is a log of approvals: what people decided about an agent's actions. No command answers yet "
    "which actions need no approval; as something else it is read with --kind predictions or --kind votes."
)


@click.command(
    "file",
    context_settings={"ignore_unknown_options": True, "show_default": True},
    options_metavar="[OPTIONS of reading, and of value or judges]",
)
@click.argument("files", nargs=-1, required=True, type=click.UNPROCESSED)
@reading_options
@click.option(
    "--no-worse-than",
    metavar="FILE or NAME",
    help="Gate: the system is no worse than that of FILE, or than that of this name.",
)
@click.option("--why", is_flag=True, help="Show why each column was taken for what it is.")
def file_command(files: tuple[str, ...], **options: Any) -> int:
    """Read FILES, say as what, and evaluate them: predictions by value, votes by judges.

    All other options are those of `askpoint value` or `askpoint judges`. `askpoint read FILES`
    says only what is in them.
    """
    from askpoint.records.readers.gold_files import with_gold_file
    from askpoint.records.readers.registry import read_files
    from askpoint.reports.readings import reading_line, reading_object, reading_table

    end = next(
        (i for i, text in enumerate(files) if text.startswith("-") and text != "-"), len(files)
    )
    names, rest = files[:end], list(files[end:])
    base = options.pop("no_worse_than")
    if base is not None and Path(base).exists():
        names = (base, *names)
    choices = parse_choices(options)
    gold = choices.gold if choices.gold is not None and Path(choices.gold).exists() else None
    if gold is not None:
        choices = replace(choices, gold=None)
    reading = read_files(names, choices)
    as_json = "--json" in rest
    click.echo(reading_line(reading), err=as_json)
    if options.pop("why"):
        click.echo("\n" + "\n".join(reading_table(reading)) + "\n", err=as_json)
    if reading.kind == "approvals":
        click.echo(_APPROVALS, err=as_json)
        if as_json:
            click.echo(json.dumps(reading_object(reading), indent=2, allow_nan=False))
        return 0
    while (doubt := reading.open_doubt) is not None:
        choices = _settle(doubt, choices)
        reading = read_files(names, choices)
    if gold is not None and reading.kind != "predictions":
        reading = with_gold_file(reading, gold, choices)
    for doubt in reading.doubts:
        option = f" ({doubt.option})" if doubt.option else ""
        click.echo(f"  {doubt.what}{option}", err=as_json)
    if base is not None:
        rest = ["--no-worse-than", base if base != names[0] else _first_system(reading), *rest]
    if options["save_reading"] is not None:
        save_choices(choices, options["save_reading"])
    if reading.kind == "predictions":
        from askpoint.cli.value import value_command as command
    else:
        from askpoint.cli.judges import judges_command as command
    with command.make_context(
        "askpoint FILE",
        [names[0], *rest],
        obj=ReadingContext(reading, choices),
    ) as inner:
        code = command.invoke(inner)
    return code if isinstance(code, int) else 0


def _first_system(reading: Reading) -> str:
    """Return the system of the file that was read first."""
    if not reading.systems:
        raise LogError(
            "the files hold answers of one system only, or of none that has a name: --no-worse-than "
            "needs answers of two systems to the same items"
        )
    return reading.systems[0]


def _settle(doubt: Doubt, choices: Choices) -> Choices:
    """Ask on a terminal; elsewhere refuse, and name the option."""
    name, _, value = doubt.option.partition(" ")
    if not sys.stdin.isatty():
        raise LogError(f"{doubt.what} (settled by {doubt.option})")
    if value:
        click.confirm(f"{doubt.what}. Do so?", abort=True, err=True)
        return replace(choices, scores=value)
    field = name.removeprefix("--").replace("-", "_")
    given: Any = click.prompt(doubt.what, type=float if field == "pass_at" else str, err=True)
    settled: dict[str, Any] = {field: given}
    return replace(choices, **settled)
