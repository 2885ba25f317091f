"""Gold cases made of cases on which reviewers agreed, or an owner ruled: nothing in their shape or content tells them from cases.

The truth of a case is the owner's last ruling, and without one what all of at least two reviewers said. One vote is none.
That is so for one case and for many at once.
"""

from __future__ import annotations

from itertools import chain, zip_longest

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet

from askpoint.errors import RuleError
from askpoint.labelling.case import GOLD
from askpoint.labelling.gold import becomes_gold
from askpoint.server.deployments.cases import cases_of
from askpoint.server.deployments.models import CaseRuling, Deployment
from askpoint.server.deployments.queue import ClassifierQueue
from askpoint.server.journal.services import note
from askpoint.server.labelling.copies import copy_cases
from askpoint.server.labelling.guidelines import guideline_of
from askpoint.server.labelling.models import Case

__all__ = ["agreed_cases", "find_truth", "make_agreed_gold", "make_gold_of", "ruled_cases"]


def agreed_cases(row: Deployment, key: str | None = None) -> list[Case]:
    """Return the cases on which all of at least two reviewers agreed and no owner ruled, the newest first; or one, ruled or not."""
    against = ~Q(votes__choice=F("answer")) | Q(votes__void=True)
    rows = _fresh_cases(row).filter(state="ruled")
    rows = rows.exclude(key__in=_ruled_keys(row)) if key is None else rows.filter(key=key)
    rows = rows.annotate(
        n_votes=Count("votes", distinct=True),
        n_against=Count("votes", filter=against, distinct=True),
    )
    rows = rows.filter(n_votes__gt=1, n_against=0)
    return list(rows.order_by("-opened", "pk").prefetch_related("votes", "claims"))


def ruled_cases(row: Deployment) -> list[tuple[Case, str]]:
    """Return the cases on which an owner ruled, each with the last ruling, the newest first."""
    rulings = CaseRuling.objects.filter(policy__deployment=row).order_by("pk")
    last = dict(rulings.values_list("key", "label"))
    rows = _fresh_cases(row).filter(key__in=_ruled_keys(row)).exclude(key="")
    rows = rows.order_by("-opened", "pk").prefetch_related("votes", "claims")
    return [(case, last[case.key]) for case in rows]


def find_truth(row: Deployment, key: str) -> tuple[Case, str] | None:
    """Return a case of which gold can be made, and its truth; None where that is not known, or gold was made of it."""
    ruling = CaseRuling.objects.filter(policy__deployment=row, key=key).order_by("-pk").first()
    if ruling is None:
        agreed = agreed_cases(row, key)
        return (agreed[0], str(agreed[0].answer)) if agreed else None
    rows = _fresh_cases(row).filter(key=key).exclude(key="")
    found = rows.prefetch_related("votes", "claims").first()
    return None if found is None else (found, ruling.label)


def _fresh_cases(row: Deployment) -> QuerySet[Case]:
    """Return the cases with their content of which no gold was made."""
    made = cases_of(row).filter(purpose=GOLD).exclude(source="").values("source")
    rows = cases_of(row).filter(content__isnull=False, purpose__in=("asked", "audit"))
    return rows.exclude(pk__in=made)


def _ruled_keys(row: Deployment) -> QuerySet[CaseRuling, str]:
    return CaseRuling.objects.filter(policy__deployment=row).values_list("key", flat=True)


@transaction.atomic
def make_agreed_gold(deployment: str, n: int) -> int:
    """Make gold cases of so many on which reviewers agreed or an owner ruled, as many of each label as there are.

    Who voted on a case is not asked again.

    Raises
    ------
    RuleError
        ``too-few``, if fewer can be made; then none is.
    """
    queue = ClassifierQueue.lock(deployment)
    by_label: dict[str, list[Case]] = {}
    truths: dict[str, str] = {}
    for case, truth in _known_cases(queue):
        by_label.setdefault(truth, []).append(case)
        truths[case.pk] = truth
    rows = [row for row in chain(*zip_longest(*by_label.values())) if row is not None]
    if n > len(rows):
        raise RuleError(
            "too-few",
            f"gold cases can be made of at most {len(rows)} cases, on which at least two reviewers agreed or an owner ruled; got "
            f"{n}. Raise the share of cases that a second reviewer labels, rule on more cases, or enter fewer",
        )
    copy_cases(rows[:n], GOLD, queue.now(), truths)
    return n


@transaction.atomic
def make_gold_of(deployment: str, key: str) -> None:
    """Make a gold case of one case on which reviewers agreed or an owner ruled; who voted on it is not asked again.

    Raises
    ------
    RuleError
        ``not-agreed``, if its label is not known well enough, or it is a gold case already.
    """
    queue = ClassifierQueue.lock(deployment)
    found = find_truth(queue.row, key)
    if found is None or found[1] not in queue.options(Case()) or _is_example(queue, found[0]):
        raise RuleError(
            "not-agreed",
            "a gold case is made of a case with its content on which at least two reviewers agreed or an owner ruled, once, "
            "and not of an example of the guideline: ask a second reviewer to label it first, or rule on it",
        )
    case, truth = found
    copy_cases([case], GOLD, queue.now(), {case.pk: truth})
    note("gold made", campaign=deployment, about=key)


def _known_cases(queue: ClassifierQueue) -> list[tuple[Case, str]]:
    """Return the cases of which gold can be made, with their truths that the policy knows, and not every reviewer; the newest first."""
    classes = queue.options(Case())
    agreed = agreed_cases(queue.row)
    known = [(case, str(case.answer)) for case in agreed if becomes_gold(queue.rules_case(case))]
    known += ruled_cases(queue.row)
    known.sort(key=lambda one: one[0].opened, reverse=True)
    return [
        (case, truth) for case, truth in known if truth in classes and not _is_example(queue, case)
    ]


def _is_example(queue: ClassifierQueue, row: Case) -> bool:
    shown = guideline_of(queue.key)
    text = row.content.strip() if isinstance(row.content, str) else ""
    return shown is not None and text in shown.text.texts
