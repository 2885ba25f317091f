"""Payouts of `askpoint.arena.game.payout`, and the batches in which a provider is asked to make them."""

from __future__ import annotations

from django.db import models

from askpoint.server.workspaces.models import Owned

__all__ = ["Batch", "Payout", "ProviderToken"]


class ProviderToken(Owned):
    """What lets the server pay in a workspace's name at a provider, sealed by the workspace's key."""

    provider = models.CharField(max_length=20)
    sealed = models.BinaryField()
    who = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        """One for each provider."""

        constraints = (
            models.UniqueConstraint(fields=["workspace", "provider"], name="one_token_each"),
        )


class Batch(Owned):
    """Payouts that go out together: what the provider calls it is stored before it is paid."""

    provider = models.CharField(max_length=20)
    reference = models.CharField(max_length=100, blank=True)
    made = models.DateTimeField()
    done = models.DateTimeField(null=True)


class Payout(Owned):
    """Whole cents on their way to a person; its entries are in the ledger."""

    id = models.CharField(max_length=16, primary_key=True)
    payee = models.CharField(max_length=150, db_index=True)
    cents = models.IntegerField()
    points = models.IntegerField()
    planned = models.DateTimeField()
    at = models.DateTimeField()
    state = models.CharField(max_length=10, default="planned", db_index=True)
    attempts = models.IntegerField(default=0)
    reference = models.CharField(max_length=200, blank=True)
    batch = models.ForeignKey(Batch, models.PROTECT, null=True, related_name="payouts")
