"""The gateway: cases come, decisions go, and a receipt of each stays."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from django.db import transaction

from askpoint.errors import InputError, RuleError
from askpoint.live.canonical import canonical_json, content_digest
from askpoint.live.draws import audit_draws
from askpoint.live.receipts import DecisionBlock
from askpoint.live.steps import Decisions
from askpoint.measures.confidence import confidence_scores
from askpoint.records.deployments.given import Batch, check_batch
from askpoint.server.clock import moment
from askpoint.server.deployments.cases import queue_of
from askpoint.server.deployments.lives import Life, document_of, keep_life, life_of
from askpoint.server.deployments.models import Deployment, Policy, Receipt
from askpoint.server.deployments.notifications import notify_owners
from askpoint.server.deployments.policies import lock_deployment, policy_in_use, secret_of
from askpoint.server.deployments.raising import raised_rates
from askpoint.server.deployments.rows import ANSWER, ASK, AUDIT, NewReceipt, micros
from askpoint.server.deployments.writing import write_cases, write_receipts
from askpoint.server.labelling.records import new_ids
from askpoint.wire.fields import LONGEST_KEY

__all__ = ["LONGEST_CASE", "Decided", "Given", "decide"]

LONGEST_CASE = 20_000
"""Characters of a case's content, as JSON."""


class Given(NamedTuple):
    """A case as it comes, with probabilities or with prediction and confidence."""

    key: str
    probabilities: Sequence[float] | dict[str, float] | None = None
    prediction: str | None = None
    confidence: float | None = None
    case: Any = None
    group: str | None = None


class Decided(NamedTuple):
    """What was decided.

    Attributes
    ----------
    key : str
        Which case.
    action : str
        answer, ask, audit (an answer that people check), or hold where it decides nothing.
    would : str or None
        What was decided in shadow.
    prediction : str
        What the model says.
    policy : str
        By which policy.
    propensity : float or None
        The chance that people label the case.
    """

    key: str
    action: str
    would: str | None
    prediction: str
    policy: str
    propensity: float | None


@transaction.atomic
def decide(deployment: str, items: Sequence[Given], version: str = "") -> list[Decided]:
    """Decide cases in their order; a key that was decided keeps its decision.

    Raises
    ------
    RuleError
        ``no-policy``; ``other-content`` where a key comes again with something else.
    InputError
        If an item says nothing that can be decided, or comes from another version of the model.
    """
    row = lock_deployment(deployment)
    policy = policy_in_use(row)
    document = document_of(policy)
    batch = _batch(items, document.model, version)
    check_batch(batch, document.model)
    payloads = [_payload(*it) for it in zip(items, batch.prediction, batch.confidence, strict=True)]
    known: dict[str, Receipt | NewReceipt] = {
        one.key: one
        for one in Receipt.objects.filter(deployment=row, key__in=batch.key).select_related(None)
    }
    new: dict[str, int] = {}
    for i, key in enumerate(batch.key):
        told = known[key].payload if key in known else payloads[new.setdefault(key, i)]
        if told != payloads[i]:
            raise RuleError(
                "other-content",
                f"the key {key[:80]!r} was decided with other content than it comes with now; a key "
                "names one case for ever: give the new case a new key",
            )
    if new:
        made = _decide(row, policy, items, batch, payloads, list(new.values()))
        known |= {one.key: one for one in made}
    names = {policy.pk: document.id} | _names(known.values(), policy)
    classes: Sequence[str] = document.model["classes"]
    return [_said(known[key], names, classes) for key in batch.key]


def _names(receipts: Iterable[Receipt | NewReceipt], policy: Policy) -> dict[int, str]:
    """The names of earlier policies, where some keys were decided by one."""
    keys = {one.policy_id for one in receipts} - {policy.pk}
    return (
        {one.pk: document_of(one).id for one in Policy.objects.filter(pk__in=keys)} if keys else {}
    )


def _said(row: Receipt | NewReceipt, names: dict[int, str], classes: Sequence[str]) -> Decided:
    made = None if row.action is None else Receipt.ACTIONS[row.action]
    return Decided(
        row.key,
        "hold" if row.held or made is None else made,
        made if row.held else None,
        classes[row.prediction],
        names[row.policy_id],
        row.propensity,
    )


def _batch(items: Sequence[Given], model: Any, version: str) -> Batch:
    """Check the items one by one, and say which of them is wrong."""
    classes: list[str] = model["classes"]
    said, sure = [], []
    rows = {i: _row(one, classes) for i, one in enumerate(items) if one.probabilities is not None}
    measure = model.get("measure", "max_probability")
    scores = confidence_scores(list(rows.values()), measure) if rows else np.empty(0)
    score = dict(zip(rows, scores.tolist(), strict=True))
    for i, one in enumerate(items):
        if not one.key or len(one.key) > LONGEST_KEY:
            raise InputError(f"a key has 1 to {LONGEST_KEY} characters, got {one.key[:80]!r}")
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
    return Batch([one.key for one in items], said, sure, model_version=version)


def _row(item: Given, classes: Sequence[str]) -> list[float]:
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


def _payload(item: Given, prediction: str, confidence: float) -> str:
    """A digest of all that came with a key."""
    text = canonical_json([prediction, confidence, _content(item), item.group])
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _content(item: Given) -> str | None:
    if item.case is None or isinstance(item.case, str):
        return item.case
    return canonical_json(item.case)


def _decide(
    row: Deployment,
    policy: Policy,
    items: Sequence[Given],
    batch: Batch,
    payloads: Sequence[str],
    places: list[int],
) -> list[NewReceipt]:
    """Decide what is new, and write it; what is outside of the share is held and not decided."""
    now = moment(row)
    classes = {name: code for code, name in enumerate(document_of(policy).model["classes"])}
    rows = [
        NewReceipt(
            deployment_id=row.pk,
            policy_id=policy.pk,
            key=batch.key[i],
            at=now,
            payload=payloads[i],
            digest=content_digest(_content(items[i])),
            prediction=classes[batch.prediction[i]],
            confidence=batch.confidence[i],
            group=items[i].group,
        )
        for i in places
    ]
    inside = np.ones(len(rows), dtype=np.bool_)
    if row.mode == "share":
        inside = audit_draws(row.salt.encode(), "traffic", [one.key for one in rows]) < row.share
    taken = [one for one, is_in in zip(rows, inside.tolist(), strict=True) if is_in]
    if taken:
        life = life_of(policy)
        made = _take(life, policy, taken, held=row.mode == "shadow")
        _write(taken, made)
        policy.held += len(taken) if row.mode == "shadow" else 0
        notify_owners(row, policy, keep_life(policy, life, now))
    write_receipts(rows)
    given = {item.key: item.case for item in items}
    sent = [one for one in taken if one.action != ANSWER]
    second = audit_draws(row.salt.encode(), "second", [one.key for one in sent]) < row.second
    write_cases(
        {
            "id": name,
            "queue": queue_of(row.pk),
            "purpose": "asked" if one.action == ASK else "audit",
            "key": one.key,
            "content": given[one.key],
            "wanted": 1 + int(twice),
            "free": 1 + int(twice),
            "opened": now,
            "at": now,
        }
        for name, one, twice in zip(new_ids(len(sent)), sent, second.tolist(), strict=True)
    )
    if row.at < now:
        Deployment.objects.filter(pk=row.pk).update(at=now)
    return rows


def _take(life: Life, policy: Policy, rows: Sequence[NewReceipt], *, held: bool) -> Decisions:
    """Decide by the library's rule, and chain what was decided."""
    replay, n = life.replay, len(rows)
    terms, first = replay.document.terms, replay.state.decided
    keys = [one.key for one in rows]
    confidence = np.array([one.confidence for one in rows], dtype=np.float64)
    drawn = audit_draws(secret_of(policy), replay.document.id, keys)
    group = [one.group for one in rows]
    rate = raised_rates(policy.deployment, group, terms.rate)
    made = replay.take(confidence, drawn, group, rate)
    classes = replay.document.model["classes"]
    block = DecisionBlock(
        np.arange(first, first + n),
        keys,
        np.full(n, micros(rows[0].at), dtype=np.int64),
        [classes[one.prediction] for one in rows],
        confidence,
        drawn,
        made.propensity,
        made.answer,
        made.audit,
        made.episode,
        [one.digest for one in rows],
        group,
        rate,
        np.full(n, held),
    )
    replay.heads[0] = block.hash_after(replay.heads[0])
    for one, draw, chance in zip(rows, drawn.tolist(), rate.tolist(), strict=True):
        one.drawn, one.rate, one.held = draw, chance, held
    for seq, one in enumerate(rows, start=first):
        one.seq = seq
    rows[-1].chain = replay.heads[0]
    return made


def _write(rows: Sequence[NewReceipt], made: Decisions) -> None:
    for one, answers, audits, chance, episode in zip(
        rows, *(column.tolist() for column in made), strict=True
    ):
        one.action = AUDIT if audits else ANSWER if answers else ASK
        one.propensity, one.episode = chance, episode
