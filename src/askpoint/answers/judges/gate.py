"""A gate: does a number pass its bar, fail it, or can that not be decided yet?

A verdict is about the interval, never about the number in its middle: at the very edge a gate
passes falsely no more often than the interval misses to one side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from math import ceil

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.answers.judges.gate_faults import FAULTS
from askpoint.answers.judges.plan import plan_labels
from askpoint.answers.judges.systems import SystemsAnswer
from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.gold.evaluation import evaluate_with_gold
from askpoint.judges.sketch.tables import VoteTable
from askpoint.measures.intervals import Interval

__all__ = [
    "GateOutcome",
    "Verdict",
    "by_faults",
    "by_share",
    "labels_to_begin",
    "labels_to_decide",
    "no_worse_than",
    "outcome_of",
    "pass_share",
]

_LEVEL = 0.05
_FIRST_BATCH = 25
_TOO_FEW = 3  # labelled items: evaluations of so few are common, and tell nothing
_NEAR, _FAR = 0.01, 0.2  # half widths that a first plan is made for


class GateOutcome(Enum):
    """What a gate says; the value is for programs."""

    PASSES = "passes"
    FAILS = "fails"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Verdict:
    """What became of one requirement.

    Attributes
    ----------
    rule : {"at least", "right on", "no worse than", "alarm", "drift"}
    subject : str
        What the number is of: a label, a model, or a system.
    outcome : Outcome
    edge, value : float or None
        The bar, and the estimate; None without a number.
    interval : Interval or None
    n_gold : int
        Labelled items behind it.
    more : int or None
        About how many more labels would decide; None if decided, or if nobody can tell.
    against : str
        The system that another is compared with.
    reason : str
        Why it fails, or cannot be decided.
    """

    rule: str
    subject: str
    outcome: GateOutcome
    edge: float | None = None
    value: float | None = None
    interval: Interval | None = None
    n_gold: int = 0
    more: int | None = None
    against: str = ""
    reason: str = ""


def outcome_of(verdicts: Iterable[Verdict]) -> GateOutcome:
    """Return what becomes of all: one that fails is enough, else one that is undecided."""
    found = {verdict.outcome for verdict in verdicts}
    return next(
        (one for one in (GateOutcome.FAILS, GateOutcome.UNDECIDED) if one in found),
        GateOutcome.PASSES,
    )


def labels_to_decide(value: float, interval: Interval, edge: float, n: int, n_items: int) -> int:
    """Return about how many more labels bring the interval's end to the edge, if the value stays."""
    end = interval.lower if value >= edge else interval.upper
    gap, reach = abs(value - edge), abs(value - end)
    if n >= n_items or reach <= gap:
        return 0
    inverse = (gap / reach) ** 2 * (1 / n - 1 / n_items) + 1 / n_items
    return min(max(ceil(1 / inverse) - n, 1), n_items - n)


def pass_share(
    answer: JudgesAnswer, *, any_time: bool = False
) -> tuple[float, Interval, int] | None:
    """Return the share of the label of interest, its interval and the labels behind; or None."""
    gold = answer.evidence.gold
    if gold is None or not gold.n_items:
        return None
    try:
        found = evaluate_with_gold(answer.sketch, gold)
    except NotEstimableError:
        return None
    interval = found.interval(answer.question.level, any_time=any_time).prevalence[answer.label]
    if interval is None:
        return None
    return float(found.prevalence[answer.label]), interval, found.n_gold


def labels_to_begin(table: VoteTable, by_votes: float, edge: float) -> int:
    """Return about how many labels would decide, if the votes were right on the whole."""
    within = min(max(abs(by_votes - edge), _NEAR), _FAR)
    return plan_labels(table, {}, within=within).random


def by_share(
    subject: str,
    edge: float,
    share: tuple[float, Interval, int] | None,
    n_items: int,
    more: int | None = None,
    reason: str = "no labels by people",
    rule: str = "at least",
) -> Verdict:
    """Say whether a share is at least the edge; `more` is how many labels to begin with.

    The share is that of a label, or of the cases that a model is "right on".
    """
    if not 0 < edge < 1:
        raise InputError(f"--at-least takes a share between 0 and 1, such as 0.7; got {edge:g}")
    if share is None:
        return Verdict(rule, subject, GateOutcome.UNDECIDED, edge, more=more, reason=reason)
    return _judge_share(rule, subject, edge, share, n_items)


def no_worse_than(answer: SystemsAnswer, by: float) -> Verdict:
    """Say whether the second system is worse than the first by no more than a margin."""
    if not 0 <= by < 1:
        raise InputError(f"--margin takes a share from 0 to 1, such as 0.02; got {by:g}")
    first, second = answer.names
    found, rule = answer.comparison, "no worse than"
    if found is None:
        more = min(_pairs_to_begin(answer, -by), answer.n_items - answer.n_gold)
        return Verdict(
            rule, second, GateOutcome.UNDECIDED, -by, more=more, against=first, reason=answer.reason
        )
    share = (found.difference, found.interval, found.n_gold)
    return _judge_share(rule, second, -by, share, found.n_items, first)


def _pairs_to_begin(answer: SystemsAnswer, edge: float) -> int:
    """Return about how many pairs of labels would decide, if the votes were right on the whole."""
    gap = abs(answer.by_votes[1] - answer.by_votes[0] - edge)
    within = min(max(gap, _NEAR), _FAR) / 1.96
    spread = answer.expected_spread
    wanted = ceil(spread / (within**2 + spread / answer.n_items))
    return min(max(wanted, _FIRST_BATCH), answer.n_items)


def _judge_share(
    rule: str,
    subject: str,
    edge: float,
    share: tuple[float, Interval, int],
    n_items: int,
    against: str = "",
) -> Verdict:
    value, interval, n = share
    more, reason = None, ""
    if n <= _TOO_FEW:  # whatever the interval says: nobody shall rest a release on three items
        outcome = GateOutcome.UNDECIDED
        more = max(min(_FIRST_BATCH, n_items) - n, 0)
        reason = f"So few labels ({n}) decide nothing"
    elif interval.lower >= edge:
        outcome = GateOutcome.PASSES
    elif interval.upper < edge:
        outcome = GateOutcome.FAILS
    elif n >= n_items:  # all is known, but for the half item that intervals add
        outcome = GateOutcome.PASSES if value >= edge else GateOutcome.FAILS
    else:
        outcome = GateOutcome.UNDECIDED
        more = labels_to_decide(value, interval, edge, n, n_items)
    return Verdict(
        rule=rule,
        subject=subject,
        outcome=outcome,
        edge=edge,
        value=value,
        interval=interval,
        n_gold=n,
        more=more,
        against=against,
        reason=reason,
    )


def by_faults(answer: JudgesAnswer, faults: Sequence[str]) -> list[Verdict]:
    """Fail if the alarm fires, or a judge changed."""
    found = []
    for fault in faults:
        if fault not in FAULTS:
            raise InputError(f"--fail-on knows {' and '.join(FAULTS)}; got {fault!r}")
        found.append(_by_alarm(answer) if fault == "alarm" else _by_drift(answer))
    return found


def _by_alarm(answer: JudgesAnswer) -> Verdict:
    alarm = answer.alarm
    if alarm is None:
        why = answer.reasons.get("alarm", "")
        return Verdict("alarm", "the alarm", GateOutcome.UNDECIDED, reason=why)
    if alarm.fires:
        return Verdict("alarm", "the alarm", GateOutcome.FAILS, reason=alarm.reason)
    return Verdict("alarm", "the alarm", GateOutcome.PASSES)


def _by_drift(answer: JudgesAnswer) -> Verdict:
    names = (
        []
        if answer.anchors is None
        else [judge for judge, change in answer.anchors.items() if change.p_value <= _LEVEL]
    )
    if answer.drift is None and answer.anchors is None:
        if answer.question.window is None:
            raise InputError(
                "--fail-on drift needs --window N, or --anchor FILE with earlier votes on the same items"
            )
        why = answer.reasons.get("drift", "")
        return Verdict("drift", "drift", GateOutcome.UNDECIDED, reason=why)
    if answer.drift is not None:
        names += [judge for judge in answer.drift.alarms if judge not in names]
    if names:
        return Verdict("drift", "drift", GateOutcome.FAILS, reason=f"{', '.join(names)} changed")
    return Verdict("drift", "drift", GateOutcome.PASSES)
