"""The tables are those of the models; a database of this version opens again, and plays on.

Nothing has been released: migrations begin with one file an app. From the first release on, rows that it
wrote are kept here and brought up by every later version.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from askpoint.server.books import check_books
from askpoint.server.boot import migrate

OURS = [config for config in apps.get_app_configs() if config.name.startswith("askpoint.")]


def test_no_model_waits_for_a_migration():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.mark.parametrize("config", OURS, ids=lambda config: config.label)
def test_an_app_begins_with_one_file(config):
    files = sorted(path.name for path in (Path(config.path) / "migrations").glob("0*.py"))
    assert files == (["0001_initial.py"] if list(config.get_models()) else [])


def test_a_new_database_has_all_tables_and_nothing_left_to_do(bare):
    migrate()
    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []
    tables = set(connection.introspection.table_names())
    assert {model._meta.db_table for config in OURS for model in config.get_models()} <= tables


def test_a_database_opens_again_and_plays_on(both):
    both.submit("before it was closed")
    both.vote("bob", "offensive")
    connection.close()
    migrate()
    assert check_books().problems == ()
    both.vote("beth", "offensive")
    assert check_books().problems == ()
