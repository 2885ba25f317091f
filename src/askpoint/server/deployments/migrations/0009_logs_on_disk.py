"""Logs that wait for their reports lie in a folder."""

from __future__ import annotations

from typing import Any

from django.db import migrations

__all__ = ["Migration"]


def _give_up(apps: Any, _: Any) -> None:
    """What waits in a row is not read any more: its owner is told."""
    rows = apps.get_model("deployments", "LogReport").objects.filter(page="", problem="")
    rows.update(problem="the server was changed while this log waited: upload it again")


class Migration(migrations.Migration):
    """See above."""

    dependencies = [("deployments", "0008_raised")]

    operations = [
        migrations.RunPython(_give_up, migrations.RunPython.noop),
        migrations.RemoveField("logreport", "sent"),
    ]
