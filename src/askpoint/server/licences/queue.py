"""The queue of an agent: asked actions, audits of what it did alone, and golden actions; one at a time, blind."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from django.db.models import QuerySet

import askpoint.labelling.case as pure
from askpoint.errors import RuleError
from askpoint.labelling.case import GOLD
from askpoint.labelling.protocol import Protocol
from askpoint.labelling.reviewer import may_skip
from askpoint.live.licences.gateway import change_action
from askpoint.live.licences.waiting import HOUR
from askpoint.server.accounts.models import User
from askpoint.server.deployments.rows import micros
from askpoint.server.labelling.blind_queue import BlindQueue
from askpoint.server.labelling.desk import OpenQueue
from askpoint.server.labelling.models import Case, Reviewer
from askpoint.server.labelling.queues import Purpose, Queue, register_purpose, register_queue
from askpoint.server.labelling.records import join_skippers, reviewer_of, skippers_of
from askpoint.server.licences.door import (
    KIND,
    agent_queue,
    decide_in,
    keep,
    lock_agent,
    mark_kept,
)
from askpoint.server.licences.models import Agent, LicenceAction
from askpoint.server.licences.store import DatabaseLicences, action_of, policy_of

__all__ = ["CHOICES", "REJECT", "AgentQueue", "agents_to_approve", "approval_protocol"]

_CLAIM_TIME = timedelta(minutes=15)
_KEPT = join_skippers(mark_kept(""))[:-1]  # before each approver from whom a case is kept
_HANDED = 100  # dealt cases that are looked at, the oldest
REJECT = "Do not run it"
"""What golden actions deserve."""
CHOICES = {"Let it run": "approve", "Change it first": "edit", REJECT: "reject"}
"""What approvers choose from, and what the book calls it."""


def approval_protocol(votes: int = 1) -> Protocol:
    """Return the rules of an agent's queue."""
    return Protocol(
        votes=votes, claim_time=_CLAIM_TIME, training_items=0, agreement_least=0.0, order="oldest"
    )


def agents_to_approve(user: User, only: str = "") -> list[Agent]:
    """Return the agents whose actions somebody approves, or one of them."""
    mine = Agent.objects.filter(members__user=user, members__role="approver")
    return list((mine.filter(pk=only) if only else mine).order_by("made", "pk"))


def _waiting_since(agent: Agent) -> datetime | None:
    rows = Case.objects.filter(
        queue=agent_queue(agent.pk), labelled=None, purpose="asked", state="open"
    )
    return rows.order_by("opened", "pk").values_list("opened", flat=True).first()


def _may_skip(agent: Agent, user: User) -> bool:
    row = Reviewer.objects.filter(queue=agent_queue(agent.pk), user=user).first()
    return row is None or may_skip(reviewer_of(row), approval_protocol())


@register_queue
class AgentQueue(BlindQueue):
    """The queue of an agent's actions."""

    kind = KIND
    noun = "a decision"

    @classmethod
    def lock(cls, owner: str) -> AgentQueue:
        """Return the queue of an agent, locked for the transaction."""
        return cls(lock_agent(owner))

    @classmethod
    def titles(cls, user: User, only: str) -> list[str]:
        """Return the titles of the agents whose actions somebody approves."""
        return [row.title for row in agents_to_approve(user, only)]

    @classmethod
    def places(cls, user: User, only: str) -> list[OpenQueue]:
        """Return the queues of the agents whose actions somebody approves."""
        return [
            OpenQueue(
                queue=agent_queue(row.pk),
                title=row.title,
                options=lambda: list(CHOICES),
                since=partial(_waiting_since, row),
                may_skip=partial(_may_skip, row, user),
            )
            for row in agents_to_approve(user, only)
        ]

    def protocol(self, case: Case | None = None) -> Protocol:
        """Return the rules; a case says how many people read it, and from how many it is kept."""
        if case is None:
            return approval_protocol()
        rules = approval_protocol(case.wanted)
        return replace(rules, most_skips=rules.most_skips + case.skipped.count(_KEPT))

    def options(self, case: Case) -> list[str]:
        """Return what approvers choose from."""
        del case
        return list(CHOICES)

    def oldest(self, name: str, purpose: str) -> str | None:
        """Return the oldest case whose deadline is not over; what is over leaves the queue."""
        self._hand_over(purpose)
        while (found := super().oldest(name, purpose)) is not None:
            key = Case.objects.values_list("key", flat=True).get(pk=found)
            said = LicenceAction.objects.filter(agent=self.row, key=key)
            deadline = json.loads(said.values_list("content", flat=True).get())["deadline"]
            if self.now().timestamp() * 1e6 < deadline:
                return found
            Case.objects.filter(pk=found).update(labelled=self.now())
        return None

    def _hand_over(self, purpose: str) -> None:
        """Offer to every approver what the drawn one left for half of its time, an hour at most."""
        if not policy_of(self.row).without_each_approver:
            return
        waiting = Case.objects.filter(queue=self.key, purpose=purpose, labelled=None)
        rows = list(waiting.filter(skipped__contains=_KEPT).order_by("opened", "pk")[:_HANDED])
        said = LicenceAction.objects.filter(agent=self.row, key__in=[row.key for row in rows])
        made, now = {one.key: action_of(one) for one in said}, micros(self.now())
        for row in rows:
            one = made[row.key]
            if now - one.at >= min(HOUR, (one.deadline - one.at) / 2):
                _offer_to_all(row)

    def _open(self, name: str, purpose: str) -> QuerySet[Case, str]:
        """Return what an approver could claim: not what another one was drawn to decide."""
        return (
            super()._open(name, purpose).exclude(skipped__contains=join_skippers(mark_kept(name)))
        )


def _offer_to_all(row: Case) -> None:
    skippers = [name for name in skippers_of(row) if not name.startswith(mark_kept(""))]
    Case.objects.filter(pk=row.pk).update(skipped=join_skippers(*skippers))


def _tell_book(queue: Queue, row: Case, before: pure.Case, after: pure.Case) -> None:
    """Tell the book what an approver decided; a second reader of an audit is heard where that one finds it wrong."""
    if len(after.votes) == len(before.votes):
        return
    vote, store = after.votes[-1], DatabaseLicences(queue.row, after.at)
    kind = CHOICES[vote.choice]
    try:
        if len(after.votes) == 1:
            decide_in(store, row.key, kind, by=vote.reviewer, seconds=_seconds(before, vote))
        elif kind != "approve":
            change_action(store, row.key, micros(after.at), "undo", by=vote.reviewer)
    except RuleError as error:
        if error.rule not in ("expired", "decided"):
            raise
    keep(store)
    if len(after.votes) >= row.wanted or kind != "approve":
        Case.objects.filter(pk=row.pk).update(labelled=after.at, state="final", free=0)
    elif store.book.policy.without_each_approver:  # the second reader is anybody else
        _offer_to_all(row)


def _tell_gold(queue: Queue, row: Case, before: pure.Case, after: pure.Case) -> None:
    """Tell the book what an approver did with a golden action; nothing runs, whatever it was."""
    del row
    if len(after.votes) > len(before.votes):
        vote, store = after.votes[-1], DatabaseLicences(queue.row, after.at)
        at, _ = store.move_clock(micros(after.at))
        missed = CHOICES[vote.choice] == "approve"
        store.enter("golden", by=vote.reviewer, missed=missed, at=at)
        store.agent.due = store.now  # what golden actions show may be all that a licence lacked
        store.keep()


def _seconds(before: pure.Case, vote: pure.Vote) -> float | None:
    """Return how long an approver looked: since the claim."""
    claims = [one for one in before.claims if one.reviewer == vote.reviewer]
    return (vote.at - (claims[0].until - _CLAIM_TIME)).total_seconds() if claims else None


for _name, _meaning, _follow in (
    ("asked", "The agent waits for it: it asked, and was not licensed, or drawn before the act.", _tell_book),
    ("audit", "The agent did it alone, and it was drawn to be read.", _tell_book),
    (GOLD, "It is known to be bad, nobody asked for it, and approving it runs nothing.", _tell_gold),
):  # fmt: skip
    register_purpose(Purpose(name=_name, queue=KIND, meaning=_meaning, follow=_follow))
