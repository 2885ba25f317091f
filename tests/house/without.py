"""Runs command lines in a process that lacks some modules, as another machine or a lean install does.

``python without.py MODULES < words.json``: what each line printed and how it ended comes as JSON.
"""

from __future__ import annotations

import contextlib
import io
import json
import multiprocessing
import os
import random
import secrets
import signal
import subprocess
import sys

POSIX_ONLY = (
    *("fcntl", "grp", "nis", "ossaudiodev", "posixshmem", "pty", "pwd", "readline", "resource"),
    *("spwd", "syslog", "termios", "tty"),
)
OF_OS = ("chown", "fchmod", "fork", "forkpty", "getegid", "geteuid", "getgid", "getuid", "killpg")
OF_SIGNAL = ("SIGALRM", "SIGHUP", "SIGKILL", "SIGUSR1", "alarm", "setitimer")


def forbid(names):
    """Let modules be missing."""
    assert multiprocessing  # asked the system what it is before the stand-in came
    for name in names:
        sys.modules[name] = None
    if "fcntl" in names:
        for module, missing in ((os, OF_OS), (signal, OF_SIGNAL)):
            for name in missing:
                delattr(module, name)


def answer(words):
    """Run one command line."""
    from askpoint.cli.main import main

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(words)
        except SystemExit as end:
            code = end.code
    return {"code": code, "out": out.getvalue(), "err": err.getvalue()}


def run_without(modules, lines, folder):
    """Run command lines in a folder, in a new process that lacks these modules."""
    done = subprocess.run(
        [sys.executable, __file__, ",".join(modules)],
        cwd=folder,
        input=json.dumps([[str(word) for word in words] for words in lines]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


if __name__ == "__main__":
    forbid(sys.argv[1].split(","))
    secrets.token_bytes = random.Random(
        0
    ).randbytes  # the same audits each time: an alarm by luck ends with 1
    answers = [answer(words) for words in json.load(sys.stdin)]
    json.dump({"answers": answers}, sys.stdout)
