"""Pages of judges."""

from __future__ import annotations

from django.urls import reverse

from server.scenes.hard import KINDS
from server.scenes.scene import UNCOVER, Scene

__all__ = ["judges_scenes"]


def judges_scenes(there):
    """What judges see."""

    def at(campaign):
        return reverse("judge", args=[campaign])

    yield Scene("judge", "J", "bob", at(there.id), "Yours until")
    yield Scene("judge", "J", "bob", at(there.many), "covered because it may be disturbing")
    yield Scene("judge", "J", "bob", at(there.many), KINDS[1], {}, UNCOVER)
    yield Scene("judge", "J", "bob", at(there.rows), "lives with parents")
    yield Scene("judge", "J", "bob", at(there.web), "Who is not welcome here")
    yield Scene("judge", "J", "bob", at(there.empty), "Nothing waits for you")
    yield Scene("judge", "J", "beth", at(there.id), "for you")
    yield Scene("judge", "J", "beth", at(there.many), "You are taking a break")
    yield Scene("judge", "J", "rita", at(there.id), "6 right")
    yield Scene("judge", "J", "hal", at(there.id), "has ended your role")
    yield Scene("judge", "J", "tess", at(there.id), "Training: 0 of 2")
    wrong = "#choose button:last-child"
    yield Scene("judge", "J", "tess", at(there.id), "the right answer is", {}, wrong)
