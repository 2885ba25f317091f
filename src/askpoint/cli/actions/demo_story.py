"""One story on real data, told and written down: what `askpoint demo` does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console

from askpoint.cli.actions.demo_chapters import demo_steps
from askpoint.records.artefacts import write_text
from askpoint.reports.document import Document, Paragraph, Section
from askpoint.reports.page import NO_PICTURES, can_draw, render_page
from askpoint.reports.terminal import print_document

__all__ = ["tell_story"]

_TITLE = "May it read the digits alone?"
_INTRO = (
    "A logistic regression learned from 400 handwritten digits. Its log has 700 more, of which 100 are "
    "labelled. Its files are in {folder}."
)


def tell_story(folder: Path) -> None:
    """Play the story step by step; write its files and one page."""
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
