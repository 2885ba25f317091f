"""A policy in use: decide and label from any thread or process, stop at any moment, and go on."""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import threading
import time
import weakref
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from askpoint.errors import AskpointError, InputError
from askpoint.live.batches import DecisionBatch, LabelRows, check_batch
from askpoint.live.blocks import Block
from askpoint.live.decision_records import DecisionRecord
from askpoint.live.documents import PolicyDocument
from askpoint.live.events import MESSAGES, Event, LoggedEvent
from askpoint.live.gateway import Rollout
from askpoint.live.heads import Head, LogRoot, read_root
from askpoint.live.history import History, history_of
from askpoint.live.pending import UNKNOWN
from askpoint.live.policy import Policy
from askpoint.live.silence import list_wanted
from askpoint.live.status import Status, Troubles, status_of
from askpoint.live.verification import Verified
from askpoint.live.worth import LivePrices
from askpoint.records.notifiers import find_notifier
from askpoint.records.senders import webhook_secret
from askpoint.records.signatures import is_signed, sign_head
from askpoint.records.stores.archive import DAY, list_parts
from askpoint.records.stores.arguments import (
    Decided,
    as_decided,
    as_micros,
    as_texts,
    check_texts,
    read_confidence,
)
from askpoint.records.stores.commit_queue import CommitQueue, Job
from askpoint.records.stores.database import BrokenOffError, Reader
from askpoint.records.stores.heads import read_heads, write_head
from askpoint.records.stores.history import read_history
from askpoint.records.stores.jobs import (
    CallJob,
    DecidedRows,
    DecideJob,
    LabelJob,
    LabelledRows,
    run_jobs,
)
from askpoint.records.stores.life import DECISIONS, LABELS, join_blocks, life_blocks
from askpoint.records.stores.outbox import (
    Delivery,
    Message,
    Queue,
    announce,
    read_delayed,
    send_waiting,
)
from askpoint.records.stores.places import SIGNING, find_place, make_place
from askpoint.records.stores.proofs import is_growth, prove_decision
from askpoint.records.stores.table_verification import read_events, verify_place
from askpoint.records.stores.tables import DecisionRow, decision_frame, label_frame
from askpoint.records.stores.transactions import Transaction, load_standing

__all__ = ["Deployment", "Labelled", "Vitals"]

_LOGGER = logging.getLogger("askpoint")
_FIELDS = ", ".join(DecisionRow._fields)
_PART = 50_000  # cases of one commit


class Labelled(NamedTuple):
    """What labels did.

    Attributes
    ----------
    counted : int
        How many count: the first of each case that was asked or audited.
    events : tuple of Event
        What they set off.
    """

    counted: int
    events: tuple[Event, ...]


class Vitals(NamedTuple):
    """What a monitor asks of a deployment beside its status.

    Attributes
    ----------
    log_rows : int
        Rows of the log.
    oldest_awaited : int or None
        When the oldest case was decided whose label is awaited, in microseconds since 1970.
    delayed : int
        Recipients who could not be told lately.
    """

    log_rows: int
    oldest_awaited: int | None
    delayed: int


class Deployment:
    """A policy in use, which never loses a decision.

    One object for notebook, command and service: threads share it, and other processes may open the same
    folder beside it. A decision is on the disk before it is given away. Decisions and labels of threads that
    come together are committed together.

    Parameters
    ----------
    where : str or Path
        A folder; ``"postgresql://USER@HOST/DATABASE?deployment=NAME"``, for several machines; or
        ``":memory:"``, which is gone with the object.
    policy : Policy, optional
        With what it opens, where there is none yet. Where there is one, it must be the same.
    secret : bytes, optional
        With `policy`: the random bytes of which the policy holds the hash. They draw the audits; whoever knows
        them foresees which answers are audited.

    Raises
    ------
    InputError
        If there is no deployment and no policy is given, or another policy is there.
    StoreError
        If decisions cannot be kept there: a network drive, another version of askpoint.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint import Deployment, Policy, Terms
    >>> rng = np.random.default_rng(0)
    >>> confidence = rng.uniform(0.5, 1, 2000)
    >>> right = rng.random(2000) < confidence
    >>> secret = b"sixteen or more!"
    >>> policy = Policy.from_log(confidence, right, Terms("money", 0.2), secret=secret, name="demo")
    >>> service = Deployment(":memory:", policy, secret=secret)
    >>> service.decide("post-1", confidence=0.55).action
    'ask'
    >>> service.decide(["post-2", "post-3"], confidence=[0.99, 0.56]).answer.tolist()
    [True, False]
    >>> service.label("post-1", True).counted
    1
    >>> service.decide("post-1", confidence=0.55).seq  # a key decides once
    0
    >>> service.watch().decided
    3
    """

    def __init__(
        self,
        where: str | os.PathLike[str],
        policy: Policy | PolicyDocument | None = None,
        *,
        secret: bytes | None = None,
    ) -> None:
        place = os.fspath(where)
        if policy is None:
            found = find_place(place)
        else:
            if secret is None:
                raise InputError(
                    "a policy comes with its secret: give secret=..., of which it holds the hash"
                )
            found = make_place(place, _document_of(policy), secret)
        self.name, self._database, self._ledger, self._archive, self._signing = found
        weakref.finalize(self, self._database.close)
        self._queue = CommitQueue(self._commit)
        self._process, self._local = os.getpid(), threading.local()
        self._day = 0  # until which, in microseconds, days that are over are files
        classes = self.document.model.get("classes")
        self._classes: Sequence[str] = classes or ("right", "wrong")

    @property
    def document(self) -> PolicyDocument:
        """With what it opened."""
        return self._ledger.document

    @property
    def has_secret(self) -> bool:
        """Whether it holds the secret that draws audits; a copy for a stranger does not."""
        return bool(self._ledger.secret)

    def check_secret(self) -> None:
        """Refuse to decide where there is no secret.

        Raises
        ------
        InputError
            If this is a copy without it.
        """
        if not self.has_secret:
            raise InputError(
                f"{self.name} holds no secret.key, without which no audit can be drawn; decide where the "
                "policy was deployed"
            )

    @property
    def policy(self) -> Policy:
        """Document and state as of now."""
        with self._reading() as reader:
            return Policy(self.document, load_standing(reader, self.document).replay.state)

    @property
    def events(self) -> list[Event]:
        """All that happened."""
        return [logged.event for logged in self.logged_events()]

    def logged_events(self) -> list[LoggedEvent]:
        """Return all that happened, with its time and place in the log."""
        with self._reading() as reader:
            return read_events(reader)

    def decide(
        self,
        keys: str | Sequence[str],
        *,
        prediction: str | Sequence[str] | None = None,
        confidence: float | ArrayLike | None = None,
        probabilities: ArrayLike | None = None,
        content: str | Sequence[str | None] | None = None,
        group: str | Sequence[str | None] | None = None,
        model_version: str | None = None,
        at: int | datetime | None = None,
        audit_rates: Mapping[str, float] | None = None,
        rollout: float = 1.0,
        shadow: bool = False,
    ) -> Decided:
        """Decide one case, or an array of cases in their order; a key that was decided keeps its decision.

        Parameters
        ----------
        keys : str or sequence of str
            Name of each case.
        prediction : str or sequence of str, optional
            What the model says. Without it labels say whether that was right.
        confidence : float or array-like of shape (n_items,), optional
            How sure the model is, or `probabilities`.
        probabilities : array-like of shape (n_items, n_classes), optional
            In the order of the policy's classes: prediction and confidence follow from them.
        content, group : str or sequence of str, optional
            Of each case: what reviewers are to see, and its group.
        model_version : str, optional
            By default the policy's.
        at : int or datetime, optional
            When this happens, in microseconds since 1970 or with a time zone; by default now.
        audit_rates : mapping of str to float, optional
            By group, where answers are audited more often than agreed.
        rollout : float, default=1
            The share of the cases that is decided, drawn by key; the others are held.
        shadow : bool, default=False
            Whether nobody acts on the decisions: all are held.

        Returns
        -------
        Decided
            Of one case if `keys` is a text, else arrays.

        Raises
        ------
        RuleError
            ``other-content``, if a key comes again with something else; nothing is decided then.
        InputError
            If the cases are not of the policy's model.
        StoreError
            If the decisions cannot be kept; nothing was decided then, send it again.

        Notes
        -----
        More than 50,000 cases are decided in several commits, each whole or not at all. After an error, which
        says how many are decided, the same batch may be sent again.
        """
        one = isinstance(keys, str)
        names = [keys] if isinstance(keys, str) else list(keys)
        said, sure = read_confidence(
            self._classes, names, prediction, confidence, probabilities, one=one
        )
        version = self.document.model.get("version", "") if model_version is None else model_version
        batch = DecisionBatch(
            names,
            said,
            sure,
            as_texts(content, len(names), "content", one=one),
            version,
            as_texts(group, len(names), "group", one=one),
        )
        parts = self.decide_parts(
            batch, as_micros(at), audit_rates=audit_rates, rollout=rollout, shadow=shadow
        )
        return as_decided(names, (made.rows for _, made in parts), one=one)

    def decide_parts(
        self, batch: DecisionBatch, at: int | None = None, **options: Any
    ) -> Iterator[tuple[DecisionBatch, DecidedRows]]:
        """Decide a batch in commits of at most 50,000 cases; yield each part and what `decide_rows` returns.

        A part is decided whole or not at all. Where one fails, those before it stay, and the error says so.
        """
        n = len(batch.key)
        if n > _PART:
            check_batch(batch, self.document.model, self.document.evidence)
            _check_cases(batch)
        for start in range(0, max(n, 1), _PART):
            part = batch if n <= _PART else batch.part(slice(start, start + _PART))
            try:
                made = self.decide_rows(part, at, **options)
            except AskpointError as error:
                if start:
                    error.args = (
                        f"{error}; the {start:,} cases before this part of the batch are decided, and stay",
                    )
                raise
            yield part, made

    def decide_rows(
        self,
        batch: DecisionBatch,
        at: int | None = None,
        *,
        audit_rates: Mapping[str, float] | None = None,
        rollout: float = 1.0,
        shadow: bool = False,
    ) -> DecidedRows:
        """Decide a batch; return the row of each case, None outside of the rollout, and what happened."""
        self.check_secret()
        _check_cases(batch)
        if not 0 < rollout <= 1:
            raise InputError(f"the rollout must be above 0 and at most 1; got {rollout:g}")
        job = DecideJob(
            batch,
            at,
            audit_rates=audit_rates or {},
            rollout=Rollout(rollout, self.document.secret_hash.encode()),
            shadow=shadow,
        )
        made: DecidedRows = self._do(job)
        return made

    def label(
        self,
        keys: str | Sequence[str],
        labels: Any,
        *,
        source: str | Sequence[str | None] | None = None,
        by: str | Sequence[str] | None = None,
        truth: Any = None,
        at: int | datetime | None = None,
    ) -> Labelled:
        """Take in what reviewers said of one case or of several, in the order in which it came.

        Parameters
        ----------
        keys : str or sequence of str
            Cases.
        labels : str or bool, or a sequence of them
            What each is, or whether the model was right. Of a case that was neither asked nor audited a label
            changes nothing: such feedback shows nothing.
        source : {"asked", "audit", "feedback", "gold"}, optional
            Where the labels come from; by default that of each case.
        by : str or sequence of str, optional
            Who said it.
        truth : str or sequence of str, optional
            What is right, of gold cases.
        at : int or datetime, optional
            When this happens, in microseconds since 1970 or with a time zone; by default now.

        Returns
        -------
        Labelled

        Raises
        ------
        RuleError
            ``unknown-key``, if a case was never decided.
        StoreError
            If the labels cannot be kept; none counts then, send them again.
        """
        one = isinstance(keys, str)
        names = [keys] if isinstance(keys, str) else list(keys)
        said: list[Any] = [labels] if one else list(labels)
        said = [bool(label) if isinstance(label, np.bool_) else label for label in said]
        if len(said) != len(names):
            raise InputError(f"give one label for each case; got {len(said)} for {len(names)} keys")
        n = len(names)
        rows = LabelRows(
            names,
            said,
            [judge or "" for judge in as_texts(by, n, "by") or [""] * n],
            as_texts(source, n, "source") or [None] * n,
            as_texts(truth, n, "truth"),
        )
        _check_labels(rows)
        outcome, _ = self._do(LabelJob(rows, as_micros(at), self._classes))
        return Labelled(0, ()) if outcome is None else Labelled(outcome.counted, outcome.events)

    def label_rows(self, rows: LabelRows, at: int | None = None) -> LabelledRows:
        """Take in labels that came together; return what became of them."""
        _check_labels(rows)
        made: LabelledRows = self._do(LabelJob(rows, at))
        return made

    def watch(self, prices: LivePrices | None = None) -> Status:
        """Return how it stands, from the state alone: as quick in a long life as in a short one.

        Parameters
        ----------
        prices : LivePrices, optional
            In which costs are told; by default a mistake is 1, and a check what the terms say.

        Returns
        -------
        Status
        """
        terms = self.document.terms
        known = prices or LivePrices(check=terms.limit if terms.aim == "money" else 0)
        with self._reading() as reader:
            state = load_standing(reader, self.document).replay.state
        return status_of(state, terms, known, self.troubles())

    def vitals(self) -> Vitals:
        """Return what a monitor asks beside `watch`: rows of the log, the oldest label awaited, who is not told."""
        with self._reading() as reader:
            replay = load_standing(reader, self.document).replay
            pending = replay.state.pending.rows()
            seqs = pending["seq"][pending["wrong"] == UNKNOWN]
            oldest = (
                reader.execute("SELECT at FROM decisions WHERE seq = ?", (int(seqs[0]),))
                if len(seqs)
                else []
            )
            delayed = len(read_delayed(reader))
        return Vitals(replay.tree.size, oldest[0][0] if oldest else None, delayed)

    def history(self, prices: LivePrices) -> History:
        """Return what is known of the life so far; only pictures of it need to read all of it.

        Parameters
        ----------
        prices : LivePrices
            In which its worth is told.

        Returns
        -------
        History
        """

        def whole() -> History:
            blocks = join_blocks(self.blocks(), self.document.terms.rate)
            return history_of(self.document, blocks, prices)

        with self._reading() as reader:
            return read_history(reader, self.document, prices, whole)

    def troubles(self) -> Troubles:
        """Return what went wrong around the policy so far: lines without a decision, a clock that went back."""
        with self._reading() as reader:
            ((dead,),) = reader.execute("SELECT count(*) FROM dead")
            back = sum(
                reader.execute(f"SELECT count(*) FROM {table} WHERE clock_back > 0")[0][0]  # noqa: S608
                for table in ("decisions", "labels")
            )
        return Troubles(dead, back)

    def wanted(self) -> list[str]:
        """Return the keys whose label is awaited, in the order of decisions: asked and audited cases.

        Returns
        -------
        list of str
        """
        return self.wanted_cases()["key"].to_list()

    def wanted_cases(self) -> pl.DataFrame:
        """Return the cases whose label is awaited: their keys, and their content where it was kept."""
        with self._reading() as reader:
            seqs: list[Any] = list_wanted(load_standing(reader, self.document).replay.state)
            select = "SELECT seq, key, content FROM decisions WHERE seq IN"
            found = sorted(reader.find(select, seqs))
            parts = list_parts(reader)
        known = {seq: text for seq, _, text in found if text is not None}
        if self._archive is not None:
            known |= self._archive.contents(parts, [seq for seq in seqs if seq not in known])
        cases = {
            "key": [key for _, key, _ in found],
            "content": [known.get(seq) for seq, *_ in found],
        }
        return pl.DataFrame(cases, schema={"key": pl.String, "content": pl.String})

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
            return verify_place(reader, self.document, known, self._archive, roots)

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

    def announce(self, message: Message) -> bool:
        """Put a message into the outbox.

        Parameters
        ----------
        message : Message
            Of a kind that is named in `askpoint.live.events.MESSAGES`.

        Returns
        -------
        bool
            False if it is there already.
        """
        is_new: bool = self._within(lambda _: announce(self._database, self.document, message))
        return is_new

    def _within(self, call: Callable[[int], Any]) -> Any:
        """Do something within a commit; it hears what time it is."""
        return self._do(CallJob(lambda _, now: call(now)))

    def notify(
        self,
        *recipients: str,
        purpose: str = "notify",
        kinds: Collection[str] | None = None,
        newest: str = "",
        at: int | datetime | None = None,
    ) -> list[Delivery]:
        """Send what recipients have not heard yet, each in its order and at least once.

        What happened stands in the outbox since the transaction in which it happened. Who is new hears what
        comes from now on. Call it each minute: what could not be sent is tried again after a minute, then
        after longer times up to a day.

        Parameters
        ----------
        recipients : str
            ``"webhook=https://…"``, ``"chat=https://…"``, ``"mail=NAME@HOST"``, ``"file=PATH"``, ``"git=FOLDER"``
            or a plugin's.
        purpose : str, default="notify"
            Recipients of one address and several purposes are told apart.
        kinds : collection of str, optional
            What they are told; by default all but heads of the log.
        newest : str, optional
            Of this kind one who is new hears the newest that there is.
        at : int or datetime, optional
            When this happens, in microseconds since 1970 or with a time zone; by default now.

        Returns
        -------
        list of Delivery
            Of each recipient, how much arrived, and why the rest did not.

        Raises
        ------
        InputError
            If a recipient is none.
        """
        for recipient in recipients:
            find_notifier(recipient)
        wanted = frozenset(kinds or MESSAGES.keys() - {"log.head"})
        queues = [Queue(purpose, recipient, wanted, newest) for recipient in recipients]
        send = functools.partial(send_waiting, self._database, self._within, self._signing)
        return [send(queue, as_micros(at)) for queue in queues]

    def delayed(self) -> list[Delivery]:
        """Return recipients who could not be told lately, and why."""
        with self._reading() as reader:
            return read_delayed(reader)

    def webhook_secret(self, address: str) -> str:
        """Return by what webhooks to an address are signed (Standard Webhooks); tell it to whoever checks them.

        Parameters
        ----------
        address : str
            Of the webhook.

        Returns
        -------
        str
            ``whsec_...``; it follows from the signing key and the address.

        Raises
        ------
        InputError
            If the key that signs is not at hand.
        """
        return webhook_secret(self._known_key(), address)

    def _known_key(self) -> bytes:
        if not self._signing:
            raise InputError(
                f"{self.name} holds no {SIGNING}, which signs heads; sign where it was deployed"
            )
        return self._signing

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

    def decisions(self) -> pl.DataFrame:
        """Return all decisions so far as a table, with the content that was kept.

        Returns
        -------
        polars.DataFrame
        """
        with self._reading() as reader:
            frame = decision_frame(reader.stream(DECISIONS), self.document.id)
            parts = list_parts(reader)
        if self._archive is None:
            return frame
        gone = frame.filter(pl.col("content").is_null() & pl.col("digest").is_not_null())["seq"]
        found = dict(self._archive.contents(parts, gone.to_list()))
        texts = [found.get(seq, text) for seq, text in frame.select("seq", "content").iter_rows()]
        return frame.with_columns(content=pl.Series(texts, dtype=pl.String))

    def labels(self) -> pl.DataFrame:
        """Return all labels so far as a table.

        Returns
        -------
        polars.DataFrame
        """
        with self._reading() as reader:
            return label_frame(reader.stream(LABELS))

    def blocks(self) -> Iterator[Block]:
        """Yield decisions, labels and deletions in the order in which they were made."""
        with self._reading() as reader:
            yield from life_blocks(reader.stream)

    def forget(self, keys: Sequence[str], at: int | datetime | None = None) -> int:
        """Delete the content of cases and the salt of its digest; decisions and receipts stay.

        That it was done is a row of the log.

        Parameters
        ----------
        keys : sequence of str
            Cases.
        at : int or datetime, optional
            When this happens, in microseconds since 1970 or with a time zone; by default now.

        Returns
        -------
        int
            How many contents are gone.

        Raises
        ------
        InputError
            If a case was never decided; nothing is deleted then.
        """
        names, moment = list(dict.fromkeys(keys)), as_micros(at)
        gone, old = self._do(
            CallJob(lambda made, now: self._forget(made, names, now if moment is None else moment))
        )
        for path in old:
            path.unlink(missing_ok=True)
        with self._queue.turn:
            self._database.clean()
        count: int = gone
        return count

    def bury(self, line: str, error: str, at: int | None = None) -> None:
        """Keep a line that could not be decided, and why.

        Parameters
        ----------
        line : str
            As it came.
        error : str
            What is wrong with it.
        at : int, optional
            When it came, in microseconds since 1970; by default now.
        """

        def note(transaction: Transaction, now: int) -> None:
            del transaction
            ((last,),) = self._database.execute("SELECT max(n) FROM dead")
            texts = (
                text.replace("\0", "\ufffd").encode(errors="replace") for text in (line, error)
            )
            row = (
                0 if last is None else last + 1,
                now if at is None else at,
                *map(bytes.decode, texts),
            )
            self._database.insert("dead", ("n", "at", "line", "error"), [row])

        self._do(CallJob(note))

    def dead(self) -> pl.DataFrame:
        """Return the lines that could not be decided, and why.

        Returns
        -------
        polars.DataFrame
            With the columns n, at, line and error.
        """
        with self._reading() as reader:
            found = reader.execute("SELECT n, at, line, error FROM dead ORDER BY n")
        schema = {"n": pl.Int64, "at": pl.Int64, "line": pl.String, "error": pl.String}
        frame = pl.DataFrame(found, schema=schema, orient="row")
        return frame.with_columns(pl.col("at").cast(pl.Datetime("us", "UTC")))

    def drop_dead(self, numbers: Sequence[int]) -> None:
        """Remove lines that could not be decided, for they were decided by now or are of no use.

        Parameters
        ----------
        numbers : sequence of int
            Their column n.
        """
        rows = [(n,) for n in numbers]
        if rows:
            delete = "DELETE FROM dead WHERE n = ?"
            self._do(CallJob(lambda *_: self._database.change(delete, rows)))

    def archive(self) -> None:
        """Write the days that are over as Parquet files; a service does it by itself once a day."""
        with self._queue.turn:
            self._write_archive()

    def close(self) -> None:
        """Let go of the files; what was decided stays."""
        with self._queue.turn:
            self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _do(self, job: Job) -> Any:
        if (
            self._process != os.getpid()
        ):  # a fork: nobody else's jobs, and no lock of another thread
            self._queue, self._process = CommitQueue(self._commit), os.getpid()
        return self._queue.do(job)

    def _commit(self, jobs: list[Job]) -> None:
        """Do what callers want in one transaction; again, if a server went away within it."""
        while True:
            try:
                self._commit_once(jobs)
            except BrokenOffError:
                for job in jobs:
                    job.error = job.result = None
            else:
                return

    def _commit_once(self, jobs: list[Job]) -> None:
        """Do it in one transaction, durable before any of them hears of it."""
        now = time.time_ns() // 1000
        with self._database.writing():
            transaction = self._ledger.begin()
            if not self._day and self._archive is not None:
                self._archive.settle(self._database)
            run_jobs(jobs, transaction, now)
            if not self._ledger.end(transaction) and all(
                isinstance(job, DecideJob) for job in jobs
            ):
                self._database.roll_back()  # all were known: nothing to write
        self._ledger.keep(transaction)
        if transaction.last_at >= self._day:
            try:
                self._write_archive()
            except Exception as error:  # noqa: BLE001  # what was committed is: nobody is told otherwise
                _LOGGER.warning("%s: days that are over are no files yet (%s)", self.name, error)

    def _write_archive(self) -> None:
        standing = self._ledger.standing
        if self._archive is None or standing is None:
            return
        self._day = (standing.last_at // DAY + 1) * DAY
        more = True
        while more:
            with self._database.writing():
                self._archive.settle(self._database)
                more = self._archive.write_day(self._database, standing.last_at)

    def _forget(
        self, transaction: Transaction, keys: list[str], moment: int
    ) -> tuple[int, list[Path]]:
        known = transaction.find_known_cases(keys)
        strangers = [key for key in keys if key not in known]
        if strangers:
            raise InputError(
                f"{len(strangers)} of the keys were never decided, the first {strangers[0][:80]!r}; nothing "
                "was deleted"
            )
        rows = [transaction.rows[key] for key in keys if transaction.rows[key].salt is not None]
        if not rows:
            return 0, []
        transaction.write_forgotten(rows, transaction.at(moment))
        if self._archive is None:
            return len(rows), []
        self._archive.settle(self._database)
        return len(rows), self._archive.forget(self._database, keys)

    @contextlib.contextmanager
    def _reading(self) -> Iterator[Reader]:
        """What is committed as of one moment."""
        with self._one_at_a_time(), self._database.reading() as reader:
            yield reader

    @contextlib.contextmanager
    def _one_at_a_time(self) -> Iterator[None]:
        """In memory there is one connection for all threads."""
        if not self._database.is_memory or getattr(self._local, "reads", False):
            yield
            return
        with self._queue.turn:
            self._local.reads = True
            try:
                yield
            finally:
                self._local.reads = False


def _check_cases(batch: DecisionBatch) -> None:
    check_texts(batch.key, "key")
    check_texts([*(batch.content or ()), *(batch.group or ())], "content or group", is_name=False)


def _check_labels(rows: LabelRows) -> None:
    check_texts(rows.key, "key")
    check_texts([*rows.judge, *(rows.truth or ())], "judge or truth", is_name=False)


def _document_of(policy: Policy | PolicyDocument) -> PolicyDocument:
    if isinstance(policy, PolicyDocument):
        return policy
    is_fresh = policy.state is policy.document.state
    return policy.document if is_fresh else policy.successor()
