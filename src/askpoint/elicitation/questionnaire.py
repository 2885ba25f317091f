"""Questionnaires: question out, answer in, wherever the answers come from.

A script is a generator: it yields a `QuestionStep` (a question and what is known so far), is sent the
answer, and returns the last estimate. So an algorithm reads as it does on paper, while notebook,
terminal and web page share one state machine that is left, resumed and replayed by its log.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from askpoint.elicitation.respondents import Answer, Respondent, pair_digest
from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray

__all__ = [
    "LogEntry",
    "Question",
    "QuestionStep",
    "Questionnaire",
    "SavedQuestionnaire",
    "Script",
    "read_saved",
]

_E = TypeVar("_E")


@dataclass(frozen=True, eq=False)
class Question:
    """Which of two outcomes is better?

    Parameters
    ----------
    first, second : ndarray of shape (k, k) or (k, k + 1)
        Confusion matrices as rates of all cases, counted on labels; rows are the truth, columns
        the decision, abstention last.
    topic : str
        What the question is about, such as "classes 0 and 2"; the same for all questions about
        one trade-off.
    details : mapping, optional
        What identifies it within its topic; as JSON takes it.
    classifiers : tuple of two classifiers, optional
        What yields the two matrices, runnable (see `askpoint.elicitation.rules`).
    """

    first: FloatArray
    second: FloatArray
    topic: str
    details: Mapping[str, Any] = field(default_factory=dict)
    classifiers: tuple[Any, Any] | None = None

    @property
    def digest(self) -> str:
        """What identifies the pair in a log."""
        return pair_digest(self.first, self.second)


class LogEntry(NamedTuple):
    """One line of a log: which question, and what was answered."""

    digest: str
    answer: Answer


class QuestionStep(NamedTuple, Generic[_E]):
    """What a script yields: a question, the estimate so far, and how many questions remain."""

    question: Question
    estimate: _E
    remaining: int


Script = Generator[QuestionStep[_E], Answer, _E]


class Questionnaire(Generic[_E]):
    """A state machine without input and output of its own.

    Parameters
    ----------
    script : callable
        Starts the script anew: yields steps, is sent answers, returns the last estimate.
    settings : mapping
        What else the script depends on, as JSON takes it; equal settings on equal data ask
        equal questions.
    data : str
        Digest of the labels and probabilities that the questions are made of.
    with_log : callable, optional
        Puts the log into an estimate that holds one; by default the estimate stays as it is.
    """

    def __init__(
        self,
        script: Callable[[], Script[_E]],
        settings: Mapping[str, Any],
        data: str,
        with_log: Callable[[_E, tuple[LogEntry, ...]], _E] = lambda estimate, _: estimate,
    ) -> None:
        self.settings = dict(settings)
        self.data = data
        self._with_log = with_log
        self._script = script()
        self._log: list[LogEntry] = []
        self._asked: list[Question] = []
        self._advance(None)

    def _advance(self, answer: Answer) -> None:
        try:
            self._step: QuestionStep[_E] | None = self._script.send(answer)
            self._estimate = self._step.estimate
        except StopIteration as stop:
            self._step, self._estimate = None, stop.value

    @property
    def question(self) -> Question | None:
        """The question to put now; None when done."""
        return None if self._step is None else self._step.question

    @property
    def done(self) -> bool:
        """Whether no question is left."""
        return self._step is None

    @property
    def remaining(self) -> int:
        """At most so many questions are left."""
        return 0 if self._step is None else self._step.remaining

    @property
    def estimate(self) -> _E:
        """What the answers so far say."""
        return self._with_log(self._estimate, self.log)

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """Questions and answers so far, the oldest first."""
        return tuple(self._log)

    @property
    def asked(self) -> tuple[tuple[Question, Answer], ...]:
        """The questions of the log themselves, each with its answer."""
        answers = (entry.answer for entry in self._log)
        return tuple(zip(self._asked, answers, strict=True))

    def answer(self, answer: Answer) -> None:
        """Take the answer to the question, and go to the next."""
        if self._step is None:
            raise InputError("the questionnaire is done: it takes no further answer")
        if not (answer is None or isinstance(answer, bool)):
            raise InputError(f"an answer is True, False or None (about equal); got {answer!r}")
        self._log.append(LogEntry(self._step.question.digest, answer))
        self._asked.append(self._step.question)
        self._advance(answer)

    def ask(self, respondent: Respondent) -> _E:
        """Put all questions that are left to a respondent, and return the estimate.

        Examples
        --------
        >>> from askpoint.elicitation.families import diagonal_questionnaire
        >>> from askpoint.elicitation.metrics import diagonal_metric
        >>> from askpoint.elicitation.respondents import ExactRespondent
        >>> respondent = ExactRespondent(diagonal_metric([0.8, 0.2]))
        >>> elicited = diagonal_questionnaire([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.5]).ask(respondent)
        >>> elicited.n_queries, elicited.weights.round(2)
        (7, array([0.8, 0.2]))
        """
        while (question := self.question) is not None:
            self.answer(respondent.prefers(question.first, question.second))
        return self.estimate

    def replay(self, log: Iterable[tuple[str, Answer]]) -> None:
        """Give the answers of a log, as far as it goes."""
        for i, (digest, answer) in enumerate(log):
            question = self.question
            if question is not None and question.digest != digest:
                raise InputError(
                    f"answer {i + 1} of the log belongs to another question: a log can be "
                    "replayed only with the data and settings that it was made with"
                )
            self.answer(answer)

    def to_json(self) -> str:
        """Return settings, data digest and log as JSON text, to leave and resume."""
        content = {"settings": self.settings, "data": self.data, "log": self._log}
        return json.dumps(content, ensure_ascii=False, allow_nan=False)

    def resume(self, text: str) -> None:
        """Give the answers that `to_json` wrote."""
        settings, data, log = read_saved(text)
        if data != self.data:
            raise InputError(
                "the log was made with other labels or probabilities: resume it with those, "
                "or start over"
            )
        if settings != json.loads(json.dumps(self.settings)):
            raise InputError(
                f"the log was made with other settings: {settings}, here {self.settings}"
            )
        self.replay(log)


class SavedQuestionnaire(NamedTuple):
    """What a questionnaire's text holds."""

    settings: Mapping[str, Any]
    data: str
    log: Sequence[tuple[str, Answer]]


def read_saved(text: str) -> SavedQuestionnaire:
    """Read what `Questionnaire.to_json` wrote."""
    try:
        content = json.loads(text)
        log = [(str(digest), answer) for digest, answer in content["log"]]
        return SavedQuestionnaire(dict(content["settings"]), content["data"], log)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise InputError(f"this text is not a saved questionnaire: {error!r}") from None
