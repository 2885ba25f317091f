"""What a wing or a plugin adds to the server: one `ServerParts`, named by `askpoint.registry.Plugin.server`.

The module that holds it is imported before Django is set up, so everything in it is named as
``"module:attribute"`` and loaded where it is used.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from askpoint.registry import load_servers

__all__ = ["JobKind", "Link", "ServerParts", "first_words", "load", "load_each", "server_parts"]


@dataclass(frozen=True, kw_only=True)
class JobKind:
    """A kind of work of the background process.

    Parameters
    ----------
    lane : str
        Beside which others it is done, one at a time: one of `askpoint.server.jobs.lanes.LANES`.
    function : str
        What does it, from the key that the job is about.
    """

    lane: str
    function: str


@dataclass(frozen=True)
class Link:
    """A link in every page's head, for who is signed in.

    Parameters
    ----------
    words : str
        What it says.
    name : str
        Of the address.
    """

    words: str
    name: str


@dataclass(frozen=True, kw_only=True)
class ServerParts:
    """What one package adds to the server.

    Parameters
    ----------
    apps : tuple of str, default=()
        Django apps, in an order in which each imports only those before it; after the core's.
    filters : tuple of str, default=()
        Libraries of template filters.
    urls : tuple of str, default=()
        Lists of addresses.
    routers : mapping
        Parts of the API, by address prefix: a list of `ninja.Router` each, in place of the core's under the
        same prefix.
    token_roles : mapping
        Roles that a token for programs can have: an `askpoint.server.api.roles.TokenRole` each.
    jobs : mapping
        Kinds of work of the background process.
    regular : str, default=""
        What the background process does every half a minute.
    scorers : str, default=""
        Returns the processes that it must keep running, by name.
    links : tuple of Link, default=()
        In every page's head.
    subject : str, default=""
        What it runs here, in the plural: ``"campaigns"``.
    title : str, default=""
        Of the front page.
    welcome : str, default=""
        A template for who is not signed in, in place of the core's.
    without_models : str, default=""
        What whoever starts the server hears where it has no models of its own.
    home : str, default=""
        From a request, the `askpoint.server.home.sections.HomeSections` of the front page.
    invitations : str, default=""
        The `askpoint.server.home.invitations.Invited` that knows the roles of its invitations.
    activity : str, default=""
        From a user, the keys whose lines of the log the user may read, and pairs of a workspace and the names of
        people whose lines there.
    audits : str, default=""
        What `askpoint check` looks at: returns problems and what was looked at.
    queue_guests : str, default=""
        The `askpoint.server.deployments.guests.QueueGuests` of cases that lie in classifiers' queues.
    events : mapping
        Events that are told to webhooks: kind and words.
    demo : str, default=""
        The people of the demo, and what makes them.
    early : str, default=""
        Loads what somebody's first request would wait for; called once, before the workers are made.
    """

    apps: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    routers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    token_roles: Mapping[str, str] = field(default_factory=dict)
    jobs: Mapping[str, JobKind] = field(default_factory=dict)
    regular: str = ""
    scorers: str = ""
    links: tuple[Link, ...] = ()
    subject: str = ""
    title: str = ""
    welcome: str = ""
    without_models: str = ""
    home: str = ""
    invitations: str = ""
    activity: str = ""
    audits: str = ""
    queue_guests: str = ""
    events: Mapping[str, str] = field(default_factory=dict)
    demo: str = ""
    early: str = ""


@functools.cache
def server_parts() -> tuple[ServerParts, ...]:
    """Return what is added to the server, in the order of the plugins' names."""
    return tuple(load_servers().values())


def first_words(part: str, default: str = "") -> str:
    """Return the first text that plugins have under a name of `ServerParts`, ``"title"``, say."""
    return next(filter(None, (getattr(parts, part) for parts in server_parts())), default)


def load(where: str) -> Any:
    """Return what ``"module:attribute"`` names."""
    module, _, attribute = where.partition(":")
    return getattr(importlib.import_module(module), attribute)


def load_each(part: str) -> Iterator[Any]:
    """Yield what the plugins name under one of the single names of `ServerParts`, ``"home"``, say."""
    for parts in server_parts():
        where = getattr(parts, part)
        if where:
            yield load(where)
