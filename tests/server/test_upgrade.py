"""A database that the first version of the server wrote is brought up, row for row, and plays on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor

from askpoint.arena.game.transaction import LedgerAccount
from askpoint.arena.server.judges import services as judging
from askpoint.arena.server.ledger.models import Entry
from askpoint.arena.server.ledger.services import balance_of
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.rulings.models import Ruling
from askpoint.errors import RuleError
from askpoint.server.books import check_books
from askpoint.server.boot import migrate

# What its own code wrote, at the commit that brought the server (7a54354): a play on the stage.
ROWS = [
    json.loads(line) for line in Path(__file__).with_name("earlier.jsonl").read_text().splitlines()
]
THEN = {"ledger": "0002_append_only"}  # of all others the first


@pytest.fixture
def earlier(bare):
    """A database with the first tables, and what was in them."""
    apps = {row["model"].split(".")[0] for row in ROWS} | {"jobs"}
    executor = MigrationExecutor(connection)
    targets = [(app, THEN.get(app, "0001_initial")) for app in sorted(apps)]
    executor.migrate(targets)
    tables = executor.loader.project_state(targets).apps
    with transaction.atomic():
        for row in ROWS:
            model = tables.get_model(row["model"])
            keys = {field.name: field.attname for field in model._meta.concrete_fields}
            values = {keys[name]: value for name, value in row["fields"].items() if name in keys}
            model(pk=row["pk"], **values).save(force_insert=True)
    models = [tables.get_model(name) for name in dict.fromkeys(row["model"] for row in ROWS)]
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)
    return [row for row in ROWS if row["model"] == "ledger.entry"]


def test_what_the_first_version_wrote_is_all_there_and_plays_on(earlier):
    migrate()
    books = check_books()
    assert books.problems == ()
    assert Entry.objects.count() == len(earlier)
    assert balance_of(LedgerAccount("earned", "alice")) == 910
    waiting = Ruling.objects.get(state="open", kind="submitted")
    case = judging.claim(waiting.campaign_id, "beth")
    assert case.pk == waiting.pk
    assert judging.vote(waiting.campaign_id, "beth", case.pk, "clean").state == "ruled"
    assert Probe.objects.get(pk=case.pk).truth == "clean"
    with pytest.raises(RuleError, match="voted"):
        judging.vote(waiting.campaign_id, "bob", case.pk, "clean")
    assert check_books().problems == ()
