"""What the database itself holds of the ledger: nothing is changed or removed, and balances follow."""

from __future__ import annotations

from typing import Any

__all__ = ["make_triggers"]

_TABLES = ("ledger_posting", "ledger_entry")
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


def make_triggers(apps: Any, schema_editor: Any) -> None:
    """Make the triggers of a new database, in its own words; an operation of the first migration."""
    del apps
    make = _on_postgres if schema_editor.connection.vendor == "postgresql" else _on_sqlite
    for statement in make():
        schema_editor.execute(statement)


def _on_postgres() -> list[str]:
    refusal = (
        "CREATE FUNCTION askpoint_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ "
        "BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$"
    )
    refused = [
        f"CREATE TRIGGER {name} BEFORE {act} ON {table} "
        f"FOR EACH {each} EXECUTE FUNCTION askpoint_append_only()"
        for table in _TABLES
        for name, act, each in (
            ("append_only", "UPDATE OR DELETE", "ROW"),
            ("append_only_whole", "TRUNCATE", "STATEMENT"),  # which triggers for each row miss
        )
    ]
    return [refusal, *refused, _POSTGRES, _POSTGRES_TRIGGER]


def _on_sqlite() -> list[str]:
    refused = [
        f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} "
        "BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
        for table in _TABLES
        for act in ("UPDATE", "DELETE")
    ]
    return [*refused, _SQLITE]
