"""How a report leaves a command: in words, as one JSON object, as a page; or to the program that asked."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import click

from askpoint.reports.document import Document

__all__ = [
    "Hearing",
    "Told",
    "capture_report",
    "check_files",
    "hear_reports",
    "is_heard",
    "print_report",
    "report_options",
    "say",
    "shown_name",
]

_Command = TypeVar("_Command", bound=Callable[..., Any])
_heard: ContextVar[Hearing | None] = ContextVar("heard", default=None)


class Told(NamedTuple):
    """One report of a command.

    Attributes
    ----------
    document : Document
        In words and pictures.
    content : callable
        Returns the object of ``--json``.
    subject : object
        The answer, and what else a program may want of it.
    """

    document: Document
    content: Callable[[], dict[str, Any]]
    subject: Any


@dataclass
class Hearing:
    """What commands tell a program instead of a terminal.

    Parameters
    ----------
    reports : list of Told
        Their reports.
    lines : list of str
        What they say beside.
    """

    reports: list[Told] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


@contextlib.contextmanager
def hear_reports() -> Iterator[Hearing]:
    """Take what commands report, and print nothing."""
    hearing = Hearing()
    token = _heard.set(hearing)
    try:
        yield hearing
    finally:
        _heard.reset(token)


def is_heard() -> bool:
    """Say whether a program takes the reports, so that nobody can be asked back."""
    return _heard.get() is not None


def say(text: str, *, err: bool = False) -> None:
    """Say a line beside the report."""
    hearing = _heard.get()
    if hearing is None:
        click.echo(text, err=err)
    else:
        hearing.lines.append(text)


def capture_report(words: Sequence[str]) -> Document | None:
    """Run another command from inside one, and return its report, if it makes one, unprinted."""
    root = click.get_current_context().find_root()
    if not isinstance(root.command, click.Group):
        raise TypeError("commands run inside the group of all commands")
    command = root.command.get_command(root, words[0])
    if command is None:
        raise LookupError(words[0])
    with (
        hear_reports() as hearing,
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        command.make_context(words[0], list(words[1:]), parent=root) as inside,
    ):
        command.invoke(inside)
    return hearing.reports[-1].document if hearing.reports else None


def report_options(command: _Command) -> _Command:
    """Add --json and --html to a command."""
    html = click.option(
        "--html", type=click.Path(), metavar="FILE", help="Also write the report as an HTML page."
    )
    as_json = click.option(
        "--json", "as_json", is_flag=True, help="Print one JSON object instead of text."
    )
    return as_json(html(command))


def check_files(options: Mapping[str, Any], *names: str) -> None:
    """Refuse files that cannot be written, --html among them, before the work begins."""
    stated = [options[name] for name in (*names, "html") if options[name] is not None]
    if stated:
        from askpoint.records.artefacts import check_writable

        for path in stated:
            check_writable(path)


def shown_name(source: str) -> str:
    """Return how a title calls a file, or an address without what is secret in it."""
    if "://" in source:
        from askpoint.records.databases import is_database, shown_address

        if is_database(source):
            return shown_address(source)
    return click.format_filename(source, shorten=True)


def print_report(
    document: Document,
    content: Callable[[], dict[str, Any]],
    options: Mapping[str, Any],
    subject: Any = None,
) -> None:
    """Print the JSON object or the words, and then write the page if one is asked for: pictures take a second."""

    def whole() -> dict[str, Any]:
        return content() | ({"lost": document.lost} if document.lost else {})

    hearing = _heard.get()
    if hearing is not None:
        hearing.reports.append(Told(document, whole, subject))
        return
    try:
        if options["as_json"]:
            click.echo(json.dumps(whole(), indent=2, allow_nan=False))
        else:
            from rich.console import Console

            from askpoint.reports.terminal import print_document

            print_document(document, Console())
            sys.stdout.flush()  # a pipe would keep the words until the page is drawn
    finally:  # who reads the first line only (`| head`) has the page all the same
        if options["html"] is not None:
            _write_page(document, options["html"])


def _write_page(document: Document, path: str) -> None:
    from askpoint.records.artefacts import write_text
    from askpoint.reports.page import NO_PICTURES, can_draw, render_page

    write_text(path, render_page(document))
    drawn = "" if can_draw() else f", {NO_PICTURES}"
    click.echo(f"page written to {path}{drawn}", err=True)
