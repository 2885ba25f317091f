"""What an interview found, as one JSON object."""

from __future__ import annotations

import json
from typing import Any

from askpoint.answers.elicitation.answer import ElicitationAnswer
from askpoint.answers.value.answer import ValueAnswer
from askpoint.errors import AskpointError
from askpoint.reports.elicitation.document import following_answer, signal_text
from askpoint.reports.objects import record
from askpoint.reports.verdicts import refusal_text
from askpoint.value.objectives import OperatingPoint

__all__ = ["elicit_object"]


def elicit_object(answer: ElicitationAnswer) -> dict[str, Any]:
    """Return everything that the words say, for programs."""
    session, found, omega = answer.session, answer.found, answer.session.estimate.omega
    point, refusal = _outcome(following_answer(answer))
    return {
        "done": session.done,
        "n_answers": len(session.log),
        "remaining": session.remaining,
        "guess": session.guess,
        "omega": omega.omega,
        "omega_interval": list(omega.interval),
        "rho": omega.rate.rho,
        "named_mistake": dict(zip(("truth", "decision"), session.named, strict=True)),
        "groups": [
            record(group, "classes", "checks", "checks_interval", "cost", "interval")
            for group in found.groups
        ],
        "costs": json.loads(found.costs.to_json()),
        "outcome": None
        if point is None
        else {
            "right": point.outcomes.right / point.outcomes.total,
            "wrong": point.outcomes.wrong / point.outcomes.total,
            "asked": point.outcomes.asked / point.outcomes.total,
        },
        "outcome_reason": refusal,
        "reliability": {
            name: {
                **record(part, "score", "n_repeats", "n_agreeing", "n_checks", "n_confirmed"),
                "signals": [signal_text(session, signal) for signal in part.signals],
            }
            for name, part in answer.reliability.items()
        },
        "warnings": list(omega.warnings),
    }


def _outcome(following: ValueAnswer | AskpointError) -> tuple[OperatingPoint | None, str | None]:
    """Return what the costs lead to on the log, or why to nothing."""
    if isinstance(following, AskpointError):
        return None, str(following)
    why = following.refusal
    return following.point, None if why is None else refusal_text(why)
