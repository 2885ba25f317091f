"""How a server is run: what the command line says, handed to every process of it."""

from __future__ import annotations

import ctypes
import json
import os
import secrets
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from askpoint.errors import InputError

__all__ = ["Options", "load_secret", "options_of_parent", "own_folder"]

_VARIABLE = "ASKPOINT_SERVER"
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class Options:
    """How a server is run.

    Parameters
    ----------
    database : str
        sqlite:///FILE or postgresql://USER:PASSWORD@HOST:PORT/NAME.
    secret : str
        Signs sessions and links.
    sockets : str
        A short path to a private folder, where scorer processes listen.
    host, port : str and int
        Where it listens.
    workers, threads : int
        Processes that answer requests, and threads in each.
    url : str, default=""
        The public address, if a proxy that speaks https stands in front.
    plain_http : bool, default=False
        Whether others than this machine may come without https.
    demo : bool, default=False
        Whether visitors may enter as one of the demo's people.
    models : tuple of str, default=()
        Functions ("module:function") that may be played against.
    model_python : str, default=""
        The Python that runs them; without it, the server's own.
    model_variables : tuple of str, default=()
        Variables of the environment that they get beside the usual ones.
    model_keys : tuple of str, default=()
        Keys of models behind an address, ORIGIN=FILE or ORIGIN=env:NAME.
    model_networks : tuple of str, default=()
        Private networks where models may be asked.
    model_sandbox : str, default="try"
        require, try or off: the box around these functions.
    model_reads : tuple of str, default=()
        What they may read beside their own folder and Python.
    folder : str, default=""
        Where logs that were sent wait to be read; without it, the system's folder for such files.
    most_log : int, default=200_000_000
        Bytes of such a log.
    second_factor : str, default=""
        required or offered, to whoever owns or pays; without it, required where there is a public address.
    openid : tuple of str, default=()
        Files that describe companies by whose OpenID Connect people may sign in.
    works_as : str, default=""
        While the owner of the tables prepares them: the role that is to work with them.
    """

    database: str
    secret: str
    sockets: str
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 2
    threads: int = 8
    url: str = ""
    plain_http: bool = False
    demo: bool = False
    models: tuple[str, ...] = ()
    model_python: str = ""
    model_variables: tuple[str, ...] = ()
    model_keys: tuple[str, ...] = ()
    model_networks: tuple[str, ...] = ()
    model_sandbox: str = "try"
    model_reads: tuple[str, ...] = ()
    folder: str = ""
    most_log: int = 200_000_000
    second_factor: str = ""
    openid: tuple[str, ...] = ()
    works_as: str = ""

    def __post_init__(self) -> None:
        for name in (
            "models",
            "model_variables",
            "model_keys",
            "model_networks",
            "model_reads",
            "openid",
        ):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        if self.url and urlsplit(self.url).scheme != "https":
            raise InputError(f"--url is the public https address of the proxy; got {self.url!r}")
        if not (self.is_local or self.url or self.plain_http):
            raise InputError(
                f"on {self.host} passwords would travel in the clear: put a proxy with https in "
                "front and say --url https://NAME, or say --plain-http on a private network"
            )
        if self.demo and not self.is_local:
            raise InputError("the demo has no passwords: it runs on this machine only")

    @property
    def factor(self) -> str:
        """Whether whoever owns or pays must have a second factor: required, or offered."""
        return self.second_factor or ("required" if self.url else "offered")

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in _LOOPBACK

    @property
    def address(self) -> str:
        """What to type into a browser."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return self.url or f"http://{host}:{self.port}"

    @property
    def allowed_hosts(self) -> list[str]:
        """Names under which browsers may ask for it."""
        local = ["127.0.0.1", "localhost", "[::1]"]
        if self.url:
            return [*local, urlsplit(self.url).hostname or ""]
        return local if self.is_local else ["*"]

    @property
    def uploads(self) -> Path:
        """The folder of logs that wait; made where it is not there, for its owner only."""
        folder = Path(self.folder or tempfile.gettempdir()) / "askpoint-uploads"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder

    def environment(self) -> dict[str, str]:
        """Return an environment that hands these options to a child; no secret in its argv."""
        return {**os.environ, _VARIABLE: json.dumps(asdict(self))}


def options_of_parent() -> Options:
    """Return the options that the parent process handed down, and wipe them from the environment.

    Linux shows whoever runs as the same user what a process was started with, as long as it stands there.
    """
    given = os.environ.pop(_VARIABLE)
    if sys.platform == "linux":
        _wipe(_VARIABLE, given)
    return Options(**json.loads(given))


def _wipe(name: str, given: str) -> None:
    """Overwrite a variable where the kernel shows what this process was started with."""
    start = Path("/proc/self/stat").read_text("ascii").rpartition(")")[2].split()
    begin, end = int(start[47]), int(start[48])  # env_start, env_end of proc(5)
    block = ctypes.string_at(begin, end - begin)
    place = block.find(f"{name}={given}".encode())
    if place >= 0:
        ctypes.memset(begin + place, ord("-"), len(name) + 1 + len(given.encode()))


def own_folder(folder: Path) -> None:
    """Leave a server's folder, and what lies in it, to its owner alone."""
    if folder.stat().st_uid == os.getuid():
        folder.chmod(0o700)
        for path in folder.glob("askpoint*"):
            if path.is_file():
                path.chmod(0o600)


def load_secret(folder: Path) -> str:
    """Return the secret kept in `folder`; made when the server first runs, for its owner only."""
    path = folder / "askpoint-secret"
    try:
        return path.read_text("utf-8").strip()
    except FileNotFoundError:
        folder.mkdir(parents=True, exist_ok=True)
    # written whole under another name first: two that start at once agree on one secret
    handle, name = tempfile.mkstemp(dir=folder)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(secrets.token_urlsafe(48))
    try:
        os.link(name, path)
    except FileExistsError:
        pass
    finally:
        Path(name).unlink()
    return path.read_text("utf-8").strip()
