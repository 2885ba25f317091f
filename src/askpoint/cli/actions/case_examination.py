"""What a model does not know, by cases that people judged: what `askpoint examine` does."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import click

from askpoint.cli.columns import names_of, probability_columns
from askpoint.cli.progress import LateProgress
from askpoint.cli.report import check_files, print_report
from askpoint.errors import InputError
from askpoint.records.artefacts import write_text
from askpoint.records.costs import read_costs
from askpoint.records.log_stream import Progress
from askpoint.records.scored_batches import ScoredTable
from askpoint.records.tables import open_table

__all__ = ["examine_log"]


def examine_log(log: str, options: dict[str, Any]) -> None:
    """Draw cases for judges, or say what those that were judged show."""
    if options["out"] is not None and options["judged"] is not None:
        raise InputError("--out draws and --judged evaluates: add one of them")
    check_files(options, "out")
    columns: dict[str, Any] = {
        "label": options["label"],
        "proba": probability_columns(options["proba"]),
        "decision": options["decision"],
        "classes": names_of(options["classes"]),
        "costs": None if options["costs"] is None else read_costs(options["costs"]),
    }
    if options["out"] is not None:
        _draw(ScoredTable.open(open_table(log), **columns), options)
        return
    from askpoint.answers.examination.answer import LabelledAnswer
    from askpoint.answers.examination.reading import answer_examination
    from askpoint.reports.examination.document import document_of_labels, examination_document
    from askpoint.reports.examination.json import examination_object, object_of_labels

    with _progress() as progress:
        answer = answer_examination(
            log,
            judged=options["judged"],
            compare=options["compare"],
            **columns,
            by=options["by"],
            sure_below=options["sure_below"],
            width=options["width"],
            names=_two(options["names"], "--names"),
            case_costs=None
            if options["case_costs"] is None
            else _two_numbers(options["case_costs"], "--case-costs"),
            unit=options["unit"],
            text=options["text"],
            sought=options["sought"],
            cluster=options["cluster"],
            release_limit=options["release_limit"],
            seed=options["seed"],
            progress=progress,
        )
    name = click.format_filename(log, shorten=True)
    if isinstance(answer, LabelledAnswer):
        print_report(document_of_labels(answer, name), lambda: object_of_labels(answer), options)
    else:
        print_report(
            examination_document(answer, name), lambda: examination_object(answer), options
        )


def _draw(scored: ScoredTable, options: dict[str, Any]) -> None:
    from askpoint.records.examinations import draw_sample
    from askpoint.records.samples import sample_csv
    from askpoint.unknowns.examination import ExaminationDesign

    if options["html"] is not None or options["as_json"]:
        raise InputError("--html and --json show a result; there is none before judging")
    design = ExaminationDesign(options["method"], options["n"], options["bins"])
    show = names_of(options["show"])
    with _progress() as progress:
        drawn = draw_sample(
            scored, design, options["seed"], by=options["by"], show=show, progress=progress
        )
    write_text(options["out"], sample_csv(drawn))
    sample = drawn.examination
    click.echo(
        f"{len(sample.items)} of {drawn.n_items:,} cases drawn into {options['out']} (method {sample.method}, "
        f"seed {sample.seed}, {sample.digest}). Fill in the column label from the first row on, and sign in judge; then: "
        f"askpoint examine LOG --judged {options['out']}"
    )
    if len(sample.items) < design.n:
        click.echo(
            f"{design.n} were asked for: {len(sample.whole)} of {len(sample.sizes)} bins hold fewer cases "
            "than a full share and came whole; nothing was drawn elsewhere in their place"
        )


def _two(text: str, flag: str) -> tuple[str, str]:
    first, comma, second = text.partition(",")
    if not (comma and first.strip() and second.strip()) or first == second:
        raise InputError(f"{flag} takes two with a comma between them; got {text!r}")
    return first.strip(), second.strip()


def _two_numbers(text: str, flag: str) -> tuple[float, float]:
    try:
        first, second = map(float, text.split(","))
    except ValueError:
        raise InputError(
            f"{flag} takes two numbers with a comma between them; got {text!r}"
        ) from None
    return first, second


@contextlib.contextmanager
def _progress() -> Iterator[Progress]:
    with LateProgress("rows", shows="rows") as bar:
        yield lambda rows: bar.update(done=rows)
