"""The report of a log that was uploaded: what `askpoint value` says, its page, and what is kept of the log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from askpoint.answers.value.answer import ValueAnswer
from askpoint.answers.value.verdict import answer_value
from askpoint.records.readers.reading import Reading
from askpoint.reports.document import Paragraph, Section
from askpoint.reports.page import render_page
from askpoint.reports.readings import reading_line
from askpoint.reports.value.document import group_sections, value_document
from askpoint.server.logs.questions import ReportQuestion
from askpoint.server.logs.reading import read_any
from askpoint.server.logs.stored_rows import frame_to_keep
from askpoint.server.report_sections import plain_sections

__all__ = ["STAGES", "make_report"]

STAGES = {
    "waiting": "It waits for its turn.",
    "reading": "The file is being read.",
    "computing": "It is being computed: which threshold, and what follows from it.",
    "drawing": "The page is being drawn.",
}
"""What is said of each stage of the work, in their order."""


def make_report(given: dict[str, Any], folder: Path, say: Callable[[str], None]) -> dict[str, Any]:
    """Write the page and what is kept of the log into a folder; return the rest, as JSON.

    Raises
    ------
    AskpointError
        As `askpoint value` does.
    """
    path = folder / given["name"]
    say("reading")
    question = ReportQuestion(**given["question"])
    log, reading = read_any(path, question.by or None)
    path.unlink()
    say("computing")
    answer: ValueAnswer = answer_value(
        log,
        question.objective(),
        labels_are_random=given["random"],
        currency=question.currency or None,
    )
    document = value_document(answer, given["name"], question.workload())
    say("drawing")
    (folder / "page.html").write_text(render_page(document, options=False), "utf-8")
    if log.model is None:
        frame_to_keep(log).write_parquet(folder / "kept.parquet")
    return {
        "headline": document.title,
        "told": plain_sections(
            [document.sections[0], *_by_group(answer, question), *_as_read(reading)]
        ),
        "classes": list(log.classes),
        "rows": log.n_items,
        "labelled": log.n_labelled,
        "checks": None if answer.rate is None else answer.rate.checks_per_mistake,
    }


def _as_read(reading: Reading | None) -> Iterator[Section]:
    """Yield what the columns were taken for, where their names did not say so."""
    if reading is not None:
        said = reading_line(reading).removeprefix("read as predictions: ")
        yield Section("How the file was read", (Paragraph(f"{said[0].upper()}{said[1:]}."),))


def _by_group(answer: ValueAnswer, question: ReportQuestion) -> Iterator[Section]:
    """Yield what the report says of groups beside the common answer, or why it has no threshold for each."""
    found = list(group_sections(answer))
    if question.by and not found:
        says = (
            "Thresholds for groups need a price of a mistake, or a limit on mistakes, and labels drawn alike. Here all groups have "
            "the common threshold; the whole report shows each one."
        )
        found = [Section("Groups", (Paragraph(says),))]
    yield from found
