"""How each reviewer of a classifier stands, for its owner: what was labelled, skipped, and right where it is known."""

from __future__ import annotations

from typing import NamedTuple

from askpoint.labelling.reviewer import is_paused
from askpoint.server.deployments.cases import queue_of
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.queue import review_protocol
from askpoint.server.labelling.models import Reviewer
from askpoint.server.labelling.records import reviewer_of

__all__ = ["ReviewerLine", "list_standings"]


class ReviewerLine(NamedTuple):
    """A reviewer in a classifier's queue.

    Attributes
    ----------
    name : str
        Of the person.
    voted, skipped : int
        Cases labelled, gold apart, and cases skipped.
    gold_right, gold_seen : int
        Gold cases labelled rightly, of those that count.
    stopped : bool
        Whether nobody gives them cases: too many of the newest gold cases were wrong.
    """

    name: str
    voted: int
    skipped: int
    gold_right: int
    gold_seen: int
    stopped: bool


def list_standings(row: Deployment) -> list[ReviewerLine]:
    """Return who has labelled for a classifier, by name."""
    rows = Reviewer.objects.filter(queue=queue_of(row.pk)).select_related("user")
    return [
        ReviewerLine(
            one.user.username,
            one.voted,
            one.skipped,
            one.gold_right,
            one.gold_seen,
            is_paused(reviewer_of(one), review_protocol()),
        )
        for one in rows.order_by("user__username")
    ]
