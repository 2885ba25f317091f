"""Sessions of the library, replayed from the answers that are stored, and kept for the next request."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from askpoint.answers.elicitation.opening import open_session
from askpoint.elicitation.questionnaire import Questionnaire as Questions
from askpoint.elicitation.retest import RetestAgreement, retest_questionnaire
from askpoint.elicitation.session import ElicitSession
from askpoint.errors import InputError, RuleError
from askpoint.records.predictions import PredictionLog
from askpoint.records.stored_logs import unpack_log
from askpoint.server.questionnaires.models import Interview, Questionnaire

__all__ = ["Answered", "log_of", "open_by_guess", "retest_of", "session_of"]

Answered = tuple[str, bool | None]
"""The digest of a question, and its answer."""

_MOST = 8  # sessions that a process keeps
_kept: OrderedDict[tuple[int, str], tuple[list[Answered], ElicitSession]] = OrderedDict()
_turn = threading.Lock()


def log_of(row: Questionnaire) -> PredictionLog:
    """Return the log of which the questions are made."""
    return unpack_log(bytes(row.rows), row.classes)


def open_by_guess(row: Questionnaire, guess: float | None) -> ElicitSession:
    """Open a session by the direct answer.

    Raises
    ------
    InputError
        If the guess is none.
    """
    return open_session(log_of(row), guess=guess, **row.settings)


@contextmanager
def session_of(row: Interview) -> Iterator[ElicitSession]:
    """Hold a begun interview's session as of its answers; who answers on in it tells the row.

    Raises
    ------
    RuleError
        ``other-version``, if the answers belong to questions that are not put any more.
    """
    key = row.pk, f"{row.nonce} {row.guess}"
    answers: list[Answered] = [(digest, answer) for digest, answer in row.answers]
    with _turn:
        done, session = _kept.pop(key, ([], None))
    if session is None or answers[: len(done)] != done:
        done, session = [], open_by_guess(row.questionnaire, row.guess)
    try:
        session.replay(answers[len(done) :])
    except InputError:
        raise RuleError(
            "other-version",
            "these answers were given to another version of askpoint, which put other questions: "
            "start over with a new link",
        ) from None
    yield session
    with _turn:  # only where nothing went wrong
        _kept[key] = [(entry.digest, entry.answer) for entry in session.log], session
        while len(_kept) > _MOST:
            _kept.popitem(last=False)


def retest_of(row: Interview, session: ElicitSession) -> Questions[RetestAgreement]:
    """Return the questions that are put again, as far as they are answered.

    Raises
    ------
    InputError
        If there is none to put again.
    """
    rng = np.random.default_rng([row.questionnaire.settings["seed"], row.pk, 4])
    found = retest_questionnaire(session.asked, rng)
    found.replay((digest, answer) for digest, answer in row.again or ())
    return found
