"""What is made once in a run of tests, by whichever worker wants it first."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

__all__ = ["EMPTY_POSTGRES", "drop_copied", "folder_of_run", "made_once"]

EMPTY_POSTGRES = "empty.postgres"
"""Where the name of the database stands that workers copy."""


def folder_of_run(factory: pytest.TempPathFactory) -> Path:
    """Return the folder of temporary files that all workers of a run see."""
    home = factory.getbasetemp()
    return home.parent if "PYTEST_XDIST_WORKER" in os.environ else home


def made_once(folder: Path, name: str, make: Callable[[Path], object]) -> Path:
    """Return the file that `make` writes for the first worker who asks; the others wait."""
    path, made = folder / name, folder / f"{name}.made"
    try:
        (folder / f"{name}.begun").touch(exist_ok=False)
    except FileExistsError:
        ends = time.monotonic() + 600
        while not made.exists():
            assert time.monotonic() < ends, f"no worker has made {path}"
            time.sleep(0.05)
    else:
        try:
            make(path)
        finally:
            made.touch()
    assert path.exists(), f"whoever was to make {path} has failed"
    return path


def drop_copied(folder: Path, server: str | None) -> None:
    """Drop the PostgreSQL database that a run's workers copied, if they did: its name stands in a file."""
    path = folder / EMPTY_POSTGRES
    if path.exists() and server:
        import psycopg

        with psycopg.connect(server, autocommit=True) as wire:
            wire.execute(f"DROP DATABASE {path.read_text()} WITH (FORCE)")
        path.unlink()
