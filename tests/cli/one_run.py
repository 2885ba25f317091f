"""One run of `askpoint value`, watched: which files of ours it enters, and how often it opens its log.

The kernel is asked, too, where it can be (inotify): what is opened outside Python makes no audit event.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import struct
import sys
from collections import Counter
from pathlib import Path

_OPENED, _CLOSED = 0x20, 0x08 | 0x10


class Opens:
    """How often a file is opened, by the kernel."""

    def __init__(self, path: Path) -> None:
        libc = ctypes.CDLL(None)
        self.queue = libc.inotify_init1(os.O_NONBLOCK)
        # with the closings, for equal events that follow each other are kept as one
        libc.inotify_add_watch(self.queue, os.fsencode(path), _OPENED | _CLOSED)

    def count(self) -> int:
        """Return it."""
        events = b""
        with contextlib.suppress(BlockingIOError):
            events = os.read(self.queue, 1 << 20)
        masks = [struct.unpack_from("iI", events, at)[1] for at in range(0, len(events), 16)]
        return masks.count(_OPENED)


def main(path: Path, *options: str) -> None:
    """Run the command, and write what was seen to stderr."""
    import askpoint
    from askpoint.cli.main import main as command

    root = str(Path(askpoint.__file__).parent)
    entered, called, opened = set(), Counter(), []
    kernel = Opens(path) if sys.platform == "linux" else None

    def hear(event: str, words: tuple[object, ...]) -> None:
        if event == "open" and isinstance(words[0], str) and Path(words[0]).name == path.name:
            opened.append(words[0])

    def enter(frame, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(root) and code.co_flags & 1:
            entered.add(code.co_filename)  # of functions: modules and classes are not optimized
            called[code.co_name] += 1

    sys.addaudithook(hear)
    sys.setprofile(enter)
    try:
        with contextlib.suppress(SystemExit):
            command(["value", str(path), *options])
    finally:
        sys.setprofile(None)
    loaded = {
        module.__file__
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] == "askpoint"
    }
    seen = {
        "entered": len(entered),
        "loaded": len(loaded),
        "opened": len(opened),
        "opened_by_kernel": None if kernel is None else kernel.count(),
        "as_level": called["as_level"],
        "as_choice": called["as_choice"],
        "open_file": called["open_file"],
    }
    sys.stderr.write(json.dumps(seen) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
