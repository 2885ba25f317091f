"""A report in the terminal: words and tables, no pictures."""

from __future__ import annotations

import textwrap

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from askpoint.reports.controls import without_controls
from askpoint.reports.document import Block, Document, Grid, Notice, Paragraph

__all__ = ["print_document"]


def print_document(document: Document, console: Console) -> None:
    """Print a report."""
    console.print(_text(document.title, style="bold"), soft_wrap=True)
    for section in document.sections:
        console.print()
        console.print(_text(section.title, style="bold cyan"))
        for command in section.commands:
            console.print(_text(f"  $ {command}", style="dim"), soft_wrap=True)
        for i, block in enumerate(section.blocks):
            _print_block(block, console, first=i == 0)
    if document.footer:
        console.print()
        console.print(_text(document.footer, style="dim"), soft_wrap=True)  # a command stays whole
    console.print()


def _print_block(block: Block, console: Console, *, first: bool) -> None:
    if isinstance(block, Paragraph):
        _print_indented(block.whole, console, "bold" if block.lead else "")
    elif isinstance(block, Notice):
        _print_indented("! " + block.whole, console, "yellow")
    elif isinstance(block, Grid):
        if not first:
            console.print()
        _print_indented(block.title, console)
        table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
        for i, column in enumerate(block.columns):
            table.add_column(_text(column), justify="right" if i else "left", overflow="fold")
        for row in block.rows:
            table.add_row(*(_text(cell) for cell in row))
        console.print(Padding(table, (0, 0, 0, 4), expand=False))
        if block.note:
            _print_indented(block.note, console, "dim")


def _print_indented(text: str, console: Console, style: str = "") -> None:
    # textwrap breaks at blanks only, rich between a number and its % too
    for line in textwrap.wrap(text, max(console.width - 2, 1), break_on_hyphens=False):
        console.print(Text("  ").append(_text(line, style)))


def _text(text: str, style: str = "") -> Text:
    return Text(without_controls(text), style=style)
