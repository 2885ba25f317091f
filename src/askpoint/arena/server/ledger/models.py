"""Transactions, their entries, and the balances that follow from them."""

from __future__ import annotations

from django.db import models

from askpoint.server.workspaces.models import Owned

__all__ = ["Balance", "Entry", "Posting"]


class Posting(Owned):
    """A transaction of `askpoint.arena.game.transaction`; never changed, never removed."""

    key = models.CharField(max_length=200)
    at = models.DateTimeField()
    about = models.CharField(max_length=100, db_index=True)
    campaign = models.CharField(max_length=40, db_index=True)
    reverses = models.CharField(max_length=200, null=True)

    class Meta:
        """A key moves points once in a workspace."""

        constraints = (models.UniqueConstraint(fields=["workspace", "key"], name="one_posting"),)


class Entry(models.Model):
    """Points that come to an account, or leave it; the account is of the posting's workspace."""

    posting = models.ForeignKey(Posting, models.PROTECT, related_name="entries")
    workspace = models.CharField(max_length=40)  # a trigger compares it with the posting's
    kind = models.CharField(max_length=10)
    owner = models.CharField(max_length=150)
    points = models.BigIntegerField()

    class Meta:
        """Statements are read by account."""

        indexes = (models.Index(fields=["workspace", "kind", "owner"], name="entry_account"),)


class Balance(models.Model):
    """The sum of an account's entries: a trigger keeps it, so that it can be locked and checked."""

    workspace = models.CharField(max_length=40)
    kind = models.CharField(max_length=10)
    owner = models.CharField(max_length=150)
    points = models.BigIntegerField(default=0)

    class Meta:
        """The database itself refuses what must never be."""

        constraints = (
            models.UniqueConstraint(fields=["workspace", "kind", "owner"], name="one_balance"),
            models.CheckConstraint(
                condition=models.Q(points__gte=0)
                | models.Q(kind__in=["funding", "earned", "debt"]),
                name="never_overdrawn",
            ),
        )

    def restore(self) -> None:
        """Keep a balance of a backup: its entries have made it, if there are any."""
        account = {"workspace": self.workspace, "kind": self.kind, "owner": self.owner}
        Balance.objects.update_or_create(**account, defaults={"points": self.points})
