"""The audit of a policy: every draw, decision, label, event and hash, computed again from its rows."""

from __future__ import annotations

from collections.abc import Iterator

from askpoint.live.events import Event, LoggedEvent
from askpoint.live.verification import verify
from askpoint.server.deployments.models import Label, Policy, Receipt
from askpoint.server.deployments.policies import secret_of
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.rows import blocks_of, micros

__all__ = ["receipt_problems"]

_PART = 20_000


def receipt_problems(policy: Policy) -> Iterator[str]:
    """Say what of a policy's rows does not follow from the others; the first of each kind."""
    document = document_of(policy)
    events = [
        LoggedEvent(Event(row.seq, row.kind, row.numbers), micros(row.at))
        for row in policy.events.all()
    ]
    found = verify(document, blocks_of(policy), events, secret_of(policy))
    if found.difference is not None:
        yield str(found.difference)
        return
    if found.replay.tree.to_dict() != policy.log:
        yield "its rows do not lead to the log that stands beside it"
    classes: list[str] = document.model["classes"]
    said: dict[str, list[tuple[str, bool]]] = {}
    for row in Label.objects.filter(policy=policy).exclude(source="gold").iterator(_PART):
        said[row.key] = [*said.get(row.key, []), (row.label, row.wrong)]
        if len(said) == _PART:
            yield from _labels(policy, said, classes)
            said = {}
    yield from _labels(policy, said, classes)


def _labels(
    policy: Policy, said: dict[str, list[tuple[str, bool]]], classes: list[str]
) -> Iterator[str]:
    rows = Receipt.objects.filter(policy=policy, key__in=said)
    for key, prediction in rows.values_list("key", "prediction"):
        if any(wrong != (label != classes[prediction]) for label, wrong in said[key]):
            yield f"labels of {key[:80]!r}: whether the model was wrong is not what they say"
