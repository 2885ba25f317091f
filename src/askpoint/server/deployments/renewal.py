"""The next version, chosen from what the policy in use has decided and was told: by a person, or after its planned decisions.

For least cost all labels of asked and audited cases count, for given the confidence they hang on the draw
alone. For a promise only those of the uniform sample do: cases whose draw lay below the audit rate, and those
decided while everything was asked. Cases before the last alarm are of another world (spec/live.md, L1 to L4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from django.db import transaction
from django.db.models import Q

from askpoint.answers.live.first_policy import OpeningQuestion
from askpoint.errors import AskpointError, NotEstimableError
from askpoint.live.ask_rules import ASKED_BY_RULE
from askpoint.live.events import event_kind
from askpoint.records.predictions import Parts, PredictionLog
from askpoint.server.deployments.models import Deployment, Label, Policy, Receipt
from askpoint.server.deployments.policies import (
    adopt_by,
    lock_deployment,
    policy_in_use,
    propose_by,
)
from askpoint.server.deployments.policy_state import document_of, load_state
from askpoint.server.deployments.rows import ASK
from askpoint.server.logs.questions import ReportQuestion

__all__ = ["LOOP", "evidence_log", "propose_again", "question_of", "renew"]

LOOP = "the loop"
"""Who proposes after the planned decisions."""

_MOST = 20_000  # of the newest cases
_MISSING = 0.1  # of the labels: more allow no verdict


def question_of(policy: Policy) -> OpeningQuestion:
    """Return what was wanted, as it was agreed: of a price the work alone, for what people err is charged anew."""
    terms = document_of(policy).terms
    return OpeningQuestion(
        aim=terms.aim,
        limit=terms.limit if policy.work is None else policy.work,
        delta=terms.delta,
        rate=terms.rate,
        mistake_budget=terms.mistake_budget,
        planned_decisions=terms.planned_decisions,
        max_label_delay=terms.max_label_delay,
    )


def evidence_log(policy: Policy, aim: str) -> PredictionLog:
    """Return the newest cases of a policy's episode, with the labels that may choose a policy for an aim.

    The caller holds the lock of the deployment.

    Raises
    ------
    NotEstimableError
        If more than a tenth of these labels are missing.
    """
    state, terms = load_state(policy).replay.state, document_of(policy).terms
    rows = Receipt.objects.filter(policy=policy, episode=state.episode)
    if document_of(policy).model.get("ask_where"):  # what is asked anyway is no sample of the rest
        rows = rows.filter(Q(group=None) | ~Q(group=ASKED_BY_RULE))
    wanted = ("seq", "key", "prediction", "confidence", "action", "drawn", "group")
    found = list(rows.order_by("-seq").values_list(*wanted)[:_MOST])[::-1]
    if not found:
        raise NotEstimableError(
            "nothing has been decided in this episode, so nothing can be chosen"
        )
    seq, keys, prediction, confidence, action, drawn, group = zip(*found, strict=True)
    # what only the raised audits of a group sent is no sample of the others
    usual = np.array(drawn) < terms.rate
    sent = usual | (np.array(action) == ASK)
    if aim == "promise":
        sent &= usual | _select_closed(policy, np.array(seq))
    classes: tuple[str, ...] = tuple(document_of(policy).model["classes"])
    codes = {name: code for code, name in enumerate(classes)}
    told = Label.objects.filter(policy=policy, counts=True, seq__gte=seq[0])
    said = dict(told.exclude(source="gold").values_list("key", "label"))
    label = [said.get(key) if one else None for key, one in zip(keys, sent.tolist(), strict=True)]
    labelled = np.array([one is not None for one in label], dtype=np.bool_)
    if labelled.sum() < (1 - _MISSING) * sent.sum():
        raise NotEstimableError(
            f"{int(sent.sum() - labelled.sum()):,} of {int(sent.sum()):,} labels on which the choice would rest "
            "have not come: which ones come first is not by chance, so label what waits"
        )
    return PredictionLog(
        classes,
        np.array(prediction, dtype=np.int32),
        None,
        np.array(confidence, dtype=np.float64),
        labelled,
        np.array([codes[one] for one in label if one is not None], dtype=np.int32),
        np.arange(len(found)),
        group=None if document_of(policy).group_scale is None else _parts(group),
    )


def _parts(group: Sequence[str | None]) -> Parts:
    """Return the groups of the cases; that of cases without one is the last."""
    named = sorted({name for name in group if name is not None})
    names = (*named, None) if None in group else tuple(named)
    place = {name: code for code, name in enumerate(names)}
    return Parts(names, np.array([place[name] for name in group], dtype=np.int32))


def _select_closed(policy: Policy, seq: np.ndarray) -> np.ndarray:
    """Which decisions came while the policy answered nothing."""
    closed = np.zeros(len(seq), dtype=np.bool_)
    for first, stop in _closures(policy):
        closed |= (seq >= first) & (seq < stop)
    return closed


def _closures(policy: Policy) -> Iterator[tuple[int, int]]:
    since: int | None = 0 if document_of(policy).state.threshold is None else None
    for at, kind in policy.events.values_list("seq", "kind"):
        answers = event_kind(kind).answers
        if answers and since is not None:
            yield since, at
            since = None
        elif answers is False and since is None:
            since = at
    if since is not None:
        yield since, policy.decided


@transaction.atomic
def propose_again(
    deployment: str,
    name: str,
    why: str,
    question: OpeningQuestion,
    version: str | None = None,
    asked: ReportQuestion | None = None,
) -> Policy:
    """Propose the next version, from what the one in use has decided and was told; `asked` names volume and money.

    Raises
    ------
    RuleError
        ``no-policy``.
    AskpointError
        As `askpoint deploy` refuses logs and terms, or as `evidence_log`.
    """
    row = lock_deployment(deployment)
    policy = policy_in_use(row)
    model = dict(document_of(policy).model)
    if version is not None:
        model["version"] = version
    log = evidence_log(policy, question.aim)
    return propose_by(
        deployment, name, why, log, question, model, labels_are_random=True, asked=asked
    )


def renew(deployment: str) -> None:
    """After the planned decisions, propose the next version on the same terms; adopt it where its owners said so."""
    if not Deployment.objects.filter(pk=deployment).exists():
        return
    with transaction.atomic():
        row = lock_deployment(deployment)
        if row.policies.filter(parent=row.adopted, who=LOOP).exists():
            return
        policy = policy_in_use(row)
        terms = document_of(policy).terms
        if policy.decided < terms.planned_decisions:
            return  # the job was done before
        why = f"version {policy.number} has decided the {terms.planned_decisions:,} cases that were planned"
        try:
            made = propose_again(deployment, LOOP, why, question_of(policy))
        except AskpointError:
            return  # the page says that the life is over, and its owner sees why when they choose
        if row.renews:
            adopt_by(deployment, LOOP, made.number, row.adopted)
