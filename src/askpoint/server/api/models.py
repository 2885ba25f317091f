"""Tokens, of which only a digest is kept, and replies to requests that may come twice."""

from __future__ import annotations

from django.conf import settings
from django.db import models

__all__ = ["Reply", "Token"]


class Token(models.Model):
    """Lets a program act as a person in one of their roles; what it says is shown once."""

    SCOPES = (("read", "read"), ("write", "read and write"))

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="tokens")
    digest = models.CharField(max_length=64, unique=True)
    label = models.CharField(max_length=80)
    role = models.CharField(max_length=10)  # one of askpoint.server.api.roles.token_roles
    scope = models.CharField(max_length=5, choices=SCOPES)
    resource = models.CharField(max_length=40, blank=True)  # the only one that it opens
    made = models.DateTimeField()
    expires = models.DateTimeField()
    revoked = models.DateTimeField(null=True)
    used = models.DateTimeField(null=True)


class Reply(models.Model):
    """What was answered under an Idempotency-Key; stored together with what the request did."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    key = models.CharField(max_length=64)
    request = models.CharField(max_length=64)
    answer = models.JSONField(null=True)
    made = models.DateTimeField()

    class Meta:
        """Of those who race with one key, one is answered and the others are told the same."""

        constraints = (models.UniqueConstraint(fields=["user", "key"], name="one_reply"),)
