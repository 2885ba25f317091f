"""What the database itself holds of the ledger: nothing is changed or removed, and balances follow.

Each posting sums to zero within its workspace when its transaction ends, whoever wrote it.
"""

from __future__ import annotations

from typing import Any

__all__ = ["make_triggers"]

_TABLES = ("ledger_posting", "ledger_entry")
_POSTGRES = """
CREATE FUNCTION askpoint_balances() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE one record;
BEGIN
    FOR one IN
        SELECT workspace, kind, owner, sum(points)::bigint AS points FROM new_entries
        GROUP BY workspace, kind, owner
        ORDER BY workspace, kind, owner  -- in one order: nobody waits for each other
    LOOP
        UPDATE ledger_balance SET points = ledger_balance.points + one.points
            WHERE workspace = one.workspace AND kind = one.kind AND owner = one.owner;
        IF NOT FOUND THEN
            INSERT INTO ledger_balance (workspace, kind, owner, points)
                VALUES (one.workspace, one.kind, one.owner, 0) ON CONFLICT DO NOTHING;
            UPDATE ledger_balance SET points = ledger_balance.points + one.points
                WHERE workspace = one.workspace AND kind = one.kind AND owner = one.owner;
        END IF;
    END LOOP;
    RETURN NULL;
END $$
"""
_POSTGRES_TRIGGER = (
    "CREATE TRIGGER balances AFTER INSERT ON ledger_entry REFERENCING NEW TABLE AS new_entries "
    "FOR EACH STATEMENT EXECUTE FUNCTION askpoint_balances()"
)
_POSTGRES_ZERO = """
CREATE FUNCTION askpoint_zero() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE total bigint; inside boolean;
BEGIN
    SELECT sum(entry.points), bool_and(entry.workspace = posting.workspace_id) INTO total, inside
        FROM ledger_entry entry JOIN ledger_posting posting ON posting.id = entry.posting_id
        WHERE posting.id = NEW.posting_id;
    IF total <> 0 OR NOT inside THEN
        RAISE EXCEPTION 'a posting must sum to zero within one workspace'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END $$
"""

_POSTGRES_ZERO_TRIGGER = (
    "CREATE CONSTRAINT TRIGGER zero AFTER INSERT ON ledger_entry DEFERRABLE INITIALLY DEFERRED "
    "FOR EACH ROW EXECUTE FUNCTION askpoint_zero()"
)

_SQLITE = """
CREATE TRIGGER ledger_entry_balances AFTER INSERT ON ledger_entry BEGIN
    INSERT OR IGNORE INTO ledger_balance (workspace, kind, owner, points)
        VALUES (NEW.workspace, NEW.kind, NEW.owner, 0);
    UPDATE ledger_balance SET points = points + NEW.points
        WHERE workspace = NEW.workspace AND kind = NEW.kind AND owner = NEW.owner;
END
"""

# SQLite has no triggers at the end of a transaction, but foreign keys that are checked there: what the
# entries of a posting sum to so far is a key into a table whose only row is 0.
_SQLITE_ZERO = (
    "CREATE TABLE ledger_zero (points bigint PRIMARY KEY)",
    "INSERT INTO ledger_zero VALUES (0)",
    """
CREATE TABLE ledger_sum (
    posting bigint PRIMARY KEY,
    points bigint NOT NULL REFERENCES ledger_zero (points) DEFERRABLE INITIALLY DEFERRED
)
""",
    """
CREATE TRIGGER ledger_entry_zero AFTER INSERT ON ledger_entry BEGIN
    INSERT INTO ledger_sum (posting, points) VALUES (NEW.posting_id, NEW.points)
        ON CONFLICT (posting) DO UPDATE SET points = points + excluded.points;
    DELETE FROM ledger_sum WHERE posting = NEW.posting_id AND points = 0;
END
""",
    """
CREATE TRIGGER ledger_entry_inside BEFORE INSERT ON ledger_entry
WHEN NEW.workspace IS NOT (SELECT workspace_id FROM ledger_posting WHERE id = NEW.posting_id) BEGIN
    SELECT RAISE(ABORT, 'a posting must sum to zero within one workspace');
END
""",
)


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
    made = [_POSTGRES, _POSTGRES_TRIGGER, _POSTGRES_ZERO, _POSTGRES_ZERO_TRIGGER]
    return [refusal, *refused, *made]


def _on_sqlite() -> list[str]:
    refused = [
        f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} "
        "BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
        for table in _TABLES
        for act in ("UPDATE", "DELETE")
    ]
    return [*refused, _SQLITE, *_SQLITE_ZERO]
