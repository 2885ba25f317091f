"""An interview on one log: first guess, mistakes beside each other, then a check beside a mistake.

It is left, resumed and replayed from its own text; it reads and prints nothing itself.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np

from askpoint.elicitation.abstention import OmegaBelief, omega_questionnaire
from askpoint.elicitation.bayesian import WeightBelief
from askpoint.elicitation.costing import ElicitedCosts, elicited_costs
from askpoint.elicitation.mistakes import class_groups, mistakes_questionnaire
from askpoint.elicitation.oracles import Answer
from askpoint.elicitation.particles import Cloud
from askpoint.elicitation.questionnaire import Question, Questionnaire
from askpoint.elicitation.rules import CostRule
from askpoint.elicitation.samples import Sample
from askpoint.errors import InputError, LogError
from askpoint.measures.inputs import FloatArray
from askpoint.records.predictions import PredictionLog

__all__ = ["ElicitSession", "ElicitSettings", "Stage"]

Stage = Literal["guess", "mistakes", "omega", "done"]
_KIND = "askpoint elicitation"
_FORMAT = 1


@dataclass(frozen=True)
class ElicitSettings:
    """How an interview goes; a session is resumed with the same settings.

    Parameters
    ----------
    seed : int, default=0
        Of particles, sides and repeats.
    together : tuple of tuples of str, default=()
        Classes on which mistakes cost the same.
    questions : int, default=20
        On mistakes beside each other; 0: all mistakes cost the same.
    checks : int, default=4
        Clear choices after those.
    radius : float, default=0
        Stop them when no share of cost lies farther from its estimate with 90 % probability.
    omega_questions : int, default=10
        On a check beside a mistake.
    """

    seed: int = 0
    together: tuple[tuple[str, ...], ...] = ()
    questions: int = 20
    checks: int = 4
    radius: float = 0.0
    omega_questions: int = 10


@dataclass(eq=False)
class ElicitSession:
    """An interview about the costs of one model's mistakes.

    Parameters
    ----------
    log : PredictionLog
        Labels and probabilities.
    settings : ElicitSettings, optional
        How it goes.
    """

    log: PredictionLog
    settings: ElicitSettings = field(default_factory=ElicitSettings)

    def __post_init__(self) -> None:
        log, settings = self.log, self.settings
        if log.model is not None and len(log.model.names) > 1:
            raise LogError(
                "the log holds several models; ask about one: keep the rows of the model in use"
            )
        if log.proba is None:
            raise LogError(
                "questions about mistakes are made of probabilities, and the log has only a "
                "prediction and a confidence; give the columns with --proba"
            )
        labels = np.asarray(log.classes, dtype=object)[log.label]
        proba = log.proba[log.labelled]
        sample = Sample.of(labels, proba, classes=log.classes)
        alike = (tuple(range(sample.k)),)
        self.groups = class_groups(settings.together, log.classes) if settings.questions else alike
        self.deployed: FloatArray = sample.confusion(CostRule.most_probable(sample.k))
        self.zeta = sample.zeta
        self.reference, self.named = self._named_mistake()
        self.data = sample.digest
        self.guess: float | None = None
        self.history: list[tuple[int, Cloud]] = []
        self._stage: Stage = "guess"
        self._mistakes: Questionnaire[WeightBelief] | None = None
        self._omega: Questionnaire[OmegaBelief] | None = None
        if settings.questions:
            self._mistakes = mistakes_questionnaire(
                labels,
                proba,
                np.random.default_rng([settings.seed, 1]),
                classes=log.classes,
                groups=settings.together,
                n_questions=settings.questions,
                n_checks=settings.checks,
                radius=settings.radius,
            )
        self._start_omega()  # refuses impossible settings before the first question

    def _named_mistake(self) -> tuple[int, tuple[str, str]]:
        """The most frequent mistake: its group, and truth and decision by name."""
        mistakes = self.deployed - np.diag(np.diag(self.deployed))
        if not mistakes.any():  # then any mistake on the rarest class
            mistakes[self.zeta.argmin(), self.zeta.argmax()] = 1
        truth, decision = np.unravel_index(mistakes.argmax(), mistakes.shape)
        group = next(g for g, members in enumerate(self.groups) if truth in members)
        return group, (str(self.log.classes[truth]), str(self.log.classes[decision]))

    def _start_omega(self) -> Questionnaire[OmegaBelief]:
        return omega_questionnaire(
            np.random.default_rng([self.settings.seed, 2]),
            guess=self.guess,
            n_questions=self.settings.omega_questions,
        )

    @property
    def stage(self) -> Stage:
        """What is asked now: a number, pairs of outcomes, offers, or nothing more."""
        return self._stage

    @property
    def question(self) -> Question | None:
        """The question to put now; None where a number is asked, and at the end."""
        part = self._part
        return None if part is None else part.question

    @property
    def _part(self) -> Questionnaire[WeightBelief] | Questionnaire[OmegaBelief] | None:
        return {"mistakes": self._mistakes, "omega": self._omega}.get(self._stage)

    @property
    def remaining(self) -> int:
        """At most so many questions are left."""
        mistakes = 0 if self._mistakes is None else self._mistakes.remaining
        omega = self.settings.omega_questions if self._omega is None else self._omega.remaining
        left = {"guess": 1 + mistakes + omega, "mistakes": mistakes + omega, "omega": omega}
        return left.get(self._stage, 0)

    @property
    def n_answers(self) -> int:
        """Number of choices made so far."""
        parts = (self._mistakes, self._omega)
        return sum(len(part.log) for part in parts if part is not None)

    def answer_guess(self, checks: float | None) -> None:
        """Take the direct answer."""
        if self._stage != "guess":
            raise InputError("the first guess has been given")
        if checks is not None and not (isinstance(checks, int | float) and math.isfinite(checks)):
            raise InputError(f"checks worth one mistake must be a number, got {checks!r}")
        self.guess = checks
        self._omega = self._start_omega()
        self._stage = "omega" if self._mistakes is None else "mistakes"

    def answer(self, answer: Answer) -> None:
        """Take a choice."""
        part = self._part
        if part is None:
            raise InputError(
                "the interview is over: it takes no further answer"
                if self._stage == "done"
                else "first say a number, or that you can not"
            )
        part.answer(answer)
        if self._stage == "mistakes" and self._mistakes is not None:
            self.history.append((len(self._mistakes.log), self._mistakes.estimate.cloud))
        if part.done:
            self._stage = "omega" if self._stage == "mistakes" else "done"

    @property
    def mistakes(self) -> WeightBelief | None:
        """What the choices between outcomes say; None where none is asked."""
        return None if self._mistakes is None else self._mistakes.estimate

    @property
    def omega(self) -> OmegaBelief:
        """What the offers say, or before them the first guess."""
        return (self._omega or self._start_omega()).estimate

    @property
    def costs(self) -> ElicitedCosts:
        """What mistakes cost, as far as the answers tell."""
        belief = self.mistakes
        return elicited_costs(
            self.log.classes,
            self.groups,
            None if belief is None else belief.cloud,
            self.omega.cloud,
            self.deployed,
            reference=self.reference,
            source={
                "method": "bayesian",
                "questions": self.n_answers,
                "log": self.data,
                "answers": "sha256:" + hashlib.sha256(self.to_json().encode()).hexdigest(),
            },
        )

    def to_json(self) -> str:
        """Return the session as text, to leave, resume and replay."""
        content = {
            "kind": _KIND,
            "format": _FORMAT,
            "data": self.data,
            "settings": asdict(self.settings),
            "asked_guess": self._stage != "guess",
            "guess": self.guess,
            "mistakes": [] if self._mistakes is None else self._mistakes.log,
            "omega": [] if self._omega is None else self._omega.log,
        }
        return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str, log: PredictionLog) -> ElicitSession:
        """Give all answers of a session again."""
        content = _session(text)
        try:
            settings = dict(content["settings"])
            together = tuple(tuple(map(str, group)) for group in settings.pop("together"))
            session = cls(log, ElicitSettings(together=together, **settings))
            parts = [[(str(d), a) for d, a in content[name]] for name in ("mistakes", "omega")]
            data, asked, guess = content["data"], content["asked_guess"], content["guess"]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"the session can not be read: {error!r}") from None
        if data != session.data:
            raise InputError(
                "the session was made with other labels or probabilities: resume it with that log, "
                "or start a new one"
            )
        if asked:
            session.answer_guess(guess)
        for entries in parts:
            for digest, answer in entries:
                question = session.question
                if question is not None and question.digest != digest:
                    raise InputError("the session's answers belong to other questions")
                session.answer(answer)
        return session


def _session(text: str) -> Mapping[str, Any]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the session is no JSON text: {error}") from None
    if not isinstance(content, dict) or content.get("kind") != _KIND:
        raise InputError("this is no session of askpoint elicit")
    if content.get("format") != _FORMAT:
        raise InputError(
            f"the session has format {content.get('format')!r}, this version reads {_FORMAT}"
        )
    return content
