"""A log of approvals as one JSON object."""

from __future__ import annotations

from typing import Any

from askpoint.answers.approvals.answer import ApprovalAnswer, MonthlySaving
from askpoint.answers.approvals.unit_answers import UnitAnswer
from askpoint.reports.objects import as_json, record

__all__ = ["approvals_object"]


def approvals_object(answer: ApprovalAnswer) -> dict[str, Any]:
    """Return the object of ``--json``."""
    mean, between = answer.bad_alone
    return {
        "n_actions": len(answer.log),
        "days": answer.log.days,
        "counted": answer.counted,
        "not_counted": answer.not_counted,
        "limit": answer.question.limit,
        "delta": answer.question.delta,
        "units": [_unit(one) for one in answer.units],
        "older": [
            {"agent": agent, "version": version, "counted": n, "bad": bad}
            for (agent, version), (n, bad) in answer.older.items()
        ],
        "alone": {
            "actions": answer.alone,
            "still_asked": answer.still_asked,
            "bad": mean,
            "bad_interval": as_json(between),
            "bad_seen": answer.bad_seen,
        },
        "saved_in_30_days": None if answer.saved is None else _saving_record(answer.saved),
        "approvers": [record(one) | {"unread": one.unread} for one in answer.reviewers],
        "unlicensed_alone": [[one.agent, one.tool, one.name] for one in answer.unlicensed_alone],
    }


def _saving_record(saved: MonthlySaving) -> dict[str, Any]:
    interval = None if saved.interval is None else as_json(saved.interval)
    return {
        "hours": saved.hours,
        "checks": saved.checks,
        "money": saved.money,
        "interval": interval,
    }


def _unit(one: UnitAnswer) -> dict[str, Any]:
    forecast = one.forecast
    return {
        "agent": one.agent,
        "version": one.version,
        "tool": one.tool,
        "class": one.name,
        "limit": one.limit,
        "aim": one.aim,
        "harm": one.harm,
        "state": one.state,
        "level": one.level,
        "asked": one.asked,
        "counted": one.counted,
        "bad": one.bad,
        "not_counted": one.not_counted,
        "evidence": one.evidence,
        "bound": one.bound,
        "episode": one.history.episode,
        "granted_after": one.history.granted,
        "lost_after": list(one.history.lost),
        "audit_rate": one.audit_rate,
        "holds_if_missed_below": one.holds_below,
        "hangs_on": None
        if one.pivot is None
        else {"approver": one.pivot.name, "missing_without": one.pivot.missing},
        "forecast": None
        if forecast is None
        else {
            "median": forecast.median,
            "interval": [forecast.low, forecast.high],
            "share_never": forecast.never,
        },
        "waits_for": one.waits_for or None,
        "step": None if one.step is None else record(one.step),
        "reasons": [one.why] if one.why else [],
    }
