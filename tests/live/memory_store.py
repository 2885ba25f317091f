"""The least store of the gateway: dictionaries of one thread, by which the laws measure all others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import InputError
from askpoint.live.batches import DecisionBatch, LabelRows
from askpoint.live.blocks import Block
from askpoint.live.draws import secret_hash
from askpoint.live.events import Event
from askpoint.live.gateway import KnownCase, LabelOutcome, Outcome, decide_in, label_in
from askpoint.live.label_blocks import (
    Counted,
    DecidedCase,
    KnownLabel,
    LabelContext,
    list_counted,
)
from askpoint.live.policy import Policy
from askpoint.live.receipts import Replay
from askpoint.live.silence import list_wanted
from askpoint.live.steps import Decisions
from askpoint.measures.inputs import as_finite, as_same_length

__all__ = ["MemoryStore"]


class _Row(NamedTuple):
    seq: int
    case: KnownCase
    answer: bool
    audit: bool
    propensity: float
    episode: int

    @property
    def source(self) -> str:
        return "audit" if self.audit else "feedback" if self.answer else "asked"


class MemoryStore:
    """Decisions and labels of a policy, kept as long as this object: a `Store` of the gateway.

    Parameters
    ----------
    policy : Policy
        What decides.
    secret : bytes
        At least 16 random bytes; keep them to yourself until the policy closes, for whoever knows
        them foresees which answers are audited.

    Raises
    ------
    InputError
        If the secret is another than the policy's.

    Examples
    --------
    >>> import numpy as np
    >>> from live.memory_store import MemoryStore
    >>> from askpoint import Policy, Terms
    >>> rng = np.random.default_rng(0)
    >>> confidence = rng.uniform(0.5, 1, 2000)
    >>> right = rng.random(2000) < confidence
    >>> secret = b"sixteen or more!"
    >>> policy = Policy.from_log(confidence, right, Terms("money", 0.2), secret=secret, name="demo")
    >>> store = MemoryStore(policy, secret)
    >>> made = store.decide(["post-1", "post-2"], [0.55, 0.99])
    >>> made.answer.tolist()
    [False, True]
    >>> store.label({"post-1": True})
    ()
    >>> store.decide(["post-1"], [0.55]).answer.tolist()  # a key decides once
    [False]
    >>> store.policy.state.decided
    2
    """

    def __init__(self, policy: Policy, secret: bytes) -> None:
        if secret_hash(secret) != policy.document.secret_hash:
            raise InputError(
                f"this secret is not the one that policy {policy.document.id!r} promised by its "
                "hash; find the secret of its folder"
            )
        self.secret = secret
        self.replay = Replay(policy.document)
        self.replay.state = policy.state
        self.blocks: list[Block] = []
        self._classes = policy.document.model.get("classes") or ("right", "wrong")
        self._rows: dict[str, _Row] = {}
        self._counted: set[Counted] = set()
        self._labels: set[KnownLabel] = set()

    @property
    def policy(self) -> Policy:
        """Document and state as of now."""
        return Policy(self.replay.document, self.replay.state)

    @property
    def events(self) -> list[Event]:
        """All that happened."""
        return self.replay.events

    def decide(
        self,
        keys: Sequence[str],
        confidence: ArrayLike,
        *,
        prediction: Sequence[str] | None = None,
        content: Sequence[str | None] | None = None,
        group: Sequence[str | None] | None = None,
        model_version: str | None = None,
        audit_rates: Mapping[str, float] | None = None,
        at: int = 0,
    ) -> Decisions:
        """Decide cases in their order; a key that was decided keeps its decision.

        Parameters
        ----------
        keys : sequence of str
            Name of each case.
        confidence : array-like of shape (n_items,)
            Of the model.
        prediction : sequence of str, optional
            What the model says. Without it labels say whether that was right.
        content, group : sequence of str, optional
            Of each case.
        model_version : str, optional
            By default the policy's.
        audit_rates : mapping of str to float, optional
            By group, where answers are audited more often than agreed.
        at : int, default=0
            Microseconds since 1970, UTC.

        Returns
        -------
        Decisions

        Raises
        ------
        RuleError
            ``other-content``, if a key comes again with something else.
        InputError
            If the batch is not of the policy's model.
        """
        score = as_finite(confidence, "confidence").astype(np.float64)
        as_same_length(score, keys, ("confidence", "keys"))
        version = self.replay.document.model.get("version", "")
        batch = DecisionBatch(
            list(keys),
            [self._classes[0]] * len(keys) if prediction is None else list(prediction),
            score.tolist(),
            None if content is None else list(content),
            version if model_version is None else model_version,
            None if group is None else list(group),
        )
        decide_in(self, batch, at, audit_rates=audit_rates)
        rows = [self._rows[key] for key in keys]
        return Decisions(
            np.array([row.answer for row in rows], dtype=np.bool_),
            np.array([row.audit for row in rows], dtype=np.bool_),
            np.array([row.propensity for row in rows], dtype=np.float64),
            np.array([row.episode for row in rows], dtype=np.int64),
        )

    def label(
        self,
        labels: Mapping[str, Any],
        *,
        judge: str = "",
        source: str | None = None,
        gold: Mapping[str, str] | None = None,
        at: int = 0,
    ) -> tuple[Event, ...]:
        """Take in what people found, in the order in which it came.

        Parameters
        ----------
        labels : mapping of str to str or bool
            By key. Of a case that was neither asked nor audited a label changes nothing: such
            feedback comes as it likes, and shows nothing.
        judge : str, default=""
            Who said it.
        source : {"asked", "audit", "feedback"}, optional
            Where the labels come from; by default that of each case.
        gold : mapping of str to str or bool, optional
            What is right, if the labels are of gold cases.
        at : int, default=0
            Microseconds since 1970, UTC.

        Returns
        -------
        tuple of Event
            What it set off.

        Raises
        ------
        RuleError
            ``unknown-key``, if a case was never decided.
        """
        n = len(labels)
        rows = LabelRows(
            list(labels),
            [self._label_name(key, label) for key, label in labels.items()],
            [judge] * n,
            [source if gold is None else "gold"] * n,
            None if gold is None else [self._label_name(key, gold[key]) for key in labels],
        )
        outcome = label_in(self, rows, at)
        return () if outcome is None else outcome.events

    def wanted_keys(self) -> list[str]:
        """Return the keys whose label is awaited, in the order of decisions: asked and audited cases."""
        open_ = set(list_wanted(self.replay.state))
        return [key for key, row in self._rows.items() if row.seq in open_]

    @property
    def clock_back(self) -> int | None:
        """Time is what callers say."""
        return None

    def draw_salts(self, n: int) -> list[bytes]:
        """Contents are not kept: their digests need no salt."""
        del n
        return []

    def find_known_cases(self, keys: Sequence[str]) -> Mapping[str, KnownCase]:
        """Return what came with those of the keys that were decided."""
        return {key: self._rows[key].case for key in keys if key in self._rows}

    def write_decisions(self, batch: DecisionBatch, outcome: Outcome, at: int) -> None:
        """Keep decisions."""
        del batch, at
        for block in outcome.blocks:
            columns = (block.prediction, block.confidence.tolist(), block.digest, block.group)
            cases = [KnownCase(*case) for case in zip(*columns, strict=True)]
            made = (block.seq, block.answer, block.audit, block.propensity, block.episode)
            for key, case, seq, *rest in zip(
                block.key, cases, *(column.tolist() for column in made), strict=True
            ):
                self._rows[key] = _Row(seq, case, *rest)
        self.blocks += outcome.blocks
        self.replay = outcome.replay

    def label_context(self, rows: LabelRows) -> LabelContext:
        """Return what labels are compared with."""
        known = {key: self._rows[key] for key in rows.key if key in self._rows}
        cases = {
            key: DecidedCase(row.seq, row.case.prediction, row.source) for key, row in known.items()
        }
        return LabelContext(cases, self._counted, self._labels)

    def write_labels(self, outcome: LabelOutcome) -> None:
        """Keep labels."""
        self._counted |= list_counted(outcome.block)
        block = outcome.block
        self._labels |= set(zip(block.key, block.judge, block.label, block.source, strict=True))
        self.blocks.append(outcome.block)
        self.replay = outcome.replay

    def _label_name(self, key: str, label: Any) -> str:
        """Return a label as a text; whether the model was right, as the label that says so."""
        if not isinstance(label, bool | np.bool_):
            return str(label)
        row = self._rows.get(key)
        said = self._classes[0] if row is None else row.case.prediction
        return said if label else next(name for name in self._classes if name != said)
