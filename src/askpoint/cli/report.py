"""How a report leaves a command: in words, as one JSON object, as a page."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, TypeVar

import click

from askpoint.records.artefacts import check_writable, write_text
from askpoint.reports.document import Document

__all__ = ["capture_report", "check_files", "print_report", "report_options"]

_Command = TypeVar("_Command", bound=Callable[..., Any])
_heard: ContextVar[list[Document] | None] = ContextVar("heard", default=None)


def capture_report(words: Sequence[str]) -> Document | None:
    """Run another command from inside one, and return its report, if it makes one, unprinted."""
    root = click.get_current_context().find_root()
    if not isinstance(root.command, click.Group):
        raise TypeError("commands run inside the group of all commands")
    command = root.command.get_command(root, words[0])
    if command is None:
        raise LookupError(words[0])
    heard: list[Document] = []
    token = _heard.set(heard)
    try:
        with (
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
            command.make_context(words[0], list(words[1:]), parent=root) as inside,
        ):
            command.invoke(inside)
    finally:
        _heard.reset(token)
    return heard[-1] if heard else None


def report_options(command: _Command) -> _Command:
    """Add --json and --html to a command."""
    html = click.option(
        "--html", type=click.Path(), metavar="FILE", help="Write the report as one page, too."
    )
    as_json = click.option(
        "--json", "as_json", is_flag=True, help="Print one JSON object instead of words."
    )
    return as_json(html(command))


def check_files(options: Mapping[str, Any], *names: str) -> None:
    """Refuse files that cannot be written, --html among them, before the work begins."""
    for name in (*names, "html"):
        if options[name] is not None:
            check_writable(options[name])


def print_report(
    document: Document, content: Callable[[], dict[str, Any]], options: Mapping[str, Any]
) -> None:
    """Write the page if one is asked for, and print the JSON object or the words."""
    heard = _heard.get()
    if heard is not None:
        heard.append(document)
        return
    if options["html"] is not None:
        from askpoint.reports.page import NO_PICTURES, can_draw, render_page

        write_text(options["html"], render_page(document))
        drawn = "" if can_draw() else f", {NO_PICTURES}"
        click.echo(f"page written to {options['html']}{drawn}", err=True)
    if options["as_json"]:
        said = content() | ({"lost": document.lost} if document.lost else {})
        click.echo(json.dumps(said, indent=2, allow_nan=False))
        return
    from rich.console import Console

    from askpoint.reports.terminal import print_document

    print_document(document, Console())
