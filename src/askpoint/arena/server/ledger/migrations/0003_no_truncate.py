"""A table is not emptied either, which triggers for each row do not see."""

from django.db import migrations

__all__ = ["Migration"]

_TABLES = ("ledger_posting", "ledger_entry")


def _refuse(apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return  # SQLite knows no TRUNCATE
    for table in _TABLES:
        schema_editor.execute(
            f"CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION askpoint_append_only()"
        )


class Migration(migrations.Migration):
    """One more trigger for each table, on PostgreSQL."""

    dependencies = [("ledger", "0002_append_only")]
    operations = [migrations.RunPython(_refuse, migrations.RunPython.noop)]
