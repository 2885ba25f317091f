"""Files read as what they hold, and evaluated: what `askpoint FILE` does."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from askpoint.cli.actions.sources import (
    fetch_sources,
    is_counted,
    open_sources,
    read_rows,
    source_name,
)
from askpoint.cli.file_options import parse_choices, save_choices
from askpoint.cli.reading_context import OpenedSource, ReadingContext
from askpoint.cli.report import is_heard, say
from askpoint.errors import InputError, LogError
from askpoint.records.databases import database_faults
from askpoint.records.readers.brought import choose_systems
from askpoint.records.readers.gold_files import with_gold_file
from askpoint.records.readers.reading import Choices, Doubt
from askpoint.records.readers.registry import read_files
from askpoint.reports.readings import reading_line, reading_table

__all__ = ["evaluate_files"]


def evaluate_files(files: Sequence[Any], rest: list[str], options: dict[str, Any]) -> int:
    """Read files, addresses or data of a program, and answer the question that they hold.

    Parameters
    ----------
    files : sequence
        Paths and addresses; a `Source` of data that a program holds.
    rest : list of str
        Options of the command that answers.
    options : dict
        Those of reading, which settle how.
    """
    against, query = options.pop("against"), options.pop("query")
    choices = parse_choices(options)
    names = list(files) if against is None else [against, *files]
    if against is not None:
        choices = replace(choices, tables=choices.tables or "systems")
    called = [source_name(source) for source in names]
    name = called[0] if against is None else called[1]
    with database_faults(*names):
        opened = open_sources(names, query)
        if (stated := _states_columns(rest)) is not None:
            if len(opened) > 1:
                raise InputError(f"{stated} takes one log; got {', '.join(called)}")
            command = _command("predictions")
            words = [*rest, *_column_words(choices, command)]
            return _run(command, name, words, OpenedSource(read_rows(opened[0])))
        if len(opened) == 1 and is_counted(opened[0], as_many="--sketch" in rest):
            command = _command(choices.kind)
            words = [*rest, *_column_words(choices, command)]
            return _run(command, name, words, OpenedSource(opened[0]))
        fetched = fetch_sources(opened, called)
    gold = choices.gold if choices.gold is not None and Path(choices.gold).exists() else None
    if gold is not None:
        choices = replace(choices, gold=None)
    reading = read_files(fetched, choices)
    as_json = "--json" in rest
    say(reading_line(reading), err=as_json)
    if options.pop("why"):
        say("\n" + "\n".join(reading_table(reading)) + "\n", err=as_json)
    while (doubt := reading.open_doubt) is not None:
        choices = _settle(doubt, choices)
        reading = read_files(fetched, choices)
    if gold is not None and reading.kind != "predictions":
        reading = with_gold_file(reading, gold, choices)
    for doubt in reading.doubts:
        option = f" ({doubt.option})" if doubt.option else ""
        say(f"  {doubt.what}{option}", err=as_json)
    if against is not None and len(reading.systems) < 2:
        raise LogError(
            f"{called[0]} and {name} must hold answers of two models or systems to the same cases: no column "
            "names the cases in both. Add --id COLUMN"
        )
    if options["save_reading"] is not None:
        save_choices(choices, options["save_reading"])
    context = ReadingContext(reading, choices)
    command = _command(reading.kind, len(choose_systems(reading, choices)), rest)
    return _run(command, name, rest, context)


def _states_columns(rest: Sequence[str]) -> str | None:
    """Return the option that says itself which columns of a log mean what: nothing needs to be found out."""
    given = {word.partition("=")[0] for word in rest}
    return next((option for option in ("--rung", "--document") if option in given), None)


def _run(
    command: click.Command, name: str, rest: list[str], obj: ReadingContext | OpenedSource
) -> int:
    outer = click.get_current_context(silent=True)
    try:
        with command.make_context(f"askpoint {command.name}", [name, *rest], obj=obj) as inner:
            code = command.invoke(inner)
    except click.NoSuchOption as error:
        if outer is not None and error.ctx is not None:
            error.ctx.meta.update(outer.meta)  # what was typed, for the advice
        raise
    return code if isinstance(code, int) else 0


def _column_words(choices: Choices, command: click.Command) -> list[str]:
    """Return the columns that were named, for a command that counts them by itself."""
    named = {
        "label": choices.label,
        "prediction": choices.prediction,
        "confidence": choices.confidence,
        "proba": ",".join(choices.proba) or None,
        "classes": ",".join(choices.classes) or None,
    }
    taken = {option.name for option in command.params}
    return [
        f"--{key}={value}" for key, value in named.items() if value is not None and key in taken
    ]


def _command(kind: str | None, n_systems: int = 0, rest: Sequence[str] = ()) -> click.Command:
    """Return the command that answers what the data ask."""
    if kind == "approvals":
        from askpoint.cli.approvals import approvals_command

        return approvals_command
    if kind in (None, "predictions"):
        from askpoint.cli.value import value_command

        return value_command
    names_two = any(word.partition("=")[0] == "--systems" for word in rest)
    if n_systems == 2 or names_two:
        from askpoint.cli.compare import compare_command

        return compare_command
    from askpoint.cli.judges import judges_command

    return judges_command


def _settle(doubt: Doubt, choices: Choices) -> Choices:
    """Ask on a terminal; elsewhere refuse, and name the option."""
    name, _, value = doubt.option.partition(" ")
    if is_heard() or not sys.stdin.isatty():
        named = f" (settled by {doubt.option})" if name not in doubt.what else ""
        raise LogError(f"{doubt.what}{named}")
    if value:
        click.confirm(f"{doubt.what}. Do so?", abort=True, err=True)
        return replace(choices, scores=value)
    field = name.removeprefix("--").replace("-", "_")
    given: Any = click.prompt(doubt.what, type=float if field == "pass_at" else str, err=True)
    settled: dict[str, Any] = {field: given}
    return replace(choices, **settled)
