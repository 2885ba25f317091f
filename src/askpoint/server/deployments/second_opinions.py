"""Second opinions: a labelled case goes to a reviewer who has not seen it, as any other; no label follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import transaction

from askpoint.errors import RuleError
from askpoint.measures.intervals import Interval, clopper_pearson
from askpoint.server.deployments.cases import KIND, cases_of
from askpoint.server.deployments.models import Deployment, Label
from askpoint.server.deployments.queue import ClassifierQueue
from askpoint.server.journal.services import note
from askpoint.server.labelling.blind_queue import OPINION
from askpoint.server.labelling.copies import copy_cases
from askpoint.server.labelling.models import Case
from askpoint.server.labelling.queues import Purpose, register_purpose

__all__ = [
    "DifferingCase",
    "OpinionSummary",
    "SecondOpinion",
    "ask_second_opinions",
    "list_opinions",
    "summarise_opinions",
]

register_purpose(
    Purpose(
        name=OPINION,
        queue=KIND,
        meaning="It has a label, and an owner asked for a second opinion, which does not count as a label.",
    )
)


class SecondOpinion(NamedTuple):
    """What a second reviewer said of a labelled case; None while it waits, or if they were not sure."""

    reviewer: str | None
    choice: str | None
    waits: bool


class DifferingCase(NamedTuple):
    """A case of which a second reviewer says something else than its label."""

    key: str
    label: str
    opinion: str
    reviewer: str


@dataclass(frozen=True)
class OpinionSummary:
    """What second reviewers say of the cases that were sent to them, the first opinion on each.

    Parameters
    ----------
    agreed : int
        Cases on which they say what the label says.
    differing : tuple of DifferingCase
        The others that have an opinion, those that were asked last first.
    waiting, not_sure : int
        Cases without an opinion: they wait for a reviewer, or the reviewer was not sure.
    """

    agreed: int
    differing: tuple[DifferingCase, ...]
    waiting: int
    not_sure: int

    @property
    def given(self) -> int:
        """Cases that have an opinion."""
        return self.agreed + len(self.differing)

    @property
    def asked(self) -> int:
        """Cases that were sent to a second reviewer."""
        return self.given + self.waiting + self.not_sure

    @property
    def agreement(self) -> Interval | None:
        """The share of such cases on which a second reviewer agrees, 95%; None without an opinion."""
        return clopper_pearson(self.agreed, self.given, 0.95) if self.given else None


@transaction.atomic
def ask_second_opinions(deployment: str, keys: Sequence[str]) -> int:
    """Send labelled cases to another reviewer each; how many are sent. What waits for an opinion already is left.

    Raises
    ------
    RuleError
        ``nothing-to-ask``, if none has both a label and its content, or all wait already.
    """
    queue = ClassifierQueue.lock(deployment)
    now = queue.now()
    waiting = cases_of(queue.row).filter(purpose=OPINION, state="open").values("source")
    found = cases_of(queue.row, keys)
    found = found.filter(purpose__in=("asked", "audit"), content__isnull=False)
    found = found.exclude(labelled=None).exclude(pk__in=waiting).order_by("opened", "pk")
    firsts = list(found.prefetch_related("votes", "claims"))
    if not firsts:
        raise RuleError(
            "nothing-to-ask",
            "none of these cases can go to a second reviewer: a case needs a label and its content, and goes to "
            "one reviewer at a time",
        )
    copy_cases(firsts, OPINION, now)
    note("second opinions asked", campaign=deployment, cases=len(firsts))
    return len(firsts)


def list_opinions(row: Deployment, case: Case) -> list[SecondOpinion]:
    """Return the second opinions on a case, in the order in which they were asked for."""
    rows = cases_of(row).filter(purpose=OPINION, source=case.pk).order_by("opened", "pk")
    said = rows.values_list("votes__reviewer", "votes__choice", "state")
    return [SecondOpinion(name, choice, waits=state == "open") for name, choice, state in said]


def summarise_opinions(row: Deployment) -> OpinionSummary:
    """Return what second reviewers say of the cases that were sent to them; of a case, the first opinion."""
    asked = cases_of(row).filter(purpose=OPINION).order_by("opened", "pk")
    values = asked.values_list("source", "votes__choice", "votes__reviewer", "state")
    first: dict[str, tuple[str | None, str, str]] = {}
    for source, choice, name, state in values:
        if choice is None and state == "forgotten":
            continue
        if first.get(source, (None,))[0] is None:
            first[source] = choice, name, state
    keys = dict(cases_of(row).filter(pk__in=first).values_list("pk", "key"))
    counting = Label.objects.filter(policy__deployment=row, counts=True, seq__gte=0)
    labels = dict(
        counting.filter(key__in=keys.values()).order_by("-pk").values_list("key", "label")
    )
    # a label that was told to a version that did not know it counts nowhere: nothing to agree with
    first = {source: said for source, said in first.items() if keys.get(source) in labels}
    agreed, differing, waiting = 0, [], 0
    for source, (choice, name, state) in first.items():
        label = labels[keys[source]]
        if choice is None:
            waiting += state == "open"
        elif choice == label:
            agreed += 1
        else:
            differing.append(DifferingCase(keys[source], label, choice, name))
    not_sure = len(first) - agreed - len(differing) - waiting
    return OpinionSummary(agreed, tuple(reversed(differing)), waiting, not_sure)
