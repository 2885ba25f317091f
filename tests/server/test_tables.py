"""The tables are those of the models, and older ones are brought up to date."""

from __future__ import annotations

from django.core.management import call_command


def test_no_migration_is_missing(sqlite):
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
