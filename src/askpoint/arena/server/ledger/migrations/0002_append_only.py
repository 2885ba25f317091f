"""Transactions and entries are never changed or removed: the database itself refuses."""

from django.db import migrations

__all__ = ["Migration"]

_TABLES = ("ledger_posting", "ledger_entry")


def _refuse(apps, schema_editor):
    vendor = schema_editor.connection.vendor
    if vendor == "postgresql":
        schema_editor.execute(
            "CREATE FUNCTION askpoint_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ "
            "BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$"
        )
    for table in _TABLES:
        if vendor == "postgresql":
            schema_editor.execute(
                f"CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON {table} "
                "FOR EACH ROW EXECUTE FUNCTION askpoint_append_only()"
            )
        else:
            for act in ("UPDATE", "DELETE"):
                schema_editor.execute(
                    f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} "
                    "BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
                )


class Migration(migrations.Migration):
    """Triggers, in the words of each database."""

    dependencies = [("ledger", "0001_initial")]
    operations = [migrations.RunPython(_refuse, migrations.RunPython.noop)]
