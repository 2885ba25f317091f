"""The gateway: cases come, decisions go, and a receipt of each stays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from django.db import transaction

from askpoint.errors import InputError
from askpoint.live.batches import DecisionBatch
from askpoint.live.gateway import Rollout, decide_in
from askpoint.measures.confidence import confidence_scores
from askpoint.records.ladder_rule import read_outputs
from askpoint.server.clock import moment
from askpoint.server.deployments.case_images import keep_named_images, name_images
from askpoint.server.deployments.cases import content_text
from askpoint.server.deployments.models import Policy, Receipt
from askpoint.server.deployments.policies import (
    check_open_to_cases,
    lock_deployment,
    policy_in_use,
)
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.rows import NewReceipt, micros
from askpoint.server.deployments.store import DatabaseStore
from askpoint.wire.fields import LONGEST_KEY

__all__ = ["IncomingCase", "IssuedDecision", "decide"]


class IncomingCase(NamedTuple):
    """A case as it comes, with probabilities, with prediction and confidence, or with what a ladder's rungs said."""

    key: str
    probabilities: Sequence[float] | dict[str, float] | None = None
    prediction: str | None = None
    confidence: float | None = None
    case: Any = None
    group: str | None = None
    outputs: Mapping[str, Any] | None = None


class IssuedDecision(NamedTuple):
    """What was decided.

    Attributes
    ----------
    key : str
        Which case.
    action : str
        answer, ask, audit (an answer that people check), hold where it decides nothing, or call.
    would : str or None
        What was decided in shadow.
    prediction : str or None
        What the model says; None while the case waits for a rung.
    policy : str
        By which policy.
    propensity : float or None
        The chance that people label the case.
    call : str or None
        By a ladder's policy: the rung whose output the case waits for. Nothing is decided of it yet.
    """

    key: str
    action: str
    would: str | None
    prediction: str | None
    policy: str
    propensity: float | None
    call: str | None = None


@transaction.atomic
def decide(
    deployment: str, items: Sequence[IncomingCase], version: str = ""
) -> list[IssuedDecision]:
    """Decide cases in their order; a key that was decided keeps its decision.

    Raises
    ------
    RuleError
        ``archived`` or ``deleted``; ``no-policy``; ``other-content`` where a key comes again with something else.
    InputError
        If an item says nothing that can be decided, or comes from another version of the model.
    """
    row = lock_deployment(deployment)
    check_open_to_cases(row)
    policy = policy_in_use(row)
    document = document_of(policy)
    contents = name_images(row.pk, [(item.key, item.case) for item in items])
    items = [item._replace(case=case) for item, case in zip(items, contents, strict=True)]
    batch, calls = _read_items(items, document.model, version)
    now = moment(row)
    store = DatabaseStore(row, policy, now, {item.key: item.case for item in items})
    share = row.rollout if row.mode == "rollout" else 1.0
    rollout = Rollout(share, row.salt.encode())
    decide_in(
        store,
        batch,
        micros(now),
        audit_rates={
            name: max(rate, document.terms.rate) for name, rate in row.audit_rates.items()
        },
        rollout=rollout,
        shadow=row.mode == "shadow",
    )
    keep_named_images(row, [(item.key, item.case) for item in items])
    if calls:  # a key that was decided keeps its decision, though it comes with less
        store.find_known_cases(list(calls))
    known = store.receipts
    names = {policy.pk: document.id} | _names(known.values(), policy)
    classes: Sequence[str] = document.model["classes"]
    said = dict(zip(batch.key, batch.prediction, strict=True))
    waits = [item.key in calls for item in items]
    inside = rollout.covers([item.key for item in items])
    return [
        _decision_of(known[item.key], names, classes)
        if item.key in known
        else IssuedDecision(item.key, "call", None, None, document.id, None, calls[item.key])
        if waiting and decides
        else IssuedDecision(item.key, "hold", None, said.get(item.key), document.id, None)
        for item, waiting, decides in zip(items, waits, inside, strict=True)
    ]


def _names(receipts: Iterable[Receipt | NewReceipt], policy: Policy) -> dict[int, str]:
    """The names of earlier policies, where some keys were decided by one."""
    keys = {one.policy_id for one in receipts} - {policy.pk}
    return (
        {one.pk: document_of(one).id for one in Policy.objects.filter(pk__in=keys)} if keys else {}
    )


def _decision_of(
    row: Receipt | NewReceipt, names: dict[int, str], classes: Sequence[str]
) -> IssuedDecision:
    made = Receipt.ACTIONS[row.action]
    return IssuedDecision(
        row.key,
        "hold" if row.held else made,
        made if row.held else None,
        classes[row.prediction],
        names[row.policy_id],
        row.propensity,
    )


def _read_items(
    items: Sequence[IncomingCase], model: Any, version: str
) -> tuple[DecisionBatch, dict[str, str]]:
    """Check the items one by one, and say which of them is wrong; and which wait for a rung of a ladder."""
    for one in items:
        if not one.key or len(one.key) > LONGEST_KEY:
            raise InputError(f"a key has 1 to {LONGEST_KEY} characters; got {one.key[:80]!r}")
    if model.get("ladder") is None:
        return _batch(items, model, version), {}
    columns: dict[str, None] = {}
    for one in items:
        others = (one.probabilities, one.prediction, one.confidence, one.group)
        if one.outputs is None or any(given is not None for given in others):
            raise InputError(
                f"the item {one.key!r} must say outputs and nothing else of the model: this policy is one of a ladder, which "
                "reads what its rungs said"
            )
        columns |= dict.fromkeys(one.outputs)
    outputs = {name: [(one.outputs or {}).get(name) for one in items] for name in columns}
    keys = [one.key for one in items]
    contents = [content_text(one.case) for one in items]
    return read_outputs(model, keys, outputs, content=contents, version=version)


def _batch(items: Sequence[IncomingCase], model: Any, version: str) -> DecisionBatch:
    """Read the items of a policy of one model."""
    classes: list[str] = model["classes"]
    said, sure = [], []
    rows = {i: _row(one, classes) for i, one in enumerate(items) if one.probabilities is not None}
    measure = model.get("measure", "max_probability")
    scores = confidence_scores(list(rows.values()), measure) if rows else np.empty(0)
    score = dict(zip(rows, scores.tolist(), strict=True))
    for i, one in enumerate(items):
        if one.outputs is not None:
            raise InputError(
                f"the item {one.key!r} says outputs, and this policy is of one model: say probabilities, or prediction and "
                "confidence"
            )
        if (one.probabilities is None) == (one.prediction is None) or (
            (one.prediction is None) != (one.confidence is None)
        ):
            raise InputError(
                f"the item {one.key!r} says either probabilities, or prediction and confidence"
            )
        if one.prediction is not None and one.confidence is not None:
            said.append(one.prediction)
            sure.append(float(one.confidence))
        else:
            said.append(classes[int(np.argmax(rows[i]))])
            sure.append(score[i])
    return DecisionBatch(
        [one.key for one in items],
        said,
        sure,
        [content_text(one.case) for one in items],
        version,
        [one.group for one in items],
    )


def _row(item: IncomingCase, classes: Sequence[str]) -> list[float]:
    """The probabilities of an item in the order of the policy's classes."""
    given = item.probabilities or ()
    if isinstance(given, dict):
        fits = set(given) == set(classes)
        row = [float(given[name]) for name in classes] if fits else []
    else:
        row = [float(value) for value in given]
    if len(row) != len(classes) or not (min(row) >= 0 and abs(sum(row) - 1) <= _SLACK):
        raise InputError(
            f"the item {item.key!r} has no probabilities of the policy's classes "
            f"{', '.join(map(repr, classes))}: one of 0 to 1 for each, with the sum 1; if the model "
            "has other classes, choose a new policy for it"
        )
    return row


_SLACK = 1e-3
