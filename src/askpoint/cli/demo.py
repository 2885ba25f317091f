"""``askpoint demo``: one story on real data, in a minute, without a file of one's own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from askpoint.cli.demo_chapters import demo_steps
from askpoint.records.artefacts import write_text
from askpoint.reports.document import Document, Paragraph, Section

__all__ = ["demo_command"]

_TITLE = "May it read the digits alone?"
_INTRO = (
    "A logistic regression learned from 400 handwritten digits. Its log has 700 more, of which 100 are "
    "labelled. Its files are in {folder}."
)


@click.command("demo")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("askpoint-demo"),
    show_default=True,
    help="Where the log, all that is made of it, and the page are written.",
)
def demo_command(folder: Path) -> None:
    """Tell one story on real data that scikit-learn ships; write its files and one page."""
    from rich.console import Console

    from askpoint.reports.page import NO_PICTURES, can_draw, render_page
    from askpoint.reports.terminal import print_document

    steps = []
    for number, (doing, step) in enumerate(demo_steps(folder), start=1):
        click.echo(doing, err=True)
        steps.append(replace(step, title=f"{number}. {step.title}"))
    intro = Section("The log", (Paragraph(_INTRO.format(folder=click.format_filename(folder))),))
    print_document(Document(_TITLE, (intro, *steps)), Console())
    if can_draw():
        click.echo("Drawing the pictures ...", err=True)
    lead, *shown, expected = steps[1].blocks
    told = (*intro.blocks, lead, *shown)
    short = replace(steps[1], title="In short", blocks=told, commands=(), inside=())
    steps[1] = replace(steps[1], blocks=(lead, expected))
    page = Document(
        _TITLE,
        (short, *steps),
        "Real data that scikit-learn ships; the model never saw the digits that it reads here. Made by "
        "askpoint; nothing left this machine.",
    )
    report = write_text(folder / "report.html", render_page(page))
    drawn = "with pictures" if can_draw() else NO_PICTURES
    click.echo(f"All of it, {drawn}: {report}   Now your own log: askpoint FILE")
