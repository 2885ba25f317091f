"""The judges' answer in plain words: how good they are, how far to trust that, and why."""

from __future__ import annotations

from collections.abc import Iterator

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.answers.judges.checking import CheckingProgress
from askpoint.answers.judges.trust import TOLERANCE, judge_trust
from askpoint.reports.document import Block, Document, Notice, Paragraph, Section
from askpoint.reports.judges.independence import agreement_blocks, independence_blocks
from askpoint.reports.judges.tables import evaluators_blocks, judges_blocks, windows_blocks
from askpoint.reports.judges.trust import trust_reasons
from askpoint.reports.words import count, plural, round_share, share, share_range

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
        ("The answer", _lead(answer)),
        ("Judge by judge", judges_blocks(answer)),
        ("Every evaluator, side by side", evaluators_blocks(answer)),
        ("What to check next", _proposed(answer)),
        ("How the judges agree", agreement_blocks(answer)),
        ("Without any assumption", _alarm(answer)),
        ("From window to window", windows_blocks(answer)),
    )
    sections = [(title, tuple(blocks)) for title, blocks in parts]
    return tuple(Section(prefix + title, blocks) for title, blocks in sections if blocks)


def _lead(answer: JudgesAnswer) -> Iterator[Block]:
    best = answer.best
    if best is None:
        yield Notice(f"No evaluator has an answer: {answer.reasons['dawid_skene']}.")
        return
    label = answer.sketch.labels[0]
    around = best.prevalence_interval
    interval = (
        ""
        if around is None
        else f" ({round_share(answer.question.level)} interval {share_range(around[label])})"
    )
    yield Paragraph(
        f"{label} is the true label of {share(best.prevalence[label])} of "
        f"{plural(answer.sketch.n_items, 'item', 'items')}{interval}, {best.evaluator.assumption}.",
        lead=True,
    )
    yield from _trust(answer)
    yield from independence_blocks(answer)
    yield from _input_notices(answer)


def _trust(answer: JudgesAnswer) -> Iterator[Block]:
    trust = judge_trust(answer)
    reasons = trust_reasons(trust)
    points = f"{100 * TOLERANCE:g} percentage points"
    if trust.is_trusted:
        yield Paragraph(f"Trust these numbers to within {points}: {'; '.join(reasons)}.")
    else:
        why = "; ".join(reasons[:3])
        yield Notice(f"Do not trust these numbers to within {points}: {why}.")
    if answer.best is not None and answer.best.evaluator.condition:
        yield Paragraph(answer.best.evaluator.condition)
    if answer.checking is not None:
        yield Paragraph(_checking(answer, answer.checking))


def _checking(answer: JudgesAnswer, found: CheckingProgress) -> str:
    """Whether to go on checking, in one sentence that may be read after each item."""
    label, within = answer.sketch.labels[0], f"{100 * answer.question.within:g} percentage points"
    if found.enough:
        return (
            f"Enough checked? Yes, if items were drawn with equal chances: {label} and all accuracies "
            f"are known to within {within}, however often you looked."
        )
    more = []
    if not found.prevalence.enough:
        more.append(
            f"about {plural(found.prevalence.further, 'more item', 'more items')} for {label}"
        )
    if not found.accuracy.enough:
        items = plural(found.accuracy.further, "more item", "more items")
        more.append(f"about {items} of {found.label} for {found.judge}'s accuracy on these")
    if answer.n_gold >= answer.sketch.n_items:
        return (
            f"All items are checked. To tell {within} to either side of others like them, it would "
            f"take {' and '.join(more)}."
        )
    return (
        f"Enough checked? Not for {within} to either side, however often you look: it takes "
        f"{' and '.join(more)}, drawn with equal chances."
    )


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
            "them is evaluated; the majority vote and Dawid and Skene's model still count each of "
            "them in full."
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
