"""What the database itself holds of the log: no line is changed or removed."""

from __future__ import annotations

from typing import Any

__all__ = ["make_triggers"]


def make_triggers(apps: Any, schema_editor: Any) -> None:
    """Make the triggers of a new database, in its own words; an operation of the first migration."""
    del apps
    make = _on_postgres if schema_editor.connection.vendor == "postgresql" else _on_sqlite
    for statement in make():
        schema_editor.execute(statement)


def _on_postgres() -> list[str]:
    refusal = (
        "CREATE FUNCTION askpoint_log_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ "
        "BEGIN RAISE EXCEPTION 'the log is append-only'; END $$"
    )
    refused = [
        f"CREATE TRIGGER {name} BEFORE {act} ON journal_logline "
        f"FOR EACH {each} EXECUTE FUNCTION askpoint_log_append_only()"
        for name, act, each in (
            ("append_only", "UPDATE OR DELETE", "ROW"),
            ("append_only_whole", "TRUNCATE", "STATEMENT"),
        )
    ]
    return [refusal, *refused]


def _on_sqlite() -> list[str]:
    return [
        f"CREATE TRIGGER journal_logline_no_{act.lower()} BEFORE {act} ON journal_logline "
        "BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END"
        for act in ("UPDATE", "DELETE")
    ]
