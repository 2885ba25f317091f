"""The tables and pictures of the judges' answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.answers.judges.estimate import MethodEstimate
from askpoint.judges.evaluators import DAWID_SKENE, MAJORITY, WITH_GOLD
from askpoint.measures.intervals import Interval
from askpoint.reports.document import Block, Grid, Notice, Paragraph, Picture
from askpoint.reports.judges.trust import doubt_words
from askpoint.reports.words import amount, count, rough, round_share, share, share_range

__all__ = ["evaluators_blocks", "judges_blocks", "possible_share"]

_MOST_ROWS = 20
_MOST_LABELS = 6
_Around = Mapping[str, Mapping[str, Interval | None]] | None


def judges_blocks(answer: JudgesAnswer) -> Iterator[Block]:
    """Yield how often each judge is right, by the estimate to believe first."""
    best = answer.best
    is_majority = best is not None and best.evaluator is MAJORITY
    if best is None or (is_majority and len(answer.sketch.judges) < 3):
        return
    n_votes = answer.sketch.cells().votes_cast().tolist()
    order = sorted(range(len(n_votes)), key=lambda i: -n_votes[i])[:_MOST_ROWS]
    shown = [answer.sketch.judges[i] for i in order]
    shown_labels = answer.sketch.labels[:_MOST_LABELS]
    around, brackets = _around(answer, best)
    rows = tuple(
        (
            judge,
            count(n_votes[i]),
            *(
                "never labelled"
                if label in answer.never_labelled and best.evaluator.uses_labels
                else _with_interval(best.accuracy, around, judge, label)
                for label in shown_labels
            ),
        )
        for judge, i in zip(shown, order, strict=True)
    )
    left = len(answer.sketch.judges) - len(shown)
    left_labels = len(answer.sketch.labels) - len(shown_labels)
    title, of = "How often each judge is right on the items of a label", "right on"
    if is_majority:
        title, of = "How often each judge votes as the majority does", "on"
    yield Grid(
        title,
        ("judge", "votes", *(f"{of} {label}" for label in shown_labels)),
        rows,
        brackets
        + (f" The {len(shown)} who voted most often; --json has all." if left else "")
        + (f" The first {len(shown_labels)} labels; --json has all." if left_labels else ""),
    )
    limits = () if is_majority else best.evaluator.limits(answer.evidence, best.evaluation)
    for doubt in limits:
        yield Notice(f"Beware: {doubt_words(doubt)}.")

    def draw(ax: Any) -> object:
        from askpoint.displays.judges import JudgeAccuracyDisplay  # only pages need matplotlib

        accuracies = {judge: best.accuracy[judge] for judge in shown}
        return JudgeAccuracyDisplay(accuracies, around).plot(ax)

    yield Picture(
        f"{title}. {brackets}".strip(),
        "; ".join(
            f"{judge}: "
            + ", ".join(
                f"{label} {_with_interval(best.accuracy, around, judge, label)}"
                for label in answer.sketch.labels
            )
            for judge in shown
        ),
        draw,
        1.4 + 0.32 * len(shown),
    )


def _around(answer: JudgesAnswer, best: MethodEstimate) -> tuple[_Around, str]:
    """What stands around each accuracy, and the words for that."""
    if best.evaluator.uses_labels:
        level = round_share(answer.question.level)
        return best.accuracy_interval, f"In brackets and as lines: {level} intervals."
    if answer.blind_spots is None or best.evaluator is not DAWID_SKENE:
        return None, ""
    band = answer.blind_spots.band
    by_judge = {
        judge: {label: band.accuracy.get(judge, {}).get(label) for label in of}
        for judge, of in best.accuracy.items()
    }
    correlation = amount(answer.question.correlation)
    words = f"In brackets and as lines: if shared errors correlate by {correlation}."
    if len(answer.sketch.labels) > 2:
        words += (
            " With more than two labels the band held 76 to 99% of accuracies in crowds, and 39% of those of "
            "33 language models: labels tell."
        )
    return by_judge, words


def _with_interval(
    accuracy: Mapping[str, Mapping[str, float | None]], around: _Around, judge: str, label: str
) -> str:
    value = accuracy[judge][label]
    if value is None:
        return "not known"
    interval = None if around is None else around[judge][label]
    if interval is None:
        return rough(value)
    number, low, high = map(_percent, (value, *interval))
    return f"{number}% ({low} to {high})"


def _percent(value: float) -> str:
    """Whole, with one decimal near 0 and 100: a table has little room."""
    digits = 1 if 0 < min(value, 1 - value) < 0.01 else 0
    return f"{100 * value:.{digits}f}"


def evaluators_blocks(answer: JudgesAnswer) -> Iterator[Block]:
    """Yield what each evaluator says, and how often smaller tests fail."""
    label, known = answer.label, answer.by(WITH_GOLD)
    columns: tuple[str, ...] = ("evaluator", f"share of {label}")
    if known is not None:
        columns += ("interval", "prevalence off by", "accuracies off by")
    rows = []
    for estimate in answer.estimates:
        row = [estimate.title, possible_share(estimate.prevalence[label])]
        if estimate.evaluator.uses_labels:
            around = estimate.prevalence_interval
            found = None if around is None else around[label]
            row += ["" if found is None else share_range(found), "", ""]
        elif known is not None:
            off = estimate.accuracy_error(known.evaluation)
            by = share(estimate.prevalence_error(known.evaluation))
            row += ["", by, "" if off is None else share(off)]
        rows.append(tuple(row))
    note = (
        ""
        if known is None
        else "Off by: the greatest difference of prevalences, and the mean of accuracies, from the "
        "first row."
    )
    if any(_is_impossible(estimate) for estimate in answer.estimates):
        note += " A share below 0 or above 100% is an alarm: judges who err independently cannot vote so."
    if rows:
        yield Grid("What each evaluator says", columns, tuple(rows), note.strip())
    if answer.failures:

        def draw(ax: Any) -> object:
            from askpoint.displays.judges import FailureRateDisplay  # only pages need matplotlib

            return FailureRateDisplay({"these judges": answer.failures}).plot(ax)

        yield Paragraph(
            "Smaller tests of these judges fail more often to give a seemingly correct answer: "
            + ", ".join(f"{count(n)} items {share(rate)}" for n, rate in answer.failures[:6])
            + "."
        )
        yield Picture(
            "How often a test with fewer of these items fails.",
            "; ".join(f"{count(n)} items: {share(rate)}" for n, rate in answer.failures),
            draw,
            2.8,
        )


def possible_share(value: float) -> str:
    """Write a share that may lie outside what is possible, which is the alarm that sounds then."""
    return share(value) if 0 <= value <= 1 else f"{100 * value:.1f}% (impossible)"


def _is_impossible(estimate: MethodEstimate) -> bool:
    return not all(0 <= value <= 1 for value in estimate.prevalence.values())
