"""People, and invitations to become one."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models

__all__ = ["Attempts", "Invitation", "User"]


class User(AbstractUser):
    """A person. The name is what the game and the ledger call them; it never changes."""

    is_organiser = models.BooleanField(default=False)
    participant = models.CharField(
        max_length=64, blank=True
    )  # at a provider; nobody is known by it


class Invitation(models.Model):
    """A one-time link: whoever opens it first gets a role."""

    ROLES = (("organiser", "organiser"), ("player", "player"), ("judge", "judge"))

    role = models.CharField(max_length=10, choices=ROLES)
    campaign = models.CharField(max_length=40, blank=True)
    note = models.CharField(max_length=200, blank=True)
    made_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    made = models.DateTimeField()
    expires = models.DateTimeField()
    used = models.DateTimeField(null=True)
    used_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")


class Attempts(models.Model):
    """How often something was tried since a moment, under a digest of who or what tries."""

    key = models.CharField(max_length=64, unique=True)
    count = models.IntegerField(default=0)
    since = models.DateTimeField()
