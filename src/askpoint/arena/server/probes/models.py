"""Players, the cases that they try and submit, and drafts that survive errors."""

from __future__ import annotations

from django.conf import settings
from django.db import models

__all__ = ["Challenge", "Draft", "Player", "Probe", "Similar", "Tag"]


class Player(models.Model):
    """A person as a player of a campaign."""

    campaign = models.ForeignKey("campaigns.Campaign", models.PROTECT, related_name="players")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="plays")
    at = models.DateTimeField()
    judged = models.IntegerField(default=0)
    found = models.IntegerField(default=0)
    barred = models.BooleanField(default=False)

    class Meta:
        """A person plays once in a campaign."""

        constraints = (models.UniqueConstraint(fields=["campaign", "user"], name="one_player"),)


class Probe(models.Model):
    """A case, what the model said, and what each ruling brings."""

    id = models.CharField(max_length=16, primary_key=True)
    campaign = models.ForeignKey("campaigns.Campaign", models.PROTECT, related_name="probes")
    player = models.ForeignKey(Player, models.PROTECT, related_name="probes")
    key = models.CharField(max_length=64)
    address = models.CharField(max_length=64)
    case = models.JSONField()
    digest = models.CharField(max_length=64)
    print = models.TextField(blank=True)
    print_compared = models.BooleanField(default=False)
    options = models.JSONField()
    prizes = models.JSONField()
    tried = models.DateTimeField()
    at = models.DateTimeField()
    probabilities = models.JSONField()
    decision = models.CharField(max_length=80)
    model = models.CharField(max_length=100)
    similarity = models.FloatField(default=0.0)
    similarity_classifier = models.CharField(max_length=32, blank=True)
    similarity_reason = models.CharField(max_length=30, blank=True)
    state = models.CharField(max_length=12)
    reason = models.CharField(max_length=500, blank=True)
    submitted = models.DateTimeField(null=True)
    truth = models.CharField(max_length=80, null=True)
    awarded = models.IntegerField(default=0)
    round = models.IntegerField(default=0)
    final = models.BooleanField(default=False)
    dropped = models.BooleanField(default=False)
    family = models.CharField(max_length=16, blank=True, db_index=True)
    place = models.CharField(max_length=8, blank=True)

    class Meta:
        """One case is submitted once, and a form that is sent twice makes one probe."""

        constraints = (
            models.UniqueConstraint(
                fields=["campaign", "digest"],
                condition=models.Q(state__in=["submitted", "judged"]),
                name="one_submission",
            ),
            models.UniqueConstraint(fields=["player", "key"], name="one_try"),
        )
        indexes = (
            models.Index(fields=["player", "tried"], name="probe_tries"),
            models.Index(fields=["address", "tried"], name="probe_address"),
            models.Index(fields=["campaign", "submitted"], name="probe_order"),
            models.Index(
                fields=["campaign", "submitted"],
                condition=models.Q(print_compared=False, submitted__isnull=False),
                name="probe_to_compare",
            ),
        )


class Draft(models.Model):
    """What a player is typing: kept before the model is asked."""

    player = models.OneToOneField(Player, models.CASCADE, related_name="draft")
    case = models.JSONField()


class Tag(models.Model):
    """An item and the label that it carries now; `first` is what the machine tagged it with."""

    campaign = models.ForeignKey("campaigns.Campaign", models.PROTECT, related_name="tags")
    number = models.IntegerField()
    item = models.TextField()
    first = models.CharField(max_length=80, blank=True)
    label = models.CharField(max_length=80, blank=True)
    holder = models.CharField(max_length=150, blank=True)
    at = models.DateTimeField()
    challenge = models.CharField(max_length=16, blank=True)
    before = models.CharField(max_length=150, blank=True)

    class Meta:
        """In the order in which items were brought."""

        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=["campaign", "number"], name="one_item"),)


class Challenge(models.Model):
    """A probe that proposes a better label for an item."""

    probe = models.OneToOneField(Probe, models.PROTECT, primary_key=True, related_name="challenge")
    tag = models.ForeignKey(Tag, models.PROTECT, related_name="challenges")


class Similar(models.Model):
    """What design 5's classifier has learned from: the judged cases at a moment."""

    campaign = models.ForeignKey("campaigns.Campaign", models.PROTECT, related_name="similar")
    version = models.CharField(max_length=32)
    successful = models.JSONField()
    others = models.JSONField()
    reference = models.JSONField()
    made = models.DateTimeField()

    class Meta:
        """One of each version."""

        constraints = (models.UniqueConstraint(fields=["campaign", "version"], name="one_version"),)
