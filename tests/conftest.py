"""What a test may ask for by name."""

from __future__ import annotations

import os
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, settings

from cast import data_folder, require
from once import drop_copied, folder_of_run
from reading import Reader

# A busy machine is slow, not wrong: no example fails by the time that it takes.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")


class _PatientSys:
    """`sys` as `threading` sees it; where two threads begin to be traced at once, the second tries again.

    CPython 3.11 refuses the second in place of letting it wait, and the thread ends before its first line: under
    coverage a server or whoever looks up a name was then missing, once in some whole runs.
    """

    def __getattr__(self, name: str) -> object:
        return getattr(sys, name)

    def settrace(self, function: object) -> None:
        for _ in range(1000):
            try:
                return sys.settrace(function)  # type: ignore[arg-type]
            except RuntimeError:
                time.sleep(0.001)
        return sys.settrace(function)  # type: ignore[arg-type]


threading._sys = _PatientSys()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Drop what all workers copied, when the last has ended."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        factory = session.config._tmp_path_factory
        drop_copied(folder_of_run(factory), os.environ.get("ASKPOINT_POSTGRES"))


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of shared real data."""
    return data_folder()


@pytest.fixture(scope="session")
def chromium() -> str:
    """The program to drive with playwright (`executable_path`)."""
    program = require("chromium")
    from playwright.sync_api import expect

    expect.set_options(timeout=60_000)  # milliseconds: a busy machine is slow, not wrong
    return program


@pytest.fixture(scope="session")
def reader() -> Iterator[Reader]:
    """Whoever reads a report's page in a browser, and says what is hard to read in it."""
    reading = Reader()
    yield reading
    reading.close()


@pytest.fixture(scope="session")
def postgres() -> str:
    """The URL of a PostgreSQL server where databases may be made."""
    return require("postgres")


@pytest.fixture(scope="session")
def deployments_database(postgres: str) -> Iterator[str]:
    """The URL of a PostgreSQL database of this run's own."""
    psycopg = pytest.importorskip("psycopg")
    name = f"askpoint_{os.getpid()}_{uuid.uuid4().hex[:6]}"
    with psycopg.connect(postgres, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0")
        yield urlsplit(postgres)._replace(path=f"/{name}").geturl()
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def postgres_address(deployments_database: str) -> str:
    """The address of a deployment in PostgreSQL that is not there yet; no power is cut in tests."""
    quick = "options=-c%20synchronous_commit%3Doff"
    return f"{deployments_database}?deployment=t{uuid.uuid4().hex[:12]}&{quick}"
