"""What reviewers do, in whatever queue: claim the next case, say what it is, skip it, give it back.

The steps are those of `askpoint.labelling.steps`; what they cost and what follows is the queue's.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from askpoint.labelling.steps import cast_vote, claim_case, give_back as drop_claim, skip_case
from askpoint.measures.inputs import as_choice
from askpoint.server.labelling.models import Case, Claim, Vote
from askpoint.server.labelling.queues import Queue, claim_of, lock_queue
from askpoint.server.labelling.records import reviewer_of

__all__ = ["cast", "claim", "draws_others", "expire", "give_back", "last_seen", "skip"]

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
def cast(queue: str, name: str, case: str, choice: str) -> Case:
    """Vote on a claimed case, and do what its votes decide.

    Raises
    ------
    RuleError
        ``no-claim``, if the claim has ended; ``second-vote``; ``unknown``.
    InputError
        If the choice is none.
    """
    place = lock_queue(queue)
    reviewer, row = place.reviewer(name), place.find(case)
    before, now = place.rules_case(row), place.now(reviewer, row)
    place.check_vote(reviewer)
    as_choice(choice, before.options, place.noun)
    step = cast_vote(before, reviewer_of(reviewer), choice, place.protocol(row), now)
    place.keep(row, before, step, reviewer, now)
    place.after_vote(reviewer, now)
    return row


@transaction.atomic
def skip(queue: str, name: str, case: str) -> None:
    """Give a claimed case back for good: it is not offered to this reviewer again.

    Raises
    ------
    RuleError
        ``no-claim``; ``too-many-skips``; ``unknown``.
    """
    place = lock_queue(queue)
    reviewer, row = place.reviewer(name), place.find(case)
    before, now = place.rules_case(row), place.now(reviewer, row)
    step = skip_case(before, reviewer_of(reviewer), place.protocol(row), now)
    place.keep(row, before, step, reviewer, now)


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
    ended = Claim.objects.filter(case__queue=place.key, until__lte=now)
    keys = list(ended.order_by("case").values_list("case", flat=True).distinct())
    for key in keys:
        row = place.find(key)
        before, after = place.rules_case(row), place.now(row)
        place.keep(row, before, drop_claim(before, after), None, after)
    return len(keys)


def last_seen(queue: str, name: str, most: int) -> Iterator[tuple[str, str | None]]:
    """Yield the newest cases that a reviewer voted on or claimed, and what they said of each."""
    votes = Vote.objects.filter(reviewer=name, case__queue=queue).order_by("-at", "-pk")
    yield from votes.values_list("case", "choice")[:most]
    claims = Claim.objects.filter(reviewer=name, case__queue=queue)
    for key in claims.order_by("-until").values_list("case", flat=True)[:most]:
        yield key, None
