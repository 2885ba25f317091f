"""The log of a classifier shown to strangers, signed and proved; and the leases of deciders elsewhere.

What is done is what `askpoint.Deployment` does, by the same functions, on the tables of the server.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from askpoint.errors import InputError, RuleError
from askpoint.live.decision_records import DecisionRecord
from askpoint.live.hand_ins import Conflict
from askpoint.live.heads import Head
from askpoint.live.leases.lease import Lease, LeaseGrant
from askpoint.live.leases.lease_receipts import LeaseReceipts
from askpoint.live.merkle import Tree
from askpoint.records.signatures import can_check, sign_head
from askpoint.records.stores.heads import read_heads, write_head
from askpoint.records.stores.lease_tables import find_lease, open_leases
from askpoint.records.stores.leased_log import HandedIn, grant_in, grant_of, hand_in_to
from askpoint.records.stores.proofs import prove_decision
from askpoint.server.clock import moment
from askpoint.server.deployments.cases import cases_of, content_text
from askpoint.server.deployments.models import Deployment, Policy, Receipt, SignedHead
from askpoint.server.deployments.policies import (
    check_not_deleted,
    check_open_to_cases,
    lock_deployment,
    policy_in_use,
    secret_of,
    signing_key,
)
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.policy_tables import PolicyTables
from askpoint.server.deployments.rows import micros
from askpoint.server.deployments.store import DatabaseStore
from askpoint.server.journal.services import note
from askpoint.server.webhooks.services import announce
from askpoint.wire.fields import LONGEST_KEY, MOST_ITEMS

__all__ = [
    "find_grant",
    "grant_lease",
    "hand_in_lease",
    "leases_out",
    "prove_case",
    "publish_heads",
    "sign_log",
]

_DAY = timedelta(days=1)
_LONGEST_NAME = 200
_LONGEST_SECONDS = 30 * 86_400


@transaction.atomic
def sign_log(deployment: str, number: int | None = None) -> Head:
    """Sign the log of a version as it is now, by default of the one in use; the head is kept.

    Raises
    ------
    RuleError
        ``no-policy``, if none is in use; ``unknown``, if there is no such version.
    InputError
        If the package cryptography is not installed.
    """
    row = lock_deployment(deployment)
    if number is None:
        return _sign(row, policy_in_use(row))
    policy = row.policies.filter(number=number).first()
    if policy is None:
        raise RuleError("unknown", f"there is no version {number}")
    return _sign(row, policy)


def _sign(row: Deployment, policy: Policy) -> Head:
    document, tree = document_of(policy), Tree.from_dict(policy.log)
    tables = PolicyTables(policy.pk, document)
    last = read_heads(tables, document)[-1:]
    if last and last[0].size == tree.size:
        return last[0]
    made = Head(
        policy=document.id,
        size=tree.size,
        root=tree.root().hex(),
        at=micros(moment(row)),
        secret_hash=document.secret_hash,
        signer="",
    )
    signed = sign_head(made, signing_key(row))
    write_head(tables, signed)
    owners = row.members.filter(role="owner").values_list("user_id", flat=True)
    announce(row.workspace_id, "log.head", list(owners), signed.to_dict())
    return signed


def publish_heads() -> None:
    """Sign each log that grew since its head of yesterday, which tells endpoints that chose it."""
    if not can_check():
        return
    before = micros(timezone.now() - _DAY)
    for row in Deployment.objects.filter(adopted__gt=0, deleted=None).exclude(
        workspace__state="closed"
    ):
        policy = policy_in_use(row)
        last = SignedHead.objects.filter(policy=policy).order_by("-size").first()
        if last is None or (last.at < before and last.size < policy.log["size"]):
            sign_log(row.pk)


@transaction.atomic
def prove_case(deployment: str, key: str) -> DecisionRecord:
    """Return what shows to the person decided about that this decision stands in the log.

    Raises
    ------
    InputError
        If the case was never decided, or no head can be signed.
    """
    row = lock_deployment(deployment)
    receipt = Receipt.objects.filter(deployment=row, key=key).select_related("policy").first()
    if receipt is None:
        raise InputError(
            f"the case {key[:80]!r} was never decided here; name its key as it was decided"
        )
    document = document_of(receipt.policy)
    head = _sign(row, receipt.policy)
    record = prove_decision(PolicyTables(receipt.policy_id, document), document, None, key, head)
    case = cases_of(row, [key]).first()
    kept = None if case is None or record.salt is None else content_text(case.content)
    return replace(record, content=kept)


@transaction.atomic
def grant_lease(
    deployment: str,
    decider: str,
    *,
    answers: int | None = None,
    seconds: float = 600,
    deciders: int = 1,
) -> LeaseGrant:
    """Let a decider elsewhere decide alone for a while, at the threshold of now.

    Raises
    ------
    RuleError
        ``archived`` or ``deleted``; ``no-policy``; ``not-all``, where not all cases are decided.
    InputError
        If a number is not allowed.
    """
    row = lock_deployment(deployment)
    check_open_to_cases(row)
    policy = policy_in_use(row)
    if row.mode != "all":
        raise RuleError(
            "not-all",
            "a lease lets a decider elsewhere answer, and this classifier does not decide all cases: change the rollout first",
        )
    if not 1 <= len(decider) <= _LONGEST_NAME:
        raise InputError(f"the decider's name has 1 to {_LONGEST_NAME} characters")
    if not 0 < seconds <= _LONGEST_SECONDS:
        raise InputError(f"a lease is for 1 to {_LONGEST_SECONDS:,} seconds; got {seconds:g}")
    store = DatabaseStore(row, policy, moment(row))
    made = grant_in(store, decider, store.at(0), answers, seconds, deciders)
    note("lease granted", campaign=row.pk, about=decider, number=made.lease.number, answers=made.lease.answers)  # fmt: skip
    return made


def find_grant(row: Deployment, policy: str, number: int) -> LeaseGrant:
    """Return a lease that was granted, as its decider got it.

    Raises
    ------
    RuleError
        ``no-lease``.
    """
    for one in row.policies.exclude(adopted=None):
        document = document_of(one)
        lease = (
            find_lease(PolicyTables(one.pk, document), number) if document.id == policy else None
        )
        if lease is not None:
            return grant_of(lease, document, secret_of(one))
    raise RuleError("no-lease", f"there is no lease {number} of {policy!r} here")


@transaction.atomic
def hand_in_lease(
    deployment: str, receipts: LeaseReceipts
) -> tuple[HandedIn, tuple[Conflict, ...]]:
    """Take in the receipts of a lease, once; what was decided otherwise before is returned, and nothing written of it.

    Raises
    ------
    RuleError
        ``no-lease``, if who hands in does not hold it; ``other-receipts``, if others came before;
        ``deleted``.
    InputError
        If a case was decided out of the time of the lease, or otherwise than it says.
    """
    row = lock_deployment(deployment)
    check_not_deleted(row)
    if len(receipts.cases) > MOST_ITEMS * 20:
        raise InputError(
            f"the receipts hold {len(receipts.cases):,} cases; hand in at most {MOST_ITEMS * 20:,} at once"
        )
    for case in receipts.cases:
        if not 1 <= len(case.key) <= LONGEST_KEY:
            raise InputError(f"a key has 1 to {LONGEST_KEY} characters; got {case.key[:80]!r}")
    for policy in row.policies.exclude(adopted=None).order_by("-number"):
        if document_of(policy).id == receipts.policy:
            break
    else:
        raise RuleError(
            "no-lease",
            f"there is no lease of {receipts.policy[:80]!r} here; hand its receipts in where it was granted",
        )
    store = DatabaseStore(row, policy, moment(row))
    made, conflicts = hand_in_to(store, store.tables, receipts, store.at(0))
    note(
        "lease handed in",
        campaign=row.pk,
        about=f"lease {made.lease}",
        decided=made.decided,
        answered=made.answered,
        conflicts=made.conflicts,
    )
    return made, conflicts


def leases_out(row: Deployment) -> list[Lease]:
    """Return the leases of the version in use of which no receipts came yet."""
    policy = row.policies.filter(number=row.adopted).first()
    return [] if policy is None else open_leases(PolicyTables(policy.pk, document_of(policy)))
