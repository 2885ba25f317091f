"""What commands on votes find in files: of a tool, or with columns that nobody named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from askpoint.cli.columns import names_of
from askpoint.cli.reading_context import ReadingContext
from askpoint.cli.report import say
from askpoint.errors import AskpointError, LogError
from askpoint.records.partitioned_logs import is_one_file
from askpoint.records.readers.reading import Choices, Reading
from askpoint.records.tables import open_table
from askpoint.records.votes import VoteColumns
from askpoint.reports.readings import reading_line

__all__ = ["print_reading", "read_tool_files", "read_vote_file"]

_FEWEST = 20  # items, below which nothing is told from what columns hold
_MOST_ROWS = 300_000  # beyond them columns are judges, unless they look like ids or texts


def read_vote_file(votes: str, options: Mapping[str, Any]) -> ReadingContext | None:
    """Return the reading of a file in which more than votes was found; None where there is no more.

    A file of votes alone, in columns of judges or a row a vote, is counted as it is, and so is one
    whose judges are named.
    """
    if options["judges"] is not None or not Path(votes).exists():
        return None
    gold = options["gold"]
    in_file = gold is not None and not Path(gold).exists()
    choices = Choices(
        kind="votes",
        id=None if options["task"] == "task" else options["task"],
        gold=gold if in_file else None,
        missing=None if options["missing"] is None else tuple(names_of(options["missing"]) or ()),
        pass_at=options["pass_at"],
    )
    judges = _columns_of_votes(votes, options, gold if in_file else None)
    if judges is not None and not (judges and is_one_file(votes)):
        return None  # files that are one table are counted as they are
    from askpoint.records.readers.gold_files import with_gold_file  # a large table needs no reader
    from askpoint.records.readers.registry import read_files

    try:
        reading = read_files([votes], choices)
        parts = () if reading.parts is None else reading.parts.columns
        named = {*options["covariate"], options["group"]} - {None, *parts}
        if reading.kind == "predictions" or (named and options["items"] is None):
            return None
        if judges is not None and not _holds_more(reading, judges):
            return None
        if gold is not None and not in_file and reading.open_doubt is None:
            reading = with_gold_file(reading, gold, choices)
    except AskpointError:
        return None  # the plain reader says what it cannot read
    if (doubt := reading.open_doubt) is not None:
        raise LogError(
            f"{doubt.what} (settled by {doubt.option}, an option of `askpoint FILE`; or name the "
            "judges' columns with --judges)"
        )
    _refuse_predictions(votes, reading, choices, options)
    return ReadingContext(reading, choices)


def _refuse_predictions(
    votes: str, reading: Reading, choices: Choices, options: Mapping[str, Any]
) -> None:
    """Refuse a gate on a label's share where a file seems to be a model's predictions."""
    if options["at_least"] is None or options["positive"] is not None or len(reading.judges) != 1:
        return
    from askpoint.records.readers.registry import read_files

    try:
        is_log = read_files([votes], replace(choices, kind=None)).kind == "predictions"
    except AskpointError:
        return
    if is_log:
        raise LogError(
            f"{votes} seems to be a log of a model's predictions with confidences. 1. To gate on the share of a label, "
            "name it with --positive. 2. To gate on how often the model is right, leave out options for votes, such as --by."
        )


def read_tool_files(votes: Sequence[str], options: dict[str, Any]) -> None:
    """Read the files of evaluation tools, or tables with more than votes, for the command that runs.

    Tables of votes alone it reads by itself.
    """
    base = options["no_worse_than"]
    is_file = base is not None and Path(base).exists()
    files = [base, *votes] if is_file else list(votes)
    if not all(Path(file).exists() for file in files):
        return
    from askpoint.records.readers.gold_files import with_gold_file
    from askpoint.records.readers.registry import find_reader, read_files
    from askpoint.records.readers.sources import find_sources

    sources = [source for file in files for source in find_sources([file])]
    gold = options["gold"]
    in_file = gold is not None and not Path(gold).exists()
    is_tables = all(find_reader(source).name == "table" for source in sources)
    if is_tables and (len(files) != 2 or not _holds_gold(files, options)):
        return
    choices = Choices(
        kind="votes" if is_tables else None,
        tables="systems" if is_tables else None,
        gold=gold if in_file else None,
        missing=None if options["missing"] is None else tuple(names_of(options["missing"]) or ()),
        judges=tuple(names_of(options["judges"]) or ()),
        pass_at=options["pass_at"],
        system=options["system"],
    )
    reading = read_files(files, choices)
    if (doubt := reading.open_doubt) is not None:
        raise LogError(f"{doubt.what} (settled by {doubt.option}, an option of `askpoint FILE`)")
    if gold is not None and not in_file:
        reading = with_gold_file(reading, gold, choices)
    if is_file:
        if not reading.systems:
            raise LogError(
                "the files hold answers of one system only, or of none that has a name: --no-worse-than needs "
                "answers of two systems to the same items"
            )
        options["no_worse_than"] = reading.systems[0]
    print_reading(reading, options)
    click.get_current_context().obj = ReadingContext(reading, choices)


def _holds_gold(files: Sequence[str], options: Mapping[str, Any]) -> bool:
    """Say whether a column of gold labels would count as a judge in tables of two systems."""
    named = ("gold", "judges", "group", "items", "positive", "pass_at", "labels", "system")
    if any(options[name] is not None for name in named) or not all(map(is_one_file, files)):
        return False
    from askpoint.records.readers.registry import read_files

    columns = [_columns_of_votes(file, options, None) for file in files]
    if not all(columns):
        return False
    try:
        reading = read_files(files, Choices(kind="votes", tables="systems"))
    except AskpointError:
        return False  # the plain reader says what it cannot read
    more = any(_holds_more(reading, judges) for judges in columns if judges)
    return more and reading.gold is not None


def print_reading(reading: Reading, options: Mapping[str, Any]) -> None:
    """Say what a file was taken for."""
    say(reading_line(reading), err=options["as_json"])
    for doubt in reading.doubts:
        option = f" ({doubt.option})" if doubt.option else ""
        say(f"  {doubt.what}{option}", err=options["as_json"])


def _columns_of_votes(votes: str, options: Mapping[str, Any], gold: str | None) -> list[str] | None:
    """Return the columns that would count as judges; none for a file that is read as it is.

    None if it is no table at all.
    """
    try:
        table = open_table(votes)
        columns = VoteColumns(options["worker"], options["task"], options["label"], None, gold)
        if columns.is_long(table.columns) or table.n_rows() > _MOST_ROWS:
            return []
        aside = {options["group"], *options["covariate"]}
        return [name for name in columns.of_judges(table)[0] if name not in aside]
    except AskpointError:
        return None


def _holds_more(reading: Reading, judges: list[str]) -> bool:
    """Whether some of the columns that would count as judges are none: texts, costs, gold."""
    return reading.items >= _FEWEST and not set(judges) <= set(reading.judges)
