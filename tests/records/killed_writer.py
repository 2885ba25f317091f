"""A process that decides, labels and forgets, and kills itself at one point of writing."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from askpoint.records.deployments import stored_parts
from askpoint.records.deployments.exclusive import alone_in
from askpoint.records.deployments.folder_store import FolderStore
from records.posts import one_day

FORGOTTEN = ["k7", "k500", "k1900"]


class HalfWritten:
    """A file of which only the first half of the bytes is there when the power goes."""

    def __init__(self, file, point):
        self.file, self.point = file, point

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def write(self, data):
        self.file.write(data[: len(data) // 2])
        self.file.flush()
        self.point("in the middle of write")
        return self.file.write(data[len(data) // 2 :])

    def __getattr__(self, name):
        return getattr(self.file, name)


def writes(folder, stop):
    """Live two days and forget three cases; at the point `stop` the process is killed."""
    passed = []

    def point(name):
        passed.append(name)
        if len(passed) == stop:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(name, real):
        def call(*args, **options):
            point(f"before {name}")
            found = real(*args, **options)
            point(f"after {name}")
            return found

        return call

    class Watched:
        """The system's calls, each with a point before and after."""

        def __getattr__(self, name):
            real = getattr(os, name)
            if name == "fdopen":
                return lambda *args: HalfWritten(real(*args), point)
            return around(name, real) if name in {"open", "fsync", "replace"} else real

    stored_parts.os = Watched()
    Path.unlink = around("unlink", Path.unlink)
    lived(folder)
    return passed


def lived(folder):
    """What is to be lived; what was lived already changes nothing."""
    with alone_in(folder):
        for day in (12, 13):
            if FolderStore(folder)._last < day * 10 + 5:
                one_day(folder, day, content=True)
        FolderStore(folder).forget(FORGOTTEN)


if __name__ == "__main__":
    sys.stdout.write("".join(f"{name}\n" for name in writes(Path(sys.argv[1]), int(sys.argv[2]))))
