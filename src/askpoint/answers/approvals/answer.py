"""Which of its actions an agent may take alone, from what people decided about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from askpoint.answers.approvals.licence_question import ApprovalQuestion
from askpoint.errors import InputError
from askpoint.live.licences.action_classes import HARMS, OTHER, ActionClass, find_class, strictest
from askpoint.live.licences.audit_ladder import AuditLadder
from askpoint.live.licences.certificate import (
    grant_bound,
    missed_peak,
)
from askpoint.live.licences.error_posterior import bearable_misses
from askpoint.live.licences.forecast import (
    GrantForecast,
    draw_rates,
    forecast_grants,
    forecast_paying,
    mean_rate,
)
from askpoint.live.licences.label_rules import CountedLabel, count_labels
from askpoint.live.licences.policy import LicencePolicy
from askpoint.live.licences.reading_share import evidence_with_gold
from askpoint.live.licences.replay import LicenceHistory, LicenceTerms, replay_labels
from askpoint.measures.inputs import FloatArray
from askpoint.measures.intervals import Interval
from askpoint.records.approved_actions import ApprovalLog

__all__ = ["ApprovalAnswer", "MonthlySaving", "ReviewerPace", "UnitAnswer", "answer_approvals"]

_FUTURES = (50, 300)  # of each forecast: least, where thousands of units wait, and most
_ALL_FUTURES = 60_000
_DRAWS = 4000
_MONTH = 30
_LADDER = AuditLadder()
_PARTS = 1000  # of a label, where its weight is a seed

_State = Literal["licensed", "not yet", "unlikely", "never"]


@dataclass(frozen=True, eq=False)
class UnitAnswer:
    """One unit: an agent's tool with a class of arguments, in the agent's present version.

    Parameters
    ----------
    agent, version, tool, name : str
        The unit; the name is its class.
    limit, aim : float, str
        On its share of bad actions; what a licence follows from.
    price : float or None
        Of a bad action, where its class states one.
    harm : str or None
        What a bad one does, as the class or the log declares it.
    asked, counted : int
        Actions in the log, and those whose decision is a label.
    bad : float
        Of the labels.
    not_counted : dict of str to int
        Reasons, as `NOT_COUNTED` words them.
    by_rule : int
        Actions that nobody was asked about.
    history : LicenceHistory
        Evidence, grants and losses.
    state : {"licensed", "not yet", "unlikely", "never"}
        May it act alone? Unlikely: within 3,000 more labels most futures do not bring it there.
    why : str
        Why never; empty otherwise.
    level : int
        Of a licence; 0 without one.
    evidence : float
        Now; with golden actions, that of the true rate.
    bound : float
        What a licence takes.
    holds_below : float or None
        A licence holds where readers overlook less than this share of bad actions.
    forecast : GrantForecast or None
        Of a unit that has none.
    """

    agent: str
    version: str
    tool: str
    name: str
    limit: float
    aim: str
    price: float | None
    harm: str | None
    asked: int
    counted: int
    bad: float
    not_counted: dict[str, int]
    by_rule: int
    history: LicenceHistory
    state: _State
    why: str
    level: int
    evidence: float
    bound: float
    holds_below: float | None
    forecast: GrantForecast | None

    @property
    def audit_rate(self) -> float:
        """Share of its actions that people still see: all, without a licence."""
        return _LADDER.rate(self.level)

    @property
    def rate(self) -> float:
        """Share of bad actions to be expected."""
        return mean_rate(self.bad, self.counted)


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


@dataclass(frozen=True)
class ReviewerPace:
    """How a reviewer decides.

    Parameters
    ----------
    name : str
    decided, fast, bulk : int
        Decisions; approvals within a second; approvals in bulk.
    """

    name: str
    decided: int
    fast: int
    bulk: int

    @property
    def unread(self) -> float:
        """Share of the decisions that cannot have been read."""
        return (self.fast + self.bulk) / self.decided


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
    """

    question: ApprovalQuestion
    log: ApprovalLog
    labels: tuple[CountedLabel, ...]
    units: tuple[UnitAnswer, ...]
    older: dict[tuple[str, str], tuple[int, float]]
    reviewers: tuple[ReviewerPace, ...]

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
        """The terms of these licences for a door: its classes, or each tool as one, with the harm that the log says.

        Evidence is not among them: `Licences.learn` takes it in, from the log.
        """
        terms = _terms(self.log, self.question)
        harms = {(one.tool, one.name): one.harm for one in self.units if one.harm is not None}
        named = []
        for kind in terms.classes:
            seen = [
                harm
                for (tool, name), harm in harms.items()
                if name == kind.name and kind.covers(tool)
            ]
            named.append(
                replace(kind, harm=strictest([*seen, *([kind.harm] if kind.harm else [])]))
            )
        return replace(terms, classes=tuple(named))

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
    policy = _terms(log, question)
    terms = {unit: _unit_terms(policy, declared[unit], question.golden) for unit in rows}
    histories = {
        (said, terms[unit]): replay_labels(said, terms[unit]) for unit, said in bad.items()
    }
    forecasts = _forecasts(histories, question)
    units = [
        _unit(
            *(unit, newest[unit[0]], declared[unit], found, log, labels, question, bad[unit]),
            *(terms[unit], histories[bad[unit], terms[unit]]),
            forecasts.get((bad[unit], terms[unit])),
        )
        for unit, found in rows.items()
    ]
    order = {"licensed": 0, "not yet": 1, "unlikely": 2, "never": 3}
    units.sort(key=lambda one: (order[one.state], -one.level, -one.asked))
    return ApprovalAnswer(
        question,
        log,
        labels,
        tuple(units),
        {version: _tally(labels, found) for version, found in older.items()},
        _paces(log, labels),
    )


def _terms(log: ApprovalLog, question: ApprovalQuestion) -> LicencePolicy:
    """Return the terms of the licences, before the log says what harm is done."""
    classes = question.classes or tuple(ActionClass(tool) for tool in dict.fromkeys(log.tools))
    return LicencePolicy(
        classes,
        limit=question.limit,
        check=question.check,
        delta=question.delta,
        aim=question.aim,
        labels=question.rules,
    )


def _unit_terms(
    policy: LicencePolicy, kind: ActionClass | None, golden: Sequence[bool]
) -> LicenceTerms:
    """Return what a licence of a class takes; what golden actions show to be overlooked makes acting dearer."""
    limit = policy.limit_of(kind)
    if policy.aim_of(kind) != "money":
        return LicenceTerms(limit, policy.delta)
    seen = len(golden) - sum(golden)
    # 1 / E[1 / (1 - m)] with m ~ Beta(missed + 1/2, seen + 1/2)
    share = max(0.0, (seen - 0.5) / len(golden)) if golden else 1.0
    return LicenceTerms(limit, policy.delta, pays_below=limit * share)


_Case = tuple[tuple[float, ...], LicenceTerms]
"""Labels of a unit, and what a licence takes."""


def _forecasts(
    histories: Mapping[_Case, LicenceHistory], question: ApprovalQuestion
) -> dict[_Case, GrantForecast]:
    """Return the forecast of each sequence of labels that has not earned a licence: names play no part."""
    asked = [case for case, history in histories.items() if history.granted is None]
    if not asked:
        return {}
    least, most = _FUTURES
    futures = min(most, max(least, _ALL_FUTURES // len(asked)))
    rates = [
        draw_rates(
            sum(bad),
            len(bad),
            futures,
            np.random.default_rng([question.seed, len(bad), round(sum(bad) * _PARTS)]),
        )
        for bad, _ in asked
    ]
    promised = [i for i, (_, terms) in enumerate(asked) if terms.pays_below is None]
    grants = forecast_grants(
        [histories[asked[i]].certificate for i in promised],
        np.array(rates)[promised],
        [grant_bound(question.delta, histories[asked[i]].episode) for i in promised],
        np.random.default_rng(question.seed),
    )
    found = {asked[i]: one for i, one in zip(promised, grants, strict=True)}
    for (bad, terms), drawn in zip(asked, rates, strict=True):
        if terms.pays_below is not None:
            since = bad[histories[bad, terms].since :]
            rng = np.random.default_rng(question.seed)
            found[bad, terms] = forecast_paying(
                len(since), sum(since), terms.pays_below, drawn, rng
            )
    return found


def _unit(
    unit: tuple[str, str, str],
    version: str,
    declared: ActionClass | None,
    rows: Sequence[int],
    log: ApprovalLog,
    labels: Sequence[CountedLabel],
    question: ApprovalQuestion,
    bad: tuple[float, ...],
    terms: LicenceTerms,
    history: LicenceHistory,
    forecast: GrantForecast | None,
) -> UnitAnswer:
    harm = strictest([one for i in rows if (one := log.harms[i]) is not None])
    if declared is not None and declared.harm is not None:
        harm = strictest([declared.harm, *([harm] if harm else [])])
    bound = grant_bound(question.delta, history.episode)
    now = float(history.evidence[-1]) if len(bad) > history.since else 0.0
    is_granted = is_earned = history.granted is not None
    since = bad[history.since :]
    counts_money = terms.pays_below is not None
    if question.golden and not counts_money:
        path = evidence_with_gold(since, question.golden, terms.limit)
        is_granted = is_granted and bool(path.max(initial=0.0) >= bound)
        now = float(path[-1]) if len(path) else 0.0
    why = _never(harm, declared)
    state: _State = "never" if why else "licensed" if is_granted else _chance(forecast, is_earned)
    return UnitAnswer(
        *(unit[0], version, unit[1], unit[2]),
        limit=terms.limit,
        aim="money" if counts_money else "promise",
        price=None if declared is None else declared.bad,
        harm=harm,
        asked=len(rows),
        counted=len(bad),
        bad=sum(bad),
        not_counted=dict(Counter(labels[i].reason for i in rows if labels[i].reason)),
        by_rule=sum(labels[i].reason == "rule" for i in rows),
        history=history,
        state=state,
        why=why,
        level=_level(now, bound, counts_money=counts_money) if state == "licensed" else 0,
        evidence=now,
        bound=bound,
        holds_below=_holds_below(since, terms, bound) if is_granted else None,
        forecast=forecast,
    )


def _level(evidence: float, bound: float, *, counts_money: bool) -> int:
    return len(_LADDER.rates) if counts_money else _LADDER.level(evidence, bound)


def _holds_below(bad: Sequence[float], terms: LicenceTerms, bound: float) -> float | None:
    """Return the share of bad actions that readers may overlook while the licence stands."""
    if terms.pays_below is None:
        return missed_peak(bad, terms.limit, bound)
    return bearable_misses(len(bad), sum(bad), terms.limit)


def _never(harm: str | None, declared: ActionClass | None) -> str:
    if declared is None:
        return "no declared class matches it"
    return "irreversible" if harm == HARMS[-1] and not declared.signed else ""


def _chance(forecast: GrantForecast | None, is_earned: bool) -> _State:
    """Not yet, where golden actions are all that is missing, or half of the futures get there."""
    if is_earned or (forecast is not None and forecast.median is not None):
        return "not yet"
    return "unlikely"


def _tally(labels: Sequence[CountedLabel], rows: Sequence[int]) -> tuple[int, float]:
    bad = [said for i in rows if (said := labels[i].bad) is not None]
    return len(bad), sum(bad)


def _paces(log: ApprovalLog, labels: Sequence[CountedLabel]) -> tuple[ReviewerPace, ...]:
    found: dict[str, Counter[str]] = {}
    for action, label in zip(log.actions, labels, strict=True):
        if action.reviewer and action.by_person and label.reason != "open":
            found.setdefault(action.reviewer, Counter())[label.reason or "read"] += 1
    paces = [ReviewerPace(name, n.total(), n["fast"], n["bulk"]) for name, n in found.items()]
    return tuple(sorted(paces, key=lambda one: (-one.unread, one.name)))
