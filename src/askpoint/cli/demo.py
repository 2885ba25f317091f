"""``askpoint demo``: the main job on real data, in a minute, without a file of one's own."""

from __future__ import annotations

from pathlib import Path

import click

from askpoint.records.artefacts import write_text
from askpoint.records.datasets import breast_cancer_log, digits_log
from askpoint.records.logs import read_log
from askpoint.reports.document import Document, Section
from askpoint.reports.value_question import ValueQuestion
from askpoint.reports.value_verdict import answer_value
from askpoint.reports.value_words import value_sections
from askpoint.value.objectives import AskAtMost, CheckCost, Objective

__all__ = ["demo_command"]

_STORIES = (
    (
        "Biopsies",
        breast_cancer_log,
        "Training a logistic regression on 569 biopsies, benign or malignant ...",
        CheckCost(0.05),
        "--rho 0.05",
        "A check by a doctor costs a twentieth of a wrong diagnosis.",
    ),
    (
        "Digits",
        digits_log,
        "Training naive Bayes and a random forest on 1,797 handwritten digits ...",
        AskAtMost(100),
        "--model model --ask-at-most 100",
        "People can look at 100 of the cases, no more.",
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

    folder.mkdir(parents=True, exist_ok=True)
    console = Console()
    sections: list[Section] = []
    for title, make, progress, objective, flags, story in _STORIES:
        click.echo(progress, err=True)
        path = folder / f"{title.lower()}.csv"
        write_text(path, make().write_csv())
        part = _sections(title, path, objective)
        print_document(
            Document(f"{title}: {story}", part[:3], f"The same: askpoint value {path} {flags}"),
            console,
        )
        sections += part
    report = write_text(
        folder / "report.html",
        render_page(Document("Which decisions may these models take alone?", tuple(sections))),
    )
    click.echo(f"The whole report, with pictures: {report}")
    click.echo("Now your own log: askpoint value LOG   (askpoint value --help says how)")


def _sections(title: str, path: Path, objective: Objective) -> tuple[Section, ...]:
    from askpoint.records.tables import open_table

    model = "model" if "model" in open_table(path).columns else None
    answer = answer_value(read_log(path, model=model), ValueQuestion(objective))
    return value_sections(answer, prefix=f"{title}: ")
