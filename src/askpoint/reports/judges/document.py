"""The judges' answer in plain words: how good they are, how far to trust that, and why."""

from __future__ import annotations

from collections.abc import Iterator

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.reports.document import Block, Document, Notice, Paragraph, Section
from askpoint.reports.judges.drift import windows_blocks
from askpoint.reports.judges.independence import agreement_blocks, independence_blocks
from askpoint.reports.judges.lead import lead_blocks, listed
from askpoint.reports.judges.tables import evaluators_blocks, judges_blocks
from askpoint.reports.words import count, plural, share

__all__ = ["judges_document", "judges_sections"]


def judges_document(answer: JudgesAnswer, name: str) -> Document:
    """Return the report on some votes."""
    judges = plural(len(answer.sketch.judges), "judge", "judges")
    return Document(
        f"How good are the judges? {name}",
        judges_sections(answer),
        f"{plural(answer.sketch.n_items, 'item', 'items')}, {judges}, labels "
        f"{', '.join(answer.sketch.labels)}. Made by askpoint; nothing left this machine.",
    )


def judges_sections(answer: JudgesAnswer, *, prefix: str = "") -> tuple[Section, ...]:
    """Return the report's sections, for a page that holds several."""
    parts = (
        (
            "The answer",
            (*lead_blocks(answer), *_input_notices(answer)),
        ),
        ("Judge by judge", judges_blocks(answer)),
        ("Every evaluator, side by side", evaluators_blocks(answer)),
        ("What to check next", _proposed(answer)),
        (
            "Do the judges err independently?",
            (*independence_blocks(answer), *agreement_blocks(answer)),
        ),
        ("Without any assumption", _alarm(answer)),
        ("From window to window", windows_blocks(answer)),
    )
    sections = [(title, tuple(blocks)) for title, blocks in parts]
    return tuple(Section(prefix + title, blocks) for title, blocks in sections if blocks)


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
        yield Notice(
            f"{listed(kin, 4)} look like one family, whose members err together: name it by --family "
            f"{family}={','.join(kin[:4])}{',...' if len(kin) > 4 else ''} (all such at once: "
            "--family by-name), or say --no-family."
        )
    if answer.n_clustered:
        yield Notice(
            f"{plural(answer.n_clustered, 'item counts', 'items count')} together with another one of "
            "the same cluster: what follows is about clusters, each with every judge's most "
            "frequent vote in it."
        )
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


def _proposed(answer: JudgesAnswer) -> Iterator[Block]:
    if answer.proposed:
        yield Paragraph(
            f"Check these {plural(len(answer.proposed), 'item', 'items')}, in this order, and come "
            "back with --gold; if you stop half-way, what is done still counts:"
        )
        yield Paragraph(", ".join(answer.proposed))


def _alarm(answer: JudgesAnswer) -> Iterator[Block]:
    found = answer.alarm
    if found is None:
        yield Notice(f"The alarm was not asked: {answer.reasons.get('alarm', '')}.")
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
