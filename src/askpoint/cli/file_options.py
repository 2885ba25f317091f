"""The options by which somebody says what his files are, kept in a file if he likes."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from askpoint.errors import InputError

if TYPE_CHECKING:
    from askpoint.records.readers.reading import Choices

__all__ = ["parse_choices", "reading_options", "save_choices"]

_Command = TypeVar("_Command", bound=Callable[..., Any])
_NAMES = ("proba", "classes", "judges", "missing", "people")
_OPTIONS = (
    click.option(
        "--kind",
        type=click.Choice(["predictions", "votes", "approvals"]),
        help="What a table is, if it could be both.",
    ),
    click.option("--id", "id", metavar="COLUMN", help="The items' names."),
    click.option("--label", metavar="COLUMN", help="Predictions: the true class."),
    click.option(
        "--proba", metavar="COLUMNS", help="Predictions: probabilities, with commas or a prefix."
    ),
    click.option("--classes", metavar="NAMES", help="Predictions: the classes in their order."),
    click.option("--prediction", metavar="COLUMN", help="Predictions: the model's answer."),
    click.option("--confidence", metavar="COLUMN", help="Predictions: how sure it was."),
    click.option("--judges", metavar="NAMES", help="Votes: only these columns, with commas."),
    click.option("--gold", metavar="COLUMN", help="Votes: what people said."),
    click.option(
        "--missing", metavar="WORDS", help="Words that do not count as a vote, with commas."
    ),
    click.option(
        "--map", "labels_map", multiple=True, metavar="OLD=NEW", help="Read one label as another."
    ),
    click.option(
        "--pass-at", type=float, metavar="LEVEL", help="The least that passes on a scale."
    ),
    click.option("--system", metavar="NAME", help="A column of systems, or only this system."),
    click.option("--task", metavar="NAME", help="Only this benchmark."),
    click.option("--people", metavar="NAMES", help="Authors of edits who are people, with commas."),
    click.option(
        "--scores",
        type=click.Choice(["probabilities", "percent", "softmax", "labels", "compare"]),
        help="What numbers are: probabilities, percent, log scores, or labels; compare: answers are "
        "right where they are the expected text.",
    ),
    click.option(
        "--query",
        metavar="SQL",
        help="With the address of a database (postgresql://..., sqlite:///FILE, duckdb:///FILE): a SELECT, or "
        "a table's name.",
    ),
    click.option("--encoding", metavar="NAME", help="Of a text file, such as latin-1."),
    click.option(
        "--separator", metavar="CHARACTER", help="Between cells: comma, semicolon, tab or bar."
    ),
    click.option("--decimal", type=click.Choice([".", ","]), help="Before decimals."),
    click.option(
        "--unfinished", type=click.Choice(["keep"]), help="Read a run that ended with an error."
    ),
    click.option(
        "--repeats",
        type=click.Choice(["first", "last", "judges", "rows"]),
        help="Where an id repeats: which row or vote counts, or each vote is a judge, each row a case.",
    ),
    click.option(
        "--tables",
        type=click.Choice(["parts", "systems"]),
        help="What several tables are: parts of one, or a system each.",
    ),
    click.option(
        "--declined",
        type=click.Choice(["apart", "as-voted"]),
        help="Answers that the system declined: counted apart (so by default), or as judges voted.",
    ),
    click.option(
        "--reading",
        type=click.Path(),
        metavar="FILE",
        help="A file of choices that --save-reading wrote.",
    ),
    click.option(
        "--save-reading", type=click.Path(), metavar="FILE", help="Keep these choices in a file."
    ),
)


def reading_options(command: _Command) -> _Command:
    """Add the options that settle how files are read."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def parse_choices(options: Mapping[str, Any]) -> Choices:
    """Return the choices that options and a kept file state; an option wins over the file."""
    from askpoint.records.readers.reading import Choices

    values: dict[str, Any] = {} if options["reading"] is None else _load_choices(options["reading"])
    for field in fields(Choices):
        given = options.get(field.name)
        if given is None or given == ():
            continue
        if field.name == "labels_map":
            given = dict(map(_pair, given))
        elif field.name in _NAMES:
            given = tuple(given.split(","))
        values[field.name] = given
    return Choices(**values)


def save_choices(choices: Choices, path: str) -> None:
    """Keep choices in a TOML file."""
    from askpoint.records.artefacts import write_text

    lines = ["# how askpoint reads such files; use it with --reading"]
    for name, value in asdict(choices).items():
        if value is None or value in ((), {}):
            continue
        lines.append(f"{name} = {_toml(value)}")
    write_text(path, "\n".join(lines) + "\n")


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(k)} = {_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str):
        import json

        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _load_choices(path: str) -> dict[str, Any]:
    try:
        content = tomllib.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise InputError(f"--reading: {path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise InputError(f"--reading: {path} is not TOML: {error}") from None
    from askpoint.records.readers.reading import Choices

    known = {field.name for field in fields(Choices)}
    if strange := sorted(set(content) - known):
        raise InputError(
            f"--reading: {path} says {strange[0]!r}, which is not a choice; choices are "
            f"{', '.join(sorted(known))}"
        )
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in content.items()
    }


def _pair(text: str) -> tuple[str, str]:
    old, sign, new = text.partition("=")
    if not sign or not new:
        raise InputError(f"--map must be OLD=NEW, for example 1=pass; got {text!r}")
    return old, new
