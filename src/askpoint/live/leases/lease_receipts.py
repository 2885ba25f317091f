"""What a decider hands in: the cases of a lease in their order, signed by the secret of the lease."""

from __future__ import annotations

import functools
import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from askpoint.errors import InputError
from askpoint.live.batches import DecisionBatch
from askpoint.live.canonical import canonical_json, chain_hash
from askpoint.live.leases.lease import LeaseGrant, sign_text

__all__ = ["LeaseReceipts", "LeasedCase"]

_KIND = "askpoint lease receipts"


class LeasedCase(NamedTuple):
    """A case that a decider elsewhere decided, as it came and what became of it."""

    key: str
    prediction: str
    confidence: float
    group: str | None
    content: str | None
    at: int
    action: str
    audit: bool


@dataclass(frozen=True, kw_only=True)
class LeaseReceipts:
    """All cases of a lease.

    Parameters
    ----------
    lease : int
        Its number.
    policy : str
        Name of the policy.
    model_version : str
        Of the model whose confidences these are.
    cases : tuple of LeasedCase
        In the order in which they were decided.
    signature : str
        Made with the secret of the lease.
    """

    lease: int
    policy: str
    model_version: str
    cases: tuple[LeasedCase, ...]
    signature: str = ""

    @classmethod
    def sign(cls, grant: LeaseGrant, cases: Sequence[LeasedCase]) -> Self:
        """Return the receipts of a lease, signed."""
        version = str(grant.model.get("version", ""))
        made = cls(
            lease=grant.lease.number, policy=grant.policy, model_version=version, cases=tuple(cases)
        )
        said = sign_text(grant.secret, made._text)
        return cls(
            lease=made.lease,
            policy=made.policy,
            model_version=version,
            cases=made.cases,
            signature=said,
        )

    @property
    def digest(self) -> str:
        """Hash of all of it: the same receipts, handed in again, have the same."""
        return chain_hash("", self._text.encode())

    def is_signed(self, secret: bytes) -> bool:
        """Return whether who signed it held the lease."""
        return hmac.compare_digest(self.signature, sign_text(secret, self._text))

    def batch(self) -> DecisionBatch:
        """Return the cases as a batch."""
        return DecisionBatch(
            [one.key for one in self.cases],
            [one.prediction for one in self.cases],
            [one.confidence for one in self.cases],
            [one.content for one in self.cases]
            if any(one.content is not None for one in self.cases)
            else None,
            self.model_version,
            [one.group for one in self.cases]
            if any(one.group is not None for one in self.cases)
            else None,
        )

    @functools.cached_property
    def _text(self) -> str:
        return canonical_json(
            [self.lease, self.policy, self.model_version, [list(case) for case in self.cases]]
        )

    def to_json(self) -> str:
        """Return the text of its file."""
        plain = {
            "cases": [list(case) for case in self.cases],
            "kind": _KIND,
            "lease": self.lease,
            "model_version": self.model_version,
            "policy": self.policy,
            "signature": self.signature,
        }
        return canonical_json(plain) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read the text of its file.

        Raises
        ------
        InputError
            If it holds no receipts of a lease.
        """
        try:
            plain = json.loads(text)
            kind = plain.pop("kind")
            cases = tuple(LeasedCase(*case) for case in plain.pop("cases"))
            made = cls(**plain, cases=cases)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise InputError("this file holds no receipts of a lease") from None
        if kind != _KIND or not _fits(made):
            raise InputError("this file holds no receipts of a lease")
        return made


def _fits(made: LeaseReceipts) -> bool:
    """Return whether each field is of its type."""
    texts = (made.policy, made.model_version, made.signature)
    return (
        type(made.lease) is int
        and all(isinstance(text, str) for text in texts)
        and all(
            isinstance(one.key, str)
            and isinstance(one.prediction, str)
            and type(one.confidence) in {int, float}
            and all(value is None or isinstance(value, str) for value in (one.group, one.content))
            and type(one.at) is int
            and one.action in {"answer", "ask"}
            and isinstance(one.audit, bool)
            for one in made.cases
        )
    )
