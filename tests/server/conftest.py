"""A server in this process: Django is set up once, and each test has a database of its own."""
# ruff: noqa: E402 - Django is set up before its models can be imported

from __future__ import annotations

import atexit
import copy
import functools
import os
import shutil
import tempfile
import uuid
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from cast import require
from luck import repeat_luck
from once import EMPTY_POSTGRES, folder_of_run, made_once

pytest.importorskip("django", reason="the server is an extra part")

from askpoint.server.boot import migrate, set_up
from askpoint.server.options import Options

_FOLDER = tempfile.mkdtemp(prefix="askpoint-tests-")
atexit.register(shutil.rmtree, _FOLDER, ignore_errors=True)
set_up(
    Options(
        "sqlite:////dev/null",
        "a secret for tests," * 3,
        "",
        models=("judge_me:score",),
        folder=_FOLDER,
    )
)

from django.conf import settings
from django.db import connection, connections, transaction
from django.test import Client
from django.test.utils import setup_test_environment

from askpoint.arena.server.examinations import services as examining
from askpoint.errors import ModelError
from askpoint.server.deployments import policy_state
from askpoint.server.deployments.policy_state import clear_states
from server.gallery import ImageStage
from server.in_use import InUse
from server.middleware import load_middleware_once
from server.stage import Stage
from server.talking import let_readings_be_counted, use
from server.tasks import worked_here
from server.workshop import model_folder

setup_test_environment()
load_middleware_once()
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(scope="session")
def empty_sqlite(tmp_path_factory):
    """A migrated SQLite file, to be copied."""

    def make(path):
        use(f"sqlite:///{path}")
        migrate()
        connections.close_all()

    return made_once(folder_of_run(tmp_path_factory), "empty.sqlite3", make)


@contextmanager
def new_postgres(template="template1"):
    """Talk to a new PostgreSQL database meanwhile, without tables or with those of a template; its URL."""
    server = require("postgres")
    url = create_postgres(server, template)
    use(url)
    yield url
    connections.close_all()
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(server, autocommit=True) as wire:
        wire.execute(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")


def create_postgres(server, template):
    """Create a database with a name of its own; its URL."""
    psycopg = pytest.importorskip("psycopg")
    name = f"askpoint_{os.getpid()}_{uuid.uuid4().hex[:6]}"
    with psycopg.connect(server, autocommit=True) as wire:
        wire.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    return urlsplit(server)._replace(path=f"/{name}").geturl()


@pytest.fixture(scope="session")
def empty_postgres(tmp_path_factory):
    """The URL of a migrated PostgreSQL database, a copy, which is dropped at the end."""

    server = require(
        "postgres"
    )  # before the first worker begins: each of them skips where there is none

    def make(path):
        url = create_postgres(server, "template1")
        path.write_text(url.rpartition("/")[2])  # the run drops it at its end, whatever happens
        use(url)
        migrate()
        connections.close_all()

    template = made_once(folder_of_run(tmp_path_factory), EMPTY_POSTGRES, make).read_text()
    with new_postgres(template) as url:
        yield url


@contextmanager
def copied(original, folder):
    """Talk to a copy of a SQLite file meanwhile; its path."""
    path = folder / "server.sqlite3"
    shutil.copy(original, path)
    use(f"sqlite:///{path}")
    yield path
    let_readings_be_counted()
    connections.close_all()


class Built(NamedTuple):
    """What was made once, the SQLite file that holds it, and what the process knew then of its policies."""

    made: object
    path: Path
    states: dict

    @contextmanager
    def again(self, folder, monkeypatch):
        """It for one test, on a copy of the file."""
        with copied(self.path, folder):
            clear_states()  # another test's policies have the same names
            policy_state._states.update(self.states)
            made = copy.deepcopy(self.made)
            if isinstance(made, Stage):
                made.speak_for_models(monkeypatch)
            yield made


@pytest.fixture(scope="session")
def build(empty_sqlite, tmp_path_factory):
    """Return a function that makes something on SQLite, once in a run: a stage of some class, or what a function makes."""

    @functools.cache
    def once(kind):
        folder = tmp_path_factory.mktemp("stage")
        with copied(empty_sqlite, folder) as path, pytest.MonkeyPatch.context() as monkeypatch:
            repeat_luck(kind.__qualname__, monkeypatch)
            clear_states()
            staged = isinstance(kind, type) and issubclass(kind, Stage)
            made = kind(monkeypatch) if staged else kind()
            return Built(made, path, dict(policy_state._states))

    return once


@pytest.fixture
def sqlite(empty_sqlite, tmp_path):
    """A SQLite database of this test's own; its URL."""
    with copied(empty_sqlite, tmp_path) as path:
        yield f"sqlite:///{path}"


@pytest.fixture
def stand(sqlite, build, tmp_path, monkeypatch):
    """Return a function: what a function makes, on a copy of the SQLite file where it was made once in a run."""
    del sqlite
    with ExitStack() as stack:
        yield lambda kind: stack.enter_context(build(kind).again(tmp_path, monkeypatch))


@pytest.fixture
def emptied_postgres(empty_postgres, request):
    """The PostgreSQL database, with nothing in it; its URL.

    Only a long run waits for the disk at each commit: its figures are of a server in earnest.
    """
    use(empty_postgres)
    waits = "on" if request.node.get_closest_marker("soak") else "off"
    with connection.cursor() as cursor:
        name = connection.settings_dict["NAME"]
        cursor.execute(f"ALTER DATABASE {name} SET synchronous_commit = {waits}")
        empty_all_tables(cursor)
    connections.close_all()
    yield empty_postgres
    let_readings_be_counted()
    connections.close_all()


def empty_all_tables(cursor):
    """Delete all rows and begin all numbers again: ten times as fast as to truncate each table."""
    tables = [name for name in connection.introspection.table_names() if "django_m" not in name]
    filled = "SELECT '{0}' WHERE EXISTS (SELECT 1 FROM {0})"
    cursor.execute(" UNION ALL ".join(filled.format(name) for name in tables))
    filled = [name for (name,) in cursor.fetchall()]
    with transaction.atomic():
        for name in filled:  # the ledger refuses to be emptied
            cursor.execute(f"ALTER TABLE {name} DISABLE TRIGGER USER")
        for name in filled:
            cursor.execute(f"DELETE FROM {name}")  # noqa: S608 - a table of our own
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for name in filled:
            cursor.execute(f"ALTER TABLE {name} ENABLE TRIGGER USER")
        cursor.execute(
            "SELECT setval(format('%I.%I', schemaname, sequencename), 1, false)"
            " FROM pg_sequences WHERE sequencename NOT LIKE 'django_m%'"
        )


@pytest.fixture(params=["sqlite", "emptied_postgres"], ids=["sqlite", "postgres"])
def database(request):
    """Each database in turn; its URL."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def stand_on_each(database, request):
    """Return a function: the same on each database, whose URL is `database`."""
    if database.startswith("sqlite"):
        return request.getfixturevalue("stand")
    return lambda kind: kind()


@pytest.fixture
def stage(build, tmp_path, monkeypatch):
    """A campaign on SQLite with its cast, and a model that answers at once."""
    with build(Stage).again(tmp_path, monkeypatch) as stage:
        yield stage


@pytest.fixture
def in_use(stand):
    """A classifier in use with its people."""
    return stand(InUse)


@pytest.fixture
def no_process():
    """No log has a process of its own."""
    with worked_here():
        yield


@pytest.fixture
def gallery(build, tmp_path, monkeypatch):
    """The same campaign about images."""
    with build(ImageStage).again(tmp_path, monkeypatch) as stage:
        yield stage


@pytest.fixture
def workshop(stage, tmp_path, monkeypatch):
    """The campaign, in a folder with a model that can be run."""
    with model_folder(tmp_path, monkeypatch):
        yield stage


@pytest.fixture
def both(database, request, monkeypatch):
    """The same on each database, whose URL is `database`."""
    if database.startswith("sqlite"):
        return request.getfixturevalue("stage")
    return Stage(monkeypatch)


@pytest.fixture
def enter():
    """Return a function: a browser of somebody who is signed in."""

    def client(user=None):
        browser = Client()
        if user is not None:
            browser.force_login(user)
        return browser

    return client


@pytest.fixture
def answers(monkeypatch):
    """Return a function: let the model answer from now on, in the stage's words, or fail."""

    def let(stage, fails=lambda _: ""):
        asked = []

        def ask_many(_, cases):
            asked.append(len(cases))
            for case in cases:
                if fails(case):
                    raise ModelError(fails(case))
            return [stage.ask(None, case) for case in cases]

        monkeypatch.setattr(examining, "ask_many", ask_many)
        return asked

    return let
