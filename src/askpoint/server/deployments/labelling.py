"""What people found: labels of decided cases, and of items whose truth is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q

from askpoint.errors import InputError, RuleError
from askpoint.live.events import Event
from askpoint.live.receipts import LabelBlock
from askpoint.records.deployments.given import check_classes, check_golden
from askpoint.server.clock import moment
from askpoint.server.deployments.cases import cases_of
from askpoint.server.deployments.lives import document_of, keep_life, life_of
from askpoint.server.deployments.models import Deployment, Label, Policy, Receipt
from askpoint.server.deployments.notifications import notify_owners
from askpoint.server.deployments.policies import lock_deployment
from askpoint.server.deployments.rows import ASK, AUDIT, label_block_of
from askpoint.server.labelling.models import Claim
from askpoint.wire.fields import MOST_LABELS

__all__ = ["Said", "Told", "forget", "problems_of", "take_labels"]


class Said(NamedTuple):
    """A label as it comes; without a source, that follows from how the case was decided."""

    key: str
    label: str
    judge: str
    source: str | None = None
    truth: str | None = None


class Told(NamedTuple):
    """What became of labels that came together.

    Attributes
    ----------
    kept, counted : int
        How many are new, and how many of them count: the first of each asked or audited case.
    events : tuple of Event
        What they set off.
    """

    kept: int
    counted: int
    events: tuple[Event, ...]


def problems_of(row: Deployment, items: Sequence[Said]) -> list[str | None]:
    """Say of each label why it could not be taken; None of those that can."""
    keys = [it.key for it in items if it.source != "golden"]
    receipts: dict[str, Receipt] = {}
    for start in range(0, len(keys), MOST_LABELS):
        part = Receipt.objects.filter(deployment=row, key__in=keys[start : start + MOST_LABELS])
        receipts |= {one.key: one for one in part}
    documents = {one.pk: document_of(one) for one in row.policies.all()}
    used = next((one.pk for one in row.policies.all() if one.number == row.adopted), None)
    found: list[str | None] = []
    for item in items:
        receipt = None if item.source == "golden" else receipts.get(item.key)
        policy = used if receipt is None else receipt.policy_id
        try:
            check_golden([item.key], [item.source or ""], [item.truth])
            if policy is None or (receipt is None and item.source != "golden"):
                raise RuleError("unknown-key", f"no case {item.key[:80]!r} was ever decided here")
            words = [item.label] if item.truth is None else [item.label, item.truth]
            check_classes(words, documents[policy].model, "labels a case")
            _source(item, receipt)
        except InputError as error:
            found.append(str(error))
        else:
            found.append(None)
    return found


@transaction.atomic
def take_labels(deployment: str, items: Sequence[Said]) -> Told:
    """Take labels in; the same of the same judge again changes nothing.

    Raises
    ------
    RuleError
        ``unknown-key``, if a case was never decided.
    InputError
        If a label is no class, or a source is not that of the case.
    """
    row = lock_deployment(deployment)
    check_golden(
        [it.key for it in items], [it.source or "" for it in items], [it.truth for it in items]
    )
    keys = [it.key for it in items if it.source != "golden"]
    receipts = {
        one.key: one
        for one in Receipt.objects.filter(deployment=row, key__in=keys).select_related("policy")
    }
    unknown = [key for key in keys if key not in receipts]
    if unknown:
        raise RuleError(
            "unknown-key",
            f"{len(unknown)} of the labels name cases that were never decided, the first "
            f"{unknown[0][:80]!r}; label cases of this classifier",
        )
    by_policy: dict[int, list[Said]] = {}
    for item in items:
        receipt = receipts.get(item.key) if item.source != "golden" else None
        number = row.adopted if receipt is None else receipt.policy.number
        by_policy.setdefault(number, []).append(item)
    told = [_take(row, number, part, receipts) for number, part in sorted(by_policy.items())]
    return Told(
        sum(one.kept for one in told),
        sum(one.counted for one in told),
        tuple(event for one in told for event in one.events),
    )


def _take(
    row: Deployment, number: int, items: Sequence[Said], receipts: dict[str, Receipt]
) -> Told:
    policy = Policy.objects.filter(deployment=row, number=number).first()
    if policy is None:
        raise RuleError("no-policy", "no policy is in use that golden items could tell of")
    document, now = document_of(policy), moment(row)
    words = [it.label for it in items] + [it.truth for it in items if it.truth is not None]
    check_classes(words, document.model, "labels a case")
    mine = Q(key__in=[it.key for it in items])
    known = list(Label.objects.filter(mine, policy=policy))
    same = {(one.key, one.judge, one.label, one.source) for one in known}
    labelled = {one.key for one in known if one.counts and one.source != "golden"}
    checked = {(one.key, one.judge) for one in known if one.counts and one.source == "golden"}
    classes, rows = document.model["classes"], []
    for item in items:
        receipt = None if item.source == "golden" else receipts[item.key]
        source = _source(item, receipt)
        if (item.key, item.judge, item.label, source) in same:
            continue
        same.add((item.key, item.judge, item.label, source))
        if receipt is None:
            right, counts = item.truth, (item.key, item.judge) not in checked
            checked.add((item.key, item.judge))
        else:
            right = classes[receipt.prediction]
            counts = source != "feedback" and item.key not in labelled
            labelled |= {item.key} if counts else set()
        rows.append(
            Label(
                policy=policy,
                block=policy.blocks,
                after=policy.decided,
                key=item.key,
                seq=-1 if receipt is None or receipt.seq is None else receipt.seq,
                label=item.label,
                judge=item.judge,
                source=source,
                truth=item.truth,
                wrong=item.label != right,
                counts=counts,
                at=now,
            )
        )
    if not rows:
        return Told(0, 0, ())
    life = life_of(policy)
    block: LabelBlock = label_block_of(rows)
    life.replay.label(block)
    rows[-1].chain = life.replay.heads[1]
    life.blocks += 1
    Label.objects.bulk_create(rows)
    events = keep_life(policy, life, now, told=True)
    notify_owners(row, policy, events)
    done = [one.key for one in rows if one.counts and one.source != "golden"]
    cases_of(row).filter(key__in=done, labelled=None).update(labelled=now)
    if row.at < now:
        Deployment.objects.filter(pk=row.pk).update(at=now)
    return Told(len(rows), sum(one.counts for one in rows), tuple(events))


def _source(item: Said, receipt: Receipt | None) -> str:
    if receipt is None:
        return "golden"
    true = {ASK: "asked", AUDIT: "audit"}.get(-1 if receipt.action is None else receipt.action)
    if item.source not in (None, "feedback", true):
        raise InputError(
            f"the label of {item.key!r} says that it comes from {item.source!r}, but this case was "
            f"decided so that its labels are {true or 'feedback'!r}; leave the source empty"
        )
    return item.source or true or "feedback"


@transaction.atomic
def forget(deployment: str, keys: Sequence[str]) -> int:
    """Delete the contents of cases; their receipts stay, which hold a digest. How many there were.

    Raises
    ------
    RuleError
        ``unknown-key``, if a case was never decided.
    """
    row = lock_deployment(deployment)
    known = set(Receipt.objects.filter(deployment=row, key__in=keys).values_list("key", flat=True))
    unknown = [key for key in keys if key not in known]
    if unknown:
        raise RuleError(
            "unknown-key",
            f"{len(unknown)} keys were never decided, the first {unknown[0][:80]!r}; nothing was "
            "deleted",
        )
    held = cases_of(row).filter(key__in=keys, content__isnull=False)
    waiting = held.filter(labelled=None, state__in=("open", "referred"))
    Claim.objects.filter(case__in=waiting).delete()
    waiting.update(state="forgotten")
    return int(held.update(content=None))
