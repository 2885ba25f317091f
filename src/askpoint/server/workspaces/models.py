"""A workspace: what its members own is reached, paid and promised by nobody outside."""

from __future__ import annotations

from typing import Any

from django.db import models

__all__ = ["In", "Owned", "Workspace"]


class Workspace(models.Model):
    """Campaigns, classifiers, people's parts, money and secrets that belong together."""

    STATES = (("open", "open"), ("frozen", "frozen"), ("closed", "closed"))

    id = models.CharField(max_length=40, primary_key=True)
    name = models.CharField(max_length=80, unique=True)
    state = models.CharField(max_length=8, choices=STATES, default="open")
    money_cap_cents = models.BigIntegerField(null=True)  # all that it may promise; null: no limit
    day_cap_cents = models.BigIntegerField(null=True)  # on its way, and paid within 24 hours
    made = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class In(models.Manager[Any]):
    """The way to rows of one workspace: ``Campaign.within(workspace)``.

    Parameters
    ----------
    path : str, default="workspace"
        From a row to its workspace, as Django writes it.
    """

    use_in_migrations = False

    def __init__(self, path: str = "workspace") -> None:
        super().__init__()
        self._path = path

    def __call__(self, workspace: Workspace | str) -> models.QuerySet[Any]:
        """Return the rows of a workspace."""
        return self.get_queryset().filter(**{self._path: workspace})


class Owned(models.Model):
    """A row that belongs to one workspace."""

    workspace = models.ForeignKey(Workspace, models.PROTECT, related_name="+")

    objects = models.Manager()
    within = In()

    class Meta:
        """Each has a table of its own."""

        abstract = True
