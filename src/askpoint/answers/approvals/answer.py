"""Which of its actions an agent may take alone, from what people decided about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from askpoint.answers.approvals.grant_forecasts import forecast_units
from askpoint.answers.approvals.licence_question import ApprovalQuestion
from askpoint.answers.approvals.policy_terms import door_policy, log_policy, unit_terms
from askpoint.answers.approvals.reviewer_pace import ReviewerPace, measure_pace
from askpoint.answers.approvals.step_search import find_amounts, find_step
from askpoint.answers.approvals.unit_answers import UnitAnswer, judge_unit
from askpoint.errors import InputError
from askpoint.live.licences.action_classes import OTHER, ActionClass, find_class
from askpoint.live.licences.forecast import draw_rates
from askpoint.live.licences.label_rules import CountedLabel, count_labels
from askpoint.live.licences.policy import LicencePolicy
from askpoint.live.licences.replay import LicenceTerms, replay_labels
from askpoint.measures.inputs import FloatArray
from askpoint.measures.intervals import Interval
from askpoint.records.approved_actions import ApprovalLog

__all__ = ["ApprovalAnswer", "MonthlySaving", "answer_approvals"]

_DRAWS = 4000
_MONTH = 30


@dataclass(frozen=True)
class MonthlySaving:
    """What licences save in 30 days, where a check's time or price was stated.

    Parameters
    ----------
    hours : float or None
        Of approvers.
    checks : float or None
        The price of the checks that fall away.
    money : float or None
        The same less what bad actions are expected to cost.
    interval : Interval or None
        95% of what that may come to.
    """

    hours: float | None
    checks: float | None
    money: float | None
    interval: Interval | None


@dataclass(frozen=True, eq=False)
class ApprovalAnswer:
    """What a log of approvals says.

    Parameters
    ----------
    question : ApprovalQuestion
    log : ApprovalLog
    labels : tuple of CountedLabel
        Of each action.
    units : tuple of UnitAnswer
        Licensed ones first; then by what they may save.
    older : dict of (agent, version) to (int, float)
        Labels, and bad ones, of versions that are no longer in use.
    reviewers : tuple of ReviewerPace
        The most hasty first.
    searched : int
        Units of which steps of an amount were tried: each as good as one more unit to what is promised.
    """

    question: ApprovalQuestion
    log: ApprovalLog
    labels: tuple[CountedLabel, ...]
    units: tuple[UnitAnswer, ...]
    older: dict[tuple[str, str], tuple[int, float]]
    reviewers: tuple[ReviewerPace, ...]
    searched: int = 0

    @property
    def counted(self) -> int:
        """Decisions that are labels."""
        return sum(one.bad is not None for one in self.labels)

    @property
    def not_counted(self) -> dict[str, int]:
        """Decisions that are none, by reason, the most frequent first."""
        return dict(Counter(one.reason for one in self.labels if one.reason).most_common())

    @property
    def licensed(self) -> tuple[UnitAnswer, ...]:
        """Units that may act alone."""
        return tuple(one for one in self.units if one.state == "licensed")

    @property
    def alone(self) -> int:
        """Actions of the log that licensed units would take without asking first."""
        return sum(one.asked for one in self.licensed)

    @property
    def still_asked(self) -> float:
        """Actions of the log that people would still see: asked ones, and audits."""
        return len(self.log) - sum(one.asked * (1 - one.audit_rate) for one in self.licensed)

    @cached_property
    def _bad_drawn(self) -> FloatArray:
        """Bad actions of each licensed unit in futures as long as the log."""
        rng = np.random.default_rng(self.question.seed)
        drawn = [
            rng.binomial(one.asked, draw_rates(one.bad, one.counted, _DRAWS, rng))
            for one in self.licensed
        ]
        return np.array(drawn, dtype=np.float64).reshape(len(drawn), _DRAWS)

    @property
    def bad_alone(self) -> tuple[float, Interval]:
        """Bad actions to be expected among those taken alone, and 95% of what may come."""
        mean = sum(one.asked * one.rate for one in self.licensed)
        low, high = np.quantile(self._bad_drawn.sum(axis=0), (0.025, 0.975))
        return mean, Interval(float(low), float(high))

    @property
    def saved(self) -> MonthlySaving | None:
        """What the licences save in 30 days; None where the log is of no length."""
        if not self.log.days:
            return None
        month, question = _MONTH / self.log.days, self.question
        spared = (len(self.log) - self.still_asked) * month
        hours = None if question.minutes is None else spared * question.minutes / 60
        if question.check is None or question.mistake is None:
            return MonthlySaving(hours, None, None, None)
        checks = spared * question.check
        prices = np.array([one.price or question.mistake for one in self.licensed])
        expected = sum(
            one.asked * one.rate * price for one, price in zip(self.licensed, prices, strict=True)
        )
        low, high = np.quantile(prices @ self._bad_drawn, (0.025, 0.975))
        interval = Interval(float(checks - month * high), float(checks - month * low))
        return MonthlySaving(hours, checks, float(checks - month * expected), interval)

    @property
    def bad_seen(self) -> float:
        """Those of them that audits would see."""
        return sum(one.asked * one.rate * one.audit_rate for one in self.licensed)

    @property
    def unlicensed_alone(self) -> tuple[UnitAnswer, ...]:
        """Units that act alone today, by a rule, and have no licence."""
        return tuple(one for one in self.units if one.by_rule and one.state != "licensed")

    @property
    def policy(self) -> LicencePolicy:
        """The terms of these licences for a door: its classes, or each tool as one, or by the step that the log supports.

        Each with the harm that the log says. Evidence is not among them: `Licences.learn` takes it in, from the log.
        """
        return door_policy(self.log, self.question, self.units)

    @property
    def splits(self) -> tuple[str, ...]:
        """Tools whose arguments hold a number or a yes or no: whose actions may differ in kind."""
        found: dict[str, None] = {}
        for tool, arguments in zip(self.log.tools, self.log.arguments, strict=True):
            for name, value in (arguments or {}).items():
                if isinstance(value, float | bool):
                    found[f"{tool} ({name})"] = None
        return tuple(found)


def answer_approvals(log: ApprovalLog, question: ApprovalQuestion) -> ApprovalAnswer:
    """Say which units of a log may act alone.

    Raises
    ------
    InputError
        If the log holds no action.
    """
    if not len(log):
        raise InputError("the log holds no action: not a single row")
    labels = tuple(count_labels(log.actions, question.rules, question.until))
    newest = dict(zip(log.agents, log.versions, strict=True))  # the last one stays
    rows: dict[tuple[str, str, str], list[int]] = {}
    declared: dict[tuple[str, str, str], ActionClass | None] = {}
    older: dict[tuple[str, str], list[int]] = {}
    for i, (agent, version, tool) in enumerate(
        zip(log.agents, log.versions, log.tools, strict=True)
    ):
        if version != newest[agent]:
            older.setdefault((agent, version), []).append(i)
            continue
        kind = (
            ActionClass(tool)
            if question.classes is None
            else find_class(question.classes, tool, log.arguments[i])
        )
        unit = (agent, tool, OTHER if kind is None else kind.name)
        rows.setdefault(unit, []).append(i)
        declared[unit] = kind
    bad = {
        unit: tuple(said for i in found if (said := labels[i].bad) is not None)
        for unit, found in rows.items()
    }
    policy = log_policy(log, question)
    terms = {unit: unit_terms(policy, declared[unit], question.golden) for unit in rows}
    histories = {
        (said, terms[unit]): replay_labels(said, terms[unit]) for unit, said in bad.items()
    }
    forecasts = forecast_units(histories, question)
    units = [
        judge_unit(
            *(unit, newest[unit[0]], declared[unit], found, log, labels, question, bad[unit]),
            *(terms[unit], histories[bad[unit], terms[unit]]),
            forecasts.get((bad[unit], terms[unit])),
        )
        for unit, found in rows.items()
    ]
    units = _hold_steps(units, policy, declared)
    units, searched = _search_steps(units, declared, rows, log, labels, question, terms)
    order = {"licensed": 0, "not yet": 1, "unlikely": 2, "never": 3}
    units.sort(key=lambda one: (order[one.state], -one.level, -one.asked))
    return ApprovalAnswer(
        question,
        log,
        labels,
        tuple(units),
        {version: _tally(labels, found) for version, found in older.items()},
        measure_pace(log, labels),
        searched,
    )


def _hold_steps(
    units: Sequence[UnitAnswer],
    policy: LicencePolicy,
    declared: Mapping[tuple[str, str, str], ActionClass | None],
) -> list[UnitAnswer]:
    """Let a step of an amount that has earned a licence wait where a more cautious one has none."""
    may = {(one.agent, one.tool, one.name) for one in units if one.state == "licensed"}
    found = []
    for one in units:
        unit = (one.agent, one.tool, one.name)
        steps = (step.name for step in policy.cautious_steps(declared[unit]))
        waits_for = next((step for step in steps if (*unit[:2], step) not in may), "")
        if unit in may and waits_for:
            one = replace(
                one, state="not yet", level=0, audit_rate=1.0, holds_below=None, waits_for=waits_for
            )
        found.append(one)
    return found


def _search_steps(
    units: Sequence[UnitAnswer],
    declared: Mapping[tuple[str, str, str], ActionClass | None],
    rows: Mapping[tuple[str, str, str], Sequence[int]],
    log: ApprovalLog,
    labels: Sequence[CountedLabel],
    question: ApprovalQuestion,
    terms: Mapping[tuple[str, str, str], LicenceTerms],
) -> tuple[list[UnitAnswer], int]:
    """Look for a step of an amount in each tool that earned no licence as a whole; in how many there was one to try."""
    found, searched = list[UnitAnswer](), 0
    harder = bool(question.golden) or question.without_each  # by these a step is not tested
    for one in units:
        unit = (one.agent, one.tool, one.name)
        kind = declared[unit]
        is_whole = kind is not None and not kind.conditions and one.aim == "promise"
        if is_whole and one.state in ("not yet", "unlikely") and not harder:
            amounts = find_amounts(log, rows[unit])
            searched += bool(amounts)
            one = replace(one, step=find_step(labels, rows[unit], amounts, terms[unit]))
        found.append(one)
    return found, searched


def _tally(labels: Sequence[CountedLabel], rows: Sequence[int]) -> tuple[int, float]:
    bad = [said for i in rows if (said := labels[i].bad) is not None]
    return len(bad), sum(bad)
