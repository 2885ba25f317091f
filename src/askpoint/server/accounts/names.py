"""Names of accounts: two that look alike to people are one, and some are nobody's."""

from __future__ import annotations

import functools
import unicodedata

__all__ = ["LONGEST_KEY", "RESERVED", "as_name", "fold_case", "is_reserved", "skeleton"]

LONGEST_KEY = 600
"""Characters that a name may have once its letters are taken apart."""

RESERVED = (
    "admin",
    "administrator",
    "anonymous",
    "askpoint",
    "everybody",
    "judge",
    "machine",
    "model",
    "moderator",
    "nobody",
    "operator",
    "organiser",
    "organizer",
    "owner",
    "player",
    "root",
    "staff",
    "support",
    "system",
    "you",
)
"""Names that would pass for the server, for a role, or for everybody."""


def as_name(given: str) -> str:
    """Return a name as it is kept: in Unicode's form NFKC, without blanks around it."""
    return unicodedata.normalize("NFKC", given).strip()


def fold_case(name: str) -> str:
    """Return a name without case: people sign in by it."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


@functools.cache
def _prototypes() -> dict[str, str]:
    """Return each character that looks like another one, with that one.

    The package keeps Unicode's table (confusables.txt) both ways: what is alike names its one
    prototype, and a prototype names all that are alike to it.
    """
    from confusable_homoglyphs.confusables import confusables_data  # 10,000 lines

    found = {}
    for sign, alike in confusables_data.items():
        other = alike[0]["c"]
        if len(alike) == 1 and (len(confusables_data[other]) > 1 or other < sign):
            found[sign] = other
    return found


def skeleton(name: str) -> str:
    """Return what a name looks like: equal for names that people take for one another.

    Unicode's skeleton (technical standard 39), then without case.
    """
    known = _prototypes()
    parts = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name))
    seen = "".join(known.get(sign, sign) for sign in parts)
    return fold_case(unicodedata.normalize("NFD", seen))


@functools.cache
def _reservations() -> frozenset[str]:
    return frozenset(key(name) for name in RESERVED for key in (fold_case, skeleton))


def is_reserved(name: str) -> bool:
    """Say whether a name is, or looks like, one of those that are nobody's."""
    return bool({fold_case(name), skeleton(name)} & _reservations())
