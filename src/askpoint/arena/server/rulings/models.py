"""Judges, and what they rule on."""

from __future__ import annotations

from django.conf import settings
from django.db import models

__all__ = ["Judge", "Lease", "Ruling", "Vote"]


class Judge(models.Model):
    """A person as a judge of a campaign."""

    campaign = models.ForeignKey("campaigns.Campaign", models.PROTECT, related_name="judges")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="judges")
    at = models.DateTimeField()
    trained = models.JSONField(default=list)
    gold_seen = models.IntegerField(default=0)
    gold_right = models.IntegerField(default=0)
    barred = models.BooleanField(default=False)
    resting = models.BooleanField(default=False)
    recent = models.JSONField(default=list)
    voted = models.IntegerField(default=0)
    skipped = models.IntegerField(default=0)
    since = models.DateTimeField(null=True)
    pool = models.CharField(max_length=40, blank=True, default="")  # whose queue has their cases

    class Meta:
        """A person judges once in a campaign."""

        constraints = (models.UniqueConstraint(fields=["campaign", "user"], name="one_judge"),)


class Ruling(models.Model):
    """What judges decide on a case: a probe with the same name, a drawn case, or a gold item."""

    id = models.CharField(max_length=16, primary_key=True)
    campaign = models.ForeignKey("campaigns.Campaign", models.PROTECT, related_name="rulings")
    author = models.CharField(max_length=150, blank=True)
    case = models.JSONField()
    options = models.JSONField()
    opened = models.DateTimeField()
    at = models.DateTimeField()
    state = models.CharField(max_length=10, default="open")
    answer = models.CharField(max_length=80, null=True)
    ruled_at = models.DateTimeField(null=True)
    reserved = models.IntegerField(default=0)
    claims = models.IntegerField(default=0)
    promised = models.IntegerField(default=0)
    gold = models.CharField(max_length=80, null=True)
    kind = models.CharField(max_length=10, default="submitted")
    skipped = models.TextField(blank=True)
    source = models.CharField(max_length=16, blank=True, db_index=True)
    appeal = models.TextField(max_length=1000, blank=True)
    appealed_at = models.DateTimeField(null=True)

    class Meta:
        """The queue is read by state, votes and claims promised to a case, and age."""

        indexes = (
            models.Index(fields=["campaign", "state", "promised", "opened"], name="ruling_queue"),
        )


class Vote(models.Model):
    """What a judge said."""

    ruling = models.ForeignKey(Ruling, models.PROTECT, related_name="votes")
    judge = models.CharField(max_length=150)
    choice = models.CharField(max_length=80)
    at = models.DateTimeField()
    void = models.BooleanField(default=False)

    class Meta:
        """One vote per judge and case, whatever races."""

        ordering = ("pk",)
        indexes = (models.Index(fields=["judge"], name="vote_judge"),)
        constraints = (models.UniqueConstraint(fields=["ruling", "judge"], name="one_vote"),)


class Lease(models.Model):
    """A judge's claim on one vote of a case, for a while."""

    ruling = models.ForeignKey(Ruling, models.CASCADE, related_name="leases")
    judge = models.CharField(max_length=150)
    until = models.DateTimeField()
    number = models.IntegerField()

    class Meta:
        """One claim per judge and case."""

        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=["ruling", "judge"], name="one_lease"),)
