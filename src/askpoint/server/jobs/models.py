"""A job: something to do once, later, by whoever holds its lease."""

from __future__ import annotations

from django.db import models

__all__ = ["Beat", "Job"]


class Job(models.Model):
    """Work to do; done rows are kept for a while, so that one sees what happened."""

    kind = models.CharField(max_length=20)
    about = models.CharField(max_length=60)
    due = models.DateTimeField()
    until = models.DateTimeField(null=True)
    begun = models.DateTimeField(null=True)
    attempts = models.IntegerField(default=0)
    done = models.DateTimeField(null=True)
    error = models.CharField(max_length=500, blank=True)

    class Meta:
        """The same work is not queued twice while it waits."""

        indexes = (models.Index(fields=["done", "due"], name="job_due"),)
        constraints = (
            models.UniqueConstraint(
                fields=["kind", "about"],
                condition=models.Q(done=None, until=None),
                name="one_waiting_job",
            ),
        )


class Beat(models.Model):
    """When the background process was last seen; one row."""

    at = models.DateTimeField()
