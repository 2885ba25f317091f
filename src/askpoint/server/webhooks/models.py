"""Where events are told, and each telling: the outbox."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from askpoint.server.workspaces.models import In, Owned

__all__ = ["Delivery", "Endpoint"]


class Endpoint(Owned):
    """An address of an organiser's; its secret follows from `salt`, and is not stored."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="endpoints")
    url = models.CharField(max_length=500)
    notifier = models.CharField(max_length=40, default="webhook")
    events = models.JSONField()
    salt = models.CharField(max_length=32)
    active = models.BooleanField(default=True)
    made = models.DateTimeField()


class Delivery(models.Model):
    """An event on its way to an endpoint; stored in the transaction of what happened."""

    endpoint = models.ForeignKey(Endpoint, models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=32)
    kind = models.CharField(max_length=30)
    body = models.TextField()
    made = models.DateTimeField()
    due = models.DateTimeField(null=True)
    attempts = models.IntegerField(default=0)
    state = models.CharField(max_length=10, default="waiting")
    status = models.IntegerField(null=True)
    said = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(null=True)

    objects = models.Manager()
    within = In("endpoint__workspace")

    class Meta:
        """The outbox is read by what is due."""

        indexes = (models.Index(fields=["state", "due"], name="delivery_due"),)
