"""Sessions without a person: a simulated one, who answers by stated costs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from askpoint.answers.elicitation.opening import open_session
from askpoint.elicitation.abstention import omega_worth
from askpoint.elicitation.session import ElicitSession
from askpoint.elicitation.simulated_people import SimulatedPerson
from askpoint.errors import InputError
from askpoint.records.predictions import PredictionLog

__all__ = ["parse_simulated_costs", "play"]

_GUESS_SPREAD = 0.7  # a stated rate is off by a factor of two or so


def parse_simulated_costs(
    given: str | float | Mapping[str, float], classes: Sequence[str]
) -> dict[str, float]:
    """Return what a simulated person's mistakes cost, from a number, a mapping or "ham=5,spam=2"."""
    costs = dict.fromkeys(classes, 1.0)
    for name, number in _parts(given):
        try:
            value = float(number)
        except (TypeError, ValueError):
            value = math.nan
        if not 1 <= value < math.inf or (name is not None and name not in costs):
            shown = repr(number) if name is None else f"{number!r} for {name!r}"
            raise InputError(
                "a simulated person takes checks per mistake, 1 or more, for all classes (20) "
                f"or for each (ham=5,spam=2); got {shown}, and the classes are {', '.join(classes)}"
            )
        costs.update(dict.fromkeys(classes, value) if name is None else {name: value})
    return costs


def _parts(given: str | float | Mapping[str, float]) -> list[tuple[str | None, Any]]:
    if isinstance(given, Mapping):
        return list(given.items())
    if not isinstance(given, str):
        return [(None, given)]
    parts = [part.rpartition("=") for part in given.split(",")]
    return [(name if sign else None, number) for name, sign, number in parts]


def play(
    log: PredictionLog, costs: Mapping[str, float], rng: np.random.Generator, **settings: Any
) -> ElicitSession:
    """Let a simulated person guess and answer all questions, roughly, as a person would."""
    manner = {"slope": 0.25, "lapse": 0.04, "equal": 0.2}
    named = costs[open_session(log, **settings).named[0]]
    chooser = SimulatedPerson(np.diag([costs[name] for name in log.classes]), rng, **manner)
    decider = SimulatedPerson(omega_worth(max(named - 1, 1e-3)), rng, **manner)
    guess = max(1.0, round(named * math.exp(rng.normal(0, _GUESS_SPREAD))))
    session = open_session(log, guess=guess, **settings)
    while (question := session.question) is not None:
        person = chooser if session.estimate.stage == "mistakes" else decider
        session.answer(person.prefers(question.first, question.second))
    return session
