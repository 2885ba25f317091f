"""A policy as a value: its document, and its state as of now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from askpoint.live.documents import PolicyDocument
from askpoint.live.draws import secret_hash
from askpoint.live.first_log import learn_from_log
from askpoint.live.state import State, fresh_state
from askpoint.live.terms import Terms
from askpoint.live.worth import LiveCost, LivePrices, worth_so_far
from askpoint.measures.inputs import as_finite, as_right, as_same_length

if TYPE_CHECKING:
    from askpoint.value.classifier import SelectiveClassifier

__all__ = ["Policy"]


@dataclass(frozen=True, eq=False, repr=False)
class Policy:
    """The rule that decides or asks, audits itself and closes when it must.

    It knows no keys and writes nothing: a `Deployment` decides by it. The same
    rows in the same order give the same state, whatever batches they come in.

    Parameters
    ----------
    document : PolicyDocument
        With what it opened.
    state : State
        As of now.

    Examples
    --------
    >>> from askpoint import Policy, Terms
    >>> policy = Policy.from_nothing(Terms("money", 0.2), secret=b"sixteen or more!")
    >>> policy.state.threshold is None  # it asks everything first
    True
    """

    document: PolicyDocument
    state: State

    def __repr__(self) -> str:
        at = self.state.threshold
        rule = "every case goes to review" if at is None else f"decides alone from {at:.4g}"
        return f"<Policy {self.document.id!r}: {rule}, {self.state.decided:,} cases so far>"

    @classmethod
    def from_document(cls, document: PolicyDocument) -> Self:
        """Begin as a document says.

        Parameters
        ----------
        document : PolicyDocument
            Read from a policy.json, or a `successor`.

        Returns
        -------
        Policy
        """
        return cls(document, document.state)

    @classmethod
    def from_log(
        cls,
        confidence: ArrayLike,
        right: ArrayLike,
        terms: Terms,
        *,
        secret: bytes,
        name: str = "policy",
        model: Mapping[str, Any] | None = None,
    ) -> Self:
        """Begin with what a log knows.

        Parameters
        ----------
        confidence : array-like of shape (n_items,)
            Of labelled cases, in order of time.
        right : array-like of bool of shape (n_items,)
            Whether the model was right. Labels must be a random sample of the cases: where people
            looked on purpose, begin from nothing instead.
        terms : Terms
            Aim, limit, audits and mistake budget.
        secret : bytes
            At least 16 random bytes, of which the document holds the hash.
        name : str, default="policy"
            Its name; draws depend on it.
        model : mapping, optional
            Name, version and classes of the model.

        Returns
        -------
        Policy
        """
        score = as_finite(confidence, "confidence").astype(np.float64)
        outcome = as_right(right)
        as_same_length(score, outcome, ("confidence", "right"))
        state = learn_from_log(score, ~outcome, terms)
        evidence: dict[str, Any] = {
            "rows": len(score),
            "labelled": len(score),
            "confidence": [float(score.min()), float(score.max())],
        }
        document = PolicyDocument(
            name, terms, state, dict(model or {}), secret_hash(secret), evidence
        )
        return cls.from_document(document)

    @classmethod
    def from_classifier(
        cls,
        classifier: SelectiveClassifier,
        X: Any,
        y: ArrayLike,
        terms: Terms,
        *,
        secret: bytes,
        name: str = "policy",
        version: str = "",
    ) -> Self:
        """Put a classifier into use; the policy takes over its threshold.

        Parameters
        ----------
        classifier : SelectiveClassifier
            Fitted, on other cases.
        X, y
            Randomly chosen cases in order of time, and their true classes.
        terms, secret, name
            As for `from_log`.
        version : str, default=""
            Of the model.

        Returns
        -------
        Policy
            For the confidences of `classifier.decide`.
        """
        made = classifier.decide(X)
        model = {"version": version, "classes": [str(label) for label in classifier.classes_]}
        right = made.labels == np.asarray(y)
        return cls.from_log(made.confidence, right, terms, secret=secret, name=name, model=model)

    @classmethod
    def from_nothing(
        cls,
        terms: Terms,
        *,
        secret: bytes,
        name: str = "policy",
        model: Mapping[str, Any] | None = None,
    ) -> Self:
        """Begin by asking everything.

        Parameters
        ----------
        terms, secret, name, model
            As for `from_log`.

        Returns
        -------
        Policy
        """
        document = PolicyDocument(
            name, terms, fresh_state(terms), dict(model or {}), secret_hash(secret)
        )
        return cls.from_document(document)

    @property
    def terms(self) -> Terms:
        """What was agreed."""
        return self.document.terms

    def worth(self, prices: LivePrices, *, delta: float = 0.05) -> LiveCost:
        """What it cost and saved so far, valid however often one looks.

        Parameters
        ----------
        prices : LivePrices
            What a mistake, a check and an audit cost.
        delta : float, default=0.05
            Probability that the interval ever fails.

        Returns
        -------
        LiveCost
        """
        known = prices.with_calls_of(self.document.model)
        return worth_so_far(self.state, self.terms, known, delta=delta)

    def successor(self) -> PolicyDocument:
        """The next version of the document, with the state of now, chained to this one.

        Returns
        -------
        PolicyDocument
        """
        return replace(
            self.document,
            state=self.state,
            version=self.document.version + 1,
            previous=self.document.digest,
        )
