"""Deciders elsewhere: leases that a deployment grants, and the receipts that it takes in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from askpoint.errors import InputError, RuleError
from askpoint.live.canonical import canonical_json
from askpoint.live.documents import PolicyDocument
from askpoint.live.events import Event
from askpoint.live.hand_ins import (
    Conflict,
    EarlierCase,
    HandInOutcome,
    check_receipts,
    take_receipts,
)
from askpoint.live.leases.granting import grant_lease
from askpoint.live.leases.lease import Lease, LeaseGrant, lease_secret
from askpoint.live.leases.lease_receipts import LeaseReceipts
from askpoint.live.receipts import Replay
from askpoint.records.stores.arguments import check_texts
from askpoint.records.stores.case_log import CaseLog
from askpoint.records.stores.database import StoreReader
from askpoint.records.stores.jobs import CallJob
from askpoint.records.stores.lease_tables import find_hand_in, find_lease, open_leases
from askpoint.records.stores.transactions import Transaction

__all__ = ["HandedIn", "LeaseStore", "LeasedLog", "grant_in", "grant_of", "hand_in_to"]

_SECOND = 1_000_000


class LeaseStore(Protocol):
    """A store of the gateway that keeps leases, too; one writer at a time."""

    @property
    def secret(self) -> bytes:
        """Of the policy."""

    @property
    def replay(self) -> Replay:
        """State and log as of now."""

    def draw_salts(self, n: int) -> list[bytes]:
        """Return random bytes for the digests of contents."""

    def find_earlier_cases(self, keys: Sequence[str]) -> Mapping[str, EarlierCase]:
        """Return what is known of those of the keys that were decided."""

    def write_lease(self, lease: Lease) -> Lease:
        """Write a lease; return it with its place in the log."""

    def write_hand_in(self, made: HandInOutcome) -> None:
        """Write what was handed in, whole or not at all."""


class HandedIn(NamedTuple):
    """What became of the receipts of a lease.

    Attributes
    ----------
    lease : int
        Its number.
    decided : int
        New cases.
    answered : int
        Of which the decider decided alone.
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


def grant_in(
    store: LeaseStore,
    decider: str,
    at: int,
    answers: int | None = None,
    seconds: float = 600,
    deciders: int = 1,
) -> LeaseGrant:
    """Grant a lease and write it; parameters and errors are those of `LeasedLog.lease`."""
    replay = store.replay
    document = replay.document
    if document.model.get("ask_where"):
        raise InputError(
            "this policy asks in regions that a decider elsewhere does not see, so it grants no lease: activate a version "
            "without a rule that asks"
        )
    lease = store.write_lease(
        grant_lease(
            replay.state,
            document.terms,
            number=replay.granted + 1,
            decider=decider,
            granted=at,
            expires=at + round(seconds * _SECOND),
            answers=answers,
            deciders=deciders,
        )
    )
    return grant_of(lease, document, store.secret)


def grant_of(lease: Lease, document: PolicyDocument, secret: bytes) -> LeaseGrant:
    """Return what the decider gets of a lease."""
    return LeaseGrant(
        lease=lease,
        policy=document.id,
        secret=lease_secret(secret, document.id, lease.number),
        model=dict(document.model),
        evidence=dict(document.evidence),
    )


def hand_in_to(
    store: LeaseStore, reader: StoreReader, receipts: LeaseReceipts, at: int
) -> tuple[HandedIn, tuple[Conflict, ...]]:
    """Take receipts in, once; errors are those of `LeasedLog.hand_in`. What was decided otherwise before is returned."""
    lease = find_lease(reader, receipts.lease)
    if lease is None:
        raise RuleError(
            "no-lease",
            f"there is no lease {receipts.lease} here; hand its receipts in where it was granted",
        )
    check_receipts(receipts, lease, store.secret, store.replay.document.id)
    before = find_hand_in(reader, lease.number)
    if before is not None:
        if before.digest != receipts.digest:
            raise RuleError(
                "other-receipts",
                f"other receipts of lease {lease.number} came before; the first are what counts",
            )
        again = len(receipts.cases) - before.cases
        numbers = (lease.number, before.cases, before.answers, again, 0, before.booked)
        return HandedIn(*numbers, events=()), ()
    known = store.find_earlier_cases([case.key for case in receipts.cases])
    salts = store.draw_salts(len(receipts.cases))
    made = take_receipts(store.replay, lease, receipts, known, store.secret, at, salts)
    store.write_hand_in(made)
    return HandedIn(
        lease.number,
        made.block.cases,
        made.block.answers,
        made.repeated,
        len(made.conflicts),
        made.block.booked,
        made.outcome.events,
    ), made.conflicts


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

        def grant(transaction: Transaction, now: int) -> LeaseGrant:
            moment = transaction.at(now if at is None else at)
            return grant_in(transaction, decider, moment, answers, seconds, deciders)

        made: LeaseGrant = self._do(CallJob(grant))
        return made

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
        moment = transaction.at(at)
        made, conflicts = hand_in_to(transaction, self._database, receipts, moment)
        for conflict in conflicts:
            self._note_dead(canonical_json(list(conflict.case)), conflict.error, moment)
        return made
