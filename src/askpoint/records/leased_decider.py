"""A decider elsewhere: decides under a lease, without the deployment, and keeps what it must hand in."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import InputError, StoreError
from askpoint.live.batches import DecisionBatch
from askpoint.live.canonical import canonical_json
from askpoint.live.leases.deciding import LeaseBook
from askpoint.live.leases.lease import LeaseGrant
from askpoint.live.leases.lease_receipts import LeasedCase, LeaseReceipts
from askpoint.records.stores.arguments import (
    Decided,
    as_micros,
    as_texts,
    check_texts,
    read_confidence,
)

__all__ = ["LeasedDecider"]


class LeasedDecider:
    """Decides under a lease where the deployment cannot be reached, or not for each case.

    One object for one thread. A key that was decided under the lease keeps its decision.

    Parameters
    ----------
    grant : LeaseGrant
        By `Deployment.lease`, or read from its file.
    journal : str or Path, optional
        Where the cases are kept, on the disk before a decision is given away, so that a decider that was killed goes
        on. Without it they are gone with the object, and the lease is lost: all of its answers count as mistakes.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint import Deployment, LeasedDecider, Policy, Terms
    >>> rng = np.random.default_rng(0)
    >>> confidence = rng.uniform(0.5, 1, 2000)
    >>> right = rng.random(2000) < confidence
    >>> secret = b"sixteen or more!"
    >>> policy = Policy.from_log(confidence, right, Terms("money", 0.2), secret=secret, name="demo")
    >>> service = Deployment(":memory:", policy, secret=secret)
    >>> decider = LeasedDecider(service.lease("edge", answers=2))
    >>> decider.decide(["a", "b", "c", "d"], confidence=[0.99, 0.55, 0.98, 0.97]).action.tolist()
    ['answer', 'ask', 'answer', 'ask']
    >>> service.hand_in(decider.receipts()).decided
    4
    """

    def __init__(self, grant: LeaseGrant, journal: str | os.PathLike[str] | None = None) -> None:
        self.grant = grant
        self._journal = None if journal is None else Path(journal)
        known: list[LeasedCase] = []
        if self._journal is not None and self._journal.exists():
            known = _read_journal(self._journal, grant)
        self._book = LeaseBook(grant, known)

    @property
    def left(self) -> int:
        """How many more cases may be answered; all others go to review."""
        return self._book.left

    @property
    def is_over(self) -> bool:
        """Whether the time of the lease is over."""
        return time.time_ns() // 1000 > self.grant.lease.expires

    def decide(
        self,
        keys: str | Sequence[str],
        *,
        prediction: str | Sequence[str] | None = None,
        confidence: float | ArrayLike | None = None,
        probabilities: ArrayLike | None = None,
        content: str | Sequence[str | None] | None = None,
        group: str | Sequence[str | None] | None = None,
        at: int | datetime | None = None,
    ) -> Decided:
        """Decide one case, or an array of cases in their order.

        Parameters
        ----------
        keys, prediction, confidence, probabilities, content, group, at
            As for `Deployment.decide`.

        Returns
        -------
        Decided
            Without numbers of decisions (`seq` is -1): those come with the hand-in.

        Raises
        ------
        RuleError
            ``other-content``, if a key comes again with something else; nothing is decided then.
        InputError
            If the lease is over, or the cases are not of the policy's model.
        StoreError
            If the cases cannot be kept in the journal; nothing was decided then.
        """
        one = isinstance(keys, str)
        names = [keys] if isinstance(keys, str) else list(keys)
        model = self.grant.model
        classes = model.get("classes") or ("right", "wrong")
        said, sure = read_confidence(
            classes,
            names,
            prediction,
            confidence,
            probabilities,
            one=one,
            measure=model.get("measure", "max_probability"),
        )
        texts, groups = (
            as_texts(given, len(names), name, one=one)
            for given, name in ((content, "content"), (group, "group"))
        )
        batch = DecisionBatch(names, said, sure, texts, model.get("version", ""), groups)
        moment = as_micros(at)
        made = self.decide_batch(batch, time.time_ns() // 1000 if moment is None else moment)
        return _as_decided(self.grant, names, made, one=one)

    def decide_batch(self, batch: DecisionBatch, at: int) -> list[LeasedCase]:
        """Decide a batch at a moment, in microseconds since 1970; return what became of each case."""
        check_texts(batch.key, "key")
        texts = [*(batch.content or ()), *(batch.group or ())]
        check_texts(texts, "content or group", is_name=False)
        return self._book.decide(batch, at, self._write)

    def _write(self, cases: Sequence[LeasedCase]) -> None:
        if self._journal is not None:
            _append_journal(self._journal, self.grant, cases)

    def receipts(self) -> LeaseReceipts:
        """Return what is to be handed in; after it the decider takes another lease."""
        return self._book.receipts()


def _as_decided(
    grant: LeaseGrant, names: list[str], cases: Sequence[LeasedCase], *, one: bool
) -> Decided:
    lease = grant.lease
    propensity = [lease.rate if case.action == "answer" else 1.0 for case in cases]
    if one:
        return Decided(
            names[0], cases[0].action, cases[0].audit, propensity[0], lease.episode, seq=-1
        )
    n = len(cases)
    return Decided(
        names,
        np.array([case.action for case in cases], dtype=np.str_),
        np.array([case.audit for case in cases], dtype=np.bool_),
        np.array(propensity),
        np.full(n, lease.episode),
        np.full(n, -1),
    )


def _append_journal(path: Path, grant: LeaseGrant, cases: Sequence[LeasedCase]) -> None:
    """Write cases at the end of a journal, durably; what was cut off before them is dropped."""
    lines = [canonical_json(list(case)) for case in cases]
    try:
        with path.open("ab+") as file:
            if file.seek(0, os.SEEK_END) == 0:
                lines = [_header(grant), *lines]
            file.write("".join(f"{line}\n" for line in lines).encode())
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise StoreError(
            f"{path} cannot be written ({error.strerror}): these cases were not decided; make room and send them again"
        ) from None


def _read_journal(path: Path, grant: LeaseGrant) -> list[LeasedCase]:
    """Return the cases of a journal; a last line that was cut off was given to nobody, and is dropped."""
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].decode().splitlines()
    if lines and lines[0] != _header(grant):
        raise InputError(
            f"{path} is the journal of another lease; hand that in, and name another file for lease "
            f"{grant.lease.number}"
        )
    if whole < len(data):
        os.truncate(path, whole)
    return [LeasedCase(*json.loads(line)) for line in lines[1:]]


def _header(grant: LeaseGrant) -> str:
    return canonical_json({"lease": grant.lease.number, "policy": grant.policy})
