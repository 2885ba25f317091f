"""What callers of a deployment want done, and how a commit does it for many of them at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby
from typing import Any, NamedTuple

from askpoint.errors import AskpointError, InputError
from askpoint.live.batches import DecisionBatch, LabelRows
from askpoint.live.events import Event
from askpoint.live.gateway import LabelOutcome, Rollout, decide_in, label_in
from askpoint.records.stores.commit_queue import CommitJob
from askpoint.records.stores.tables import DecisionRow
from askpoint.records.stores.transactions import Transaction

__all__ = ["CallJob", "DecideJob", "DecidedRows", "LabelJob", "LabelledRows", "run_jobs"]


class DecidedRows(NamedTuple):
    """What became of cases.

    Attributes
    ----------
    rows : list of DecisionRow or None
        Of each case; None outside of the rollout.
    events : tuple of Event
        What the commit set off.
    clock_back : int or None
        By how many microseconds the clock stood before the last moment recorded.
    """

    rows: list[DecisionRow | None]
    events: tuple[Event, ...]
    clock_back: int | None


class LabelledRows(NamedTuple):
    """What became of labels: nothing if there were none; and the clock, as of decisions."""

    outcome: LabelOutcome | None
    clock_back: int | None


class DecideJob(CommitJob):
    """Cases to decide; its result is `DecidedRows`.

    Parameters
    ----------
    batch : DecisionBatch
        Cases.
    at : int or None
        Microseconds since 1970; None is the moment of the commit.
    audit_rates : mapping of str to float
        By group.
    rollout : Rollout
        The share of the cases that is decided.
    shadow : bool
        Whether nobody acts on the decisions.
    """

    def __init__(
        self,
        batch: DecisionBatch,
        at: int | None,
        *,
        audit_rates: Mapping[str, float],
        rollout: Rollout,
        shadow: bool,
    ) -> None:
        super().__init__(len(batch.key))
        self.batch, self.at = batch, at
        self.audit_rates, self.rollout, self.shadow = audit_rates, rollout, shadow

    @property
    def kind(self) -> tuple[Any, ...]:
        """What must be the same of cases that are decided together."""
        rates = tuple(sorted(self.audit_rates.items()))
        return (self.at, self.batch.model_version, rates, self.rollout, self.shadow)

    def run(self, transaction: Transaction, now: int) -> None:
        """Decide them within a transaction."""
        _decide([self], self.batch, transaction, now)


class LabelJob(CommitJob):
    """Labels that came together; its result is `LabelledRows`.

    Parameters
    ----------
    rows : LabelRows
        Labels; instead of its name a label may be whether the model was right.
    at : int or None
        Microseconds since 1970; None is the moment of the commit.
    classes : sequence of str
        Of the model.
    """

    def __init__(self, rows: LabelRows, at: int | None, classes: Sequence[str] = ()) -> None:
        super().__init__(len(rows.key))
        self.rows, self.at, self._classes = rows, at, classes

    def run(self, transaction: Transaction, now: int) -> None:
        """Take them in within a transaction."""
        at = transaction.at(now if self.at is None else self.at)
        outcome = label_in(transaction, self._name_labels(transaction), at)
        self.result = LabelledRows(outcome, transaction.clock_back)

    def _name_labels(self, transaction: Transaction) -> LabelRows:
        """Return labels as texts; of whether the model was right, the label that says so."""
        rows = self.rows
        labels: Sequence[Any] = rows.label
        if not any(isinstance(label, bool) for label in labels):
            return rows
        known = transaction.find_known_cases(rows.key)
        names = []
        for key, label in zip(rows.key, labels, strict=True):
            said = known[key].prediction if key in known else self._classes[0]
            if label is False and len(self._classes) > 2:
                raise InputError(
                    f"the label of {key!r} says that {said!r} is wrong, and not what is right: say which of "
                    + ", ".join(map(repr, self._classes))
                )
            other = next(name for name in self._classes if name != said)
            names.append(label if not isinstance(label, bool) else said if label else other)
        return replace(rows, label=names)


class CallJob(CommitJob):
    """Anything else that is to happen within a commit."""

    def __init__(self, call: Callable[[Transaction, int], Any]) -> None:
        super().__init__()
        self._call = call

    def run(self, transaction: Transaction, now: int) -> None:
        """Do it within a transaction."""
        self.result = self._call(transaction, now)


def run_jobs(jobs: list[CommitJob], transaction: Transaction, now: int) -> None:
    """Do jobs in their order; one that is wrong gets its error, and the others are done.

    Cases of several callers that are alike are decided as one batch, which changes nothing but the time it
    takes: a batch is its cases one by one.
    """
    for kind, group in groupby(
        jobs, key=lambda job: job.kind if isinstance(job, DecideJob) else None
    ):
        together = list(group)
        if kind is not None and len(together) > 1 and _decide_together(together, transaction, now):
            continue
        for job in together:
            try:
                job.run(transaction, now)  # type: ignore[attr-defined]
            except AskpointError as error:
                job.error = error


def _decide_together(jobs: list[Any], transaction: Transaction, now: int) -> bool:
    """Decide the cases of several callers as one batch; False if something is wrong with one of them."""
    batches = [job.batch for job in jobs]
    whole = DecisionBatch(
        _join(one.key for one in batches),
        _join(one.prediction for one in batches),
        _join(one.confidence for one in batches),
        _join(one.content or [None] * len(one.key) for one in batches),
        batches[0].model_version,
        _join(one.group or [None] * len(one.key) for one in batches),
    )
    try:
        _decide(jobs, whole, transaction, now)
    except AskpointError:
        return False
    return True


def _join(lists: Any) -> list[Any]:
    return list(chain.from_iterable(lists))


def _decide(jobs: list[Any], batch: DecisionBatch, transaction: Transaction, now: int) -> None:
    at = transaction.at(now if jobs[0].at is None else jobs[0].at)
    first = jobs[0]
    outcome = decide_in(
        transaction,
        batch,
        at,
        audit_rates=first.audit_rates,
        rollout=first.rollout,
        shadow=first.shadow,
    )
    for job in jobs:
        rows = [transaction.rows.get(key) for key in job.batch.key]
        job.result = DecidedRows(rows, outcome.events, transaction.clock_back)
