"""What an agent proposed, and what was decided about it: the receipt of a licence."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

__all__ = ["Action", "unit_name"]


@dataclass(frozen=True)
class Action:
    """What an agent proposed, and what was decided: its receipt.

    Parameters
    ----------
    key : str
        Of the proposal; the same key is the same proposal.
    agent, version, tool, name : str
        Its unit, in a version.
    digest : str
        SHA-256 of tool and arguments.
    at, deadline : int
        When it was proposed, and until when a decision or a label is waited for; microseconds since 1970.
    status : str
        allowed, asked, denied; approved, rejected, edited, withdrawn after that.
    why : str
        Of an asked or denied one.
    level, episode : int
        Of the unit then.
    propensity, drawn : float
        With which chance it was audited, and the draw; the agent must not learn them.
    is_audit : bool
        Whether it was drawn.
    clock_back : int
        By how many microseconds the clock stood before the last moment recorded.
    decision, decided_by, decided_at, undone_at, harm
        What came later.
    approver : str or None
        Who was drawn to decide it, where licences have to hold without each approver; the agent must not learn it.
    """

    key: str
    agent: str
    version: str
    tool: str
    name: str
    digest: str
    at: int
    deadline: int
    status: str
    why: str
    level: int
    episode: int
    propensity: float
    drawn: float
    is_audit: bool
    clock_back: int = 0
    decision: str | None = None
    decided_by: str | None = None
    decided_at: int | None = None
    undone_at: int | None = None
    harm: str | None = None
    approver: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON; its approver only where one was drawn."""
        said = asdict(self)
        return said if self.approver else {k: v for k, v in said.items() if k != "approver"}

    @property
    def unit(self) -> str:
        """Name of its unit."""
        return unit_name(self.agent, self.tool, self.name)

    @property
    def verdict(self) -> str:
        """What the agent is to do now: allow, ask (wait for a person) or deny."""
        if self.status in ("allowed", "approved"):
            return "allow"
        return "ask" if self.status == "asked" else "deny"

    def as_of(self, at: int) -> Action:
        """Return it at a moment: a request that nobody answered is over at its deadline."""
        is_over = self.status == "asked" and at >= self.deadline
        return replace(self, status="expired", why="nobody answered in time") if is_over else self


def unit_name(agent: str, tool: str, name: str) -> str:
    """Name a unit: agent, tool and class."""
    return f"{agent} | {tool} | {name}"
