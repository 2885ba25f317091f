"""The process of a model behind an address.

It is started and watched like that of a function (`askpoint.server.classifiers.scorer`), and asks for
several cases at the same time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from askpoint.server.classifiers.addressed import load_address
from askpoint.server.classifiers.chat import load_chat
from askpoint.server.classifiers.scorer import run

__all__ = ["load_remote"]


def load_remote(config: dict[str, Any]) -> Callable[[list[Any]], Any]:
    """Return what asks the model that a configuration names."""
    return load_chat(config) if config["adapter"] == "chat" else load_address(config)


if __name__ == "__main__":
    run(load_remote, alone=False)
