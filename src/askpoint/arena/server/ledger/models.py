"""Transactions, their entries, and the balances that follow from them."""

from __future__ import annotations

from django.db import models

__all__ = ["Balance", "Entry", "Posting"]


class Posting(models.Model):
    """A transaction of `askpoint.arena.game.transaction`; never changed, never removed."""

    key = models.CharField(max_length=200, unique=True)
    at = models.DateTimeField()
    about = models.CharField(max_length=100, db_index=True)
    campaign = models.CharField(max_length=40, db_index=True)
    reverses = models.CharField(max_length=200, null=True)


class Entry(models.Model):
    """Points that come to an account, or leave it."""

    posting = models.ForeignKey(Posting, models.PROTECT, related_name="entries")
    kind = models.CharField(max_length=10)
    owner = models.CharField(max_length=150)
    points = models.BigIntegerField()

    class Meta:
        """Statements are read by account."""

        indexes = (models.Index(fields=["kind", "owner"], name="entry_account"),)


class Balance(models.Model):
    """The sum of an account's entries: a trigger keeps it, so that it can be locked and checked."""

    kind = models.CharField(max_length=10)
    owner = models.CharField(max_length=150)
    points = models.BigIntegerField(default=0)

    class Meta:
        """The database itself refuses what must never be."""

        constraints = (
            models.UniqueConstraint(fields=["kind", "owner"], name="one_balance"),
            models.CheckConstraint(
                condition=models.Q(points__gte=0) | models.Q(kind__in=["funding", "earned"]),
                name="never_overdrawn",
            ),
        )

    def restore(self) -> None:
        """Keep a balance of a backup: its entries have made it, if there are any."""
        account = {"kind": self.kind, "owner": self.owner}
        Balance.objects.update_or_create(**account, defaults={"points": self.points})
