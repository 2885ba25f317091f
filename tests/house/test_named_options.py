"""Words that tell people to add an option name one that a command has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click

import askpoint
from askpoint.cli.file import file_command
from askpoint.cli.main import main

SOURCE = Path(askpoint.__file__).parent
NAMED = re.compile(r"(?<![\w-])--([a-z][a-z0-9]*(?:-[a-z0-9]+)*)")
OTHERS = {
    "conf",  # spark-submit
    "log-samples",  # lm-evaluation-harness
    "master",  # spark-submit
    "ref",  # git notes
}
"""Options of other programs that our words or our calls name."""


def options_of(command: click.Command, context: click.Context) -> Iterator[str]:
    for parameter in command.get_params(context):
        yield from (one.lstrip("-") for one in (*parameter.opts, *parameter.secondary_opts))
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None, name
            yield from options_of(below, click.Context(below, parent=context, info_name=name))


def named_in(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from ((node.lineno, name) for name in NAMED.findall(node.value))


def strangers(source: Path, known: set[str]) -> list[str]:
    return [
        f"{path.relative_to(source)}:{line} --{name}"
        for path in sorted(source.rglob("*.py"))
        for line, name in named_in(ast.parse(path.read_text()))
        if name not in known
    ]


def test_every_option_that_is_named_exists():
    commands = (main, file_command)  # the second is none that is listed: askpoint FILE
    known = OTHERS.union(*(options_of(one, click.Context(one)) for one in commands))
    assert {"mistake", "golden", "actions"} <= known
    assert strangers(SOURCE, known) == []


def test_an_option_that_no_command_has_is_found(tmp_path):
    (tmp_path / "one.py").write_text('TEXT = f"add --clases {1} to it, or --mistake"\n')
    assert strangers(tmp_path, {"mistake"}) == ["one.py:1 --clases"]


def short_helps(command: click.Group) -> dict[str, str]:
    """Return the first line of help of each command that a group lists."""
    context = click.Context(command)
    found = {name: command.get_command(context, name) for name in command.list_commands(context)}
    return {
        name: (each.help or "").partition("\n\n")[0].strip()
        for name, each in found.items()
        if each is not None
    }


def test_the_list_of_commands_shows_each_first_line_whole():
    helps = short_helps(main)
    assert len(helps) > 25
    assert {name: text for name, text in helps.items() if len(text) > 60 or not text} == {}
