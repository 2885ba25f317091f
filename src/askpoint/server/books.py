"""The audit: all that is kept, rebuilt from what it follows from."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from askpoint.errors import AskpointError
from askpoint.reports.words import plural
from askpoint.server.deployments.audit import receipt_problems
from askpoint.server.deployments.models import Policy
from askpoint.server.extensions import load_each
from askpoint.server.licences.door import verify_agent
from askpoint.server.licences.models import Agent

__all__ = ["ConsistencyReport", "check_books"]


@dataclass(frozen=True)
class ConsistencyReport:
    """What the audit of the server, or of one part of it, found.

    Parameters
    ----------
    problems : tuple of str
        What is wrong, a line each; empty when all is well.
    seen : tuple of str
        How much was looked at: ``"12 transactions"``.
    """

    problems: tuple[str, ...]
    seen: tuple[str, ...]

    @property
    def said(self) -> str:
        """The result in a line."""
        seen = ", ".join(self.seen)
        if not self.problems:
            return f"All is well: {seen}."
        n = len(self.problems)
        return f"{n} {'thing is' if n == 1 else 'things are'} wrong; {seen} looked at."


@transaction.atomic
def check_books() -> ConsistencyReport:
    """Audit everything, as it is at one moment."""
    audits = [audit() for audit in load_each("audits")]
    policies, agents = list(Policy.objects.order_by("pk")), list(Agent.objects.order_by("pk"))
    problems = [problem for audit in audits for problem in audit.problems]
    for policy in policies:
        problems += [
            f"classifier {policy.deployment_id}, version {policy.number}: {problem}"
            for problem in receipt_problems(policy)
        ]
    for agent in agents:
        try:
            verify_agent(agent)
        except AskpointError as error:
            problems.append(f"agent {agent.pk}: {error}")
    seen = [part for audit in audits for part in audit.seen] or [f"{len(policies):,} policies"]
    if agents:
        seen.append(plural(len(agents), "agent", "agents"))
    return ConsistencyReport(tuple(problems), tuple(seen))
