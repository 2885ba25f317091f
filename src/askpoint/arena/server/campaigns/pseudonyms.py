"""What people are called in files that leave the server, unless the organiser asks for names."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable

from django.utils.crypto import salted_hmac

__all__ = ["Called", "by_name", "by_pseudonym", "rename_in_key"]

Called = Callable[[str], str]
"""What somebody is called, by the name."""

# keys of the ledger that hold a judge's name
_WITH_JUDGE = re.compile(
    r"((?:reverse/)*(?:(?:vote|pass|void|close)/[^/]+|reserve/[^/]+/recall)/)([^/]+)(.*)"
)


def by_name(name: str) -> str:
    """Return the name as it is."""
    return name


def by_pseudonym(campaign: str) -> Called:
    """Return a function that hides names: the same person is the same within a campaign.

    Without the server's secret nobody can compute a pseudonym from a name; and in another campaign
    the same person is called otherwise.
    """

    def pseudonym_of(name: str) -> str:
        digest = salted_hmac("askpoint.pseudonym", f"{campaign}\0{name}").digest()
        return "person-" + base64.b32encode(digest[:5]).decode().lower()

    return pseudonym_of


def rename_in_key(key: str, called: Called) -> str:
    """Return a key of the ledger with the judge in it called as in the rest of a file."""
    found = _WITH_JUDGE.fullmatch(key)
    return key if found is None else f"{found[1]}{called(found[2])}{found[3]}"
