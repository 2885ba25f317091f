"""What an interview found, as one JSON object."""

from __future__ import annotations

import json
from typing import Any

from askpoint.elicitation.session import ElicitSession
from askpoint.errors import AskpointError
from askpoint.reports.elicitation.document import following_answer, signal_text

__all__ = ["elicit_object"]


def elicit_object(session: ElicitSession) -> dict[str, Any]:
    """Return everything that the words say, for programs."""
    found, omega, belief = session.costs, session.omega, session.mistakes
    answer = following_answer(session)
    refusal = str(answer) if isinstance(answer, AskpointError) else answer.refusal
    point = None if isinstance(answer, AskpointError) else answer.point
    parts = {"mistakes": belief, "omega": omega}
    return {
        "done": session.stage == "done",
        "n_answers": session.n_answers,
        "remaining": session.remaining,
        "guess": session.guess,
        "omega": omega.omega,
        "omega_interval": list(omega.interval),
        "rho": omega.rate.rho,
        "named_mistake": dict(zip(("truth", "decision"), session.named, strict=True)),
        "groups": [
            {
                "classes": [str(name) for name in group.classes],
                "checks": group.checks,
                "checks_interval": list(group.checks_interval),
                "cost": group.cost,
                "interval": list(group.interval),
            }
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
                "score": part.reliability.score,
                "n_repeats": part.reliability.n_repeats,
                "n_agreeing": part.reliability.n_agreeing,
                "n_checks": part.reliability.n_checks,
                "n_confirmed": part.reliability.n_confirmed,
                "signals": [signal_text(session, signal) for signal in part.reliability.signals],
            }
            for name, part in parts.items()
            if part is not None and part.reliability is not None
        },
        "warnings": list(omega.warnings),
    }
