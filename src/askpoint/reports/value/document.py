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
from askpoint.reports.sections import guard_section, lost_section
from askpoint.reports.value.accounts import accounts_grid
from askpoint.reports.value.headline import headline_text
from askpoint.reports.value.hindsight import hindsight_blocks
from askpoint.reports.value.price_words import price_options, price_text
from askpoint.reports.value.tables import groups_table, models_table, surest_blocks
from askpoint.reports.value.thresholds import format_threshold
from askpoint.reports.value.tomorrow import expected_grid, prices_grid, tomorrow_blocks
from askpoint.reports.value.trust import trust_blocks
from askpoint.reports.value.what_if import capacity_slider, price_slider, review_curve
from askpoint.reports.verdicts import refusal_options, refusal_text
from askpoint.reports.words import count, plural, share

if TYPE_CHECKING:
    from askpoint.answers.value.accounts import Accounts
    from askpoint.answers.value.tomorrow import Tomorrow
    from askpoint.answers.value.workload import Workload
    from askpoint.answers.value.worst_cases import WorstCase

__all__ = ["group_sections", "value_document", "value_sections"]

_PRICES = "What if mistakes cost more or less?"
_LOST = {
    "accounts": "Error rates for auditors",
    "groups": "Group by group, at the same threshold",
    "own_thresholds": "Group by group, each with its own threshold",
    "comparison": "Model by model",
    "rows": "These rows themselves",
}


def value_document(answer: ValueAnswer, name: str, workload: Workload | None = None) -> Document:
    """Return the report on one log, in a period's cases and money where their volume is known."""
    return Document(
        headline_text(answer, workload),
        value_sections(answer, workload=workload),
        f"{f'{name}: ' if name else ''}{plural(answer.n_items, 'case', 'cases')}, {count(answer.n_labelled)} with a label. "
        "Made by askpoint; nothing left this machine.",
        name,
    )


def value_sections(answer: ValueAnswer, *, workload: Workload | None = None) -> tuple[Section, ...]:
    """Return the report's sections, for a page that holds several."""
    tomorrow = answer.tomorrow
    sections = [guard_section("The answer", _verdict, answer, workload)]
    if answer.whole_output is not None:
        from askpoint.reports.value.whole_output import whole_output_blocks

        sections.append(
            guard_section(
                "What is promised of the whole output",
                whole_output_blocks,
                answer,
                answer.whole_output,
            )
        )
    if answer.recall_promise is not None:
        from askpoint.reports.value.recall_promise import recall_promise_blocks

        sections.append(
            guard_section("What is promised of the recall", recall_promise_blocks, answer)
        )
    if answer.guarantee is not None:
        from askpoint.reports.value.guarantee import guarantee_blocks

        sections.append(
            guard_section(
                "What is promised of new cases", guarantee_blocks, answer, answer.guarantee
            )
        )
    if tomorrow is not None:
        sections.append(
            guard_section(
                "Compared with simpler policies", lambda: (expected_grid(answer, tomorrow),)
            )
        )
        if tomorrow.prices:
            sections.append(guard_section(_PRICES, _other_prices, answer, tomorrow))
    if answer.accounts is not None:
        sections.append(guard_section(_LOST["accounts"], _accounts, answer, answer.accounts))
    if answer.people is not None:
        from askpoint.reports.value.people import people_blocks

        sections.append(guard_section("People err, too", people_blocks, answer.people))
    sections.extend(group_sections(answer))
    if answer.groups:
        sections.append(guard_section(_LOST["groups"], lambda: (groups_table(answer),)))
    if answer.models:
        sections.append(guard_section(_LOST["comparison"], _models, answer))
    if tomorrow is not None:
        sections.append(guard_section("On this log only", hindsight_blocks, answer))
        if answer.point is not None:
            sections.append(guard_section("Confidence and accuracy", surest_blocks, answer))
    trust = guard_section("How reliable these numbers are", trust_blocks, answer)
    if trust.blocks:
        sections.append(trust)
    sections.extend(lost_section(_LOST[part], why) for part, why in answer.lost.items())
    return tuple(sections)


def group_sections(answer: ValueAnswer) -> Iterator[Section]:
    """Yield what a threshold, or a promise, for each group does beside the common one; nothing without groups."""
    if answer.own_thresholds is None and not answer.group_promises:
        return
    from askpoint.reports.value.own_thresholds import group_promises_grid, own_thresholds_blocks

    own, promises = answer.own_thresholds, answer.group_promises
    if own is not None:
        yield guard_section(_LOST["own_thresholds"], own_thresholds_blocks, answer, own)
    if promises:
        yield guard_section(
            "What is promised of each group", lambda: (group_promises_grid(answer, promises),)
        )


def _other_prices(answer: ValueAnswer, tomorrow: Tomorrow) -> Iterator[Block]:
    printed = partial(format_threshold, answer)
    yield prices_grid(answer, tomorrow)
    yield price_slider(tomorrow, printed)
    yield capacity_slider(tomorrow, printed)


def _accounts(answer: ValueAnswer, accounts: Accounts) -> Iterator[Block]:
    yield accounts_grid(accounts, answer.question.level)


def _models(answer: ValueAnswer) -> Iterator[Block]:
    from askpoint.reports.value.models import comparison_blocks

    yield models_table(answer)
    yield from comparison_blocks(answer.comparison)


def _verdict(answer: ValueAnswer, workload: Workload | None) -> Iterator[Block]:
    if answer.tomorrow is None:
        if answer.whole_output is not None:
            from askpoint.reports.value.whole_output import output_lead

            yield Paragraph(output_lead(answer, answer.whole_output), lead=True)
        if answer.refusal is not None:
            of = "No verdict" if answer.whole_output is None else "About new cases no verdict"
            yield Notice(f"{of}: {refusal_text(answer.refusal)}.", refusal_options(answer.refusal))
        if answer.worst is not None:
            yield Paragraph(_worst(answer.worst), lead=True)
            yield _worst_figures(answer, answer.worst)
        if answer.selection is not None:
            yield _label_shares(answer)
        return
    origin: list[Block] = []
    is_free = answer.n_proposed or answer.question.labels_are_random
    if answer.selection is not None and not is_free:
        from askpoint.reports.value.odd_labels import origin_blocks

        origin = list(origin_blocks(answer.selection, is_balanced=answer.is_balanced))
    if answer.is_balanced:  # on which all numbers hang
        yield from origin
    if len(answer.models) > 1:
        yield Paragraph(_best_model(answer))
    if answer.in_use is not None:
        from askpoint.reports.value.current_threshold import in_use_blocks

        yield from in_use_blocks(answer.in_use)
    in_money = tuple(_in_money(answer, workload))
    yield from tomorrow_blocks(answer, answer.tomorrow, in_money, workload)
    if answer.question.objective.costs is None:  # else no single confidence parts the cases
        yield review_curve(answer.tomorrow, workload)
    if not answer.is_balanced:
        yield from origin
    if answer.own_thresholds is not None:
        from askpoint.reports.value.own_thresholds import warn_of_missed_groups

        yield from warn_of_missed_groups(answer.own_thresholds)
    yield Paragraph(price_text(answer), options=price_options(answer))


def _in_money(answer: ValueAnswer, workload: Workload | None) -> Iterator[Block]:
    """Say what a period takes; without its volume, what 1,000 cases cost where money was stated."""
    if answer.tomorrow is None:
        return
    question = answer.question
    if workload is not None:
        from askpoint.reports.value.workload import workload_paragraph

        yield workload_paragraph(answer.tomorrow, workload, question.currency)
    elif question.check_in_money is not None:
        from askpoint.reports.value.workload import money_paragraph

        yield from money_paragraph(answer.tomorrow, question.check_in_money, question.currency)


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
        "Where few cases have a label, it is not known how often the model is wrong.",
    )
