"""What owners set of a classifier: one record, of which a form, a program or a test changes what it names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from django.db import transaction

from askpoint.errors import InputError
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.policies import lock_deployment
from askpoint.server.journal.services import note

__all__ = ["Settings", "change_settings", "settings_of"]


@dataclass(frozen=True)
class Settings:
    """What owners set.

    Parameters
    ----------
    title : str
        The name that people read.
    mistake : float or None
        What one costs.
    unit : str
        In which unit; empty without a cost.
    hour : float or None
        What an hour of review costs, in the same unit.
    capacity : int or None
        Cases that reviewers can label a day.
    second : float
        Share of the cases that two reviewers label.
    hold : int
        Seconds in which a label can be taken back.
    renews : bool
        Whether what the loop proposes is activated by itself.
    keep_days : int or None
        Days after which contents are deleted.
    viewers_read : bool
        Whether viewers read cases.
    """

    title: str
    mistake: float | None
    unit: str
    hour: float | None
    capacity: int | None
    second: float
    hold: int
    renews: bool
    keep_days: int | None
    viewers_read: bool

    def problems(self) -> Iterator[tuple[str, str]]:
        """Yield what does not go together: the setting where it is said, empty for all of them, and the sentence."""
        if (self.mistake is None) != (not self.unit):
            yield "", "say both what a mistake costs and in which unit, or neither"
        if self.hour is not None and self.mistake is None:
            yield "hour", "say what a mistake costs, too: an hour is priced in its unit"


def settings_of(row: Deployment) -> Settings:
    """Return what the owners of a classifier set."""
    return Settings(**{one.name: getattr(row, one.name) for one in fields(Settings)})


@transaction.atomic
def change_settings(deployment: str, **changes: Any) -> Settings:
    """Change the settings that are named, keep all others, and return them; the activity says what is new.

    Raises
    ------
    InputError
        If they do not go together.
    """
    row = lock_deployment(deployment)
    before = settings_of(row)
    after = replace(before, **changes)
    for _, problem in after.problems():
        raise InputError(problem)
    new = {name: it for name, it in asdict(after).items() if it != getattr(before, name)}
    if new:
        Deployment.objects.filter(pk=row.pk).update(**new)
        note("settings", campaign=row.pk, about=after.title, **new)
    return after
