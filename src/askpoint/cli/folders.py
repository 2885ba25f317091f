"""Which folder a command on a deployment means, and what time it is."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from askpoint.errors import InputError

if TYPE_CHECKING:
    from askpoint.records.stores.deployment import Deployment

__all__ = ["at_option", "clock_text", "folder_of", "moment", "open_deployment", "policy_folder"]

at_option = click.option(
    "--at",
    metavar="TIME",
    help="When this happens (ISO 8601, UTC unless it says so), to replay old days; by default now.",
)


def folder_of(path: str) -> Path:
    """Return the folder of a deployment, named by itself or by a file of it."""
    named = Path(path)
    for folder in (named, named.parent):
        if (folder / "policy.json").is_file():
            return folder
    raise InputError(
        f"{path} belongs to no deployment: there is no policy.json; name the folder that askpoint "
        "deploy made, or a file in it"
    )


def policy_folder(out: str, option: str) -> Path:
    """Return the folder that a new policy goes to; one that holds a policy is refused."""
    path = Path(out)
    if path.name == "policy.json":
        path = path.parent
    elif path.suffix:
        raise InputError(
            f"the policy is called policy.json, and its folder is the deployment; got {path.name}: "
            f"give {option} FOLDER/policy.json"
        )
    if (path / "policy.json").exists():
        raise InputError(
            f"{path} holds a policy already; decide with it, or deploy into a new folder"
        )
    return path


def open_deployment(folder: Path) -> Deployment:
    """Open a deployment; beside it others may decide and label."""
    from askpoint.records.stores.deployment import Deployment

    return Deployment(folder)


def clock_text(clock_back: int | None) -> str:
    """Say that a clock stepped back; empty if it did not."""
    if not clock_back:
        return ""
    return (
        f"the clock went back: this comes {clock_back / 1e6:g} seconds before what is recorded last; it is "
        "recorded at that moment, and the difference is kept with it"
    )


def moment(text: str | None) -> int:
    """Return a moment in microseconds since 1970."""
    if text is None:
        return time.time_ns() // 1000
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise InputError(f"--at must be a time such as 2026-03-02T08:00; got {text!r}") from None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return round(when.timestamp() * 1e6)
