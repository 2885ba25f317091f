"""The tables are those of the models; a database of this version opens again, and plays on.

A migration that stands is not edited: what changes is the next one. What a database of before had is made here, and
brought up.
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
from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.models import CaseMark, Receipt
from askpoint.server.labelling import services as reviewing
from server.in_use import InUse

OURS = [config for config in apps.get_app_configs() if config.name.startswith("askpoint.")]


def test_no_model_waits_for_a_migration():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.mark.parametrize("config", OURS, ids=lambda config: config.label)
def test_migrations_are_counted_from_the_first(config):
    files = sorted(path.name for path in (Path(config.path) / "migrations").glob("0*.py"))
    assert files[:1] == (["0001_initial.py"] if list(config.get_models()) else [])
    assert [int(name[:4]) for name in files] == list(range(1, len(files) + 1))


def test_a_new_database_has_all_tables_and_nothing_left_to_do(database):
    """The run's own, which was brought up from nothing."""
    del database
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


def test_a_database_from_before_the_lists_of_cases_has_its_marks_and_its_index_of_keys(both):
    in_use = InUse()
    change_settings(in_use.id, capacity=None, second=1.0)  # each case for two
    in_use.decide(40)
    for choice in ("hate", "fine", None):
        for name in ("rosa", "rudi"):
            held = reviewing.claim(in_use.queue, name, others=False)
            if choice is None:
                reviewing.skip(in_use.queue, name, held.case_id, reason="unclear")
            else:
                said = choice if name == "rosa" else "hate"
                reviewing.cast(in_use.queue, name, held.case_id, said)
    marks = set(CaseMark.objects.values_list("policy", "kind", "seq"))
    assert {kind for _, kind, _ in marks} == {"differ", "unsure"}
    executor = MigrationExecutor(connection)
    executor.migrate([("deployments", "0001_initial")])
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:  # as the first migration had it until then
            cursor.execute("DROP INDEX use_decision")
            cursor.execute(
                "ALTER TABLE deployments_receipt ADD CONSTRAINT use_decision UNIQUE (deployment_id, key)"
            )
    connection.close()
    migrate()
    assert set(CaseMark.objects.values_list("policy", "kind", "seq")) == marks
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT indexdef FROM pg_indexes WHERE indexname = 'use_decision'")
            (made,) = cursor.fetchone()
        assert "UNIQUE" in made
        assert made.count("varchar_pattern_ops") == 2
    in_use.decide(40)  # the same keys: each decides once
    assert Receipt.objects.count() == 40
    assert check_books().problems == ()
