"""A campaign, and the items with known answers that train and check its judges."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from askpoint.server.workspaces.models import Owned

__all__ = ["Campaign", "Colleague", "Consent", "KnownItem", "Workday"]


class Campaign(Owned):
    """A campaign; its terms are those of `askpoint.arena.game.terms`, fixed once it is open."""

    id = models.CharField(max_length=40, primary_key=True)
    kind = models.CharField(max_length=10, default="cases")  # or "tags", which are challenged
    title = models.CharField(max_length=100)
    organiser = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    classifier = models.ForeignKey("classifiers.Classifier", models.PROTECT, related_name="+")
    wanted = models.TextField(max_length=2000)
    guide = models.TextField(max_length=2000, blank=True)
    warning = models.CharField(max_length=300, blank=True)
    reference = models.JSONField(default=list)
    terms = models.TextField()
    state = models.CharField(max_length=10, default="draft")
    at = models.DateTimeField()
    made = models.DateTimeField()
    simulated = models.JSONField(null=True)
    contact = models.CharField(max_length=200, blank=True)
    takes = models.CharField(max_length=100, blank=True)
    consent = models.TextField(max_length=5000, blank=True)
    age = models.PositiveSmallIntegerField(null=True)
    veiled = models.BooleanField(default=False)
    most_cases = models.PositiveIntegerField(null=True)
    most_minutes = models.PositiveIntegerField(null=True)
    break_after = models.PositiveIntegerField(null=True)
    break_for = models.PositiveIntegerField(null=True)


class Colleague(models.Model):
    """Somebody who organises a campaign beside the one who made it, or watches it."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="colleagues")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    role = models.CharField(max_length=10)
    at = models.DateTimeField()

    class Meta:
        """One role each."""

        constraints = (models.UniqueConstraint(fields=["campaign", "user"], name="one_colleague"),)


class Consent(models.Model):
    """What a person agreed to, and when; the text as it stood, under its SHA-256."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="consents")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField()
    digest = models.CharField(max_length=64)
    text = models.TextField()

    class Meta:
        """Each text once."""

        constraints = (
            models.UniqueConstraint(fields=["campaign", "user", "digest"], name="one_consent"),
        )

    left: int  # points of its budget, where it was locked


class KnownItem(models.Model):
    """A training item: a case with its answer, which a judge sees after trying."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="training")
    number = models.IntegerField()
    case = models.JSONField()
    truth = models.CharField(max_length=80)
    why = models.CharField(max_length=500, blank=True)

    class Meta:
        """In the order in which judges see them."""

        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=["campaign", "number"], name="one_training_item"),
        )


class Workday(models.Model):
    """How much somebody read in a campaign since the day began, as `askpoint.arena.game.workdays` counts it."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="workdays")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    begun = models.DateTimeField()
    at = models.DateTimeField()
    cases = models.IntegerField(default=0)
    worked = models.DurationField()
    stretch = models.DurationField()

    class Meta:
        """One for each person."""

        constraints = (models.UniqueConstraint(fields=["campaign", "user"], name="one_workday"),)
