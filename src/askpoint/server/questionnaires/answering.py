"""Whoever has a link answers: one question a page, and back, and on another day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

import askpoint.server.questionnaires.services as services
from askpoint.errors import InputError, RuleError
from askpoint.reports.elicitation.asking import Scene, guess_words
from askpoint.server.accounts.rate_limits import count_attempt
from askpoint.server.questionnaires.models import Interview
from askpoint.server.questionnaires.question_pages import question_context
from askpoint.server.questionnaires.sessions import open_by_guess, retest_of, session_of

__all__ = ["questions"]

_WINDOW = timedelta(hours=1)
_MOST = 400  # of an interview's thirty, with all that is taken back
_ANSWERS: dict[str, bool | None] = {"first": True, "second": False, "equal": None}


def questions(request: HttpRequest, token: str) -> HttpResponse:
    """Put what is asked now to who has the link, and take the answer."""
    try:
        row = services.find_interview(token)
        if request.method == "POST":
            if not count_attempt(_WINDOW, _MOST, "questions", str(row.pk)):
                return _refuse(request, "Too many answers at once. Continue in an hour.", 429)
            return _apply_answer(request, token)
        return _page(request, row)
    except RuleError as error:
        return _refuse(request, str(error), 410)


def _refuse(request: HttpRequest, problem: str, status: int) -> HttpResponse:
    return render(request, "questionnaires/refused.html", {"problem": problem}, status=status)


def _page(request: HttpRequest, row: Interview, problem: str = "", typed: str = "") -> HttpResponse:
    scene = Scene(**row.questionnaire.scene)
    page: dict[str, Any] = {
        "row": row,
        "asked": row.questionnaire,
        "seen": services.state_of(row),
        "problem": problem,
        "typed": typed,
        "settled": row.questionnaire.chosen == row.number,
    }
    template = "question"
    if row.begun is None:
        session = open_by_guess(row.questionnaire, None)
        page |= {"words": guess_words(session, scene), "most": session.remaining}
        template = "begin"
    else:
        with session_of(row) as session:
            if row.ended is None and session.question is not None:
                page |= {"said": question_context(session, session.question, scene)}
                page |= {"number": len(session.log) + 1, "left": session.remaining - 1}
                page["most"] = page["number"] + page["left"]
            else:
                template = _after(row, session, scene, page)
    return render(request, f"questionnaires/{template}.html", page, status=422 if problem else 200)


def _after(row: Interview, session: Any, scene: Scene, page: dict[str, Any]) -> str:
    """Show what was found, or a question that is put again."""
    if row.again is None:
        page["can_repeat"] = any(answer is not None for _, answer in row.answers)
        return "found"
    again = retest_of(row, session)
    if again.question is None:
        return "found"
    page |= {"said": question_context(session, again.question, scene), "again": True}
    page |= {"number": len(again.log) + 1, "left": again.remaining - 1}
    page["most"] = page["number"] + page["left"]
    return "question"


def _apply_answer(request: HttpRequest, token: str) -> HttpResponse:
    given, seen = request.POST, request.POST.get("seen", "")
    action = given.get("action", "")
    plain: dict[str, Callable[[str, str], None]] = {
        "undo": services.take_back,
        "stop": services.stop,
        "again": services.put_again,
    }
    try:
        if action in plain:
            plain[action](token, seen)
        elif action in ("guess", "unsure"):
            typed = "?" if action == "unsure" else given.get("guess", "")
            services.begin(token, seen, services.read_guess(typed))
        elif action in _ANSWERS:
            row = services.find_interview(token)
            take = services.answer_question if row.ended is None else services.answer_again
            take(token, seen, _ANSWERS[action])
        else:
            messages.error(request, "Choose one of the answers shown.")
    except RuleError as error:
        if error.rule == "link":
            raise
        messages.error(request, str(error))
    except InputError as error:
        if action != "guess":
            messages.error(request, str(error))
        else:
            row = services.find_interview(token)
            return _page(request, row, str(error), given.get("guess", "")[:80])
    return redirect("questions", token)
