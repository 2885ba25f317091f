"""The judges' answer in plain words: how good they are, how far to trust that, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from askpoint.displays.judges import (
    FailureRateDisplay,
    JudgeAccuracyDisplay,
    PairCorrelationDisplay,
    PrevalenceDisplay,
)
from askpoint.judges.points import EvaluationPoint
from askpoint.measures.intervals import Interval
from askpoint.reports.document import Block, Document, Grid, Notice, Paragraph, Picture, Section
from askpoint.reports.judges_answer import Estimate, JudgesAnswer
from askpoint.reports.judges_checking import CheckingProgress
from askpoint.reports.judges_trust import TOLERANCE, judge_trust
from askpoint.reports.words import amount, count, plural, probability, share, share_range

__all__ = ["judges_document", "judges_sections"]

_MOST_ROWS = 20


def judges_document(answer: JudgesAnswer, name: str) -> Document:
    """Return the report on some votes.

    Parameters
    ----------
    answer : JudgesAnswer
        What `answer_judges` returned.
    name : str
        Name of the votes.

    Returns
    -------
    Document

    Examples
    --------
    >>> from askpoint.judges.sketch import VoteSketch
    >>> from askpoint.reports.judges_answer import answer_judges
    >>> from askpoint.reports.judges_question import JudgesQuestion
    >>> from askpoint.reports.judges_words import judges_document
    >>> sketch = VoteSketch(3, ["x", "y"])
    >>> sketch.update_codes([[0, 0, 0], [1, 1, 1]], [30, 10])
    >>> judges_document(answer_judges(sketch, JudgesQuestion()), "two patterns").title
    'How good are the judges? two patterns'
    """
    judges = plural(len(answer.sketch.judges), "judge", "judges")
    return Document(
        f"How good are the judges? {name}",
        judges_sections(answer),
        f"{plural(answer.sketch.n_items, 'item', 'items')}, {judges}, labels "
        f"{', '.join(answer.sketch.labels)}. Made by askpoint; nothing left this machine.",
    )


def judges_sections(answer: JudgesAnswer, *, prefix: str = "") -> tuple[Section, ...]:
    """Return the report's sections, for a page that holds several.

    Parameters
    ----------
    answer : JudgesAnswer
        What `answer_judges` returned.
    prefix : str, default=""
        Put before each section's title.

    Returns
    -------
    tuple of Section
    """
    parts = (
        ("The answer", _lead(answer)),
        ("Judge by judge", _judges(answer)),
        ("Every evaluator, side by side", _evaluators(answer)),
        ("What to check next", _proposed(answer)),
        ("How the judges agree", _agreement(answer)),
        ("Without any assumption", _alarm(answer)),
        ("From window to window", _windows(answer)),
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
        "" if around is None else f" ({_level(answer)} interval {share_range(around[label])})"
    )
    yield Paragraph(
        f"{label} is the true label of {share(best.prevalence[label])} of "
        f"{plural(answer.sketch.n_items, 'item', 'items')}{interval}, {_ASSUMING[best.name]}.",
        lead=True,
    )
    yield from _trust(answer)
    yield from _outcome(answer)
    yield from _input_notices(answer)


_LONG_RUN = ("confusions", "dawid_skene")
_LONG_RUN_NOTE = (
    "The intervals of confusion matrices and of Dawid and Skene's model are for such items in the "
    "long run, all others for these items."
)
_ASSUMING = {
    "with_gold": "from the gold labels and the votes on all items; independence is not assumed",
    "confusions": "by confusion matrices of judges who err independently",
    "dawid_skene": "by Dawid and Skene's model, in which judges err independently",
    "majority": "if the majority of the judges is always right",
    "independent": "if the three judges err independently of each other",
    "ensemble": "if the judges err independently but for the pairs named below",
}


def _trust(answer: JudgesAnswer) -> Iterator[Block]:
    trust = judge_trust(answer)
    points = f"{100 * TOLERANCE:g} percentage points"
    if trust.is_trusted:
        yield Paragraph(f"Trust these numbers to within {points}: {'; '.join(trust.reasons)}.")
    else:
        why = "; ".join(trust.reasons[:3])
        yield Notice(f"Do not trust these numbers to within {points}: {why}.")
    if answer.best is not None and answer.best.name == "with_gold":
        yield Paragraph(
            "The checked items must have been drawn at random, or be those that --propose named."
        )
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


def _outcome(answer: JudgesAnswer) -> Iterator[Block]:
    found = answer.independent
    if found is None:
        if answer.trios is not None:
            yield Paragraph(
                f"Of {count(len(answer.trios.trios))} trios of judges {share(answer.trios.share_inside)} "
                "give a seemingly correct answer when they are taken to err independently."
            )
        return
    yield from _OUTCOMES[found.outcome]
    if found.chosen is not None:
        label = answer.sketch.labels[0]
        yield Paragraph(
            f"Two points explain the votes if errors are independent; the one with {label} at "
            f"{share(float(found.chosen.prevalence[label]))} counts, because {found.reason}."
        )
    elif found.points:
        yield Notice(f"Neither point was chosen: {found.reason}. State --root.")
    if found.is_resolved is False and found.points:
        yield Paragraph(
            "The points are no fractions of whole numbers, which proves that the judges were not "
            "exactly independent on these items; next to no real judges are."
        )
    band = found.sensitivity()
    if band is not None:
        yield Paragraph(
            f"If errors of two judges were correlated by up to 0.05, {answer.sketch.labels[0]} could "
            f"be the label of {share_range(band.prevalence[answer.sketch.labels[0]])}."
        )


_OUTCOMES: Mapping[str, tuple[Block, ...]] = {
    "inside": (),
    "outside": (
        Notice(
            "The points that explain these votes lie outside what is possible: the judges did "
            "not err independently."
        ),
    ),
    "complex": (
        Notice("Only complex numbers explain these votes: the judges did not err independently."),
    ),
    "empty": (
        Notice("No evaluation of independent judges explains these votes: they did not err so."),
    ),
    "positive-dimensional": (
        Notice(
            "Infinitely many evaluations explain these votes: a judge does not see the labels at "
            "all, or only one label occurs."
        ),
    ),
}


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


def _judges(answer: JudgesAnswer) -> Iterator[Block]:
    best = answer.best
    if best is None:
        return
    votes, counts = answer.sketch.cells()
    n_votes = (counts @ (votes >= 0)).tolist()
    order = sorted(range(len(n_votes)), key=lambda i: -n_votes[i])[:_MOST_ROWS]
    shown = [answer.sketch.judges[i] for i in order]
    rows = tuple(
        (
            judge,
            count(n_votes[i]),
            *(_with_interval(best, judge, label) for label in answer.sketch.labels),
        )
        for judge, i in zip(shown, order, strict=True)
    )
    left = len(answer.sketch.judges) - len(shown)
    yield Grid(
        "How often each judge is right on the items of a label",
        ("judge", "votes", *(f"right on {label}" for label in answer.sketch.labels)),
        rows,
        f"The {len(shown)} who voted most often; --json has all." if left else "",
    )
    other = None
    if answer.independent is not None and best.name == "independent":
        chosen = answer.independent.chosen
        other = next((point for point in answer.independent.points if point is not chosen), None)
    display = JudgeAccuracyDisplay(
        {judge: best.accuracy[judge] for judge in shown},
        best.accuracy_interval,
        None if other is None else _floats(other),
        None if answer.truth is None else _floats(answer.truth),
    )
    drawn = "; crosses: the other point that explains the votes" if other is not None else ""
    yield Picture(
        f"How often each judge is right, with {_level(answer)} intervals{drawn}.",
        "; ".join(
            f"{judge}: "
            + ", ".join(
                f"{label} {_with_interval(best, judge, label)}" for label in answer.sketch.labels
            )
            for judge in shown
        ),
        display.plot,
        (5.4, 1.4 + 0.32 * len(shown)),
    )


def _evaluators(answer: JudgesAnswer) -> Iterator[Block]:
    label, truth = answer.sketch.labels[0], answer.truth
    columns: tuple[str, ...] = ("evaluator", f"share of {label}", "interval")
    if truth is not None:
        columns += ("prevalence off by", "accuracies off by")
    rows = []
    for estimate in answer.estimates:
        around = estimate.prevalence_interval
        row = [
            estimate.title,
            share(estimate.prevalence[label]),
            "" if around is None else share_range(around[label]),
        ]
        if truth is not None:
            off = estimate.accuracy_error(truth)
            row += [share(estimate.prevalence_error(truth)), "" if off is None else share(off)]
        rows.append(tuple(row))
    if truth is not None:
        judged = f"gold labels ({count(answer.n_gold)} items)"
        rows.append((judged, share(float(truth.prevalence[label])), "", "", ""))
    note = (
        ""
        if truth is None
        else "Off by: the greatest difference of prevalences, and the mean of accuracies, from the "
        "items with gold labels alone."
    )
    if any(row[2] and e.name in _LONG_RUN for row, e in zip(rows, answer.estimates, strict=False)):
        note = f"{note} {_LONG_RUN_NOTE}".strip()
    if rows:
        yield Grid("What each evaluator says", columns, tuple(rows), note)
    if answer.failures:
        yield Paragraph(
            "Smaller tests of these judges fail more often to give a seemingly correct answer: "
            + ", ".join(f"{count(n)} items {share(rate)}" for n, rate in answer.failures[:6])
            + "."
        )
        yield Picture(
            "How often a test with fewer of these items fails.",
            "; ".join(f"{count(n)} items: {share(rate)}" for n, rate in answer.failures),
            FailureRateDisplay({"these judges": answer.failures}).plot,
            (5.4, 3.0),
        )


def _proposed(answer: JudgesAnswer) -> Iterator[Block]:
    if answer.proposed:
        yield Paragraph(
            f"Check these {plural(len(answer.proposed), 'item', 'items')}, in this order, and come "
            "back with --gold; if you stop half-way, what is done still counts:"
        )
        yield Paragraph(", ".join(answer.proposed))


def _agreement(answer: JudgesAnswer) -> Iterator[Block]:
    agreement = answer.agreement
    rows = [
        (
            "equal votes among pairs",
            "" if agreement.observed is None else share(agreement.observed),
        ),
        ("Fleiss' kappa", _number(agreement.fleiss, agreement.reasons.get("fleiss"))),
        (
            "Krippendorff's alpha",
            _number(agreement.krippendorff, agreement.reasons.get("krippendorff")),
        ),
    ]
    yield Grid(
        "Agreement is not accuracy: judges with the same blind spot agree, too",
        ("measure", "value"),
        tuple(rows),
    )
    found = answer.ensemble
    if found is None:
        return
    apart = " of different families" if answer.families else ""
    if found.flagged:
        named = "; ".join(
            f"{' and '.join(pair.judges)} ({amount(pair.residual)})" for pair in found.flagged[:8]
        )
        more = len(found.flagged) - 8
        yield Notice(
            f"{plural(len(found.flagged), 'pair', 'pairs')} of judges agree more, or less, than "
            f"their accuracies explain, and were left out of the fit: {named}"
            + (f"; and {more} more." if more > 0 else ".")
        )
    elif len(answer.sketch.judges) > 3:
        yield Paragraph(f"No pair of judges{apart} agrees more than their accuracies explain.")
    if len(answer.sketch.judges) > 3:
        yield Picture(
            "Agreement of pairs that their accuracies do not explain; outlined: flagged pairs.",
            "; ".join(f"{' and '.join(p.judges)}: {amount(p.residual)}" for p in found.flagged)
            or "No pair is flagged.",
            PairCorrelationDisplay(
                answer.sketch.judges, found.residuals, [pair.judges for pair in found.flagged]
            ).plot,
            (5.4, 4.4),
        )


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


def _windows(answer: JudgesAnswer) -> Iterator[Block]:
    if not answer.windows:
        return
    label = answer.sketch.labels[0]
    if answer.drift is not None and answer.drift.patterns is not None:
        p = probability(answer.drift.patterns)
        changed = [
            j for j, value in answer.drift.judges.items() if value is not None and value < 0.05
        ]
        text = f"That votes are alike in all windows has the p-value {p}"
        who = f"; those of {', '.join(changed)} changed" if changed else ""
        block = Notice if answer.drift.patterns < 0.05 else Paragraph
        yield block(f"{text}{who}.")
    rows = tuple(
        (
            f"items {count(window.start + 1)} to {count(window.start + window.n_items)}",
            "no answer" if window.prevalence is None else share(window.prevalence),
            "" if window.interval is None else share_range(window.interval),
        )
        for window in answer.windows[:_MOST_ROWS]
    )
    yield Grid(f"Prevalence of {label}", ("window", f"share of {label}", "interval"), rows)
    yield Picture(
        f"Prevalence of {label}, window by window.",
        "; ".join(f"{row[0]}: {row[1]}" for row in rows),
        PrevalenceDisplay(
            [window.start + 1 for window in answer.windows],
            [window.prevalence for window in answer.windows],
            [window.interval for window in answer.windows],
            label,
        ).plot,
        (5.4, 3.0),
    )


def _with_interval(estimate: Estimate, judge: str, label: str) -> str:
    value = estimate.accuracy[judge][label]
    if value is None:
        return "not known"
    around = estimate.accuracy_interval
    interval: Interval | None = None if around is None else around[judge][label]
    return share(value) + ("" if interval is None else f" ({share_range(interval)})")


def _level(answer: JudgesAnswer) -> str:
    return share(answer.question.level).replace(".0", "")


def _number(value: float | None, reason: str | None) -> str:
    return f"none: {reason}" if value is None else amount(value)


def _floats(point: EvaluationPoint) -> dict[str, dict[str, float | None]]:
    return {
        judge: {label: None if x is None else float(x) for label, x in of.items()}
        for judge, of in point.accuracy.items()
    }
