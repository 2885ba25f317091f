"""What an interview found, as one JSON object."""

from __future__ import annotations

import json
from typing import Any

from askpoint.answers.elicitation.answer import ElicitationAnswer
from askpoint.answers.value.answer import ValueAnswer
from askpoint.errors import AskpointError
from askpoint.reports.elicitation.document import following_answer, no_costs_text, signal_text
from askpoint.reports.objects import record
from askpoint.reports.verdicts import refusal_words
from askpoint.value.posterior.recommendation import Recommendation

__all__ = ["elicit_object"]


def elicit_object(
    answer: ElicitationAnswer, following: ValueAnswer | AskpointError | None = None
) -> dict[str, Any]:
    """Return everything that the words say, for programs; `following` as for the words."""
    session, found, omega = answer.session, answer.found, answer.session.estimate.omega
    refused = no_costs_text(answer) if answer.decides_alone else None
    best, refusal = None, refused
    if refused is None:
        best, refusal = _outcome(following_answer(answer) if following is None else following)
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
            for group in (() if refused else found.groups)
        ],
        "costs": None if refused else json.loads(found.costs.to_json()),
        "refused": refused,
        "outcome": None
        if best is None
        else {
            "right": max(1 - best.asked.mean - best.mistakes.mean, 0.0),
            "wrong": best.mistakes.mean,
            "asked": best.asked.mean,
            "decided": best.decided,
            "wrong_interval": list(best.mistakes[1:]),
            "asked_interval": list(best.asked[1:]),
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


def _outcome(following: ValueAnswer | AskpointError) -> tuple[Recommendation | None, str | None]:
    """Return what to expect of new cases by the costs, or why nothing."""
    if isinstance(following, AskpointError):
        return None, str(following)
    why = following.refusal
    best = None if following.tomorrow is None else following.tomorrow.best
    return best, None if why is None else refusal_words(why)
