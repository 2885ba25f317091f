"""A box around a model's process: it reads what it needs to run, and reaches no secret, database or network.

Run by the model's own Python, before the model, it closes the box and becomes the program that is named: so it imports
nothing but the standard library. Landlock leaves the files of a list to be read and forbids TCP; namespaces take the
network and the folders of database sockets away; `no_new_privs` and limits do the rest. What the kernel does not
offer is left out and said, or refused where the box is required.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import sys
from collections.abc import Iterable
from pathlib import Path

__all__ = ["close_box", "main", "readable_paths"]

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # Landlock's system calls, the same on all machines
_NO_NEW_PRIVILEGES = 38
_NEW_USER, _NEW_NET, _NEW_MOUNT, _NEW_IPC = 0x10000000, 0x40000000, 0x00020000, 0x08000000
_PRIVATE = 0x44000  # MS_REC | MS_PRIVATE

_FILE_BITS = 0b1100000000000111  # execute, write, read, truncate, ioctl
_READ = 0b1101  # execute, read file, read folder
_LIST = 0b1000  # the names in a folder: Python looks for modules by them
_ABI_BITS = ((5, 16), (3, 15), (2, 14), (1, 13))  # from a version on, so many kinds of access

_SYSTEM = (
    *("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime", "/etc/ssl/certs"),
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/filesystems", "/sys/devices/system/cpu"),
    *("/dev/urandom", "/dev/random", "/dev/zero"),
)
_DATABASE_SOCKETS = ("/run/postgresql", "/var/run/postgresql")


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("access", ctypes.c_uint64), ("folder", ctypes.c_int32))


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def readable_paths(folder: Path, kept_from: Iterable[Path]) -> list[str]:
    """Return what a model may read of its own folder: all of it, but what holds what it is kept from."""
    secret = [path.resolve() for path in kept_from]
    folder = folder.resolve()
    if not any(path.is_relative_to(folder) for path in secret):
        return [str(folder)] if not any(folder.is_relative_to(path) for path in secret) else []
    found = []
    for path in sorted(folder.iterdir()):
        whole = path.resolve()
        if not any(it.is_relative_to(whole) or whole.is_relative_to(it) for it in secret):
            found.append(str(path))
    return found


def _landlock(reads: Iterable[str], writes: Iterable[str], lists: Iterable[str]) -> str:
    """Leave only these paths to be read, written or listed; return the version, or nothing where there is none."""
    libc = _libc()
    version = libc.syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    if version < 1:
        return ""
    bits = next(bits for least, bits in _ABI_BITS if version >= least)
    all_files = (1 << bits) - 1
    rules = _Ruleset(all_files, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    handle = libc.syscall(_CREATE, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint32(0))
    if handle < 0:
        return ""
    for paths, access in (
        (reads, _READ),
        (writes, all_files),
        (lists, _LIST),
        (("/dev/null",), 0b110),
    ):
        for path in paths:
            with contextlib.suppress(OSError):
                _allow(libc, handle, path, access & all_files)
    done = libc.syscall(_RESTRICT, handle, ctypes.c_uint32(0))
    os.close(handle)
    return f"Landlock {version}" if done == 0 else ""


def _allow(libc: ctypes.CDLL, handle: int, path: str, access: int) -> None:
    folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not Path(path).is_dir():
            access &= _FILE_BITS
        rule = _Beneath(access, folder)
        libc.syscall(_ADD, handle, ctypes.c_int(1), ctypes.byref(rule), ctypes.c_uint32(0))
    finally:
        os.close(folder)


def _namespaces() -> str:
    """Leave the machine's network behind, and cover the folders of database sockets."""
    libc = _libc()
    user, group = os.getuid(), os.getgid()
    if libc.unshare(_NEW_USER | _NEW_NET | _NEW_MOUNT | _NEW_IPC):
        return ""
    with contextlib.suppress(OSError):
        Path("/proc/self/setgroups").write_text("deny", "ascii")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1", "ascii")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1", "ascii")
    libc.mount(None, b"/", None, ctypes.c_ulong(_PRIVATE), None)
    for path in dict.fromkeys(os.path.realpath(it) for it in _DATABASE_SOCKETS):
        covered = libc.mount(b"none", path.encode(), b"tmpfs", ctypes.c_ulong(0), None)
        if Path(path).is_dir() and covered:
            return "network namespace"
    return "network and mount namespaces"


def _own_python(hidden: Iterable[str]) -> list[str]:
    """Return what this Python is made of, without what it must not read."""
    kept_from = [Path(path) for path in hidden]
    places = dict.fromkeys([sys.prefix, sys.base_prefix, *filter(os.path.isdir, sys.path)])
    return [path for place in places for path in readable_paths(Path(place), kept_from)]


def close_box(reads: Iterable[str], writes: Iterable[str], hidden: Iterable[str] = ()) -> list[str]:
    """Close the box around this process; return what it is made of."""
    made = [_namespaces()]
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if _libc().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0:
        made.append("no new privileges")
        python = [*_SYSTEM, *_own_python(hidden)]
        made.insert(0, _landlock([*python, *reads], writes, [os.getcwd(), *sys.path[1:]]))
    return [it for it in made if it]


def main() -> None:
    """Close the box that a line of JSON describes, and become the program after it."""
    box = json.loads(sys.argv[1])
    made = close_box(box["reads"], box["writes"], box["hidden"]) if sys.platform == "linux" else []
    whole = any(it.startswith("Landlock") for it in made) and any("network" in it for it in made)
    if box["mode"] == "require" and not whole:
        line = {
            "error": f"this machine offers no whole sandbox, only: {', '.join(made) or 'nothing'}"
        }
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()
        return
    sys.stdout.write(json.dumps({"sandbox": made}) + "\n")
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, *sys.argv[2:]])  # noqa: S606 - no shell


if __name__ == "__main__":
    main()
