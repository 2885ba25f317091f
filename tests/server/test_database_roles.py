"""The server's role writes rows, and cannot touch what guards them; tried on a PostgreSQL of the test's own."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import psycopg
import pytest
from django.db import connections

from askpoint.errors import InputError
from askpoint.server.boot import migrate
from askpoint.server.database_roles import let_work, owner_warning
from server.talking import use


@pytest.fixture
def cluster():
    """A PostgreSQL server with two roles; its address for one of them."""
    programs = [shutil.which(name) for name in ("initdb", "pg_ctl")]
    if None in programs:
        pytest.skip("no initdb: a second role needs a PostgreSQL of one's own")
    user = "nobody" if os.getuid() == 0 else None  # PostgreSQL does not run as root
    folder = Path(tempfile.mkdtemp(prefix="askpoint-pg-"))
    if user:
        os.chown(folder, pwd.getpwnam(user).pw_uid, -1)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def run(*words):
        done = subprocess.run(
            words, user=user, cwd=folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr

    data = str(folder / "data")
    run(programs[0], "-D", data, "-U", "root", "--auth=trust", "--no-sync")
    how = f"-p {port} -c listen_addresses=127.0.0.1 -c fsync=off -k {folder}"
    run(programs[1], "-D", data, "-o", how, "-l", str(folder / "log"), "-w", "start")
    try:
        with psycopg.connect(
            f"postgresql://root@127.0.0.1:{port}/postgres", autocommit=True
        ) as wire:
            for role in ("owner", "works"):
                wire.execute(f"CREATE ROLE {role} LOGIN")
            wire.execute("CREATE DATABASE askpoint OWNER owner")
        yield lambda role: f"postgresql://{role}@127.0.0.1:{port}/askpoint"
        connections.close_all()
    finally:
        run(programs[1], "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder)


def test_the_servers_role_writes_rows_and_drops_no_guard(cluster):
    use(cluster("owner"))
    migrate()
    assert "owns its tables" in owner_warning()
    with pytest.raises(InputError, match="no role"):
        let_work("nobody-here")
    with pytest.raises(InputError, match="is the owner"):
        let_work("owner")
    let_work("works")
    let_work("works")  # at each start
    use(cluster("works"))
    assert owner_warning() == ""
    with psycopg.connect(cluster("works"), autocommit=True) as wire:
        assert wire.execute("INSERT INTO jobs_beat (id, at) VALUES (1, now())").rowcount == 1
        assert wire.execute("UPDATE jobs_beat SET at = now()").rowcount == 1
        for words in (
            "TRUNCATE ledger_entry",
            "DROP TABLE ledger_entry CASCADE",
            "ALTER TABLE ledger_entry DISABLE TRIGGER ALL",
            "ALTER TABLE journal_logline DISABLE TRIGGER ALL",
            "ALTER TABLE ledger_posting OWNER TO works",
            "CREATE TABLE more (x int)",
            "SET ROLE owner",
            "SET session_replication_role = replica",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                wire.execute(words)
        triggers = "SELECT tgname FROM pg_trigger WHERE tgrelid = 'ledger_entry'::regclass AND NOT tgisinternal"
        names = [name for (name,) in wire.execute(triggers)]
        assert names
        for name in names:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                wire.execute(f'DROP TRIGGER "{name}" ON ledger_entry')


def test_sqlite_has_no_roles(sqlite):
    assert owner_warning() == ""
    with pytest.raises(InputError, match="SQLite has no roles"):
        let_work("works")
