"""The terms of licences that a log is read by, and those for the door that follow from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from askpoint.answers.approvals.licence_question import ApprovalQuestion
from askpoint.answers.approvals.unit_answers import UnitAnswer
from askpoint.live.licences.action_classes import ActionClass, strictest
from askpoint.live.licences.amount_steps import classes_by_step
from askpoint.live.licences.policy import LicencePolicy
from askpoint.live.licences.replay import LicenceTerms
from askpoint.records.approved_actions import ApprovalLog

__all__ = ["door_policy", "log_policy", "unit_terms"]


def log_policy(log: ApprovalLog, question: ApprovalQuestion) -> LicencePolicy:
    """Return the terms of the licences, before the log says what harm is done."""
    classes = question.classes or tuple(ActionClass(tool) for tool in dict.fromkeys(log.tools))
    return LicencePolicy(
        classes,
        limit=question.limit,
        check=question.check,
        delta=question.delta,
        aim=question.aim,
        labels=question.rules,
        without_each_approver=question.without_each,
    )


def unit_terms(
    policy: LicencePolicy, kind: ActionClass | None, golden: Sequence[bool]
) -> LicenceTerms:
    """Return what a licence of a class takes; what golden actions show to be overlooked makes acting dearer."""
    limit = policy.limit_of(kind)
    if policy.aim_of(kind) != "money":
        return LicenceTerms(limit, policy.delta_of(kind))
    seen = len(golden) - sum(golden)
    # 1 / E[1 / (1 - m)] with m ~ Beta(missed + 1/2, seen + 1/2)
    share = max(0.0, (seen - 0.5) / len(golden)) if golden else 1.0
    return LicenceTerms(limit, policy.delta_of(kind), pays_below=limit * share)


def door_policy(
    log: ApprovalLog, question: ApprovalQuestion, units: Sequence[UnitAnswer]
) -> LicencePolicy:
    """Return the terms with which a door begins, after the log was read: with the harm that it says, and its steps.

    Parameters
    ----------
    log : ApprovalLog
    question : ApprovalQuestion
    units : sequence of UnitAnswer
        What the log says of each unit.
    """
    terms, classes = log_policy(log, question), list[ActionClass]()
    for kind in terms.classes:
        mine = [one for one in units if one.name == kind.name and kind.covers(one.tool)]
        harms = [one.harm for one in mine if one.harm is not None]
        named = replace(kind, harm=strictest([*harms, *([kind.harm] if kind.harm else [])]))
        is_one_tool = all(one.tool == kind.tool for one in mine)
        steps = [one.step for one in mine] if is_one_tool else []
        classes += classes_by_step(named, steps)
    return replace(terms, classes=tuple(classes))
