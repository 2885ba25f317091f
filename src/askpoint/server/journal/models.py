"""A line of the log."""

from __future__ import annotations

from django.db import models

__all__ = ["LogLine"]


class LogLine(models.Model):
    """What somebody decided; never changed, never removed."""

    workspace = models.CharField(
        max_length=40, blank=True
    )  # empty: of the server, or as `campaign`
    at = models.DateTimeField()
    who = models.CharField(max_length=150)
    what = models.CharField(max_length=30)
    campaign = models.CharField(max_length=40, blank=True)
    about = models.CharField(max_length=200, blank=True)
    said = models.JSONField(default=dict)

    class Meta:
        """Read by campaign and by person, the newest first."""

        indexes = (
            models.Index(fields=["campaign", "at"], name="log_campaign"),
            models.Index(fields=["who", "at"], name="log_who"),
        )
