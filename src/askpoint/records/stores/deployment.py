"""A policy in use: decide and label from any thread or process, stop at any moment, and go on."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import AskpointError, InputError
from askpoint.live.batches import DecisionBatch, LabelRows, check_batch
from askpoint.live.documents import PolicyDocument
from askpoint.live.events import Event, LoggedEvent
from askpoint.live.gateway import Rollout
from askpoint.live.history import History, history_of
from askpoint.live.policy import Policy
from askpoint.live.silence import list_wanted
from askpoint.live.status import Status, Troubles, status_of
from askpoint.live.worth import LivePrices
from askpoint.records.stores.announced_log import AnnouncedLog
from askpoint.records.stores.arguments import (
    Decided,
    as_decided,
    as_micros,
    as_texts,
    check_texts,
    read_confidence,
    with_calls,
)
from askpoint.records.stores.history import read_history
from askpoint.records.stores.jobs import (
    DecidedRows,
    DecideJob,
    LabelJob,
    LabelledRows,
)
from askpoint.records.stores.leased_log import LeasedLog
from askpoint.records.stores.life import join_blocks
from askpoint.records.stores.outbox import (
    read_delayed,
)
from askpoint.records.stores.places import open_place
from askpoint.records.stores.signed_log import SignedLog
from askpoint.records.stores.table_verification import read_events
from askpoint.records.stores.transactions import load_standing

__all__ = ["Deployment", "Labelled", "Vitals"]

_PART = 50_000  # cases of one commit
_CLOCK_BACK = (
    "decisions WHERE clock_back > 0 AND lease IS NULL",
    "labels WHERE clock_back > 0",
)


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


class Deployment(LeasedLog, SignedLog, AnnouncedLog):
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
        super().__init__(open_place(where, policy, secret))
        classes = self.document.model.get("classes")
        self._classes: Sequence[str] = classes or ("right", "wrong")

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
        outputs: Mapping[str, Any] | None = None,
        fields: Any = None,
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
        outputs : mapping of str to a value or a sequence, optional
            By a ladder's policy, instead: the columns of its rungs, as in the log, with what each said of each case, or
            None where it was not called. A rung may be left out.
        fields : mapping of str to float, or pairs; or a sequence of these, optional
            By a policy of documents, instead: how sure the model is of each field of a document, by kind of field.
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
        if outputs is not None:
            if any(given is not None for given in (prediction, confidence, probabilities, group)):
                raise InputError(
                    "a ladder's policy takes what its rungs said: give outputs=... without prediction, confidence, "
                    "probabilities and group"
                )
            from askpoint.records.ladder_rule import read_outputs

            cases, calls = read_outputs(
                self.document.model,
                names,
                outputs,
                content=as_texts(content, len(names), "content", one=one),
                version=model_version,
                one=one,
            )
            made = self.decide_parts(
                cases, as_micros(at), audit_rates=audit_rates, rollout=rollout, shadow=shadow
            )
            known = {row.key: row for _, part in made for row in part.rows if row is not None}
            earlier = self.decided_rows(list(calls))  # which came with more outputs before
            known |= earlier
            calls = {key: rung for key, rung in calls.items() if key not in earlier}
            decided = as_decided(names, [[known.get(name) for name in names]], one=one)
            return with_calls(decided, [calls.get(name) for name in names], one=one)
        if fields is not None:
            if any(given is not None for given in (prediction, confidence, probabilities, group)):
                raise InputError(
                    "a policy of documents takes their fields: give fields=... without prediction, confidence, "
                    "probabilities and group"
                )
            from askpoint.records.document_rule import read_fields

            documents = read_fields(
                self.document.model, names, fields, version=model_version, one=one
            )
            documents = replace(
                documents, content=as_texts(content, len(names), "content", one=one)
            )
            parts = self.decide_parts(
                documents, as_micros(at), audit_rates=audit_rates, rollout=rollout, shadow=shadow
            )
            return as_decided(names, (made.rows for _, made in parts), one=one)
        said, sure = read_confidence(
            self._classes,
            names,
            prediction,
            confidence,
            probabilities,
            one=one,
            measure=self.document.model.get("measure", "max_probability"),
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
            In which costs are told; by default a mistake is 1, a check what the terms say, and a call what the
            policy of a ladder says.

        Returns
        -------
        Status
        """
        terms = self.document.terms
        known = prices or LivePrices(check=terms.limit if terms.aim == "money" else 0)
        known = known.with_calls_of(self.document.model)
        with self._reading() as reader:
            state = load_standing(reader, self.document).replay.state
        return status_of(state, terms, known, self.troubles(), self.document.group_scale)

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

    def vitals(self) -> Vitals:
        """Return what a monitor asks beside `watch`: rows of the log, the oldest label awaited, who is not told."""
        with self._reading() as reader:
            replay = load_standing(reader, self.document).replay
            wanted = list_wanted(replay.state)
            oldest = (
                reader.execute("SELECT at FROM decisions WHERE seq = ?", (min(wanted),))
                if wanted
                else []
            )
            delayed = len(read_delayed(reader))
        return Vitals(replay.tree.size, oldest[0][0] if oldest else None, delayed)

    def troubles(self) -> Troubles:
        """Return what went wrong around the policy so far: lines without a decision, a clock that went back."""
        with self._reading() as reader:
            ((dead,),) = reader.execute("SELECT count(*) FROM dead")
            back = sum(
                reader.execute(f"SELECT count(*) FROM {rows}")[0][0]  # noqa: S608
                for rows in _CLOCK_BACK
            )
        return Troubles(dead, back)


def _check_cases(batch: DecisionBatch) -> None:
    check_texts(batch.key, "key")
    check_texts([*(batch.content or ()), *(batch.group or ())], "content or group", is_name=False)


def _check_labels(rows: LabelRows) -> None:
    check_texts(rows.key, "key")
    check_texts([*rows.judge, *(rows.truth or ())], "judge or truth", is_name=False)
