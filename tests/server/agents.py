"""An agent with its people: Wanda owns it, Rosa and Rudi approve, Vera looks on."""

from __future__ import annotations

from unittest.mock import patch

from askpoint.live.licences.action_classes import ActionClass
from askpoint.live.licences.label_rules import LabelRules
from askpoint.live.licences.policy import LicencePolicy
from askpoint.server.accounts.models import User
from askpoint.server.api.tokens import make_token
from askpoint.server.labelling import services
from askpoint.server.labelling.models import Case
from askpoint.server.licences import agents, door, queue
from askpoint.server.licences.models import Agent, AgentMember, LicenceAction
from askpoint.server.licences.standing import agent_standing
from askpoint.server.licences.store import action_of
from askpoint.server.workspaces.services import first_workspace

__all__ = ["TERMS", "WithAgent"]

TERMS = LicencePolicy(
    (
        ActionClass("refund", "up to 50", (("amount", "max", 50),), harm="low", amount="amount"),
        ActionClass("mail", harm="medium"),
        ActionClass("wipe", harm="irreversible"),
        ActionClass("format", deny=True),
    ),
    limit=0.2,
    labels=LabelRules(settle_hours=0.0, fast_seconds=0.0, bulk=1000),
)


class WithAgent:
    """An agent that asks people about refunds and mails."""

    def __init__(self, terms: LicencePolicy = TERMS, title: str = "The support bot") -> None:
        for name in ("wanda", "rosa", "rudi", "vera"):
            setattr(self, name, User.objects.get_or_create(username=name)[0])
        number = Agent.objects.count()
        with patch.object(agents.secrets, "token_hex", lambda n: f"{90 + number}" * n):
            self.id = agents.make_agent(first_workspace().pk, self.wanda, title, terms).pk
        for name, role in (("rosa", "approver"), ("rudi", "approver"), ("vera", "viewer")):
            AgentMember.objects.create(
                agent=self.row, user=getattr(self, name), role=role, at=self.row.made
            )
        self.n = 0

    @property
    def row(self) -> Agent:
        """As it is now."""
        return Agent.objects.get(pk=self.id)

    @property
    def queue(self) -> str:
        """Of its cases."""
        return door.agent_queue(self.id)

    @property
    def standing(self):
        """Of its units."""
        return agent_standing(self.row)

    def unit(self, tool="refund"):
        """How a unit stands."""
        return next(one for one in self.standing.units if one.tool == tool)

    def propose(self, key=None, tool="refund", arguments=None, *, context=None, **more):
        """Propose an action; by default a small refund."""
        self.n += 1
        arguments = {"amount": 20, "order": self.n} if arguments is None else arguments
        given = {"tool": tool, "arguments": arguments, "version": "1", **more}
        return door.propose(self.id, key or f"call-{self.n}", given, context or {})

    def answer(self, choice="Let it run", who="rosa"):
        """Let an approver decide the next case of the queue; its key, or None where nothing waits."""
        claim = services.claim(self.queue, who)
        if claim is None:
            return None
        services.cast(self.queue, who, claim.case_id, choice)
        return claim.case.key

    def answer_all(self, choice="Let it run", who="rosa"):
        """Decide all that waits."""
        return list(iter(lambda: self.answer(choice, who), None))

    def earn(self, tool="refund", n=60):
        """Let a unit earn its licence by approvals that people read."""
        for _ in range(n):
            made = self.propose(tool=tool, arguments={"amount": 20, "order": self.n})
            if made.verdict == "allow":
                return
            self.decide(made.key)
        raise AssertionError(self.standing)

    def decide(self, key, kind="approve", by="rosa"):
        """Let an approver decide an action, past the queue."""
        return door.decide(self.id, key, kind, by=by, seconds=9)

    def action(self, key):
        """The receipt of an action."""
        return action_of(LicenceAction.objects.get(agent=self.id, key=key))

    def cases(self, **which):
        """Cases of the queue."""
        return Case.objects.filter(queue=self.queue, **which)

    def token(self, role="agent", scope="write", who="wanda"):
        """A token of somebody's program."""
        return make_token(getattr(self, who), role, label="x", scope=scope, resource=self.id)[1]


assert queue.CHOICES  # its queue is registered
