"""``askpoint demo``: the main job on real data, in a minute, without a file of one's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import click
import polars as pl

from askpoint.records.artefacts import make_folder, write_text
from askpoint.records.datasets import breast_cancer_log, digits_log
from askpoint.records.logs import read_log
from askpoint.reports.document import Document, Section
from askpoint.reports.value_question import ValueQuestion
from askpoint.reports.value_verdict import answer_value
from askpoint.reports.value_words import value_sections
from askpoint.value.objectives import AskAtMost, CheckCost, Objective

__all__ = ["demo_command"]


class _Story(NamedTuple):
    title: str
    wish: str
    training: str
    make_log: Callable[[], pl.DataFrame]
    objective: Objective
    model: str | None
    flags: str


_STORIES = (
    _Story(
        "Biopsies",
        "A check by a doctor costs a twentieth of a wrong diagnosis.",
        "Training a logistic regression on 569 biopsies, benign or malignant ...",
        breast_cancer_log,
        CheckCost(0.05),
        None,
        "--rho 0.05",
    ),
    _Story(
        "Digits",
        "People can look at 100 of the cases, no more.",
        "Training naive Bayes and a random forest on 1,797 handwritten digits ...",
        digits_log,
        AskAtMost(100),
        "model",
        "--model model --ask-at-most 100",
    ),
)


@click.command("demo")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("askpoint-demo"),
    show_default=True,
    help="Where the logs and the page are written.",
)
def demo_command(folder: Path) -> None:
    """Answer on two real data sets that scikit-learn ships; write logs and one page."""
    from rich.console import Console

    from askpoint.reports.page import render_page
    from askpoint.reports.terminal import print_document

    make_folder(folder)
    console = Console()
    sections: list[Section] = []
    for story in _STORIES:
        click.echo(story.training, err=True)
        log = write_text(folder / f"{story.title.lower()}.csv", story.make_log().write_csv())
        answer = answer_value(read_log(log, model=story.model), ValueQuestion(story.objective))
        again = f"The same: askpoint value {log} {story.flags}"
        title = f"{story.title}: {story.wish}"
        print_document(Document(title, value_sections(answer)[:3], again), console)
        sections += value_sections(answer, prefix=f"{story.title}: ")
    click.echo("Drawing the pictures ...", err=True)
    page = Document(
        "Which decisions may these models take alone?",
        tuple(sections),
        "Real data sets that scikit-learn ships; each case was predicted by a model that did not "
        "see it. Made by askpoint; nothing left this machine.",
    )
    report = write_text(folder / "report.html", render_page(page))
    click.echo(f"The whole report, with pictures: {report}")
    click.echo("Now your own log: askpoint value LOG   (askpoint value --help says how)")
