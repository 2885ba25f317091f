"""Taking receipts of a lease in: checked against what was granted, and decided again by its rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from askpoint.errors import InputError, RuleError
from askpoint.live.batches import DecisionBatch, check_batch
from askpoint.live.blocks import HandInBlock
from askpoint.live.draws import audit_draws
from askpoint.live.gateway import KnownCase, Outcome, decide_batch
from askpoint.live.leases.lease import Lease, lease_secret
from askpoint.live.leases.lease_receipts import LeasedCase, LeaseReceipts
from askpoint.live.receipts import Replay

__all__ = ["Conflict", "EarlierCase", "HandInOutcome", "check_receipts", "take_receipts"]


class EarlierCase(NamedTuple):
    """A case whose key was decided before the hand-in: what came with it, and whether it was answered."""

    case: KnownCase
    answered: bool


class Conflict(NamedTuple):
    """A case whose key was decided with something else before."""

    case: LeasedCase
    error: str


@dataclass(frozen=True, eq=False, kw_only=True)
class HandInOutcome:
    """What a store must write of a hand-in, whole or not at all.

    Parameters
    ----------
    block : HandInBlock
        Its row of the log, before its decisions.
    batch : DecisionBatch
        The new cases.
    outcome : Outcome
        Their decisions.
    repeated : int
        Cases that were decided before, with the same.
    conflicts : tuple of Conflict
        Cases whose key was decided with something else; nothing is written of them, and their answers stay booked.
    nodes : tuple
        Whole subtrees of the log that its own row ends.
    """

    block: HandInBlock
    batch: DecisionBatch
    outcome: Outcome
    repeated: int
    conflicts: tuple[Conflict, ...]
    nodes: tuple[tuple[int, int, bytes], ...]


def check_receipts(receipts: LeaseReceipts, lease: Lease, secret: bytes, policy: str) -> None:
    """Refuse receipts that are not of a lease: a stranger's, out of its time, or decided by another rule.

    Raises
    ------
    RuleError
        ``no-lease``, if who hands in did not hold it.
    InputError
        If a case was decided before or after the lease, or otherwise than it says.
    """
    own = lease_secret(secret, policy, lease.number)
    if receipts.policy != policy or not receipts.is_signed(own):
        raise RuleError(
            "no-lease",
            f"the receipts of lease {receipts.lease} are not signed by who holds it; hand in what "
            "askpoint lease decide wrote, as it is",
        )
    for case in receipts.cases:
        if not lease.granted <= case.at <= lease.expires:
            raise InputError(
                f"the case {case.key[:80]!r} was decided outside of the time of lease {lease.number}; its answers stay "
                "booked as mistakes"
            )
    keys = [case.key for case in receipts.cases]
    if len(set(keys)) != len(keys):
        raise InputError(f"the receipts of lease {lease.number} hold a key twice")
    answer = lease.rule().answers(np.array([case.confidence for case in receipts.cases]))
    audit = answer & (audit_draws(own, policy, keys) < lease.rate)
    for case, answers, audits in zip(receipts.cases, answer.tolist(), audit.tolist(), strict=True):
        action = "answer" if answers else "ask"
        if (case.action, case.audit) != (action, audits):
            raise InputError(
                f"the case {case.key[:80]!r} was decided as {case.action}, and lease {lease.number} says {action}"
                f"{', audited' if audits else ''}; its answers stay booked as mistakes"
            )


def take_receipts(
    replay: Replay,
    lease: Lease,
    receipts: LeaseReceipts,
    known: Mapping[str, EarlierCase],
    secret: bytes,
    at: int,
    salts: Sequence[bytes] = (),
) -> HandInOutcome:
    """Take in the cases of a lease in their order; the policy as of now is left alone.

    Receipts were checked by `check_receipts`. A key that was decided before keeps its decision.
    """
    document = replay.document
    whole = receipts.batch()
    check_batch(whole, document.model, document.evidence)
    fresh: list[int] = []
    conflicts: list[Conflict] = []
    booked = 0
    for i, case in enumerate(receipts.cases):
        before = known.get(case.key)
        if before is None:
            fresh.append(i)
            continue
        came = KnownCase(case.prediction, case.confidence, None, case.group)
        is_same = before.case.comes_again(came, case.content)
        if not is_same:
            error = f"the key {case.key[:80]!r} was decided with something else before"
            conflicts.append(Conflict(case, error))
        if case.action == "answer" and not (is_same and before.answered):
            booked += 1
    cases = [receipts.cases[i] for i in fresh]
    after = replay.copy()
    after.leases[lease.number] = lease
    block = HandInBlock(
        lease=lease.number,
        at=at,
        answers=sum(case.action == "answer" for case in cases),
        cases=len(cases),
        booked=booked,
        digest=receipts.digest,
        leaf=after.tree.size,
    )
    after.hand_in(block)
    batch = replace(receipts, cases=tuple(cases)).batch()
    outcome = decide_batch(
        after,
        batch,
        {},
        secret,
        at,
        salts=[salts[i] for i in fresh] if salts else (),
        lease=lease,
        decided_at=[min(at, case.at) for case in cases],
    )
    first = len(replay.events)
    return HandInOutcome(
        block=block,
        batch=batch,
        outcome=replace(outcome, events=tuple(outcome.replay.events[first:])),
        repeated=len(receipts.cases) - len(cases) - len(conflicts),
        conflicts=tuple(conflicts),
        nodes=tuple(after.tree.whole),
    )
