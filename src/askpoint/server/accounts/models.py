"""People, their seats in workspaces, and invitations."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models

from askpoint.server.accounts.names import LONGEST_KEY, fold_case, skeleton
from askpoint.server.workspaces.models import Owned, Workspace

__all__ = ["Acceptance", "Attempts", "Invitation", "People", "Seat", "User"]


class People(UserManager):
    """Finds people by their names, whatever the case."""

    def get_by_natural_key(self, username: str | None) -> User:
        """Return who signs in: by the very name, or by one that differs in case."""
        exact: User | None = self.filter(username=username).first()
        return exact or self.get(folded=fold_case(username or ""))


class User(AbstractUser):
    """A person. The name is what the game and the ledger call them; it never changes."""

    folded = models.CharField(max_length=LONGEST_KEY, unique=True)
    skeleton = models.CharField(max_length=LONGEST_KEY, unique=True)
    participant = models.CharField(
        max_length=64, blank=True
    )  # at a provider; nobody is known by it

    objects = People()

    def save(self, *args: Any, **named: Any) -> None:
        """Keep beside the name what it is without case, and what it looks like."""
        if self._state.adding:
            self.folded, self.skeleton = fold_case(self.username), skeleton(self.username)
        super().save(*args, **named)


class Seat(Owned):
    """What somebody is in a workspace, beside parts in its campaigns and classifiers."""

    ROLES = (("owner", "owner"), ("organiser", "organiser"), ("watcher", "watcher"))

    workspace = models.ForeignKey(Workspace, models.PROTECT)
    user = models.ForeignKey(User, models.PROTECT, related_name="seats")
    role = models.CharField(max_length=10, choices=ROLES)
    pays = models.BooleanField(default=False)  # an organiser who may pay people out
    share_cents = models.BigIntegerField(null=True)  # what one may fund; null: up to the limits
    at = models.DateTimeField()

    class Meta:
        """One in each workspace."""

        constraints = (models.UniqueConstraint(fields=["workspace", "user"], name="one_seat"),)

    @property
    def runs(self) -> bool:
        """Whether it makes campaigns and classifiers."""
        return self.role in ("owner", "organiser")

    @property
    def may_pay(self) -> bool:
        """Whether it pays people out."""
        return self.role == "owner" or (self.role == "organiser" and self.pays)


class Invitation(Owned):
    """A link that brings somebody a role, or several people: as many as it has places."""

    ROLES = tuple(
        (role, role)
        for role in (
            *("organiser", "watcher", "player", "judge"),
            *("owner", "reviewer", "approver", "viewer"),
        )
    )

    role = models.CharField(max_length=10, choices=ROLES)
    campaign = models.CharField(
        max_length=40, blank=True
    )  # or a classifier, or an agent; empty: a seat
    note = models.CharField(max_length=200, blank=True)
    made_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    made = models.DateTimeField()
    expires = models.DateTimeField()
    places = models.PositiveIntegerField(default=1)
    taken = models.PositiveIntegerField(default=0)


class Acceptance(models.Model):
    """Somebody who came by an invitation."""

    invitation = models.ForeignKey(Invitation, models.PROTECT, related_name="acceptances")
    user = models.ForeignKey(User, models.PROTECT, related_name="acceptances")
    at = models.DateTimeField()

    class Meta:
        """Once each."""

        constraints = (
            models.UniqueConstraint(fields=["invitation", "user"], name="one_acceptance"),
        )


class Attempts(models.Model):
    """How often something was tried since a moment, under a digest of who or what tries."""

    key = models.CharField(max_length=64, unique=True)
    count = models.IntegerField(default=0)
    since = models.DateTimeField()
