"""What reviewers do, in whatever queue: claim the next case, say what it is, skip it, give it back.

The steps are those of `askpoint.labelling.steps`; what they cost and what follows is the queue's.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from askpoint.errors import AskpointError, InputError, RuleError
from askpoint.labelling.claims import find_claim
from askpoint.labelling.not_sure import check_note
from askpoint.labelling.steps import (
    cast_vote,
    claim_case,
    count_held_vote,
    give_back as drop_claim,
    hold_vote,
    skip_case,
    take_back as withdraw,
)
from askpoint.measures.inputs import as_choice
from askpoint.server.labelling.models import Case, Claim, Vote
from askpoint.server.labelling.queues import Queue, claim_of, lock_queue
from askpoint.server.labelling.records import reviewer_of

__all__ = [
    "LONGEST_HOLD",
    "cast",
    "claim",
    "count_due",
    "count_held",
    "draws_others",
    "expire",
    "give_back",
    "hold",
    "last_seen",
    "skip",
    "take_back",
]

LONGEST_HOLD = timedelta(minutes=10)
"""How long a vote may be held."""

_ASKED_FIRST = 4  # of so many claims all but one are of what somebody waits for


def draws_others() -> bool:
    """Draw whether a claim is answered with something else than what somebody waits for."""
    return secrets.randbelow(_ASKED_FIRST) == 0


@transaction.atomic
def claim(queue: str, name: str, *, others: bool | None = None) -> Claim | None:
    """Return what a reviewer holds in a queue, or claim the next case; None where there is none.

    Parameters
    ----------
    queue : str
        Its name.
    name : str
        The reviewer's.
    others : bool, optional
        Whether it is the turn of what nobody waits for; by default that is drawn.

    Raises
    ------
    RuleError
        As `askpoint.labelling.reviewer.check_reviewer`, and as the queue says.
    """
    place = lock_queue(queue)
    reviewer = place.reviewer(name)
    now = place.now(reviewer)
    agreed = place.agreements(reviewer)
    place.check_reviewer(reviewer, agreed)
    held = claim_of(queue, name, now)
    if held is not None:
        return held
    place.check_claim(reviewer, now)
    _expire(place, now)
    found = place.choose(reviewer, now, others=others)
    if found is None:
        return None
    case = place.find(found)
    before, now = place.rules_case(case), place.now(reviewer, case)
    step = claim_case(before, reviewer_of(reviewer), place.protocol(case), now, agreements=agreed)
    place.keep(case, before, step, reviewer, now)
    place.after_claim(reviewer, now)
    return Claim.objects.select_related("case").get(case=case.pk, reviewer=name)


@transaction.atomic
def cast(queue: str, name: str, case: str, choice: str, *, note: str = "") -> Case:
    """Vote on a claimed case, with a note or none, and do what its votes decide.

    Raises
    ------
    RuleError
        ``no-claim``, if the claim has ended; ``second-vote``; ``unknown``.
    InputError
        If the choice is none, or the note is too long.
    """
    place = lock_queue(queue)
    reviewer, row = place.reviewer(name), place.find(case)
    before, now = place.rules_case(row), place.now(reviewer, row)
    place.check_vote(reviewer)
    as_choice(choice, before.options, place.noun)
    _remark(row, name, now, "", note)
    step = cast_vote(before, reviewer_of(reviewer), choice, place.protocol(row), now)
    place.keep(row, before, step, reviewer, now)
    place.after_look(reviewer, now)
    place.after_vote(reviewer, now)
    return row


@transaction.atomic
def hold(queue: str, name: str, case: str, choice: str, time: timedelta, *, note: str = "") -> None:
    """Hold a vote on a claimed case for a while: nothing follows from it until then.

    Raises
    ------
    RuleError
        As `cast`.
    InputError
        If the choice is none.
    """
    place = lock_queue(queue)
    reviewer, row = place.reviewer(name), place.find(case)
    before, now = place.rules_case(row), place.now(reviewer, row)
    place.check_vote(reviewer)
    as_choice(choice, before.options, place.noun)
    _remark(row, name, now, "", note)
    step = hold_vote(before, reviewer_of(reviewer), choice, place.protocol(row), now, time=time)
    place.keep(row, before, step, None, now)
    place.after_look(reviewer, now)


@transaction.atomic
def take_back(queue: str, name: str, case: str) -> None:
    """Take a held vote back: the reviewer holds the case again.

    Raises
    ------
    RuleError
        ``undo-late``; ``no-claim``; ``unknown``.
    """
    place = lock_queue(queue)
    reviewer, row = place.reviewer(name), place.find(case)
    before, now = place.rules_case(row), place.now(reviewer, row)
    step = withdraw(before, reviewer_of(reviewer), place.protocol(row), now)
    place.keep(row, before, step, None, now)


@transaction.atomic
def count_held(queue: str, name: str, case: str) -> None:
    """Count a held vote, and do what the votes decide; nothing, if it was taken back or counted meanwhile.

    Where it may not count any more, as its reviewer was paused or its label is none of a new version's, the case goes
    back to the queue.
    """
    place = lock_queue(queue)
    reviewer, row = place.reviewer(name), place.find(case)
    before, now = place.rules_case(row), place.now(reviewer, row)
    claim = find_claim(before, name, now)
    if claim is None or claim.choice is None:
        return
    try:
        place.check_vote(reviewer)
        as_choice(claim.choice, before.options, place.noun)
    except (RuleError, InputError):
        place.keep(row, before, drop_claim(before, now, name), None, now)
        return
    step = count_held_vote(before, reviewer_of(reviewer), place.protocol(row), now)
    place.keep(row, before, step, reviewer, now)
    place.after_vote(reviewer, now)


def count_due() -> int:
    """Count the votes that were held for long enough, each reviewer's in their order; how many.

    Where the clock was set back since, they count at once: nobody waits until it has caught up.
    """
    now = timezone.now()
    ended = Q(until__lte=now) | Q(said__gt=now + LONGEST_HOLD)
    rows = Claim.objects.filter(ended, said__isnull=False).order_by("said", "pk")
    due = list(rows.values_list("case__queue", "reviewer", "case"))
    for queue, name, case in due:
        try:
            count_held(queue, name, case)
        except AskpointError as error:  # its case goes back, and the next ones are counted
            logging.getLogger(__name__).warning("a held vote on %s is given up: %s", case, error)
            give_back(queue, name, case)
    return len(due)


@transaction.atomic
def skip(queue: str, name: str, case: str, *, reason: str = "", note: str = "") -> None:
    """Give a claimed case back for good, and say why: it is not offered to this reviewer again.

    Raises
    ------
    RuleError
        ``no-claim``; ``too-many-skips``; ``unknown``.
    InputError
        If the note is too long.
    """
    place = lock_queue(queue)
    reviewer, row = place.reviewer(name), place.find(case)
    before, now = place.rules_case(row), place.now(reviewer, row)
    _remark(row, name, now, reason, note)
    step = skip_case(before, reviewer_of(reviewer), place.protocol(row), now)
    place.keep(row, before, step, reviewer, now)


def _remark(row: Case, name: str, now: datetime, reason: str, note: str) -> None:
    """Keep what a reviewer wrote in place of what they wrote before, if anything."""
    text, rows = check_note(note), row.remarks.filter(reviewer=name)
    if text or reason:
        kept = {"reason": reason, "note": text, "at": now}
        row.remarks.update_or_create(reviewer=name, defaults=kept)
    elif rows.exists():
        rows.delete()


@transaction.atomic
def give_back(queue: str, name: str, case: str) -> None:
    """Give a claimed case back, to whoever comes next.

    Raises
    ------
    RuleError
        ``unknown``.
    """
    place = lock_queue(queue)
    row = place.find(case)
    before, now = place.rules_case(row), place.now(row)
    place.keep(row, before, drop_claim(before, now, name), None, now)


@transaction.atomic
def expire(queue: str) -> int:
    """Return ended claims to a queue, and what was reserved for them; of how many cases."""
    place = lock_queue(queue)
    return _expire(place, timezone.now())


def _expire(place: Queue, now: datetime) -> int:
    ended = Claim.objects.filter(case__queue=place.key, until__lte=now, said=None)
    keys = list(ended.order_by("case").values_list("case", flat=True).distinct())
    for key in keys:
        row = place.find(key)
        before, after = place.rules_case(row), place.now(row)
        place.keep(row, before, drop_claim(before, after), None, after)
    return len(keys)


def last_seen(queue: str, name: str, most: int) -> Iterator[tuple[str, str | None]]:
    """Yield the newest cases that a reviewer claimed or voted on, and what they said of each, held or not.

    Claims are read first: a held vote that is counted meanwhile is found in one of both.
    """
    claims = Claim.objects.filter(reviewer=name, case__queue=queue)
    yield from list(claims.order_by("-until").values_list("case", "choice"))
    votes = Vote.objects.filter(reviewer=name, case__queue=queue).order_by("-at", "-pk")
    yield from votes.values_list("case", "choice")[:most]
