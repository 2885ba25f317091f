"""The report of any answer, in a notebook: as a page in a cell, as a file, as words."""

from __future__ import annotations

import html
import io
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from askpoint.errors import InputError
from askpoint.records.artefacts import write_text
from askpoint.registry import Records
from askpoint.reports.document import Document, Notice, Paragraph
from askpoint.reports.elicitation.document import elicit_document
from askpoint.reports.elicitation.json import elicit_object
from askpoint.reports.examination.document import document_of_labels, examination_document
from askpoint.reports.examination.json import examination_object, object_of_labels
from askpoint.reports.judges.document import judges_document
from askpoint.reports.judges.json import judges_object
from askpoint.reports.page import render_page
from askpoint.reports.terminal import print_document
from askpoint.reports.value.document import value_document
from askpoint.reports.value.json import value_object

__all__ = ["Report", "first_sentence", "report"]

_WIDTH = 88  # columns of a notebook's cell
_SENTENCE_END = re.compile(r"(?<=[.?])\s+(?=[A-Z])")
_Subject = tuple[Callable[..., Document], Callable[[Any], dict[str, Any]]]
_SUBJECTS: Records[str, _Subject] = Records(
    "reports",
    {
        "ValueAnswer": (value_document, value_object),
        "JudgesAnswer": (judges_document, judges_object),
        "ExaminationAnswer": (examination_document, examination_object),
        "LabelledAnswer": (document_of_labels, object_of_labels),
        "ElicitationAnswer": (lambda answer, _: elicit_document(answer), elicit_object),
    },
)


@dataclass(frozen=True, repr=False)
class Report:
    """A report: a notebook shows its page, `print` its text.

    Parameters
    ----------
    document : Document
        Its sections.
    content : dict
        The same for programs: what a command prints with ``--json``.
    answer : object
        What it is about: a ValueAnswer, a JudgesAnswer, ...
    reading : tuple of str
        What the data were taken for, where they were looked through: the lines that a command prints first.
    """

    document: Document
    content: dict[str, Any]
    answer: Any = None
    reading: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return first_sentence(self.document)

    def __str__(self) -> str:
        console = Console(file=io.StringIO(), width=_WIDTH, color_system=None)
        with console.capture() as words:
            print_document(self.document, console)
        return "".join(f"{line}\n" for line in self.reading) + words.get()

    def to_dict(self) -> dict[str, Any]:
        """Return the object that the command prints with ``--json``.

        Returns
        -------
        dict
            Of numbers, texts, lists and None with a reason.
        """
        return self.content

    def _repr_html_(self) -> str:
        page = html.escape(render_page(self.document))
        title = html.escape(self.document.title)
        return (
            f'<iframe title="{title}" srcdoc="{page}" sandbox '
            'style="width:100%;height:40rem;border:0"></iframe>'
        )

    def to_html(self, path: str | os.PathLike[str]) -> Path:
        """Write the page: one file that loads nothing.

        Parameters
        ----------
        path : str or path
            Where to.

        Returns
        -------
        Path
        """
        return write_text(path, render_page(self.document))


def first_sentence(document: Document) -> str:
    """Return the first sentence of a report: what follows from the data.

    Parameters
    ----------
    document : Document
        A report.

    Returns
    -------
    str
    """
    blocks = (block for section in document.sections for block in section.blocks)
    text = next((b.text for b in blocks if isinstance(b, Paragraph | Notice)), document.title)
    return _SENTENCE_END.split(" ".join(text.split()), maxsplit=1)[0]


def report(answer: Any, name: str = "") -> Report:
    """Make the report of an answer, in words and pictures.

    Parameters
    ----------
    answer : ValueAnswer, JudgesAnswer, JudgedAnswer, LabelledAnswer or ElicitationAnswer
        What `answer_value` and its siblings return; or what a plugin's report is about.
    name : str, default=""
        What the answer is about, for the title.

    Returns
    -------
    Report
        Shown as a page in a notebook; ``print`` gives the words, ``to_html`` writes the page.

    Raises
    ------
    InputError
        If it is no answer.

    Examples
    --------
    >>> import polars as pl
    >>> from askpoint import CheckCost, answer_value, read_log, report
    >>> log = read_log(pl.DataFrame({"label": [0, 1] * 50, "proba": [0.1, 0.9] * 50}))
    >>> said = report(answer_value(log, CheckCost(0.05)), "of the two?")
    >>> print(str(said).splitlines()[0])
    Let the model decide every case.
    >>> said.content["recommended"]["asked"]["share"]
    0.0
    """
    names = _SUBJECTS.names()
    for kind in type(answer).__mro__:
        if kind.__name__ in names:
            document, content = _SUBJECTS[kind.__name__]
            made = document(answer, name)
            lost = {"lost": made.lost} if made.lost else {}
            return Report(made, content(answer) | lost, answer)
    raise InputError(f"a report is about one of {', '.join(names)}; got {type(answer).__name__}")
