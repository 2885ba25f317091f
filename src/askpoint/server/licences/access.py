"""Who may open a page of an agent; to everybody else it is not there."""

from __future__ import annotations

from askpoint.server.labelling.parts import HeldParts
from askpoint.server.licences.models import Agent, AgentMember

__all__ = ["PARTS", "agent_part", "for_agent_owner", "for_agent_owner_and_viewer"]

PARTS: HeldParts[Agent] = HeldParts(
    *(Agent, AgentMember, "agent", "agent"),
    blind="approvers do not know what the agent may do alone",
)
"""The parts that people have in agents."""

agent_part = PARTS.part_of

for_agent_owner = PARTS.for_roles("owner")
"""The view gets the `Agent` that the visitor owns."""

for_agent_owner_and_viewer = PARTS.for_roles("owner", "viewer")
"""The view gets the `Agent` that the visitor may look at."""
