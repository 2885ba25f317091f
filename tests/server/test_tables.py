"""The tables are those of the models, and older ones are brought up to date."""

from __future__ import annotations

from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from askpoint.server.boot import migrate


def test_no_migration_is_missing(sqlite):
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_gold_items_of_an_older_database_stay_gold(both):
    from askpoint.arena.server.rulings.models import Ruling

    case = both.submit("you are not from here").pk
    call_command("migrate", "rulings", "0001", verbosity=0, interactive=False)
    with connection.cursor() as cursor:
        cursor.execute(
            'INSERT INTO rulings_ruling (id, author, "case", options, opened, at, state, reserved,'
            " claims, gold, appeal, campaign_id) VALUES ('g', '', '\"hi\"', '[]', %s, %s, 'open',"
            " 0, 0, 'clean', '', %s)",
            [timezone.now(), timezone.now(), both.id],
        )
    migrate()
    assert dict(Ruling.objects.values_list("pk", "kind")) == {case: "submitted", "g": "gold"}
