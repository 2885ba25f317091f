"""What happens to a questionnaire: made, answered, taken back, put again, settled, put to use."""

from __future__ import annotations

import math
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.core import signing
from django.db import transaction
from django.utils import timezone

from askpoint.answers.elicitation.answer import answer_elicitation
from askpoint.answers.elicitation.opening import open_session
from askpoint.answers.live.first_policy import OpeningQuestion
from askpoint.elicitation.session import ElicitSession
from askpoint.errors import InputError, RuleError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.records.predictions import PredictionLog
from askpoint.records.stored_logs import pack_log
from askpoint.reports.elicitation.asking import Scene, check_missed
from askpoint.reports.elicitation.document import elicit_document, following_answer
from askpoint.reports.elicitation.json import elicit_object
from askpoint.server.accounts.models import User
from askpoint.server.deployments.models import Policy
from askpoint.server.deployments.policies import lock_deployment, propose
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.journal.services import note
from askpoint.server.questionnaires.models import Interview, Questionnaire
from askpoint.server.questionnaires.question_pages import steadiness
from askpoint.server.questionnaires.sessions import log_of, open_by_guess, retest_of, session_of
from askpoint.server.report_sections import plain_sections

__all__ = [
    "add_people",
    "answer_again",
    "answer_question",
    "begin",
    "delete_questionnaire",
    "find_interview",
    "make_questionnaire",
    "price_of",
    "put_again",
    "read_guess",
    "revoke",
    "settle",
    "state_of",
    "stop",
    "take_back",
    "token_of",
    "use_costs",
]

_MOST_PEOPLE = 50
_MOST_QUESTIONNAIRES = 20
_SALT = "askpoint.questions"
_SHOWN = 40


@transaction.atomic
def make_questionnaire(
    deployment: str, who: User, log: PredictionLog, settings: Mapping[str, Any], scene: Scene
) -> Questionnaire:
    """Make a questionnaire from a log; of its file only labels, probabilities and ids are kept.

    Raises
    ------
    AskpointError
        As `askpoint elicit` refuses logs and settings.
    RuleError
        ``too-many``.
    """
    row = lock_deployment(deployment)
    numbers = list(row.questionnaires.values_list("number", flat=True))
    if len(numbers) >= _MOST_QUESTIONNAIRES:
        raise RuleError(
            "too-many", f"there are {len(numbers)} questionnaires here: delete one that is done"
        )
    odd = next((name for name in log.classes if not str(name).isprintable()), None)
    if odd is not None:
        raise InputError(
            f"a class is called {odd!r}, and its name must be readable: take the signs out that "
            "nobody sees"
        )
    check_missed(scene, log.classes)
    rows = pack_log(log)
    open_session(log, **settings)  # what is impossible is refused now, not to somebody by a link
    found = Questionnaire.objects.create(
        deployment=row,
        number=max(numbers, default=0) + 1,
        rows=rows,
        n_labelled=log.n_labelled,
        classes=list(log.classes),
        settings=dict(settings),
        scene=scene._asdict(),
        who=who.username,
        made=timezone.now(),
    )
    note("questionnaire made", campaign=row.pk, about=f"questionnaire {found.number}")
    return found


@transaction.atomic
def add_people(row: Questionnaire, names: list[str]) -> list[Interview]:
    """Make a link for each name.

    Raises
    ------
    InputError
        If a name is taken.
    RuleError
        ``too-many``.
    """
    lock_deployment(row.deployment_id)
    people = list(row.interviews.values_list("number", "name"))
    if len(people) + len(names) > _MOST_PEOPLE:
        raise RuleError("too-many", f"a questionnaire is for at most {_MOST_PEOPLE} people")
    twice = [name for i, name in enumerate(names) if name in {*names[:i], *(n for _, n in people)}]
    if twice:
        raise InputError(f"there is a link for “{twice[0]}” already: give another name")
    last = max((number for number, _ in people), default=0)
    made = [
        Interview.objects.create(
            questionnaire=row, number=number, name=name, nonce=secrets.token_hex(16)
        )
        for number, name in enumerate(names, start=last + 1)
    ]
    for one in made:
        note("asked about costs", campaign=row.deployment_id, about=one.name)
    return made


def token_of(row: Interview) -> str:
    """Return what stands in somebody's link; it cannot be guessed or altered."""
    return signing.dumps([row.pk, row.nonce], salt=_SALT)


def find_interview(token: str, *, lock: bool = False) -> Interview:
    """Return the interview of a link that still works.

    Raises
    ------
    RuleError
        ``link``.
    """
    try:
        key, nonce = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        raise RuleError("link", "this is not a link to questions; ask for a new one") from None
    rows = Interview.objects.select_related("questionnaire__deployment")
    rows = rows.defer("questionnaire__rows")
    if lock:
        rows = rows.select_for_update(of=("self",))
    found = rows.filter(pk=key, nonce=nonce).first()
    if found is None or found.revoked is not None:
        raise RuleError("link", "this link was withdrawn; ask for a new one if it is yours")
    return found


def state_of(row: Interview) -> str:
    """Return what changes with every answer, so that an old page answers no new question."""
    again = "" if row.again is None else len(row.again)
    return f"{row.undone}.{int(row.begun is not None)}.{len(row.answers)}.{again}"


@contextmanager
def _lock_interview(token: str, seen: str) -> Iterator[Interview]:
    """Hold somebody's interview, if their page shows what is asked now."""
    with transaction.atomic():
        row = find_interview(token, lock=True)
        if seen != state_of(row):
            raise RuleError(
                "other-question",
                "that page was not the newest: nothing was changed, and this is what is asked now",
            )
        if row.questionnaire.chosen == row.number:
            raise RuleError(
                "settled", "these costs are in use, so the answers can no longer change"
            )
        yield row


def read_guess(text: str) -> float | None:
    """Read the direct answer: a number, or ? from who cannot say.

    Raises
    ------
    InputError
        If it is neither.
    """
    if text.strip() == "?":
        return None
    try:
        found = float(text.replace(",", "."))
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise InputError(f"write a number such as 20, not “{text.strip()[:_SHOWN]}”")
    return found


def begin(token: str, seen: str, guess: float | None) -> None:
    """Answer the direct question.

    Raises
    ------
    InputError
        If a mistake is to be worth less than one check.
    """
    with _lock_interview(token, seen) as row:
        if row.begun is not None:
            return
        open_by_guess(row.questionnaire, guess)
        row.guess, row.begun = guess, timezone.now()
        row.save(update_fields=["guess", "begun"])


def answer_question(token: str, seen: str, answer: bool | None) -> None:
    """Answer the question that is put, and end with the last one."""
    with _lock_interview(token, seen) as row:
        if row.begun is None or row.ended is not None:
            raise RuleError("other-question", "no question waits for an answer")
        with session_of(row) as session:
            session.answer(answer)
            row.answers = [list(entry) for entry in session.log]
            if session.done:
                _end(row, session)
        row.save()


def stop(token: str, seen: str) -> None:
    """End with what is known by now."""
    with _lock_interview(token, seen) as row:
        if row.begun is None or not row.answers:
            raise RuleError("too-early", "answer one question at least, or just close the page")
        if row.ended is None:
            with session_of(row) as session:
                _end(row, session)
            row.save()


def take_back(token: str, seen: str) -> None:
    """Take the last answer back: one of those that were put again, a choice, or the direct one."""
    with _lock_interview(token, seen) as row:
        if row.again:
            row.again = row.again[:-1]
            with session_of(row) as session:
                row.steady = steadiness(retest_of(row, session).estimate)
        elif row.again is not None:
            row.again = None
        elif row.answers:
            row.answers = row.answers[:-1]
            row.ended, row.found, row.costs, row.told = None, None, "", []
        else:
            row.begun = row.guess = None
        row.undone += 1
        row.save()


def put_again(token: str, seen: str) -> None:
    """Begin to put some of the questions again.

    Raises
    ------
    InputError
        If none was decided.
    """
    with _lock_interview(token, seen) as row:
        if row.ended is None:
            raise RuleError("too-early", "answer the questions first")
        if row.again is None:
            with session_of(row) as session:
                retest_of(row, session)
            row.again = []
            row.save(update_fields=["again"])


def answer_again(token: str, seen: str, answer: bool | None) -> None:
    """Answer a question that is put again."""
    with _lock_interview(token, seen) as row:
        if row.again is None:
            raise RuleError("other-question", "no question waits for an answer")
        with session_of(row) as session:
            questions = retest_of(row, session)
        if not questions.done:
            questions.answer(answer)
            row.again = [list(entry) for entry in questions.log]
            row.steady = steadiness(questions.estimate)
            row.save(update_fields=["again", "steady"])


def _end(row: Interview, session: ElicitSession) -> None:
    """Keep what the answers say: the words, the object and the file of `askpoint elicit`."""
    asked = row.questionnaire
    answer = answer_elicitation(log_of(asked), answers=session)
    following = None if answer.decides_alone else following_answer(answer)
    row.ended = timezone.now()
    row.found = elicit_object(answer, following)
    row.costs = "" if answer.decides_alone else answer.found.costs.to_json()
    row.told = plain_sections(elicit_document(answer, "", Scene(**asked.scene), following).sections)
    for section in row.told:
        section["blocks"] = [block for block in section["blocks"] if block["kind"] != "picture"]


@transaction.atomic
def revoke(row: Questionnaire, number: int) -> None:
    """Withdraw somebody's link; what they answered stays."""
    found = row.interviews.filter(number=number, revoked=None).first()
    if found is not None:
        found.revoked = timezone.now()
        found.save(update_fields=["revoked"])
        note("link withdrawn", campaign=row.deployment_id, about=found.name)


@transaction.atomic
def settle(row: Questionnaire, who: User, number: int, why: str) -> None:
    """Let one person's costs hold, for a reason.

    Raises
    ------
    InputError
        Without a reason.
    RuleError
        ``unknown`` or ``no-costs``.
    """
    if not why.strip():
        raise InputError("say why: people who read it later want to know")
    lock_deployment(row.deployment_id)
    found = row.interviews.select_for_update().filter(number=number).first()
    if found is None:
        raise RuleError("unknown", "choose whose costs to use")
    if not found.costs:
        raise RuleError("no-costs", f"no costs follow from the answers of {found.name} yet")
    row.chosen, row.chosen_by, row.chosen_why = number, who.username, why.strip()[:500]
    row.chosen_at = timezone.now()
    row.save(update_fields=["chosen", "chosen_by", "chosen_why", "chosen_at"])
    note(
        "costs settled",
        campaign=row.deployment_id,
        about=f"questionnaire {row.number}: {found.name}",
        why=row.chosen_why,
    )


def price_of(costs: str) -> float:
    """Return what a check costs in mean mistakes of the model as it is: the file's own unit."""
    return float(CostMatrix.from_json(costs).reject_costs[0])


def use_costs(row: Questionnaire, who: User, why: str, *, labels_are_random: bool) -> Policy:
    """Propose a version of the policy with the price that was settled on, and all else as it was.

    Raises
    ------
    RuleError
        ``not-settled`` or ``no-policy``.
    AskpointError
        As `askpoint deploy` refuses logs and terms.
    """
    found = row.interviews.filter(number=row.chosen).first()
    if found is None:
        raise RuleError("not-settled", "choose first whose costs to use")
    last = row.deployment.policies.order_by("-number").first()
    if last is None:
        raise RuleError("no-policy", "make a first version of the policy: this goes on from it")
    document = document_of(last)
    if sorted(document.model["classes"]) != sorted(row.classes):
        raise InputError(
            f"the questionnaire is about the classes {', '.join(row.classes)}, and the classifier "
            f"decides {', '.join(document.model['classes'])}"
        )
    terms = document.terms
    question = OpeningQuestion(
        aim="money",
        limit=price_of(found.costs),
        rate=terms.rate,
        planned_decisions=terms.planned_decisions,
        max_label_delay=terms.max_label_delay,
    )
    model = {**document.model, "classes": row.classes}
    return propose(
        row.deployment_id,
        who,
        why,
        log_of(row),
        question,
        model,
        labels_are_random=labels_are_random,
    )


@transaction.atomic
def delete_questionnaire(row: Questionnaire) -> None:
    """Delete a questionnaire with its log and all answers; versions made of it stay."""
    note(
        "questionnaire deleted",
        campaign=row.deployment_id,
        about=f"questionnaire {row.number}",
    )
    row.delete()
