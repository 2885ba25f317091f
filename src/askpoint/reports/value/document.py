"""The main job's answer in words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from askpoint.answers.value.answer import ValueAnswer
from askpoint.reports.document import (
    Block,
    Document,
    Figure,
    Figures,
    Grid,
    Notice,
    Paragraph,
    Section,
)
from askpoint.reports.value.accounts import accounts_grid
from askpoint.reports.value.guarantee import guarantee_blocks
from askpoint.reports.value.hindsight import hindsight_blocks
from askpoint.reports.value.price_words import price_text
from askpoint.reports.value.tables import groups_table, models_table, surest_blocks
from askpoint.reports.value.thresholds import format_threshold
from askpoint.reports.value.tomorrow import expected_grid, prices_grid, tomorrow_blocks
from askpoint.reports.value.trust import trust_blocks
from askpoint.reports.value.what_if import capacity_slider, price_slider
from askpoint.reports.verdicts import refusal_text
from askpoint.reports.words import count, plural, share

if TYPE_CHECKING:
    from askpoint.answers.value.workload import Workload
    from askpoint.answers.value.worst_cases import WorstCase

__all__ = ["value_document", "value_sections"]


def value_document(answer: ValueAnswer, name: str, workload: Workload | None = None) -> Document:
    """Return the report on one log, in a period's cases and money where their volume is known."""
    return Document(
        f"Which decisions may the model take alone? {name}",
        value_sections(answer, workload=workload),
        f"{plural(answer.n_items, 'case', 'cases')}, {count(answer.n_labelled)} with a label. "
        "Made by askpoint; nothing left this machine.",
    )


def value_sections(
    answer: ValueAnswer, *, prefix: str = "", workload: Workload | None = None
) -> tuple[Section, ...]:
    """Return the report's sections, for a page that holds several."""
    tomorrow = answer.tomorrow
    sections = [Section("The answer", tuple(_verdict(answer, workload)))]
    if answer.guarantee is not None:
        sections.append(
            Section("What is promised of new cases", guarantee_blocks(answer, answer.guarantee))
        )
    if tomorrow is not None:
        sections.append(
            Section("Compared with simpler policies", (expected_grid(answer, tomorrow),))
        )
        if tomorrow.prices:
            printed = partial(format_threshold, answer)
            blocks = (
                prices_grid(answer, tomorrow),
                price_slider(tomorrow, printed),
                capacity_slider(tomorrow, printed),
            )
            sections.append(Section("If a mistake cost more, or less", blocks))
    if answer.accounts is not None:
        grid = accounts_grid(answer.accounts, answer.question.level)
        sections.append(Section("For those who must account for the decisions", (grid,)))
    if answer.people is not None:
        from askpoint.reports.value.people import people_blocks

        sections.append(Section("People err, too", tuple(people_blocks(answer.people))))
    if answer.groups:
        sections.append(Section("Group by group, at the same threshold", (groups_table(answer),)))
    if answer.models:
        from askpoint.reports.value.models import comparison_blocks

        sections.append(
            Section("Model by model", (models_table(answer), *comparison_blocks(answer.comparison)))
        )
    if tomorrow is not None:
        sections.append(
            Section("These rows themselves, in hindsight", tuple(hindsight_blocks(answer)))
        )
        if answer.point is not None:
            sections.append(
                Section("How sure the model is, and how right", tuple(surest_blocks(answer)))
            )
    trust = tuple(trust_blocks(answer))
    if trust:
        sections.append(Section("How far to trust these numbers", trust))
    return tuple(Section(prefix + section.title, section.blocks) for section in sections)


def _verdict(answer: ValueAnswer, workload: Workload | None) -> Iterator[Block]:
    if answer.tomorrow is None:
        if answer.refusal is not None:
            yield Notice(f"No verdict: {refusal_text(answer.refusal)}.")
        if answer.worst is not None:
            yield Paragraph(_worst(answer.worst), lead=True)
            yield _worst_figures(answer, answer.worst)
        if answer.selection is not None:
            yield _label_shares(answer)
        return
    if len(answer.models) > 1:
        yield Paragraph(_best_model(answer))
    if answer.in_use is not None:
        from askpoint.reports.value.current_threshold import in_use_blocks

        yield from in_use_blocks(answer.in_use)
    yield from tomorrow_blocks(answer, answer.tomorrow)
    if workload is not None:
        from askpoint.reports.value.workload import workload_paragraph

        yield workload_paragraph(answer.tomorrow, workload)
    yield Paragraph(price_text(answer))


def _best_model(answer: ValueAnswer) -> str:
    k, best = len(answer.models), answer.models[0][0]
    found = answer.comparison
    if found is None or not found.differences:
        return f"Of {k} models {best!r} is expected to do best."
    if found.shown_best is not None:
        shown = f"Of {k} models {found.shown_best!r} is shown to be better than every other one."
        if found.shown_best == best:
            return shown
        return f"{shown} For new cases {best!r} is expected to do best."
    return f"Of {k} models none is shown to be better; {best!r} is expected to do best."


def _worst(worst: WorstCase) -> str:
    return (
        f"If the model decided every case, at least {count(1000 * worst.low)} and at most "
        f"{count(1000 * worst.high)} of 1,000 would be wrong: for {share(worst.unknown)} of the cases "
        "no label says anything."
    )


def _worst_figures(answer: ValueAnswer, worst: WorstCase) -> Figures:
    return Figures(
        "Of 1,000 cases, if the model decided every case",
        (
            Figure("wrong, at least", count(1000 * worst.low)),
            Figure("wrong, at most", count(1000 * worst.high)),
            Figure("where no label tells", count(1000 * worst.unknown)),
            Figure(
                "labels in the log", count(answer.n_labelled), f"of {count(answer.n_items)} cases"
            ),
        ),
    )


def _label_shares(answer: ValueAnswer) -> Grid:
    shares = () if answer.selection is None else answer.selection.shares
    return Grid(
        "Where the labels are",
        ("tenth of the cases, from the least sure", "with a label"),
        tuple((str(i), share(part)) for i, part in enumerate(shares, start=1)),
        "Where few cases have a label, nobody can tell how often the model is wrong.",
    )
