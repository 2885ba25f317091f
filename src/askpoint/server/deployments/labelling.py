"""What people found: labels of decided cases, and of items whose truth is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db import transaction

from askpoint.errors import InputError, RuleError
from askpoint.live.batches import LabelRows, check_gold
from askpoint.live.events import Event
from askpoint.live.gateway import label_in
from askpoint.live.label_blocks import LabelContext, label_block
from askpoint.server.classifiers.cases import image_of
from askpoint.server.clock import moment
from askpoint.server.deleted_bytes import queue_clearing
from askpoint.server.deployments.case_images import delete_unnamed_images
from askpoint.server.deployments.cases import cases_of, queue_of
from askpoint.server.deployments.models import CaseRuling, Deployment, Policy, Receipt
from askpoint.server.deployments.policies import check_not_deleted, lock_deployment
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.rows import micros
from askpoint.server.deployments.store import DatabaseStore, case_of_receipt
from askpoint.server.labelling.guidelines import drop_examples
from askpoint.server.labelling.models import Appeal, Claim, Remark
from askpoint.server.labelling.services import count_held
from askpoint.wire.fields import MOST_LABELS

__all__ = ["IncomingLabel", "LabelIntake", "forget", "problems_of", "take_labels"]


class IncomingLabel(NamedTuple):
    """A label as it comes; without a source, that follows from how the case was decided."""

    key: str
    label: str
    judge: str
    source: str | None = None
    truth: str | None = None


class LabelIntake(NamedTuple):
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


def problems_of(row: Deployment, items: Sequence[IncomingLabel]) -> list[str | None]:
    """Say of each label why it could not be taken; None of those that can."""
    keys = [it.key for it in items if it.source != "gold"]
    receipts: dict[str, Receipt] = {}
    for start in range(0, len(keys), MOST_LABELS):
        part = Receipt.objects.filter(deployment=row, key__in=keys[start : start + MOST_LABELS])
        receipts |= {one.key: one for one in part}
    documents = {one.pk: document_of(one) for one in row.policies.all()}
    used = next((one.pk for one in row.policies.all() if one.number == row.adopted), None)
    found: list[str | None] = []
    for item in items:
        receipt = None if item.source == "gold" else receipts.get(item.key)
        policy = used if receipt is None else receipt.policy_id
        try:
            check_gold([item.key], [item.source or ""], [item.truth])
            if policy is None or (receipt is None and item.source != "gold"):
                raise RuleError("unknown-key", f"no case {item.key[:80]!r} was ever decided here")
            model = documents[policy].model
            cases = (
                {} if receipt is None else {item.key: case_of_receipt(receipt, model["classes"])}
            )
            label_block(_rows([item]), LabelContext(cases), model, 0, 0)
        except InputError as error:
            found.append(str(error))
        else:
            found.append(None)
    return found


@transaction.atomic
def take_labels(deployment: str, items: Sequence[IncomingLabel]) -> LabelIntake:
    """Take labels in; the same of the same judge again changes nothing.

    Raises
    ------
    RuleError
        ``unknown-key``, if a case was never decided; ``deleted``, if the classifier was.
    InputError
        If a label is no class, or a source is not that of the case.
    """
    row = lock_deployment(deployment)
    check_not_deleted(row)
    check_gold(
        [it.key for it in items], [it.source or "" for it in items], [it.truth for it in items]
    )
    keys = [it.key for it in items if it.source != "gold"]
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
    by_policy: dict[int, list[IncomingLabel]] = {}
    for item in items:
        receipt = receipts.get(item.key) if item.source != "gold" else None
        number = row.adopted if receipt is None else receipt.policy.number
        by_policy.setdefault(number, []).append(item)
    told = [_take(row, number, part) for number, part in sorted(by_policy.items())]
    return LabelIntake(
        sum(one.kept for one in told),
        sum(one.counted for one in told),
        tuple(event for one in told for event in one.events),
    )


def _take(row: Deployment, number: int, items: Sequence[IncomingLabel]) -> LabelIntake:
    policy = Policy.objects.filter(deployment=row, number=number).first()
    if policy is None:
        raise RuleError("no-policy", "no policy is in use for which gold cases could be used")
    now = moment(row)
    store = DatabaseStore(row, policy, now)
    outcome = label_in(store, _rows(items), micros(now))
    if outcome is None:
        return LabelIntake(0, 0, ())
    counted = int((outcome.block.counts | outcome.block.gold).sum())
    return LabelIntake(len(outcome.block.key), counted, store.events)


def _rows(items: Sequence[IncomingLabel]) -> LabelRows:
    return LabelRows(
        [it.key for it in items],
        [it.label for it in items],
        [it.judge for it in items],
        [it.source for it in items],
        [it.truth for it in items],
    )


@transaction.atomic
def forget(deployment: str, keys: Sequence[str]) -> int:
    """Delete the contents of cases and the salts of their digests; that it was done is a row of the log. How many contents.

    Raises
    ------
    RuleError
        ``unknown-key``, if a case was never decided.
    """
    row = lock_deployment(deployment)
    rows = Receipt.objects.filter(deployment=row, key__in=keys).order_by("policy", "seq")
    receipts = {one.key: one for one in rows}
    unknown = [key for key in keys if key not in receipts]
    if unknown:
        raise RuleError(
            "unknown-key",
            f"{len(unknown)} keys were never decided, the first {unknown[0][:80]!r}; nothing was "
            "deleted",
        )
    now = moment(row)
    salted = [one for one in receipts.values() if one.salt is not None]
    for policy in Policy.objects.filter(pk__in={one.policy_id for one in salted}).order_by("pk"):
        part = [one for one in salted if one.policy_id == policy.pk]
        DatabaseStore(row, policy, now).write_deleted(part)
    cases = cases_of(row, keys)
    made = cases_of(row).filter(source__in=cases.values("pk"))  # gold of the same content
    for some in (cases, made):
        said = Claim.objects.filter(case__in=some, said__isnull=False).order_by("said", "pk")
        for name, case in list(said.values_list("reviewer", "case")):
            count_held(queue_of(row.pk), name, case)  # what was said of a case outlasts its content
    held = cases.filter(content__isnull=False)
    waiting = held.filter(labelled=None, state__in=("open", "referred"))
    for some in (waiting, made):
        Claim.objects.filter(case__in=some).delete()
        some.update(state="forgotten")
    for some in (cases, made):
        Remark.objects.filter(case__in=some).update(note="")  # it may quote the content
        Appeal.objects.filter(case__in=some).update(why="", reason="")
    CaseRuling.objects.filter(policy__deployment=row, key__in=keys).update(why="")  # as well
    texts = [it.strip() for it in held.values_list("content", flat=True) if isinstance(it, str)]
    drop_examples(queue_of(row.pk), texts)
    images = [it for it in held.values_list("content", flat=True) if image_of(it) is not None]
    made.update(content=None)
    deleted = int(held.update(content=None))
    delete_unnamed_images(row, images)
    queue_clearing()
    return deleted
