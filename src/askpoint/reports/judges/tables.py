"""The tables and pictures of the judges' answer."""

from __future__ import annotations

from collections.abc import Iterator

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.answers.judges.estimate import Estimate, accuracy_floats
from askpoint.displays.judges import FailureRateDisplay, JudgeAccuracyDisplay, PrevalenceDisplay
from askpoint.reports.document import Block, Grid, Notice, Paragraph, Picture
from askpoint.reports.words import count, probability, round_share, share, share_range

__all__ = ["evaluators_blocks", "judges_blocks", "windows_blocks"]

_MOST_ROWS = 20


def judges_blocks(answer: JudgesAnswer) -> Iterator[Block]:
    """Yield how often each judge is right, by the estimate to believe first."""
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
    if answer.independent is not None and best.evaluation == answer.independent.chosen:
        chosen = answer.independent.chosen
        other = next((point for point in answer.independent.points if point is not chosen), None)
    display = JudgeAccuracyDisplay(
        {judge: best.accuracy[judge] for judge in shown},
        best.accuracy_interval,
        None if other is None else accuracy_floats(other),
        None if answer.truth is None else accuracy_floats(answer.truth),
    )
    drawn = "; crosses: the other point that explains the votes" if other is not None else ""
    yield Picture(
        f"How often each judge is right, with {round_share(answer.question.level)} intervals{drawn}.",
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


def _with_interval(estimate: Estimate, judge: str, label: str) -> str:
    value = estimate.accuracy[judge][label]
    if value is None:
        return "not known"
    around = estimate.accuracy_interval
    interval = None if around is None else around[judge][label]
    return share(value) + ("" if interval is None else f" ({share_range(interval)})")


def evaluators_blocks(answer: JudgesAnswer) -> Iterator[Block]:
    """Yield what each evaluator says, and how often smaller tests fail."""
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
    long_run = [
        estimate.title
        for estimate in answer.estimates
        if estimate.intervals is not None and estimate.evaluator.intervals == "the long run"
    ]
    if long_run:
        note += (
            f" The intervals of {' and of '.join(long_run)} are for such items in the long run, all "
            "others for these items."
        )
    if rows:
        yield Grid("What each evaluator says", columns, tuple(rows), note.strip())
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


def windows_blocks(answer: JudgesAnswer) -> Iterator[Block]:
    """Yield the prevalence window by window, and whether votes changed."""
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
