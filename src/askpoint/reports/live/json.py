"""Status of a policy in use, as one JSON object; what is undefined is null, with a reason."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

from askpoint.answers.live.checkup import WatchAnswer
from askpoint.live.ladder_calls import call_prices
from askpoint.live.worth import LiveCost
from askpoint.reports.live.doubles import doubles_object
from askpoint.reports.live.followers import followers_object
from askpoint.reports.live.policy_groups import groups_in_use_object
from askpoint.reports.live.reopening import reopening_text
from askpoint.reports.objects import as_json

__all__ = ["watch_object"]


def watch_object(answer: WatchAnswer) -> dict[str, Any]:
    """Return the object that ``askpoint watch --json`` prints."""
    history, state, worth = answer.history, answer.history.state, answer.worth
    reasons: dict[str, str] = {}
    content: dict[str, Any] = {
        "policy": history.document.id,
        "version": history.document.version,
        "needs_attention": answer.is_alarmed,
        "waiting_for_labels": state.waiting,
        "episode": state.episode,
        "threshold": state.threshold,
        "decided": state.decided,
        "held": history.held,
        "dead": answer.troubles.dead,
        "clock_back": answer.troubles.clock_back,
        "answered": state.answered,
        "asked": state.asked,
        "audited": state.audited,
        "booked": state.booked,
        "answered_recently": history.retreat.lately.answered,
        "recent_decisions": history.retreat.lately.decided,
        "evidence": answer.evidence,
        "mistakes_at_most": answer.mistakes_at_most,
        "mistakes_allowed": answer.mistakes_allowed if answer.terms.has_budget else None,
        "coverage": None if worth is None else worth.coverage,
        "mistakes": _interval(worth, "mistakes"),
        "mistakes_fixed_time": _interval(worth, "at_a_fixed_time"),
        "mistakes_estimate": None if worth is None else worth.estimate,
        "risk": None if worth is None else as_json(worth.risk),
        "missing": None if worth is None else worth.missing,
        "unit": answer.unit if answer.priced else None,
        "cost_per_1000": _interval(worth, "cost") if answer.priced else None,
        "saved_per_1000": (_interval(worth, "saved") if answer.priced else None),
        "calls": None if worth is None or not worth.calls else _calls(answer, worth),
        "alarm_cause": answer.alarm_cause if answer.knows_gold else None,
        "events": [
            {
                "decision": timed.event.seq,
                "at": datetime.fromtimestamp(timed.at / 1e6, UTC).isoformat(),
                "kind": timed.event.kind,
                "numbers": as_json(timed.event.numbers),
            }
            for timed in history.events
        ],
        "reopening": _reopening(answer),
        "labelled_twice": doubles_object(answer.doubles),
        "followers": followers_object(answer.followers),
        "missing_share": answer.missing_share,
        "asked_again": answer.asked_again,
        "late_audits": answer.late_audits,
        "waiting_for_label": list(history.wanted),
    }
    if answer.groups:
        content["groups"] = groups_in_use_object(answer.groups)
    if state.threshold is None:
        reasons["threshold"] = "it sends every case to review"
    if content["calls"] is None:
        reasons["calls"] = history.missing_why or "it is the policy of one model, not of a ladder"
    if answer.doubles is None:
        reasons["labelled_twice"] = "no case has labels of two people: see --to-label-again"
    if answer.followers is None:
        reasons["followers"] = "no gold case was decided: label decided cases whose truth is known"
    if content["reopening"] is None:
        reopening = answer.reopening
        reasons["reopening"] = reopening_text(reopening) if reopening.is_closed else "it answers"
    if not answer.terms.has_budget:
        reasons["mistakes_allowed"] = "it has no mistake budget"
    if worth is None:
        names = ("coverage", "mistakes", "mistakes_fixed_time", "mistakes_estimate", "missing")
        reasons |= dict.fromkeys(names, history.missing_why)
    if content["risk"] is None:
        reasons["risk"] = history.missing_why or "nothing has been answered yet"
    for name in ("unit", "cost_per_1000", "saved_per_1000"):
        if content[name] is None:
            reasons[name] = history.missing_why or "a promise has no prices: add --rho or --costs"
    if answer.priced:
        reasons.pop("unit", None)
    if content["alarm_cause"] is None:
        reasons["alarm_cause"] = (
            "the model or the people who check it: these labels cannot tell; add gold cases "
            "(source gold), or have a second person check the mistakes behind an alarm"
        )
    return {**content, "reasons": reasons}


def _reopening(answer: WatchAnswer) -> Any:
    """When it answers again, in further labels; null where that is not known."""
    reopening, forecast = answer.reopening, answer.reopening.forecast
    if forecast is None or not (forecast.is_never or reopening.is_trusted):
        return None
    return {
        "never": forecast.is_never,
        "labels_so_far": forecast.labels,
        "at_least": None if forecast.is_never else as_json(forecast.lower),
        "about": None if forecast.is_never or math.isinf(forecast.middle) else forecast.middle,
        "at_most": None if math.isinf(forecast.upper) else forecast.upper,
    }


def _calls(answer: WatchAnswer, worth: LiveCost) -> dict[str, Any]:
    """How often each rung of a ladder was called, and what its calls cost per 1,000 cases."""
    names = call_prices(answer.history.document.model)
    return {
        name: {
            "cases": n,
            "cost_per_1000": 1000 * n * price / worth.decided if answer.priced else None,
        }
        for name, n, price in zip(names, worth.calls, answer.prices.calls, strict=False)
    }


def _interval(worth: object, name: str) -> Any:
    return None if worth is None else as_json(getattr(worth, name))
