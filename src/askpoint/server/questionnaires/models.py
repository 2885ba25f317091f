"""A questionnaire about a classifier's mistakes, and the interviews that people give by links."""

from __future__ import annotations

from django.db import models

from askpoint.server.deployments.models import Deployment

__all__ = ["Interview", "Questionnaire"]


class Questionnaire(models.Model):
    """What is asked: a log without contents, settings of the session, and who was settled on."""

    deployment = models.ForeignKey(Deployment, models.CASCADE, related_name="questionnaires")
    number = models.IntegerField()
    rows = models.BinaryField()  # of the log, as `askpoint.records.stored_logs` keeps it
    n_labelled = models.IntegerField()
    classes = models.JSONField()
    settings = models.JSONField()  # of `ElicitSession`, but for the guess
    scene = models.JSONField()  # of `askpoint.reports.elicitation.asking.Scene`
    who = models.CharField(max_length=150)
    made = models.DateTimeField()
    chosen = models.IntegerField(null=True)  # the interview whose costs hold
    chosen_by = models.CharField(max_length=150, blank=True)
    chosen_why = models.CharField(max_length=500, blank=True)
    chosen_at = models.DateTimeField(null=True)

    class Meta:
        """Counted for each classifier."""

        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=["deployment", "number"], name="costs_number"),
        )


class Interview(models.Model):
    """One person's answers; whoever changes them holds the lock of this row."""

    questionnaire = models.ForeignKey(Questionnaire, models.CASCADE, related_name="interviews")
    number = models.IntegerField()
    name = models.CharField(max_length=80)
    nonce = models.CharField(max_length=32)  # in the link
    revoked = models.DateTimeField(null=True)
    begun = models.DateTimeField(null=True)  # when the direct question was answered
    guess = models.FloatField(null=True)
    answers = models.JSONField(default=list)  # digest of the question, and the answer
    undone = models.IntegerField(default=0)
    ended = models.DateTimeField(null=True)
    costs = models.TextField(blank=True)  # costs.json; empty where no costs follow
    found = models.JSONField(null=True)  # all that `askpoint elicit --json` says
    told = models.JSONField(default=list)
    again = models.JSONField(null=True)  # answers to questions that are put again
    steady = models.CharField(max_length=200, blank=True)  # what they say

    class Meta:
        """Counted for each questionnaire."""

        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=["questionnaire", "number"], name="costs_person"),
        )
