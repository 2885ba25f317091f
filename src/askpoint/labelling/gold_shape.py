"""Gold cases that look like the others: who can tell them by their shape answers them alone with care."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from askpoint.errors import InputError

__all__ = ["check_shape"]

_FEWEST = 20  # cases, by which a shape can be told
_ENDS = 100  # of so many cases the shortest and the longest are left out
_ROOM = 2  # times shorter or longer than the rest


def _kind(content: Any) -> str:
    if isinstance(content, dict):
        return "a record of " + ", ".join(content)
    return "a text" if isinstance(content, str) else f"a {type(content).__name__}"


def _type(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return "true, false or null"
    if isinstance(value, int | float):
        return "a number"
    kinds = ((str, "a text"), (dict, "an object"), (list, "a list"))
    return next((name for kind, name in kinds if isinstance(value, kind)), "something else")


def _length(content: Any) -> int:
    return len(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False))


def check_shape(gold: Any, kept: Sequence[Any]) -> None:
    """Refuse a gold case that its type, its keys and their order, a value's type, or its length tells from the cases kept.

    With fewer than 20 cases nothing is told yet.
    """
    if len(kept) < _FEWEST:
        return
    usual = Counter(map(_kind, kept)).most_common(1)[0][0]
    if _kind(gold) != usual:
        raise InputError(
            f"a gold case must look like the others, which are {usual}; got {_kind(gold)}: "
            f"{gold!s:.60}. Write records as JSON, with the keys in that order"
        )
    if isinstance(gold, dict):
        for key, value in gold.items():
            seen = {_type(one[key]) for one in kept if _kind(one) == usual}
            if _type(value) not in seen:
                raise InputError(
                    f"a gold case must look like the others, where {key} is {' or '.join(sorted(seen))}; "
                    f"got {_type(value)}: {value!s:.60}"
                )
    lengths = sorted(_length(one) for one in kept if _kind(one) == usual)
    cut = len(lengths) // _ENDS
    least, most = lengths[cut] / _ROOM, lengths[len(lengths) - 1 - cut] * _ROOM
    if not least <= _length(gold) <= most:
        raise InputError(
            f"a gold case must be about as long as the others, {lengths[cut]} to "
            f"{lengths[len(lengths) - 1 - cut]} characters; got {_length(gold)}: {gold!s:.60}"
        )
