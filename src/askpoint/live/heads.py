"""Heads: one line that stands for all rows of a log so far, and leaves the house.

Who kept a head of yesterday sees whether today's log still begins with the same rows.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, Self

from askpoint.errors import InputError
from askpoint.live.canonical import canonical_json

__all__ = ["Head", "LogRoot", "read_root"]

_ROOT = re.compile(r"([0-9a-f]{64})@([1-9]\d{0,17})")
_KIND = "askpoint head"


class LogRoot(NamedTuple):
    """The root of the first rows of a log.

    Attributes
    ----------
    size : int
        How many rows.
    root : str
        Their hash, in hexadecimal digits.
    """

    size: int
    root: str

    def __str__(self) -> str:
        return f"{self.root}@{self.size}"


@dataclass(frozen=True, kw_only=True)
class Head:
    """The root of a log at a moment, signed.

    Parameters
    ----------
    policy : str
        Whose log.
    size : int
        Its rows: the policy's own, decisions, labels, events and deletions.
    root : str
        Of its Merkle tree (RFC 6962), in hexadecimal digits.
    at : int
        When it was made, in microseconds since 1970, UTC.
    secret_hash : str
        SHA-256 of the secret by which audits are drawn.
    signer : str
        Public key (Ed25519), in hexadecimal digits.
    signature : str
        Of `text`, in hexadecimal digits.
    """

    policy: str
    size: int
    root: str
    at: int
    secret_hash: str
    signer: str
    signature: str = ""

    @property
    def log_root(self) -> LogRoot:
        """Size and root alone."""
        return LogRoot(self.size, self.root)

    @property
    def text(self) -> str:
        """What is signed: canonical JSON of all but the signature."""
        plain = asdict(self)
        del plain["signature"]
        return canonical_json({**plain, "kind": _KIND})

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {**asdict(self), "kind": _KIND}

    def to_json(self) -> str:
        """Return the text of its file: one line."""
        return canonical_json(self.to_dict()) + "\n"

    @classmethod
    def from_dict(cls, plain: Any) -> Self:
        """Read a head.

        Raises
        ------
        InputError
            If it is none.
        """
        try:
            values = dict(plain)
            kind = values.pop("kind")
            head = cls(**values)
        except (KeyError, TypeError, ValueError):
            raise InputError("this is not a head that askpoint wrote") from None
        texts = (head.policy, head.secret_hash, head.signer, head.signature)
        is_whole = (
            kind == _KIND
            and all(isinstance(one, str) for one in texts)
            and type(head.at) is int
            and type(head.size) is int
            and _ROOT.fullmatch(f"{head.root}@{head.size}") is not None
        )
        if not is_whole:
            raise InputError("this is not a head that askpoint wrote")
        return head

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read the text of a file, or the message by which it was published; errors are those of `from_dict`."""
        try:
            plain = json.loads(text)
            if isinstance(plain, dict) and plain.get("type") == "log.head":
                plain = {name: one for name, one in plain["data"].items() if name != "version"}
        except (AttributeError, KeyError, ValueError):
            raise InputError("this is not a head that askpoint wrote: it is not JSON") from None
        return cls.from_dict(plain)


def read_root(text: str) -> LogRoot:
    """Read a root as it is told by word of mouth, HASH@N.

    Raises
    ------
    InputError
        If it is none.
    """
    match = _ROOT.fullmatch(text.strip())
    if match is None:
        raise InputError(
            "a head is a file, or HASH@N: 64 hexadecimal digits, @ and the number of rows; got "
            f"{text[:80]!r}"
        )
    return LogRoot(int(match[2]), match[1])
