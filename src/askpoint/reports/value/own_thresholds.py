"""Thresholds of groups, and promises of groups, said."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from askpoint.answers.value.answer import ValueAnswer
from askpoint.answers.value.by_group import GroupPromise, GroupThresholds
from askpoint.reports.document import Block, Grid, Notice, Paragraph
from askpoint.reports.value.thresholds import format_threshold, threshold_number
from askpoint.reports.words import amount, count, plural, round_share, share

__all__ = [
    "group_differences_blocks",
    "group_promises_grid",
    "own_object",
    "own_thresholds_blocks",
    "promise_object",
    "warn_of_missed_groups",
]

_MOST_ROWS = 50
_WORTH_SAYING = 0.5  # checks per 1,000 cases


def own_thresholds_blocks(answer: ValueAnswer, found: GroupThresholds) -> Iterator[Block]:
    """Yield what a threshold for each group would do beside the common one."""
    yield Paragraph(_lead(answer, found))
    order = sorted(range(len(found.groups)), key=lambda i: -found.groups[i].n_items)
    rows = []
    for i in order[:_MOST_ROWS]:
        each = found.groups[i]
        low, high = (amount(1000 * end) for end in (each.mistakes.low, each.mistakes.high))
        rows.append(
            (
                _name(found.names[i]),
                count(each.n_items),
                count(each.n_labelled),
                format_threshold(answer, each.threshold),
                share(each.asked),
                f"{amount(1000 * each.mistakes.mean)} ({low} to {high})",
                each.differs,
            )
        )
    more = len(order) - len(rows)
    yield Grid(
        "A threshold for each group",
        (
            "group",
            "cases",
            "labels",
            "threshold",
            "to review",
            "mistakes per 1,000",
            "differs",
        ),
        tuple(rows),
        "Asked and mistakes are those of the group's own cases at its own threshold, in the long run; in brackets "
        "95% of the draws. Differs: whether its own threshold is known to cost less than the common one. "
        + (
            f"{plural(more, 'smaller group is', 'smaller groups are')} in the JSON only."
            if more
            else ""
        ),
    )


def group_differences_blocks(answer: ValueAnswer, found: GroupThresholds) -> Iterator[Block]:
    """Yield the same in short: which groups differ from the common threshold."""
    yield Paragraph(_lead(answer, found))
    order = sorted(range(len(found.groups)), key=lambda i: -found.groups[i].n_items)[:_MOST_ROWS]
    rows = tuple(
        (
            _name(found.names[i]),
            format_threshold(answer, found.groups[i].threshold),
            found.groups[i].differs,
        )
        for i in order
    )
    yield Grid(
        "In a report on the same log",
        ("group", "threshold", "differs"),
        rows,
        "A report is looked at once, and the policy must stay right however often it looks, so their thresholds are not the "
        "same. Differs: whether the group's own threshold is known to cost less than the common one.",
    )


def warn_of_missed_groups(found: GroupThresholds) -> Iterator[Block]:
    """Yield that whole groups have no label, which bears on every number about all cases."""
    names = found.find_missed()
    if not names:
        return
    cases = sum(each.n_items for each in found.groups)
    theirs = sum(
        each.n_items for name, each in zip(found.names, found.groups, strict=True) if name in names
    )
    shown = ", ".join(map(_name, names[:5])) + (" and others" if len(names) > 5 else "")
    yield Notice(
        f"None of the labels is of {shown}, {share(theirs / cases)} of the cases, so the labels were not drawn at random "
        "from all groups. The numbers of all cases take the model to be right there as often as in the other groups, "
        "and the intervals do not hold this doubt.",
        "--propose 100 with --by names cases of these groups first.",
    )


def _lead(answer: ValueAnswer, found: GroupThresholds) -> str:
    threshold = "" if answer.tomorrow is None else answer.tomorrow.best.threshold
    common = format_threshold(answer, float(threshold or 0.0))
    known = [_name(n) for n, g in zip(found.names, found.groups, strict=True) if g.differs == "yes"]
    alike = f"That all groups are alike has a probability of {share(found.alike)}."
    if known:
        shown = ", ".join(known[:5]) + (" and others" if len(known) > 5 else "")
        return (
            f"Known to differ from the common threshold {common}: {shown}. Thresholds of their own are expected "
            f"to save {amount(found.saved_per_1000)} checks per 1,000 cases. {alike}"
        )
    if found.saved_per_1000 < _WORTH_SAYING:
        return f"The common threshold {common} does as well for every group. {alike}"
    return (
        f"No group is known to need a threshold other than the common one, {common}. Those below are best "
        f"guesses, expected to save {amount(found.saved_per_1000)} checks per 1,000 cases. {alike}"
    )


def group_promises_grid(answer: ValueAnswer, promises: tuple[GroupPromise, ...]) -> Grid:
    """Return what is promised of each group, under one delta."""
    objective = answer.question.objective
    delta, risk = objective.promise_delta or 0.0, objective.error_limit or 0.0
    rows = tuple(
        (
            _name(each.name),
            count(each.n_labelled),
            format_threshold(answer, each.threshold),
            share(each.coverage),
            _why(each),
        )
        for each in sorted(promises, key=lambda each: -each.n_labelled)[:_MOST_ROWS]
    )
    needed = promises[0].n_needed
    return Grid(
        "A promise for each group",
        ("group", "labels", "threshold", "decided alone", "why not"),
        rows,
        f"With a probability of {round_share(1 - delta)} at most {round_share(risk)} of the answers are wrong in every "
        f"group that has a threshold here, looked at once. A group takes {count(needed)} labels to be tested. The "
        "promise above, about all cases together, says nothing of any one group.",
    )


def _why(each: GroupPromise) -> str:
    if each.is_tested:
        return "too many mistakes" if each.coverage == 0 else "–"
    return f"too few labels: it takes {count(each.n_needed)}"


def _name(name: str | None) -> str:
    return "(none)" if name is None else name


def own_object(answer: ValueAnswer, found: GroupThresholds) -> dict[str, Any]:
    """Return the thresholds as part of a JSON object."""
    missed = found.find_missed()
    return {
        "alike": found.alike,
        "saved_per_1000": found.saved_per_1000,
        "groups": [
            {
                "group": name,
                "n_items": each.n_items,
                "n_labelled": each.n_labelled,
                "threshold": threshold_number(answer, each.threshold),
                "asked": each.asked,
                "mistakes": {
                    "share": each.mistakes.mean,
                    "interval": [each.mistakes.low, each.mistakes.high],
                },
                "saved_per_1000": each.saved_per_1000,
                "differs": each.differs,
                "passed_over": name in missed,
                "reasons": {}
                if each.threshold < float("inf")
                else {"threshold": "infinite: send every case to review"},
            }
            for name, each in zip(found.names, found.groups, strict=True)
        ],
    }


def promise_object(answer: ValueAnswer, promises: tuple[GroupPromise, ...]) -> list[dict[str, Any]]:
    """Return the promises of groups as part of a JSON object."""
    return [
        {
            "group": each.name,
            "n_labelled": each.n_labelled,
            "n_needed": each.n_needed,
            "threshold": threshold_number(answer, each.threshold),
            "coverage": each.coverage,
            "reasons": {} if each.coverage else {"threshold": _why(each)},
        }
        for each in promises
    ]
