"""Two roles in PostgreSQL: one owns the tables, the server's own reads and writes rows, and cannot drop a trigger."""

from __future__ import annotations

from askpoint.errors import InputError

__all__ = ["let_work", "owner_warning"]

_OWNED = """
SELECT count(*) FROM pg_tables
WHERE schemaname = current_schema() AND pg_has_role(current_user, tableowner, 'MEMBER')
"""


def owner_warning() -> str:
    """Return what is wrong with the role that this process has: it owns tables; nothing on SQLite, which has no roles."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return ""
    with connection.cursor() as cursor:
        cursor.execute(_OWNED)
        if not cursor.fetchone()[0]:
            return ""
    return (
        "The server's role owns its tables: anyone who takes over the server can drop the triggers that protect the "
        "ledger. Give the owner with --owner-file, and the server a role of its own (docs: Install and operate the server)."
    )


def let_work(role: str) -> None:
    """Let a role read and write all rows, and nothing else: no table, trigger or right is its to change.

    Raises
    ------
    InputError
        On SQLite; if there is no such role, or it owns the tables all the same.
    """
    from django.db import connection

    if connection.vendor != "postgresql":
        raise InputError("--owner-file is for PostgreSQL: SQLite has no roles")
    name = connection.ops.quote_name(role)
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role])
        if cursor.fetchone() is None:
            raise InputError(f"the database has no role {role!r}")
        cursor.execute("SELECT pg_has_role(%s, current_user, 'MEMBER')", [role])
        if cursor.fetchone()[0]:
            raise InputError(f"the role {role!r} is the owner of the tables, or may become it")
        cursor.execute("SELECT current_schema()")
        schema = connection.ops.quote_name(cursor.fetchone()[0])
        for right, things in (
            ("SELECT, INSERT, UPDATE, DELETE", "TABLES"),
            ("USAGE, SELECT, UPDATE", "SEQUENCES"),
        ):
            cursor.execute(f"GRANT {right} ON ALL {things} IN SCHEMA {schema} TO {name}")
        cursor.execute(f"GRANT USAGE ON SCHEMA {schema} TO {name}")
        cursor.execute(f"REVOKE CREATE ON SCHEMA {schema} FROM {name}")
