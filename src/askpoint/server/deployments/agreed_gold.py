"""Gold cases made of cases on which reviewers agreed: nothing in their shape or content tells them from cases."""

from __future__ import annotations

from itertools import chain, zip_longest

from django.db import transaction
from django.db.models import Count, F, Q

from askpoint.errors import RuleError
from askpoint.labelling.case import GOLD
from askpoint.labelling.gold import becomes_gold, gold_of
from askpoint.server.deployments.cases import cases_of
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.queue import ClassifierQueue
from askpoint.server.labelling.models import Case
from askpoint.server.labelling.records import join_skippers, new_ids

__all__ = ["agreed_cases", "make_agreed_gold"]


def agreed_cases(row: Deployment) -> list[Case]:
    """Return the cases of which gold can be made, the newest first: all of at least two reviewers agreed."""
    made = cases_of(row).filter(purpose=GOLD).exclude(source="").values("source")
    against = ~Q(votes__choice=F("answer")) | Q(votes__void=True)
    rows = cases_of(row).filter(state="ruled", content__isnull=False).exclude(purpose=GOLD)
    rows = rows.annotate(
        n_votes=Count("votes", distinct=True),
        n_against=Count("votes", filter=against, distinct=True),
    )
    rows = rows.filter(n_votes__gt=1, n_against=0).exclude(pk__in=made)
    return list(rows.order_by("-opened", "pk").prefetch_related("votes", "claims"))


@transaction.atomic
def make_agreed_gold(deployment: str, n: int) -> int:
    """Make gold cases of so many on which reviewers agreed, as many of each label as there are; who voted is not asked again.

    Raises
    ------
    RuleError
        ``too-few``, if fewer can be made; then none is.
    """
    queue = ClassifierQueue.lock(deployment)
    now, classes = queue.now(), queue.options(Case())
    by_label: dict[str, list[Case]] = {}
    for row in agreed_cases(queue.row):
        if row.answer in classes and becomes_gold(queue.rules_case(row)):
            by_label.setdefault(row.answer, []).append(row)
    rows = [row for row in chain(*zip_longest(*by_label.values())) if row is not None]
    if n > len(rows):
        raise RuleError(
            "too-few",
            f"gold cases can be made of at most {len(rows)} cases, on which at least two reviewers agreed; got {n}. "
            "Raise the share of cases that a second reviewer labels, or enter fewer",
        )
    Case.objects.bulk_create(
        Case(
            id=name,
            queue=queue.key,
            purpose=GOLD,
            key=f"golden-{name}",
            content=row.content,
            gold=row.answer,
            source=row.pk,
            skipped=join_skippers(*gold_of(queue.rules_case(row), name, now).skipped),
            opened=now,
            at=now,
        )
        for name, row in zip(new_ids(n), rows[:n], strict=True)
    )
    return n
