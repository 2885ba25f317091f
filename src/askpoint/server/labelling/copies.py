"""Copies of labelled cases, for reviewers who have not seen the case: nothing in a copy tells it from a case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from askpoint.labelling.case import GOLD
from askpoint.server.labelling.models import Case
from askpoint.server.labelling.records import join_skippers, new_ids, skippers_of

__all__ = ["copy_cases"]


def copy_cases(
    sources: Sequence[Case], purpose: str, now: datetime, truths: Mapping[str, str] | None = None
) -> None:
    """Put a copy of each case into its queue; a gold case is a copy whose answer is known.

    Who voted on a case, held it, left it, or did so with an earlier copy of it, is not given the copy.

    Parameters
    ----------
    sources : sequence of Case
        With ``votes`` and ``claims`` prefetched.
    purpose : str
        Of the copies.
    now : datetime
        When they come into the queue.
    truths : mapping of str to str, optional
        Of gold cases, by the keys of their sources; without one it is the answer of the source.
    """
    known = truths or {}
    earlier = Case.objects.filter(source__in=[row.pk for row in sources])
    seen = {row.pk: _list_seen(row) for row in sources}
    for row in earlier.prefetch_related("votes", "claims"):
        seen[row.source] |= _list_seen(row)
    Case.objects.bulk_create(
        Case(
            id=name,
            queue=row.queue,
            purpose=purpose,
            key=f"{purpose}-{name}",
            content=row.content,
            options=row.options,
            gold=known.get(row.pk, row.answer) if purpose == GOLD else None,
            source=row.pk,
            skipped=join_skippers(*sorted(seen[row.pk])),
            opened=now,
            at=now,
        )
        for name, row in zip(new_ids(len(sources)), sources, strict=True)
    )


def _list_seen(row: Case) -> set[str]:
    """Return who voted on a case, holds it, or left it."""
    people = {one.reviewer for one in (*row.votes.all(), *row.claims.all())}
    return people | set(skippers_of(row))
