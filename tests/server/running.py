"""A real server, in processes of its own, on this machine only."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from audit import SOURCE

__all__ = ["Server"]

_MODEL = """
def score(cases):
    return [look(case) if isinstance(case, str) else 0.05 for case in cases]

def look(text):
    return 0.97 if "badword" in text else 0.45 if "hm" in text else 0.05
"""


def _free_port():
    with socket.socket() as wire:
        wire.bind(("127.0.0.1", 0))
        return wire.getsockname()[1]


class Server:
    """A server in processes of its own."""

    def __init__(self, folder, database, *words, port=None, source=SOURCE.parent):
        # a model reads the folder in which the server starts, and nothing of the server's own
        models = folder.with_name(f"{folder.name}-models")
        models.mkdir(exist_ok=True)
        (models / "toy_model.py").write_text(_MODEL)
        self.port = port or _free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = folder / "server.log"
        command = [sys.executable, "-m", "askpoint", "serve", "--folder", str(folder)]
        command += ["--port", str(self.port), "--model", "toy_model:score", *words]
        given = {"ASKPOINT_DATABASE": database} if database else {}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command,
                cwd=models,
                env={**os.environ, **given, "PYTHONPATH": str(source)},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait(self, seconds=180):
        """Wait until it answers; one that does not is ended."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            try:
                with urllib.request.urlopen(f"{self.address}/health/", timeout=1):  # noqa: S310
                    return self
            except OSError:
                assert self.process.poll() is None, self.log.read_text()
                time.sleep(0.1)
        self.stop()
        raise AssertionError(self.log.read_text())

    @property
    def first_link(self):
        """The first organiser's."""
        return re.search(r"http://\S+/join/\S+", self.log.read_text()).group()

    def cpu_seconds(self):
        """What its processes have used of the processors so far."""
        total = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rpartition(")")[2].split()
            except OSError:  # it has just ended
                continue
            if int(fields[2]) == self.process.pid:  # its process group
                total += int(fields[11]) + int(fields[12])
        return total / os.sysconf("SC_CLK_TCK")

    def stop(self):
        """End it."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)

    def kill(self):
        """End all its processes at once, as a power cut does."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(20)
