"""Who may open a page of a classifier in use; to everybody else it is not there."""

from __future__ import annotations

from askpoint.server.deployments.models import Deployment, Member
from askpoint.server.labelling.parts import HeldParts

__all__ = ["PARTS", "for_owner", "for_owner_and_viewer", "list_owned_by_workspace", "part_of"]

PARTS: HeldParts[Deployment] = HeldParts(
    Deployment, Member, "deployment", "classifier", "reviewers label blind"
)
"""The parts that people have in classifiers."""

part_of = PARTS.part_of
list_owned_by_workspace = PARTS.list_owned_by_workspace

for_owner = PARTS.for_roles("owner")
"""The view gets the `Deployment` that the visitor owns."""

for_owner_and_viewer = PARTS.for_roles("owner", "viewer")
"""The view gets the `Deployment` that the visitor may look at."""
