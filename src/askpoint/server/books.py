"""The audit: all that is kept, rebuilt from what it follows from."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from askpoint.server.deployments.audit import receipt_problems
from askpoint.server.deployments.models import Policy
from askpoint.server.extensions import load_each

__all__ = ["BooksReport", "ConsistencyReport", "check_books"]


@dataclass(frozen=True)
class ConsistencyReport:
    """What the audit of one part of the server found.

    Parameters
    ----------
    problems : tuple of str
        What is wrong, a line each.
    seen : tuple of str
        How much was looked at: ``"12 transactions"``.
    """

    problems: tuple[str, ...]
    seen: tuple[str, ...]


@dataclass(frozen=True)
class BooksReport:
    """What the audit found.

    Parameters
    ----------
    problems : tuple of str
        What is wrong, a line each; empty when all is well.
    seen : tuple of str
        How much was looked at.
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
def check_books() -> BooksReport:
    """Audit everything, as it is at one moment."""
    audits = [audit() for audit in load_each("audits")]
    policies = list(Policy.objects.order_by("pk"))
    problems = [problem for audit in audits for problem in audit.problems]
    for policy in policies:
        problems += [
            f"classifier {policy.deployment_id}, version {policy.number}: {problem}"
            for problem in receipt_problems(policy)
        ]
    seen = [part for audit in audits for part in audit.seen]
    return BooksReport(tuple(problems), tuple(seen) or (f"{len(policies):,} policies",))
