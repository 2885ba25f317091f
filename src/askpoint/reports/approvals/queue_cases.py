"""What an approver sees of an action: its arguments, what it changes, what may come of it; never a verdict."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from typing import Any

__all__ = ["KIND", "shown_action"]

KIND = "action"
"""Under this name a case says that it is one."""
_PAIRS = (("old_string", "new_string"), ("old_str", "new_str"), ("old", "new"), ("before", "after"))
_LONGEST = 2_000  # characters of a value
_MOST_LINES = 200  # of a diff
_HARMS = {
    "none": "Does no harm if it is wrong, its owner says.",
    "low": "Does little harm if it is wrong, its owner says.",
    "medium": "Does some harm if it is wrong, its owner says.",
    "high": "Does great harm if it is wrong, its owner says.",
    "irreversible": "Cannot be undone.",
}


def shown_action(
    tool: str, arguments: Any, context: Mapping[str, Any], harm: str | None
) -> dict[str, Any]:
    """Return a case of the queue.

    Parameters
    ----------
    tool : str
        Which the agent wants to call.
    arguments : dict or None
        With which.
    context : mapping
        What the agent says: ``why``, ``diff``, ``consequences``.
    harm : str or None
        Of its class.

    Examples
    --------
    >>> shown_action("edit", {"old": "a", "new": "b"}, {}, "low")["diff"]
    ['- a', '+ b']
    """
    rows = [] if not isinstance(arguments, Mapping) else list(arguments.items())
    consequences = [str(context["consequences"])[:_LONGEST]] if context.get("consequences") else []
    return {
        "kind": KIND,
        "tool": tool,
        "arguments": [[str(name)[:200], _text(value)] for name, value in rows],
        "diff": _diff(arguments, context.get("diff")),
        "consequences": consequences + ([_HARMS[harm]] if harm in _HARMS else []),
        "why": _text(context["why"]) if context.get("why") else "",
    }


def _text(value: Any) -> str:
    said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if len(said) <= _LONGEST:
        return said
    return f"{said[:_LONGEST]}… ({len(said):,} characters in all)"


def _diff(arguments: Any, given: Any) -> list[str]:
    if isinstance(given, str):
        return [line[:_LONGEST] for line in given.splitlines()[:_MOST_LINES]]
    if not isinstance(arguments, Mapping):
        return []
    for old, new in _PAIRS:
        both = arguments.get(old), arguments.get(new)
        if all(isinstance(one, str) and len(one) < 50_000 for one in both):
            lines = difflib.ndiff(str(both[0]).splitlines(), str(both[1]).splitlines())
            return [line[:_LONGEST] for line in lines if not line.startswith("?")][:_MOST_LINES]
    return []
