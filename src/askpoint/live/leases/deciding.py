"""Deciding under a lease: pure, and the same where it happens and where it is checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from askpoint.errors import InputError, RuleError
from askpoint.live.batches import DecisionBatch, check_batch
from askpoint.live.draws import audit_draws
from askpoint.live.leases.lease import LeaseGrant
from askpoint.live.leases.lease_receipts import LeasedCase, LeaseReceipts

__all__ = ["LeaseBook"]


class LeaseBook:
    """The cases that a decider elsewhere has decided under a lease, in their order; of one thread.

    Parameters
    ----------
    grant : LeaseGrant
        The lease.
    cases : sequence of LeasedCase, optional
        Decided before, if the decider was stopped in between.
    """

    def __init__(self, grant: LeaseGrant, cases: Sequence[LeasedCase] = ()) -> None:
        self.grant = grant
        self.cases: dict[str, LeasedCase] = {case.key: case for case in cases}
        self._left = grant.lease.answers - sum(case.action == "answer" for case in cases)

    @property
    def left(self) -> int:
        """How many more cases may be answered."""
        return self._left

    def decide(
        self,
        batch: DecisionBatch,
        at: int,
        write: Callable[[Sequence[LeasedCase]], None] = lambda _: None,
    ) -> list[LeasedCase]:
        """Decide cases in their order; a key that was decided keeps its decision.

        `write` is handed the new cases before anything of them is remembered; what it raises undecides them.

        Raises
        ------
        InputError
            If the cases are not of the policy's model, or the lease is over.
        RuleError
            ``other-content``, if a key comes again with something else; nothing is decided then.
        """
        lease = self.grant.lease
        check_batch(batch, self.grant.model, self.grant.evidence)
        if not lease.granted <= at <= lease.expires:
            raise InputError(
                f"the lease {lease.number} of {lease.decider} is over, or not yet begun by this clock: hand it in, "
                "and take another one"
            )
        new = self._new_rows(batch)
        confidence = np.array([batch.confidence[i] for i in new], dtype=np.float64)
        answer = lease.rule(self._left).answers(confidence)
        drawn = audit_draws(self.grant.secret, self.grant.policy, [batch.key[i] for i in new])
        audit = answer & (drawn < lease.rate)
        made = [
            LeasedCase(
                key=batch.key[i],
                prediction=batch.prediction[i],
                confidence=batch.confidence[i],
                group=batch.group[i] if batch.group else None,
                content=batch.content[i] if batch.content else None,
                at=at,
                action="answer" if answers else "ask",
                audit=audits,
            )
            for i, answers, audits in zip(new, answer.tolist(), audit.tolist(), strict=True)
        ]
        if made:
            write(made)
        self.cases.update((case.key, case) for case in made)
        self._left -= int(answer.sum())
        return [self.cases[key] for key in batch.key]

    def _new_rows(self, batch: DecisionBatch) -> list[int]:
        """Return the first row of each key that is new; one that comes with something else is refused."""
        seen: dict[str, tuple[object, ...]] = {}
        new = []
        for i, key in enumerate(batch.key):
            came = (
                batch.prediction[i],
                batch.confidence[i],
                batch.group[i] if batch.group else None,
                batch.content[i] if batch.content else None,
            )
            known = self.cases.get(key)
            before = seen.get(key) if known is None else tuple(known[1:5])
            if before is None:
                seen[key] = came
                new.append(i)
            elif before != came:
                raise RuleError(
                    "other-content",
                    f"the key {key[:80]!r} was decided with something else under this lease; a key always names "
                    "the same case: give the new case a new key",
                )
        return new

    def receipts(self) -> LeaseReceipts:
        """Return what is to be handed in."""
        return LeaseReceipts.sign(self.grant, tuple(self.cases.values()))
