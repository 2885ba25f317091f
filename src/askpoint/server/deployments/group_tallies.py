"""How the groups of a policy fare, counted from its receipts."""

from __future__ import annotations

from django.db.models import Count, Q

from askpoint.answers.live.group_standings import GroupTally
from askpoint.server.deployments.models import Label, Policy, Receipt
from askpoint.server.deployments.rows import ASK, AUDIT

__all__ = ["tally_receipts"]


def tally_receipts(policy: Policy) -> dict[str | None, GroupTally]:
    """Return cases, answers, labelled audits and mistakes by group."""
    receipts = Receipt.objects.filter(policy=policy)
    counts = receipts.values_list("group").annotate(
        decided=Count("seq"), answered=Count("seq", filter=~Q(action=ASK))
    )
    found = {name: GroupTally(decided, answered) for name, decided, answered in counts}
    told = Label.objects.filter(policy=policy, counts=True, source="audit")
    wrong = dict(told.values_list("seq", "wrong"))
    for seq, name in receipts.filter(action=AUDIT).values_list("seq", "group").iterator():
        if seq in wrong:
            before = found[name]
            found[name] = before._replace(
                audits=before.audits + 1, mistakes=before.mistakes + wrong[seq]
            )
    return found
