"""What a session found on a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from askpoint.answers.elicitation.opening import reopen_session
from askpoint.answers.elicitation.simulation import parse_simulated_costs, play
from askpoint.elicitation.costing import ElicitedCosts
from askpoint.elicitation.reliability import Reliability
from askpoint.elicitation.session import ElicitSession
from askpoint.errors import InputError
from askpoint.records.predictions import PredictionLog

__all__ = ["ElicitationAnswer", "answer_elicitation"]


@dataclass(frozen=True, eq=False)
class ElicitationAnswer:
    """What mistakes cost, as far as a session tells.

    Parameters
    ----------
    log : PredictionLog
        What the questions were made of.
    session : ElicitSession
        The questions, the answers, and what is believed.

    Attributes
    ----------
    found : ElicitedCosts
        What mistakes cost.
    """

    log: PredictionLog
    session: ElicitSession
    found: ElicitedCosts = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "found", self.session.costs)

    @property
    def reliability(self) -> dict[str, Reliability]:
        """How far the answers of each part can be relied on."""
        state = self.session.estimate
        parts = {
            "mistakes": None if state.mistakes is None else state.mistakes.reliability,
            "omega": state.omega.reliability,
        }
        return {name: part for name, part in parts.items() if part is not None}

    @property
    def decides_alone(self) -> tuple[Any, ...]:
        """Classes of which one decided nearly every choice, whatever stood against it.

        Such choices say what comes first, and nothing of how much it is worth: no costs follow.
        """
        belief = self.session.estimate.mistakes
        signals = () if belief is None else belief.reliability.signals
        places = [int(s.partition(":")[2]) for s in signals if s.startswith("one-sided:")]
        groups = self.session.groups
        return tuple(self.session.classes[i] for g in places for i in groups[g])


def answer_elicitation(
    log: PredictionLog,
    *,
    answers: ElicitSession | str | None = None,
    simulate: float | Mapping[str, float] | str | None = None,
    groups: Sequence[Sequence[str]] = (),
    n_questions: int = 20,
    n_checks: int = 4,
    radius: float = 0.0,
    n_omega_questions: int = 10,
    seed: int = 0,
) -> ElicitationAnswer:
    """Say what mistakes cost, by a person's answers or by those of a simulated one.

    Parameters
    ----------
    log : PredictionLog
        Labels and probabilities of one model.
    answers : ElicitSession or str, optional
        A session, or the text that its ``to_json`` returned.
    simulate : float, mapping of str to float, or str, optional
        Let a simulated person answer, to whom a mistake is worth so many checks: one number, or
        one for each class ({"ham": 5, "spam": 2} or "ham=5,spam=2").
    groups : sequence of sequences of class names, default=()
        Simulated: classes on which mistakes cost the same.
    n_questions : int, default=20
        Simulated: choices between two outcomes, at most; with 0 all mistakes cost the same.
    n_checks : int, default=4
        Simulated: clear choices after those.
    radius : float, default=0
        Simulated: stop when with 90% probability no share of cost lies farther off than this.
    n_omega_questions : int, default=10
        Simulated: choices between letting the system decide and a person's check.
    seed : int, default=0
        Simulated: of sides, repeats and the person.

    Returns
    -------
    ElicitationAnswer

    Raises
    ------
    InputError
        If not exactly one of `answers` and `simulate` is given, or a text is no session on this log.
    LogError
        If the log has no probabilities, or several models.

    Examples
    --------
    >>> import polars as pl
    >>> from askpoint.answers.elicitation.answer import answer_elicitation
    >>> from askpoint.records.logs import read_log
    >>> log = read_log(pl.DataFrame({"label": [0, 1, 1, 0], "proba": [0.2, 0.9, 0.4, 0.5]}))
    >>> answer = answer_elicitation(log, simulate=20, n_questions=0)
    >>> low, high = answer.found.groups[0].checks_interval
    >>> low < 20 < high
    True
    """
    if answers is not None and simulate is None:
        session = reopen_session(answers, log) if isinstance(answers, str) else answers
    elif simulate is not None and answers is None:
        session = play(
            log,
            parse_simulated_costs(simulate, log.classes),
            np.random.default_rng([seed, 3]),
            groups=groups,
            n_questions=n_questions,
            n_checks=n_checks,
            radius=radius,
            n_omega_questions=n_omega_questions,
            seed=seed,
        )
    else:
        raise InputError("give either answers or simulate; got both or neither")
    return ElicitationAnswer(log, session)
