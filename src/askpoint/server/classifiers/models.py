"""A model that is played against."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models

__all__ = ["Classifier"]


class Classifier(models.Model):
    """A model, how it is asked, and what it answers."""

    ADAPTERS = (("callable", "a Python function on the server"), ("http", "an HTTP address"))
    CASES = (("text", "a text"), ("row", "a row of features"))

    name = models.CharField(max_length=80)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    adapter = models.CharField(max_length=10, choices=ADAPTERS)
    target = models.CharField(max_length=500)
    cases = models.CharField(max_length=4, choices=CASES, default="text")
    features = models.JSONField(default=list, blank=True)
    classes = models.JSONField()
    seconds = models.FloatField(default=1.5)
    made = models.DateTimeField()

    def scorer(self) -> dict[str, Any]:
        """Return what its process is told when it starts."""
        return {
            "adapter": self.adapter,
            "target": self.target,
            "classes": self.classes,
            "seconds": self.seconds,
        }
