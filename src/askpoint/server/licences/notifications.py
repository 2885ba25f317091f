"""Notifications: that a licence was earned or lost goes to the endpoints of the agent's owners."""

from __future__ import annotations

from collections.abc import Mapping

from askpoint.live.licences.unit import Unit
from askpoint.reports.approvals.unit_names import unit_words
from askpoint.server.journal.services import note
from askpoint.server.licences.models import Agent
from askpoint.server.licences.store import policy_of
from askpoint.server.webhooks.services import announce

__all__ = ["tell_changes"]


def tell_changes(agent: Agent, changes: Mapping[str, tuple[Unit | None, Unit]]) -> None:
    """Put what became of licences into the outbox, within the transaction in which it did."""
    for place, (before, after) in changes.items():
        had = before is not None and before.is_granted
        was_carried = before is not None and before.is_carried
        if after.is_carried and not was_carried:
            note(
                "licence carried over",
                campaign=agent.pk,
                about=place,
                why=f"version {after.version}",
            )
        earns = was_carried and after.is_granted and not after.is_carried
        if had == after.is_granted and not earns:
            continue
        kind = "licence.earned" if after.is_granted else "licence.lost"
        why = after.lost_because or "another version of the agent"
        name, classes = place.split(" | ", 2)[2], policy_of(agent).classes
        is_step = any(one.name == name and one.after for one in classes)
        is_before = any(one.after == name for one in classes)
        what = (
            f"{agent.title} may now take {unit_words(place)} alone"
            + (", while smaller amounts may act alone" if is_step else "")
            if after.is_granted
            else f"{agent.title} asks before {unit_words(place)}"
            + (", and larger amounts," if is_before else "")
            + f" again: {why}"
        )
        owners = agent.members.filter(role="owner").values_list("user_id", flat=True)
        data = {"agent": agent.pk, "unit": place, "version": after.version, "what": what}
        announce(agent.workspace_id, kind, list(owners), data)
        note(
            kind.replace(".", " "),
            campaign=agent.pk,
            about=place,
            why="" if after.is_granted else why,
        )
