"""Rows of the log as texts: canonical JSON of every column, whose hashes are the leaves of the tree.

Row 0 is the policy. Decisions, labels, events and what was deleted on request follow in the order in which
they happened. A row stands alone, so that it can be shown to the person it is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from json.encoder import encode_basestring

from askpoint.live.blocks import DecisionBlock, DeletionBlock, HandInBlock, LabelBlock, LeaseBlock
from askpoint.live.canonical import canonical_json
from askpoint.live.documents import PolicyDocument
from askpoint.live.events import Event
from askpoint.live.merkle import leaf_hash

__all__ = [
    "decision_texts",
    "deletion_texts",
    "event_text",
    "hand_in_text",
    "hash_texts",
    "label_text",
    "label_texts",
    "lease_text",
    "policy_text",
]

_TRUTH = ("false", "true")


def policy_text(document: PolicyDocument) -> str:
    """Return the first row: of which policy this is the log, by the hash of all that it opened with."""
    return canonical_json(
        {
            "digest": document.digest,
            "policy": document.id,
            "row": "policy",
            "secret_hash": document.secret_hash,
            "version": document.version,
        }
    )


def decision_texts(document: PolicyDocument, block: DecisionBlock) -> list[str]:
    """Return the rows of decisions; what was held says what it would have been."""
    name, version = encode_basestring(document.id), document.version
    answers = [_ACTIONS[one] for one in block.answer.tolist()]
    held = block.held.tolist()
    actions = ['"hold"' if h else one for h, one in zip(held, answers, strict=True)]
    lease = "null" if block.lease is None else str(block.lease)
    would = [one if h else "null" for h, one in zip(held, answers, strict=True)]
    columns = zip(
        actions,
        block.at.tolist(),
        [_TRUTH[one] for one in block.audit.tolist()],
        _numbers(block.clock_back),
        map(repr, block.confidence.tolist()),
        _texts(block.digest),
        map(repr, block.drawn.tolist()),
        block.episode.tolist(),
        _few(block.group),
        map(encode_basestring, block.key),
        _few(block.model_version),
        _few(block.prediction),
        map(repr, block.propensity.tolist()),
        map(repr, block.rate.tolist()),
        block.seq.tolist(),
        would,
        strict=True,
    )
    return [
        f'{{"action":{action},"at":{at},"audit":{audit},"clock_back":{back},"confidence":{confidence},'
        f'"digest":{digest},"drawn":{drawn},"episode":{episode},"group":{group},"key":{key},'
        f'"lease":{lease},"model_version":{model},"policy":{name},"prediction":{prediction},"propensity":{propensity},'
        f'"rate":{rate},"row":"decision","seq":{seq},"version":{version},"would":{would_be}}}'
        for (
            action, at, audit, back, confidence, digest, drawn, episode, group, key, model, prediction,
            propensity, rate, seq, would_be,
        ) in columns
    ]  # fmt: skip


def label_texts(document: PolicyDocument, block: LabelBlock, first: int) -> list[str]:
    """Return the rows of labels; `first` is the number of the first of them."""
    columns = zip(
        range(first, first + len(block.key)),
        block.key,
        block.label,
        block.judge,
        block.source,
        block.truth,
        block.at.tolist(),
        [block.after] * len(block.key),
        (block.counts | block.gold).tolist(),
        block.clock_back,
        strict=True,
    )
    return [label_text(document, *values) for values in columns]


def label_text(
    document: PolicyDocument,
    n: int,
    key: str,
    label: str,
    judge: str,
    source: str,
    truth: str | None,
    at: int,
    after: int,
    counts: bool,  # a column
    clock_back: int | None,
) -> str:
    """Return the row of a label; `counts` says whether it is the first of its case, or of a judge on gold."""
    return canonical_json(
        {
            "after": after,
            "at": at,
            "clock_back": clock_back,
            "counts": counts,
            "judge": judge,
            "key": key,
            "label": label,
            "n": n,
            "policy": document.id,
            "row": "label",
            "source": source,
            "truth": truth,
            "version": document.version,
        }
    )


def event_text(document: PolicyDocument, event: Event, at: int) -> str:
    """Return the row of an event."""
    return canonical_json(
        {
            "at": at,
            "kind": event.kind,
            "numbers": dict(event.numbers),
            "policy": document.id,
            "row": "event",
            "seq": event.seq,
            "version": document.version,
        }
    )


def deletion_texts(document: PolicyDocument, block: DeletionBlock) -> list[str]:
    """Return the rows that say whose content was deleted on request."""
    return [
        canonical_json(
            {
                "at": block.at,
                "key": key,
                "policy": document.id,
                "row": "forgotten",
                "seq": seq,
                "version": document.version,
            }
        )
        for seq, key in zip(block.seq, block.key, strict=True)
    ]


def lease_text(document: PolicyDocument, block: LeaseBlock) -> str:
    """Return the row of a lease that was granted."""
    lease = block.lease
    return canonical_json(
        {
            "answers": lease.answers,
            "at": lease.granted,
            "decider": lease.decider,
            "episode": lease.episode,
            "expires": lease.expires,
            "number": lease.number,
            "policy": document.id,
            "rate": lease.rate,
            "row": "lease",
            "threshold": lease.threshold,
            "version": document.version,
        }
    )


def hand_in_text(document: PolicyDocument, block: HandInBlock) -> str:
    """Return the row that says what of a lease was handed in."""
    return canonical_json(
        {
            "answers": block.answers,
            "at": block.at,
            "booked": block.booked,
            "cases": block.cases,
            "digest": block.digest,
            "lease": block.lease,
            "policy": document.id,
            "row": "hand_in",
            "version": document.version,
        }
    )


def hash_texts(texts: Iterable[str]) -> list[bytes]:
    """Return the leaves of rows."""
    return [leaf_hash(text.encode()) for text in texts]


_ACTIONS = ('"ask"', '"answer"')


def _numbers(values: Sequence[int | None]) -> list[str]:
    return ["null" if value is None else str(value) for value in values]


def _texts(values: Sequence[str | None]) -> list[str]:
    return ["null" if value is None else encode_basestring(value) for value in values]


def _few(values: Sequence[str | None]) -> list[str]:
    """Return texts of which many are the same."""
    known: dict[str | None, str] = {None: "null"}
    known |= {value: encode_basestring(value) for value in set(values) if value is not None}
    return [known[value] for value in values]
