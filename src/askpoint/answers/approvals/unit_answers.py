"""One unit in the answer to a log: an agent's tool with a class of arguments, and whether it may act alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from askpoint.answers.approvals.licence_question import ApprovalQuestion
from askpoint.live.licences.action_classes import HARMS, ActionClass, strictest
from askpoint.live.licences.amount_steps import AmountStep
from askpoint.live.licences.audit_ladder import AuditLadder
from askpoint.live.licences.certificate import grant_bound, missed_peak
from askpoint.live.licences.error_posterior import acting_regret, bearable_misses
from askpoint.live.licences.forecast import GrantForecast, mean_rate
from askpoint.live.licences.label_rules import CountedLabel
from askpoint.live.licences.reading_share import evidence_with_gold
from askpoint.live.licences.replay import LicenceHistory, LicenceTerms
from askpoint.live.licences.without_each import Pivot, find_pivot
from askpoint.records.approved_actions import ApprovalLog

__all__ = ["UnitAnswer", "judge_unit"]

_LADDER = AuditLadder()

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
    audit_rate : float
        Share of its actions that people still see: all, without a licence.
    evidence : float
        Now; with golden actions, that of the true rate.
    bound : float
        What a licence takes.
    holds_below : float or None
        A licence holds where readers overlook less than this share of bad actions.
    forecast : GrantForecast or None
        Of a unit that has none.
    step : AmountStep or None
        Up to which amount it may act alone, where it may not as a whole and the log supports one.
    waits_for : str
        The more cautious step of its amount that has no licence, where it has earned one itself.
    pivot : Pivot or None
        The approver without whose decisions it would not have earned its licence; None where it would, or where the log
        does not say who decided.
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
    audit_rate: float
    evidence: float
    bound: float
    holds_below: float | None
    forecast: GrantForecast | None
    step: AmountStep | None = None
    waits_for: str = ""
    pivot: Pivot | None = None

    @property
    def rate(self) -> float:
        """Share of bad actions to be expected."""
        return mean_rate(self.bad, self.counted)


def judge_unit(
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
    """Say whether a unit may act alone, by the rows of the log that are its own."""
    harm = strictest([one for i in rows if (one := log.harms[i]) is not None])
    if declared is not None and declared.harm is not None:
        harm = strictest([declared.harm, *([harm] if harm else [])])
    bound = grant_bound(terms.delta, history.episode)
    now = float(history.evidence[-1]) if len(bad) > history.since else 0.0
    greatest = history.greatest
    is_granted = is_earned = history.granted is not None
    since = bad[history.since :]
    counts_money = terms.pays_below is not None
    if question.golden and not counts_money:
        path = evidence_with_gold(since, question.golden, terms.limit)
        greatest = float(path.max(initial=0.0))
        is_granted = is_granted and greatest >= bound
        now = float(path[-1]) if len(path) else 0.0
    pivot = None
    if is_granted and not counts_money:
        pivot = _find_pivot(rows, log, labels, history, terms.limit, bound)
        is_granted = not (question.without_each and pivot)
    why = _never(harm, declared)
    state: _State = "never" if why else "licensed" if is_granted else _chance(forecast, is_earned)
    level = _level(greatest, bound, counts_money=counts_money) if state == "licensed" else 0
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
        level=level,
        audit_rate=_audit_rate(level, since, terms, losses=len(history.lost)),
        evidence=now,
        bound=bound,
        holds_below=_holds_below(since, terms, bound) if is_granted else None,
        forecast=forecast,
        pivot=pivot,
    )


def _find_pivot(
    rows: Sequence[int],
    log: ApprovalLog,
    labels: Sequence[CountedLabel],
    history: LicenceHistory,
    limit: float,
    bound: float,
) -> Pivot | None:
    """Return on whose word the present licence hangs, where the log says who decided."""
    counted = [i for i in rows if labels[i].bad is not None][history.since :]
    bad = [labels[i].bad or 0.0 for i in counted]
    by = [log.actions[i].reviewer for i in counted]
    return find_pivot(bad, by, limit, bound, again=history.episode > 1) if any(by) else None


def _level(evidence: float, bound: float, *, counts_money: bool) -> int:
    return len(_LADDER.rates) if counts_money else _LADDER.level(evidence, bound)


def _audit_rate(level: int, bad: Sequence[float], terms: LicenceTerms, *, losses: int) -> float:
    """Return the share that people still see, with the labels of this episode."""
    if not level or terms.pays_below is None:
        return _LADDER.rate(level, losses)
    return _LADDER.rate_by_regret(float(acting_regret(len(bad), sum(bad), terms.limit)), losses)


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
