"""Which class a name means: as it is written, or without what only a file's type added to it."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["class_codes", "drop_decimal_point", "plain_class_name"]

_WHOLE = re.compile(r"([+-]?\d+)\.0*")
_TRUTHS = {"false": "0", "true": "1"}


def drop_decimal_point(text: str) -> str:
    """Return a whole number without its decimal point."""
    match = _WHOLE.fullmatch(text)
    return match[1] if match else text


def plain_class_name(text: str) -> str:
    """Return a class name without what only a file's type added to it."""
    return text.lower() if text.lower() in _TRUTHS else drop_decimal_point(text)


def class_codes(names: Sequence[str], classes: Sequence[str]) -> list[int | None]:
    """Return each name's position in `classes`, None for a name that is none of them.

    Names are compared as they are, then in their plain form; true and false also match
    the classes 1 and 0, and the other way round.
    """
    plains = [plain_class_name(name) for name in classes]
    loose = {name: i for i, name in enumerate(plains) if plains.count(name) == 1}
    for truth, number in _TRUTHS.items():
        if set(plains) == set(_TRUTHS.values()):
            loose[truth] = loose[number]
        elif set(plains) == set(_TRUTHS):
            loose[number] = loose[truth]
    exact = {name: i for i, name in enumerate(classes)}
    return [exact.get(name, loose.get(plain_class_name(name))) for name in names]
