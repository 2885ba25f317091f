"""The judges' answer in plain words: how good they are, how far to trust that, and why."""

from __future__ import annotations

from collections.abc import Iterator

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.judges.sketch.tables import VoteNotes
from askpoint.reports.document import Block, Document, Notice, Paragraph, Section
from askpoint.reports.judges.changes import windows_blocks
from askpoint.reports.judges.covariates import covariates_blocks, covariates_lead
from askpoint.reports.judges.figures import lead_figures
from askpoint.reports.judges.independence import agreement_blocks, independence_blocks
from askpoint.reports.judges.keep_or_drop import keep_lead, keep_or_drop_blocks
from askpoint.reports.judges.label_origin import origin_blocks, refusal_blocks
from askpoint.reports.judges.lead import lead_blocks, list_names
from askpoint.reports.judges.panel import panel_blocks
from askpoint.reports.judges.tables import evaluators_blocks, judges_blocks
from askpoint.reports.sections import guard_section
from askpoint.reports.words import count, plural, share

__all__ = ["judges_document", "judges_sections"]


_HOLDS = {"id": "names of items", "text": "texts", "time": "times", "nested": "lists"}


def judges_document(answer: JudgesAnswer, name: str) -> Document:
    """Return the report on some votes."""
    judges = plural(len(answer.judges), "judge", "judges")
    return Document(
        f"How good are the judges? {name}",
        judges_sections(answer),
        f"{plural(answer.sketch.n_items, 'item', 'items')}, {judges}, labels "
        f"{', '.join(answer.sketch.labels)}. Made by askpoint; nothing left this machine.",
    )


def judges_sections(answer: JudgesAnswer) -> tuple[Section, ...]:
    """Return the report's sections, for a page that holds several."""
    parts = (
        ("The answer", _answer, _input_notices),
        ("Judge by judge", judges_blocks, covariates_blocks),
        ("All methods", evaluators_blocks),
        ("Items to label next", _items_to_label),
        ("Do the judges err independently?", independence_blocks, agreement_blocks),
        ("Without any assumption", _alarm),
        ("Over time", windows_blocks),
    )
    sections = [
        guard_section(
            title,
            lambda makers: (block for make in makers for block in make(answer)),
            makers,
        )
        for title, *makers in parts
    ]
    return tuple(section for section in sections if section.blocks)


def _answer(answer: JudgesAnswer) -> Iterator[Block]:
    yield from refusal_blocks(answer)
    yield from keep_lead(answer)
    first, *others = lead_blocks(answer)
    yield first
    if answer.best is not None:
        yield lead_figures(answer)
    yield from keep_or_drop_blocks(answer)
    yield from origin_blocks(answer)
    yield from panel_blocks(answer)
    yield from covariates_lead(answer)
    yield from others


def _input_notices(answer: JudgesAnswer) -> Iterator[Block]:
    found = answer.independent
    if found is not None and found.n_incomplete:
        yield Notice(
            f"{plural(found.n_incomplete, 'item lacks', 'items lack')} a vote of one of the three "
            f"judges; the numbers are about the other {count(found.n_items)}."
        )
    if answer.families:
        named = "; ".join(f"{', '.join(kin)} ({family})" for family, kin in answer.families.items())
        yield Notice(
            f"Judges of one family are not taken to err independently: {named}. No trio with two of "
            "them is evaluated, and together they count as one; only the majority counts each of "
            "them in full."
        )
    for family, kin in answer.guessed_families.items():
        own = f"--family {family}={','.join(kin)}, or " if len(kin) <= 3 else ""
        yield Notice(
            f"{list_names(kin, 3)} look like one family: {own}--family by-name for all such, or --no-family."
        )
    if answer.n_clustered:
        yield Notice(
            f"{plural(answer.n_clustered, 'item counts', 'items count')} together with another one of "
            "the same cluster: what follows is about clusters, each with every judge's most "
            "frequent vote in it."
        )
    yield from _reading(answer.notes)
    if answer.n_repeats:
        yield Notice(
            f"{plural(answer.n_repeats, 'vote', 'votes')} repeated a judge's vote on the same item "
            "and did not count."
        )
    if answer.n_gold_unjudged:
        yield Notice(
            f"{plural(answer.n_gold_unjudged, 'gold label is', 'gold labels are')} of items that "
            "nobody judged, and told nothing."
        )


def _reading(notes: VoteNotes) -> Iterator[Block]:
    """What was taken for what."""
    items = [name for name, role in notes.columns.items() if role == "items"]
    if items:
        yield Paragraph(f"The column {items[0]!r} names the items; --task names another one.")
    if len(notes.columns) > len(items):
        others = {name: _HOLDS[role] for name, role in notes.columns.items() if role != "items"}
        named = ", ".join(f"{name} ({what})" for name, what in others.items())
        yield Notice(f"No judges: {named}. Name the judges with --judges if this is wrong.")
    for label, spellings in notes.joined.items():
        yield Notice(f"Read {', '.join(map(repr, spellings))} as {label!r}.")
    if notes.slips:
        named = ", ".join(f"{label!r} ({count(n)})" for label, n in notes.slips.items())
        yield Notice(
            f"Left out as slips, because almost no vote says so: {named}. To count them, name all "
            "labels with --labels."
        )
    if notes.missing:
        named = ", ".join(f"{label!r} ({count(n)})" for label, n in notes.missing.items())
        yield Paragraph(f"Not counted as votes: {named}.")
    if notes.doubtful:
        named = ",".join(notes.doubtful)
        yield Notice(
            f"{', '.join(map(repr, notes.doubtful))} counted as a label: if it is not a vote, "
            f"add --missing {named}."
        )


def _items_to_label(answer: JudgesAnswer) -> Iterator[Block]:
    if not answer.proposed:
        return
    items = plural(len(answer.proposed), "item", "items")
    later = (
        f" The other {count(answer.n_later)} are best chosen where these find the votes wrong: ask "
        f"--propose {answer.n_later} then."
        if answer.n_later
        else ""
    )
    yield Paragraph(
        f"Check these {items}{' first' if later else ''}, in this order, and come back with --gold; "
        f"if you stop half-way, what is done still counts.{later}"
    )
    if answer.seal is not None:
        yield Paragraph(
            f"The order is random and sealed: it follows from the items' names. Write {answer.seal} into a "
            "column seal of the labels' file: anyone with the votes can then see that the labels were not selected."
        )
    yield Paragraph(", ".join(answer.proposed))


def _alarm(answer: JudgesAnswer) -> Iterator[Block]:
    found = answer.alarm
    if found is None:
        yield Notice(f"The alarm was not run: {answer.reasons.get('alarm', '')}.")
        return
    required = share(answer.question.required)
    text = (
        f"Required: right on at least {required} of each label's items. "
        f"{found.reason[0].upper()}{found.reason[1:]}."
    )
    yield Notice(text) if found.fires else Paragraph(text)
    yield Paragraph(
        f"Whatever the truth is, at least one judge is right on no more than {share(min(found.best, 1))} "
        "of some label's items."
        if found.best < 1
        else "Even perfect judges could have voted like this."
    )
