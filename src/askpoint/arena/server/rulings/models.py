"""Judges, and what they rule on: reviewers and cases of the core, with what only the game needs."""

from __future__ import annotations

from django.db import models

from askpoint.server.labelling.models import Case, Reviewer

__all__ = ["Comparison", "ComparisonAnswer", "Judge", "Ruling", "Shared"]


class Judge(Reviewer):
    """A person as a judge of a campaign."""

    campaign = models.ForeignKey("campaigns.Campaign", models.PROTECT, related_name="judges")
    resting = models.BooleanField(default=False)
    pool = models.CharField(max_length=40, blank=True, default="")  # whose queue has their cases


class Ruling(Case):
    """What judges decide on a case: a probe with the same name, a drawn case, or a gold case."""

    campaign = models.ForeignKey("campaigns.Campaign", models.PROTECT, related_name="rulings")
    reserved = models.IntegerField(default=0)
    appeal = models.TextField(max_length=1000, blank=True)
    appealed_at = models.DateTimeField(null=True)


class Shared(models.Model):
    """A campaign whose cases lie in the queue of a classifier in use, examined ones too."""

    campaign = models.OneToOneField(
        "campaigns.Campaign", models.PROTECT, primary_key=True, related_name="+"
    )
    deployment = models.ForeignKey("deployments.Deployment", models.CASCADE, related_name="shared")
    who = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        """In the order in which they came."""

        ordering = ("at", "pk")


class Comparison(models.Model):
    """A find beside the nearest earlier ones: judges say whether it is the same as one of them."""

    probe = models.OneToOneField(
        "probes.Probe", models.PROTECT, primary_key=True, related_name="comparison"
    )
    campaign = models.ForeignKey("campaigns.Campaign", models.PROTECT, related_name="+")
    shown = models.JSONField()  # names of finds, the nearest first
    answer = models.CharField(max_length=16, blank=True, default="")
    at = models.DateTimeField()

    class Meta:
        """In the order in which they were opened."""

        ordering = ("at", "pk")


class ComparisonAnswer(models.Model):
    """What a judge said of a find; `gold` where the find itself was among those shown, in disguise."""

    comparison = models.ForeignKey(Comparison, models.CASCADE, related_name="answers")
    judge = models.CharField(max_length=150)
    answer = models.CharField(max_length=16)
    gold = models.BooleanField(default=False)
    at = models.DateTimeField()

    class Meta:
        """Each judge once, and once where the answer is known."""

        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=["comparison", "judge", "gold"], name="one_comparison_answer"
            ),
        )
