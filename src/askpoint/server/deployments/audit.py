"""The audit of a policy: every draw, decision, label, event and hash, computed again from its rows."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from askpoint.errors import LogError
from askpoint.live.canonical import content_digest
from askpoint.records.stores.table_verification import verify_log
from askpoint.server.deployments.cases import cases_of, content_text
from askpoint.server.deployments.models import DeletedContent, Label, Policy, Receipt
from askpoint.server.deployments.policies import secret_of, signing_key
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.policy_tables import PolicyTables

__all__ = ["receipt_problems"]

_PART = 20_000


def receipt_problems(policy: Policy) -> Iterator[str]:
    """Say what of a policy's rows does not follow from the others; the first of each kind."""
    document = document_of(policy)
    tables = PolicyTables(policy.pk, document)
    try:
        found = verify_log(tables, document, secret_of(policy), key=signing_key(policy.deployment))
    except LogError as error:
        yield str(error)
        return
    if found.difference is not None:
        yield str(found.difference)
        return
    if found.replay.tree.to_dict() != policy.log:
        yield "its rows do not lead to the log that is stored with it"
    classes: list[str] = document.model["classes"]
    said: dict[str, list[tuple[str, bool]]] = {}
    for row in Label.objects.filter(policy=policy).exclude(source="gold").iterator(_PART):
        said[row.key] = [*said.get(row.key, []), (row.label, row.wrong)]
        if len(said) == _PART:
            yield from _labels(policy, said, classes)
            said = {}
    yield from _labels(policy, said, classes)
    yield from _contents(policy)


def _contents(policy: Policy) -> Iterator[str]:
    """Compare the contents that are kept with their digests; what was deleted is nowhere."""
    deleted = set(DeletedContent.objects.filter(policy=policy).values_list("seq", flat=True))
    rows = Receipt.objects.filter(policy=policy).exclude(digest=None).order_by("seq")
    columns = rows.values_list("seq", "key", "digest", "salt").iterator(_PART)
    while part := list(itertools.islice(columns, _PART)):
        keys = [key for _, key, _, _ in part]
        held = cases_of(policy.deployment, keys).filter(content__isnull=False)
        contents = dict(held.values_list("key", "content"))
        for seq, key, digest, salt in part:
            text = content_text(contents[key]) if key in contents else None
            if (salt is None) != (seq in deleted):
                yield f"the content of {key[:80]!r}: the salt of its digest and the row of its deletion do not belong together"
            elif text is not None and (salt is None or content_digest(text, bytes(salt)) != digest):
                yield f"the content of {key[:80]!r} is not that of its digest, or was deleted and is still there"


def _labels(
    policy: Policy, said: dict[str, list[tuple[str, bool]]], classes: list[str]
) -> Iterator[str]:
    rows = Receipt.objects.filter(policy=policy, key__in=said)
    for key, prediction in rows.values_list("key", "prediction"):
        if any(wrong != (label != classes[prediction]) for label, wrong in said[key]):
            yield f"labels of {key[:80]!r}: whether the model was wrong is not what they say"
