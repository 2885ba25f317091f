"""Scorer processes: started with little around them, watched over, started again."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import askpoint.server.classifiers.sandbox as sandbox
import askpoint.server.classifiers.scorer as scorer

__all__ = [
    "ModelBox",
    "Scorer",
    "Stopped",
    "Supervisor",
    "box_of",
    "socket_path",
    "surroundings",
    "trouble_of",
]

_LONGEST_WAIT = 30.0
_LONGEST_START = 30.0
_KEPT = frozenset(
    (
        *("PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "VIRTUAL_ENV"),
        *("PYTHONPATH", "PYTHONHOME", "PYTHONUTF8", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE"),
        *("LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "SSL_CERT_FILE", "SSL_CERT_DIR", "HF_HOME"),
        *("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"),
    )
)
"""Variables that a model may need to run, and that hold no secret."""

_MODULES = {
    "http": "askpoint.server.classifiers.remote",
    "chat": "askpoint.server.classifiers.remote",
    "pages": "askpoint.arena.server.pages.process",
    "images": "askpoint.server.uploads.process",
}
"""What runs instead of a function, by the adapter."""

_BOXED = ("images",)
"""Those of them that need no network."""


def surroundings(environment: Mapping[str, str], also: tuple[str, ...] = ()) -> dict[str, str]:
    """Return the variables that a model's process gets: few that are known, and those named."""
    return {
        name: value
        for name, value in environment.items()
        if name in _KEPT or name in also or name.startswith("LC_")
    }


def socket_path(folder: str, name: str) -> str:
    """Return where the process of a model listens."""
    return str(Path(folder) / f"{name}.sock")


def trouble_of(folder: str, name: str) -> str:
    """Return why a model's process does not run, as its supervisor knows; nothing if it does."""
    try:
        return Path(folder, f"{name}.trouble").read_text("utf-8")
    except FileNotFoundError:
        return ""


def box_of(folder: str, name: str) -> str:
    """Return what the box around a model's process is made of; nothing where there is none."""
    try:
        return Path(folder, f"{name}.box").read_text("utf-8")
    except FileNotFoundError:
        return ""


@dataclass(frozen=True)
class ModelBox:
    """The box around functions and around the reader of images; see `askpoint.server.classifiers.sandbox`.

    Parameters
    ----------
    mode : str
        require, try or off.
    reads : tuple of str
        What a model may read beside its own folder and Python.
    hidden : tuple of str
        Folders and files that it must not read, wherever they lie.
    """

    mode: str = "off"
    reads: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()

    def program(self, python: str, words: list[str], socket: str) -> list[str]:
        """Return the program that closes the box and becomes Python with these words."""
        if self.mode == "off":
            return [python, *words]
        hidden = [Path(path) for path in self.hidden]
        own = sandbox.readable_paths(Path.cwd(), hidden)
        box = {
            "mode": self.mode,
            "reads": [scorer.__file__, *own, *self.reads],
            "writes": [str(Path(socket).parent)],
            "hidden": list(self.hidden),
        }
        return [python, "-P", sandbox.__file__, json.dumps(box), *words]


@dataclass(frozen=True)
class Stopped:
    """A case at which a function's process ended.

    Parameters
    ----------
    classifier : str
        The model's name among the processes.
    asked : dict
        What it was asked: the cases, and from whom.
    hung : bool
        Whether it took too long and was ended, or ended by itself.
    """

    classifier: str
    asked: dict[str, Any]
    hung: bool


class Scorer:
    """One process that answers for one model."""

    def __init__(
        self,
        config: dict[str, Any],
        path: str,
        python: str = "",
        also: tuple[str, ...] = (),
        box: ModelBox | None = None,
    ) -> None:
        self.path, self.config = path, config
        self.sandbox: list[str] = []
        self.ready = self.answered = False
        self.problem = ""
        self._said = b""
        self._forget()
        module = _MODULES.get(config["adapter"])
        # -P: the folder of scorer.py must not stand in the way of the model's own modules
        python, words = python or sys.executable, ["-P", scorer.__file__]
        if module is not None:
            python, words = sys.executable, ["-P", "-m", module]
        boxed = module is None or config["adapter"] in _BOXED
        what = (box or ModelBox()).program(python, words, path) if boxed else [python, *words]
        self._process = subprocess.Popen(
            what,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=surroundings(os.environ, also),
        )
        with contextlib.suppress(BrokenPipeError):
            self._stdin.write(json.dumps({**config, "socket": path}).encode() + b"\n")
            self._stdin.flush()

    @property
    def _stdin(self) -> Any:
        return self._process.stdin

    def is_running(self) -> bool:
        """Tell whether it still runs."""
        return self._process.poll() is None

    def listen(self, seconds: float = 0.0) -> bool:
        """Hear what it says of itself; whether there was anything."""
        out = self._process.stdout
        if out is None or not select.select([out], [], [], seconds)[0]:
            return False
        said = os.read(out.fileno(), 4096)
        *lines, self._said = (self._said + said).split(b"\n")
        for line in lines:
            words = json.loads(line)
            self.ready |= words.get("ready", False)
            self.answered |= words.get("answered", False)
            self.problem = words.get("error", self.problem)
            self.sandbox = words.get("sandbox", self.sandbox)
        return bool(said)

    def wait_until_ready(self) -> str:
        """Wait until it answers; return what went wrong, or nothing."""
        watch = threading.Timer(_LONGEST_START, self._process.kill)
        watch.start()
        while not (self.ready or self.problem) and self.listen(_LONGEST_START):
            pass
        watch.cancel()
        return "" if self.ready else self.problem or "it ended while starting"

    def last_request(self) -> tuple[dict[str, Any], bool] | None:
        """Return what it was asked when it ended, and whether it hung; None if it was asked nothing."""
        for hung, ending in ((True, ".hung"), (False, ".now")):
            with contextlib.suppress(FileNotFoundError, ValueError):
                return json.loads(Path(f"{self.path}{ending}").read_bytes()), hung
        return None

    def _forget(self) -> None:
        for ending in ("", ".now", ".hung"):
            Path(f"{self.path}{ending}").unlink(missing_ok=True)

    def stop(self) -> None:
        """End it, and wait until it is gone."""
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(BrokenPipeError):
                if pipe is not None:
                    pipe.close()
        self._process.kill()
        self._process.wait()
        self._forget()


@dataclass
class Supervisor:
    """Keeps one scorer process for each model; one that dies is started again.

    The longer it fails, the longer is waited before the next start; an answer ends that.

    Parameters
    ----------
    folder : str
        Where they listen.
    python : str
        What runs functions.
    also : tuple of str
        Variables that their processes get beside the usual ones.
    stopped : callable, optional
        Called with each `Stopped`.
    box : ModelBox, optional
        What is closed around functions.
    """

    folder: str
    python: str = ""
    also: tuple[str, ...] = ()
    stopped: Callable[[Stopped], None] | None = None
    box: ModelBox = field(default_factory=ModelBox)
    _scorers: dict[str, Scorer] = field(default_factory=dict)
    _failures: dict[str, int] = field(default_factory=dict)
    _not_before: dict[str, float] = field(default_factory=dict)

    def watch(self, wanted: dict[str, dict[str, Any]]) -> None:
        """Start what is wanted and does not run, stop the rest; called again and again."""
        for name in set(self._scorers) - set(wanted):
            self._end(name)
        for name, config in wanted.items():
            if "refused" in config:
                self._tell(name, config["refused"])
                continue
            running = self._scorers.get(name)
            if running is not None and not self._is_well(name, running):
                self._end(name)
                self._failures[name] = self._failures.get(name, 0) + 1
                wait = min(_LONGEST_WAIT, 0.2 * 2 ** self._failures[name])
                self._not_before[name] = time.monotonic() + wait
            if name not in self._scorers and time.monotonic() >= self._not_before.get(name, 0.0):
                path = socket_path(self.folder, name)
                self._scorers[name] = Scorer(config, path, self.python, self.also, self.box)

    def _is_well(self, name: str, running: Scorer) -> bool:
        runs = running.is_running()
        while running.listen():
            pass
        if running.answered:
            self._failures.pop(name, None)
        if running.ready and runs:
            self._tell(name, "")
            Path(self.folder, f"{name}.box").write_text(", ".join(running.sandbox), "utf-8")
        elif not runs:
            self._tell(name, running.problem or "it ended; it is started again")
            at = running.last_request()
            if at is not None and self.stopped is not None:
                self.stopped(Stopped(name, *at))
        return runs

    def _tell(self, name: str, trouble: str) -> None:
        """Leave word for the processes that answer requests."""
        path = Path(self.folder, f"{name}.trouble")
        if not trouble:
            path.unlink(missing_ok=True)
            return
        new = path.with_suffix(".new")
        new.write_text(trouble, "utf-8")
        new.replace(path)

    def _end(self, name: str) -> None:
        self._scorers.pop(name).stop()

    def stop(self) -> None:
        """End all."""
        self.watch({})
