"""A sample of the stream, what the model says of it, and which of its cases were drawn."""

from __future__ import annotations

from django.db import models

__all__ = ["Examination", "SampleCase"]


class Examination(models.Model):
    """A sample that the model answers, and once it is drawn from, how."""

    campaign = models.ForeignKey("campaigns.Campaign", models.PROTECT, related_name="examinations")
    made = models.DateTimeField()
    state = models.CharField(max_length=10, default="answering")
    left_out = models.IntegerField(default=0)
    trouble = models.CharField(max_length=500, blank=True)
    drawn = models.DateTimeField(null=True)
    method = models.CharField(max_length=12, blank=True)
    wanted = models.IntegerField(default=0)
    seed = models.BigIntegerField(default=0)
    digest = models.CharField(max_length=80, blank=True)
    edges = models.JSONField(default=list)
    sizes = models.JSONField(default=list)
    learned = models.JSONField(null=True)

    class Meta:
        """One sample at a time, whoever clicks twice."""

        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=["campaign"],
                condition=~models.Q(state="drawn"),
                name="one_sample_at_a_time",
            ),
        )


class SampleCase(models.Model):
    """A case of the sample; the last four are those of a drawn one."""

    examination = models.ForeignKey(Examination, models.CASCADE, related_name="cases")
    place = models.IntegerField()
    case = models.JSONField()
    probabilities = models.JSONField(null=True)
    decision = models.CharField(max_length=80, blank=True)
    model = models.CharField(max_length=100, blank=True)
    order = models.IntegerField(null=True)
    bin = models.IntegerField(null=True)
    inclusion = models.FloatField(null=True)
    ruling = models.OneToOneField(
        "rulings.Ruling", models.PROTECT, null=True, related_name="drawn_case"
    )

    class Meta:
        """In the order in which they were brought."""

        ordering = ("place",)
        constraints = (models.UniqueConstraint(fields=["examination", "place"], name="one_place"),)
        indexes = (models.Index(fields=["examination", "decision"], name="sample_answers"),)
