"""Scorer processes: started, watched over, started again."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import askpoint.server.classifiers.scorer as scorer

__all__ = ["Scorer", "Supervisor", "socket_path"]

_LONGEST_WAIT = 30.0
_LONGEST_START = 30.0


def socket_path(folder: str, name: str) -> str:
    """Return where the process of a model listens."""
    return str(Path(folder) / f"{name}.sock")


class Scorer:
    """One process that answers for one model."""

    def __init__(self, config: dict[str, Any], path: str, python: str = "") -> None:
        self.path = path
        Path(path).unlink(missing_ok=True)
        # -P: the folder of scorer.py must not stand in the way of the model's own modules
        self._process = subprocess.Popen(
            [python or sys.executable, "-P", scorer.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        with contextlib.suppress(BrokenPipeError):
            self._stdin.write(json.dumps({**config, "socket": path}) + "\n")
            self._stdin.flush()

    @property
    def _stdin(self) -> Any:
        return self._process.stdin

    def is_running(self) -> bool:
        """Tell whether it still runs."""
        return self._process.poll() is None

    def started(self) -> str:
        """Wait until it answers; return what went wrong, or nothing."""
        watch = threading.Timer(_LONGEST_START, self._process.kill)
        watch.start()
        line = self._process.stdout.readline() if self._process.stdout else ""
        watch.cancel()
        said = json.loads(line) if line.startswith("{") else {}
        if said.get("ready"):
            return ""
        return said.get("error", "it ended while starting")

    def stop(self) -> None:
        """End it, and wait until it is gone."""
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(BrokenPipeError):
                if pipe is not None:
                    pipe.close()
        self._process.kill()
        self._process.wait()
        Path(self.path).unlink(missing_ok=True)


@dataclass
class Supervisor:
    """Keeps one scorer process for each model; one that dies is started again.

    Parameters
    ----------
    folder : str
        Where they listen.
    python : str
        What runs functions.
    """

    folder: str
    python: str = ""
    _scorers: dict[str, Scorer] = field(default_factory=dict)
    _failures: dict[str, int] = field(default_factory=dict)
    _not_before: dict[str, float] = field(default_factory=dict)

    def watch(self, wanted: dict[str, dict[str, Any]]) -> None:
        """Start what is wanted and does not run, stop the rest; called again and again."""
        for name in set(self._scorers) - set(wanted):
            self._scorers.pop(name).stop()
        for name, config in wanted.items():
            running = self._scorers.get(name)
            if running is not None and running.is_running():
                continue
            if running is not None:
                running.stop()
                del self._scorers[name]
                self._failures[name] = self._failures.get(name, 0) + 1
                wait = min(_LONGEST_WAIT, 0.2 * 2 ** self._failures[name])
                self._not_before[name] = time.monotonic() + wait
            if time.monotonic() >= self._not_before.get(name, 0.0):
                path = socket_path(self.folder, name)
                python = self.python if config["adapter"] == "callable" else ""
                self._scorers[name] = Scorer(config, path, python)

    def stop(self) -> None:
        """End all."""
        self.watch({})
