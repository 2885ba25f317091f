"""A campaign, and the items with known answers that train and check its judges."""

from __future__ import annotations

from django.conf import settings
from django.db import models

__all__ = ["Campaign", "KnownItem"]


class Campaign(models.Model):
    """A campaign; its terms are those of `askpoint.game.terms`, fixed once it is open."""

    id = models.CharField(max_length=40, primary_key=True)
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
