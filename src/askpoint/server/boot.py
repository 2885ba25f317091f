"""Django, set up for one process."""

from __future__ import annotations

from askpoint.server.options import Options
from askpoint.server.settings import settings_of

__all__ = ["migrate", "set_up"]


def set_up(options: Options) -> None:
    """Set Django up; the first thing that a process of the server does.

    Parameters
    ----------
    options : Options
        From the command line.
    """
    import django
    from django.conf import settings

    settings.configure(**settings_of(options))
    django.setup()


def migrate() -> None:
    """Bring the database to this version's tables."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)
