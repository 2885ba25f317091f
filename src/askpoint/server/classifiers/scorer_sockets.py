"""One question to a model's process, and its answer, within a time."""

from __future__ import annotations

import json
import socket
import time
from typing import Any

from askpoint.server.classifiers.faults import fault_error

__all__ = ["talk"]


def talk(path: str, question: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Send one line of JSON to where a process listens, and return the line that it answers.

    Raises
    ------
    ModelError
        If it is not running, takes longer, or stops meanwhile.
    """
    ends = time.monotonic() + seconds
    said = bytearray()
    connected = False
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as wire:
            wire.settimeout(seconds)
            wire.connect(path)
            connected = True
            wire.sendall(json.dumps(question).encode() + b"\n")
            while not said.endswith(b"\n"):
                wire.settimeout(max(0.001, ends - time.monotonic()))
                chunk = wire.recv(65536)
                if not chunk:
                    raise fault_error("stopped")
                said += chunk
    except TimeoutError:
        raise fault_error("timeout") from None
    except OSError:
        raise fault_error("stopped" if connected else "not-running") from None
    found: dict[str, Any] = json.loads(said)
    return found
