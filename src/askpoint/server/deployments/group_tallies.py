"""How the groups of a policy fare, counted from its receipts.

A million receipts take a second to count. They and their labels are only ever added, so a process remembers what it counted
of a policy and adds what came since; before it does, it looks whether the last ones it counted are still the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db.models import Count, Max, OuterRef, Q, Subquery

from askpoint.answers.live.group_standings import GroupTally
from askpoint.server.deployments.models import Label, Policy, Receipt
from askpoint.server.deployments.rows import ASK

__all__ = ["tally_receipts"]


class _CountedReceipts(NamedTuple):
    """What was counted: receipts below a number, labels up to a row; the last of each, and the groups."""

    below: int = 0
    label: int = 0
    last: tuple[Any, Any] = (None, None)
    groups: Mapping[str | None, GroupTally] = {}


_known: dict[int, _CountedReceipts] = {}  # of this process, by the policy's row


def tally_receipts(policy: Policy) -> dict[str | None, GroupTally]:
    """Return cases, answers, labelled audits and mistakes by group."""
    before = _known.get(policy.pk, _CountedReceipts())
    if before.below > policy.decided or before.last != _last_of(policy, before):
        before = _CountedReceipts()
    found, label = dict(before.groups), before.label
    receipts = Receipt.objects.filter(policy=policy)
    new = receipts.filter(seq__gte=before.below, seq__lt=policy.decided).values_list("group")
    new = new.annotate(decided=Count("seq"), answered=Count("seq", filter=~Q(action=ASK)))
    for name, decided, answered in new.order_by():
        was = found.get(name, GroupTally())
        found[name] = was._replace(decided=was.decided + decided, answered=was.answered + answered)
    group = receipts.filter(seq=OuterRef("seq")).values("group")[:1]
    told = Label.objects.filter(policy=policy, counts=True, source="audit", pk__gt=before.label)
    told = told.order_by().annotate(group=Subquery(group)).values_list("group")
    wrong = Count("pk", filter=Q(wrong=True))
    told = told.annotate(audits=Count("pk"), mistakes=wrong, newest=Max("pk"))
    for name, audits, mistakes, newest in told:
        was = found.get(name, GroupTally())
        found[name] = was._replace(audits=was.audits + audits, mistakes=was.mistakes + mistakes)
        label = max(label, newest)
    made = _CountedReceipts(policy.decided, label, groups=found)
    _known[policy.pk] = made._replace(last=_last_of(policy, made))
    return dict(found)


def _last_of(policy: Policy, counted: _CountedReceipts) -> tuple[Any, Any]:
    """Return what tells the last receipt and label that were counted from others at their places."""
    receipts = Receipt.objects.filter(policy=policy, seq=counted.below - 1)
    labels = Label.objects.filter(policy=policy, pk=counted.label)
    return (
        receipts.values_list("key", "at", "leaf").first(),
        labels.values_list("key", "at", "leaf").first(),
    )
