"""Which database this process talks to."""

from __future__ import annotations

import threading

from django.apps import apps
from django.db import connections

from askpoint.server.databases import database_of

__all__ = ["let_readings_be_counted", "use"]


def let_readings_be_counted() -> None:
    """Wait for the thread that counts who read which cases."""
    if not apps.ready:  # nobody read any
        return
    from askpoint.server.deployments.case_readings import WRITER

    for thread in threading.enumerate():
        if thread.name == WRITER:
            thread.join()


def use(url: str) -> None:
    """Let this process talk to another database."""
    let_readings_be_counted()
    connections.close_all()
    description = database_of(url)
    if url.startswith("sqlite"):  # no test cuts the power
        words = description["OPTIONS"]["init_command"]
        description["OPTIONS"]["init_command"] = words.replace(
            "synchronous=FULL", "synchronous=OFF"
        )
    connections.settings["default"] = connections.configure_settings({"default": description})[
        "default"
    ]
    if connections.all(initialized_only=True):  # a test may not have talked to its database
        del connections["default"]
