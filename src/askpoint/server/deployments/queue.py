"""The queue of a classifier: asked cases, audits and gold cases, one at a time, blind."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction

import askpoint.labelling.case as pure
from askpoint.errors import InputError, RuleError
from askpoint.labelling.case import GOLD
from askpoint.labelling.gold_shape import check_shape
from askpoint.labelling.protocol import Protocol
from askpoint.labelling.reviewer import may_skip
from askpoint.labelling.steps import settle_case
from askpoint.live.canonical import canonical_json
from askpoint.measures.inputs import as_choice
from askpoint.server.accounts.models import User
from askpoint.server.deployments.case_images import keep_images, name_images
from askpoint.server.deployments.case_marks import mark_case
from askpoint.server.deployments.case_rulings import rulings_since
from askpoint.server.deployments.cases import KIND, cases_of, queue_of
from askpoint.server.deployments.labelling import IncomingLabel, take_labels
from askpoint.server.deployments.models import CaseMark, Deployment
from askpoint.server.deployments.notifications import notify_appeal
from askpoint.server.deployments.policies import (
    check_not_deleted,
    check_open_to_cases,
    lock_deployment,
    policy_in_use,
)
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.labelling.blind_queue import BlindQueue
from askpoint.server.labelling.desk import OpenQueue
from askpoint.server.labelling.guidelines import guideline_of
from askpoint.server.labelling.models import Case, Reviewer
from askpoint.server.labelling.queues import (
    Purpose,
    Queue,
    register_purpose,
    register_queue,
)
from askpoint.server.labelling.records import new_ids, reviewer_of, store_case

__all__ = [
    "CLAIM_TIME",
    "ClassifierQueue",
    "add_gold",
    "classes_of",
    "classifiers_to_review",
    "review_protocol",
    "settle",
    "titles_to_review",
    "waiting_since",
]

CLAIM_TIME = timedelta(minutes=15)
"""How long a claimed case stays with its reviewer."""


def review_protocol(votes: int = 1) -> Protocol:
    """Return the rules of a classifier's queue, for cases that so many votes decide."""
    return Protocol(
        votes=votes,
        claim_time=CLAIM_TIME,
        training_items=0,
        agreement_least=0.0,
        most_skips=2,
        order="oldest",
    )


def _may_skip(queue: str, user: User) -> bool:
    row = Reviewer.objects.filter(queue=queue, user=user).first()
    return row is None or may_skip(reviewer_of(row), review_protocol())


def _goal_of(row: Deployment) -> int | None:
    """Return how many cases each reviewer is to label a day; None where nobody said what people can."""
    if row.capacity is None:
        return None
    n_reviewers = row.members.filter(role="reviewer").count()
    return -(-row.capacity // max(1, n_reviewers))


def classes_of(row: Deployment) -> list[str]:
    """Return what reviewers choose from."""
    return list(document_of(policy_in_use(row)).model["classes"])


def waiting_since(row: Deployment) -> datetime | None:
    """Return since when somebody has waited for an asked case; None where nobody does."""
    rows = cases_of(row).filter(labelled=None, purpose="asked", state="open")
    return rows.order_by("opened", "pk").values_list("opened", flat=True).first()


def classifiers_to_review(user: User, only: str = "") -> list[Deployment]:
    """Return the classifiers that somebody reviews, or one of them; nobody labels in a frozen workspace, or for one that is archived."""
    mine = Deployment.objects.filter(
        members__user=user,
        members__role="reviewer",
        workspace__state="open",
        archived=None,
    )
    return list((mine.filter(pk=only) if only else mine).order_by("made", "pk"))


def titles_to_review(user: User) -> dict[str, str]:
    """Return the titles that a reviewer reads, by classifier: where two are called alike, with the end of the id."""
    rows = classifiers_to_review(user)
    often = Counter(row.title for row in rows)
    ends = {row.pk: row.pk.rpartition("-")[2] for row in rows}
    return {
        row.pk: row.title if often[row.title] == 1 else f"{row.title} ({ends[row.pk]})"
        for row in rows
    }


@register_queue
class ClassifierQueue(BlindQueue):
    """The queue of a classifier in use."""

    kind = KIND
    noun = "a label"

    @classmethod
    def lock(cls, owner: str) -> ClassifierQueue:
        """Return the queue of a classifier, locked for the transaction."""
        return cls(lock_deployment(owner))

    @classmethod
    def titles(cls, user: User, only: str) -> list[str]:
        """Return the titles of the classifiers that somebody reviews."""
        titles = titles_to_review(user)
        return [titles[row.pk] for row in classifiers_to_review(user, only)]

    @classmethod
    def places(cls, user: User, only: str) -> list[OpenQueue]:
        """Return the queues of the classifiers that somebody reviews."""
        titles = titles_to_review(user)
        return [
            OpenQueue(
                queue=queue_of(row.pk),
                title=titles[row.pk],
                options=partial(classes_of, row),
                since=partial(waiting_since, row),
                may_skip=partial(_may_skip, queue_of(row.pk), user),
                hold=row.hold_time,
                guideline=partial(guideline_of, queue_of(row.pk)),
                goal=_goal_of(row),
                ruled=partial(rulings_since, row),
                appealed=partial(notify_appeal, row),
            )
            for row in classifiers_to_review(user, only)
        ]

    def check_claim(self, reviewer: Reviewer, now: datetime) -> None:
        """Check that it is not archived."""
        del reviewer, now
        check_open_to_cases(self.row)

    def protocol(self, case: Case | None = None) -> Protocol:
        """Return the rules: no training; a case says how many votes it needs."""
        return review_protocol(1 if case is None else case.wanted)

    def options(self, case: Case) -> list[str]:
        """Return the classes of the policy in use."""
        del case
        return classes_of(self.row)


def _tell_policy(queue: Queue, row: Case, before: pure.Case, after: pure.Case) -> None:
    """Tell the policy what the votes decided, and mark a case on which they differ or somebody was not sure."""
    new = {
        CaseMark.DIFFER: len({vote.choice for vote in after.counted}) > 1
        and len(after.votes) > len(before.votes),
        CaseMark.UNSURE: len(after.skipped) > len(before.skipped),
    }
    for kind in (kind for kind, holds in new.items() if holds):
        mark_case(queue.row, row.key, kind)
    if after.answer is not None and before.answer is None:
        agreed = [vote.reviewer for vote in after.counted if vote.choice == after.answer]
        take_labels(queue.row.pk, [IncomingLabel(row.key, after.answer, ", ".join(agreed)[:150])])


def _tell_gold(queue: Queue, row: Case, before: pure.Case, after: pure.Case) -> None:
    """Tell the policy of each vote on a gold case, with what is known."""
    if len(after.votes) > len(before.votes):
        vote = after.votes[-1]
        take_labels(
            queue.row.pk, [IncomingLabel(row.key, vote.choice, vote.reviewer, "gold", row.gold)]
        )


for _name, _meaning, _follow in (
    ("asked", "The policy sent it to review, and its label is awaited.", _tell_policy),
    ("audit", "The model decided it alone, and it was drawn to be checked.", _tell_policy),
    (GOLD, "Its answer is known: it checks the reviewers.", _tell_gold),
):
    register_purpose(Purpose(name=_name, queue=KIND, meaning=_meaning, follow=_follow))


@transaction.atomic
def settle(deployment: str, name: str, key: str, choice: str) -> None:
    """Say what a case is that reviewers differ on, or skipped; that is its label.

    Raises
    ------
    RuleError
        ``unknown``; ``settled``, if it waits for nobody.
    InputError
        If the choice is none.
    """
    queue = ClassifierQueue.lock(deployment)
    case = queue.find(key)
    as_choice(choice, queue.options(case), "a label")
    if case.state != "referred" or case.labelled is not None:
        raise RuleError("settled", "this case is already labelled")
    before = queue.rules_case(case)
    step = settle_case(before, choice, queue.now(case))
    store_case(case, before, step.case, queue.protocol(case))
    take_labels(deployment, [IncomingLabel(case.key, choice, name)])


_SHAPED_BY = 200  # the newest cases, by which the shape of gold is told


@transaction.atomic
def add_gold(deployment: str, items: list[tuple[Any, str]]) -> int:
    """Put cases of known truth into the queue, unmarked; how many are new.

    Raises
    ------
    InputError
        If a truth is no class, a case's shape tells it from the others, or it is an example of the guideline.
    """
    queue = ClassifierQueue.lock(deployment)
    check_not_deleted(queue.row)
    now, classes = queue.now(), classes_of(queue.row)
    rows = cases_of(queue.row)
    gold = rows.filter(purpose=GOLD).values_list("content", flat=True)
    others = rows.exclude(purpose=GOLD).exclude(content=None).order_by("-opened")
    kept = list(others.values_list("content", flat=True)[:_SHAPED_BY])
    contents = name_images(deployment, [("", content) for content, _ in items])
    items = [(content, truth) for content, (_, truth) in zip(contents, items, strict=True)]
    known = set(map(canonical_json, gold))
    shown = guideline_of(queue.key)
    examples = frozenset[str]() if shown is None else shown.text.texts
    new: dict[str, tuple[Any, str]] = {}
    for content, truth in items:
        as_choice(truth, classes, "the truth of a gold case")
        check_shape(content, kept)
        if isinstance(content, str) and content.strip() in examples:
            raise InputError(
                f"{content[:60]!r} is an example of the guideline, so every reviewer knows its answer; choose another case"
            )
        if (written := canonical_json(content)) not in known:
            new.setdefault(written, (content, truth))
    Case.objects.bulk_create(
        Case(
            id=name,
            queue=queue.key,
            purpose=GOLD,
            key=f"gold-{name}",
            content=content,
            gold=truth,
            opened=now,
            at=now,
        )
        for name, (content, truth) in zip(new_ids(len(new)), new.values(), strict=True)
    )
    keep_images(deployment, [content for content, _ in new.values()])
    return len(new)
