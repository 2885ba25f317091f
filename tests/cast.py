"""What tests need from outside the project: the shared data, a browser, a database, Spark, a broker, objects, and time.

Who lacks it skips those tests. Where ASKPOINT_REQUIRE names it (as `.ci/run` does, with commas),
its lack is a failure instead.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest

__all__ = ["data_folder", "fewer", "require"]


def _data() -> str | None:
    folder = os.environ.get("ASKPOINT_DATA")
    return folder if folder and Path(folder, "README.md").is_file() else None


_BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")


def _chromium() -> str | None:
    # The shell first: the same engine without the windows of a browser, whose own pages run in four more processes.
    return next(filter(None, map(shutil.which, _BROWSERS)), None)


def _postgres() -> str | None:
    url = os.environ.get("ASKPOINT_POSTGRES")
    if not url:
        return None
    parts = urlsplit(url)
    try:
        socket.create_connection((parts.hostname, parts.port or 5432), timeout=2).close()
    except OSError:
        return None
    return url


def _weka() -> str | None:
    return shutil.which("java") if importlib.util.find_spec("weka") else None


def _whole() -> str | None:
    return os.environ.get("ASKPOINT_WHOLE") or None


def _spark() -> str | None:
    return shutil.which("java") if importlib.util.find_spec("pyspark") else None


def _kafka() -> str | None:
    return importlib.util.find_spec("confluent_kafka") and "confluent_kafka"


def _objects() -> str | None:
    server = os.environ.get("ASKPOINT_OBJECTS", "")
    return server if Path(server).is_file() and importlib.util.find_spec("obstore") else None


_FINDERS = {
    "data": (_data, "set ASKPOINT_DATA to the folder of real data sets"),
    "chromium": (_chromium, "install Chromium"),
    "postgres": (_postgres, "set ASKPOINT_POSTGRES to postgresql://USER:PASSWORD@HOST:PORT/NAME"),
    "spark": (_spark, "install Java, and the extra [spark]"),
    "weka": (_weka, "install Java, and the extra [weka]"),
    "kafka": (_kafka, "install the dependency group services"),
    "objects": (
        _objects,
        "install the extra [archive], and set ASKPOINT_OBJECTS to moto_server: make .venv/objects/ready",
    ),
    "whole": (_whole, "set ASKPOINT_WHOLE=1 for what `.ci/run` runs besides"),
}


def require(name: str) -> str:
    """Return where `name` is: "data" a folder, "chromium", "spark", "weka" and "objects" a program, "postgres" a URL, "kafka" a package.

    "whole" is the time for a run of everything, which the marker `whole` asks for.

    Skips the test where it is missing, or fails it where ASKPOINT_REQUIRE names it.
    """
    required = set(filter(None, os.environ.get("ASKPOINT_REQUIRE", "").split(",")))
    if not required <= set(_FINDERS):
        pytest.fail(
            f"ASKPOINT_REQUIRE={','.join(sorted(required))}: known are {', '.join(_FINDERS)}"
        )
    find, hint = _FINDERS[name]
    found = find()
    if found is not None:
        return found
    if name in required:
        pytest.fail(f"{name} is required and missing: {hint}")
    pytest.skip(f"no {name}: {hint}")


def fewer(examples: int) -> int:
    """Return how many of so many examples a law is tried on: a quarter, five at least, unless in a whole run."""
    return examples if _whole() else min(examples, max(examples // 4, 5))


def data_folder() -> Path:
    """The folder of shared real data."""
    return Path(require("data"))
