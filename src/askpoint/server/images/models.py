"""Images that were brought as cases: each once, by the SHA-256 of what is kept."""

from __future__ import annotations

from django.conf import settings
from django.db import models

__all__ = ["Image"]


class Image(models.Model):
    """An image; `kept` once it is submitted or an item, and empty once deleted."""

    belongs_to = models.CharField(max_length=40)  # the key of a campaign, or of a classifier in use
    sha256 = models.CharField(max_length=64)
    kind = models.CharField(max_length=20)
    content = models.BinaryField()
    width = models.IntegerField()
    height = models.IntegerField()
    size = models.IntegerField()
    print = models.BinaryField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField()
    kept = models.BooleanField(default=False)
    deleted = models.DateTimeField(null=True)

    class Meta:
        """One of each where it belongs; who brought how much is asked before each new one."""

        constraints = (models.UniqueConstraint(fields=["belongs_to", "sha256"], name="one_image"),)
        indexes = (
            models.Index(fields=["sha256"], name="image_content"),
            models.Index(fields=["belongs_to", "user"], name="image_owner"),
        )
