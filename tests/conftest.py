"""What a test may ask for by name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from cast import data_folder, require
from reading import Reader

# A busy machine is slow, not wrong: no example fails by the time that it takes.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")


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
