"""A server in one file: every row of its tables as of one moment, and its secret.

The rows are JSON lines, so that a backup of one database can be restored into the other. It names the
migrations that made its tables, and is restored by the version that wrote it.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from django.core import serializers
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from askpoint.errors import InputError
from askpoint.server.boot import set_up
from askpoint.server.consistent_reads import read_one_moment
from askpoint.server.options import Options, load_secret, own_folder

__all__ = ["back_up", "restore"]

_KIND = "askpoint backup 1"
_NOT = ("contenttypes", "auth", "sessions")  # made by the migrations, or not worth keeping


def back_up(address: str, folder: Path, file: Path) -> int:
    """Write a server into a new file, for its owner only; how many rows there were."""
    del address
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise InputError(f"cannot write {file}: {error.strerror}") from None
    count = 0
    with os.fdopen(handle, "wb") as raw, gzip.open(raw, "wt", encoding="utf-8") as out:
        with read_one_moment():
            head = {
                "kind": _KIND,
                "secret": load_secret(folder),
                "migrations": sorted(
                    list(key) for key in MigrationRecorder(connection).applied_migrations()
                ),
            }
            out.write(json.dumps(head) + "\n")
            for line in _rows():
                out.write(line + "\n")
                count += 1
        out.write(json.dumps({"rows": count}) + "\n")
        out.flush()
        raw.flush()
        os.fsync(raw.fileno())
    return count


def _models() -> list[Any]:
    from django.apps import apps

    return [
        model
        for config in apps.get_app_configs()
        if config.label not in _NOT
        for model in config.get_models(include_auto_created=False)
    ]


def _rows() -> Iterator[str]:
    for model in _models():
        rows = model._default_manager.order_by("pk").iterator(chunk_size=1000)  # noqa: SLF001
        for row in rows:
            yield serializers.serialize("jsonl", [row]).strip()


def restore(address: str, folder: Path, file: Path) -> int:
    """Bring a server back into an empty database and folder; how many rows there were."""
    with _open(file) as lines:
        head = _head(lines, file)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        set_up(Options(address, head["secret"], "", folder=str(folder.absolute())))
        _make_tables(head["migrations"])
        count = 0
        with transaction.atomic():
            deferred = "SET CONSTRAINTS ALL DEFERRED"
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute(deferred)
            for line in lines:
                if line.startswith('{"rows"'):
                    break
                for row in serializers.deserialize("jsonl", line):
                    _bring(row)
                    count += 1
            else:
                raise InputError(f"{file} ends early: it was not written to its end")
            if json.loads(line)["rows"] != count:
                raise InputError(
                    f"{file} says it holds {json.loads(line)['rows']} rows, not {count}"
                )
        _count_on()
    secret = folder / "askpoint-secret"
    handle = os.open(secret, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        out.write(head["secret"])
    own_folder(folder)
    return count


def _bring(row: Any) -> None:
    kept = row.object
    if hasattr(kept, "restore"):  # what the database makes by itself from other rows
        kept.restore()
    else:
        row.save(force_insert=True)


def _open(file: Path) -> IO[str]:
    return gzip.open(file, "rt", encoding="utf-8")


def _head(lines: IO[str], file: Path) -> dict[str, Any]:
    try:
        head = json.loads(lines.readline())
    except (OSError, ValueError, EOFError):
        head = None
    if not isinstance(head, dict) or head.get("kind") != _KIND:
        raise InputError(f"{file} is not a backup of askpoint")
    return head


def _make_tables(migrations: list[list[str]]) -> None:
    """Make the tables in an empty database, as they were."""
    from django.core.management import call_command
    from django.db.migrations.loader import MigrationLoader

    tables = [name for name in connection.introspection.table_names() if "django_m" not in name]
    if tables:
        raise InputError(
            f"the database holds {len(tables)} tables already; restore into an empty one"
        )
    known = MigrationLoader(connection).graph.nodes
    strange = [key for key in map(tuple, migrations) if key not in known]
    if strange:
        raise InputError(
            f"the backup is of a newer askpoint, which knows {'.'.join(strange[0])}; restore with it"
        )
    missing = set(known) - set(map(tuple, migrations))
    if missing:
        app, name = min(missing)
        raise InputError(
            f"the backup is of an earlier askpoint, without {app}.{name}: restore with that one, "
            "then let this one serve it, which changes its tables"
        )
    call_command("migrate", verbosity=0, interactive=False)


def _count_on() -> None:
    """Let PostgreSQL number new rows after those that are there."""
    from django.core.management.color import no_style

    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), _models()):
            cursor.execute(statement)
