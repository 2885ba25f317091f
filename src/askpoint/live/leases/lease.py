"""A lease: a decider elsewhere may answer so many cases alone, at one threshold and one audit rate."""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np

from askpoint.errors import InputError
from askpoint.live.canonical import canonical_json
from askpoint.measures.inputs import BoolArray, FloatArray

__all__ = ["Lease", "LeaseGrant", "LeaseRule", "lease_secret", "sign_text"]

_KIND = "askpoint lease"


class LeaseRule(NamedTuple):
    """By what cases of a lease are decided.

    Attributes
    ----------
    threshold : float or None
        It answers from here on; None sends every case to review.
    rate : float
        Share of the answers that is audited.
    episode : int
        Of the policy when the lease was granted.
    left : int
        Answers that the lease still has.
    """

    threshold: float | None
    rate: float
    episode: int
    left: int

    def answers(self, confidence: FloatArray) -> BoolArray:
        """Return which cases are answered, in their order: what is sure enough, until none is left."""
        if self.threshold is None:
            return np.zeros(len(confidence), dtype=np.bool_)
        sure = confidence >= self.threshold
        return np.asarray(sure & (np.cumsum(sure) <= self.left))


@dataclass(frozen=True, kw_only=True)
class Lease:
    """What was granted.

    Parameters
    ----------
    number : int
        1, 2, ... within the deployment.
    decider : str
        To whom.
    episode : int
        Of the policy at the grant.
    threshold : float or None
        The decider answers from here on; None sends every case to review.
    rate : float
        Share of the answers that is audited.
    answers : int
        How many cases may be answered alone.
    granted, expires : int
        From when until when cases may be decided, in microseconds since 1970.
    leaf : int
        Place of the grant in the log; -1 where it is not kept.
    """

    number: int
    decider: str
    episode: int
    threshold: float | None
    rate: float
    answers: int
    granted: int
    expires: int
    leaf: int = -1

    def rule(self, left: int | None = None) -> LeaseRule:
        """Return by what cases are decided, with so many answers left; by default all."""
        most = self.answers if left is None else left
        return LeaseRule(self.threshold, self.rate, self.episode, most)


@dataclass(frozen=True, kw_only=True)
class LeaseGrant:
    """A lease as a decider gets it, with what deciding needs: keep it as secret as a password.

    Parameters
    ----------
    lease : Lease
        What was granted.
    policy : str
        Name of the policy.
    secret : bytes
        Of this lease alone; it draws the audits and signs what is handed in.
    model : mapping
        Name, version and classes of the model.
    evidence : mapping
        Between which confidences the policy opened.
    """

    lease: Lease
    policy: str
    secret: bytes = field(repr=False)
    model: dict[str, Any]
    evidence: dict[str, Any]

    def to_json(self) -> str:
        """Return the text of its file."""
        plain = {
            "evidence": self.evidence,
            "kind": _KIND,
            "lease": asdict(self.lease),
            "model": self.model,
            "policy": self.policy,
            "secret": self.secret.hex(),
        }
        return canonical_json(plain) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read the text of its file.

        Raises
        ------
        InputError
            If it is not a lease.
        """
        try:
            plain = json.loads(text)
            kind, lease = plain.pop("kind"), Lease(**plain.pop("lease"))
            made = cls(**{**plain, "lease": lease, "secret": bytes.fromhex(plain["secret"])})
        except (AttributeError, KeyError, TypeError, ValueError):
            raise InputError("this is not a lease that askpoint lease grant wrote") from None
        if kind != _KIND or not made.secret:
            raise InputError("this is not a lease that askpoint lease grant wrote")
        return made


def lease_secret(secret: bytes, policy: str, number: int) -> bytes:
    """Return the secret of a lease, from that of the policy; neither a key nor another lease gives the same."""
    return hmac.digest(
        secret, b"\0".join([b"lease", policy.encode(), str(number).encode()]), "sha256"
    )


def sign_text(secret: bytes, text: str) -> str:
    """Return what only a holder of the lease can write under a hand-in."""
    return hmac.new(secret, text.encode(), hashlib.sha256).hexdigest()
