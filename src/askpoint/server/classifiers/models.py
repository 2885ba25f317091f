"""A model that is played against, and the cases that it is not asked again."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models

from askpoint.errors import InputError
from askpoint.server.classifiers.keys import header_for
from askpoint.server.outgoing import OutgoingError, read_url
from askpoint.server.workspaces.models import Owned

__all__ = ["Classifier", "SetAside"]


class Classifier(Owned):
    """A model, how it is asked, and what it answers."""

    ADAPTERS = (
        ("callable", "a Python function on the server"),
        ("http", "an HTTP address"),
        ("chat", "a chat model at an OpenAI-compatible address"),
    )
    CASES = (
        ("text", "a text"),
        ("row", "a row of features"),
        ("page", "a web page, by its address"),
        ("image", "an image"),
    )

    name = models.CharField(max_length=80)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    adapter = models.CharField(max_length=10, choices=ADAPTERS)
    target = models.CharField(max_length=500)
    cases = models.CharField(max_length=5, choices=CASES, default="text")
    features = models.JSONField(default=list, blank=True)
    classes = models.JSONField()
    chat = models.JSONField(default=dict, blank=True)
    seconds = models.FloatField(default=1.5)
    made = models.DateTimeField()

    def scorer(self) -> dict[str, Any]:
        """Return what its process is told when it starts; `refused` says why there is none."""
        options = settings.ASKPOINT
        found = {
            "name": self.name,
            "adapter": self.adapter,
            "target": self.target,
            "classes": self.classes,
            "cases": self.cases,
            "seconds": self.seconds,
        }
        if self.adapter == "callable":
            named = self.target in options.models
            return found if named else {**found, "refused": "it was not named with --model"}
        try:
            header = header_for(read_url(self.target), options.model_keys)
        except (InputError, OutgoingError) as error:
            return {**found, "refused": str(error)}
        return {**found, "chat": self.chat, "header": header, "networks": options.model_networks}


class SetAside(models.Model):
    """A case at which a model's process died or hung: it is not asked again."""

    classifier = models.ForeignKey(Classifier, models.CASCADE, related_name="set_aside")
    digest = models.CharField(max_length=64)
    case = models.JSONField()
    sent_by = models.CharField(max_length=150, blank=True)
    hung = models.BooleanField()
    at = models.DateTimeField()

    class Meta:
        """Each case once."""

        constraints = (
            models.UniqueConstraint(fields=["classifier", "digest"], name="one_set_aside"),
        )
        indexes = (models.Index(fields=["sent_by", "at"], name="set_aside_by"),)
