"""A page as somebody sees it, and where it is."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from django.urls import reverse

__all__ = ["UNCOVER", "Scene", "at"]

UNCOVER = "main .veil a"  # what shows a covered case


class Scene(NamedTuple):
    """A page as somebody sees it.

    Parameters
    ----------
    page : str
        Its name in the matrix of pages; or of a refusal, which is no page of its own.
    role : str
        As in the matrix.
    who : str
        Of the cast; empty for somebody who is not signed in.
    path : str
        Where it is.
    says : str
        What must stand there, or it is another state than was meant.
    fill : mapping, default={}
        What is typed by the names of the fields, before `press`.
    press : str, default=""
        A selector: what is pressed.
    lose : bool, default=False
        Whether the cookie that forms need is lost before.
    """

    page: str
    role: str
    who: str
    path: str
    says: str
    fill: Mapping[str, str] = MappingProxyType({})
    press: str = ""
    lose: bool = False


def at(name, *args):
    """Return the address of a page by its name."""
    return reverse(name, args=args)
