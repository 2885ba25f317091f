"""``askpoint demo``: the main job on real data, in a minute, without a file of one's own."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
import polars as pl

from askpoint.answers.judges.case import answer_judges
from askpoint.answers.judges.question import JudgesQuestion
from askpoint.answers.value.verdict import answer_value
from askpoint.records.artefacts import make_folder, write_text
from askpoint.records.datasets import breast_cancer_log, digits_log, digits_votes
from askpoint.records.logs import read_log
from askpoint.records.votes import read_gold, read_votes
from askpoint.reports.document import Document, Section
from askpoint.reports.judges.document import judges_sections
from askpoint.reports.value.document import value_sections
from askpoint.value.limits import AskAtMost
from askpoint.value.objectives import Objective
from askpoint.value.priced import CheckCost

if TYPE_CHECKING:
    from rich.console import Console

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
    """Answer on real data sets that scikit-learn ships; write logs, votes and one page."""
    from rich.console import Console

    from askpoint.reports.page import render_page
    from askpoint.reports.terminal import print_document

    make_folder(folder)
    console = Console()
    sections: list[Section] = []
    for story in _STORIES:
        click.echo(story.training, err=True)
        log = write_text(folder / f"{story.title.lower()}.csv", story.make_log().write_csv())
        answer = answer_value(read_log(log, model=story.model), story.objective)
        again = f"The same: askpoint value {shlex.quote(str(log))} {story.flags}"
        title = f"{story.title}: {story.wish}"
        print_document(Document(title, value_sections(answer)[:3], again), console)
        sections += value_sections(answer, prefix=f"{story.title}: ")
    sections += _judged(folder, console)
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


def _judged(folder: Path, console: Console) -> list[Section]:
    """Three judges, evaluated without labels, with 100, and by the truth."""
    from askpoint.reports.terminal import print_document

    click.echo("Training three judges, each on a third of every digit ...", err=True)
    frame = digits_votes()
    truth = dict(zip(frame["task"], frame["truth"], strict=True))
    votes = write_text(folder / "votes.csv", frame.drop("truth").write_csv())
    checked = frame.select("task", label="truth").sample(100, seed=0)
    gold = write_text(folder / "checked.csv", checked.write_csv())
    table = read_votes(votes)
    answers = [
        answer_judges(table, JudgesQuestion(gold=labels)) for labels in ({}, read_gold(gold), truth)
    ]
    alone, few, known = (judges_sections(answer) for answer in answers)
    steps = (
        ("Without a label", alone[0]),
        ("With 100 checked", _titled(few, "Every evaluator, side by side")),
        ("The truth", _titled(known, "Every evaluator, side by side")),
    )
    title = "Judges: three classifiers say whether a digit has a loop; each saw a third of it."
    again = f"The same: askpoint judges {shlex.quote(str(votes))} --gold {shlex.quote(str(gold))}"
    told = (
        Section(steps[0][0], alone[0].blocks),
        *(Section(t, part.blocks[:1]) for t, part in steps[1:]),
    )
    print_document(Document(title, told, again), console)
    return [
        *judges_sections(answers[1], prefix="Judges: "),
        Section("Judges: The truth, which only a demo knows", steps[2][1].blocks[:1]),
    ]


def _titled(sections: Sequence[Section], title: str) -> Section:
    return next(section for section in sections if section.title == title)
