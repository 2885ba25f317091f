"""Who changed from window to window, and how: in words, a table and a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.judges.checks.anchors import AnchorChange
from askpoint.judges.checks.drift import JudgeDrift
from askpoint.reports.document import Block, Grid, Notice, Paragraph, Picture
from askpoint.reports.words import amount, count, plural, probability, rough, share

__all__ = ["windows_blocks"]

_MOST_ROWS = 20
_LEVEL = 0.05


def windows_blocks(answer: JudgesAnswer) -> Iterator[Block]:
    """Yield who changed, and the prevalence window by window."""
    if answer.anchors is not None:
        yield from _anchors(answer.anchors)
    if not answer.windows:
        return
    label = answer.sketch.labels[0]
    yield from _drift(answer)
    yield from _drift_by_labels(answer)
    rows = tuple(
        (
            f"items {count(window.start + 1)} to {count(window.start + window.n_items)}",
            "no answer" if window.prevalence is None else share(window.prevalence),
        )
        for window in answer.windows[:_MOST_ROWS]
    )
    yield Grid(f"Prevalence of {label}", ("window", f"share of {label}"), rows)

    def draw(ax: Any) -> object:
        from askpoint.displays.judges import PrevalenceDisplay  # only pages need matplotlib

        return PrevalenceDisplay(
            [window.start + 1 for window in answer.windows],
            [window.prevalence for window in answer.windows],
            [None] * len(answer.windows),
            label,
        ).plot(ax)

    yield Picture(
        f"Prevalence of {label}, window by window.",
        "; ".join(f"{row[0]}: {row[1]}" for row in rows),
        draw,
        2.8,
    )


def _drift(answer: JudgesAnswer) -> Iterator[Block]:
    drift = answer.drift
    if drift is None:
        yield Paragraph(f"Whether a judge changed is not known: {answer.reasons.get('drift', '')}.")
        return
    for judge in drift.alarms:
        change = drift.judges[judge]
        if change is not None:
            yield Notice(
                f"{judge} changed since item {count(change.since + 1)}: {_change(change)} (p-value "
                f"{probability(change.p_value)}, with items free to change)."
            )
    known = {judge: one for judge, one in drift.judges.items() if one is not None}
    if not drift.alarms and known:
        judge = min(known, key=lambda name: known[name].p_value)
        yield Paragraph(
            f"No judge changed for sure. The least p-value is {judge}'s, "
            f"{probability(known[judge].p_value)}; below {amount(drift.level)} it would be an alarm, so "
            "that looking after each window raises a false one in 5 of 100 series at most. Items that "
            "are judged again (--anchor) would be the exact test."
        )
    if not known:
        yield Paragraph("Every judge has too few votes to tell who changed.")


def _drift_by_labels(answer: JudgesAnswer) -> Iterator[Block]:
    """What labels of both periods say, which needs no assumption and no third judge."""
    drift = answer.drift_by_labels
    if drift is None:
        if answer.n_gold:
            yield Paragraph(f"By labels: {answer.reasons.get('drift_by_labels', '')}.")
        return
    known = {judge: one for judge, one in drift.judges.items() if one is not None}
    for judge in drift.alarms:
        change = known[judge]
        yield Notice(
            f"By labels {judge} changed since item {count(change.since + 1)}: {_largest_move(change)} (p-value "
            f"{probability(change.p_value)}; nothing is assumed)."
        )
    if not drift.alarms and known:
        judge = min(known, key=lambda name: known[name].p_value)
        yield Paragraph(
            f"By labels of both periods no judge changed for sure. The least p-value is {judge}'s, "
            f"{probability(known[judge].p_value)}: {_largest_move(known[judge])}."
        )


def _largest_move(change: JudgeDrift) -> str:
    """Say on which label's items the accuracy moved most."""
    label = max(change.before, key=lambda name: abs(change.after[name] - change.before[name]))
    return (
        f"right on {rough(change.before[label])} of what is {label} before and on "
        f"{rough(change.after[label])} since"
    )


def _change(change: JudgeDrift) -> str:
    """Say on which label's items votes moved, and by how many percentage points."""
    labels = list(change.before)
    said = []
    for label, other in zip(labels, labels[::-1], strict=True):
        points = round(100 * (change.before[label] - change.after[label]))
        more = "more" if points > 0 else "fewer"
        said.append(
            (abs(points), f"says {other} of {abs(points)} points {more} of what is {label}")
        )
    told = [words for points, words in sorted(said, reverse=True) if points] or [said[0][1]]
    return ", and ".join(told)


def _anchors(anchors: Mapping[str, AnchorChange]) -> Iterator[Block]:
    moved = {judge: one for judge, one in anchors.items() if one.p_value <= _LEVEL}
    for judge, one in moved.items():
        yield Notice(
            f"{judge} changed: of {plural(one.n_items, 'item', 'items')} judged again {one.gained} became "
            f"{one.label} and {one.lost} ceased to be (McNemar's exact test, p-value "
            f"{probability(one.p_value)})."
        )
    if not moved:
        yield Paragraph(
            f"On items judged again none of {plural(len(anchors), 'judge', 'judges')} changed for sure "
            "(McNemar's exact test)."
        )
