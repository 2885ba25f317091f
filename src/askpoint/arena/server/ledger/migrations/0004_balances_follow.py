"""Balances follow from entries in the database itself, and every campaign has one to be locked."""

from django.db import migrations

__all__ = ["Migration"]

_POSTGRES = """
CREATE FUNCTION askpoint_balances() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE one record;
BEGIN
    FOR one IN
        SELECT kind, owner, sum(points)::bigint AS points FROM new_entries
        GROUP BY kind, owner ORDER BY kind, owner  -- in one order: nobody waits for each other
    LOOP
        UPDATE ledger_balance SET points = ledger_balance.points + one.points
            WHERE kind = one.kind AND owner = one.owner;
        IF NOT FOUND THEN
            INSERT INTO ledger_balance (kind, owner, points) VALUES (one.kind, one.owner, 0)
                ON CONFLICT DO NOTHING;
            UPDATE ledger_balance SET points = ledger_balance.points + one.points
                WHERE kind = one.kind AND owner = one.owner;
        END IF;
    END LOOP;
    RETURN NULL;
END $$
"""
_POSTGRES_TRIGGER = (
    "CREATE TRIGGER balances AFTER INSERT ON ledger_entry REFERENCING NEW TABLE AS new_entries "
    "FOR EACH STATEMENT EXECUTE FUNCTION askpoint_balances()"
)
_SQLITE = """
CREATE TRIGGER ledger_entry_balances AFTER INSERT ON ledger_entry BEGIN
    INSERT OR IGNORE INTO ledger_balance (kind, owner, points) VALUES (NEW.kind, NEW.owner, 0);
    UPDATE ledger_balance SET points = points + NEW.points
        WHERE kind = NEW.kind AND owner = NEW.owner;
END
"""
_BUDGETS = (
    "INSERT INTO ledger_balance (kind, owner, points) SELECT 'budget', id, 0 FROM campaigns_campaign "
    "WHERE id NOT IN (SELECT owner FROM ledger_balance WHERE kind = 'budget')"
)


def _follow(apps, schema_editor):
    postgres = schema_editor.connection.vendor == "postgresql"
    for statement in (_POSTGRES, _POSTGRES_TRIGGER) if postgres else (_SQLITE,):
        schema_editor.execute(statement)
    schema_editor.execute(_BUDGETS)


class Migration(migrations.Migration):
    """A trigger, in the words of each database."""

    dependencies = [("ledger", "0003_no_truncate"), ("campaigns", "0001_initial")]
    operations = [migrations.RunPython(_follow, migrations.RunPython.noop)]
