"""Deciders elsewhere: leases that a deployment grants, and the receipts that it takes in."""

from __future__ import annotations

from typing import NamedTuple

from askpoint.errors import InputError, RuleError
from askpoint.live.canonical import canonical_json
from askpoint.live.events import Event
from askpoint.live.hand_ins import check_receipts, take_receipts
from askpoint.live.leases.granting import grant_lease
from askpoint.live.leases.lease import Lease, LeaseGrant, lease_secret
from askpoint.live.leases.lease_receipts import LeaseReceipts
from askpoint.records.stores.arguments import check_texts
from askpoint.records.stores.case_log import CaseLog
from askpoint.records.stores.jobs import CallJob
from askpoint.records.stores.lease_tables import find_hand_in, find_lease, open_leases
from askpoint.records.stores.transactions import Transaction

__all__ = ["HandedIn", "LeasedLog"]

_SECOND = 1_000_000


class HandedIn(NamedTuple):
    """What became of the receipts of a lease.

    Attributes
    ----------
    lease : int
        Its number.
    decided : int
        New cases.
    answered : int
        Of which the decider answered so many.
    repeated : int
        Cases whose key was decided before, with the same.
    conflicts : int
        Cases whose key was decided with something else: they are kept as dead lines.
    booked : int
        Answers that count as mistakes for good, for no decision stands for them.
    events : tuple of Event
        What it set off.
    """

    lease: int
    decided: int
    answered: int
    repeated: int
    conflicts: int
    booked: int
    events: tuple[Event, ...]


class LeasedLog(CaseLog):
    """What deciders elsewhere get and hand in."""

    def lease(
        self,
        decider: str,
        *,
        answers: int | None = None,
        seconds: float = 600,
        deciders: int = 1,
        at: int | None = None,
    ) -> LeaseGrant:
        """Let a decider elsewhere decide alone for a while, at the threshold of now.

        All of its answers are booked as mistakes until their receipts are handed in, so whatever becomes of it,
        limit and mistake budget are kept to.

        Parameters
        ----------
        decider : str
            Who it is: any name.
        answers : int, optional
            Cases that it may answer, at most; fewer are granted where the mistake budget holds no more. By default
            an eighth of what it holds, over the deciders. All other cases go to review.
        seconds : float, default=600
            For how long it may decide. Receipts may come later.
        deciders : int, default=1
            How many share the policy.
        at : int, optional
            When this happens, in microseconds since 1970; by default now.

        Returns
        -------
        LeaseGrant
            Keep it as secret as a password: it foresees which of its own answers are audited.

        Raises
        ------
        InputError
            If this is a copy without the secret.
        """
        self.check_secret()
        check_texts([decider], "decider's name")

        def grant(transaction: Transaction, now: int) -> Lease:
            replay = transaction.replay
            moment = transaction.at(now if at is None else at)
            lease = grant_lease(
                replay.state,
                self.document.terms,
                number=replay.granted + 1,
                decider=decider,
                granted=moment,
                expires=moment + round(seconds * _SECOND),
                answers=answers,
                deciders=deciders,
            )
            return transaction.write_lease(lease)

        made: Lease = self._do(CallJob(grant))
        document = self.document
        return LeaseGrant(
            lease=made,
            policy=document.id,
            secret=lease_secret(self._ledger.secret, document.id, made.number),
            model=dict(document.model),
            evidence=dict(document.evidence),
        )

    def hand_in(self, receipts: LeaseReceipts, at: int | None = None) -> HandedIn:
        """Take in the receipts of a lease; once, however often they come.

        Parameters
        ----------
        receipts : LeaseReceipts
            As the decider wrote them.
        at : int, optional
            When this happens, in microseconds since 1970; by default now.

        Returns
        -------
        HandedIn

        Raises
        ------
        RuleError
            ``no-lease``, if who hands in does not hold it; ``other-receipts``, if others came before.
        InputError
            If a case was decided out of the time of the lease, or otherwise than it says. What is refused is kept
            as a dead line, and its answers stay booked.
        StoreError
            If the receipts cannot be kept; hand them in again.
        """
        self.check_secret()
        job = CallJob(
            lambda transaction, now: self._take(transaction, receipts, now if at is None else at)
        )
        try:
            check_texts([case.key for case in receipts.cases], "key")
            made: HandedIn = self._do(job)
        except InputError as error:
            self.bury(receipts.to_json(), str(error), at)
            raise
        return made

    def open_leases(self) -> list[Lease]:
        """Return the leases that are out: no receipts of them came yet."""
        with self._reading() as reader:
            return open_leases(reader)

    def _take(self, transaction: Transaction, receipts: LeaseReceipts, at: int) -> HandedIn:
        lease = find_lease(self._database, receipts.lease)
        if lease is None:
            raise RuleError(
                "no-lease",
                f"there is no lease {receipts.lease} here; hand its receipts in where it was granted",
            )
        secret, replay = self._ledger.secret, transaction.replay
        check_receipts(receipts, lease, secret, self.document.id)
        before = find_hand_in(self._database, lease.number)
        if before is not None:
            if before.digest != receipts.digest:
                raise RuleError(
                    "other-receipts",
                    f"other receipts of lease {lease.number} came before; the first are what counts",
                )
            return HandedIn(
                lease.number,
                before.cases,
                before.answers,
                len(receipts.cases) - before.cases,
                0,
                before.booked,
                (),
            )
        known = transaction.find_earlier_cases([case.key for case in receipts.cases])
        moment = transaction.at(at)
        salts = transaction.draw_salts(len(receipts.cases))
        made = take_receipts(replay, lease, receipts, known, secret, moment, salts)
        transaction.write_hand_in(made)
        for conflict in made.conflicts:
            self._note_dead(canonical_json(list(conflict.case)), conflict.error, moment)
        return HandedIn(
            lease.number,
            made.block.cases,
            made.block.answers,
            made.repeated,
            len(made.conflicts),
            made.block.booked,
            made.outcome.events,
        )
