"""A report in the terminal: words and tables, no pictures."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from askpoint.reports.document import Block, Document, Grid, Notice, Paragraph

__all__ = ["print_document"]


def print_document(document: Document, console: Console) -> None:
    """Print a report.

    Parameters
    ----------
    document : Document
        What to say.
    console : rich.console.Console
        Where; it knows its width and whether it may use colours.

    Examples
    --------
    >>> from rich.console import Console
    >>> from askpoint.reports.document import Document, Paragraph, Section
    >>> from askpoint.reports.terminal import print_document
    >>> document = Document("A report", (Section("One", (Paragraph("Fine."),)),))
    >>> print_document(document, Console(width=40))
    A report
    <BLANKLINE>
    One
      Fine.
    <BLANKLINE>
    """
    console.print(Text(document.title, style="bold"))
    for section in document.sections:
        console.print()
        console.print(Text(section.title, style="bold cyan"))
        for i, block in enumerate(section.blocks):
            shown = _rendered(block)
            if shown is not None:
                if i and isinstance(block, Grid):
                    console.print()
                console.print(Padding(shown, (0, 0, 0, 2)))
    if document.footer:
        console.print()
        console.print(Text(document.footer, style="dim"))
    console.print()


def _rendered(block: Block) -> RenderableType | None:
    if isinstance(block, Paragraph):
        return Text(block.text, style="bold" if block.lead else "")
    if isinstance(block, Notice):
        return Text("! " + block.text, style="yellow")
    if isinstance(block, Grid):
        table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
        for i, column in enumerate(block.columns):
            table.add_column(column, justify="right" if i else "left")
        for row in block.rows:
            table.add_row(*(Text(cell) for cell in row))
        parts: list[RenderableType] = [Text(block.title), Padding(table, (0, 0, 0, 2))]
        if block.note:
            parts.append(Text(block.note, style="dim"))
        return Group(*parts)
    return None
