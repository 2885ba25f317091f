"""A decision record: what shows to the person decided about that their decision stands in the log, and how.

It needs no folder, no account and no secret: the row, the way from it to a head, and the head, which is signed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from askpoint.errors import InputError
from askpoint.live.canonical import canonical_json, content_digest
from askpoint.live.heads import Head
from askpoint.live.merkle import is_included, leaf_hash

__all__ = ["DecisionRecord"]

_KIND = "askpoint decision record"
_ACTIONS = ("answer", "ask", "hold")
_COLUMNS = frozenset({
    "action", "at", "audit", "clock_back", "confidence", "digest", "drawn", "episode", "group", "key",
    "lease", "model_version", "policy", "prediction", "propensity", "rate", "row", "seq", "version", "would",
})  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class DecisionRecord:
    """A row of the log, and the way from it to a head.

    Parameters
    ----------
    row : str
        Canonical JSON, as it was hashed.
    leaf : int
        Its place in the log.
    path : tuple of str
        Hashes that lead to the root, in hexadecimal digits (RFC 6962, 2.1.1).
    head : Head
        Of the log.
    content : str or None
        Of the case, if it is kept.
    salt : str or None
        Random bytes before the content in its digest, in hexadecimal digits.
    """

    row: str
    leaf: int
    path: tuple[str, ...]
    head: Head
    content: str | None = None
    salt: str | None = None

    @property
    def decision(self) -> Mapping[str, Any]:
        """The columns of the row."""
        made: dict[str, Any] = json.loads(self.row)
        return made

    def find_difference(self) -> str:
        """Say what does not fit together; empty if all does. The signature of the head is checked apart."""
        try:
            row = json.loads(self.row)
        except ValueError:
            return "the row is not JSON"
        if not isinstance(row, dict) or row.keys() != _COLUMNS or row["row"] != "decision":
            return "the row is not that of a decision"
        if row["action"] not in _ACTIONS:
            return f"the action {row['action']!r} is not one of {', '.join(_ACTIONS)}"
        if row["policy"] != self.head.policy:
            return "the row is of another policy than the head"
        try:
            path = [bytes.fromhex(one) for one in self.path]
        except ValueError:
            return "the path holds what is not a hash"
        leaf, root = leaf_hash(self.row.encode()), bytes.fromhex(self.head.root)
        if not is_included(leaf, self.leaf, self.head.size, path, root):
            return "the row is not in the log of this head"
        if self.content is not None:
            salt = bytes.fromhex(self.salt or "")
            if content_digest(self.content, salt) != row["digest"]:
                return "the content is not that of which the row has the digest"
        return ""

    def to_json(self) -> str:
        """Return the text of its file."""
        plain = {
            "content": self.content,
            "head": self.head.to_dict(),
            "kind": _KIND,
            "leaf": self.leaf,
            "path": list(self.path),
            "row": self.row,
            "salt": self.salt,
        }
        return canonical_json(plain) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read the text of a file.

        Raises
        ------
        InputError
            If it is no decision record.
        """
        try:
            plain = json.loads(text)
            kind, head = plain.pop("kind"), Head.from_dict(plain.pop("head"))
            made = cls(**{**plain, "path": tuple(plain["path"]), "head": head})
            bytes.fromhex(made.salt or "")
        except (AttributeError, KeyError, TypeError, ValueError):
            raise InputError("this is not a decision record that askpoint wrote") from None
        texts = [made.row, *made.path, *filter(None, (made.content, made.salt))]
        if (
            kind != _KIND
            or type(made.leaf) is not int
            or not all(isinstance(t, str) for t in texts)
        ):
            raise InputError("this is not a decision record that askpoint wrote")
        return made
