"""The log of a deployment shown to strangers: computed again, signed, and proved decision by decision."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from askpoint.errors import InputError
from askpoint.live.decision_records import DecisionRecord
from askpoint.live.heads import Head, LogRoot, read_root
from askpoint.live.verification import Verified
from askpoint.records.object_folder import ObjectFolder
from askpoint.records.signatures import can_check, is_signed, sign_head
from askpoint.records.stores.arguments import as_micros
from askpoint.records.stores.commit_log import PolicyLog
from askpoint.records.stores.heads import read_heads, write_head
from askpoint.records.stores.jobs import CallJob
from askpoint.records.stores.object_archive import Archived, archive_days, archive_head
from askpoint.records.stores.outbox import Message, announce
from askpoint.records.stores.proofs import is_growth, prove_decision
from askpoint.records.stores.table_verification import verify_place
from askpoint.records.stores.transactions import Transaction, load_standing

__all__ = ["SignedLog"]


class SignedLog(PolicyLog):
    """What an auditor and the person decided about are given."""

    def verify(self, secret: bytes | None = None, *, head: str | Head | None = None) -> Verified:
        """Compute every draw, decision, hash and event again, as a stranger would.

        Parameters
        ----------
        secret : bytes, optional
            By default its own; where there is none, draws are taken as recorded.
        head : str or Head, optional
            Kept of an earlier day, or HASH@N: the log must still begin with the rows of which it was made.

        Returns
        -------
        Verified
            With the first difference, or None.

        Raises
        ------
        InputError
            If the head is of another deployment.
        """
        known = secret or self._ledger.secret or None
        roots = [] if head is None else [self._root_of(head)]
        with self._reading() as reader:
            return verify_place(reader, self.document, known, self._archive, roots, self._signing)

    def archive_to(self, address: str, *, check: bool = False) -> tuple[Archived, Head | None]:
        """Write the days that are over, and the head of the log, to a store of objects; nothing is written over.

        Parameters
        ----------
        address : str
            ``"s3://BUCKET/FOLDER"``, gs://, az:// or file://.
        check : bool, default=False
            Whether to compare the files that are there with the tables.

        Returns
        -------
        Archived, Head or None
            What is there now, and the head that was added; none where nothing can sign it.

        Raises
        ------
        InputError
            If it is no such address, or another policy has its archive there.
        LogError
            If a file holds other rows than the tables.
        StoreError
            If the store cannot be reached, or does not allow it.
        """
        folder = ObjectFolder(address)
        with self._reading() as reader:
            last_at = load_standing(reader, self.document).last_at
            made = archive_days(reader, self.document, folder, last_at, check=check)
        head = self.head() if self._signing and can_check() else None
        if head is not None:
            archive_head(folder, head)
        return made, head

    def head(self, at: int | datetime | None = None) -> Head:
        """Sign the log as it is now, and keep what was signed: one line, to be given to somebody else.

        Parameters
        ----------
        at : int or datetime, optional
            When this happens, in microseconds since 1970 or with a time zone; by default now.

        Returns
        -------
        Head

        Raises
        ------
        InputError
            If the key that signs is not at hand, or the package cryptography is not installed.
        """
        signing, moment = self._known_key(), as_micros(at)

        def sign(transaction: Transaction, now: int) -> Head:
            tree = transaction.replay.tree
            last = read_heads(self._database, self.document)[-1:]
            if last and last[0].size == tree.size:
                return last[0]
            made = Head(
                policy=self.document.id,
                size=tree.size,
                root=tree.root().hex(),
                at=now if moment is None else moment,
                secret_hash=self.document.secret_hash,
                signer="",
            )
            signed = sign_head(made, signing)
            write_head(self._database, signed)
            told = Message(f"head-{signed.root[:24]}", "log.head", signed.at, signed.to_dict())
            announce(self._database, self.document, told)
            return signed

        made: Head = self._do(CallJob(sign))
        return made

    def heads(self) -> list[Head]:
        """Return the heads that were signed so far, the oldest first."""
        with self._reading() as reader:
            return read_heads(reader, self.document)

    def prove(self, key: str, *, with_content: bool = True) -> DecisionRecord:
        """Return what shows to the person decided about that this decision stands in the log.

        Parameters
        ----------
        key : str
            A case that was decided.
        with_content : bool, default=True
            Whether the content of the case goes with it, where it is kept.

        Returns
        -------
        DecisionRecord
            Its row, the content as far as it is kept, and the way to a signed head.

        Raises
        ------
        InputError
            If the case was never decided, or no head can be signed.
        """
        head = self.head()
        with self._reading() as reader:
            record = prove_decision(reader, self.document, self._archive, key, head)
        return record if with_content else replace(record, content=None)

    def growth(self, old: str | Head, new: str | Head) -> bool:
        """Return whether the log of a head is the beginning of the log of another one, by the hashes kept.

        Parameters
        ----------
        old, new : str or Head
            Of this deployment, or HASH@N.

        Returns
        -------
        bool
        """
        roots = [self._root_of(head) for head in (old, new)]
        with self._reading() as reader:
            return is_growth(reader, self.document, *roots)

    def _root_of(self, head: str | Head) -> LogRoot:
        if isinstance(head, str):
            return read_root(head)
        document = self.document
        if (head.policy, head.secret_hash) != (document.id, document.secret_hash):
            raise InputError(
                f"this head is of {head.policy!r} with the secret of hash {head.secret_hash[:12]}..., and "
                f"this is {document.id!r} with that of {document.secret_hash[:12]}...: give a head of this "
                "deployment"
            )
        if not is_signed(head):
            raise InputError("the signature of this head is not that of its key: it was changed")
        return head.log_root
