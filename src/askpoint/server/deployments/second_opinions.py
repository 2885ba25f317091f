"""Second opinions: a labelled case goes to a reviewer who has not seen it, as any other; no label follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db import transaction

from askpoint.errors import RuleError
from askpoint.server.deployments.cases import KIND, cases_of
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.queue import ClassifierQueue
from askpoint.server.journal.services import note
from askpoint.server.labelling.blind_queue import OPINION
from askpoint.server.labelling.models import Case
from askpoint.server.labelling.queues import Purpose, register_purpose
from askpoint.server.labelling.records import join_skippers, new_ids, skippers_of

__all__ = ["SecondOpinion", "ask_second_opinions", "list_opinions"]

register_purpose(
    Purpose(
        name=OPINION,
        queue=KIND,
        meaning="It has a label, and an owner asked what another reviewer says; that is no label.",
    )
)


class SecondOpinion(NamedTuple):
    """What a second reviewer said of a labelled case; None while it waits, or if they were not sure."""

    reviewer: str | None
    choice: str | None
    waits: bool


@transaction.atomic
def ask_second_opinions(deployment: str, keys: Sequence[str]) -> int:
    """Send labelled cases to another reviewer each; how many are sent. What waits for an opinion already is left.

    Raises
    ------
    RuleError
        ``nothing-to-ask``, if none has both a label and its content, or all wait already.
    """
    queue = ClassifierQueue.lock(deployment)
    rows, now = cases_of(queue.row), queue.now()
    waiting = rows.filter(purpose=OPINION, state="open").values("source")
    found = rows.filter(key__in=keys, purpose__in=("asked", "audit"), content__isnull=False)
    found = found.exclude(labelled=None).exclude(pk__in=waiting).order_by("opened", "pk")
    firsts = list(found.prefetch_related("votes", "claims"))
    if not firsts:
        raise RuleError(
            "nothing-to-ask",
            "none of these cases can go to a second reviewer: a case needs a label and its content, and goes to "
            "one reviewer at a time",
        )
    Case.objects.bulk_create(
        Case(
            id=name,
            queue=queue.key,
            purpose=OPINION,
            key=f"opinion-{name}",
            content=first.content,
            options=first.options,
            source=first.pk,
            skipped=join_skippers(*sorted(_list_seen(queue.row, first))),
            opened=now,
            at=now,
        )
        for name, first in zip(new_ids(len(firsts)), firsts, strict=True)
    )
    note("second opinions asked", campaign=deployment, cases=len(firsts))
    return len(firsts)


def _list_seen(row: Deployment, first: Case) -> set[str]:
    """Return who voted on a case, held it, left it, or gave an opinion on it before."""
    seen = {one.reviewer for one in (*first.votes.all(), *first.claims.all())}
    seen |= set(skippers_of(first))
    before = cases_of(row).filter(purpose=OPINION, source=first.pk)
    return seen | set(before.exclude(votes=None).values_list("votes__reviewer", flat=True))


def list_opinions(row: Deployment, case: Case) -> list[SecondOpinion]:
    """Return the second opinions on a case, in the order in which they were asked for."""
    rows = cases_of(row).filter(purpose=OPINION, source=case.pk).order_by("opened", "pk")
    said = rows.values_list("votes__reviewer", "votes__choice", "state")
    return [SecondOpinion(name, choice, waits=state == "open") for name, choice, state in said]
