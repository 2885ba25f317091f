"""Which deployment a command means, in a folder or in PostgreSQL, and what time it is."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from askpoint.errors import InputError, NoDeploymentError
from askpoint.records.stores.postgres_addresses import is_address, read_address

if TYPE_CHECKING:
    from askpoint.records.stores.deployment import Deployment

__all__ = [
    "WRITTEN",
    "at_option",
    "clock_text",
    "moment",
    "new_folder",
    "open_deployment",
    "place_name",
    "place_of",
    "policy_place",
    "stated_moment",
]

WRITTEN = ("secret.key", "signing.key", "state.sqlite")
"""What a deployment writes into its folder next to policy.json."""

at_option = click.option(
    "--at",
    metavar="TIME",
    help="Time of the decisions (ISO 8601, UTC by default); used to replay past days. "
    "Default: now.",
)


def place_of(path: str) -> str:
    """Return where a deployment is: its address, or its folder, named by itself or by a file of it."""
    if is_address(path):
        return path
    named = Path(path)
    for folder in (named, named.parent):
        if (folder / "policy.json").is_file():
            return str(folder)
    raise NoDeploymentError(
        f"{path} belongs to no deployment: there is no policy.json; name the folder that askpoint "
        "deploy made, or a file in it"
    )


def policy_place(out: str, option: str) -> str:
    """Return the folder or address that a new policy goes to; a folder that holds one is refused."""
    if is_address(out):
        return out
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
            f"{path} holds a policy already; decide with it, or deploy into a new folder with {option} FOLDER"
        )
    taken = next((name for name in WRITTEN if (path / name).exists()), None)
    if taken is not None:
        raise InputError(
            f"{path} holds a file {taken} and no policy; nothing was written. Name a new folder with {option} FOLDER"
        )
    return str(path)


def new_folder(log: str | None, name: str | None) -> str:
    """Return the folder in which a policy goes where none was named: called as the policy, or as its log."""
    called = re.sub(r"[^\w.-]+", "-", name).strip("-.") if name else ""
    if not called and log is not None and log != "-" and not is_address(log):
        called = Path(log).resolve().name.partition(".")[0]
    return f"{called}-deployment" if called else "deployment"


def place_name(place: str) -> str:
    """Return how a policy is called where nobody named it: as its folder, or in its database."""
    if is_address(place):
        address = read_address(place)
        return address.name or address.database
    return Path(place).resolve().name


def open_deployment(place: str) -> Deployment:
    """Open a deployment; beside it others may decide and label."""
    from askpoint.records.stores.deployment import Deployment

    return Deployment(place)


def clock_text(clock_back: int | None) -> str:
    """Say that a clock stepped back; empty if it did not."""
    if not clock_back:
        return ""
    return (
        f"the clock went back: this comes {clock_back / 1e6:g} seconds before what is recorded last; it is "
        "recorded at that moment, and the difference is kept with it"
    )


def stated_moment(text: str | None) -> int | None:
    """Return a stated moment; None leaves it to the commit, before which others may still write."""
    return None if text is None else moment(text)


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
