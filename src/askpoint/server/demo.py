"""The demo's people, its classifier in use, and what wings add to it, made once in an empty database."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from askpoint.server.accounts.models import User
from askpoint.server.demo_agent import APPROVERS, begin_agent, what_the_agent_does
from askpoint.server.demo_stream import IN_USE, begin_stream, what_happens
from askpoint.server.extensions import load_each

__all__ = ["DemoParts", "demo_people", "describe_demo", "make_demo"]


@dataclass(frozen=True, kw_only=True)
class DemoParts:
    """What a wing adds to the demo.

    Parameters
    ----------
    people : tuple of (str, str)
        Who can be entered as, and what they do.
    make : callable
        Makes what they need, unless it is there, from the accounts by name.
    words : str
        What happens, in a line.
    """

    people: tuple[tuple[str, str], ...]
    make: Callable[[dict[str, User]], None]
    words: str


def demo_people() -> tuple[tuple[str, str], ...]:
    """Return who can be entered as, and what they do."""
    more = tuple(one for parts in load_each("demo") for one in parts.people)
    return (*more, *IN_USE, *APPROVERS)


def describe_demo() -> list[str]:
    """Return what happens in the demo, a line each."""
    return [
        *(f"  {parts.words}" for parts in load_each("demo")),
        *what_happens(),
        *what_the_agent_does(),
    ]


def make_demo() -> None:
    """Make people, the classifier in use, and what wings add, unless they are there."""
    there = {user.username: user for user in User.objects.all()}
    people = {name: there.get(name) or User.objects.create_user(name) for name, _ in demo_people()}
    begin_stream(people)
    begin_agent(people)
    for parts in load_each("demo"):
        parts.make(people)
