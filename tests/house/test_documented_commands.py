"""Commands on the pages name options that these commands have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from askpoint.cli.file import file_command
from askpoint.cli.main import main

HOME = Path(__file__).parents[2]
PAGES = [HOME / "README.md", HOME / "llms.txt", *sorted((HOME / "docs").rglob("*.md"))]
BLOCK = re.compile(r"(?ms)^( *)```[^\n]*\n(.*?)^\1```")
CALL = re.compile(r"(?<![\w./-])askpoint (?!\.)([^\n|;`]+)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")
EVALUATES = ("value", "judges", "compare", "approvals")


def calls_in(text: str) -> Iterator[list[str]]:
    """Yield the words of each call of the command, in blocks and within sentences."""
    joined = re.sub(r"\\\n\s*", " ", text)
    blocks = "\n".join(block for _, block in BLOCK.findall(joined))
    spans = re.findall(r"`([^`]+)`", BLOCK.sub(" ", joined))
    for code in (blocks, *(" ".join(span.split()) for span in spans)):
        for found in CALL.findall(code):
            yield found.partition(" #")[0].split()


def unknown_options(words: list[str]) -> list[str]:
    """Return the options of a call that its command does not have."""
    command: click.Command = main
    context = click.Context(main)
    for word in words:
        below = command.get_command(context, word) if isinstance(command, click.Group) else None
        if below is None:
            break
        command, context = below, click.Context(below, parent=context, info_name=word)
    several = [command]
    if command in (main, file_command):  # askpoint FILE hands on what it does not know
        several = [
            file_command,
            *filter(None, (main.get_command(context, one) for one in EVALUATES)),
        ]
    known = {"--help", "--version"}
    for one in several:
        for parameter in one.get_params(context):
            known |= {*parameter.opts, *parameter.secondary_opts}
    return [option for option in OPTION.findall(" ".join(words)) if option not in known]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_calls_have_options_that_exist(page):
    calls = list(calls_in(page.read_text("utf-8")))
    assert [(words, found) for words in calls if (found := unknown_options(words))] == []


def test_an_option_of_another_command_is_found():
    text = "```console\n$ askpoint value log.csv --rho 0.1 \\\n    --golden x  # --no\n```\n\nAdd `askpoint licence open\nbot --rho 1`.\n"
    found = [(words[0], unknown_options(words)) for words in calls_in(text)]
    assert found == [("value", ["--golden"]), ("licence", ["--rho"])]
