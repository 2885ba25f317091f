"""One person's interview: mistakes beside each other, then a check beside a mistake.

A session is a questionnaire of two parts, and is left, resumed and replayed as such.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from askpoint.elicitation.abstention import OmegaBelief, omega_questionnaire
from askpoint.elicitation.bayesian import WeightBelief
from askpoint.elicitation.costing import ElicitedCosts, combine_costs
from askpoint.elicitation.mistakes import class_groups, mistakes_questionnaire
from askpoint.elicitation.particles import Particles
from askpoint.elicitation.questionnaire import Questionnaire, QuestionStep, Script, read_saved
from askpoint.elicitation.rules import CostRule
from askpoint.elicitation.samples import Sample
from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray

__all__ = ["ElicitSession", "GeneratorMaker", "SessionState", "Stage", "resume_session"]

GeneratorMaker = Callable[[list[int]], np.random.Generator]
"""Makes a Generator of a seed, such as `numpy.random.default_rng`."""

Stage = Literal["mistakes", "omega", "done"]
_KIND = "session"


class SessionState(NamedTuple):
    """What a session asks, and what it knows so far.

    Attributes
    ----------
    stage : {"mistakes", "omega", "done"}
        What is asked now: pairs of outcomes, offers, or nothing more.
    mistakes : WeightBelief or None
        What the choices between outcomes say; None where none is asked.
    omega : OmegaBelief
        What the offers say, or before them the first guess.
    history : tuple of (int, Particles)
        Number of choices between outcomes, and what they said by then.
    """

    stage: Stage
    mistakes: WeightBelief | None
    omega: OmegaBelief
    history: tuple[tuple[int, Particles], ...]


class ElicitSession(Questionnaire[SessionState]):
    """Questions about the costs of one model's mistakes, put to one person.

    Parameters
    ----------
    y : array-like of shape (n,)
        True labels.
    proba : array-like of shape (n, k)
        Predicted probabilities.
    generator : callable
        Makes a numpy Generator of a seed; they draw particles, sides and repeats.
    classes : sequence of length k, optional
        In the order of the columns; by default the sorted labels.
    guess : float, optional
        The direct answer: checks per mistake; None if the person cannot say.
    groups : sequence of sequences of class names, default=()
        Classes on which mistakes cost the same.
    n_questions : int, default=20
        On mistakes beside each other; 0: all mistakes cost the same.
    n_checks : int, default=4
        Clear choices after those.
    radius : float, default=0
        Stop them when no share of cost lies farther from its estimate with 90% probability.
    n_omega_questions : int, default=10
        On a check beside a mistake.
    seed : int, default=0
        What the Generators are made of.
    """

    def __init__(
        self,
        y: ArrayLike,
        proba: ArrayLike,
        generator: GeneratorMaker,
        *,
        classes: Sequence[Any] | None = None,
        guess: float | None = None,
        groups: Sequence[Sequence[Any]] = (),
        n_questions: int = 20,
        n_checks: int = 4,
        radius: float = 0.0,
        n_omega_questions: int = 10,
        seed: int = 0,
    ) -> None:
        if guess is not None and not (isinstance(guess, int | float) and math.isfinite(guess)):
            raise InputError(f"checks per mistake must be a number; got {guess!r}")
        sample = Sample.of(y, proba, classes=classes)
        self.classes, self.zeta, self.guess = sample.classes, sample.zeta, guess
        alike = (tuple(range(sample.k)),)
        self.groups = class_groups(groups, sample.classes) if n_questions else alike
        self.deployed: FloatArray = sample.confusion(CostRule.most_probable(sample.k))
        self.reference, self.named = self._most_frequent_mistake()
        settings = {
            "kind": _KIND,
            "guess": guess,
            "groups": [list(group) for group in groups],
            "n_questions": n_questions,
            "n_checks": n_checks,
            "radius": radius,
            "n_omega_questions": n_omega_questions,
            "seed": seed,
        }
        # both parts are made at once: impossible settings are refused before the first question
        mistakes: Questionnaire[WeightBelief] | None = None
        if n_questions:
            mistakes = mistakes_questionnaire(
                y,
                proba,
                generator([seed, 1]),
                classes=sample.classes,
                groups=groups,
                n_questions=n_questions,
                n_checks=n_checks,
                radius=radius,
            )
        omega = omega_questionnaire(
            generator([seed, 2]), guess=guess, n_questions=n_omega_questions
        )
        super().__init__(lambda: _both(mistakes, omega), settings, sample.digest)

    def _most_frequent_mistake(self) -> tuple[int, tuple[Any, Any]]:
        """The most frequent mistake: its group, and truth and decision by name."""
        mistakes = self.deployed - np.diag(np.diag(self.deployed))
        if not mistakes.any():  # then any mistake on the rarest class
            mistakes[self.zeta.argmin(), self.zeta.argmax()] = 1
        truth, decision = np.unravel_index(mistakes.argmax(), mistakes.shape)
        group = next(g for g, members in enumerate(self.groups) if truth in members)
        return group, (self.classes[truth], self.classes[decision])

    @property
    def costs(self) -> ElicitedCosts:
        """What mistakes cost, as far as the answers tell."""
        belief = self.estimate.mistakes
        return combine_costs(
            self.classes,
            self.groups,
            None if belief is None else belief.cloud,
            self.estimate.omega.cloud,
            self.deployed,
            reference=self.reference,
            source={
                "method": "bayesian",
                "questions": len(self.log),
                "log": self.data,
                "answers": "sha256:" + hashlib.sha256(self.to_json().encode()).hexdigest(),
            },
        )


def _both(
    mistakes: Questionnaire[WeightBelief] | None, omega: Questionnaire[OmegaBelief]
) -> Script[SessionState]:
    """Put the questions of one part, then those of the other."""
    history: tuple[tuple[int, Particles], ...] = ()
    while mistakes is not None and mistakes.question is not None:
        state = SessionState("mistakes", mistakes.estimate, omega.estimate, history)
        answer = yield QuestionStep(mistakes.question, state, mistakes.remaining + omega.remaining)
        mistakes.answer(answer)
        history += ((len(mistakes.log), mistakes.estimate.cloud),)
    belief = None if mistakes is None else mistakes.estimate
    while omega.question is not None:
        state = SessionState("omega", belief, omega.estimate, history)
        omega.answer((yield QuestionStep(omega.question, state, omega.remaining)))
    return SessionState("done", belief, omega.estimate, history)


def resume_session(
    text: str,
    y: ArrayLike,
    proba: ArrayLike,
    generator: GeneratorMaker,
    *,
    classes: Sequence[Any] | None = None,
) -> ElicitSession:
    """Go on with a session where it was left, by the text that its `to_json` returned."""
    settings = dict(read_saved(text).settings)
    if settings.pop("kind", None) != _KIND:
        raise InputError("this text is a saved questionnaire, but no session of askpoint elicit")
    try:
        session = ElicitSession(y, proba, generator, classes=classes, **settings)
    except TypeError as error:  # settings of another name or kind
        raise InputError(f"the session cannot be read: {error}") from None
    session.resume(text)
    return session
